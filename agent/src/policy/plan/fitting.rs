//! One piece alone that is wanted where its own outline is drawn, however it has to be turned for that; or on what is as
//! large as it is by now, to the cell.

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Component};

use super::{
    arrange::{Arrangement, Level},
    names::Name,
    pairs::{Pair, Pieces},
    picture::Middle,
    slots::size,
    things::{Thing, Things, place},
};

/// So far beyond a place its frame may lie, in cells. A guess.
const FRAME: u8 = 2;

/// Cells that show one colour where a piece lies as it is drawn there.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    color: Color,
    cells: Vec<Point>,
}

impl Outline {
    /// Whether the piece is seen on all of it.
    pub(super) fn is_filled(&self, frame: &Grid) -> bool {
        self.cells.iter().all(|at| frame.get(*at) == Some(self.color))
    }
}

/// The only piece that answers to actions, in each drawing of its form in any pose, where that is no mere rectangle.
pub(super) fn by_form(level: &Level<'_>, things: &Things) -> Vec<Arrangement> {
    let [piece] = level.cast else { return Vec::new() };
    let own = piece.from.first().and_then(|at| things.at(*at));
    let Some((own, body)) = things.iter().find(|(thing, _)| Some(*thing) == own) else { return Vec::new() };
    let size = (body.bounds.width(), body.bounds.height());
    let is_whole = usize::from(body.area) == piece.from.len();
    if !is_whole || usize::from(body.area) == usize::from(size.0) * usize::from(size.1) {
        return Vec::new();
    }
    let drawn = things.iter().filter(|(thing, it)| *thing != own && (it.form, it.area) == (body.form, body.area));
    let arrangement = |(slot, it): (Thing, &Component)| {
        let outline = Outline { color: own.kind.color, cells: things.cells(slot) };
        let pieces = Pieces::Played(piece.class, size);
        let pair = Pair { pieces, slots: vec![Middle::around(it.bounds)], homes: Vec::new(), outline: Some(outline) };
        Arrangement { name: Name::fit(own.kind, slot.kind), pairs: vec![pair], litter: None, is_exact: true, misfit: 0 }
    };
    drawn.map(arrangement).collect()
}

/// The only piece that answers to actions, on each thing of its size, or within the frame of such a place: where one step is
/// less than its sides, so that it touches much without being there.
pub(super) fn by_size(level: &Level<'_>, things: &Things) -> Vec<Arrangement> {
    let [piece] = level.advances else { return Vec::new() };
    let Some(bounds) = place(piece) else { return Vec::new() };
    let sides = size(bounds);
    let step = piece.by.0.unsigned_abs().max(piece.by.1.unsigned_abs());
    let Some(own) = piece.from.first().and_then(|at| level.now.lies_at(*at)) else { return Vec::new() };
    if !(1..sides.0.min(sides.1).into()).contains(&step) {
        return Vec::new();
    }
    let began: Vec<Bounds> = level.cast.iter().filter_map(place).collect();
    let is_piece = |it: &Component| began.iter().any(|place| place.union(it.bounds) == *place);
    let is_there = |slot: Thing, it: &Component| {
        let seen = |at: Point| bounds.contains(at.x(), at.y()) || level.now.lies_at(at) == Some(slot.kind);
        it.bounds.union(bounds) == bounds || things.cells(slot).into_iter().any(seen)
    };
    let slots = things.iter().filter(|(slot, it)| frames(it, sides) && !is_piece(it) && is_there(*slot, it));
    let arrangement = |(slot, it): (Thing, &Component)| {
        let slots = vec![Middle::around(it.bounds)];
        let pair = Pair { pieces: Pieces::Played(piece.class, sides), slots, homes: Vec::new(), outline: None };
        Arrangement { name: Name::fill(own, slot.kind), pairs: vec![pair], litter: None, is_exact: true, misfit: 0 }
    };
    slots.map(arrangement).collect()
}

/// Whether a thing has these sides, or is hollow and frames a place that has.
fn frames(it: &Component, (width, height): (u8, u8)) -> bool {
    let (columns, rows) = size(it.bounds);
    let hollow = u16::from(columns) * u16::from(rows) >= it.area + u16::from(width) * u16::from(height);
    (columns, rows) == (width, height)
        || hollow && (1..=FRAME).any(|rim| (columns, rows) == (width + 2 * rim, height + 2 * rim))
}

#[cfg(test)]
mod tests {
    use world_model::{Advance, InterfaceMask};

    use super::*;
    use crate::policy::plan::things::Under;

    /// The places that a piece of colour 5 should fill which takes steps so long.
    fn wanted(first: &str, now: &str, step: i16) -> Vec<Middle> {
        let [first, now]: [Grid; 2] = [first.parse().unwrap(), now.parse().unwrap()];
        let mask = InterfaceMask::new();
        let piece = |frame: &Grid| {
            let from = frame.points().filter(|at| frame[*at].index() == 5).collect();
            [Advance { from, by: (step, 0), ..Advance::default() }]
        };
        let (cast, advances) = (piece(&first), piece(&now));
        let seen = Things::of(&now, &mask, &advances, Under::default());
        let level = Level { advances: &advances, cast: &cast, ..Level::still(&first, &seen, &mask) };
        let things = Things::of(&first, &mask, &[], Under::default());
        by_size(&level, &things).into_iter().flat_map(|it| it.pairs).flat_map(|it| it.slots).collect()
    }

    #[test]
    fn a_piece_belongs_on_what_is_as_large_as_it_has_become() {
        let first = "00000000000\n05000007770\n00000007770\n00000007770\n02200000000\n02200000000";
        let large = "05550000000\n05550007770\n05550007770\n00000007770\n02200000000\n02200000000";
        assert_eq!(wanted(first, first, 1), [], "nothing is as small");
        assert_eq!(wanted(first, large, 1), [Middle::of(7, 1, 3, 3)]);
        assert_eq!(wanted(first, large, 3), [], "to touch it is to be there");
        let gone = "05550000000\n05550000000\n05550000000\n00000000000\n02200000000\n02200000000";
        assert_eq!(wanted(first, gone, 1), [], "it is not there any more");
    }

    #[test]
    fn a_piece_belongs_within_a_frame_of_its_size() {
        let first = "0000000000000\n0550000777700\n0550000700700\n0000000700700\n0000000777700\n0000000000000";
        assert_eq!(wanted(first, first, 1), [Middle::of(8, 2, 2, 2)]);
        let solid = first.replace("7007", "7777");
        assert_eq!(wanted(&solid, &solid, 1), [], "what is not hollow is no frame");
    }
}
