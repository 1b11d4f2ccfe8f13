//! Buttons that move on what lies in slots: closed tracks, dials, shift registers.
//!
//! - [`Tracks`]: watches presses, and says what a press would lead to. Start here.
//! - [`Turn`]: where everything comes from when a button is pressed.
//! - `loops`: closed tracks that slots could lie on.
//! - `beds`: what lies beneath what moves.
//! - `kinds`: what buttons of one look do, in all levels.
//!
//! A press that only moves colours around between slots is a permutation. Slots of one colour cannot be told apart, so where
//! each colour came from is a guess: beat by beat, as its animation shows it, the turn along one closed track that explains
//! every press; or else the nearest slot that was of this colour in every press seen, no slot twice. A guess that fails is a
//! press more to learn from.

mod beds;
mod kinds;
mod loops;
mod turn;

use std::collections::BTreeSet;

use env_client::{Action, Color, Grid, Point};

pub use self::turn::Turn;
use self::{
    beds::Beds,
    kinds::{Kinds, Look},
    loops::{Loops, Moved, Spin},
    turn::moved,
};
use crate::{
    Bounds, InterfaceMask, Scene, Start, Transition,
    cells::{Board, inner_drawings},
};

/// The shortest side of a slot: a single cell could be anything.
const SMALLEST: u8 = 2;
/// Slots that must change for a first press to count, or for the first two of one thing together: two could be anything, until
/// there was a button.
const MOVED: usize = 3;
const MOVED_AGAIN: usize = 2;
/// The share of slots, in percent, that two buttons of one track move both (measured on public games).
const SHARED: usize = 70;
/// Presses of one button that are kept.
const PRESSES: usize = 8;

/// The colours of all slots.
type Colors = Vec<Color>;

/// The slots before a press, and in each layer of what was shown after it.
type Press = Vec<Colors>;

/// A button, by the bounds of what was clicked.
#[derive(Clone, Debug)]
struct Button {
    at: Point,
    bounds: Bounds,
    presses: Vec<Press>,
    turn: Option<Turn>,
}

/// A button that was not pressed yet in this level, and what it should do.
#[derive(Clone, Debug)]
struct Guess {
    bounds: Bounds,
    turn: Turn,
}

impl Button {
    /// What changed from before each press to after it.
    fn wholes(&self) -> Vec<(Colors, Colors)> {
        let ends = |press: &Press| Some((press.first()?.clone(), press.last()?.clone()));
        self.presses.iter().filter_map(ends).collect()
    }

    /// What changed in each beat of its animation, where all presses have equally many and each only moves colours around; a
    /// press as a whole otherwise.
    fn beats(&self) -> Vec<Vec<Moved<'_>>> {
        let count = self.presses.first().map_or(0, Vec::len);
        let beat = |at: usize| -> Vec<Moved<'_>> { self.presses.iter().map(|it| (&it[at], &it[at + 1])).collect() };
        if self.presses.iter().all(|it| it.len() == count) {
            let beats: Vec<_> = (0..count.saturating_sub(1)).map(beat).collect();
            if beats.iter().flatten().all(|(before, after)| is_permutation(before, after, 0)) {
                return beats;
            }
        }
        vec![self.presses.iter().filter_map(|press| press.first().zip(press.last())).collect()]
    }

    /// What it does along closed tracks, if that explains every beat; as a whole, and track by track.
    fn along(&self, loops: &Loops) -> Option<(Turn, Vec<Spin>)> {
        let mut beats = self.beats();
        beats.retain(|beat| beat.iter().any(|(before, after)| before != after));
        let fits: Option<Vec<(Turn, Spin)>> = beats.iter().map(|beat| loops.fit(beat, &beats, self.at)).collect();
        let (turns, spins): (Vec<Turn>, Vec<Spin>) = fits?.into_iter().unzip();
        Some((turns.into_iter().reduce(|first, next| first.then(&next))?, spins))
    }
}

/// Learns what buttons do to slots.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    first: Option<Grid>,
    board: Option<Board>,
    /// The colours that frame each slot in any frame so far, as sets of indices: what lies on a slot may hide its frame.
    frames: Vec<u16>,
    /// The pixels of a slot's room that what lies in it is drawn with, from its corner: those that a press changed.
    ink: BTreeSet<(u8, u8)>,
    /// What lies beneath that.
    beds: Beds,
    /// Where the board has a cell, or something changed when a button was pressed: what lies on a slot may hide it at first.
    slots: Vec<bool>,
    /// The tracks that they could lie on, if there is a button.
    loops: Loops,
    buttons: Vec<Button>,
    /// What things should do that look like buttons of earlier presses.
    guesses: Vec<Guess>,
    /// The last press that may have been one of a button, but changed two slots only, and what was pressed.
    hint: Option<(Bounds, Press)>,
    kinds: Kinds,
    /// The colours of the slots in each drawing beside them.
    drawings: Vec<Vec<Color>>,
    /// Whether there was a button in any level.
    has_buttons: bool,
}

impl Tracks {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.first = Some(frame.clone());
            self.buttons.clear();
            self.hint = None;
            let known = self.board.take();
            self.board = Board::families(frame, mask, SMALLEST).into_iter().max_by_key(Board::len);
            self.frames = self.board.as_ref().map_or_else(Vec::new, |board| frames(board, frame));
            let drawn = |board: &Board| inner_drawings(board, frame, mask, &board.middles(frame));
            self.drawings = self.board.as_ref().map_or_else(Vec::new, drawn);
            self.slots.clear();
            self.loops = Loops::default();
            self.guess(frame);
            let is_like = known.zip(self.board.as_ref()).is_some_and(|(known, board)| known.is_like(board));
            if is_like && !self.guesses.is_empty() {
                self.beds.begin();
            } else {
                self.ink.clear();
                self.beds = Beds::default();
            }
        }
    }

    /// Looks for buttons in a level's first frame that look like known ones, and for the tracks that they should turn. Places
    /// where anything is drawn are taken for slots, if most of those are seen to be.
    fn guess(&mut self, frame: &Grid) {
        self.guesses.clear();
        let Some(board) = &self.board else { return };
        let found = self.kinds.find(board, frame);
        if found.is_empty() {
            return;
        }
        let is_drawn = |slot: usize| {
            let mut colors = board.room(slot).points().map(|at| frame.get(at));
            let first = colors.next();
            colors.any(|color| Some(color) != first)
        };
        let is_button = |slot: usize| found.iter().any(|(bounds, _)| bounds.overlap(board.room(slot)) > 0);
        let seen: Vec<bool> = (0..board.len()).map(|slot| board.has(slot)).collect();
        let more: Vec<bool> = (0..board.len()).map(|slot| seen[slot] || (is_drawn(slot) && !is_button(slot))).collect();
        let count = |slots: &[bool]| slots.iter().filter(|it| **it).count();
        self.slots = if count(&more) <= 2 * count(&seen) { more } else { seen };
        self.loops = Loops::of(board, &self.slots, frame);
        let guess = |(bounds, spins): (Bounds, Vec<Spin>)| {
            let turns: Option<Vec<Turn>> = spins.into_iter().map(|spin| self.loops.turn(spin)).collect();
            let turn = turns?.into_iter().reduce(|first, next| first.then(&next))?;
            Some(Guess { bounds, turn })
        };
        self.guesses = found.into_iter().filter_map(guess).collect();
    }

    /// What a button should do that was not pressed yet in this level.
    fn guess_at(&self, at: Point) -> Option<&Guess> {
        self.guesses.iter().find(|it| it.bounds.contains(at.x(), at.y()))
    }

    /// Learns from one action; only clicks matter.
    pub fn observe(&mut self, step: &Transition<'_>) {
        let (Action::Click(at), Some(after)) = (step.action, step.after()) else { return };
        let shown = std::iter::once(step.before).chain(step.layers);
        let press = self.board.as_ref().map(|board| shown.map(|frame| board.middles(frame)).collect::<Press>());
        let Some(press) = press else { return };
        let scene = Scene::of(step.before);
        let middles = (press[0].clone(), press[press.len() - 1].clone());
        let Some(index) = self.admit((at, press), &scene, (step.before, after)) else { return };
        let Some(board) = &self.board else { return };
        self.ink.extend(ink(board, step.before, after));
        self.frames.iter_mut().zip(frames(board, after)).for_each(|(known, seen)| *known |= seen);
        let changes =
            |slot: usize| self.buttons.iter().flat_map(|it| &it.presses).any(|press| has_changed(press, slot));
        let was = |slot: usize| self.slots.get(slot).copied().unwrap_or_default();
        let slots: Vec<bool> = (0..board.len()).map(|slot| was(slot) || board.has(slot) || changes(slot)).collect();
        if let Some(first) = self.first.as_ref().filter(|_| slots != self.slots) {
            self.loops = Loops::of(board, &slots, first);
            self.slots = slots;
        }
        let along: Vec<Option<(Turn, Vec<Spin>)>> = self.buttons.iter().map(|it| it.along(&self.loops)).collect();
        let look = kinds::place(board, &scene, at).and_then(|it| Look::of(step.before, it));
        if let Some((look, (_, spins))) = look.zip(along[index].as_ref()) {
            self.kinds.learn(look, spins);
        }
        let turns: Vec<Option<Turn>> =
            along.into_iter().enumerate().map(|(index, it)| self.turn(index, it, board)).collect();
        self.buttons.iter_mut().zip(turns).for_each(|(button, turn)| button.turn = turn);
        if let Some(turn) = self.buttons[index].turn.as_ref().filter(|turn| turn.leads(&middles.0, &middles.1)) {
            self.beds.learn(board, turn, &self.ink, (step.before, after));
        }
    }

    /// The button that a press may have been one of, which keeps it; `None` where it was something else, or the first of a thing that
    /// changed but two slots.
    fn admit(&mut self, (at, press): (Point, Press), scene: &Scene, (before, after): (&Grid, &Grid)) -> Option<usize> {
        let known = self.buttons.iter().position(|it| it.bounds.contains(at.x(), at.y()));
        if !is_permutation(&press[0], &press[press.len() - 1], if known.is_some() { 0 } else { MOVED_AGAIN }) {
            return None;
        }
        let bounds = scene.components()[scene.component_at(at)?].bounds;
        if changes_around(bounds, before, after) {
            return None;
        }
        let mut earlier = None;
        if known.is_none() && !self.has_buttons {
            earlier = self.hint.take().filter(|it| it.0 == bounds).map(|it| it.1);
            if moved_by(earlier.iter().chain([&press])) < MOVED {
                self.hint = Some((bounds, press));
                return None;
            }
        }
        let index = known.unwrap_or_else(|| {
            self.has_buttons = true;
            self.buttons.push(Button { at, bounds, presses: earlier.into_iter().collect(), turn: None });
            self.buttons.len() - 1
        });
        let presses = &mut self.buttons[index].presses;
        if presses.len() == PRESSES {
            presses.remove(0);
        }
        presses.push(press);
        Some(index)
    }

    /// What a button does: what one of its look did, if that explains its presses; or the turn along closed tracks, or else where
    /// the nearest come from. One that moves mostly the same slots may turn them back: its presses count the other way round, as
    /// long as all presses can be explained by one turn.
    fn turn(&self, index: usize, along: Option<(Turn, Vec<Spin>)>, board: &Board) -> Option<Turn> {
        let distance = |a: usize, b: usize| board.distance(a, b);
        let mut presses = self.buttons[index].wholes();
        let explains = |turn: &Turn| presses.iter().all(|(before, after)| turn.leads(before, after));
        if let Some(guess) = self.guess_at(self.buttons[index].at).filter(|it| explains(&it.turn)) {
            return Some(guess.turn.clone());
        }
        if let Some((turn, _)) = along {
            return Some(turn);
        }
        let mut turn = Turn::of(&presses, distance);
        let slots = moved(&presses);
        for (_, other) in self.buttons.iter().enumerate().filter(|(other, _)| *other != index) {
            let wholes = other.wholes();
            let shared = moved(&wholes).iter().filter(|slot| slots.contains(slot)).count();
            if shared * 100 < slots.len() * SHARED {
                continue;
            }
            let back = wholes.into_iter().map(|(before, after)| (after, before));
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

    /// The buttons of which nobody knows yet what they do, or it is a guess, and how often they were pressed.
    pub fn doubtful(&self) -> impl Iterator<Item = (Point, usize)> {
        let doubtful = self.buttons.iter().filter(|it| it.turn.as_ref().is_none_or(Turn::is_doubtful));
        doubtful.map(|it| (it.at, it.presses.len()))
    }

    /// Whether a button is drawn in the same place of the slots' lattice: this is another part of it then.
    pub fn has_button_at(&self, at: Point) -> bool {
        self.board.as_ref().is_some_and(|board| self.buttons.iter().any(|it| board.is_one_place(it.at, at)))
    }

    /// What the button to be clicked here does.
    pub fn turn_at(&self, at: Point) -> Option<&Turn> {
        self.buttons.iter().find(|it| it.at == at)?.turn.as_ref()
    }

    /// The button at a point, whatever part of it lies there, or of a picture of several parts in one place of the slots'
    /// lattice.
    fn button_at(&self, board: &Board, at: Point) -> Option<&Button> {
        let pressed = self.buttons.iter().find(|it| it.bounds.contains(at.x(), at.y()));
        pressed.or_else(|| self.buttons.iter().find(|it| board.is_one_place(it.at, at)))
    }

    /// Whether what a click at this point does is only known from another button of its look.
    pub fn is_guess(&self, at: Point) -> bool {
        self.board.as_ref().is_some_and(|board| self.button_at(board, at).is_none()) && self.guess_at(at).is_some()
    }

    /// The frame after a click at this point; `None` where nobody knows.
    pub fn foresee(&self, frame: &Grid, at: Point) -> Option<Grid> {
        let board = self.board.as_ref()?;
        let turn = match self.button_at(board, at) {
            Some(button) => button.turn.as_ref()?,
            None => &self.guess_at(at)?.turn,
        };
        let mut next = frame.clone();
        for (to, from) in turn.sources() {
            let room = board.room(to);
            let all = room.points().map(|it| (it.x() - room.left, it.y() - room.top)).filter(|_| self.ink.is_empty());
            for pixel in self.ink.iter().copied().chain(all) {
                let place = Point::new(room.left + pixel.0, room.top + pixel.1);
                let ground = |slot: usize| self.frames[slot];
                if let (Ok(place), Some(color)) = (place, self.beds.after(board, frame, (to, from), (pixel, &ground))) {
                    next.set(place, color);
                }
            }
        }
        Some(next)
    }

    /// The colours of the slots as drawings beside them show them, each of them a way that they may be meant to lie.
    pub fn drawings(&self) -> &[Vec<Color>] {
        &self.drawings
    }

    /// The colours of the slots in a frame.
    pub fn read(&self, frame: &Grid) -> Option<Vec<Color>> {
        Some(self.board.as_ref()?.middles(frame))
    }

    /// The colours that frame each slot, as sets of indices.
    pub fn frames(&self) -> &[u16] {
        &self.frames
    }

    /// The frame with these colours in the middle of the slots.
    pub fn draw(&self, frame: &Grid, colors: &[Color]) -> Option<Grid> {
        let (board, mut drawn) = (self.board.as_ref()?, frame.clone());
        colors.iter().enumerate().for_each(|(slot, color)| drawn.set(board.middle(slot), *color));
        Some(drawn)
    }
}

/// The colours that frame each slot in a frame, as sets of indices.
fn frames(board: &Board, frame: &Grid) -> Vec<u16> {
    (0..board.len()).map(|slot| board.frames(frame, slot)).collect()
}

/// The pixels that changed in the rooms of slots, from the corners of those.
fn ink(board: &Board, before: &Grid, after: &Grid) -> Vec<(u8, u8)> {
    let changed: Vec<Point> = before.differences(after).into_iter().flatten().collect();
    let slots = (0..board.len()).map(|slot| board.room(slot));
    let inside = |slot: Bounds| {
        let inside = changed.iter().filter(move |it| slot.contains(it.x(), it.y()));
        inside.map(move |it| (it.x() - slot.left, it.y() - slot.top))
    };
    slots.flat_map(inside).collect()
}

/// Whether a slot changed in any beat of a press.
fn has_changed(press: &Press, slot: usize) -> bool {
    press.iter().any(|colors| colors[slot] != press[0][slot])
}

/// How many slots some of these presses left in another colour.
fn moved_by<'a>(presses: impl Iterator<Item = &'a Press>) -> usize {
    let wholes: Vec<(Colors, Colors)> = presses.map(|it| (it[0].clone(), it[it.len() - 1].clone())).collect();
    moved(&wholes).len()
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
fn is_permutation(before: &Colors, after: &Colors, least: usize) -> bool {
    let changed: Vec<usize> = (0..before.len()).filter(|slot| before[*slot] != after[*slot]).collect();
    let sorted = |colors: &Colors| {
        let mut colors: Vec<Color> = changed.iter().map(|slot| colors[*slot]).collect();
        colors.sort();
        colors
    };
    changed.len() >= least && sorted(before) == sorted(after)
}

#[cfg(test)]
mod tests;
