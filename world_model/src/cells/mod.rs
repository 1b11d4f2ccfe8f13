//! Boards of cells that answer to clicks: lights-out, paint, dials, and whatever else recolours cells by a stencil.
//!
//! # Layout
//! - [`Cells`] (here): watches clicks, finds the board and the law, and says what a click would lead to. Start here.
//! - [`Board`]: where the cells are, with or without gaps, and what is drawn in them.
//! - [`Clue`]: pictures between the cells that may say something about those around.
//! - `picture`: drawings beside the board that are as many blocks wide and high as a part of it.
//! - `key`: tiles beside the board that tell which colour stands for which.
//! - `shift`: keys that move all colours of a board.
//! - [`Law`]: which cells answer to a click, and the colour that comes after each; [`Level`]: what it may depend on.
//!
//! # The one decision
//! The board is chosen by what clicks changed, not by what a frame looks like: of all that would do, tiles that are seen before
//! lattices that may be, the coarsest one on which every change is a change of whole cells. So nothing is believed before something answered; and the
//! echo of a click (a dot, a ring), which is smaller than a cell, is no change. The price is that a level whose first frame
//! says it all is not understood before the first click.

mod board;
mod clue;
mod key;
mod law;
mod picture;
mod shift;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use env_client::{Action, Color, Grid, Key, Point};

pub(crate) use self::picture::{drawings, inner_drawings};
pub use self::{
    board::{Board, Mark},
    clue::Clue,
    law::{Keying, Law, Level},
    picture::drawn,
    shift::{Pane, Way},
};
use self::{
    law::Sample,
    shift::{Press, Shifts},
};
use crate::{InterfaceMask, Start, Transition};

/// Clicks of one level kept to choose a board by, and all that a law is fitted to.
const CLICKS: usize = 64;
/// The newest keys pressed in a level that tell what keys do.
const PRESSES: usize = 16;
/// Cells along each side of a picture's block, at most.
const COARSEST: u8 = 3;
const SAMPLES: usize = 200;
/// The newest clicks that choose a board.
const WITNESSES: usize = 12;
/// A click that changes fewer pixels is at most its own echo.
const ECHO: usize = 8;
/// A coarser board may explain a little less than the finest.
const NEARLY: f32 = 0.85;
/// By how many clicks beside cells one belief about them can lead. A guess.
const BESIDE: i32 = 3;
/// Surprises that are forgiven, and confirmations that make up for one more.
const SURPRISES: u32 = 3;
const CONFIRMATIONS: u32 = 8;

/// A click of this level as it was seen.
#[derive(Clone, Debug)]
struct Click {
    before: Grid,
    at: Point,
    after: Grid,
}

impl Click {
    fn changes(&self) -> usize {
        self.before.differences(&self.after).map_or(0, Iterator::count)
    }
}

/// Learns what clicks do to cells.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    first: Option<Grid>,
    clicks: Vec<Click>,
    /// The interface when the board was settled on.
    mask: InterfaceMask,
    board: Option<Board>,
    paint: Vec<bool>,
    /// The pixels of a cell that can be painted.
    ink: Vec<bool>,
    /// How much more often clicks beside a cell did what they would have done on it.
    beside: i32,
    level: Arc<Level>,
    clues: Vec<Clue>,
    samples: Vec<Sample>,
    law: Option<Law>,
    /// Keys pressed in this level, with the frames before and after.
    presses: VecDeque<(Key, Grid, Grid)>,
    shifts: Shifts,
    /// Clicks on this board whose outcome the law knew, and did not.
    confirmed: u32,
    surprised: u32,
}

impl Cells {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        if start == Start::Again {
            return;
        }
        self.first = Some(frame.clone());
        self.clicks.clear();
        self.presses.clear();
        self.surprised = 0;
        let number = self.level.number + 1;
        let known = self.board.take();
        let boards = if self.law.is_some() { Board::candidates(frame, mask) } else { Vec::new() };
        let board = boards.into_iter().find(|it| known.as_ref().is_some_and(|known| known.is_like(it)));
        self.level = Arc::new(Level { number, ..Level::default() });
        self.clues.clear();
        if let Some(board) = board {
            self.settle(board, mask);
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Some(after) = step.after() else { return };
        if (after.width(), after.height()) != (step.before.width(), step.before.height()) {
            return;
        }
        match step.action {
            Action::Click(at) => self.see(&Click { before: step.before.clone(), at, after: after.clone() }, mask),
            Action::Key(key) => {
                self.presses.truncate(PRESSES - 1);
                self.presses.push_front((key, step.before.clone(), after.clone()));
                self.learn_shifts();
            }
        }
    }

    /// The clicks of this level, as frames before and after.
    fn seen(&self) -> impl Iterator<Item = (&Grid, &Grid)> {
        self.clicks.iter().map(|it| (&it.before, &it.after))
    }

    /// Learns whether a cell answers to clicks on the gap around it.
    fn learn_gaps(&mut self, click: &Click) {
        let beside = |board: &Board| board.cell_near(click.at).filter(|_| board.cell_at(click.at).is_none());
        let Some(cell) = self.board.as_ref().and_then(beside) else { return };
        let read = |frame| self.read(frame).map(|colors| self.visible(colors));
        if let (Some(before), Some(after)) = (read(&click.before), read(&click.after)) {
            let foreseen = self.foresee(&before, cell).filter(|foreseen| *foreseen != before);
            let answers = foreseen.map(|foreseen| if foreseen == after { 1 } else { -1 });
            self.beside = (self.beside + answers.unwrap_or(0)).clamp(-BESIDE, BESIDE);
        }
    }

    /// The cell that answers to a click at a point: the one there, or one right beside it where such clicks were seen to
    /// do what they do on a cell.
    pub fn answering(&self, at: Point) -> Option<usize> {
        let board = self.board.as_ref()?;
        board.cell_at(at).or_else(|| board.cell_near(at).filter(|_| self.beside > 0))
    }

    /// Learns from one click.
    fn see(&mut self, click: &Click, mask: &InterfaceMask) {
        if self.clicks.len() == CLICKS {
            self.clicks.remove(0);
        }
        self.clicks.push(click.clone());
        self.learn_gaps(click);
        let expected = self.sample(click).map(|sample| (self.foresee(&sample.before, sample.clicked), sample));
        match expected {
            Some((Some(foreseen), sample)) if foreseen == sample.after => {
                self.confirmed += 1;
                if self.draw(&click.before, &sample.after).as_ref() != Some(&click.after) {
                    self.ink = self.board.as_ref().map(|board| self.ink_of(board)).unwrap_or_default();
                }
                self.keep(sample);
            }
            Some((foreseen, sample)) => {
                self.surprised += u32::from(foreseen.is_some());
                self.keep(sample);
                self.reconsider(mask);
            }
            None if mask.len() > self.mask.len() || !self.covers(click) => self.reconsider(mask),
            None => {}
        }
    }

    /// Whether there is a board, and some of what a click changed lies on it: of two that look alike, such as one and the
    /// picture of what it should be, the one that answers is meant.
    fn covers(&self, click: &Click) -> bool {
        let Some(board) = &self.board else { return false };
        click.changes() < ECHO || board.explained(&click.before, &click.after) > 0
    }

    /// Whether there is a law that has foreseen nearly everything so far.
    pub fn is_trusted(&self) -> bool {
        self.law.is_some() && self.surprised <= SURPRISES + self.confirmed / CONFIRMATIONS
    }

    /// The board, once something answered.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The law, once there is one.
    pub fn law(&self) -> Option<&Law> {
        self.law.as_ref()
    }

    /// What the law may depend on in this level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The pictures between the cells of this level.
    pub fn clues(&self) -> &[Clue] {
        &self.clues
    }

    /// The colours of the pictures in the level's first frame that show a rectangle of cells, given by two of its corners,
    /// at any scale, row after row: those with a block for each cell first, then those with a block for several.
    pub fn pictures(&self, corner: usize, opposite: usize) -> Vec<Vec<Color>> {
        let (Some(board), Some(first)) = (&self.board, &self.first) else { return Vec::new() };
        let columns = usize::from(self.level.columns);
        let along = |a: usize, b: usize| (a.abs_diff(b) + 1) as u8;
        let size = (along(corner % columns, opposite % columns), along(corner / columns, opposite / columns));
        let (taken, colors) = (board.bounds(corner).union(board.bounds(opposite)), in_play(self.samples.iter()));
        let at = |coarseness: u8| picture::coarse(first, &self.mask, size, (taken, colors), coarseness);
        (1..=COARSEST).flat_map(at).collect()
    }

    /// Which colour stands for which, as tiles tell that lie pair by pair beside a rectangle of cells, given by two of its
    /// corners; empty where there are none.
    pub fn key(&self, corner: usize, opposite: usize) -> BTreeMap<Color, Color> {
        let (Some(board), Some(first)) = (&self.board, &self.first) else { return BTreeMap::new() };
        key::key(first, &self.mask, board.bounds(corner).union(board.bounds(opposite)))
    }

    /// The colours of the cells in a frame.
    pub fn read(&self, frame: &Grid) -> Option<Vec<Color>> {
        Some(self.board.as_ref()?.read(frame, &self.paint))
    }

    /// The frame with its cells in these colours.
    pub fn draw(&self, frame: &Grid, colors: &[Color]) -> Option<Grid> {
        let board = self.board.as_ref()?;
        Some(board.paint(frame, &self.ink, &board.read(frame, &self.paint), colors))
    }

    /// The colours after a click on a cell; `None` where that is not known.
    pub fn foresee(&self, now: &[Color], cell: usize) -> Option<Vec<Color>> {
        self.law.as_ref()?.apply(&self.level, now, cell)
    }

    /// The keys that move all colours of the board, and which way each.
    pub fn shifts(&self) -> impl Iterator<Item = (Key, Way)> {
        self.shifts.of(&self.level)
    }

    /// The colours after a key that moves all of them; `None` for any other.
    pub fn shift(&self, now: &[Color], key: Key) -> Option<Vec<Color>> {
        self.shifts.apply(&self.level, now, key)
    }

    /// The cells whose colours keys may move, where they make a rectangle.
    pub fn pane(&self) -> Option<Pane> {
        Pane::of(&self.level)
    }

    /// The cells that clicks of this level were seen on, and whether they did anything.
    pub fn clicked(&self) -> impl Iterator<Item = (usize, bool)> {
        let here = self.samples.iter().filter(|it| it.level.number == self.level.number);
        here.map(|it| (it.clicked, it.is_effective()))
    }

    /// Whether a click of this level made a cell as it was when the level began: there is no other colour to come.
    pub fn came_round(&self, cell: usize) -> bool {
        let here = self.samples.iter().filter(|it| it.level.number == self.level.number && it.clicked == cell);
        here.filter(|it| it.is_effective()).any(|it| it.after[cell] == self.level.start[cell])
    }

    /// Reads anew what keys did in this level.
    fn learn_shifts(&mut self) {
        let Some(board) = &self.board else { return };
        let read = |frame| board.read(frame, &self.paint);
        let presses = self.presses.iter().map(|(key, before, after)| (*key, read(before), read(after)));
        let presses = presses.map(|(key, before, after)| Press { key, before, after });
        self.shifts.learn(&self.level, &presses.collect::<Vec<_>>());
    }

    fn sample(&self, click: &Click) -> Option<Sample> {
        let board = self.board.as_ref()?;
        let clicked = board.cell_at(click.at)?;
        let (before, after) = (board.read(&click.before, &self.paint), board.read(&click.after, &self.paint));
        Some(Sample { level: self.level.clone(), clicked, before: self.visible(before), after: self.visible(after) })
    }

    /// Colours with those of missing cells left out.
    fn visible(&self, mut colors: Vec<Color>) -> Vec<Color> {
        let missing = self.level.present.iter().enumerate().filter(|(_, present)| !**present);
        missing.for_each(|(cell, _)| colors[cell] = Color::default());
        colors
    }

    /// The pixels of a board's cells that can be painted: before a level shows it, as in the level before, if the cells are
    /// as large as there.
    fn ink_of(&self, board: &Board) -> Vec<bool> {
        let ink = board.ink_of(self.seen());
        let known = || Some(self.ink.clone()).filter(|ink| ink.len() == board.area());
        ink.or_else(known).unwrap_or_else(|| vec![true; board.area()])
    }

    fn keep(&mut self, sample: Sample) {
        if self.samples.len() == SAMPLES {
            self.samples.remove(0);
        }
        self.samples.push(sample);
    }

    /// Chooses the board again, and the law.
    fn reconsider(&mut self, mask: &InterfaceMask) {
        match self.choose(mask) {
            Some(board) => self.settle(board, mask),
            None => self.law = Law::fit(&self.samples).or_else(|| self.law.take()),
        }
    }

    /// The first board, tiles before lattices and each the coarsest first, on which changes are changes of whole cells.
    fn choose(&self, mask: &InterfaceMask) -> Option<Board> {
        let effective = self.clicks.iter().rev().filter(|it| it.changes() >= ECHO).take(WITNESSES);
        let witnesses: Vec<&Click> = effective.collect();
        let explained =
            |board: &Board| witnesses.iter().map(|it| board.explained(&it.before, &it.after)).sum::<usize>();
        let boards = Board::candidates(self.first.as_ref()?, mask);
        let scored: Vec<(usize, Board)> = boards.into_iter().map(|board| (explained(&board), board)).collect();
        let most = scored.iter().map(|(score, _)| *score).max().filter(|most| *most >= ECHO)?;
        scored.into_iter().find(|(score, _)| *score as f32 >= NEARLY * most as f32).map(|(_, board)| board)
    }

    /// Reads the whole level anew on this board.
    fn settle(&mut self, mut board: Board, mask: &InterfaceMask) {
        let Some(first) = self.first.clone() else { return };
        self.mask = mask.clone();
        let number = self.level.number;
        board.admit(&first, in_play(self.samples.iter().filter(|it| it.level.number != number)));
        board.hide(mask);
        self.clues = Clue::all(&first, &board);
        self.paint = board.paint_of(self.seen());
        self.ink = self.ink_of(&board);
        let start = board.read(&first, &self.paint);
        let (columns, rows) = board.size();
        let present = (0..board.len()).map(|cell| board.has(cell)).collect();
        let mut level = Level { number, columns, rows, start, present, ..Level::default() };
        self.board = Some(board.clone());
        self.level = Arc::new(level.clone());
        self.samples.retain(|it| it.level.number != number);
        let fresh: Vec<Sample> = self.clicks.iter().filter_map(|click| self.sample(click)).collect();
        let taken = in_play(self.samples.iter().chain(&fresh));
        let cells = level.start.iter().enumerate();
        level.marks = cells.map(|(cell, color)| board.mark(&first, cell, *color, taken)).collect();
        level.panels = panels_of(&level, taken);
        self.level = Arc::new(level);
        for sample in fresh {
            self.keep(Sample { level: self.level.clone(), ..sample });
        }
        self.law = Law::fit(&self.samples).or_else(|| self.law.take().filter(|_| self.clicks.is_empty()));
        self.learn_shifts();
    }
}

/// The colours that clicks were seen to change, as a set of indices.
fn in_play<'a>(samples: impl Iterator<Item = &'a Sample>) -> u16 {
    let pairs = samples.flat_map(|it| it.before.iter().zip(&it.after));
    pairs.filter(|(a, b)| a != b).fold(0, |set, (a, b)| set | 1 << a.index() | 1 << b.index())
}

/// Numbers cells that began in colours which change and touch along their sides.
fn panels_of(level: &Level, colors: u16) -> Vec<u32> {
    let live = |cell: usize| level.present[cell] && colors & 1 << level.start[cell].index() != 0;
    let mut panels = vec![0; level.start.len()];
    for (group, number) in level.groups(live).iter().zip(1..) {
        for cell in group {
            panels[*cell] = number;
        }
    }
    panels
}

#[cfg(test)]
mod tests;
