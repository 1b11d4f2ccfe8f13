//! Where stacks stand, and what lies in them.

use std::collections::BTreeSet;

use env_client::{Color, Grid, Point};

use super::{Layout, Tile};
use crate::{Bounds, InterfaceMask, Scene, divisor::divisor};

/// Stacks of one level, more of which are none, and the least height of a tile. Guesses.
const STACKS: usize = 12;
const LEAST: u8 = 2;
/// Into so many parts the way between two stacks is divided at most, to find such as are empty.
const PARTS: i16 = 4;

/// What tiles of a game measure, and what is seen where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// The height of a tile, and its width where that is the same for all.
    unit: i16,
    width: Option<i16>,
    /// Colours, as a set.
    bare: u16,
}

/// One tile that lies elsewhere now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    from: Bounds,
    to: Bounds,
    /// What is seen where it was, and was seen where it is.
    bare: u16,
}

impl Shift {
    /// The tile that went from one place to another by two clicks, if nothing else changed; the places lie side by side, the one
    /// nearer to the first click and the other to the second.
    pub(super) fn between([old, new]: [&Grid; 2], mask: &InterfaceMask, [first, second]: [Point; 2]) -> Option<Shift> {
        let changed: Vec<Point> = old.differences(new)?.filter(|at| !mask.hides(*at)).collect();
        let columns: BTreeSet<u8> = changed.iter().map(|at| at.x()).collect();
        // What changes elsewhere, as a light does when a stack is full, is left out.
        let nearer = |click: Point| {
            let near = *columns.iter().min_by_key(|x| x.abs_diff(click.x()))?;
            let left = (0..=near).rev().take_while(|x| columns.contains(x)).last()?;
            let right = (near..=u8::MAX).take_while(|x| columns.contains(x)).last()?;
            let cells = changed.iter().filter(|at| (left..=right).contains(&at.x()));
            Bounds::around(cells.copied())
        };
        let (from, to) = (nearer(first)?, nearer(second)?);
        let is_alike = (from.width(), from.height()) == (to.width(), to.height()) && from.height() >= LEAST;
        let is_same = is_alike && from.points().zip(to.points()).all(|(from, to)| old[from] == new[to]);
        let at = |it: Bounds| Point::new(middle(it), i16::from(it.top) + i16::from(it.height()) / 2).ok();
        let (a, b) = (at(from)?, at(to)?);
        (from != to && is_same).then(|| Shift { from, to, bare: 1 << new[a].index() | 1 << old[b].index() })
    }

    pub(super) fn manner(&self) -> Manner {
        Manner { unit: self.from.height().into(), width: None, bare: self.bare }
    }

    pub(super) fn centers(&self) -> [i16; 2] {
        [middle(self.from), middle(self.to)]
    }
}

/// The stacks of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    manner: Manner,
    /// The middles of all stacks, in order.
    middles: Vec<i16>,
    /// The line below the lowest tiles.
    floor: i16,
}

impl Lanes {
    /// The stacks of another level: where all tiles are alike they may be larger or smaller there.
    pub(super) fn find_again(frame: &Grid, mask: &InterfaceMask, manner: Manner) -> Option<Lanes> {
        let scene = Scene::of(frame);
        let scaled = manner.width.into_iter().flat_map(|width| {
            let widths: BTreeSet<i16> = scene.components().iter().map(|it| i16::from(it.bounds.width())).collect();
            widths
                .into_iter()
                .filter(move |it| it * manner.unit % width == 0)
                .map(move |it| (it * manner.unit / width, Some(it)))
        });
        let measures = std::iter::once((manner.unit, manner.width)).chain(scaled).filter(|it| it.0 >= LEAST.into());
        let all = measures.filter_map(|(unit, width)| {
            let lanes = Lanes::find(frame, mask, Manner { unit, width, ..manner }, &[])?;
            (width.is_none() || lanes.manner(frame).width == width).then_some(lanes)
        });
        all.max_by_key(|lanes| lanes.read(frame).concat().len())
    }

    /// The stacks of a frame in which no tile is held; `known` are the middles of some. `None` where there are none, or one.
    pub(super) fn find(frame: &Grid, mask: &InterfaceMask, manner: Manner, known: &[i16]) -> Option<Lanes> {
        let scene = Scene::of(frame);
        let is_tile = |color: Color, it: Bounds, area: u16| {
            let cells = u32::from(it.width()) * u32::from(it.height());
            // Like tiles that lie on each other are one thing; what is higher than half a frame is a wall. A guess.
            let is_high = i16::from(it.height()) % manner.unit == 0
                && i16::from(it.height()) < i16::from(frame.height()) / 2 + manner.unit;
            is_high && u32::from(area) == cells && manner.bare & 1 << color.index() == 0
        };
        let parts =
            scene.components().iter().filter(|it| !mask.hides(it.center) && is_tile(it.color, it.bounds, it.area));
        let parts: Vec<Bounds> = parts.map(|it| it.bounds).collect();
        let is_known = |it: &&Bounds| known.is_empty() || known.contains(&middle(**it));
        let floor = parts.iter().filter(is_known).map(|it| i16::from(it.bottom) + 1).max()?;
        let stands = |x: i16| parts.iter().any(|it| middle(*it) == x && i16::from(it.bottom) + 1 == floor);
        let standing: BTreeSet<i16> =
            parts.iter().map(|it| middle(*it)).filter(|x| stands(*x)).chain(known.iter().copied()).collect();
        let mut lanes = Lanes { manner, middles: standing.into_iter().collect(), floor };
        lanes.add_empty(frame);
        lanes.strip(frame);
        (2..=STACKS).contains(&lanes.middles.len()).then_some(lanes)
    }

    /// Adds the stacks in line with those that are known in which nothing lies: they look as those do where nothing lies, and
    /// below.
    fn add_empty(&mut self, frame: &Grid) {
        let (Some(first), Some(step)) = (self.middles.first().copied(), self.step()) else { return };
        let color = |x: i16, y: i16| Point::new(x, y).ok().and_then(|at| frame.get(at));
        let below = self.floor + self.manner.unit / 2;
        let (ground, common) = (color(first, below), common(frame));
        let is_bare = |it: Color| self.manner.bare & 1 << it.index() != 0;
        let looks_empty = |x: i16| {
            let inside = color(x, self.floor - self.manner.unit / 2);
            let is_seen = inside != Some(common) || ground.is_some_and(|it| it != common);
            inside.is_some_and(is_bare) && color(x, below) == ground && is_seen
        };
        let steps =
            (1..=PARTS).filter(|parts| step % parts == 0 && step / parts > self.manner.unit).map(|parts| step / parts);
        let width = i16::from(frame.width());
        let places = steps.flat_map(|step| (first % step..width).step_by(step as usize));
        let empty: BTreeSet<i16> = places.filter(|x| !self.middles.contains(x) && looks_empty(*x)).collect();
        self.middles.extend(empty);
        self.middles.sort_unstable();
    }

    /// The greatest distance that all stacks lie apart by multiples of.
    fn step(&self) -> Option<i16> {
        let apart = self.middles.windows(2).map(|it| it[1] - it[0]);
        apart.reduce(divisor).filter(|step| *step > 0)
    }

    /// What lies lowest in all stacks and nowhere else is the floor.
    fn strip(&mut self, frame: &Grid) {
        let layout = self.read(frame);
        let Some(lowest) = layout.first().and_then(|it| it.first()).map(|it| it.color) else { return };
        let is_floor = |stack: &Vec<Tile>| {
            stack.first().is_some_and(|it| it.color == lowest) && stack[1..].iter().all(|it| it.color != lowest)
        };
        if layout.iter().all(is_floor) {
            self.floor -= self.manner.unit;
        }
    }

    /// What lies in every stack.
    pub(super) fn read(&self, frame: &Grid) -> Layout {
        let tile = |x: i16, index: usize| {
            let y = self.floor - self.manner.unit * index as i16 - self.manner.unit / 2 - self.manner.unit % 2;
            let at = Point::new(x, y).ok()?;
            let color = frame.get(at).filter(|it| self.manner.bare & 1 << it.index() == 0)?;
            let run = |ahead: &mut dyn Iterator<Item = i16>| {
                ahead.take_while(|x| Point::new(*x, y).is_ok_and(|at| frame.get(at) == Some(color))).count()
            };
            let width = 1 + run(&mut (x + 1..i16::from(frame.width()))) + run(&mut (0..x).rev());
            Some(Tile { color, width: width as u8, form: 0 })
        };
        self.middles.iter().map(|x| (0..).map_while(|index| tile(*x, index)).collect()).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.middles.len()
    }

    /// The stack that stands nearest to a place.
    pub(super) fn at(&self, at: Point) -> Option<usize> {
        let far = |stack: &usize| (self.middles[*stack] - i16::from(at.x())).abs();
        (0..self.len()).min_by_key(far).filter(|it| far(it) <= self.manner.unit)
    }

    /// What tiles measure, as this frame shows it.
    pub(super) fn manner(&self, frame: &Grid) -> Manner {
        let widths: BTreeSet<u8> = self.read(frame).concat().iter().map(|it| it.width).collect();
        let width = widths.first().filter(|_| widths.len() == 1).map(|it| i16::from(*it));
        Manner { width, ..self.manner }
    }

    /// Where to click on a stack that holds so many tiles: on the uppermost, or where the first would lie.
    pub(super) fn point(&self, stack: usize, tiles: usize) -> Option<Point> {
        let index = tiles.saturating_sub(1) as i16;
        Point::new(
            *self.middles.get(stack)?,
            self.floor - self.manner.unit * index - self.manner.unit / 2 - self.manner.unit % 2,
        )
        .ok()
    }
}

/// The column in the middle.
fn middle(it: Bounds) -> i16 {
    i16::midpoint(it.left.into(), it.right.into())
}

/// The colour of most cells.
fn common(frame: &Grid) -> Color {
    let mut counts = [0u32; Color::COUNT];
    frame.cells().iter().for_each(|color| counts[color.index()] += 1);
    Color::ALL.into_iter().max_by_key(|it| counts[it.index()]).unwrap_or_default()
}
