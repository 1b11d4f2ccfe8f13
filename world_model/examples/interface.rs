//! When is what found to be interface? Replays recordings through the detector and prints one row for each:
//!
//! ```text
//! cargo run --release -p world_model --example interface -- FILE.recording.jsonl.zst …
//! ```
//!
//! - `found`: the action after which the first bar was known;
//! - `bars`: where each drains, and what of it is left at the end;
//! - `hidden`: cells that are interface at the end, and how many of them lie in no bar;
//! - `movers`: how often something that moved lay on a hidden cell, among all moves. What is controlled must not.
#![expect(clippy::print_stdout, reason = "a table is what it is for")]

use std::{env, error::Error, path::Path};

use env_client::Grid;
use world_model::{
    InterfaceDetector, Outcome, Start,
    perception::{Change, Motion, Tracker},
    play::{Event, Play, Step},
};

fn main() -> Result<(), Box<dyn Error>> {
    println!("game   actions  found  hidden  beside  movers       bars");
    for path in env::args().skip(1) {
        let mut row = Row::default();
        for event in Play::open(Path::new(&path))? {
            row.take(event?);
        }
        row.print(&path);
    }
    Ok(())
}

/// What one recording showed so far.
#[derive(Default)]
struct Row {
    detector: InterfaceDetector,
    tracker: Tracker,
    last: Option<Grid>,
    actions: u32,
    found: Option<u32>,
    moves: u32,
    hidden_moves: u32,
}

impl Row {
    fn take(&mut self, event: Event) {
        match event {
            Event::Begin { frame, start, .. } => {
                match start {
                    Start::Level => self.detector.begin_level(&frame),
                    Start::Again => {
                        self.detector.restarted(&frame);
                    }
                }
                self.tracker.begin(&frame, self.detector.mask());
                self.last = Some(frame);
            }
            Event::Acted(step) => self.act(&step),
            Event::Gap => {}
        }
    }

    fn act(&mut self, step: &Step) {
        self.actions += 1;
        let Some(after) = step.layers.last().filter(|_| step.outcome == Outcome::Continues) else { return };
        self.detector.acted(&step.before, step.action.into(), after);
        let motion = self.tracker.step(&step.layers, self.detector.mask());
        self.count_moves(&motion);
        if !self.detector.bars().is_empty() {
            self.found = self.found.or(Some(self.actions));
        }
        self.last = Some(after.clone());
    }

    fn count_moves(&mut self, motion: &Motion) {
        let Some(view) = self.tracker.view() else { return };
        for event in motion.events.iter().filter(|event| matches!(event.change, Change::Moved { .. })) {
            let mut cells = event.after.into_iter().flat_map(|object| view.cells(object));
            self.moves += 1;
            self.hidden_moves += u32::from(cells.any(|cell| self.detector.mask().hides(cell)));
        }
    }

    fn print(&self, path: &str) {
        let file = Path::new(path).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let game = file.split('-').next().unwrap_or_default();
        let found = self.found.map_or_else(|| "-".to_owned(), |at| at.to_string());
        let (mask, bars) = (self.detector.mask(), self.detector.bars());
        let in_bar = |x, y| bars.iter().any(|bar| bar.bounds.contains(x, y));
        let points = self.last.iter().flat_map(Grid::points);
        let beside = points.filter(|at| mask.hides(*at) && !in_bar(at.x(), at.y())).count();
        let moves = format!("{}/{}", self.hidden_moves, self.moves);
        print!("{game:6} {:7}  {found:>5}  {:6}  {beside:6}  {moves:12}", self.actions, mask.len());
        for bar in bars {
            let at = bar.bounds;
            let left = self.last.as_ref().map_or(0, |grid| bar.remaining(grid));
            print!(" x{}-{} y{}-{} ({left} left)", at.left, at.right, at.top, at.bottom);
        }
        println!();
    }
}
