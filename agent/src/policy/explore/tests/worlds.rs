//! The worlds: each draws 16×16 cells and hides something.

use env_client::{ActionId, Color, Key, Point};

use super::*;

pub(super) const UP: Action = Action::Key(Key::Key1);
pub(super) const DOWN: Action = Action::Key(Key::Key2);
pub(super) const LEFT: Action = Action::Key(Key::Key3);
pub(super) const RIGHT: Action = Action::Key(Key::Key4);
pub(super) const SPACE: Action = Action::Key(Key::Key5);
pub(super) const UNDO: Action = Action::Key(Key::Key7);

pub(super) fn keys(numbers: &[u8]) -> ActionSet {
    ActionId::ALL.into_iter().filter(|id| numbers.contains(&id.number())).collect()
}

pub(super) fn blank() -> Grid {
    Grid::filled(16, 16, Color::of(0))
}

pub(super) fn dot(grid: &mut Grid, x: u8, y: u8, color: u8) {
    grid.set(Point::new(x, y).unwrap(), Color::of(color));
}

/// A corridor to walk to its right end, with whatever trap is switched on.
#[derive(Clone, Default)]
pub(super) struct Corridor {
    pub(super) length: u8,
    /// Losing when stepped on from above: DOWN here loses the play.
    pub(super) pit: Option<u8>,
    /// Steps a life lasts, drawn as a bar in the last row.
    pub(super) budget: Option<u8>,
    /// Presses of SPACE that open the way, not drawn.
    pub(super) lock: u8,
    /// Cells from here on look all alike.
    pub(super) fog: Option<u8>,
    /// Whether LEFT does nothing and undo takes back the last step; `Some(false)`: all steps.
    pub(super) undo: Option<bool>,
    pub(super) place: u8,
    pub(super) spent: u8,
    pub(super) presses: u8,
    pub(super) places: Vec<u8>,
}

impl Corridor {
    pub(super) fn of(length: u8) -> Corridor {
        Corridor { length, ..Corridor::default() }
    }

    fn walk(&mut self, action: Action) -> Verdict {
        let goal = self.length - 1;
        match action {
            RIGHT => {
                if self.place < goal {
                    self.places.push(self.place);
                }
                self.place = (self.place + 1).min(goal);
            }
            LEFT if self.undo.is_none() => self.place = self.place.saturating_sub(1),
            DOWN if self.pit == Some(self.place) => return Verdict::Lost,
            SPACE => self.presses = self.presses.saturating_add(1),
            UNDO if self.undo == Some(true) => self.place = self.places.pop().unwrap_or(0),
            UNDO => self.place = 0,
            _ => {}
        }
        if self.place == goal && self.presses >= self.lock { Verdict::Solved } else { Verdict::Goes }
    }
}

impl World for Corridor {
    fn actions(&self) -> ActionSet {
        keys(if self.undo.is_some() { &[1, 2, 3, 4, 5, 7] } else { &[1, 2, 3, 4, 5] })
    }

    fn restart(&mut self) {
        (self.place, self.spent, self.presses) = (0, 0, 0);
        self.places.clear();
    }

    fn act(&mut self, action: Action) -> Verdict {
        self.spent += u8::from(self.budget.is_some());
        let verdict = self.walk(action);
        let broke = self.budget.is_some_and(|budget| self.spent >= budget);
        if verdict == Verdict::Goes && broke { Verdict::Lost } else { verdict }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        let place = self.fog.map_or(self.place, |fog| self.place.min(fog));
        dot(&mut grid, place % 16, 2 + 2 * (place / 16), 5);
        for x in 0..self.budget.map_or(0, |_| 16) {
            dot(&mut grid, x, 15, if x < self.spent { 3 } else { 7 });
        }
        vec![grid]
    }
}

/// Every action shows a picture never seen before.
#[derive(Default)]
pub(super) struct Endless {
    count: u32,
}

impl World for Endless {
    fn actions(&self) -> ActionSet {
        keys(&[1, 2, 6])
    }

    fn restart(&mut self) {}

    fn act(&mut self, action: Action) -> Verdict {
        self.count += 1 + u32::from(action.point().is_some());
        Verdict::Goes
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = Grid::filled(24, 24, Color::of(0));
        for digit in 0..6u8 {
            dot(&mut grid, 10 + digit, 12, (self.count >> (3 * digit) & 7) as u8);
        }
        vec![grid]
    }
}

/// Tiles of one look, one of which does something; a second picture of buttons that only flash.
#[derive(Default)]
pub(super) struct Tiles {
    pub(super) lit: u8,
    flash: bool,
}

impl World for Tiles {
    fn actions(&self) -> ActionSet {
        keys(&[6])
    }

    fn restart(&mut self) {
        (self.lit, self.flash) = (0, false);
    }

    fn act(&mut self, action: Action) -> Verdict {
        let Some(point) = action.point() else { return Verdict::Goes };
        self.flash = point.y() > 8;
        let tile = (point.x() / 4, point.x() % 4, point.y());
        if let (index, 1..=2, 3..=4) = tile {
            self.lit |= 1 << index;
        }
        if self.lit == 0b1111 { Verdict::Solved } else { Verdict::Goes }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        for index in 0..4u8 {
            let color = if self.lit & 1 << index == 0 { 2 } else { 6 };
            for (x, y) in [(1, 3), (2, 3), (1, 4), (2, 4)] {
                dot(&mut grid, 4 * index + x, y, color);
            }
            dot(&mut grid, 4 * index + 1, 12, 9);
        }
        let mut layers = vec![grid];
        if self.flash {
            layers.insert(0, Grid::filled(16, 16, Color::of(1)));
        }
        layers
    }
}

/// An open field of 12×12 cells whose far corner is the goal.
#[derive(Default)]
pub(super) struct Field {
    x: u8,
    y: u8,
}

impl World for Field {
    fn actions(&self) -> ActionSet {
        keys(&[1, 2, 3, 4])
    }

    fn restart(&mut self) {
        (self.x, self.y) = (0, 0);
    }

    fn act(&mut self, action: Action) -> Verdict {
        match action {
            UP => self.y = self.y.saturating_sub(1),
            DOWN => self.y = (self.y + 1).min(11),
            LEFT => self.x = self.x.saturating_sub(1),
            _ => self.x = (self.x + 1).min(11),
        }
        if (self.x, self.y) == (11, 11) { Verdict::Solved } else { Verdict::Goes }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        dot(&mut grid, 2 + self.x, 2 + self.y, 5);
        vec![grid]
    }
}

/// Two dials of five settings, each over a button that turns it on: a body with a cap and a stripe. The level is solved
/// where both are set right.
#[derive(Default)]
pub(super) struct Dials {
    set: [u8; 2],
}

impl World for Dials {
    fn actions(&self) -> ActionSet {
        keys(&[6])
    }

    fn restart(&mut self) {
        self.set = [0, 0];
    }

    fn act(&mut self, action: Action) -> Verdict {
        let Some(point) = action.point().filter(|at| (11..14).contains(&at.y())) else { return Verdict::Goes };
        if let Some(dial) = [2, 9].iter().position(|left| (*left..left + 5).contains(&point.x())) {
            self.set[dial] = (self.set[dial] + 1) % 5;
        }
        if self.set == [2, 4] { Verdict::Solved } else { Verdict::Goes }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        for (left, set) in [2, 9].into_iter().zip(self.set) {
            dot(&mut grid, left + set, 3, 8);
            (0..10).for_each(|at| dot(&mut grid, left + at % 5, 12 + at / 5, 3));
            dot(&mut grid, left + 2, 11, 4);
            (1..4).for_each(|x| dot(&mut grid, left + x, 13, 5));
        }
        vec![grid]
    }
}

/// Pegs that a click marks and another one sets into a hole, if that is its own; any other click lets go of what is marked.
/// The level is solved when two of them are in their holes.
#[derive(Default)]
pub(super) struct Pegs {
    marked: Option<usize>,
    set: [bool; 3],
}

impl Pegs {
    /// Where the pegs lie, the holes, and for each peg the hole that is its own.
    const PEGS: [(u8, u8); 3] = [(1, 1), (6, 1), (11, 1)];
    const HOLES: [(u8, u8); 4] = [(1, 6), (5, 6), (9, 6), (13, 6)];
    const OWN: [usize; 3] = [2, 0, 3];

    fn at(places: &[(u8, u8)], at: Point) -> Option<usize> {
        places.iter().position(|(x, y)| (*x..x + 2).contains(&at.x()) && (*y..y + 2).contains(&at.y()))
    }
}

impl World for Pegs {
    fn actions(&self) -> ActionSet {
        keys(&[6])
    }

    fn restart(&mut self) {
        *self = Pegs::default();
    }

    fn act(&mut self, action: Action) -> Verdict {
        let Some(at) = action.point() else { return Verdict::Goes };
        let marked = self.marked.take();
        if let Some(peg) = Pegs::at(&Pegs::PEGS, at).filter(|peg| !self.set[*peg]) {
            self.marked = Some(peg).filter(|peg| marked != Some(*peg));
        } else if let Some(peg) = marked.filter(|peg| Pegs::at(&Pegs::HOLES, at) == Some(Pegs::OWN[*peg])) {
            self.set[peg] = true;
        }
        if self.set.iter().filter(|it| **it).count() == 2 { Verdict::Solved } else { Verdict::Goes }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        let mut square = |(x, y): (u8, u8), color| (0..4).for_each(|it| dot(&mut grid, x + it % 2, y + it / 2, color));
        for hole in Pegs::HOLES {
            square(hole, 2);
        }
        for (peg, at) in Pegs::PEGS.into_iter().enumerate() {
            let color = if self.marked == Some(peg) { 10 } else { 9 };
            square(if self.set[peg] { Pegs::HOLES[Pegs::OWN[peg]] } else { at }, color);
        }
        (1..15).step_by(2).for_each(|x| dot(&mut grid, x, 12, 3 + x / 2));
        vec![grid]
    }
}

/// Six tiles, each with two marks on it, and a stone that goes from one to the next in an order of its own: a click anywhere on the
/// right tile. Any other tile flashes.
#[derive(Default)]
pub(super) struct Stones {
    at: usize,
    refused: Option<usize>,
}

impl Stones {
    const ORDER: [usize; 6] = [0, 3, 1, 4, 2, 5];

    fn corner(tile: usize) -> (u8, u8) {
        (6 * (tile % 3) as u8, 2 + 8 * (tile / 3) as u8)
    }
}

impl World for Stones {
    fn actions(&self) -> ActionSet {
        keys(&[6])
    }

    fn restart(&mut self) {
        *self = Stones::default();
    }

    fn act(&mut self, action: Action) -> Verdict {
        self.refused = None;
        let Some(point) = action.point() else { return Verdict::Goes };
        let is_on = |tile: &usize| {
            let (x, y) = Stones::corner(*tile);
            (x..x + 4).contains(&point.x()) && (y..y + 4).contains(&point.y())
        };
        match (0..6).find(is_on) {
            Some(tile) if Stones::ORDER.get(self.at + 1) == Some(&tile) => self.at += 1,
            other => self.refused = other,
        }
        if self.at + 1 == Stones::ORDER.len() { Verdict::Solved } else { Verdict::Goes }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        let fill = |grid: &mut Grid, tile: usize, color: u8| {
            let (x, y) = Stones::corner(tile);
            (0..16).for_each(|cell| dot(grid, x + cell % 4, y + cell / 4, color));
        };
        for tile in 0..6 {
            let (x, y) = Stones::corner(tile);
            fill(&mut grid, tile, 2);
            dot(&mut grid, x + 1, y + 1, 3);
            dot(&mut grid, x + 2, y + 2, 4);
        }
        let (x, y) = Stones::corner(Stones::ORDER[self.at]);
        dot(&mut grid, x + 2, y, 8);
        let mut layers = vec![grid];
        if let Some(tile) = self.refused {
            let mut flash = layers[0].clone();
            fill(&mut flash, tile, 15);
            layers.insert(0, flash);
        }
        layers
    }
}

/// A store of three balls over chutes that each drop one where they are clicked, as long as there are any, and dots that do
/// nothing. The level is solved when the balls lie as they should.
#[derive(Default)]
pub(super) struct Store {
    dropped: Vec<usize>,
}

impl Store {
    const BALLS: usize = 3;
    const WANTED: [usize; 4] = [0, 0, 1, 2];

    fn heaps(&self) -> [usize; 4] {
        [0, 1, 2, 3].map(|chute| self.dropped.iter().filter(|it| **it == chute).count())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dropped.len() == Store::BALLS
    }
}

impl World for Store {
    fn actions(&self) -> ActionSet {
        keys(&[6, 7])
    }

    fn restart(&mut self) {
        self.dropped.clear();
    }

    fn act(&mut self, action: Action) -> Verdict {
        let is_chute = |at: &Point| (1..3).contains(&(at.x() % 4)) && (3..5).contains(&at.y());
        match action.point().filter(is_chute) {
            Some(at) if !self.is_empty() => self.dropped.push(usize::from(at.x() / 4)),
            None if action == UNDO => _ = self.dropped.pop(),
            _ => {}
        }
        if self.heaps() == Store::WANTED { Verdict::Solved } else { Verdict::Goes }
    }

    fn draw(&self) -> Vec<Grid> {
        let mut grid = blank();
        (self.dropped.len()..Store::BALLS).for_each(|ball| dot(&mut grid, 2 * ball as u8, 0, 8));
        for (chute, heap) in (0..).zip(self.heaps()) {
            (0..4).for_each(|cell| dot(&mut grid, 4 * chute + 1 + cell % 2, 3 + cell / 2, 9));
            (0..heap as u8).for_each(|ball| dot(&mut grid, 4 * chute + 1, 11 - 2 * ball, 8));
        }
        (1..15).step_by(2).for_each(|x| dot(&mut grid, x, 14, 1 + x / 2));
        vec![grid]
    }
}
