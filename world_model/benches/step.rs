//! Time of a training step of slot-Mamba in its configuration S on 64 frames, which `torch_step.py` beside this file
//! measures in PyTorch, and of one prediction.
//!
//! ```sh
//! cargo bench -p world_model --bench step     # a line of JSON
//! ```
//!
//! A net inside a game answers and then learns, so a training step is what remains of an observation when the time of an
//! answer is taken off. Times are medians of wall seconds and means of processor seconds.

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::{error::Error, fs, time::Instant};

use env_client::{Action, Color, Grid, Key, Point};
use mimalloc::MiMalloc;
use world_model::{
    Outcome, Start, State, Transition, WorldModel,
    net::{Adaptation, Net, NetConfig, SlotMambaConfig},
};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Times each measurement is taken.
const RUNS: usize = 5;

/// Learning as the measurement asks for it: 8 windows of 8 frames.
const LEARNING: Adaptation = Adaptation { steps: 1, windows: 8, length: 8, lr: 1e-3, time: None };

/// A room with blocks in it, through which a figure walks.
fn frame(step: usize) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::ALL[5]);
    let mut block = |left: usize, top: usize, color: usize| {
        for point in (0..25).filter_map(|at| Point::new((left + at % 5) as i64, (top + at / 5) as i64).ok()) {
            grid.set(point, Color::ALL[color]);
        }
    };
    for at in 0..12 {
        block(at * 23 % 59, at * 41 % 59, 6 + at % 4);
    }
    block(5 * (step % 11), 30, 12);
    grid
}

/// Median wall and mean processor seconds of some work.
fn measure(mut work: impl FnMut(usize)) -> [f64; 2] {
    work(0);
    let (mut walls, before) = (Vec::new(), processor_seconds());
    for run in 1..=RUNS {
        let start = Instant::now();
        work(run);
        walls.push(start.elapsed().as_secs_f64());
    }
    walls.sort_by(f64::total_cmp);
    [walls[RUNS / 2], (processor_seconds() - before) / RUNS as f64]
}

/// User and system time of this process, in the ticks of 10 ms that Linux reports; 0 elsewhere.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.split(')').next_back().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn observe(net: &mut Net, step: usize) {
    let (before, layers) = (frame(step), [frame(step + 1)]);
    let action = Action::Key(Key::ALL[step % 4]);
    net.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
}

fn main() -> Result<(), Box<dyn Error>> {
    let config = NetConfig::SlotMamba(SlotMambaConfig::s());
    let mut net = Net::fresh(config, 1)?.adapting(Adaptation { steps: 0, ..LEARNING }, 1)?;
    net.begin(&frame(0), Start::Level);
    let state = State::seen(frame(8));
    let answer = measure(|run| drop(net.predict(&state, Action::Key(Key::ALL[run % 4]))));
    let mut net = net.adapting(LEARNING, 1)?;
    (0..8).for_each(|step| observe(&mut net, step));
    let both = measure(|run| observe(&mut net, 8 + run));
    let line = serde_json::json!({
        "side": "world_model", "threads": rayon::current_num_threads(), "parameters": net.parameters(),
        "wall_s": both[0] - answer[0], "cpu_s": both[1] - answer[1], "predict_wall_s": answer[0], "predict_cpu_s": answer[1],
    });
    println!("{line}");
    Ok(())
}
