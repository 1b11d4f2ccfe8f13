//! Holders in which pieces lie, with what is seen around these: things of one colour and width, apart from each other.

use std::collections::BTreeMap;

use env_client::{Color, Grid};

use super::{Build, HOLDERS, Holder, along, extents, is_upright, on};
use crate::{Bounds, Component, Scene};

/// The end of all hollow holders at which the first piece lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foot {
    /// The one that is closed, where the other is open.
    Closed,
    /// The right or the lower one.
    High,
    /// The left or the upper one.
    Low,
}

impl Foot {
    /// Likeliest first: where both ends look alike, pieces fall.
    pub(super) const ALL: [Foot; 3] = [Foot::Closed, Foot::High, Foot::Low];

    /// Whether that is the left or the upper end of this holder; `None` where it has no such end.
    fn is_low(self, frame: &Grid, it: &Component) -> Option<bool> {
        match self {
            Foot::High => Some(false),
            Foot::Low => Some(true),
            Foot::Closed => {
                let last = i16::from(extents(it.bounds).0) - 1;
                let is_closed = |far: i16| {
                    along(it.bounds, far).and_then(|at| frame.get(at)).is_some_and(|color| color == it.color)
                };
                let [low, high] = [0, last].map(is_closed);
                (low != high).then_some(low)
            }
        }
    }
}

/// The least number of cells from a piece to the next one in any hollow holder; `None` where none is nearer than a piece is
/// long.
pub(super) fn gap(scene: &Scene, all: &[Component]) -> Option<u8> {
    let apart = |holder: &Component| {
        let is_upright = is_upright(holder.bounds);
        let mut spans: Vec<(u8, u8)> =
            on(holder.bounds, all).into_iter().map(|it| span(it.bounds, is_upright)).collect();
        spans.sort_unstable();
        let gaps = spans.windows(2).map(|it| (it[1].0.saturating_sub(it[0].1 + 1), it[0].1 + 1 - it[0].0));
        gaps.filter(|(gap, side)| gap < side).map(|it| it.0).min()
    };
    hollows(scene, all).into_iter().filter_map(apart).min()
}

/// All hollow holders with these pieces.
pub(super) fn find(frame: &Grid, build: Build, foot: Foot, all: &[Component]) -> Vec<Holder> {
    let scene = Scene::of(frame);
    let known: Vec<(&Component, bool)> =
        hollows(&scene, all).into_iter().filter_map(|it| Some((it, foot.is_low(frame, it)?))).collect();
    let rises = known.iter().filter_map(|(it, is_low)| {
        on(it.bounds, all).into_iter().map(|piece| rise(it.bounds, piece.bounds, *is_low)).min()
    });
    let rise = rises.min().unwrap_or(0);
    let holder = |(it, is_low): (&Component, bool)| {
        let side = if is_upright(it.bounds) { build.size.1 } else { build.size.0 };
        let length = extents(it.bounds).0.saturating_sub(rise);
        let room = usize::from((length + build.gap) / (side + build.gap)).max(on(it.bounds, all).len());
        Holder { bounds: it.bounds, is_low: Some(is_low), rise, room, look: 1 << it.color.index() }
    };
    known.into_iter().map(holder).collect()
}

/// The things of one colour and width, at least two, that lie apart and in which most pieces lie in line.
fn hollows<'a>(scene: &'a Scene, all: &[Component]) -> Vec<&'a Component> {
    let mut groups: BTreeMap<(Color, bool, u8), Vec<&Component>> = BTreeMap::new();
    for it in scene.components().iter().filter(|it| it.color != scene.background() && may_hold(it.bounds, all)) {
        groups.entry((it.color, is_upright(it.bounds), extents(it.bounds).1)).or_default().push(it);
    }
    let are_apart = |group: &[&Component]| {
        let others = |index: usize| group[index + 1..].iter();
        group.iter().enumerate().all(|(index, it)| others(index).all(|other| it.bounds.overlap(other.bounds) == 0))
    };
    let held = |group: &[&Component]| group.iter().map(|it| on(it.bounds, all).len()).sum::<usize>();
    let groups = groups.into_values().filter(|it| (2..=HOLDERS).contains(&it.len()) && are_apart(it));
    groups.max_by_key(|it| held(it)).unwrap_or_default()
}

/// Whether a thing is wider than pieces and longer, and those in it lie in line.
fn may_hold(holder: Bounds, all: &[Component]) -> bool {
    let is_upright = is_upright(holder);
    let across = |it: Bounds| span(it, !is_upright);
    let mut lines = on(holder, all).into_iter().map(|it| across(it.bounds));
    let first = lines.next();
    let Some(piece) = all.first().map(|it| it.bounds) else { return false };
    let size = |span: (u8, u8)| span.1 - span.0;
    let is_roomy =
        size(across(holder)) > size(across(piece)) && size(span(holder, is_upright)) > size(span(piece, is_upright));
    is_roomy && lines.all(|it| Some(it) == first)
}

/// The first and the last row or column of a thing.
fn span(it: Bounds, is_upright: bool) -> (u8, u8) {
    if is_upright { (it.top, it.bottom) } else { (it.left, it.right) }
}

/// The cells from the foot of a holder to a piece in it.
fn rise(holder: Bounds, piece: Bounds, is_low: bool) -> u8 {
    let (whole, part) = (span(holder, is_upright(holder)), span(piece, is_upright(holder)));
    if is_low { part.0.saturating_sub(whole.0) } else { whole.1.saturating_sub(part.1) }
}
