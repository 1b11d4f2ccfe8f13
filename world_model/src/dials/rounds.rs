//! Which picture of a part follows which: one round, which some clicks turn in one sense and some in the other.

use std::collections::{BTreeMap, BTreeSet};

use env_client::Point;

use super::{Pressed, parts::Picture};

/// Rounds that are shorter have no sense.
const SHORTEST: usize = 3;

/// In which way a click turns a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    On,
    Back,
}

/// What follows what.
type Follows = BTreeMap<Picture, Picture>;

/// The round of one part.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    on: Follows,
    back: Follows,
    senses: BTreeMap<Point, Sense>,
    /// What followed with clicks of which nobody knows the sense.
    own: BTreeMap<Point, Follows>,
    /// Whether each picture is followed by one alone.
    pub(super) is_regular: bool,
}

impl Round {
    fn of(part: usize, buttons: &BTreeMap<Point, Pressed>) -> Round {
        let mut round = Round { is_regular: true, ..Round::default() };
        for (at, pressed) in buttons {
            let turned = pressed.iter().map(|(was, is)| (was[part], is[part])).filter(|(was, is)| was != is);
            let mut follows = Follows::new();
            for (was, is) in turned {
                round.is_regular &= follows.insert(was, is).is_none_or(|known| known == is);
            }
            if !follows.is_empty() {
                round.own.insert(*at, follows);
            }
        }
        while let Some((at, sense)) = round.next_sense() {
            round.join(at, sense);
        }
        round
    }

    /// A click whose sense is clear by what is known; the first of all defines it.
    fn next_sense(&self) -> Option<(Point, Sense)> {
        if self.on.is_empty() {
            return self.own.iter().max_by_key(|(_, it)| it.len()).map(|(at, _)| (*at, Sense::On));
        }
        let agrees = |all: &Follows, (was, is): (&Picture, &Picture)| all.get(was) == Some(is);
        self.own.iter().find_map(|(at, follows)| match () {
            () if follows.iter().any(|it| agrees(&self.on, it)) => Some((*at, Sense::On)),
            () if follows.iter().any(|it| agrees(&self.back, it)) => Some((*at, Sense::Back)),
            () => None,
        })
    }

    /// Takes up what followed with clicks of known sense.
    fn join(&mut self, at: Point, sense: Sense) {
        for (was, is) in self.own.remove(&at).unwrap_or_default() {
            let (was, is) = if sense == Sense::On { (was, is) } else { (is, was) };
            self.is_regular &= self.on.insert(was, is).is_none_or(|known| known == is);
            self.is_regular &= self.back.insert(is, was).is_none_or(|known| known == was);
        }
        self.senses.insert(at, sense);
    }

    /// What a click leads to from a picture.
    pub(super) fn after(&self, at: Point, picture: Picture) -> Option<Picture> {
        let follows = match self.senses.get(&at) {
            Some(Sense::On) => Some(&self.on),
            Some(Sense::Back) => Some(&self.back),
            None => self.own.get(&at),
        };
        follows?.get(&picture).copied()
    }

    /// Pictures from the first one, or any of a closed round, to the last; and whether it is closed.
    fn run(&self) -> (Vec<Picture>, bool) {
        let first = self.on.keys().find(|it| !self.back.contains_key(it)).or(self.on.keys().next());
        let (mut run, mut next) = (Vec::new(), first.copied());
        while let Some(picture) = next.filter(|it| run.first() != Some(it) && run.len() <= self.on.len()) {
            run.push(picture);
            next = self.on.get(&picture).copied();
        }
        let is_closed = next.is_some();
        (run, is_closed)
    }

    /// Closes the round if it has so many pictures.
    fn close(&mut self, length: usize) {
        let (run, is_closed) = self.run();
        let all: BTreeSet<&Picture> = self.on.keys().chain(self.on.values()).collect();
        let is_whole = !is_closed && run.len() == length && all.len() == length;
        if let ([first, .., last], true) = (run.as_slice(), is_whole) {
            self.on.insert(*last, *first);
            self.back.insert(*first, *last);
        }
    }
}

/// The rounds of all parts. A round that closed tells how long those are that did not yet.
pub(super) fn rounds(parts: usize, buttons: &BTreeMap<Point, Pressed>, length: &mut Option<usize>) -> Vec<Round> {
    let mut rounds: Vec<Round> = (0..parts).map(|part| Round::of(part, buttons)).collect();
    let closed = rounds
        .iter()
        .filter(|it| it.is_regular)
        .map(Round::run)
        .filter(|(run, is_closed)| *is_closed && run.len() >= SHORTEST);
    *length = closed.map(|it| it.0.len()).max().or(*length);
    if let Some(length) = *length {
        for round in &mut rounds {
            round.close(length);
        }
    }
    rounds
}
