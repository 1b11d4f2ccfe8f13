//! Actions that bring to light what is hidden around the pieces.
//!
//! Where pressing showed something that was not there before, at some distance and at the cost of nothing else, there may
//! be more of it elsewhere: pressing is worth a walk to where no press has reached yet.

use std::collections::BTreeMap;

use env_client::{ActionId, Grid, Point};
use world_model::{Advance, Bounds};

use super::{
    commits::places,
    ledger::TIER,
    things::{RIM, Things},
};

/// What a press where none has reached yet is worth: after things never touched, and after clicks on what came to light. A
/// guess.
const FURTHER: f32 = 1.7 * TIER;
/// What each cell costs that a press reaches twice, in actions: more than a step, so that it rather goes one further. A
/// guess.
const TWICE: f32 = 1.5;
/// Cells from a piece to the farthest of what comes to light, at the least more than these: what turns up right beside it
/// was rather put there.
const APART: u32 = 1;

/// A press in this level.
#[derive(Debug)]
struct Press {
    action: ActionId,
    places: Vec<Bounds>,
    /// Whether it showed anything.
    shows: bool,
}

/// Such actions, and where they were taken.
#[derive(Debug, Default)]
pub(super) struct Surveys {
    /// How far from the pieces something came to light, by action, in this game.
    reach: BTreeMap<ActionId, u32>,
    /// In this level.
    presses: Vec<Press>,
}

impl Surveys {
    /// A new level: everything is hidden again.
    pub(super) fn begin_level(&mut self) {
        self.presses.clear();
    }

    /// The level begins again: what was shown is to be shown again, where there was nothing there is nothing.
    pub(super) fn restart(&mut self) {
        self.presses.retain(|it| !it.shows);
    }

    /// An action that moves nothing was taken with the pieces here, and these cells came to light.
    pub(super) fn pressed(&mut self, action: ActionId, advances: &[Advance], shown: &[Point]) {
        let places = places(advances);
        let gaps = || shown.iter().filter_map(|at| places.iter().map(|it| gap(*it, cell(*at))).min());
        let farthest = gaps().max().filter(|farthest| *farthest > APART);
        if let Some(farthest) = farthest {
            let reach = self.reach.entry(action).or_default();
            *reach = farthest.max(*reach);
        }
        self.presses.push(Press { action, places, shows: farthest.is_some() });
    }

    /// Whether an action was seen to bring something to light.
    pub(super) fn contains(&self, action: ActionId) -> bool {
        self.reach.contains_key(&action)
    }

    /// How interesting it is to press an action with the pieces here, in actions: lower is better. `None` where earlier
    /// presses reached, and for actions that never showed anything. Of several pieces the one that is farthest from where
    /// they were pressed counts: others may be no more than drawings of it.
    pub(super) fn interest(&self, action: ActionId, advances: &[Advance]) -> Option<f32> {
        let reach = *self.reach.get(&action)?;
        let here = places(advances);
        let presses = || self.presses.iter().filter(|it| it.action == action).flat_map(|it| &it.places);
        let nearest = |here: &Bounds| presses().map(|there| gap(*here, *there)).min().unwrap_or(u32::MAX);
        let nearest = here.iter().map(nearest).max().unwrap_or(u32::MAX);
        let twice = (2 * reach).saturating_sub(nearest);
        (!here.is_empty() && nearest > reach).then_some(FURTHER + TWICE * twice as f32)
    }
}

/// The cells that came to light on a step that changed these: they were floor, as all that changed was, but for gauges at
/// the rim and what pieces stood on.
pub(super) fn shown(things: &Things, frame: &Grid, changed: &[Point]) -> Vec<Point> {
    let Some(floor) = things.floor_color() else { return Vec::new() };
    let is_inside = |at: &Point| {
        let (right, bottom) = (frame.width() - at.x(), frame.height() - at.y());
        at.x() >= RIM && at.y() >= RIM && right > RIM && bottom > RIM
    };
    let inside: Vec<Point> = changed.iter().copied().filter(is_inside).collect();
    let is_bare = |at: &Point| frame[*at] == floor || things.is_piece(*at);
    if inside.iter().all(is_bare) { inside } else { Vec::new() }
}

fn cell(at: Point) -> Bounds {
    Bounds { left: at.x(), top: at.y(), right: at.x(), bottom: at.y() }
}

/// Columns or rows from one box to the other, whichever are more.
fn gap(a: Bounds, b: Bounds) -> u32 {
    let along = |a: (u8, u8), b: (u8, u8)| u32::from(a.0.saturating_sub(b.1).max(b.0.saturating_sub(a.1)));
    along((a.left, a.right), (b.left, b.right)).max(along((a.top, a.bottom), (b.top, b.bottom)))
}

#[cfg(test)]
mod tests {
    use env_client::Color;
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::things::Under;

    const SPACE: ActionId = ActionId::Action5;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn piece(x: u8) -> [Advance; 1] {
        [Advance { from: vec![at(x, 20)], ..Advance::default() }]
    }

    #[test]
    fn a_press_that_showed_something_is_worth_a_walk_to_where_none_has_reached() {
        let mut surveys = Surveys::default();
        assert_eq!(surveys.interest(SPACE, &piece(10)), None, "nobody knows what it does");
        surveys.pressed(SPACE, &piece(10), &[at(12, 20), at(13, 21)]);
        let worth = |surveys: &Surveys, x| surveys.interest(SPACE, &piece(x));
        assert_eq!((worth(&surveys, 10), worth(&surveys, 13)), (None, None), "as far as it reached");
        assert!(worth(&surveys, 16) < worth(&surveys, 14), "what was not seen yet counts");
        surveys.pressed(SPACE, &piece(16), &[]);
        assert_eq!(worth(&surveys, 14), None);
        surveys.restart();
        assert!(worth(&surveys, 10).is_some(), "what was shown there is hidden again");
        assert_eq!(worth(&surveys, 17), None, "there is nothing");
        surveys.begin_level();
        assert_eq!(worth(&surveys, 17), Some(FURTHER));
    }

    #[test]
    fn a_drawing_of_a_piece_that_stays_does_not_keep_it_from_pressing_elsewhere() {
        let with_drawing = |x| [piece(x), piece(2)].concat();
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &with_drawing(10), &[at(12, 20)]);
        assert_eq!(surveys.interest(SPACE, &with_drawing(11)), None);
        assert!(surveys.interest(SPACE, &with_drawing(20)).is_some());
    }

    #[test]
    fn what_turns_up_beside_a_piece_was_put_there() {
        let mut surveys = Surveys::default();
        surveys.pressed(SPACE, &piece(10), &[at(11, 20), at(10, 21)]);
        assert_eq!(surveys.interest(SPACE, &piece(30)), None);
    }

    #[test]
    fn only_floor_brings_something_to_light() {
        let mut frame = Grid::filled(16, 16, Color::of(0));
        frame.set(at(8, 8), Color::of(3));
        frame.set(at(2, 1), Color::of(7));
        let piece = Advance { from: vec![at(5, 5)], ..Advance::default() };
        let things = Things::of(&frame, &InterfaceMask::new(), &[piece], Under::default());
        assert_eq!(shown(&things, &frame, &[at(2, 1), at(9, 9)]), [at(9, 9)], "gauges aside");
        assert_eq!(shown(&things, &frame, &[at(5, 5), at(9, 9)]).len(), 2, "what the piece stood on, too");
        assert_eq!(shown(&things, &frame, &[at(8, 8), at(9, 8)]), [], "something moved");
    }
}
