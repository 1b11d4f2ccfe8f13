//! The order in which a drawing beside the level tells to touch things: a line of patches, each in the colour of one of them.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};
use world_model::{Bounds, Component, Scene};

use super::things::{Kind, LARGE, Thing, Things};

/// Patches of which an order consists at least: two in a line may be anything. A guess.
const FEWEST: usize = 3;

/// Things more than a line that names a colour several times has patches; more are a pattern. A guess.
const SPARES: usize = 2;

/// Small components of a frame, more of which are a picture. A guess.
const MANY: usize = 150;

/// An order that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence {
    colors: Vec<Color>,
    /// How many things there were of each colour when it was read.
    counts: BTreeMap<Color, usize>,
    /// The boxes of the patches that tell it.
    strip: Vec<Bounds>,
    /// What the things look like, [`Component::shape`].
    shape: u64,
}

/// What is to be touched next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub(super) color: Color,
    /// Where it is now, if it goes its own way.
    pub(super) roams: Option<Thing>,
}

/// Where a thing stands in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It is the next one.
    Next,
    /// Others come before it.
    Later,
    /// It tells the order.
    Told,
}

impl Sequence {
    /// Reads the first frame of a level: a line of patches alike but for their colours, each of which a thing elsewhere has, and
    /// those are alike as well. A colour may come several times, of which there are as many things then, or more.
    pub(super) fn read(first: &Grid) -> Option<Sequence> {
        let scene = Scene::of(first);
        let small: Vec<&Component> = scene.components().iter().filter(|it| it.area <= LARGE).collect();
        if small.len() > MANY {
            return None;
        }
        let starts = small.iter().flat_map(|it| [false, true].map(|is_column| line(&small, it, is_column)));
        let told = starts.filter(|line| is_order(&small, line));
        told.max_by_key(Vec::len).map(|line| Sequence {
            colors: line.iter().map(|it| it.color).collect(),
            counts: counts(like(&small, &line).map(|it| it.color)),
            strip: line.iter().map(|it| it.bounds).collect(),
            shape: like(&small, &line).next().map_or(0, |it| it.shape),
        })
    }

    /// What is next in this frame, as long as any is left among these things, which hold still, or elsewhere in it.
    pub(super) fn next(&self, things: &Things, frame: &Grid) -> Option<Next> {
        let covered = things.covered();
        let are_left = |color: Color| {
            let alike = things.iter().filter(|(thing, _)| thing.kind.color == color && !covered.contains(thing));
            alike.filter(|(_, it)| !self.strip.contains(&it.bounds)).count()
        };
        let scene = Scene::of(frame);
        let roams = |color: Color| {
            let mut alike = scene.components().iter().filter(|it| it.color == color && it.shape == self.shape);
            let it = alike.find(|it| !self.strip.contains(&it.bounds))?;
            Some(Thing { kind: Kind { color, shape: it.shape }, at: Point::new(it.bounds.left, it.bounds.top).ok()? })
        };
        self.colors.iter().enumerate().find_map(|(index, color)| {
            let wanted = self.colors[..=index].iter().filter(|it| *it == color).count();
            let (left, start) = (are_left(*color), self.counts.get(color).copied().unwrap_or_default());
            let roams = if left == 0 { Some(roams(*color)?) } else { None };
            (left.max(1) + wanted > start).then_some(Next { color: *color, roams })
        })
    }

    /// Whether a cell belongs to the drawing that tells it.
    pub(super) fn tells(&self, at: Point) -> bool {
        self.strip.iter().any(|it| it.contains(at.x(), at.y()))
    }

    /// Where a thing stands in it, if it does.
    pub(super) fn turn(&self, next: Color, (thing, bounds): (Thing, Bounds)) -> Option<Turn> {
        match thing.kind.color {
            _ if self.strip.contains(&bounds) => Some(Turn::Told),
            color if color == next => Some(Turn::Next),
            color => self.colors.contains(&color).then_some(Turn::Later),
        }
    }
}

/// The components of one shape in a line from a first one on, as far as they lie equally far from each other.
fn line<'a>(small: &[&'a Component], first: &'a Component, is_column: bool) -> Vec<&'a Component> {
    let place = |it: Bounds| if is_column { (it.left, it.top) } else { (it.top, it.left) };
    let (across, start) = place(first.bounds);
    let mut alike: Vec<&Component> = small
        .iter()
        .copied()
        .filter(|it| {
            let (other, along) = place(it.bounds);
            it.shape == first.shape && other == across && along >= start
        })
        .collect();
    alike.sort_by_key(|it| place(it.bounds).1);
    let steps: Vec<u8> = alike.windows(2).map(|pair| place(pair[1].bounds).1 - place(pair[0].bounds).1).collect();
    let regular = steps.iter().take_while(|step| Some(*step) == steps.first()).count();
    alike.truncate(regular + 1);
    alike
}

/// What has the colours of a line elsewhere.
fn like<'a>(small: &[&'a Component], line: &[&Component]) -> impl Iterator<Item = &'a Component> {
    let is_like = |it: &&Component| {
        line.iter().any(|other| other.color == it.color) && line.iter().all(|other| other.bounds != it.bounds)
    };
    small.iter().copied().filter(is_like).collect::<Vec<_>>().into_iter()
}

/// How often each colour comes.
fn counts(colors: impl Iterator<Item = Color>) -> BTreeMap<Color, usize> {
    colors.fold(BTreeMap::new(), |mut counts, color| {
        *counts.entry(color).or_default() += 1;
        counts
    })
}

/// Whether a line tells an order of things elsewhere, which do not lie in a line themselves. Where it names a colour several
/// times, things look as it shows them.
fn is_order(small: &[&Component], line: &[&Component]) -> bool {
    let told = counts(line.iter().map(|it| it.color));
    let things: Vec<&Component> = like(small, line).collect();
    let found = counts(things.iter().map(|it| it.color));
    let alike = things.windows(2).all(|pair| pair[0].shape == pair[1].shape);
    let tops: BTreeSet<u8> = things.iter().map(|it| it.bounds.top).collect();
    let lefts: BTreeSet<u8> = things.iter().map(|it| it.bounds.left).collect();
    let (is_single, is_scattered) = (told.len() == line.len(), tops.len() > 1 && lefts.len() > 1);
    let are_there = told.iter().all(|(color, count)| found.get(color).is_some_and(|it| it >= count));
    let spares = if is_single { 0 } else { SPARES };
    let fits = things.len() <= line.len() + spares && (is_single || things.iter().all(|it| it.shape == line[0].shape));
    line.len() >= FEWEST && told.len() > 1 && are_there && fits && alike && is_scattered
}

#[cfg(test)]
mod tests {
    use world_model::InterfaceMask;

    use super::{super::things::Under, *};

    const STRIP: &str = "800c00b\n0000000\n0000000\n";

    fn read(level: &str) -> Option<Vec<usize>> {
        let frame: Grid = [STRIP, level].concat().parse().unwrap();
        Sequence::read(&frame).map(|it| it.colors.iter().map(|color| color.index()).collect())
    }

    #[test]
    fn a_line_of_patches_tells_the_order_of_things_in_their_colours() {
        assert_eq!(read("00000b0\n0c00000\n0000080"), Some(vec![8, 12, 11]));
        assert_eq!(read("00000b0\n0000000\n0000080"), None, "one is missing");
        assert_eq!(read("00000b0\n0c000c0\n0000080"), None, "which one?");
        assert_eq!(read("0000000\n0c0b080\n0000000"), None, "two lines tell each other");
    }

    #[test]
    fn what_was_taken_makes_room_for_the_next() {
        let first: Grid = [STRIP, "00000b0\n0c00000\n0000080"].concat().parse().unwrap();
        let sequence = Sequence::read(&first).unwrap();
        let next = |frame: &Grid| {
            let next = sequence.next(&Things::of(frame, &InterfaceMask::new(), &[], Under::default()), frame);
            next.map(|it| (it.color.index(), it.roams))
        };
        assert_eq!(next(&first), Some((8, None)));
        let mut later = first.clone();
        later.set(Point::new(5, 5).unwrap(), first[Point::new(0, 1).unwrap()]);
        assert_eq!(next(&later), Some((12, None)));
    }

    #[test]
    fn what_goes_its_own_way_is_still_the_next() {
        let first: Grid = [STRIP, "00000b0\n0c00000\n0000080"].concat().parse().unwrap();
        let still: Grid = [STRIP, "00000b0\n0c00000\n0000000"].concat().parse().unwrap();
        let sequence = Sequence::read(&first).unwrap();
        let things = Things::of(&still, &InterfaceMask::new(), &[], Under::default());
        let next = sequence.next(&things, &first).unwrap();
        assert_eq!((next.color.index(), next.roams.map(|it| it.at)), (8, Point::new(5, 5).ok()));
    }

    #[test]
    fn a_colour_may_come_several_times() {
        let strip = |level: &str| -> Grid { ["800c008\n0000000\n0000000\n", level].concat().parse().unwrap() };
        let first = strip("00000c0\n0800000\n0008000");
        let sequence = Sequence::read(&first).expect("eight, twelve, eight");
        let next = |frame: &Grid| {
            let things = Things::of(frame, &InterfaceMask::new(), &[], Under::default());
            sequence.next(&things, frame).map(|it| it.color.index())
        };
        assert_eq!(next(&first), Some(8));
        assert_eq!(next(&strip("00000c0\n0000000\n0008000")), Some(12));
        assert_eq!(next(&strip("0000000\n0000000\n0008000")), Some(8));
        assert_eq!(Sequence::read(&strip("00000c0\n0800000\n0000000")), None, "one is missing");
        assert_eq!(Sequence::read(&strip("08080c0\n0800080\n0008000")), None, "a pattern");
    }
}
