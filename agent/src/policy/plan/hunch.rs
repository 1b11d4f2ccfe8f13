//! Hunches of a net: whether a click will change anything, and how often it was right about that.
//!
//! A net is asked where nobody else has an answer, and what it says is no ground to plan on. It decides between
//! experiments that are equally worth a try, once what it says and what comes of it were seen to go together.

use env_client::{Action, Grid};
use world_model::{InterfaceMask, Prediction, Source};

/// How often what the net said changes something did, beyond what it said does not, for its word to count.
const TELLING: f32 = 0.2;

/// Experiments that are weighed against each other: a net takes milliseconds for each.
const CHOICES: usize = 8;

/// What came of answers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Record {
    total: u32,
    changed: u32,
}

impl Record {
    /// How often something changed, with one that did and one that did not as if seen before.
    fn rate(self) -> f32 {
        (self.changed + 1) as f32 / (self.total + 2) as f32
    }
}

/// What a net said of actions, and what came of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Hunches {
    /// Of the action under way, where only the net had an answer.
    said: Option<bool>,
    /// After it said that nothing changes, and that something does.
    records: [Record; 2],
}

impl Hunches {
    /// This is foreseen of the action that is taken now.
    pub(super) fn expect(&mut self, frame: &Grid, prediction: &Prediction, mask: &InterfaceMask) {
        self.said = change(frame, prediction, mask);
    }

    /// The action was taken.
    pub(super) fn learn(&mut self, before: &Grid, after: &Grid, mask: &InterfaceMask) {
        let Some(said) = self.said.take() else { return };
        let record = &mut self.records[usize::from(said)];
        record.total += 1;
        record.changed += u32::from(differs(before, after, mask));
    }

    /// Whether what it says goes with what comes.
    pub(super) fn tell(&self) -> bool {
        let [still, moving] = self.records.map(Record::rate);
        moving - still > TELLING
    }

    /// How likely an action of which this is foreseen changes something; where the net says nothing, as likely as any.
    pub(super) fn promise(&self, frame: &Grid, prediction: &Prediction, mask: &InterfaceMask) -> f32 {
        let all = Record {
            total: self.records.iter().map(|it| it.total).sum(),
            changed: self.records.iter().map(|it| it.changed).sum(),
        };
        change(frame, prediction, mask).map_or(all, |said| self.records[usize::from(said)]).rate()
    }
}

/// Of the first few things to choose from the one whose action promises most; of several the first.
pub(super) fn most_promising<T>(
    choices: Vec<T>,
    action: impl Fn(&T) -> Action,
    promise: impl Fn(Action) -> f32,
) -> Option<T> {
    let weighed = choices.into_iter().take(CHOICES).map(|it| (promise(action(&it)), it));
    weighed.reduce(|best, it| if it.0 > best.0 { it } else { best }).map(|(_, choice)| choice)
}

/// Whether the net says that something changes; `None` where the answer is not the net's.
fn change(frame: &Grid, prediction: &Prediction, mask: &InterfaceMask) -> Option<bool> {
    let next = prediction.next.as_ref().filter(|_| prediction.source == Source::Net)?;
    Some(differs(frame, &next.frame, mask))
}

fn differs(a: &Grid, b: &Grid, mask: &InterfaceMask) -> bool {
    a.differences(b).is_none_or(|mut cells| cells.any(|at| !mask.hides(at)))
}

#[cfg(test)]
mod tests {
    use world_model::State;

    use super::*;

    fn grid(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    fn foreseen(next: &str, source: Source) -> Prediction {
        Prediction { next: Some(State::seen(grid(next))), source, confidence: 0.5, ..Prediction::UNKNOWN }
    }

    #[test]
    fn a_net_is_believed_once_what_it_said_went_with_what_came() {
        let (mut hunches, mask) = (Hunches::default(), InterfaceMask::new());
        let (still, moving) = (foreseen("00", Source::Net), foreseen("01", Source::Net));
        let promise = |hunches: &Hunches, it| hunches.promise(&grid("00"), it, &mask);
        assert!(!hunches.tell());
        for (said, came) in [(&still, "00"), (&moving, "10"), (&still, "00"), (&moving, "01")] {
            hunches.expect(&grid("00"), said, &mask);
            hunches.learn(&grid("00"), &grid(came), &mask);
        }
        assert!(hunches.tell());
        assert!(promise(&hunches, &moving) > 0.7 && promise(&hunches, &still) < 0.3);
        assert!((promise(&hunches, &Prediction::UNKNOWN) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn what_others_foresaw_is_no_hunch() {
        let (mut hunches, mask) = (Hunches::default(), InterfaceMask::new());
        hunches.expect(&grid("00"), &foreseen("01", Source::Rules), &mask);
        hunches.learn(&grid("00"), &grid("01"), &mask);
        assert_eq!(hunches, Hunches::default());
    }
}
