//! What a level may want filled: drawn outlines, with or without what they are drawn with; where there are none, the largest
//! thing, which has one colour.

use std::cmp::Reverse;

use env_client::{Color, Grid, Point};
use world_model::{Component, InterfaceMask, Scene, handling::Area};

/// Of cells that an outline is drawn with, at most so many for each that it encloses: where that looks as something larger
/// elsewhere, which may be hatched, and where it does not. It fills less than that fraction of a frame. Guesses.
const HATCHED: u32 = 6;
const THIN: u32 = 2;
const LARGE: u32 = 4;
/// It encloses at least so many cells.
const LEAST: u32 = 4;
/// Outlines of one level, more of which are a pattern.
const MOST: usize = 24;

/// What should be covered, and what of it in a colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Void {
    pub(super) area: Area,
    /// Dots in it, with their colour.
    pub(super) dots: Vec<(Area, Color)>,
    /// The colour of its outline.
    pub(super) rim: Color,
}

/// A drawn outline.
#[derive(Clone, Debug)]
struct Outline {
    own: Area,
    whole: Area,
    color: Color,
}

/// What of an outline is to be filled.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// All within it but what outlines in it enclose.
    Inside,
    /// What is of the commonest colour there.
    Plain,
    /// The outline itself, too.
    Whole,
}

/// All outlines, parts that touch at corners joined: an outline that is drawn within what it encloses has such corners.
fn outlines(frame: &Grid, mask: &InterfaceMask) -> Vec<Outline> {
    let scene = Scene::of(frame);
    let size = (frame.width(), frame.height());
    let cells = u32::from(size.0) * u32::from(size.1);
    let all = Area::of_components(frame, &scene).into_iter().zip(scene.components());
    let parts = all.filter(|(_, it)| it.color != scene.background() && !mask.hides(it.center));
    let mut drawn: Vec<(Area, Color)> = Vec::new();
    for (part, it) in parts {
        let touches = |other: &(Area, Color)| other.1 == it.color && other.0.meets(&part.grown());
        let (own, others): (Vec<_>, Vec<_>) = drawn.into_iter().partition(touches);
        drawn = others;
        drawn.push((own.iter().fold(part, |all, it| all.with(&it.0)), it.color));
    }
    let drawn = drawn.into_iter().map(|(own, color)| Outline { whole: own.filled(size), own, color });
    let largest = |color| scene.components().iter().filter(|it| it.color == color).map(|it| it.area).max();
    let is_outline = |it: &Outline| {
        let inside = it.whole.without(&it.own);
        let is_ground = |at: &Point| largest(frame[*at]).is_some_and(|area| u32::from(area) > it.whole.len());
        let most = if 2 * inside.iter().filter(is_ground).count() as u32 > inside.len() { HATCHED } else { THIN };
        inside.len() >= LEAST && it.own.len() <= most * inside.len() && it.whole.len() * LARGE < cells
    };
    drawn.filter(is_outline).collect()
}

/// The components that lie within some cells, with their colours.
fn parts(frame: &Grid, within: &Area) -> Vec<(Area, Color)> {
    let scene = Scene::of(frame);
    let all = Area::of_components(frame, &scene).into_iter().zip(scene.components());
    let cut = all.map(|(area, it)| (area.common(within), it.color));
    cut.filter(|(area, _)| !area.is_empty()).collect()
}

fn void(frame: &Grid, it: &Outline, inner: &Area, extent: Extent) -> Option<Void> {
    let inside = it.whole.without(&it.own).without(inner);
    let mut dots = parts(frame, &inside);
    let plain = dots.iter().max_by_key(|it| it.0.len()).map(|it| it.1)?;
    dots.retain(|it| it.1 != plain);
    let area = match extent {
        Extent::Inside => inside,
        Extent::Plain => dots.iter().fold(inside, |all, it| all.without(&it.0)),
        Extent::Whole => it.whole,
    };
    if matches!(extent, Extent::Plain) {
        dots.clear();
    }
    Some(Void { area, dots, rim: it.color })
}

/// The largest thing, where it is no ground: a case or a mat that pieces are laid on.
fn mat(frame: &Grid, mask: &InterfaceMask) -> Option<Void> {
    let scene = Scene::of(frame);
    let cells = u32::from(frame.width()) * u32::from(frame.height());
    let all = Area::of_components(frame, &scene).into_iter().zip(scene.components());
    let mut things: Vec<(Area, &Component)> =
        all.filter(|(_, it)| it.color != scene.background() && !mask.hides(it.center)).collect();
    things.sort_by_key(|(area, _)| Reverse(area.len()));
    let [(area, it), (next, _), ..] = things[..] else { return None };
    let is_one = area.len() > next.len() && area.len() * LARGE < cells;
    is_one.then(|| Void { area, dots: Vec::new(), rim: it.color })
}

/// What a level may want filled, likeliest first; all outlines of one such wish are alike.
pub(super) fn wishes(frame: &Grid, mask: &InterfaceMask) -> Vec<Vec<Void>> {
    let all = outlines(frame, mask);
    if all.is_empty() {
        return mat(frame, mask).map(|it| vec![it]).into_iter().collect();
    }
    if all.len() > MOST {
        return Vec::new();
    }
    let is_in = |a: &Outline, b: &Outline| a.own != b.own && a.whole.is_within(&b.whole.without(&b.own));
    let outer: Vec<&Outline> = all.iter().filter(|it| !all.iter().any(|other| is_in(it, other))).collect();
    let inner: Vec<&Outline> = all.iter().filter(|it| !all.iter().any(|other| is_in(other, it))).collect();
    let mut wishes: Vec<Vec<Void>> = Vec::new();
    for chosen in [outer, inner] {
        for extent in [Extent::Inside, Extent::Plain, Extent::Whole] {
            let holes = |it: &Outline| {
                let holes = all.iter().filter(|other| is_in(other, it));
                holes.fold(Area::EMPTY, |all, hole| all.with(&hole.whole))
            };
            let wish: Option<Vec<Void>> = chosen.iter().map(|it| void(frame, it, &holes(it), extent)).collect();
            wishes.extend(wish.filter(|wish| !wishes.contains(wish)));
        }
    }
    wishes
}

/// The cells that outlines are drawn with and enclose, or those of what is filled where there are none.
pub(super) fn drawn(frame: &Grid, mask: &InterfaceMask) -> Area {
    let all = outlines(frame, mask);
    let mat = || mat(frame, mask).map_or(Area::EMPTY, |it| it.area);
    if all.is_empty() { mat() } else { all.iter().fold(Area::EMPTY, |all, it| all.with(&it.whole)) }
}
