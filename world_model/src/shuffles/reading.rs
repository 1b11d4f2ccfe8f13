//! Slots on a lattice, what lies in them, and drawings of what should.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    hash::{Hash, Hasher},
};

use env_client::{Color, Grid, Point};
use rustc_hash::FxHasher;

use super::turns::Fitting;
use crate::{
    Bounds, InterfaceMask,
    cells::{Board, Way, drawings},
};

/// The shortest side of a slot.
const SMALLEST: u8 = 2;

/// How far around a point between slots its drawing reaches. A guess.
const REACH: u8 = 2;

/// Where in the room of a slot something lies along an axis: so far from its first cell, or beyond its last one, which holds
/// for slots of other sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    Within(u8),
    Beyond(u8),
}

/// Where in the room of a slot something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inset {
    x: Along,
    y: Along,
}

/// Whether something is as small as what is drawn between slots.
pub(super) fn is_fitting(it: Bounds) -> bool {
    it.width().max(it.height()) <= 2 * REACH + 1
}

/// What lies in a slot: the index of its colour if it has one, a hash of its drawing otherwise.
pub type Content = u64;

/// How slots tell by a colour each what lies in them.
type Telling = fn(&Board, &Grid) -> Vec<Color>;

/// Above all indices of colours.
const DRAWN: u64 = 1 << 63;

/// What of a slot tells what lies in it; the plainest way comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// All of it.
    Whole,
    /// Its middle: something that stays may be drawn over the rest of it.
    Middle,
    /// The colour that prevails in its core: what lies around that may be a rim, and a mark in it may come and go.
    Core,
}

/// Where contents lie.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slots {
    pub(super) board: Board,
    look: Look,
}

impl Slots {
    /// Everything that the slots of a frame could be: families of tiles, and their parts that stand apart; whole tiles first,
    /// then large ones.
    pub(super) fn candidates(frame: &Grid, mask: &InterfaceMask) -> Vec<Slots> {
        let families = Board::families(frame, mask, SMALLEST);
        let mut all: Vec<Board> = families.iter().flat_map(Board::parts).collect();
        all.extend(families);
        all.retain(|it| it.len() > 1);
        all.sort_by_key(|it| Reverse(it.area()));
        let looks = [Look::Whole, Look::Middle, Look::Core].into_iter();
        looks.flat_map(|look| all.iter().map(move |board| Slots { board: board.clone(), look })).collect()
    }

    /// Whether both have slots of one size.
    pub(super) fn is_like(&self, other: &Slots) -> bool {
        self.board.is_like(&other.board) && self.look == other.look
    }

    /// How far the first slot is from that of others, across and down.
    pub(super) fn away(&self, other: &Slots) -> u32 {
        let (a, b) = (self.board.bounds(0), other.board.bounds(0));
        u32::from(a.left.abs_diff(b.left)) + u32::from(a.top.abs_diff(b.top))
    }

    pub(super) fn look(&self) -> Look {
        self.look
    }

    pub(super) fn len(&self) -> usize {
        self.board.len()
    }

    /// Whether a tile was to be seen in a slot when the level began.
    pub(super) fn has(&self, slot: usize) -> bool {
        self.board.has(slot)
    }

    pub(super) fn read(&self, frame: &Grid) -> Vec<Content> {
        (0..self.board.len()).map(|slot| self.content(frame, slot)).collect()
    }

    fn content(&self, frame: &Grid, slot: usize) -> Content {
        let by_color = |color: Color| color.index() as Content;
        match self.look {
            Look::Whole => {}
            Look::Middle => return frame.get(self.board.middle(slot)).map_or(DRAWN, by_color),
            Look::Core => return by_color(self.board.core(frame, slot)),
        }
        let mut pixels = self.board.pixels(slot).filter_map(|at| frame.get(at));
        let Some(first) = pixels.next() else { return DRAWN };
        let (mut drawing, mut is_plain) = (FxHasher::default(), true);
        first.hash(&mut drawing);
        for color in pixels {
            is_plain &= color == first;
            color.hash(&mut drawing);
        }
        if is_plain { first.index() as Content } else { drawing.finish() | DRAWN }
    }

    /// The slot a click falls to: as if the lattice had no gaps.
    pub(super) fn slot_at(&self, at: Point) -> Option<usize> {
        self.board.place_of(at)
    }

    /// Whether a point lies in a slot, and not in a gap between them.
    pub(super) fn is_within(&self, at: Point) -> bool {
        self.slot_at(at).is_some_and(|slot| self.board.bounds(slot).contains(at.x(), at.y()))
    }

    /// Where in a slot's room a point lies.
    pub(super) fn inset(&self, at: Point) -> Option<Inset> {
        let bounds = self.board.bounds(self.slot_at(at)?);
        let along =
            |at: u8, first: u8, last: u8| if at <= last { Along::Within(at - first) } else { Along::Beyond(at - last) };
        Some(Inset { x: along(at.x(), bounds.left, bounds.right), y: along(at.y(), bounds.top, bounds.bottom) })
    }

    /// That place in the room of a slot; its middle for none.
    pub(super) fn point(&self, slot: usize, inset: Option<Inset>) -> Point {
        let bounds = self.board.bounds(slot);
        let along = |along: Along, first: u8, last: u8| match along {
            Along::Within(by) => first + by,
            Along::Beyond(by) => last + by,
        };
        let point =
            |it: Inset| Point::new(along(it.x, bounds.left, bounds.right), along(it.y, bounds.top, bounds.bottom));
        inset.and_then(|it| point(it).ok()).unwrap_or_else(|| self.board.middle(slot))
    }

    /// What is drawn around a point between slots, whatever lies in these.
    pub(super) fn sketch(&self, frame: &Grid, at: Point) -> u64 {
        let (reach, mut sketch) = (i16::from(REACH), FxHasher::default());
        for (dx, dy) in (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy))) {
            let at = Point::new(i16::from(at.x()) + dx, i16::from(at.y()) + dy).ok();
            let cell = at.and_then(|at| Some((at, frame.get(at)?)));
            let is_content = |(at, color): (Point, Color)| {
                let slot = self.slot_at(at).filter(|_| self.is_within(at));
                slot.is_some_and(|slot| frame.get(self.board.middle(slot)) == Some(color))
            };
            cell.filter(|cell| !is_content(*cell)).map(|(_, color)| color).hash(&mut sketch);
        }
        sketch.finish()
    }

    /// What was clicked between slots; its drawing tells nothing unless it stays when things change places.
    pub(super) fn fitting(&self, at: Point, before: &Grid, after: &Grid) -> Option<Fitting> {
        let color = before.get(at).filter(|_| self.slot_at(at).is_some() && !self.is_within(at))?;
        let [drawing, then] = [before, after].map(|frame| self.sketch(frame, at));
        Some(Fitting { color, drawing: if drawing == then { drawing } else { 0 } })
    }

    /// The slot so far from another one.
    pub(super) fn beside(&self, slot: usize, (dx, dy): Way) -> Option<usize> {
        let (columns, rows) = self.board.size();
        let (x, y) = (slot % usize::from(columns), slot / usize::from(columns));
        let (x, y) = (x.checked_add_signed(dx.into())?, y.checked_add_signed(dy.into())?);
        (x < usize::from(columns) && y < usize::from(rows)).then_some(y * usize::from(columns) + x)
    }

    /// How far one slot is from another, across and down.
    pub(super) fn way(&self, from: usize, to: usize) -> Way {
        let columns = usize::from(self.board.size().0);
        let step = |from: usize, to: usize| to as i8 - from as i8;
        (step(from % columns, to % columns), step(from / columns, to / columns))
    }

    pub(super) fn distance(&self, a: usize, b: usize) -> u32 {
        self.board.distance(a, b)
    }

    /// What drawings beside the board tell of what should lie in the slots: those that show what lies in them now in another
    /// order, where a drawing of one slot may differ, such as that of a hole.
    pub(super) fn drawn(&self, frame: &Grid, mask: &InterfaceMask, now: &[Content]) -> Vec<Vec<Option<Content>>> {
        // What comes and goes in tiles is not drawn beside them.
        let tells = |it: &Slots| self.is_another(it) && (it.look != Look::Core || self.look == Look::Core);
        let alike: Vec<Slots> = Slots::candidates(frame, mask).into_iter().filter(tells).collect();
        let ways: [Telling; 2] = [Board::middles, Board::prevailing];
        let told = ways.into_iter().find_map(|colors| {
            let seen = colors(&self.board, frame);
            let means: BTreeMap<Color, Content> = seen.iter().copied().zip(now.iter().copied()).collect();
            let tell = seen.iter().zip(now).all(|(color, content)| means[color] == *content);
            tell.then_some((colors, seen, means))
        });
        let of_colors = told.map_or_else(Vec::new, |(colors, seen, means)| {
            let tiles = alike.iter().map(|it| colors(&it.board, frame));
            let drawn = drawings(&self.board, frame, mask, &seen).into_iter().chain(tiles);
            let content = |color: &Color| means.get(color).copied().unwrap_or(DRAWN);
            drawn.map(|it| it.iter().map(content).collect::<Vec<Content>>()).collect()
        });
        let of_tiles = alike.iter().map(|it| it.read(frame));
        let all = of_colors.into_iter().chain(of_tiles);
        let mut found: Vec<Vec<Option<Content>>> = all.filter_map(|it| meant(now, &it)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether these are as many slots across and down, in another place.
    fn is_another(&self, other: &Slots) -> bool {
        let apart = |slot: usize| self.board.bounds(slot).overlap(other.board.bounds(slot)) == 0;
        self.board.size() == other.board.size() && (0..self.len()).all(apart)
    }

    /// The frame with this in the slots, each content drawn as it is somewhere now.
    pub(super) fn draw(&self, frame: &Grid, after: &[Content]) -> Grid {
        let (now, mut drawn) = (self.read(frame), frame.clone());
        for to in (0..self.len()).filter(|slot| now[*slot] != after[*slot]) {
            let Some(from) = now.iter().position(|it| *it == after[to]) else { continue };
            for (target, source) in self.board.pixels(to).zip(self.board.pixels(from)) {
                if let Some(color) = frame.get(source) {
                    drawn.set(target, color);
                }
            }
        }
        drawn
    }
}

/// What a drawing means: as many of everything as there are now, but for one slot about which it says nothing.
fn meant(now: &[Content], drawing: &[Content]) -> Option<Vec<Option<Content>>> {
    let mut left = now.to_vec();
    let mut take = |content: &Content| Some(left.swap_remove(left.iter().position(|it| it == content)?));
    let meant: Vec<Option<Content>> = drawing.iter().map(&mut take).collect();
    let strange = meant.iter().filter(|it| it.is_none()).count();
    let is_news = meant.iter().zip(now).any(|(meant, now)| meant.is_some_and(|it| it != *now));
    let is_varied = now.iter().any(|it| *it != now[0]);
    (strange <= 1 && is_varied && (is_news || strange == 0)).then_some(meant)
}
