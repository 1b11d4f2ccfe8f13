//! What a step moved: single things, and wholes of several of one colour that touch at their corners.
//!
//! Components are joined by edges alone, so that what is drawn with gaps falls into parts. Parts that move as one are one
//! piece, whose middle is not theirs; a part that ever moved without the others is a piece of its own.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};

use super::{
    picture::{Middle, Picture},
    things::{Kind, SIDES, Thing, Things},
};

/// More things of one look than this that moved at once are no parts of one piece. A guess.
const PARTS: usize = 8;

/// A thing that was seen to be elsewhere after a step.
#[derive(Clone, Copy, Debug)]
struct Shift {
    gone: Thing,
    came: Thing,
}

impl Shift {
    fn by(&self) -> (i16, i16) {
        let along = |a: u8, b: u8| i16::from(b) - i16::from(a);
        (along(self.gone.at.x(), self.came.at.x()), along(self.gone.at.y(), self.came.at.y()))
    }
}

/// Kinds of pieces that were moved, and what they look like.
#[derive(Debug, Default)]
pub(super) struct Moved {
    pictures: BTreeMap<Kind, Picture>,
    /// The kinds of the parts of those that are wholes.
    wholes: BTreeMap<Kind, BTreeSet<Kind>>,
    /// Kinds of which one moved and nothing beside it.
    alone: BTreeSet<Kind>,
}

impl Moved {
    /// Looks for things that were moved: the only ones of their kind that are gone and the only ones that came, as many, unless
    /// pieces merely came to lie on the one and left the other.
    pub(super) fn watch(&mut self, before: &Things, after: &Things, frame: &Grid) {
        let mut groups: BTreeMap<(Color, (i16, i16)), Vec<Shift>> = BTreeMap::new();
        for shift in shifts(before, after) {
            groups.entry((shift.gone.kind.color, shift.by())).or_default().push(shift);
        }
        let wholes = groups.into_values().flat_map(|shifts| wholes(&shifts, after));
        for whole in wholes.filter(|it| !are_still(it, before, after)) {
            match whole.as_slice() {
                [shift] => self.learn_one(shift, (before, after), frame),
                parts => self.learn_whole(parts, after, frame),
            }
        }
    }

    fn learn_one(&mut self, shift: &Shift, (before, after): (&Things, &Things), frame: &Grid) {
        let is_covered = after.covers(before, shift.gone) && before.covers(after, shift.came);
        if let Some(picture) = after.picture(frame, shift.came).filter(|_| !is_covered) {
            self.alone.insert(shift.came.kind);
            self.pictures.insert(shift.came.kind, picture);
        }
    }

    fn learn_whole(&mut self, parts: &[Shift], after: &Things, frame: &Grid) {
        let kinds: BTreeSet<Kind> = parts.iter().map(|it| it.came.kind).collect();
        let cells: Vec<Point> = parts.iter().flat_map(|it| after.cells(it.came)).collect();
        if let Some(picture) = Picture::covering(frame, &cells).filter(|_| kinds.is_disjoint(&self.alone)) {
            let kind = whole(parts.iter().map(|it| it.came.kind));
            self.pictures.insert(kind, picture);
            self.wholes.insert(kind, kinds);
        }
    }

    /// Whether it moves, as a whole or as a part of one.
    pub(super) fn contains(&self, kind: Kind) -> bool {
        self.pictures.contains_key(&kind) || self.wholes.values().any(|parts| parts.contains(&kind))
    }

    /// The pieces that were moved, by kind, and what they look like.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Kind, &Picture)> {
        let is_whole = |kind: &Kind| self.wholes.get(kind).is_none_or(|parts| parts.is_disjoint(&self.alone));
        self.pictures.iter().filter(move |(kind, _)| is_whole(kind)).map(|(kind, picture)| (*kind, picture))
    }

    /// A frame without the pieces that touch something else of their colour, which would be one thing with them, and where
    /// they are.
    pub(super) fn apart(&self, frame: &Grid) -> (Grid, Vec<(Kind, Middle)>) {
        let (mut bare, mut places) = (frame.clone(), Vec::new());
        for (kind, picture) in self.pieces() {
            for (place, cells) in picture.find_touching(frame) {
                let ground = ground(frame, &cells);
                for at in cells {
                    bare.set(at, ground.unwrap_or(kind.color));
                }
                places.push((kind, place));
            }
        }
        (bare, places)
    }

    /// The pieces among these, each a piece of a frame, that have the shape of one that was moved, whatever their colours are.
    pub(super) fn akin(&self, frame: &Grid, things: &Things, kin: &[Vec<Point>]) -> Vec<(Kind, Picture)> {
        let is_alike = |kind: &Kind| self.pieces().any(|(it, _)| it.shape == kind.shape);
        let figures = kin.iter().flat_map(|cells| {
            let own: BTreeSet<Thing> = cells.iter().filter_map(|at| things.at(*at)).collect();
            let colors: BTreeSet<Color> = own.iter().map(|it| it.kind.color).collect();
            let figure = move |color| own.iter().copied().filter(|it| it.kind.color == color).collect::<Vec<Thing>>();
            colors.into_iter().map(figure)
        });
        let alike = figures.filter_map(|parts| {
            let kind = Some(whole(parts.iter().map(|it| it.kind))).filter(is_alike)?;
            let cells: Vec<Point> = parts.iter().flat_map(|it| things.cells(*it)).collect();
            Some((kind, Picture::covering(frame, &cells)?))
        });
        alike.collect()
    }
}

/// Things that are elsewhere after a step: all that are gone of each kind, if they went the same way.
fn shifts(before: &Things, after: &Things) -> Vec<Shift> {
    let (old, new) = (before.all(), after.all());
    let mut changes: BTreeMap<Kind, (Vec<Thing>, Vec<Thing>)> = BTreeMap::new();
    old.difference(&new).for_each(|thing| changes.entry(thing.kind).or_default().0.push(*thing));
    new.difference(&old).for_each(|thing| changes.entry(thing.kind).or_default().1.push(*thing));
    let pairs = changes.into_values().filter(|(gone, came)| gone.len() == came.len() && gone.len() <= PARTS);
    let shifts = pairs.map(|(gone, came)| gone.into_iter().zip(came).map(|(gone, came)| Shift { gone, came }));
    let shifts = shifts.map(Iterator::collect::<Vec<Shift>>);
    shifts.filter(|it| it.iter().all(|shift| shift.by() == it[0].by())).flatten().collect()
}

/// Whether these things did not go anywhere: they touch something of their colour now and are still seen, or did and were.
fn are_still(shifts: &[Shift], before: &Things, after: &Things) -> bool {
    let shows = |things: &Things, other: &Things, thing: Thing| {
        other.cells(thing).iter().all(|at| things.lies_at(*at).is_some_and(|it| it.color == thing.kind.color))
    };
    shifts.iter().all(|it| shows(after, before, it.gone)) || shifts.iter().all(|it| shows(before, after, it.came))
}

/// These things in groups that touch, corners included; of several that look alike only those that touch others.
fn wholes(shifts: &[Shift], after: &Things) -> Vec<Vec<Shift>> {
    let mut groups: Vec<(Vec<Shift>, Vec<Point>)> = Vec::new();
    for shift in shifts {
        let cells = after.cells(shift.came);
        let touches = |other: &[Point]| cells.iter().any(|a| other.iter().any(|b| is_near(*a, *b)));
        let (near, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, other)| touches(other));
        let mut whole = (vec![*shift], cells);
        for (mut shifts, mut cells) in near {
            whole.0.append(&mut shifts);
            whole.1.append(&mut cells);
        }
        groups = apart;
        groups.push(whole);
    }
    let is_one = |it: &Shift| shifts.iter().filter(|other| other.came.kind == it.came.kind).count() == 1;
    groups.into_iter().map(|(shifts, _)| shifts).filter(|it| it.len() > 1 || is_one(&it[0])).collect()
}

/// The kind of a whole of these parts.
pub(super) fn whole(parts: impl Iterator<Item = Kind>) -> Kind {
    let (mut color, mut shape) = (Color::ALL[0], 0u64);
    for part in parts {
        (color, shape) = (part.color, shape.wrapping_add(part.shape));
    }
    Kind { color, shape }
}

/// The commonest colour beside cells but for their own.
fn ground(frame: &Grid, cells: &[Point]) -> Option<Color> {
    let beside = cells.iter().flat_map(|at| SIDES.iter().filter_map(|(dx, dy)| frame.get(at.offset(*dx, *dy)?)));
    let own = frame.get(*cells.first()?)?;
    let mut counts = [0u16; Color::COUNT];
    beside.filter(|color| *color != own).for_each(|color| counts[color.index()] += 1);
    Color::ALL.into_iter().filter(|color| counts[color.index()] > 0).max_by_key(|color| counts[color.index()])
}

/// Whether two cells touch, corners included.
fn is_near(a: Point, b: Point) -> bool {
    a.x().abs_diff(b.x()) <= 1 && a.y().abs_diff(b.y()) <= 1
}

#[cfg(test)]
mod tests {
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::things::Under;

    /// The sizes of the pieces known after these pairs of frames were seen, and whether what is at (1, 1) of the last one moves.
    fn watched(steps: &[(&str, &str)]) -> (Vec<(u8, u8)>, bool) {
        let (mut moved, mut is_known) = (Moved::default(), false);
        for (before, after) in steps {
            let frames: [Grid; 2] = [before, after].map(|it| it.parse().unwrap());
            let [old, new] = frames.each_ref().map(|it| Things::of(it, &InterfaceMask::new(), &[], Under::default()));
            moved.watch(&old, &new, &frames[1]);
            is_known = new.lies_at(Point::new(1, 1).unwrap()).is_some_and(|kind| moved.contains(kind));
        }
        (moved.pieces().map(|(_, picture)| picture.size()).collect(), is_known)
    }

    #[test]
    fn parts_that_touch_at_corners_and_move_as_one_are_one_piece() {
        let (sizes, moves) = watched(&[("66000000\n00600000\n00000000", "00000000\n06600000\n00060000")]);
        assert_eq!((sizes, moves), (vec![(3, 2)], true), "its parts are no pieces, and no slots either");
        let alike = ("60600000\n06000000\n60600000", "00000606\n00000060\n00000606");
        assert_eq!(watched(&[alike]).0, [(3, 3)], "though all of its parts look the same");
    }

    #[test]
    fn what_moves_alone_is_no_part() {
        let together = ("66000000\n00600000\n00000000", "00000000\n06600000\n00060000");
        let alone = ("66000000\n00000000\n00000006", "00000000\n06600000\n00000006");
        assert_eq!(watched(&[together, alone]).0, [(2, 1)]);
        assert_eq!(watched(&[alone, together]).0, [(2, 1)]);
        assert!(watched(&[("66000000\n00000600\n00000000", "00000000\n06600060\n00000000")]).0.len() == 2);
    }

    #[test]
    fn what_comes_apart_from_something_of_its_colour_did_not_move() {
        // A ring that a bar lay against is seen alone now, and another one is full.
        let (before, after) = (
            "000000000000\n066660006660\n060660006060\n066660006660\n000000000000",
            "000000000000\n066600006660\n060600006660\n066600006660\n000000000000",
        );
        assert_eq!(watched(&[(before, after)]).0, []);
    }
}
