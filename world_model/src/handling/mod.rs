//! Things that a click picks up, and that keys then move and turn.
//!
//! # Layout
//! - [`Handling`] (here): which piece is held, and what keys do to it.
//! - [`Piece`]: one piece, and what may be one in a frame.
//! - [`Area`]: cells as bits.
//!
//! # The one decision
//! Nobody says what a piece is, so every component that is no ground is taken for one until a click on it does nothing.
//! How a piece shows that it is held does not matter: what a key did is told by whole silhouettes, which are found again
//! elsewhere or turned. A piece of which nothing is seen to move is followed all the same, wherever others lie on it.

mod area;
mod piece;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use env_client::{Action, Grid, Key, Point};

pub use self::{
    area::Area,
    piece::{Hold, Piece},
};
use crate::{InterfaceMask, Outcome, Scene, Start, Transition, perception::Symmetry};

/// Columns and rows.
pub type Place = (i16, i16);

/// Pieces of one level, more of which are none. A guess, as are all numbers here.
const PIECES: usize = 32;
/// The furthest that a key takes a piece at once, and that a turn displaces its corner, in cells.
const STRIDE: i16 = 16;
const DISPLACED: i16 = 20;
/// Lines along the sides of a frame where a change is likely one of the interface.
const RIM: u8 = 4;
/// So many steps out of line, for each that was in it, by which nothing is handled here.
const DOUBT: u32 = 3;

/// What turns may do, likeliest first.
const TURNS: [Symmetry; 7] = [
    Symmetry::Clockwise,
    Symmetry::Counterclockwise,
    Symmetry::Half,
    Symmetry::FlipX,
    Symmetry::FlipY,
    Symmetry::Transpose,
    Symmetry::Antitranspose,
];

/// Learns how things are picked up, moved and turned.
#[derive(Clone, Debug, Default)]
pub struct Handling {
    pieces: Vec<Piece>,
    /// The pieces that obey, and whether it is seen that they do.
    held: Vec<usize>,
    shows_held: bool,
    /// How the level looks beneath the pieces, and where that was seen of those that lay there first.
    canvas: Option<Grid>,
    seen: Area,
    /// By how much keys take pieces, what keys do to them else, and keys that did nothing to a piece that was held.
    ways: Vec<(Key, Place)>,
    turns: Vec<(Key, Symmetry)>,
    idle: HashSet<Key>,
    /// Whether pieces were cut where they touch.
    are_joined: bool,
    /// Colours that let pieces in, that stopped one, and that may have, as bits; whether other pieces stop them.
    open: u16,
    solid: u16,
    suspects: u16,
    blocks: Option<bool>,
    /// Pieces that did not go on from where they were, or were not turned there.
    refused: HashSet<(usize, Area, Key)>,
    stuck: HashSet<(usize, Area)>,
    steps: u32,
    doubts: u32,
}

impl Handling {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.held.clear();
        self.refused.clear();
        self.stuck.clear();
        match start {
            Start::Level => {
                self.idle.clear();
                self.look(frame, mask);
            }
            Start::Again => self.pieces.iter_mut().for_each(|it| it.area = it.home),
        }
    }

    /// Takes a frame apart anew.
    fn look(&mut self, frame: &Grid, mask: &InterfaceMask) {
        self.pieces = piece::bodies(frame, mask, self.are_joined);
        if self.pieces.len() > PIECES {
            self.pieces.clear();
        }
        (self.canvas, self.seen) = (Some(frame.clone()), Area::EMPTY);
    }

    /// What would be pieces if they were joined where they touch, or cut there.
    pub fn otherwise(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<Piece> {
        piece::bodies(frame, mask, !self.are_joined)
    }

    /// Takes these for the pieces of the level: what was learned of one that is the same as before stays.
    pub fn take(&mut self, mut pieces: Vec<Piece>) {
        for piece in &mut pieces {
            let same = self.pieces.iter().find(|it| it.area == piece.area);
            piece.hold = same.map_or(piece.hold, |it| it.hold);
        }
        (self.pieces, self.are_joined) = (pieces, !self.are_joined);
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues) else { return };
        let Some(differences) = step.before.differences(after) else { return };
        let changed: Area = differences.filter(|at| !mask.hides(*at)).collect();
        match step.action {
            Action::Click(at) => self.click(at, step.before, &changed),
            Action::Key(key) => self.press(key, (step.before, after), &changed),
        }
        self.uncover(after);
    }

    /// Learns what lies where pieces lay.
    fn uncover(&mut self, frame: &Grid) {
        let loose = self.pieces.iter().filter(|it| it.hold == Hold::Loose);
        let covered = loose.fold(Area::EMPTY, |all, it| all.with(&it.near()));
        let bare = self.hidden().without(&covered);
        let Some(canvas) = self.canvas.as_mut().filter(|_| !bare.is_empty()) else { return };
        bare.iter().filter_map(|at| Some((at, frame.get(at)?))).for_each(|(at, color)| canvas.set(at, color));
        self.seen = self.seen.with(&bare);
    }

    /// Where nobody knows what lies beneath a piece that has not been elsewhere.
    fn hidden(&self) -> Area {
        let loose = self.pieces.iter().filter(|it| it.hold == Hold::Loose);
        loose.fold(Area::EMPTY, |all, it| all.with(&it.home)).without(&self.seen)
    }

    /// How the level looks beneath the pieces; what nobody saw is taken for background.
    pub fn canvas(&self) -> Option<Grid> {
        let mut canvas = self.canvas.clone()?;
        let background = Scene::of(&canvas).background();
        self.hidden().iter().for_each(|at| canvas.set(at, background));
        Some(canvas)
    }

    /// The piece at a cell: one that is held, or that was moved, rather than what may be none, and of those the smallest.
    pub fn piece_at(&self, at: Point) -> Option<usize> {
        let there = (0..self.pieces.len()).filter(|it| self.pieces[*it].area.contains(at));
        there.min_by_key(|it| {
            let piece = &self.pieces[*it];
            (!self.held.contains(it), piece.hold != Hold::Loose, piece.hold == Hold::Fixed, piece.area.len())
        })
    }

    fn click(&mut self, at: Point, before: &Grid, changed: &Area) {
        let was_held = std::mem::take(&mut self.held);
        let let_go = was_held.iter().fold(Area::EMPTY, |all, it| all.with(&self.pieces[*it].near()));
        let marked: Area = changed.without(&let_go).iter().filter(|it| !is_outer(*it, before)).collect();
        if !marked.is_empty() {
            self.outline(at, before, &marked);
        }
        let Some(clicked) = self.piece_at(at) else {
            if changed.common(&let_go).is_empty() {
                self.held = was_held;
            }
            return;
        };
        if !self.pieces[clicked].near().meets(changed) {
            return self.click_unmarked(clicked, was_held);
        }
        if was_held.contains(&clicked) {
            return;
        }
        let elsewhere = marked.without(&self.pieces[clicked].near());
        let is_twin = |it: &usize| {
            let piece = &self.pieces[*it];
            !was_held.contains(it) && piece.hold != Hold::Fixed && piece.near().meets(&elsewhere)
        };
        self.held = (0..self.pieces.len()).filter(|it| *it == clicked || is_twin(it)).collect();
        self.held.sort_by_key(|it| *it != clicked);
        (self.pieces[clicked].hold, self.shows_held) = (Hold::Loose, true);
    }

    /// A click on a piece showed nothing: it may be held all the same, as long as none ever showed that it is.
    fn click_unmarked(&mut self, clicked: usize, was_held: Vec<usize>) {
        if was_held.contains(&clicked) || self.shows_held {
            self.held = was_held;
        } else {
            self.held = vec![clicked];
        }
        let piece = &mut self.pieces[clicked];
        if self.shows_held && !self.held.contains(&clicked) && piece.hold == Hold::Unknown {
            piece.hold = Hold::Fixed;
        }
    }

    /// What a click marked around where it fell is a piece, whatever it was taken for before.
    fn outline(&mut self, at: Point, before: &Grid, marked: &Area) {
        let size = (before.width(), before.height());
        let Some(whole) = marked.filled(size).joined(at).filter(|it| piece::is_piece(it, size)) else { return };
        let here = self.piece_at(at);
        let is_told = here.is_some_and(|it| {
            let area = self.pieces[it].area;
            let is_around = area.is_within(&whole) && whole.is_within(&self.pieces[it].near());
            let is_spot = || whole.is_within(marked) && 2 * whole.len() < area.len();
            is_around || whole.is_within(&area) && (area.is_within(&whole.grown()) || is_spot())
        });
        if is_told || here.is_some_and(|it| self.pieces[it].hold == Hold::Loose) {
            return;
        }
        let piece = Piece::new(before, &whole);
        let replaced = self.pieces.iter_mut().filter(|it| it.hold == Hold::Unknown && it.area.meets(&whole));
        replaced.for_each(|it| it.hold = Hold::Fixed);
        self.pieces.push(piece);
    }

    fn press(&mut self, key: Key, frames: (&Grid, &Grid), changed: &Area) {
        let near = self.held.iter().fold(Area::EMPTY, |all, it| all.with(&self.pieces[*it].near()));
        if changed.iter().all(|at| is_outer(at, frames.0) && !near.contains(at)) {
            return self.refuse(key);
        }
        if let Some((moved, by)) = self.moved(key, frames, changed) {
            return self.move_on(key, &moved, by);
        }
        if self.way(key).is_none() && self.turn(key, frames, changed) {
            return;
        }
        self.doubts += 1;
        self.held.clear();
    }

    /// The pieces that a key took on, and by how much: those that are held or else any one.
    fn moved(&self, key: Key, frames: (&Grid, &Grid), changed: &Area) -> Option<(Vec<usize>, Place)> {
        let known = self.way(key);
        let far = (1..=STRIDE).flat_map(|by| [(by, 0), (-by, 0), (0, by), (0, -by)]);
        let ways: Vec<Place> = if known.is_some() { known.into_iter().collect() } else { far.collect() };
        let moved = |among: &[usize], by: Place| -> Vec<usize> {
            let is_expected = |it: usize| known.is_some() && self.held.contains(&it);
            let has_moved = |it: &usize| self.pieces[*it].has_moved(frames, (by, is_expected(*it)), changed);
            among.iter().copied().filter(has_moved).collect()
        };
        let all: Vec<usize> = (0..self.pieces.len()).filter(|it| !self.held.contains(it)).collect();
        let by_held = ways.iter().map(|by| (moved(&self.held, *by), *by)).find(|it| !it.0.is_empty());
        by_held.or_else(|| ways.iter().map(|by| (moved(&all, *by), *by)).find(|it| it.0.len() == 1))
    }

    fn move_on(&mut self, key: Key, moved: &[usize], by: Place) {
        if self.way(key).is_none() {
            self.ways.push((key, by));
        }
        for piece in moved.iter().copied() {
            let from = self.pieces[piece].area;
            let Some(to) = from.shifted(by) else { continue };
            let others = self.others(piece, moved);
            let met = to.without(&from);
            self.open |= self.colors(&met.without(&others));
            if met.meets(&others) {
                self.blocks = Some(false);
            }
            let it = &mut self.pieces[piece];
            (it.area, it.hold) = (to, Hold::Loose);
        }
        self.solid &= !self.open;
        self.suspects &= !self.open;
        self.steps += u32::from(moved.iter().any(|it| self.held.contains(it)));
        if !moved.iter().any(|it| self.held.contains(it)) {
            self.held = moved.to_vec();
        }
    }

    /// A key did nothing.
    fn refuse(&mut self, key: Key) {
        let [piece] = self.held[..] else { return };
        if !self.shows_held && self.steps == 0 {
            self.pieces[piece].hold = Hold::Fixed;
            return self.held.clear();
        }
        let Some(by) = self.way(key) else {
            if self.turns.iter().any(|it| it.0 == key) {
                self.refuse_turn(piece);
            } else {
                self.idle.insert(key);
            }
            return;
        };
        let from = self.pieces[piece].area;
        self.refused.insert((piece, from, key));
        let Some(met) = from.shifted(by).map(|to| to.without(&from)) else { return };
        let others = self.others(piece, &[piece]);
        let suspects = self.colors(&met.without(&others)) & !self.open;
        match suspects.count_ones() {
            0 if met.meets(&others) => self.blocks = Some(true),
            1 if !met.meets(&others) => self.solid |= suspects,
            _ => self.suspect(&met.without(&others), suspects),
        }
    }

    /// Something of these colours stopped a piece: what may be a piece itself, or else all that has them.
    fn suspect(&mut self, met: &Area, colors: u16) {
        let Some(canvas) = &self.canvas else { return };
        let is_odd = |at: &Point| canvas.get(*at).is_some_and(|color| colors >> color.index() & 1 == 1);
        let odd: Area = met.iter().filter(is_odd).collect();
        let may_be = |it: &&mut Piece| it.hold == Hold::Unknown && odd.is_within(&it.area);
        match self.pieces.iter_mut().filter(may_be).min_by_key(|it| it.area.len()) {
            Some(piece) => piece.stops = true,
            None => self.suspects |= colors,
        }
    }

    /// A piece was not turned: where it has room for that, it never is.
    fn refuse_turn(&mut self, piece: usize) {
        let area = self.pieces[piece].area;
        if self.is_roomy(&area, &self.walls(piece, true)) {
            self.pieces[piece].turns.get_or_insert(false);
        }
        self.stuck.insert((piece, area));
    }

    /// Whether a piece was not turned where it lies.
    pub fn is_stuck(&self, piece: usize, area: &Area) -> bool {
        self.stuck.contains(&(piece, *area))
    }

    /// Whether there is room around a piece for it to be turned about any part of it.
    pub fn is_roomy(&self, area: &Area, walls: &Area) -> bool {
        let Some(((left, top), (right, bottom))) = area.corners() else { return false };
        let far = (right - left).max(bottom - top);
        let Some(canvas) = &self.canvas else { return false };
        let (width, height) = (i16::from(canvas.width()), i16::from(canvas.height()));
        let is_inside = left >= far && top >= far && right + far < width && bottom + far < height;
        let is_near = |at: Point| {
            let (x, y) = (i16::from(at.x()), i16::from(at.y()));
            (left - far..=right + far).contains(&x) && (top - far..=bottom + far).contains(&y)
        };
        is_inside && !walls.iter().any(is_near)
    }

    /// A key may have turned what is held; whether it did.
    fn turn(&mut self, key: Key, (before, after): (&Grid, &Grid), changed: &Area) -> bool {
        let known = self.turns.iter().find(|it| it.0 == key).map(|it| it.1);
        let symmetries: Vec<Symmetry> = known.map_or_else(|| TURNS.to_vec(), |it| vec![it]);
        let [piece] = self.held[..] else { return false };
        let area = self.pieces[piece].area;
        let inner: Area = changed.iter().filter(|at| !is_outer(*at, before)).collect();
        let fits = |to: &Area| {
            let other = area.without(to).with(&to.without(&area));
            inner.is_within(&area.with(to).grown()) && 8 * other.common(changed).len() >= 7 * other.len()
        };
        let mut best: Option<(u32, Symmetry, Area)> = None;
        for symmetry in symmetries {
            for to in laid(&area, symmetry).filter(fits) {
                let alike = alike((before, &area), (after, &to), symmetry);
                if best.as_ref().is_none_or(|it| alike > it.0) {
                    best = Some((alike, symmetry, to));
                }
            }
        }
        let Some((_, symmetry, to)) = best.filter(|it| 2 * it.0 >= area.len()) else { return false };
        if known.is_none() {
            self.turns.push((key, symmetry));
        }
        let it = &mut self.pieces[piece];
        (it.area, it.hold, it.turns) = (to, Hold::Loose, Some(true));
        true
    }

    /// The colours of the level at some cells, as bits, as far as that was seen.
    fn colors(&self, cells: &Area) -> u16 {
        let Some(canvas) = &self.canvas else { return 0 };
        let bare = cells.without(&self.hidden());
        bare.iter().filter_map(|at| canvas.get(at)).fold(0, |all, color| all | 1 << color.index())
    }

    /// Where pieces lie that can be moved, without some.
    fn others(&self, piece: usize, without: &[usize]) -> Area {
        let all = self.pieces.iter().enumerate();
        let is_there = |it: &Piece| it.hold == Hold::Loose || it.stops;
        let others = all.filter(|(index, it)| *index != piece && !without.contains(index) && is_there(it));
        others.fold(Area::EMPTY, |all, (_, it)| all.with(&it.area))
    }

    /// Everything in a level that may be a piece.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The pieces that obey now, the clicked one first.
    pub fn held(&self) -> &[usize] {
        &self.held
    }

    /// By how much a key takes pieces.
    pub fn way(&self, key: Key) -> Option<Place> {
        self.ways.iter().find(|it| it.0 == key).map(|it| it.1)
    }

    /// By how much keys take pieces.
    pub fn ways(&self) -> &[(Key, Place)] {
        &self.ways
    }

    /// What keys do to pieces but move them.
    pub fn turns(&self) -> &[(Key, Symmetry)] {
        &self.turns
    }

    /// Whether a key did nothing to a piece that was held, and never anything.
    pub fn is_idle(&self, key: Key) -> bool {
        self.idle.contains(&key) && self.way(key).is_none() && self.turns.iter().all(|it| it.0 != key)
    }

    /// Where a piece gets from a place by a key that takes it so far; where it is if something is in the way.
    pub fn passes(&self, piece: usize, from: &Area, (key, by): (Key, Place), walls: &Area) -> Area {
        let to = from.shifted(by).filter(|to| !to.meets(walls));
        to.filter(|_| !self.refused.contains(&(piece, *from, key))).unwrap_or(*from)
    }

    /// Where a piece cannot go: what stopped one, and other pieces if they stop each other. `is_timid`: also where that is not
    /// known.
    pub fn walls(&self, piece: usize, is_timid: bool) -> Area {
        let Some(canvas) = &self.canvas else { return Area::EMPTY };
        let stopping = if is_timid { self.solid | self.suspects } else { self.solid };
        let solid = Area::of_colors(canvas, |color| stopping >> color.index() & 1 == 1);
        let solid = solid.without(&self.hidden());
        let stops = self.blocks.unwrap_or(is_timid);
        if stops { solid.with(&self.others(piece, &[piece])) } else { solid }
    }

    /// Whether pieces stop each other, once that is known.
    pub fn blocks(&self) -> Option<bool> {
        self.blocks
    }

    /// Whether a piece that a click picked was then moved by a key, and hardly anything else happened.
    pub fn is_understood(&self) -> bool {
        self.steps > 0 && self.doubts < DOUBT * self.steps
    }

    /// Whether too much happened that is not understood.
    pub fn is_doubtful(&self) -> bool {
        self.doubts >= DOUBT * (1 + self.steps)
    }
}

/// An area turned, wherever it may come to lie.
fn laid(area: &Area, symmetry: Symmetry) -> impl Iterator<Item = Area> {
    let turned = area.turned(symmetry).into_iter();
    turned.flat_map(|it| {
        let offsets = (-DISPLACED..=DISPLACED).flat_map(|y| (-DISPLACED..=DISPLACED).map(move |x| (x, y)));
        offsets.filter_map(move |by| it.shifted(by))
    })
}

/// How many cells of an area look after it was turned as they did before.
fn alike((before, area): (&Grid, &Area), (after, to): (&Grid, &Area), symmetry: Symmetry) -> u32 {
    let Some(((from, end), corner)) = area.corners().zip(Some(to.corner())) else { return 0 };
    let size = ((end.0 - from.0 + 1) as u8, (end.1 - from.1 + 1) as u8);
    let is_alike = |at: &Point| {
        let (x, y) = symmetry.apply((at.x() - from.0 as u8, at.y() - from.1 as u8), size);
        let to = Point::new(corner.0 + i16::from(x), corner.1 + i16::from(y));
        to.ok().and_then(|to| after.get(to)) == before.get(*at)
    };
    area.iter().filter(is_alike).count() as u32
}

/// Whether a cell is in the lines along the sides of a frame.
fn is_outer(at: Point, frame: &Grid) -> bool {
    let near = |at: u8, size: u8| at < RIM || at + RIM >= size;
    near(at.x(), frame.width()) || near(at.y(), frame.height())
}
