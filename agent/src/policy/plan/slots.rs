//! Slots: where pieces may belong, told from what a level shows when it begins.

use std::collections::BTreeSet;

use world_model::Bounds;

use super::{
    arrange::{MOST, Piece},
    things::{Kind, Things},
};

/// A slot is about as large as its piece: within this factor, its area and, with one cell to spare, each of its sides.
const LIKE: u16 = 3;
/// So far around a piece brackets may stand, in cells. A guess.
const MARGIN: u8 = 2;
/// Parts of a single cell that frame a slot.
const CORNERS: usize = 4;

/// Where a piece may belong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) kind: Kind,
    pub(super) bounds: Bounds,
}

/// What pieces may belong on: static things, and groups of them of one colour that together are as large as a piece,
/// as brackets are.
pub(super) fn slots(things: &Things, pieces: &[Piece], moves: impl Fn(Kind) -> bool) -> Vec<Slot> {
    let is_piece = |kind: Kind, bounds: Bounds| {
        let mut places = pieces.iter().filter(|it| it.kind.color == kind.color).flat_map(|it| &it.places);
        places.any(|place| place.is_in(bounds))
    };
    let parts: Vec<Slot> = things
        .iter()
        .map(|(thing, it)| Slot { kind: thing.kind, bounds: it.bounds })
        .filter(|it| !moves(it.kind) && !is_piece(it.kind, it.bounds))
        .collect();
    let sizes: BTreeSet<(u8, u8)> = pieces.iter().map(|it| it.picture.size()).collect();
    with_brackets(&parts, &sizes)
}

/// These slots, and those that several of them frame together: as large as a piece, or else, where there are none, with the
/// same margin around it on all sides.
pub(super) fn with_brackets(parts: &[Slot], sizes: &BTreeSet<(u8, u8)>) -> Vec<Slot> {
    let framed = |margin: u8| {
        let sizes = sizes.iter().map(move |(width, height)| (width + 2 * margin, height + 2 * margin));
        let slots = sizes.flat_map(|size| parts.iter().filter_map(move |corner| bracket(parts, corner, size)));
        slots.collect::<Vec<Slot>>()
    };
    let mut slots = (0..=MARGIN).map(framed).find(|it| !it.is_empty()).unwrap_or_default();
    slots.extend(parts);
    slots
}

/// The slot that several parts of one colour frame together, from its upper left corner.
fn bracket(parts: &[Slot], corner: &Slot, (width, height): (u8, u8)) -> Option<Slot> {
    let Bounds { left, top, .. } = corner.bounds;
    let bounds = Bounds { left, top, right: left + width - 1, bottom: top + height - 1 };
    let inside = |it: &&Slot| it.kind.color == corner.kind.color && bounds.union(it.bounds) == bounds;
    let members: Vec<&Slot> = parts.iter().filter(inside).collect();
    let union = members.iter().map(|it| it.bounds).reduce(Bounds::union)?;
    let shape = members.iter().fold(0, |sum: u64, it| sum.wrapping_add(it.kind.shape));
    let kind = Kind { color: corner.kind.color, shape };
    // Two specks are at two corners of many a rectangle.
    let frames = members.len() >= CORNERS || members.len() > 1 && members.iter().any(|it| size(it.bounds) != (1, 1));
    (frames && union == bounds).then_some(Slot { kind, bounds })
}

/// Columns and rows.
pub(super) fn size(it: Bounds) -> (u8, u8) {
    (it.width(), it.height())
}

/// Whether a slot is about as large as a piece.
pub(super) fn is_like(piece: (u8, u8), slot: Bounds) -> bool {
    let area = |(width, height): (u8, u8)| u16::from(width) * u16::from(height);
    let are_alike = |a: u16, b: u16, spare: u16| a <= LIKE * (b + spare) && b <= LIKE * (a + spare);
    let ((width, height), (columns, rows)) = (piece, size(slot));
    let side = |a: u8, b: u8| are_alike(a.into(), b.into(), 1);
    are_alike(area(piece), area(size(slot)), 0) && side(width, columns) && side(height, rows)
}

/// A region as places for so many pieces of this size side by side, two at least, where it is divided evenly by them.
pub(super) fn split((width, height): (u8, u8), region: Bounds, pieces: usize) -> Option<Vec<Bounds>> {
    let (columns, rows) = (region.width() / width.max(1), region.height() / height.max(1));
    let places = usize::from(columns) * usize::from(rows);
    let is_even = || region.width().is_multiple_of(columns) && region.height().is_multiple_of(rows);
    if pieces < 2 || !(pieces..=MOST).contains(&places) || !is_even() {
        return None;
    }
    let (width, height) = (region.width() / columns, region.height() / rows);
    let corners = (0..rows).flat_map(|row| (0..columns).map(move |column| (column * width, row * height)));
    let place = |(x, y): (u8, u8)| {
        let (left, top) = (region.left + x, region.top + y);
        Bounds { left, top, right: left + width - 1, bottom: top + height - 1 }
    };
    Some(corners.map(place).collect())
}

/// By how many cells the sides of a slot differ from those of a piece.
pub(super) fn misfit((width, height): (u8, u8), slot: Bounds) -> u8 {
    width.abs_diff(slot.width()).saturating_add(height.abs_diff(slot.height()))
}

#[cfg(test)]
mod tests {
    use env_client::Color;

    use super::*;

    /// The bounds of what four corners two columns and rows wide frame for a piece with this side, `side` cells apart.
    fn framed(apart: u8, side: u8) -> Option<Bounds> {
        let kind = Kind { color: Color::of(6), shape: 7 };
        let corner = |left: u8, top: u8| Slot { kind, bounds: Bounds { left, top, right: left + 1, bottom: top + 1 } };
        let far = 3 + apart;
        let parts = [corner(3, 3), corner(far, 3), corner(3, far), corner(far, far)];
        let slots = with_brackets(&parts, &[(side, side)].into());
        slots.into_iter().map(|it| it.bounds).find(|it| it.width() > 2)
    }

    #[test]
    fn specks_frame_a_slot_where_there_is_one_at_each_corner() {
        let kind = Kind { color: Color::of(6), shape: 7 };
        let speck = |left: u8, top: u8| Slot { kind, bounds: Bounds { left, top, right: left, bottom: top } };
        let parts = [speck(3, 3), speck(7, 7), speck(3, 7), speck(7, 3)];
        let framed = |parts: &[Slot]| with_brackets(parts, &[(5, 5)].into()).len() - parts.len();
        assert_eq!([framed(&parts[..2]), framed(&parts)], [0, 1]);
    }

    #[test]
    fn a_region_is_split_where_several_pieces_fit_into_it() {
        let region = Bounds { left: 50, top: 43, right: 55, bottom: 54 };
        let tops = |size, pieces| split(size, region, pieces).map(|it| it.iter().map(|it| it.top).collect::<Vec<u8>>());
        assert_eq!(tops((5, 5), 2), Some(vec![43, 49]));
        assert_eq!(tops((5, 5), 3), None, "too many");
        assert_eq!(tops((5, 5), 1), None, "one is on it wherever it is");
        assert_eq!(tops((4, 5), 2), Some(vec![43, 49]));
        assert_eq!(tops((6, 2), 2).map(|it| it.len()), Some(6));
    }

    #[test]
    fn a_bar_is_no_slot_of_a_square_of_its_area() {
        let bounds = |width: u8, height: u8| Bounds { left: 0, top: 0, right: width - 1, bottom: height - 1 };
        assert!(is_like((5, 5), bounds(6, 6)) && is_like((1, 4), bounds(2, 6)));
        assert!(!is_like((5, 5), bounds(40, 1)) && !is_like((5, 5), bounds(9, 9)));
    }

    #[test]
    fn a_piece_belongs_within_brackets_with_or_without_a_margin() {
        let square = |side: u8| Some(Bounds { left: 3, top: 3, right: 2 + side, bottom: 2 + side });
        assert_eq!(framed(5, 7), square(7), "as large as it is");
        assert_eq!(framed(5, 5), square(7), "a cell around it");
        assert_eq!(framed(9, 5), None, "too wide");
    }
}
