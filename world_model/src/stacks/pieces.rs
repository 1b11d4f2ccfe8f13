//! Drawn pieces of one size: which one went elsewhere, and what is seen between neighbours.

use std::cmp::Reverse;

use env_client::{Color, Grid, Point};

use crate::{Bounds, Component, InterfaceMask, Scene};

/// The least and the greatest side of a piece. Guesses.
pub(super) const SIDES: std::ops::RangeInclusive<u8> = 3..=20;

/// Width and height of a piece.
pub(super) type Size = (u8, u8);

pub(super) fn size(it: Bounds) -> Size {
    (it.width(), it.height())
}

fn is_piece(scene: &Scene, it: &Component) -> bool {
    SIDES.contains(&it.bounds.width()) && SIDES.contains(&it.bounds.height()) && it.color != scene.background()
}

/// Where the one piece was that is elsewhere in the later frame, and where it is; `None` where others of its size changed too.
/// What changes besides, as what holds pieces does, is left out.
pub(super) fn moved([old, new]: [&Grid; 2], mask: &InterfaceMask) -> Option<[Bounds; 2]> {
    let scenes = [Scene::of(old), Scene::of(new)];
    let alone_in = |here: &Scene, there: &Scene| {
        let is_there = |it: &Component| {
            let is_same =
                |other: &Component| (other.color, other.shape, other.bounds) == (it.color, it.shape, it.bounds);
            there.components().iter().any(is_same)
        };
        let all = here.components().iter().filter(|it| is_piece(here, it) && !mask.hides(it.center) && !is_there(it));
        all.cloned().collect::<Vec<Component>>()
    };
    let (gone, came) = (alone_in(&scenes[0], &scenes[1]), alone_in(&scenes[1], &scenes[0]));
    let look = |it: &Component| (it.color, it.form, size(it.bounds));
    let pairs =
        gone.iter().flat_map(|one| came.iter().filter(move |it| look(it) == look(one)).map(move |it| (one, it)));
    let (from, to) = pairs.max_by_key(|it| it.0.area)?;
    let count = |all: &[Component]| all.iter().filter(|it| size(it.bounds) == size(from.bounds)).count();
    let is_one = count(&gone) == 1 && count(&came) == 1 && from.bounds.overlap(to.bounds) == 0;
    is_one.then_some([from.bounds, to.bounds])
}

/// The pieces of this size, but for what has one of these colours. Of two that overlap the one with fewer cells is none.
pub(super) fn pieces(scene: &Scene, wanted: Size, without: u16) -> Vec<Component> {
    let is_wanted =
        |it: &&Component| size(it.bounds) == wanted && is_piece(scene, it) && without & 1 << it.color.index() == 0;
    let mut all: Vec<&Component> = scene.components().iter().filter(is_wanted).collect();
    all.sort_by_key(|it| Reverse(it.area));
    let mut pieces: Vec<Component> = Vec::new();
    for it in all {
        if pieces.iter().all(|other| other.bounds.overlap(it.bounds) == 0) {
            pieces.push(it.clone());
        }
    }
    pieces
}

/// The cells between neighbours in a row or a column, and the colours of what goes from the middle of one to that of the other:
/// it is narrower than they are, and is no ground.
pub(super) fn seams(frame: &Grid, pieces: &[Component], ground: Color) -> Vec<(u8, u16)> {
    let pairs = pieces.iter().flat_map(|one| pieces.iter().map(move |other| (one.bounds, other.bounds)));
    pairs.filter_map(|(one, other)| seam(frame, one, other, ground)).collect()
}

fn seam(frame: &Grid, one: Bounds, other: Bounds, ground: Color) -> Option<(u8, u16)> {
    let is_row = one.top == other.top && other.left > one.right;
    let is_column = one.left == other.left && other.top > one.bottom;
    let at = one.middle();
    let (gap, side, across) = if is_row {
        (other.left - one.right - 1, one.width(), one.height())
    } else {
        (other.top.checked_sub(one.bottom + 1)?, one.height(), one.width())
    };
    let step = |by: u8| {
        if is_row { Point::new(one.right + 1 + by, at.y()) } else { Point::new(at.x(), one.bottom + 1 + by) }.ok()
    };
    let thickness = |at: Point, color: Color| {
        let beside = |by: i16| {
            let (dx, dy) = if is_row { (0, by) } else { (by, 0) };
            Point::new(i16::from(at.x()) + dx, i16::from(at.y()) + dy).ok().and_then(|it| frame.get(it))
        };
        let run = |sign: i16| (1..=i16::from(across)).take_while(|it| beside(sign * it) == Some(color)).count();
        1 + run(1) + run(-1)
    };
    let color = |by: u8| {
        let (at, color) = step(by).and_then(|at| Some((at, frame.get(at)?)))?;
        (color != ground && thickness(at, color) < across.into()).then_some(1 << color.index())
    };
    if !(is_row || is_column) || gap >= side {
        return None;
    }
    let colors = (0..gap).try_fold(0u16, |all, by| Some(all | color(by)?))?;
    Some((gap, colors))
}
