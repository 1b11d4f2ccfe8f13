//! Moves made by two clicks, on a piece and on where it goes, that rewrite what stands in a line: one hops over another and
//! takes it, two alike become the next one, a piece goes as far as it likes.
//!
//! # Layout
//! - [`Leaps`] (here): what is picked, what stands where, and which moves there are. Start here.
//! - `board`: where pieces may stand, and which seats are neighbours.
//! - `law`: what becomes of the seats in a line.
//!
//! # The one decision
//! A move is known by the kinds that stand on the seats from the one click to the other, in order, and by nothing else: not by
//! its place, and not by its direction but for how long a step is. So a rewrite seen once holds all over the board, and whichever
//! way it is turned. What is not known is a pair of clicks to be tried. The price is that what depends on more than a line is seen as
//! contradictory, and given up.

mod board;
mod law;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use env_client::{Action, Grid, Point};

pub use self::law::{BARE, Kind, Memo, STRANGE};
use self::{
    board::{Board, Look, Search, Size, Style},
    law::{LONGEST, Law},
};
use crate::{Bounds, InterfaceMask, Start, Transition};

/// Points in which looks of one kind may differ: counters may lie over a seat. A guess.
const BLOTS: usize = 4;
/// Clicks that changed what no rewrite of a line changes, after which it is no such game, and more for each that was
/// understood. Guesses.
const AGAINST: u32 = 2;

/// What stands on every seat.
pub type Stand = Vec<Kind>;

/// A move: the two seats that are clicked.
pub type Leap = (usize, usize);

/// Learns what two clicks do to a line of seats.
#[derive(Clone, Debug, Default)]
pub struct Leaps {
    /// How seats are told, and their size when last seen.
    custom: Option<(Style, Size)>,
    board: Option<Board>,
    /// The look of each kind, from 1 on; and what is seen of a kind that is picked.
    looks: Vec<Look>,
    marks: BTreeMap<Kind, Kind>,
    law: Law,
    /// What is seen now on each seat, marks aside, and what was seen there while nothing stood on it.
    seen: Vec<Kind>,
    floor: Vec<Kind>,
    /// The seat whose piece is picked, and the frame before that.
    held: Option<(usize, Option<Grid>)>,
    /// Whether a click on a piece picks it though another one is picked.
    picks_anew: bool,
    against: u32,
    understood: u32,
}

impl Leaps {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, frame: &Grid, mask: &InterfaceMask, start: Start) {
        self.held = None;
        if start == Start::Level {
            let search = Search::new(frame, mask);
            let is_known = |look: &Look| self.kind_of(look).is_some();
            self.board = self.custom.and_then(|(style, size)| search.again(style, size, is_known));
            self.floor.clear();
        }
        self.see(frame);
    }

    /// Takes in what is seen on the seats.
    fn see(&mut self, frame: &Grid) -> Vec<Kind> {
        let raw = self.raw(frame);
        self.seen = raw.iter().map(|kind| self.marks.get(kind).copied().unwrap_or(*kind)).collect();
        self.floor.resize(self.seen.len(), BARE);
        for seat in 0..self.seen.len() {
            if self.law.is_bare(self.seen[seat]) || !self.law.is_piece(self.seen[seat]) {
                self.floor[seat] = self.seen[seat];
            }
        }
        raw
    }

    /// What is seen on the seats, the marks of what is picked included. New looks get numbers.
    fn raw(&mut self, frame: &Grid) -> Vec<Kind> {
        let Some(board) = &self.board else { return Vec::new() };
        let looks = board.looks(frame);
        looks.into_iter().map(|look| self.number(look)).collect()
    }

    fn number(&mut self, look: Look) -> Kind {
        if let Some(kind) = self.kind_of(&look) {
            return kind;
        }
        if self.looks.len() + 2 >= usize::from(STRANGE) {
            return STRANGE;
        }
        self.looks.push(look);
        self.looks.len() as Kind
    }

    /// The kind that looks so, or nearly.
    fn kind_of(&self, look: &Look) -> Option<Kind> {
        let far = |other: &Look| look.iter().zip(other).filter(|(a, b)| a != b).count();
        let all = self.looks.iter().map(far).zip(1..).min()?;
        (all.0 <= BLOTS).then_some(all.1)
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let held = self.held.take();
        let Some(after) = step.after() else { return };
        let Action::Click(at) = step.action else {
            self.see(after);
            return;
        };
        if self.board.is_none() {
            return self.find(step.before, after, mask, at);
        }
        let (was, raw_was) = (self.seen.clone(), self.raw(step.before));
        let raw = self.see(after);
        let seat = self.board.as_ref().and_then(|it| it.at(at));
        let changes = Changes { was, raw_was, raw, touched: self.touched([step.before, after], mask) };
        match (held, seat) {
            (None, Some(seat)) => self.first(seat, &changes, step.before),
            (Some(held), Some(seat)) => self.second(held, seat, &changes, (step.before, after, mask)),
            (held, None) => self.beside(held, &changes, after, mask),
        }
    }

    /// The first click that drew a mark tells where the seats are.
    fn find(&mut self, before: &Grid, after: &Grid, mask: &InterfaceMask, at: Point) {
        let cells = before.differences(after).into_iter().flatten().filter(|at| !mask.hides(*at));
        let Some(drawn) = Bounds::around(cells) else { return };
        let Some(board) = Search::new(before, mask).marked(at, drawn) else { return };
        let Some(seat) = board.at(at) else { return };
        self.custom = Some((board.style, board.size));
        self.board = Some(board);
        self.floor.clear();
        self.see(before);
        let was = self.seen.clone();
        let raw = self.see(after);
        let changes = Changes { raw_was: was.clone(), was, raw, touched: vec![seat] };
        self.first(seat, &changes, before);
        if self.held.is_none() {
            (self.board, self.custom) = (None, None);
        }
    }

    /// The seats on or right beside which something changed.
    fn touched(&self, [before, after]: [&Grid; 2], mask: &InterfaceMask) -> Vec<usize> {
        let Some(board) = &self.board else { return Vec::new() };
        let cells = before.differences(after).into_iter().flatten().filter(|at| !mask.hides(*at));
        let mut seats: Vec<usize> = cells.filter_map(|at| board.nearest(at)).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }

    /// A click while nothing is picked: a piece is marked, or there is none.
    fn first(&mut self, seat: usize, changes: &Changes, rest: &Grid) {
        let seats = changes.seats();
        if seats.iter().any(|it| *it != seat) {
            self.against += 1;
        } else if !seats.is_empty() || changes.touched.contains(&seat) {
            self.pick(seat, changes, Some(rest.clone()));
        }
    }

    /// Something on this seat is picked: what is seen of it now is its mark, unless other seats showed that before, or still do.
    fn pick(&mut self, seat: usize, changes: &Changes, rest: Option<Grid>) {
        let (kind, mark) = (changes.was[seat], changes.raw[seat]);
        let is_elsewhere = |it: usize| it != seat && self.marks.contains_key(&changes.raw[it]);
        if (0..changes.raw.len()).any(is_elsewhere) {
            self.against += 1;
            return;
        }
        if kind != mark && !self.marks.contains_key(&mark) {
            if changes.raw_was.contains(&mark) || self.law.is_bare(kind) {
                self.against += 1;
                return;
            }
            self.marks.insert(mark, kind);
        }
        self.seen[seat] = kind;
        self.law.picks(kind);
        self.held = Some((seat, rest));
    }

    /// A click beside the board.
    fn beside(&mut self, held: Option<(usize, Option<Grid>)>, changes: &Changes, after: &Grid, mask: &InterfaceMask) {
        if !self.changed(changes).is_empty() {
            self.against += 1;
            return;
        }
        let is_free = |rest: &Option<Grid>| rest.as_ref().is_some_and(|rest| is_same(rest, after, mask));
        self.held = held.filter(|(seat, rest)| !is_free(rest) && !changes.lost_its_mark(*seat));
    }

    /// A click while something is picked.
    fn second(
        &mut self,
        (from, rest): (usize, Option<Grid>),
        to: usize,
        changes: &Changes,
        (before, after, mask): (&Grid, &Grid, &InterfaceMask),
    ) {
        let seats = self.changed(changes);
        let is_put_back = rest.as_ref().is_some_and(|rest| is_same(rest, after, mask)) || changes.lost_its_mark(from);
        let is_marked = changes.raw[to] != changes.raw_was[to] || seats.is_empty() && changes.touched.contains(&to);
        if seats.iter().all(|it| *it == to) && is_marked && to != from && !self.law.is_bare(changes.was[to]) {
            // Another one is picked in its place.
            if !is_put_back && changes.raw[from] != changes.was[from] {
                self.against += 1;
                return;
            }
            self.nothing(from, to, &changes.was);
            self.picks_anew = true;
            return self.pick(to, changes, rest);
        }
        if seats.is_empty() {
            self.nothing(from, to, &changes.was);
            let is_idle = is_same(before, after, mask);
            self.held = Some((from, rest)).filter(|_| is_idle || !is_put_back && to != from);
            return;
        }
        self.rewritten((from, to), &seats, changes);
    }

    /// The seats on which something else is seen, marks aside.
    fn changed(&self, changes: &Changes) -> Vec<usize> {
        (0..self.seen.len()).filter(|it| self.seen[*it] != changes.was[*it]).collect()
    }

    /// Nothing came of two clicks.
    fn nothing(&mut self, from: usize, to: usize, was: &[Kind]) {
        let line = self.board.as_ref().and_then(|it| it.line(from, to));
        if let Some((class, line)) = line.filter(|it| it.1.len() <= LONGEST) {
            let kinds: Vec<Kind> = line.iter().map(|it| was[*it]).collect();
            self.law.learn(class, &kinds, None);
        }
    }

    /// Two clicks changed these seats.
    fn rewritten(&mut self, (from, to): Leap, seats: &[usize], changes: &Changes) {
        let line = self.board.as_ref().and_then(|it| it.line(from, to));
        let line = line.filter(|it| seats.iter().all(|seat| it.1.contains(seat)) && it.1.len() <= LONGEST);
        let Some((class, line)) = line.filter(|_| seats.contains(&from)) else {
            self.against += 1;
            return;
        };
        let kinds = |from: &[Kind]| line.iter().map(|it| from[*it]).collect::<Vec<Kind>>();
        self.law.learn(class, &kinds(&changes.was), Some(&kinds(&self.seen)));
        self.understood += 1;
        let is_picked = |seat: &usize| self.marks.contains_key(&changes.raw[*seat]);
        self.held = (0..self.seen.len()).find(is_picked).map(|it| (it, None));
    }

    /// Whether this is another game after all.
    pub fn is_hopeless(&self) -> bool {
        self.against > AGAINST + self.understood
    }

    /// Whether seats are known in this level.
    pub fn has_board(&self) -> bool {
        self.board.is_some()
    }

    /// Whether two clicks were seen to rewrite a line.
    pub fn is_understood(&self) -> bool {
        self.law.is_known()
    }

    /// Whether moves were seen that take pieces.
    pub fn takes(&self) -> bool {
        self.law.takes()
    }

    /// Changes with everything that is learned of lines.
    pub fn lessons(&self) -> u32 {
        self.law.lessons()
    }

    /// What stands on every seat.
    pub fn stand(&self) -> Stand {
        self.seen.iter().map(|kind| if self.law.is_bare(*kind) { BARE } else { *kind }).collect()
    }

    /// The seat whose piece is picked.
    pub fn held(&self) -> Option<usize> {
        self.held.as_ref().map(|it| it.0)
    }

    /// Whether a kind counts as a piece.
    pub fn is_piece(&self, kind: Kind) -> bool {
        self.law.is_piece(kind)
    }

    /// What a seat looks like while nothing stands on it, where that was seen or can be guessed.
    fn floor(&self, seat: usize, most: Kind) -> Kind {
        let seen = self.floor[seat];
        if seen == BARE || self.law.is_piece(seen) { most } else { seen }
    }

    /// What most seats look like while nothing stands on them.
    fn commonest(&self) -> Kind {
        let mut counts = BTreeMap::<Kind, usize>::new();
        let seen = self.floor.iter().filter(|it| **it != BARE && !self.law.is_piece(**it));
        seen.for_each(|it| *counts.entry(*it).or_default() += 1);
        counts.into_iter().max_by_key(|it| (self.law.is_bare(it.0), it.1)).map_or(BARE, |it| it.0)
    }

    /// Seats that look unlike most while nothing stands on them, and are none of the pieces.
    pub fn marked(&self) -> Vec<usize> {
        let most = self.commonest();
        (0..self.floor.len()).filter(|it| self.floor(*it, most) != most).collect()
    }

    /// The clicks that make a move from what is picked now: what else is picked is put back first, where nobody saw another one
    /// picked in its place.
    pub fn clicks(&self, leap: Leap) -> Vec<Action> {
        let mut clicks = self.clicks_of(leap);
        match self.held() {
            Some(held) if held == leap.0 => drop(clicks.remove(0)),
            Some(held) if !self.picks_anew => clicks.splice(0..0, self.click(held)).for_each(drop),
            _ => {}
        }
        clicks
    }

    /// The clicks that make a move while nothing is picked.
    pub fn clicks_of(&self, (from, to): Leap) -> Vec<Action> {
        [from, to].into_iter().filter_map(|seat| self.click(seat)).collect()
    }

    fn click(&self, seat: usize) -> Option<Action> {
        self.board.as_ref().map(|it| Action::Click(it.click(seat)))
    }

    /// Answers what moves lead to, for one search.
    pub fn memo(&self, dares: bool) -> Memo<'_> {
        Memo::new(&self.law, dares)
    }

    /// The moves there are, and what each leads to.
    pub fn moves(&self, stand: &[Kind], memo: &mut Memo<'_>) -> Vec<(Leap, Stand)> {
        let mut moves = Vec::new();
        let longest = if memo.law().goes_far() { LONGEST } else { 3 };
        self.lines(stand, longest, |leap, class, line, kinds| {
            if let Some(after) = memo.predict(class, kinds) {
                let mut next = stand.to_vec();
                line.iter().zip(after).for_each(|(seat, kind)| next[*seat] = *kind);
                if next != stand {
                    moves.push((leap, next));
                }
            }
        });
        moves
    }

    /// Calls with every line that begins with a piece that can be picked: its ends, its class, its seats and what is seen there.
    fn lines(&self, stand: &[Kind], longest: usize, mut call: impl FnMut(Leap, u8, &[usize], &[Kind])) {
        let Some(board) = &self.board else { return };
        let most = self.commonest();
        let kind = |seat: usize| if stand[seat] == BARE { self.floor(seat, most) } else { stand[seat] };
        for from in (0..stand.len()).filter(|it| self.law.is_picked(stand[*it])) {
            for (way, class) in board.ways() {
                let (mut line, mut kinds) = (vec![from], vec![stand[from]]);
                while let Some(next) = board.step(line[line.len() - 1], way).filter(|_| line.len() < longest) {
                    line.push(next);
                    kinds.push(kind(next));
                    call((from, next), class, &line, &kinds);
                }
            }
        }
    }

    /// A move of which nobody knows what it does, the most telling first: two alike side by side, one over another to where
    /// nothing stands, one step, and what is left; along the shortest ways, until nothing else is left to try.
    pub fn experiment(&self) -> Option<Leap> {
        let stand = self.stand();
        let mut best: Option<((u8, u8, bool), Leap)> = None;
        self.lines(&stand, 3, |leap, class, _, kinds| {
            let is_free = |kind: Kind| !self.law.is_picked(kind);
            let rank = match kinds {
                [a, b] if a == b => 0,
                [_, over, to] if !is_free(*over) && is_free(*to) => 1,
                [_, to] if is_free(*to) => 2,
                [_, _, to] if is_free(*to) => 3,
                _ => 4,
            };
            let rank = (class, rank, self.held() != Some(leap.0));
            if self.law.is_open(class, kinds) && best.is_none_or(|it| rank < it.0) {
                best = Some((rank, leap));
            }
        });
        best.map(|it| it.1)
    }

    /// One of those that is over a piece to where nothing stands, along the shortest ways.
    pub fn hop(&self) -> Option<Leap> {
        let mut best: Option<((u8, bool), Leap)> = None;
        self.lines(&self.stand(), 3, |leap, class, _, kinds| {
            let is_hop = matches!(kinds, [_, over, to] if self.law.is_picked(*over) && !self.law.is_picked(*to));
            let rank = (class, self.held() != Some(leap.0));
            if is_hop && self.law.is_open(class, kinds) && best.is_none_or(|it| rank < it.0) {
                best = Some((rank, leap));
            }
        });
        best.map(|it| it.1)
    }
}

/// What a click changed on the seats.
struct Changes {
    /// What was seen before, marks aside, and with them; and what is seen now with them.
    was: Vec<Kind>,
    raw_was: Vec<Kind>,
    raw: Vec<Kind>,
    /// The seats on or beside which cells changed.
    touched: Vec<usize>,
}

impl Changes {
    /// The seats that look otherwise than without marks before.
    fn seats(&self) -> Vec<usize> {
        (0..self.was.len()).filter(|it| self.raw[*it] != self.raw_was[*it]).collect()
    }

    /// Whether what was marked on a seat looks as without a mark.
    fn lost_its_mark(&self, seat: usize) -> bool {
        self.raw_was[seat] != self.was[seat] && self.raw[seat] == self.was[seat]
    }
}

/// Whether two frames differ in nothing but the interface.
fn is_same(one: &Grid, other: &Grid, mask: &InterfaceMask) -> bool {
    one.differences(other).is_none_or(|mut cells| cells.all(|at| mask.hides(at)))
}
