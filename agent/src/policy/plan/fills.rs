//! The skill of filling rooms: a click in a region recolours all of it, as a bucket of paint does.
//!
//! It is believed once a click was seen to give nearly all of the clicked region one other colour. Then every closed
//! region of the colour that was filled is wanted in the same way, in this level and in later ones. Tiles, of which there
//! are several alike, are left to the boards.
//!
//! It makes no first experiment of its own: other skills click regions, too, and a click on a closed region of the ground
//! in every game was measured to win nothing.

use std::collections::{HashMap, HashSet};

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{Component, InterfaceMask, Scene, Start, Transition};

use super::{
    ledger::TIER,
    skill::{Proposal, Skill},
};

/// Filling what is like something that was filled comes before experiments, and before plans that nobody knows to win. A
/// guess.
const LIKE: f32 = 0.35 * TIER;
/// The smallest region that counts as one, in cells: the mark of a click covers smaller ones. A guess.
const SMALLEST: u16 = 25;
/// The share of a region that has to become one colour, in quarters: the mark of the click may lie on the rest. A guess.
const QUARTERS: usize = 3;
/// Regions of one colour and form, as many of which are tiles of a board.
const FAMILY: usize = 3;
/// Clicks of this skill in vain, more than those that filled something, after which it is silent. A guess.
const VAIN: u32 = 3;

/// Fills what is like something that was filled.
#[derive(Debug, Default)]
pub(super) struct Fills {
    /// By colour, how often a region of it became another one by a click.
    filled: HashMap<Color, u32>,
    /// Where this level was clicked since it began; only looked up.
    clicked: HashSet<Point>,
    /// The click proposed last, and whether it is carried out.
    offer: Option<Point>,
    pending: Option<Point>,
    /// Clicks of its own that filled nothing.
    vain: u32,
}

/// The regions of a frame that something closes on all sides, large enough and no tiles.
fn closed<'a>(scene: &'a Scene, mask: &'a InterfaceMask) -> impl Iterator<Item = (usize, &'a Component)> {
    let (width, height) = scene.size();
    let is_closed = move |it: &Component| {
        let bounds = it.bounds;
        bounds.left > 0 && bounds.top > 0 && bounds.right + 1 < width && bounds.bottom + 1 < height
    };
    let is_tile = |it: &Component| {
        let alike = scene.components().iter().filter(|other| (other.color, other.shape) == (it.color, it.shape));
        alike.count() >= FAMILY
    };
    scene
        .components()
        .iter()
        .enumerate()
        .filter(move |(_, it)| it.area >= SMALLEST && is_closed(it) && !mask.hides(it.center) && !is_tile(it))
}

/// The colour that nearly all of a region took on by a click.
fn fill(step: &Transition<'_>, scene: &Scene, index: usize) -> Option<Color> {
    let after = step.after()?;
    let mut counts = [0usize; Color::COUNT];
    let cells = step.before.points().filter(|at| scene.component_at(*at) == Some(index));
    for color in cells.filter_map(|at| after.get(at)) {
        counts[color.index()] += 1;
    }
    let it = &scene.components()[index];
    let to = (0..Color::COUNT as u8).map(Color::of).filter(|to| *to != it.color);
    to.max_by_key(|to| counts[to.index()]).filter(|to| 4 * counts[to.index()] >= QUARTERS * usize::from(it.area))
}

impl Fills {
    /// A cell of a region that is to be filled, and its colour.
    fn next(&self, frame: &Grid, mask: &InterfaceMask) -> Option<(Point, Color)> {
        if self.filled.is_empty() || self.vain >= self.filled.values().sum::<u32>() + VAIN {
            return None;
        }
        let scene = Scene::of(frame);
        let is_open = |index: usize| self.clicked.iter().all(|at| scene.component_at(*at) != Some(index));
        let mut regions = closed(&scene, mask).filter(|(index, _)| is_open(*index));
        let (_, region) = regions.find(|(_, it)| self.filled.contains_key(&it.color))?;
        Some((region.center, region.color))
    }
}

impl Skill for Fills {
    fn name(&self) -> &'static str {
        "fills"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {
        self.clicked.clear();
        self.pending = None;
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        self.clicked.insert(at);
        let own = self.pending.take() == Some(at);
        let scene = Scene::of(step.before);
        let region = scene.component_at(at).filter(|index| closed(&scene, mask).any(|(it, _)| it == *index));
        match region.filter(|index| fill(step, &scene, *index).is_some()) {
            Some(index) => *self.filled.entry(scene.components()[index].color).or_default() += 1,
            None => self.vain += u32::from(own && step.after().is_some()),
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        let (at, color) = self.next(frame, mask).filter(|_| actions.contains(ActionId::Action6))?;
        self.offer = Some(at);
        Some(Proposal::experiment(Action::Click(at), format!("fill the {color} region at {at}"), LIKE))
    }

    fn taken_up(&mut self) {
        self.pending = self.offer.take();
    }
}

#[cfg(test)]
mod tests {
    use world_model::Outcome;

    use super::*;

    /// Two rooms behind walls, of the ground's colour, and a third one that opens on it.
    const ROOMS: &str = "
        00000000000000000000000
        01111111001111111110000
        01000001001000000010000
        01000001001000000010000
        01000001001000000010000
        01000001001000000010000
        01000001001000000010000
        01111111001111111110000
        00000000000000000000000
        01111111000000000000000
        01000000000000000000000
        01000000000000000000000
        01000000000000000000000
        01000000000000000000000
        01111111000000000000000
        00000000000000000000000";

    fn rooms() -> Grid {
        ROOMS.split_whitespace().collect::<Vec<_>>().join("\n").parse().unwrap()
    }

    /// A room filled from a cell, with the mark of the click on it.
    fn poured(frame: &Grid, at: Point) -> Grid {
        let scene = Scene::of(frame);
        let mut after = frame.clone();
        let room = scene.component_at(at);
        frame.points().filter(|it| scene.component_at(*it) == room).for_each(|it| after.set(it, Color::of(7)));
        [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().filter_map(|(x, y)| at.offset(*x, *y)).for_each(|it| {
            after.set(it, Color::of(9));
        });
        after
    }

    /// Takes up what is proposed, and shows what comes of it.
    fn click(fills: &mut Fills, frame: &Grid, pours: bool) -> Option<(Point, Grid)> {
        let proposal = fills.propose(frame, &InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]))?;
        fills.taken_up();
        let at = proposal.steps[0].action.point()?;
        let after = if pours { poured(frame, at) } else { frame.clone() };
        see(fills, frame, at, &after);
        Some((at, after))
    }

    fn see(fills: &mut Fills, before: &Grid, at: Point, after: &Grid) {
        let (layers, action) = ([after.clone()], Action::Click(at));
        let step = Transition { before, action, layers: &layers, outcome: Outcome::Continues };
        fills.observe(&step, &InterfaceMask::new());
    }

    /// Has seen how the first room was filled; what is seen then.
    fn taught() -> (Fills, Grid) {
        let (mut fills, at) = (Fills::default(), Point::new(4, 4).unwrap());
        assert!(click(&mut fills, &rooms(), true).is_none(), "nothing was filled yet");
        let after = poured(&rooms(), at);
        see(&mut fills, &rooms(), at, &after);
        (fills, after)
    }

    #[test]
    fn what_is_like_a_filled_room_is_filled_once() {
        let (mut fills, after) = taught();
        let (second, after) = click(&mut fills, &after, true).unwrap();
        assert!((11..=17).contains(&second.x()), "{second}");
        assert!(click(&mut fills, &after, true).is_none(), "the third one is open to the ground");
        fills.begin(&rooms(), &InterfaceMask::new(), Start::Level);
        let (first, _) = click(&mut fills, &rooms(), true).unwrap();
        assert!((2..=6).contains(&first.x()), "in the next level as well: {first}");
    }

    #[test]
    fn it_is_silent_where_most_rooms_do_not_answer() {
        let (mut fills, after) = taught();
        let levels = (0..10).filter(|_| {
            fills.begin(&after, &InterfaceMask::new(), Start::Level);
            click(&mut fills, &after, false).is_some()
        });
        assert_eq!(levels.count(), 1 + VAIN as usize);
    }

    #[test]
    fn tiles_are_left_to_boards() {
        let tile = ["0000000", "0111110", "0111110", "0111110", "0111110", "0111110", "0000000"];
        let board = tile.map(|row| row.repeat(3)).join("\n").parse::<Grid>().unwrap();
        let mut fills = Fills::default();
        let at = Point::new(3, 3).unwrap();
        see(&mut fills, &board, at, &poured(&board, at));
        assert!(fills.filled.is_empty());
    }
}
