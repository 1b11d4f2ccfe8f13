//! Trails: what becomes of ground that pieces pass over, by what is drawn on it.
//!
//! Thin ice bears one passage and is water afterwards, wherever a piece slid over it and not only where it stopped. What
//! lay where a piece was and is drawn in one colour alone is left to [`super::ground`].

use env_client::{Color, Grid};
use rustc_hash::FxHashMap;

use super::Placement;
use crate::rules::{
    cell_set::CellSet,
    law::Verdict,
    sprite::{Sprite, Vector, color_at},
    view::View,
};

/// Pictures of ground that are remembered. A guess.
const MOST: usize = 64;

/// What a picture of ground becomes.
#[derive(Clone, Debug)]
struct Fate {
    becomes: Sprite,
    seen: u32,
    refuted: u32,
}

/// What pictures of ground were seen to become, by the key of the picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Trails(FxHashMap<u64, Fate>);

impl Trails {
    /// Learns from a piece that moved in a straight line, but where something else covers its way now.
    pub(super) fn learn(&mut self, view: &View<'_>, after: &Grid, sprite: &Sprite, it: &Placement, covered: &CellSet) {
        for corner in passed(sprite, it).filter(|corner| !sprite.square(*corner).any(|at| covered.contains(at))) {
            let Some(before) = ground(view, sprite, it, corner) else { continue };
            let (key, now, has_room) = (before.key(), Sprite::cut(after, corner, sprite.size), self.0.len() < MOST);
            match self.0.get_mut(&key) {
                Some(fate) if fate.becomes == now => fate.seen += 1,
                Some(fate) => fate.refuted += 1,
                None if before != now && has_room => {
                    self.0.insert(key, Fate { becomes: now, seen: 1, refuted: 0 });
                }
                None => {}
            }
        }
    }

    /// The cells that change where a piece passes, each with its next colour and how often that was seen.
    pub(super) fn left_by(&self, view: &View<'_>, sprite: &Sprite, it: &Placement) -> Vec<(Vector, Color, Verdict)> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let fate = |corner| {
            let fate = self.0.get(&ground(view, sprite, it, corner)?.key()).filter(|it| it.seen > it.refuted)?;
            Some((corner, fate))
        };
        let cells = |(corner, fate): (Vector, &Fate)| {
            let (seen, refuted) = (fate.seen, fate.refuted);
            let why = Verdict { outcome: 0, seen, refuted, features: 0, rank: 0 };
            fate.becomes.cells().iter().map(|(at, color)| (corner.plus(*at), *color, why)).collect::<Vec<_>>()
        };
        passed(sprite, it).filter_map(fate).flat_map(cells).collect()
    }
}

/// The corners of the places that a piece leaves and passes, a side of it from each other, if it moves in a straight line
/// by whole sides.
fn passed(sprite: &Sprite, it: &Placement) -> impl Iterator<Item = Vector> + use<> {
    let (came, size, start) = (it.came, sprite.size, it.instance.at);
    let (length, pitch) = if came.y == 0 { (came.x.abs(), size.x) } else { (came.y.abs(), size.y) };
    let is_straight = (came.x == 0) != (came.y == 0) && pitch > 0 && length % pitch == 0;
    let steps = if is_straight { length / pitch } else { 0 };
    let way = came.signum();
    (0..steps).map(move |step| start.plus(Vector::new(way.x * pitch * step, way.y * pitch * step)))
}

/// What is drawn on the ground in a place, where that is known; a piece that leaves it says nothing of one colour alone.
fn ground(view: &View<'_>, sprite: &Sprite, it: &Placement, corner: Vector) -> Option<Sprite> {
    if corner != it.instance.at {
        return Some(Sprite::cut(view.frame, corner, sprite.size));
    }
    let below = |at: Vector| view.under(at).or_else(|| view.canvas.get(at));
    let color = |at: Vector| if sprite.covers(corner, at) { below(at) } else { color_at(view.frame, at) };
    let cells: Option<Vec<(Vector, Color)>> =
        sprite.square(corner).map(|at| Some((at.minus(corner), color(at)?))).collect();
    cells.map(|cells| Sprite::new(cells, sprite.size)).filter(|it| it.colors().count_ones() > 1)
}
