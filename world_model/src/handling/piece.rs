//! One thing that may be picked up: which cells it covers, and how it lies.

use env_client::{Color, Grid, Point};

use super::{Area, Place};
use crate::{InterfaceMask, Scene};

/// A piece has at least so many cells, and less than that fraction of a frame. Guesses.
const LEAST: u32 = 4;
const LARGE: u32 = 8;
/// That fraction of the outermost cells of a frame is much. A guess.
const MUCH: usize = 4;
/// Cells beside a piece that belong to how it is marked as picked. A guess.
const MARK: usize = 2;

/// What is known of whether a piece can be picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Nobody tried.
    #[default]
    Unknown,
    /// It was picked, or moved.
    Loose,
    /// A click on it did nothing.
    Fixed,
}

/// A piece where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The colour of most of it.
    pub color: Color,
    /// Its cells, holes included.
    pub area: Area,
    /// Whether it can be picked.
    pub hold: Hold,
    /// Whether it can be turned, once that is known.
    pub turns: Option<bool>,
    /// Whether it stopped another one, before anybody knew that it can be picked.
    pub(super) stops: bool,
    /// Its cells where the level began.
    pub(super) home: Area,
}

impl Piece {
    pub(super) fn new(frame: &Grid, area: &Area) -> Piece {
        let mut counts = [0u32; Color::COUNT];
        area.iter().for_each(|at| counts[frame[at].index()] += 1);
        let color = Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).unwrap_or_default();
        Piece { color, area: *area, hold: Hold::Unknown, turns: None, stops: false, home: *area }
    }

    /// The cells that show that it is picked, if any do.
    pub(super) fn near(&self) -> Area {
        (0..MARK).fold(self.area, |area, _| area.grown())
    }

    /// Where to click it such that no other one is meant.
    pub fn grab(&self, others: &Area) -> Option<Point> {
        let free = self.area.without(others);
        let cells: Vec<Point> = if free.is_empty() { self.area } else { free }.iter().collect();
        let middle = |of: &dyn Fn(&Point) -> u8| cells.iter().map(|it| u32::from(of(it))).sum::<u32>();
        let count = u32::try_from(cells.len()).ok().filter(|it| *it > 0)?;
        let (x, y) = (middle(&|it| it.x()) / count, middle(&|it| it.y()) / count);
        cells.into_iter().min_by_key(|it| (u32::from(it.x()).abs_diff(x) + u32::from(it.y()).abs_diff(y), *it))
    }

    /// Whether it is as if it had been moved from one frame to the next: what it covers then looks as it looked, and of
    /// what it left and came onto most looks different, or some where it was expected to move so.
    pub(super) fn has_moved(
        &self,
        (before, after): (&Grid, &Grid),
        (by, is_expected): (Place, bool),
        changed: &Area,
    ) -> bool {
        let Some(to) = self.area.shifted(by) else { return false };
        let (left, met) = (self.area.without(&to), to.without(&self.area));
        let least = if is_expected { 1 } else { 3 };
        let stays = |it: &Area| 4 * it.common(changed).len() < least * it.len();
        if left.is_empty() || stays(&left.with(&met)) || !is_expected && (stays(&left) || stays(&met)) {
            return false;
        }
        let (x, y) = (by.0 as i8, by.1 as i8);
        let is_kept = |at: &Point| at.offset(x, y).and_then(|to| after.get(to)) == before.get(*at);
        let kept = self.area.iter().filter(is_kept).count() as u32;
        8 * kept >= 7 * self.area.len()
    }
}

/// The colours, as bits, that much of the outermost cells of a frame have: seams of a table, which are no part of what lies on it.
fn rim(frame: &Grid) -> u16 {
    let (right, bottom) = (frame.width() - 1, frame.height() - 1);
    let is_outermost = |at: &Point| at.x() == 0 || at.y() == 0 || at.x() == right || at.y() == bottom;
    let mut counts = [0usize; Color::COUNT];
    frame.points().filter(is_outermost).for_each(|at| counts[frame[at].index()] += 1);
    let all: usize = counts.iter().sum();
    (0..Color::COUNT).filter(|it| MUCH * counts[*it] > all).fold(0, |colors, it| colors | 1 << it)
}

/// What may be pieces in a frame: components with all that they enclose, each alone or joined with all it touches.
pub(super) fn bodies(frame: &Grid, mask: &InterfaceMask, are_joined: bool) -> Vec<Piece> {
    let scene = Scene::of(frame);
    let size = (frame.width(), frame.height());
    let parts = Area::of_components(frame, &scene);
    let table = if are_joined { rim(frame) } else { 0 };
    let is_body = |index: &usize| {
        let it = &scene.components()[*index];
        let is_table = it.color == scene.background() || table >> it.color.index() & 1 == 1;
        !is_table && !scene.is_ground(*index) && !mask.hides(it.center)
    };
    let bodies = (0..parts.len()).filter(is_body).map(|index| parts[index].filled(size));
    let mut wholes: Vec<Area> = Vec::new();
    for body in bodies {
        let belongs = |other: &Area| body.is_within(other) || are_joined && body.touches(other);
        let (inside, apart): (Vec<Area>, Vec<Area>) =
            wholes.into_iter().partition(|it| belongs(it) || it.is_within(&body));
        wholes = apart;
        wholes.push(inside.iter().fold(body, |all, it| all.with(it)).filled(size));
    }
    wholes.retain(|it| it.len() >= LEAST);
    wholes.sort_by_key(Area::first);
    wholes.iter().map(|area| Piece::new(frame, area)).collect()
}

/// Whether an area is as large as a piece of a frame may be.
pub(super) fn is_piece(area: &Area, (width, height): (u8, u8)) -> bool {
    area.len() >= LEAST && LARGE * area.len() < u32::from(width) * u32::from(height)
}
