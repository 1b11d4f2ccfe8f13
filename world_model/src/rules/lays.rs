//! Clicks that lay something down near a piece that obeys, or take it up again: planks, bricks, bombs.
//!
//! The steps of a piece tell how the tiles lie around it. Where a click rewrites the tile that it meets, this is what the tile
//! showed, what it shows then, and how it lay to the piece. The same is expected of every tile that shows the same and lies to
//! the piece as one that was rewritten did, unless clicks on such came to nothing meanwhile: what can be laid may be spent.

use env_client::{Action, Color, Grid, Point};

use super::{
    claim::Claim,
    mover::{Instance, Movers},
    sprite::{SIDES, Vector, color_at},
    view::View,
};
use crate::InterfaceMask;

/// Rewritings that are remembered.
const MOST: usize = 8;
/// Clicks in a row that came to nothing after which no more is expected of one. A guess: one may have hit an exception.
const SPENT: u32 = 2;
/// Cells by which what is drawn in a tile may jut out of it, as tiles are only known by the pieces in them.
const JUT: i16 = 1;

/// How a tile lies to the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Under,
    Beside,
    Line,
    Elsewhere,
}

impl Reach {
    const COUNT: usize = 4;

    /// That of a tile so many tiles away.
    const fn of(away: Vector) -> Reach {
        match (away.x.unsigned_abs(), away.y.unsigned_abs()) {
            (0, 0) => Reach::Under,
            (0, 1) | (1, 0) => Reach::Beside,
            (0, _) | (_, 0) => Reach::Line,
            _ => Reach::Elsewhere,
        }
    }
}

/// The tiles around a piece.
#[derive(Clone, Copy, Debug)]
struct Tiles {
    /// The first cell of the one that the piece lies in.
    corner: Vector,
    pitch: Vector,
}

impl Tiles {
    /// Those around the only piece of a frame that obeys, where its steps tell them.
    fn around(movers: &Movers, pieces: &[Instance]) -> Option<Tiles> {
        let piece = movers.leader(pieces)?;
        let (size, grid) = (movers.sprite(piece).size, movers.grid(piece));
        let along = |step: i16, other: i16| if step == 0 { other } else { step };
        let pitch = Vector::new(along(grid.x, grid.y), along(grid.y, grid.x));
        let fits = pitch.x >= size.x && pitch.y >= size.y && pitch.x > 1 && pitch.y > 1;
        fits.then(|| Tiles { corner: piece.at.minus(pitch.minus(size).halved()), pitch })
    }

    /// How many tiles away from the piece a cell lies.
    fn away(self, at: Vector) -> Vector {
        let way = at.minus(self.corner);
        Vector::new(way.x.div_euclid(self.pitch.x), way.y.div_euclid(self.pitch.y))
    }

    /// The first cell of a tile so many tiles away.
    const fn first(self, away: Vector) -> Vector {
        self.corner.plus(Vector::new(away.x * self.pitch.x, away.y * self.pitch.y))
    }

    /// Whether a cell lies in a tile, or juts out of it.
    const fn contains(self, away: Vector, at: Vector) -> bool {
        let way = at.minus(self.first(away));
        way.x >= -JUT && way.y >= -JUT && way.x < self.pitch.x + JUT && way.y < self.pitch.y + JUT
    }
}

/// What clicks on tiles that lie alike to the piece came to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// How many rewrote theirs.
    right: u32,
    /// How many did not, one after the other since then.
    in_vain: u32,
}

/// What a click makes of a tile.
#[derive(Clone, Debug)]
struct Rewriting {
    /// The first cell of what changes, from that of the tile, and how much that is.
    offset: Vector,
    size: Vector,
    /// What is seen there, row after row.
    before: Vec<Color>,
    after: Vec<Color>,
    tallies: [Tally; Reach::COUNT],
}

impl Rewriting {
    /// What became of a tile; nothing where none of its cells changed, or more cells elsewhere did.
    fn of(tiles: Tiles, away: Vector, (before, after): (&Grid, &Grid), mask: &InterfaceMask) -> Option<Rewriting> {
        let changed = before.differences(after)?.filter(|at| !mask.hides(*at));
        let cells = changed.map(|at| Vector::new(at.x().into(), at.y().into()));
        let (own, others): (Vec<Vector>, Vec<Vector>) = cells.partition(|at| tiles.contains(away, *at));
        let (low, high) = (own.iter().copied().reduce(Vector::least)?, own.iter().copied().reduce(Vector::most)?);
        let (offset, size) = (low.minus(tiles.first(away)), high.minus(low).plus(Vector::new(1, 1)));
        let [before, after] = [before, after].map(|frame| cut(frame, low, size));
        let rewriting = Rewriting { offset, size, before: before?, after: after?, tallies: Default::default() };
        (own.len() > others.len()).then_some(rewriting)
    }

    /// Whether it is the same, wherever it was seen.
    fn is_like(&self, other: &Rewriting) -> bool {
        let picture = |it: &Rewriting| (it.offset, it.size);
        picture(self) == picture(other) && self.before == other.before && self.after == other.after
    }

    /// Whether a tile shows what it rewrites.
    fn is_at(&self, frame: &Grid, first: Vector) -> bool {
        cut(frame, first.plus(self.offset), self.size).is_some_and(|it| it == self.before)
    }

    /// The cells of a tile that it rewrites.
    fn edits(&self, first: Vector) -> Vec<(Vector, Color)> {
        let corner = first.plus(self.offset);
        (0..)
            .zip(&self.after)
            .map(|(at, color)| (corner.plus(Vector::new(at % self.size.x, at / self.size.x)), *color))
            .collect()
    }
}

/// The colours in a rectangle of a frame, row after row; nothing where it reaches beyond.
fn cut(frame: &Grid, corner: Vector, size: Vector) -> Option<Vec<Color>> {
    let cells = (0..size.y).flat_map(|y| (0..size.x).map(move |x| corner.plus(Vector::new(x, y))));
    cells.map(|at| color_at(frame, at)).collect()
}

/// What clicks near pieces make of tiles, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Lays {
    known: Vec<Rewriting>,
}

impl Lays {
    /// A level begins, or begins again: what was spent may be there again.
    pub(super) fn begin(&mut self) {
        self.known.iter_mut().flat_map(|it| &mut it.tallies).for_each(|it| it.in_vain = 0);
    }

    /// Whether no click near a piece was seen to rewrite anything.
    pub(super) const fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// How a frame with these pieces looks after a click.
    pub(super) fn expect(
        &self,
        view: &View<'_>,
        movers: &Movers,
        pieces: impl FnOnce() -> Vec<Instance>,
    ) -> Option<Claim> {
        let click = view.click().filter(|_| !self.is_empty())?;
        let tiles = Tiles::around(movers, &pieces())?;
        let away = tiles.away(click);
        let (rewriting, tally) = self.expected(view.frame, tiles, away)?;
        let firm = tally.right.min(3);
        let edits = rewriting.edits(tiles.first(away));
        let mut claim = Claim { edits, support: firm as u8, ..Claim::by(8) };
        claim.marked(u64::from(firm));
        Some(claim)
    }

    /// What is expected of a tile.
    fn expected(&self, frame: &Grid, tiles: Tiles, away: Vector) -> Option<(&Rewriting, Tally)> {
        let reach = Reach::of(away) as usize;
        let known = self.known.iter().rev().map(|it| (it, it.tallies[reach]));
        let mut open = known.filter(|(_, tally)| tally.right > 0 && tally.in_vain < SPENT);
        open.find(|(it, _)| it.is_at(frame, tiles.first(away)))
    }

    /// Clicks beside the piece that are expected to rewrite something.
    pub(super) fn choices(&self, frame: &Grid, movers: &Movers, pieces: &[Instance]) -> Vec<Action> {
        let tiles = if self.is_empty() { None } else { Tiles::around(movers, pieces) };
        let Some(tiles) = tiles else { return Vec::new() };
        let open = SIDES.into_iter().filter(|away| self.expected(frame, tiles, *away).is_some());
        let middle = |away: Vector| tiles.first(away).plus(tiles.pitch.halved());
        open.map(middle).filter_map(|at| Some(Action::Click(Point::new(at.x, at.y).ok()?))).collect()
    }

    /// Learns from a step, where this piece may be out of sight.
    pub(super) fn learn(
        &mut self,
        view: &View<'_>,
        after: &Grid,
        (movers, unseen): (&Movers, Option<Instance>),
        mask: &InterfaceMask,
    ) {
        let Some(click) = view.click() else { return };
        let Some(tiles) = Tiles::around(movers, &movers.pieces(view.frame, unseen)) else { return };
        let away = tiles.away(click);
        let seen = Rewriting::of(tiles, away, (view.frame, after), mask);
        let reach = Reach::of(away) as usize;
        for it in self.known.iter_mut().filter(|it| it.is_at(view.frame, tiles.first(away))) {
            if !seen.as_ref().is_some_and(|seen| seen.is_like(it)) {
                it.tallies[reach].in_vain += 1;
            }
        }
        let Some(seen) = seen else { return };
        let known = self.known.iter().position(|it| it.is_like(&seen));
        let mut rewriting = known.map_or(seen, |index| self.known.remove(index));
        self.begin();
        let tally = &mut rewriting.tallies[reach];
        *tally = Tally { right: tally.right + 1, in_vain: 0 };
        if self.known.len() == MOST {
            self.known.remove(0);
        }
        self.known.push(rewriting);
    }
}
