//! Which components have a slot, and that they keep it from frame to frame.

use env_client::{Color, Grid, Point};

use super::batch::cell;
use crate::{Bounds, Component, Scene};

/// A component that has a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    color: Color,
    shape: u64,
    /// The rectangle around it.
    pub(super) bounds: Bounds,
    /// Its cells, as indices into the canvas, in order.
    pub(super) cells: Vec<u16>,
}

/// The slots of one frame; a slot may be empty.
pub(super) type Pieces = Vec<Option<Piece>>;

/// A component that would have a slot in no frame: larger than this share of the canvas, it is background.
const BACKGROUND: usize = 4;

/// Gives slots to components: first to those that have one already, then to what is clicked, what has changed and what
/// is small. What had no cell in common with a change is as likely to matter as its size is small, since figures are
/// smaller than the rooms they stand in.
pub(super) fn assign(
    frame: &Grid,
    side: usize,
    marked: impl Fn(Point) -> bool,
    before: &Pieces,
    count: usize,
) -> Pieces {
    let mut rest = candidates(frame, side, marked);
    let mut slots: Pieces = vec![None; count];
    for same_shape in [true, false] {
        for (slot, before) in slots.iter_mut().zip(before) {
            if let (None, Some(before)) = (&slot, before) {
                *slot = successor(before, &rest, same_shape).map(|at| rest.remove(at));
            }
        }
    }
    let mut rest = rest.into_iter();
    for slot in slots.iter_mut().filter(|slot| slot.is_none()) {
        *slot = rest.next();
    }
    slots
}

/// All components that may have a slot, the most interesting first.
fn candidates(frame: &Grid, side: usize, marked: impl Fn(Point) -> bool) -> Vec<Piece> {
    let scene = Scene::of(frame);
    let piece = |component: &Component| Piece {
        color: component.color,
        shape: component.shape,
        bounds: component.bounds,
        cells: Vec::new(),
    };
    let mut pieces: Vec<(bool, Piece)> = scene.components().iter().map(|component| (false, piece(component))).collect();
    for point in frame.points() {
        if let Some((mark, piece)) = scene.component_at(point).and_then(|owner| pieces.get_mut(owner)) {
            *mark |= marked(point);
            piece.cells.push(cell(point, side) as u16);
        }
    }
    pieces.retain(|(_, piece)| piece.cells.len() * BACKGROUND <= side * side);
    pieces.sort_by_key(|(mark, piece)| (!mark, piece.cells.len(), piece.cells.first().copied()));
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

/// The nearest candidate of the same colour, and of the same shape if that is asked for.
fn successor(before: &Piece, rest: &[Piece], same_shape: bool) -> Option<usize> {
    let fits = |piece: &Piece| piece.color == before.color && (!same_shape || piece.shape == before.shape);
    let candidates = rest.iter().enumerate().filter(|(_, piece)| fits(piece));
    candidates.min_by_key(|(at, piece)| (distance(piece.bounds, before.bounds), *at)).map(|(at, _)| at)
}

/// City-block distance of the top left corners.
fn distance(a: Bounds, b: Bounds) -> u16 {
    u16::from(a.left.abs_diff(b.left)) + u16::from(a.top.abs_diff(b.top))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(text: &str, before: &Pieces, marked: &[usize]) -> (Pieces, String) {
        let grid: Grid = text.parse().unwrap();
        let slots = assign(&grid, 4, |point| marked.contains(&cell(point, 4)), before, 3);
        let shown = slots.iter().map(|slot| slot.as_ref().map_or("-".to_owned(), |piece| piece.color.to_string()));
        let shown = shown.collect();
        (slots, shown)
    }

    #[test]
    fn what_is_marked_comes_first_then_what_is_small() {
        let frame = "1100\n0000\n2220\n0003\n";
        assert_eq!(colors(frame, &Vec::new(), &[]).1, "312");
        assert_eq!(colors(frame, &Vec::new(), &[9]).1, "231");
    }

    #[test]
    fn a_component_keeps_its_slot_when_it_moves() {
        let (slots, _) = colors("1100\n0000\n2220\n0003\n", &Vec::new(), &[9]);
        assert_eq!(colors("0110\n0000\n2220\n0003\n", &slots, &[1, 2]).1, "231");
        assert_eq!(colors("0110\n0000\n0000\n0003\n", &slots, &[]).1, "-31");
    }
}
