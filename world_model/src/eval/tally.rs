//! Many scores as the metrics. All are shares from 0 to 1 and `None` where nothing was there to be counted.

use super::FrameScore;

/// Scores added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    frames: u64,
    unknown: u64,
    change: Kind,
    no_op: Kind,
    changed: u64,
    edited: u64,
    hits: u64,
    f1: f64,
    false_edits: f64,
}

/// Frames where something changed, or those where nothing did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Kind {
    frames: u64,
    exact: u64,
    /// Foretold to be of this kind.
    foretold: u64,
}

impl Kind {
    fn add(&mut self, score: &FrameScore) {
        self.frames += 1;
        self.exact += u64::from(score.exact);
        self.foretold += u64::from(score.known && (score.edited > 0) == score.is_change());
    }
}

impl Tally {
    /// The sum of some scores.
    pub fn of(scores: impl IntoIterator<Item = FrameScore>) -> Tally {
        let mut tally = Tally::default();
        scores.into_iter().for_each(|score| tally.add(&score));
        tally
    }

    /// Adds one score.
    pub fn add(&mut self, score: &FrameScore) {
        self.frames += 1;
        self.unknown += u64::from(!score.known);
        self.changed += u64::from(score.changed);
        self.edited += u64::from(score.edited);
        self.hits += u64::from(score.hits);
        self.f1 += score.f1();
        if score.is_change() {
            self.change.add(score);
        } else {
            self.no_op.add(score);
            self.false_edits += f64::from(score.edited) / f64::from(score.cells.max(1));
        }
    }

    /// Frames counted.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Frames of them in which something changed.
    pub fn change_frames(&self) -> u64 {
        self.change.frames
    }

    /// Frames right in every cell, of those where something changed.
    pub fn exact_change(&self) -> Option<f64> {
        share(self.change.exact, self.change.frames)
    }

    /// Frames right in every cell, of those where nothing changed.
    pub fn exact_no_op(&self) -> Option<f64> {
        share(self.no_op.exact, self.no_op.frames)
    }

    /// Frames right in every cell.
    pub fn exact(&self) -> Option<f64> {
        share(self.change.exact + self.no_op.exact, self.frames)
    }

    /// Right edits, of all that were predicted.
    pub fn precision(&self) -> Option<f64> {
        share(self.hits, self.edited)
    }

    /// Right edits, of all cells that changed. A changed cell is right only if it was predicted to change, so this is
    /// the accuracy on changed cells as well.
    pub fn recall(&self) -> Option<f64> {
        share(self.hits, self.changed)
    }

    /// The harmonic mean of both over all cells of all frames; 1 where rightly nothing was predicted to change.
    pub fn f1(&self) -> Option<f64> {
        match (self.frames, self.edited + self.changed) {
            (0, _) => None,
            (_, 0) => Some(if self.unknown == self.frames { 0.0 } else { 1.0 }),
            (_, both) => share(2 * self.hits, both),
        }
    }

    /// The mean over frames of each one's F1.
    pub fn frame_f1(&self) -> Option<f64> {
        (self.frames > 0).then(|| self.f1 / self.frames as f64)
    }

    /// The share of cells predicted to change where nothing did.
    pub fn false_edits(&self) -> Option<f64> {
        (self.no_op.frames > 0).then(|| self.false_edits / self.no_op.frames as f64)
    }

    /// How often it was foretold whether anything changes: the mean of the shares on change frames and on the others,
    /// or the one of them that there is.
    pub fn any_change(&self) -> Option<f64> {
        let [change, no_op] = [self.change, self.no_op].map(|kind| share(kind.foretold, kind.frames));
        match (change, no_op) {
            (Some(change), Some(no_op)) => Some(f64::midpoint(change, no_op)),
            (one, other) => one.or(other),
        }
    }

    /// How often nothing was predicted.
    pub fn unknown(&self) -> Option<f64> {
        share(self.unknown, self.frames)
    }
}

fn share(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| part as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(changed: u16, edited: u16, hits: u16) -> FrameScore {
        let exact = changed == edited && edited == hits;
        FrameScore { cells: 100, changed, edited, hits, known: true, exact }
    }

    const UNKNOWN_CHANGE: FrameScore =
        FrameScore { cells: 100, changed: 2, edited: 0, hits: 0, known: false, exact: false };

    #[track_caller]
    fn is(found: Option<f64>, expected: f64) {
        let found = found.expect("something was counted");
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    /// By hand. Change frames: one exact (4 of 4), one half right (4 changed, 6 edited, 3 hits), one unknown (2 changed).
    /// No-op frames: one exact, one with 5 false edits of 100 cells.
    #[test]
    fn the_metrics_are_those_by_hand() {
        let tally = Tally::of([score(4, 4, 4), score(4, 6, 3), UNKNOWN_CHANGE, score(0, 0, 0), score(0, 5, 0)]);
        is(tally.exact_change(), 1.0 / 3.0);
        is(tally.exact_no_op(), 1.0 / 2.0);
        is(tally.exact(), 2.0 / 5.0);
        is(tally.precision(), 7.0 / 15.0);
        is(tally.recall(), 7.0 / 10.0);
        is(tally.f1(), 14.0 / 25.0);
        is(tally.frame_f1(), (1.0 + 6.0 / 10.0 + 0.0 + 1.0 + 0.0) / 5.0);
        is(tally.false_edits(), 0.05 / 2.0);
        is(tally.any_change(), f64::midpoint(2.0 / 3.0, 1.0 / 2.0));
        is(tally.unknown(), 1.0 / 5.0);
    }

    #[test]
    fn nothing_to_count_is_no_figure() {
        let tally = Tally::default();
        assert_eq!([tally.f1(), tally.exact_change(), tally.any_change()], [None; 3]);
        assert_eq!(Tally::of([score(0, 0, 0)]).precision(), None);
    }

    #[test]
    fn both_empty_is_a_full_f1_and_silence_is_none() {
        is(Tally::of([score(0, 0, 0)]).f1(), 1.0);
        let silent = FrameScore { changed: 0, ..UNKNOWN_CHANGE };
        is(Tally::of([silent]).f1(), 0.0);
    }
}
