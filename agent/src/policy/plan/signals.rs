//! Gauges that answer where nothing else does.
//!
//! What a press changes in the outer lines alone, and not where there is nothing to press at, says that it counts: holding
//! it may be what is wanted.

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};

use super::things::RIM;

/// What gauges say of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing, or something else answered, too.
    Nothing,
    /// That it counts.
    Signal,
    /// What they say where there is nothing to press at.
    Refusal,
}

/// What gauges showed in answer to presses.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// Presses where there was nothing to press at, in this game, and the colours that gauges took on then.
    presses: u32,
    elsewhere: BTreeSet<Color>,
    /// Whether gauges ever said that a press counts.
    signalled: bool,
    /// Steps of pieces, and those on which gauges changed, too.
    steps: u32,
    restless: u32,
}

impl Signals {
    /// Pieces meant to move, and these cells changed, theirs aside.
    pub(super) fn moved(&mut self, changed: &[Point], frame: &Grid) {
        self.steps += 1;
        self.restless += u32::from(changed.iter().any(|at| is_outer(*at, frame)));
    }

    /// An action that moves nothing was taken, at something if `at_thing`, and these cells changed. It counts if gauges alone
    /// answered, otherwise than elsewhere and than on every other step.
    pub(super) fn pressed(&mut self, at_thing: bool, changed: &[Point], frame: &Grid) -> Answer {
        let mut outer = changed.iter().filter(|at| is_outer(**at, frame));
        if !at_thing {
            self.presses += 1;
            self.elsewhere.extend(outer.map(|at| frame[*at]));
            return Answer::Nothing;
        }
        let is_calm = self.presses > 0 && 2 * self.restless <= self.steps;
        let alone = !changed.is_empty() && changed.iter().all(|at| is_outer(*at, frame));
        let is_other = outer.all(|at| !self.elsewhere.contains(&frame[*at]));
        match is_other {
            _ if !is_calm || !alone => Answer::Nothing,
            false if !self.signalled => Answer::Nothing,
            false => Answer::Refusal,
            true => {
                self.signalled = true;
                Answer::Signal
            }
        }
    }
}

/// Whether a cell lies in the outer lines of a frame, where games draw gauges.
pub(super) fn is_outer(at: Point, frame: &Grid) -> bool {
    let (width, height) = (frame.width(), frame.height());
    at.x() < RIM || at.y() < RIM || at.x() + RIM >= width || at.y() + RIM >= height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn a_gauge_that_answers_at_a_thing_alone_is_a_signal() {
        let (mut red, mut green) = (Grid::filled(20, 20, Color::of(0)), Grid::filled(20, 20, Color::of(0)));
        red.set(at(19, 19), Color::of(8));
        green.set(at(19, 19), Color::of(3));
        let mut signals = Signals::default();
        assert_eq!(signals.pressed(true, &[at(19, 19)], &green), Answer::Nothing, "so it may be everywhere");
        assert_eq!(signals.pressed(false, &[at(19, 19), at(9, 9)], &red), Answer::Nothing, "nothing to press at");
        assert_eq!(signals.pressed(true, &[at(19, 19)], &red), Answer::Nothing, "it never said anything else");
        assert_eq!(signals.pressed(true, &[at(19, 19), at(9, 9)], &green), Answer::Nothing, "it does something");
        assert_eq!(signals.pressed(true, &[at(19, 19)], &green), Answer::Signal);
        assert_eq!(signals.pressed(true, &[at(19, 19)], &red), Answer::Refusal, "as elsewhere");
        (0..3).for_each(|_| signals.moved(&[at(0, 19)], &green));
        assert_eq!(signals.pressed(true, &[at(19, 19)], &green), Answer::Nothing, "gauges change with every step");
    }
}
