//! Solved ARC tasks as a person sees them, and as programs read them.
//!
//! # Layout
//! - [`Page`]: a task with its demonstrations and answers, drawn with [`draw`]. Start here.
//! - [`Sheet`]: a table of all tasks, with their score.
//! - [`document`]: everything as JSON.
//! - [`Progress`]: the bar that is shown meanwhile.

mod document;
pub mod draw;
mod page;
mod progress;
mod sheet;

pub use document::{Document, document};
pub use page::Page;
pub use progress::Progress;
pub use sheet::Sheet;

use solver::solve::How;

/// What the net knew of a task, in words.
pub fn how(how: How) -> String {
    match how {
        How::Known => "known".to_owned(),
        How::Tuned { steps } => format!("tuned {steps}"),
        How::Average => "average".to_owned(),
        How::TooLarge => "too large".to_owned(),
    }
}
