//! Which plays have a view that scrolls? Watches recordings and prints one row for each whose view is sure to:
//!
//! ```text
//! cargo run --release -p world_model --example scrolling -- FILE.recording.jsonl.zst …
//! ```
//!
//! - `proven`: the action after which that was sure;
//! - `atlas`: how the world is shown then.
#![expect(clippy::print_stdout, reason = "a table is what it is for")]

use std::{env, error::Error, path::Path};

use env_client::{Action, Grid};
use world_model::{
    Outcome,
    play::{Event, Play},
    scrolling::Scrolling,
};

fn main() -> Result<(), Box<dyn Error>> {
    for path in env::args().skip(1) {
        let (mut scrolling, mut actions, mut frames) = (Scrolling::default(), 0, Vec::<Grid>::new());
        for event in Play::open(Path::new(&path))? {
            let Event::Acted(step) = event? else { continue };
            actions += 1;
            frames.push(step.before.clone());
            if matches!(step.action, Action::Key(_)) && step.outcome != Outcome::Solved {
                scrolling.watch(&step.before, &step.layers);
            }
            if scrolling.is_proven() {
                println!("{path}  proven {actions}  {scrolling:?}");
                break;
            }
        }
    }
    Ok(())
}
