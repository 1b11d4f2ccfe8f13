//! Where the brush is, and what it paints from there.

use env_client::{Color, Grid};
use world_model::Bounds;

use super::easel::Easel;

/// Poses that have this share of their cells in common, in tenths, are one: a brush may have got a handle. A guess.
const ALIKE: usize = 7;

/// The cells of the frame in which a brush is seen, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pose(Vec<(i16, i16)>);

impl FromIterator<(i16, i16)> for Pose {
    fn from_iter<T: IntoIterator<Item = (i16, i16)>>(cells: T) -> Pose {
        let mut cells: Vec<(i16, i16)> = cells.into_iter().collect();
        cells.sort_unstable();
        Pose(cells)
    }
}

impl Pose {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn cells(&self) -> &[(i16, i16)] {
        &self.0
    }

    /// Whether it lies on the canvas.
    pub(super) fn is_on(&self, canvas: Bounds) -> bool {
        let inside = |(x, y): &(i16, i16)| {
            (i16::from(canvas.left)..=canvas.right.into()).contains(x)
                && (i16::from(canvas.top)..=canvas.bottom.into()).contains(y)
        };
        self.0.iter().all(inside)
    }

    /// The same so many columns and rows further.
    pub(super) fn moved(&self, (dx, dy): (i16, i16)) -> Pose {
        Pose(self.0.iter().map(|(x, y)| (x + dx, y + dy)).collect())
    }

    /// By how much it has to be moved to become another one.
    pub(super) fn way_to(&self, other: &Pose) -> Option<(i16, i16)> {
        let (from, to) = (self.0.first()?, other.0.first()?);
        let by = (to.0 - from.0, to.1 - from.1);
        (self.0.len() == other.0.len() && self.moved(by) == *other).then_some(by)
    }

    /// The same turned or mirrored around the middle of a canvas.
    fn turned(&self, turn: Turn) -> Pose {
        self.0.iter().map(|at| turn.of(*at)).collect()
    }

    /// The same in all ways to turn it around the middle of a canvas.
    pub(super) fn turns(&self, canvas: Bounds) -> impl Iterator<Item = Pose> {
        Turn::all(canvas).map(|turn| self.turned(turn))
    }

    /// Whether it is another one, nearly.
    pub(super) fn is_like(&self, other: &Pose) -> bool {
        let both = self.0.iter().filter(|at| other.0.binary_search(at).is_ok()).count();
        10 * both >= ALIKE * (self.0.len() + other.0.len() - both) && both > 0
    }

    /// Its leftmost column and its topmost row.
    pub(super) fn corner(&self) -> (i16, i16) {
        let least = |along: fn(&(i16, i16)) -> i16| self.0.iter().map(along).min().unwrap_or_default();
        (least(|it| it.0), least(|it| it.1))
    }

    /// Twice its middle.
    pub(super) fn middle(&self) -> (i16, i16) {
        let bounds = |along: fn(&(i16, i16)) -> i16| {
            let (low, high) = (self.0.iter().map(along).min(), self.0.iter().map(along).max());
            low.unwrap_or_default() + high.unwrap_or_default()
        };
        (bounds(|it| it.0), bounds(|it| it.1))
    }
}

/// One of the eight ways to turn a square around its middle.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Twice the middle.
    middle: (i16, i16),
    number: u8,
}

impl Turn {
    /// All of them that turn a canvas into itself.
    fn all(canvas: Bounds) -> impl Iterator<Item = Turn> {
        let middle = |low: u8, high: u8| i16::from(low) + i16::from(high);
        let middle = (middle(canvas.left, canvas.right), middle(canvas.top, canvas.bottom));
        let count = if canvas.width() == canvas.height() { 8 } else { 4 };
        (0..count).map(move |number| Turn { middle, number })
    }

    fn of(self, (x, y): (i16, i16)) -> (i16, i16) {
        let (mut u, mut v) = (2 * x - self.middle.0, 2 * y - self.middle.1);
        if self.number & 1 == 1 {
            u = -u;
        }
        if self.number & 2 == 2 {
            v = -v;
        }
        if self.number & 4 == 4 {
            (u, v) = (v, u);
        }
        (i16::midpoint(u, self.middle.0), i16::midpoint(v, self.middle.1))
    }
}

/// A stroke that was seen: from where, and which cells of the canvas it paints, where that could be seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) pose: Pose,
    pub(super) paints: Told,
}

/// For each cell of a canvas whether it is painted, where anybody knows.
pub(super) type Told = Vec<Option<bool>>;

/// Whether nothing in one speaks against the other.
fn agree(one: &Told, other: &Told) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is_none() || other.is_none() || one == other)
}

/// Takes over what another one knows, unless they disagree.
fn complete(told: &mut Told, other: &Told) {
    if agree(told, other) {
        told.iter_mut().zip(other).for_each(|(told, other)| *told = told.or(*other));
    }
}

/// What a brush paints from a pose, told from strokes that were seen: there, or where it lay in the same way to the canvas,
/// turned around its middle or, on it, moved; else the tiles it touches, where all strokes painted those ([`tiles`]).
pub(super) fn painted_from(easel: Easel, pose: &Pose, seen: &[Seen], tile: Option<i16>) -> Told {
    let mut told = vec![None; easel.area()];
    let own = seen.iter().filter(|it| it.pose == *pose);
    own.for_each(|it| complete(&mut told, &it.paints));
    seen.iter().flat_map(|it| told_by(easel, pose, it)).for_each(|it| complete(&mut told, &it));
    if let Some(tiles) = tile.and_then(|tile| touched(easel, pose, tile)) {
        complete(&mut told, &tiles);
    }
    told
}

/// What one stroke tells of another pose.
fn told_by(easel: Easel, pose: &Pose, seen: &Seen) -> Vec<Told> {
    let cells = || easel.cells().map(|at| (i16::from(at.x()), i16::from(at.y()))).zip(seen.paints.iter().copied());
    let turns =
        Turn::all(easel.canvas).filter(|turn| !pose.is_on(easel.canvas) && seen.pose.turned(*turn).is_like(pose));
    let turned = turns.filter_map(|turn| told(easel, cells().map(|(at, paints)| (turn.of(at), paints))));
    let moved = seen.pose.way_to(pose).filter(|by| *by == (0, 0) || pose.is_on(easel.canvas));
    let moved = moved.and_then(|(dx, dy)| told(easel, cells().map(|((x, y), paints)| ((x + dx, y + dy), paints))));
    turned.chain(moved).collect()
}

/// Cells in order; `None` where some that are painted lie beside the canvas.
fn told(easel: Easel, cells: impl Iterator<Item = ((i16, i16), Option<bool>)>) -> Option<Told> {
    let mut told = vec![None; easel.area()];
    for (at, paints) in cells {
        match easel.index(at) {
            Some(index) => told[index] = paints,
            None if paints == Some(true) => return None,
            None => {}
        }
    }
    Some(told)
}

/// The tiles, as wide as this, that a brush on the canvas touches.
fn touched(easel: Easel, pose: &Pose, tile: i16) -> Option<Told> {
    if !pose.is_on(easel.canvas) {
        return None;
    }
    let (left, top) = (i16::from(easel.canvas.left), i16::from(easel.canvas.top));
    let corner = |(x, y): &(i16, i16)| ((x - left) / tile * tile + left, (y - top) / tile * tile + top);
    let cells = pose
        .cells()
        .iter()
        .map(corner)
        .flat_map(|(x, y)| (0..tile).flat_map(move |row| (0..tile).map(move |column| (x + column, y + row))));
    let touched = told(easel, cells.map(|at| (at, Some(true))))?;
    Some(touched.into_iter().map(|it| Some(it.is_some())).collect())
}

/// How wide the smallest tiles are of which all strokes painted those that the brush touched.
pub(super) fn tiles(easel: Easel, seen: &[Seen]) -> Option<i16> {
    let (width, height) = (i16::from(easel.canvas.width()), i16::from(easel.canvas.height()));
    let on: Vec<&Seen> = seen.iter().filter(|it| !it.pose.is_empty() && it.pose.is_on(easel.canvas)).collect();
    let is_right =
        |tile: &i16| on.iter().all(|it| touched(easel, &it.pose, *tile).is_some_and(|cells| agree(&it.paints, &cells)));
    let fits = |tile: &i16| width % tile == 0 && height % tile == 0;
    (2..=width.min(height) / 2).filter(fits).find(is_right).filter(|_| !on.is_empty())
}

/// The colour that the brush has on a canvas: the one that comes in some cells and goes in as many when it moves, and the
/// rarer one of two.
pub(super) fn color(easel: Easel, before: &Grid, after: &Grid) -> Option<Color> {
    let pairs = easel.cells().filter_map(|at| Some((before.get(at)?, after.get(at)?)));
    let changed: Vec<(Color, Color)> = pairs.filter(|(old, new)| old != new).collect();
    let is_moved = |color: &Color| {
        let gone = changed.iter().filter(|(old, _)| old == color).count();
        let come = changed.iter().filter(|(_, new)| new == color).count();
        gone > 0 && gone == come && gone + come == changed.len()
    };
    let cells = |color: &Color| easel.cells().filter(|at| before.get(*at) == Some(*color)).count();
    Color::ALL.into_iter().filter(is_moved).min_by_key(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A canvas of 4x4 cells at (4, 4).
    const EASEL: Easel = Easel {
        canvas: Bounds { left: 4, top: 4, right: 7, bottom: 7 },
        picture: Bounds { left: 20, top: 4, right: 23, bottom: 7 },
    };

    fn picture(told: &Told) -> String {
        let cell = |it: &Option<bool>| it.map_or('?', |paints| if paints { 'x' } else { '.' });
        told.chunks(4).map(|row| row.iter().map(cell).collect::<String>()).collect::<Vec<_>>().join("/")
    }

    fn seen(pose: &[(i16, i16)], paints: &str) -> Seen {
        let paints = paints.bytes().filter(|it| *it != b'/').map(|it| (it != b'?').then_some(it == b'x')).collect();
        Seen { pose: pose.iter().copied().collect(), paints }
    }

    fn from(cells: &[(i16, i16)], seen: &[Seen]) -> String {
        picture(&painted_from(EASEL, &cells.iter().copied().collect(), seen, tiles(EASEL, seen)))
    }

    #[test]
    fn what_is_painted_turns_with_the_brush_around_the_canvas() {
        let north = [seen(&[(5, 2), (6, 2)], "xxxx/xxxx/..../....")];
        assert_eq!(from(&[(5, 9), (6, 9)], &north), "..../..../xxxx/xxxx");
        assert_eq!(from(&[(9, 5), (9, 6)], &north), "..xx/..xx/..xx/..xx");
        assert_eq!(from(&[(9, 9)], &north), "????/????/????/????", "a corner is another case");
    }

    #[test]
    fn what_could_not_be_seen_is_told_by_symmetry() {
        let north = [seen(&[(5, 2), (6, 2)], "xxx?/xx??/..../....")];
        assert_eq!(from(&[(5, 2), (6, 2)], &north), "xxxx/xxxx/..../....");
        let half = [seen(&[(5, 2), (6, 2)], "x???/????/..../....")];
        assert_eq!(from(&[(5, 9), (6, 9)], &half), "..../..../????/x??x");
    }

    #[test]
    fn on_the_canvas_it_moves_along() {
        let corner = [seen(&[(4, 4)], "xx../xx../..../....")];
        assert_eq!(from(&[(6, 4)], &corner), "..xx/..xx/..../....");
        assert_eq!(from(&[(4, 4), (4, 6)], &corner), "xx../xx../xx../xx..", "by tiles");
    }

    #[test]
    fn what_was_seen_from_there_counts_more() {
        let both = [seen(&[(5, 2), (6, 2)], "xxxx/xxxx/..../...."), seen(&[(5, 9), (6, 9)], "..../..../..../xxxx")];
        assert_eq!(from(&[(5, 9), (6, 9)], &both), "..../..../..../xxxx");
    }
}
