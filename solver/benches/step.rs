//! Time and memory of a forward pass and of a training step, for the two shapes that `torch_step.py` beside this file
//! measures in PyTorch.
//!
//! ```sh
//! cargo bench -p solver --bench step                    # both shapes, a line of JSON each
//! cargo bench -p solver --bench step -- --shape small   # one of them
//! ```
//!
//! A forward pass is 8 loops without gradient. A training step is 2 loops without and 6 with gradient, stablemax loss of
//! the tokens and binary cross-entropy of the halting logit, backward pass, and AdamAtan2. Times are medians of wall
//! seconds and means of processor seconds; the peak is the resident memory of the whole process.

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::{env, error::Error, fs, process::Command, time::Instant};

use candle_core::{D, Device, Result, Tensor};
use mimalloc::MiMalloc;
use solver::nn::{
    BuildResult, Builder, Conv, Init, Layout, Mixer, Params, Rope, Scope, Stack, StackConfig, Targets, TokenLoss,
    binary_cross_entropy, linear,
    optim::{Gradients, Optimizer, OptimizerConfig, Step},
};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Tokens that there are: padding, end and ten colours.
const VOCABULARY: usize = 12;

/// Positions before the cells.
const PREFIX: usize = 16;

/// Loops without and with gradient.
const LOOPS: [usize; 2] = [2, 6];

/// Times each measurement is taken, after one that is not counted.
const RUNS: usize = 7;

/// What is measured.
#[derive(Clone, Copy, Debug)]
struct Shape {
    name: &'static str,
    hidden: usize,
    heads: usize,
    ffn: usize,
    side: usize,
    batch: usize,
}

const SHAPES: [Shape; 2] = [
    Shape { name: "base", hidden: 512, heads: 8, ffn: 1536, side: 30, batch: 1 },
    Shape { name: "small", hidden: 128, heads: 4, ffn: 512, side: 10, batch: 16 },
];

/// A URM of four layers.
struct Net {
    shape: Shape,
    params: Params,
    stack: Stack,
    layout: Layout,
    tokens: Tensor,
    start: Tensor,
    head: Tensor,
    halt: [Tensor; 2],
}

impl Net {
    fn new(shape: Shape) -> BuildResult<Net> {
        let mut builder = Builder::fresh(1, &Device::Cpu);
        let mut root = builder.root();
        let Shape { hidden, heads, ffn, side, .. } = shape;
        let config = StackConfig { layers: 4, heads, ffn, mixer: Mixer::Attention, conv: Conv::Pair };
        let positions = PREFIX + side * side;
        let stack = Stack::new(&config, hidden, positions, &mut root)?;
        let rope = Some(Rope::flat(positions, hidden / heads, 10_000.0, &Device::Cpu)?);
        let matrix =
            |root: &mut Scope, name: &str, rows: usize| root.trained(name, (rows, hidden), Init::linear(hidden));
        let tokens = matrix(&mut root, "tokens", VOCABULARY)?;
        let head = matrix(&mut root, "head", VOCABULARY)?;
        let halt = [matrix(&mut root, "halt", 2)?, root.trained("bias", 2, Init::Constant(-5.0))?];
        let start = root.constant("start", hidden, Init::TruncatedNormal { std: 1.0 })?;
        let layout = Layout { prefix: PREFIX, height: side, width: side, rope };
        Ok(Net { shape, params: builder.finish()?, stack, layout, tokens, start, head, halt })
    }

    /// The scaled input of the stack, [B, S, D].
    fn embed(&self, cells: &Tensor) -> Result<Tensor> {
        let Shape { hidden, batch, .. } = self.shape;
        let rows = self.tokens.index_select(&cells.flatten_all()?, 0)?.reshape((batch, (), hidden))?;
        let prefix = Tensor::zeros((batch, PREFIX, hidden), rows.dtype(), rows.device())?;
        Tensor::cat(&[prefix, rows], 1)? * (hidden as f64).sqrt()
    }

    /// Logits [B, L, V] and halting logits [B, 2], after the loops without gradient and those of `stack`.
    fn answer(&self, stack: &Stack, injected: &Tensor) -> Result<[Tensor; 2]> {
        let z = self.start.detach().broadcast_as(injected.shape())?;
        let [free, bound] = LOOPS;
        let before = self.stack.detached()?.repeat(&z, &injected.detach(), &self.layout, free)?;
        let after = stack.repeat(&before[free - 1], injected, &self.layout, bound)?;
        let last = &after[bound - 1];
        let cells = last.narrow(1, PREFIX, last.dim(1)? - PREFIX)?;
        let halt = linear(&last.narrow(1, 0, 1)?.squeeze(1)?, &self.halt[0])?.broadcast_add(&self.halt[1])?;
        Ok([linear(&cells, &self.head)?, halt])
    }

    fn forward(&self, cells: &Tensor) -> Result<f32> {
        let [logits, _] = self.answer(&self.stack.detached()?, &self.embed(cells)?.detach())?;
        logits.sum_all()?.to_scalar()
    }

    fn train(&self, cells: &Tensor, targets: &Targets, optimizer: &mut Optimizer, number: u64) -> Result<f64> {
        let [logits, halt] = self.answer(&self.stack, &self.embed(cells)?)?;
        let tokens = TokenLoss::Stablemax.sequences(&logits, targets)?.sum_all()?;
        let halt = halt.narrow(D::Minus1, 0, 1)?;
        let halts = binary_cross_entropy(&halt, &halt.zeros_like()?)?.sum_all()?.to_dtype(tokens.dtype())?;
        let loss = ((tokens + (halts * 0.5)?)? / self.shape.batch as f64)?;
        let gradients = Gradients::take(&self.params, &mut loss.backward()?);
        optimizer.step(&self.params, &gradients, Step { number, lr: 1e-4 })?;
        loss.to_scalar()
    }
}

/// Seconds of one run of `work`: the median of the clock, the mean of the processors.
fn measure(mut work: impl FnMut() -> Result<()>) -> Result<[f64; 2]> {
    work()?;
    let (mut walls, before) = (Vec::with_capacity(RUNS), processor_seconds());
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        walls.push(start.elapsed().as_secs_f64());
    }
    walls.sort_by(f64::total_cmp);
    Ok([walls[RUNS / 2], (processor_seconds() - before) / RUNS as f64])
}

/// User and system time of this process, in the ticks of 10 ms that Linux reports; 0 elsewhere.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.split(')').next_back().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// The most memory this process ever had, in MiB, on Linux; 0 elsewhere.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn report(shape: Shape) -> std::result::Result<(), Box<dyn Error>> {
    let net = Net::new(shape)?;
    let len = shape.batch * shape.side * shape.side;
    let labels: Vec<u8> = (0..len).map(|i| (2 + i * 7 % 10) as u8).collect();
    let tokens = labels.iter().map(|token| u32::from(*token)).collect();
    let cells = Tensor::from_vec::<_, u32>(tokens, (shape.batch, len / shape.batch), &Device::Cpu)?;
    let targets = Targets::new(&labels, shape.batch, u8::MAX, &Device::Cpu)?;
    let forward = measure(|| net.forward(&cells).map(drop))?;
    let forward_peak = peak();
    let rule = OptimizerConfig::AdamAtan2 { betas: (0.9, 0.95), weight_decay: 0.1 };
    let (mut optimizer, mut number) = (Optimizer::new(rule, &net.params)?, 0);
    let step = measure(|| {
        number += 1;
        net.train(&cells, &targets, &mut optimizer, number).map(drop)
    })?;
    let line = serde_json::json!({
        "side": "solver", "shape": shape.name, "threads": rayon::current_num_threads(), "parameters": net.params.count(),
        "forward": { "wall_s": forward[0], "cpu_s": forward[1], "peak_mib": forward_peak },
        "step": { "wall_s": step[0], "cpu_s": step[1], "peak_mib": peak() },
    });
    println!("{line}");
    Ok(())
}

/// Each shape has a process of its own, so that its peak is its own.
fn main() -> std::result::Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let chosen = args.iter().skip_while(|arg| *arg != "--shape").nth(1);
    if let Some(name) = chosen {
        let shape = SHAPES.into_iter().find(|shape| shape.name == name);
        // The stack of backward passes grows with the length of the graph.
        let thread = std::thread::Builder::new().stack_size(64 << 20);
        let run = move || report(shape.ok_or("shapes are base and small")?).map_err(|error| error.to_string());
        return Ok(thread.spawn(run)?.join().map_err(|_| "the measurement panicked")??);
    }
    for shape in SHAPES {
        Command::new(env::current_exe()?).args(["--shape", shape.name]).status()?;
    }
    Ok(())
}
