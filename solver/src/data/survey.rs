//! Where the pairs of a data set came from.

use std::{collections::BTreeMap, fmt};

use super::load::{Faults, Kind};

/// What became of the pairs of one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Files read.
    pub files: usize,
    /// Tasks read.
    pub tasks: usize,
    /// Pairs read.
    pub pairs: usize,
    /// Left out: too large.
    pub too_large: usize,
    /// Left out: more than was asked for.
    pub surplus: usize,
    /// Left out: a pair that is held out, or a view of one; and what asks about tasks of which nothing else is left.
    pub sealed: usize,
    /// Learned from.
    pub learned: usize,
    /// Held out.
    pub held_out: usize,
}

/// All sources, and what could not be read.
#[derive(Debug)]
pub struct Survey {
    /// What became of the pairs of each source.
    pub sources: BTreeMap<Kind, Counts>,
    /// What was skipped.
    pub faults: Faults,
}

const HEADINGS: [&str; 9] =
    ["source", "files", "tasks", "pairs", "too large", "surplus", "sealed", "learned", "held out"];

/// A table with a line for each source, and the first faults below it.
impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(f, &HEADINGS.map(str::to_owned))?;
        for (kind, counts) in &self.sources {
            line(f, &counts.cells(*kind))?;
        }
        match self.faults.count() {
            0 => Ok(()),
            count => {
                writeln!(f, "skipped: {count}")?;
                self.faults.first().iter().try_for_each(|fault| writeln!(f, "  {fault}"))
            }
        }
    }
}

impl Counts {
    fn cells(&self, kind: Kind) -> [String; HEADINGS.len()] {
        let Counts { files, tasks, pairs, too_large, surplus, sealed, learned, held_out } = *self;
        let counts = [files, tasks, pairs, too_large, surplus, sealed, learned, held_out];
        std::array::from_fn(|index| match index {
            0 => kind.to_string(),
            index => counts[index - 1].to_string(),
        })
    }
}

fn line(f: &mut fmt::Formatter<'_>, cells: &[String; HEADINGS.len()]) -> fmt::Result {
    write!(f, "{:<10}", cells[0])?;
    cells[1..].iter().try_for_each(|cell| write!(f, " {cell:>9}"))?;
    writeln!(f)
}
