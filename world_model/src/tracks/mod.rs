//! Buttons that move on what lies in slots: closed tracks, dials, shift registers.
//!
//! - [`Tracks`]: watches presses, and says what a press would lead to. Start here.
//! - [`Turn`]: where everything comes from when a button is pressed.
//!
//! A press that only moves colours around between slots is a permutation. Slots of one colour cannot be told apart, so where
//! each colour came from is a guess: the nearest slot that was of this colour in every press seen, no slot twice. A guess that
//! fails is a press more to learn from.

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Point};

use crate::{Bounds, InterfaceMask, Scene, Start, Transition, cells::Board};

/// The shortest side of a slot: a single cell could be anything.
const SMALLEST: u8 = 2;
/// Slots that must change for a first press to count: two could be anything.
const MOVED: usize = 3;
/// The share of slots, in percent, that two buttons of one track move both (measured on public games).
const SHARED: usize = 70;
/// Presses of one button that are kept.
const PRESSES: usize = 8;

/// The colours of all slots.
type Colors = Vec<Color>;

/// A button, by the bounds of what was clicked.
#[derive(Clone, Debug)]
struct Button {
    at: Point,
    bounds: Bounds,
    presses: Vec<(Colors, Colors)>,
    turn: Option<Turn>,
}

/// What a press does: for each slot that changes the one its colour comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    sources: BTreeMap<usize, usize>,
    /// Slots that could have come from elsewhere as well.
    doubtful: usize,
}

impl Turn {
    /// The colours after it.
    pub fn apply(&self, colors: &[Color]) -> Vec<Color> {
        let mut after = colors.to_vec();
        self.sources.iter().for_each(|(to, from)| after[*to] = colors[*from]);
        after
    }

    /// The slots that change.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.sources.keys().copied()
    }

    /// Whether more than a third of it is a guess.
    pub fn is_doubtful(&self) -> bool {
        3 * self.doubtful > self.sources.len()
    }

    /// The turn that explains all presses, if they are a permutation.
    fn of(presses: &[(Colors, Colors)], distance: impl Fn(usize, usize) -> u32) -> Option<Turn> {
        let fits = |to: usize, from: usize| presses.iter().all(|(before, after)| before[from] == after[to]);
        let moved = closed(moved(presses), presses.first()?.0.len(), &fits, &distance)?;
        let sources = moved.iter().map(|to| {
            let mut sources: Vec<usize> = moved.iter().copied().filter(|from| from != to && fits(*to, *from)).collect();
            sources.sort_by_key(|from| distance(*to, *from));
            (*to, sources)
        });
        let mut open: Vec<(usize, Vec<usize>)> = sources.collect();
        let mut turn =
            Turn { doubtful: open.iter().filter(|(_, sources)| sources.len() > 1).count(), ..Turn::default() };
        while !open.is_empty() {
            let next = (0..open.len()).min_by_key(|index| {
                let (to, sources) = &open[*index];
                (sources.len(), sources.first().map_or(0, |from| distance(*to, *from)))
            })?;
            let (to, sources) = open.swap_remove(next);
            let no_swap = sources.iter().find(|from| turn.sources.get(from) != Some(&to));
            let from = *no_swap.or(sources.first())?;
            turn.sources.insert(to, from);
            for (_, sources) in &mut open {
                sources.retain(|it| *it != from);
            }
        }
        (turn.sources.len() >= MOVED).then_some(turn)
    }
}

/// The slots that changed in some press.
fn moved(presses: &[(Colors, Colors)]) -> Vec<usize> {
    let count = presses.first().map_or(0, |(before, _)| before.len());
    (0..count).filter(|slot| presses.iter().any(|(before, after)| before[*slot] != after[*slot])).collect()
}

/// These slots and those that look as before only because like followed like: every slot needs one that it may come from.
fn closed(
    mut slots: Vec<usize>,
    count: usize,
    fits: &impl Fn(usize, usize) -> bool,
    distance: &impl Fn(usize, usize) -> u32,
) -> Option<Vec<usize>> {
    while let Some(orphan) = slots.iter().find(|to| !slots.iter().any(|from| from != *to && fits(**to, *from))) {
        let others = (0..count).filter(|from| !slots.contains(from) && fits(*orphan, *from));
        let nearest = others.min_by_key(|from| distance(*orphan, *from))?;
        slots.push(nearest);
    }
    Some(slots)
}

/// Learns what buttons do to slots.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    first: Option<Grid>,
    board: Option<Board>,
    buttons: Vec<Button>,
}

impl Tracks {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.first = Some(frame.clone());
            self.buttons.clear();
            self.board = Board::families(frame, mask, SMALLEST).into_iter().max_by_key(Board::len);
        }
    }

    /// Learns from one action; only clicks matter.
    pub fn observe(&mut self, step: &Transition<'_>) {
        let (Action::Click(at), Some(after), Some(board)) = (step.action, step.after(), &self.board) else { return };
        let press = (board.middles(step.before), board.middles(after));
        let known = self.buttons.iter().position(|it| it.bounds.contains(at.x(), at.y()));
        let least = if known.is_some() { 0 } else { MOVED };
        if !is_permutation(&press, least) {
            return;
        }
        let scene = Scene::of(step.before);
        let Some(index) = scene.component_at(at) else { return };
        let bounds = scene.components()[index].bounds;
        if changes_around(bounds, step.before, after) {
            return;
        }
        let index = known.unwrap_or_else(|| {
            self.buttons.push(Button { at, bounds, presses: Vec::new(), turn: None });
            self.buttons.len() - 1
        });
        let button = &mut self.buttons[index];
        if button.presses.len() == PRESSES {
            button.presses.remove(0);
        }
        button.presses.push(press);
        let turns: Vec<Option<Turn>> = (0..self.buttons.len()).map(|index| self.turn(index, board)).collect();
        self.buttons.iter_mut().zip(turns).for_each(|(button, turn)| button.turn = turn);
    }

    /// What a button does. One that moves mostly the same slots may turn them back: its presses count the other way round,
    /// as long as all presses can be explained by one turn.
    fn turn(&self, index: usize, board: &Board) -> Option<Turn> {
        let distance = |a: usize, b: usize| board.distance(a, b);
        let mut presses = self.buttons[index].presses.clone();
        let mut turn = Turn::of(&presses, distance);
        let slots = moved(&presses);
        for (_, other) in self.buttons.iter().enumerate().filter(|(other, _)| *other != index) {
            let shared = moved(&other.presses).iter().filter(|slot| slots.contains(slot)).count();
            if shared * 100 < slots.len() * SHARED {
                continue;
            }
            let back = other.presses.iter().map(|(before, after)| (after.clone(), before.clone()));
            let pooled: Vec<(Colors, Colors)> = presses.iter().cloned().chain(back).collect();
            if let Some(both) = Turn::of(&pooled, distance) {
                (presses, turn) = (pooled, Some(both));
            }
        }
        turn
    }

    /// The buttons known, where to click them, what they do, and how often they were pressed.
    pub fn buttons(&self) -> impl Iterator<Item = (Point, &Turn, usize)> {
        self.buttons.iter().filter_map(|it| Some((it.at, it.turn.as_ref()?, it.presses.len())))
    }

    /// The colours of the slots in a frame.
    pub fn read(&self, frame: &Grid) -> Option<Vec<Color>> {
        Some(self.board.as_ref()?.middles(frame))
    }

    /// The colours that frame each slot in the level's first frame, as sets of indices.
    pub fn frames(&self) -> Vec<u16> {
        let parts = self.board.as_ref().zip(self.first.as_ref());
        parts.map_or_else(Vec::new, |(board, first)| (0..board.len()).map(|slot| board.frames(first, slot)).collect())
    }

    /// The frame with these colours in the middle of the slots.
    pub fn draw(&self, frame: &Grid, colors: &[Color]) -> Option<Grid> {
        let (board, mut drawn) = (self.board.as_ref()?, frame.clone());
        colors.iter().enumerate().for_each(|(slot, color)| drawn.set(board.middle(slot), *color));
        Some(drawn)
    }
}

/// Whether most of what lies right around a thing changes: it is drawn on a tile then, and a button is not.
fn changes_around(it: Bounds, before: &Grid, after: &Grid) -> bool {
    let side = |from: u8, to: u8| from.saturating_sub(1)..=to + 1;
    let ring = side(it.top, it.bottom).flat_map(|y| side(it.left, it.right).map(move |x| (x, y)));
    let ring: Vec<Point> =
        ring.filter(|(x, y)| !it.contains(*x, *y)).filter_map(|(x, y)| Point::new(x, y).ok()).collect();
    2 * ring.iter().filter(|at| before.get(**at) != after.get(**at)).count() > ring.len()
}

/// Whether colours changed places, in at least so many slots, and none came or went.
fn is_permutation((before, after): &(Colors, Colors), least: usize) -> bool {
    let changed: Vec<usize> = (0..before.len()).filter(|slot| before[*slot] != after[*slot]).collect();
    let sorted = |colors: &Colors| {
        let mut colors: Vec<Color> = changed.iter().map(|slot| colors[*slot]).collect();
        colors.sort();
        colors
    };
    changed.len() >= least && sorted(before) == sorted(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    /// A button on the left, and a track of eight slots around a hole.
    fn frame(beads: &str) -> Grid {
        let places = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
        let mut grid = Grid::filled(32, 20, Color::of(0));
        let mut block = |left: u8, top: u8, color: u8| {
            for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))) {
                grid.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
            }
        };
        for ((x, y), bead) in places.into_iter().zip(beads.bytes()) {
            block(10 + 5 * x, 2 + 5 * y, bead - b'0');
        }
        block(2, 7, 9);
        grid
    }

    fn pressed(presses: &[(&str, &str)]) -> Tracks {
        let mut tracks = Tracks::default();
        tracks.begin(&frame(presses[0].0), &InterfaceMask::new(), Start::Level);
        for (before, after) in presses {
            let (before, layers) = (frame(before), [frame(after)]);
            let action = Action::Click(Point::new(3, 8).unwrap());
            tracks.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        }
        tracks
    }

    #[test]
    fn one_press_shows_where_everything_goes() {
        let tracks = pressed(&[("12345678", "81234567")]);
        let (_, turn, _) = tracks.buttons().next().unwrap();
        assert!(!turn.is_doubtful());
        let now = tracks.read(&frame("81234567")).unwrap();
        assert_eq!(turn.apply(&now), tracks.read(&frame("78123456")).unwrap());
    }

    #[test]
    fn of_equal_colors_the_nearest_is_taken() {
        let tracks = pressed(&[("12121345", "51212134")]);
        let (_, turn, _) = tracks.buttons().next().unwrap();
        assert!(turn.is_doubtful());
        let now = tracks.read(&frame("51212134")).unwrap();
        assert_eq!(turn.apply(&now), tracks.read(&frame("45121213")).unwrap());
    }

    #[test]
    fn a_mark_on_what_moves_is_no_button() {
        let button = Bounds { left: 3, top: 8, right: 3, bottom: 8 };
        let (before, mut after) = (frame("12345678"), frame("12345678"));
        (2..=4).for_each(|x| after.set(Point::new(x, 7).unwrap(), Color::of(1)));
        assert!(!changes_around(button, &before, &after), "three of eight");
        (2..=4).for_each(|x| after.set(Point::new(x, 9).unwrap(), Color::of(1)));
        assert!(changes_around(button, &before, &after), "six of eight");
    }

    #[test]
    fn a_press_that_changes_what_there_is_moves_nothing() {
        assert_eq!(pressed(&[("12345678", "21345679")]).buttons().count(), 0);
    }
}
