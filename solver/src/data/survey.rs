//! Where the pairs of a data set came from.

use std::collections::BTreeMap;

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
