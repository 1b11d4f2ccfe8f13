//! Boards that keys tilt: every tile slides that way until the rim, a fixed thing or another tile stops it, and two alike that
//! meet may become one.
//!
//! # Layout
//! - [`Tilts`]: watches keys, and says what a tilt comes to. Start here.
//! - `faces`: pictures by number, and lattices on which few of them change; `board`: seats, and what stands on them.
//! - `law`: what a tilt makes of the seats in a line, and which way each key tilts.
//! - `fit`: which pictures are tiles and which are ground.
//!
//! # The one decision
//! Nothing is supposed of how tiles look: every lattice on which few pictures change is tried, the largest first, and what
//! reproduces the newest presses of the level one and all is taken for the game. It speaks once that was said of several moves in
//! which more than one tile went, and one of them further than a step: what steps is known to the rules. The price is
//! that a single press which is told wrong has it say nothing until that is forgotten.

mod board;
mod faces;
mod fit;
mod law;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use env_client::{Action, Color, Grid, Key, Point};

use self::{
    board::{Board, Role},
    faces::lattices,
    fit::{Fit, Lore, fit},
    law::Record,
};
use crate::{Bounds, InterfaceMask, Scene, Start, Transition, perception::Lattice};

/// What stands on a seat, by number: equal for what looks alike.
pub type Kind = u16;

/// Nothing stands there.
pub const BARE: Kind = 0;

/// This is no seat.
pub const WALL: Kind = Kind::MAX;

/// What stands on every seat.
pub type Stand = Vec<Kind>;

/// Moves that must be reproduced before anything is foreseen.
const PROVEN: usize = 3;
/// Tiles that must have moved at once, and seats that one must have gone.
const TOGETHER: usize = 2;
const FAR: usize = 2;
/// Presses that are kept: what they say has to be told. A guess.
const PRESSES: usize = 10;
/// Cells along the side of a tile up to which it has no rim. A guess.
const NARROW: u8 = 3;
/// So many more of the cells that change lie on a board than beside it. A guess.
const MOSTLY: usize = 3;
/// Presses in one level after which no lattice is looked for any more, and levels without any. Guesses.
const TRIES: u32 = 8;
const LEVELS: u32 = 2;

/// A press, and the frames before and after it.
#[derive(Clone, Debug)]
struct Press {
    key: Key,
    before: Grid,
    after: Grid,
}

impl Press {
    /// Whether most of what changed lies on the seats of a board: it is all of the game but for the interface.
    fn lies_on(&self, board: &Board, mask: &InterfaceMask) -> bool {
        let changed = self.before.differences(&self.after).into_iter().flatten().filter(|at| !mask.hides(*at));
        let (own, others): (Vec<Point>, Vec<Point>) = changed.partition(|at| board.holds(*at));
        own.len() >= MOSTLY * others.len()
    }
}

/// Learns how keys tilt a board.
#[derive(Clone, Debug, Default)]
pub struct Tilts {
    lore: Lore,
    /// The seats of this level, as long as all newest presses are reproduced on them.
    board: Option<Board>,
    presses: VecDeque<Press>,
    now: Option<Grid>,
    stand: Stand,
    is_proven: bool,
    lessons: u32,
    tries: u32,
    /// Levels in which no lattice was found.
    barren: u32,
}

impl Tilts {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, start: Start) {
        if start == Start::Level {
            self.barren += u32::from(!self.is_proven && self.tries >= TRIES);
            self.tries = 0;
            self.presses.clear();
            self.board = if self.is_proven { again(frame, &self.lore) } else { None };
            self.lessons += 1;
        }
        self.see(frame);
    }

    /// Takes in what stands on the seats.
    fn see(&mut self, frame: &Grid) {
        self.now = Some(frame.clone());
        let Some(board) = &self.board else { return };
        let map = self.lore.faces.meet(frame, board.lattice);
        self.stand = board.read(&map, &self.lore.faces, &self.lore.roles);
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        if let Action::Key(key) = step.action
            && key.opposite().is_some()
        {
            self.presses.push_back(Press { key, before: step.before.clone(), after: after.clone() });
            if self.presses.len() > PRESSES {
                self.presses.pop_front();
            }
            self.learn(mask);
        }
        self.see(after);
    }

    fn learn(&mut self, mask: &InterfaceMask) {
        let presses = self.presses.make_contiguous();
        let is_told = |it: &Fit| it.record.wrong == 0;
        let is_proof = |Record { together, far, .. }| self.is_proven || together >= TOGETHER && far >= FAR;
        let is_found = self.board.is_some();
        let known = self.board.as_ref().and_then(|it| fit(it.lattice, presses, &self.lore)).filter(is_told);
        let found = known.or_else(|| {
            let changed = presses.iter().filter(|it| it.before != it.after).count();
            if changed < PROVEN || !self.is_proven && (self.tries >= TRIES || self.barren >= LEVELS) {
                return None;
            }
            self.tries += 1;
            let blank = Lore { law: self.lore.law.without_kinds(), ..Lore::default() };
            let all = lattices(presses.iter(), mask).into_iter().flat_map(|lattice| {
                let known = (lattice.scale == self.lore.scale).then(|| fit(lattice, presses, &self.lore));
                [known.flatten(), fit(lattice, presses, &blank)]
            });
            let covers = |it: &Fit| presses.iter().all(|press| press.lies_on(&it.board, mask));
            let largest = all.flatten().find(|it| is_told(it) && it.record.right >= PROVEN && covers(it));
            largest.filter(|it| is_proof(it.record))
        });
        let Some(Fit { board, lore, .. }) = found else {
            self.lessons += u32::from(is_found);
            self.board = None;
            return;
        };
        let is_news = self.board.as_ref() != Some(&board) || lore.law != self.lore.law || !self.is_proven;
        self.is_proven = true;
        self.lessons += u32::from(is_news);
        (self.board, self.lore) = (Some(board), lore);
    }

    /// Whether what comes of a tilt is known in this level.
    pub fn is_fitted(&self) -> bool {
        self.is_proven && self.board.is_some()
    }

    /// Changes with everything that is learned.
    pub fn lessons(&self) -> u32 {
        self.lessons
    }

    /// What stands on every seat.
    pub fn stand(&self) -> &[Kind] {
        &self.stand
    }

    /// What a key makes of all that stands there; `None` where that is not known.
    pub fn after(&self, stand: &[Kind], key: Key) -> Option<Stand> {
        let board = self.board.as_ref().filter(|_| self.is_fitted())?;
        self.lore.law.after(board, stand, key)
    }

    /// Whether two alike were seen to become something else.
    pub fn fuses(&self) -> bool {
        self.lore.law.fuses()
    }

    /// Whether new tiles come up after every move.
    pub fn brings(&self) -> bool {
        self.lore.law.brings()
    }

    /// The newest frame with the tiles otherwise; `None` where one of them was never seen.
    pub fn painted(&self, stand: &[Kind]) -> Option<Grid> {
        self.board.as_ref()?.painted(self.now.as_ref()?, &self.lore.faces, stand)
    }

    /// Seats that look unlike most while nothing stands on them, each with the colour that it differs by.
    pub fn marks(&self) -> Vec<(usize, Color)> {
        let odd = self.board.iter().flat_map(|board| board.odd().map(|it| (it, board.plain)));
        odd.filter_map(|((seat, ground), plain)| Some((seat, self.lore.faces.color(ground, plain)?))).collect()
    }

    /// Whether a tile shows a colour where it is unlike the ground.
    pub fn shows(&self, kind: Kind, color: Color) -> bool {
        self.lore.plain.is_some_and(|plain| self.lore.faces.shows(kind, plain, color))
    }

    /// Tiles that are drawn beside the board as well.
    pub fn drawn(&self) -> Vec<Kind> {
        let Some((board, now)) = self.board.as_ref().zip(self.now.as_ref()) else { return Vec::new() };
        let scene = Scene::of(now);
        let tiles = self.lore.roles.iter().filter(|it| *it.1 == Role::Tile).map(|it| *it.0);
        tiles.filter(|kind| self.is_drawn(*kind, board, now, &scene)).collect()
    }

    /// Whether a tile is drawn beside the board, but for its rim.
    fn is_drawn(&self, kind: Kind, board: &Board, now: &Grid, scene: &Scene) -> bool {
        let faces = &self.lore.faces;
        let Some((picture, plain)) = faces.picture(kind).zip(faces.picture(board.plain)) else { return false };
        let side = board.lattice.scale;
        let places = (0..side).flat_map(|y| (0..side).filter_map(move |x| Point::new(x, y).ok()));
        let unlike = places.zip(picture.iter().zip(plain)).filter(|(_, (a, b))| a != b).map(|it| it.0);
        let Some(whole) = Bounds::around(unlike) else { return false };
        let is_wide = whole.width().min(whole.height()) > NARROW;
        let inner = is_wide.then(|| {
            let (right, bottom) = (whole.right - 1, whole.bottom - 1);
            Bounds { left: whole.left + 1, top: whole.top + 1, right, bottom }
        });
        let color = |it: Point| picture[usize::from(it.y()) * usize::from(side) + usize::from(it.x())];
        inner.into_iter().chain([whole]).any(|part| {
            let cells: Vec<(Point, Color)> = part.points().map(|it| (it, color(it))).collect();
            let is_one = cells.iter().all(|it| it.1 == cells[0].1);
            now.points().filter(|at| now.get(*at) == Some(cells[0].1)).any(|corner| {
                let shifted =
                    |it: Point| Point::new(corner.x() + it.x() - part.left, corner.y() + it.y() - part.top).ok();
                let is_seen = |(it, color): &(Point, Color)| {
                    shifted(*it).is_some_and(|at| !board.holds(at) && now.get(at) == Some(*color))
                };
                let extent = (part.width(), part.height());
                cells.iter().all(is_seen) && (!is_one || ends(scene, corner, extent))
            })
        })
    }
}

/// Whether what has its corner there is no larger than this: where it has one colour, nothing else tells its size.
fn ends(scene: &Scene, corner: Point, (width, height): (u8, u8)) -> bool {
    let it = scene.component_at(corner).map(|it| scene.components()[it].bounds);
    it.is_some_and(|it| (it.left, it.top, it.width(), it.height()) == (corner.x(), corner.y(), width, height))
}

/// The seats of a level in which the pictures of another one are seen again: where most of them are.
fn again(frame: &Grid, lore: &Lore) -> Option<Board> {
    let (scale, plain) = (lore.scale, lore.plain?);
    let starts = (0..scale).flat_map(|top| (0..scale).map(move |left| Lattice { scale, left, top }));
    let counted = starts.map(|lattice| {
        let map = lore.faces.read(frame, lattice);
        let roles: Vec<Option<Role>> = map.into_iter().map(|kind| lore.roles.get(&kind?).copied()).collect();
        let tiles = roles.iter().filter(|it| **it == Some(Role::Tile)).count();
        (tiles, roles.iter().flatten().count(), lattice)
    });
    let (_, _, lattice) = counted.max_by_key(|it| (it.0, it.1)).filter(|it| it.0 >= TOGETHER)?;
    let map = lore.faces.read(frame, lattice);
    let all: Vec<(Option<Kind>, bool)> = map
        .into_iter()
        .map(|kind| match kind.and_then(|kind| Some((kind, lore.roles.get(&kind)?))) {
            Some((kind, Role::Ground)) => (Some(kind), false),
            Some((_, Role::Tile)) => (Some(plain), true),
            None => (None, false),
        })
        .collect();
    Board::lay(lattice, plain, usize::from(lattice.size(frame.width(), frame.height()).0), &all)
}
