//! What stamps print, and how that can be read off their pictures.

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid};
use world_model::{Bounds, InterfaceMask, perception::Symmetry};

use super::{
    super::paint::easel,
    cursor::{Cells, difference},
    sheet::{Sheet, bare, block, innermost_ring, ring_color, unframed},
};

/// What a stamp prints on the tiles around the place of the cursor, where that is known: `None` where it leaves a tile as
/// it is.
pub(super) type Print = BTreeMap<Cells, Option<Color>>;

/// The picture on a thing beside the canvas, without the frame around it: by that a stamp is known, chosen or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    width: u8,
    colors: Vec<Color>,
    /// What it lies on, where it may lie anywhere on that: the innermost ring around it.
    pub(super) ground: Option<Color>,
}

/// The most tiles along a side of a picture of a stamp. A guess.
const SPAN: u8 = 7;
/// What speaks for a way to read pictures: a tile that is printed as read, and one that is left. Guesses.
const PRINTED: u32 = 3;
const LEFT: u32 = 1;

/// A framed thing beside the canvas, which may be a stamp to choose.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) bounds: Bounds,
    inner: Bounds,
    pub(super) look: Look,
    /// Whether its picture may lie anywhere on its ground.
    is_carved: bool,
}

/// All of them in a frame, from above.
pub(super) fn items(frame: &Grid, sheet: Sheet, mask: &InterfaceMask) -> Vec<Item> {
    let all: Vec<Bounds> = easel::rectangles(frame).into_iter().filter(|it| sheet.is_apart(*it)).collect();
    let is_outermost = |it: &&Bounds| !all.iter().any(|other| other.surrounds(**it));
    let is_world = |it: &&Bounds| it.points().any(|at| !mask.hides(at));
    let mut items: Vec<Item> =
        all.iter().filter(is_outermost).filter(is_world).map(|it| Item::of(frame, sheet, *it)).collect();
    items.sort_by_key(|it| (it.bounds.top, it.bounds.left));
    items
}

impl Look {
    /// Its colours, as a set of indices.
    pub(super) fn inks(&self) -> u16 {
        self.colors.iter().fold(0, |set, it| set | 1 << it.index())
    }
}

impl Item {
    /// A canvas whose tiles lie apart has things beside it that may be framed once more while they are chosen.
    fn of(frame: &Grid, sheet: Sheet, bounds: Bounds) -> Item {
        let inner = unframed(frame, bounds).unwrap_or(bounds);
        let seen = sheet.laid.map_or(inner, |_| bare(frame, bounds, sheet.easel.palette(frame)));
        let colors = seen.points().filter_map(|at| frame.get(at)).collect();
        let ground = sheet.laid.and_then(|_| innermost_ring(frame, bounds));
        let look = Look { width: seen.width(), colors, ground };
        Item { bounds, inner, look, is_carved: sheet.laid.is_some() }
    }

    /// A click on it.
    pub(super) fn click(&self) -> Action {
        Action::Click(self.bounds.middle())
    }

    /// The rectangle around what is neither of a colour nor of that around the thing.
    fn carving(&self, frame: &Grid, ground: Color) -> Bounds {
        let ring = ring_color(frame, self.bounds);
        let own = self.bounds.points().filter(|at| frame.get(*at).is_some_and(|it| it != ground && Some(it) != ring));
        Bounds::around(own).unwrap_or(self.bounds)
    }
}

/// Takes over what another print of the same stamp shows.
pub(super) fn complete(print: &mut Print, newer: &Print) {
    print.extend(newer.iter().map(|(at, color)| (*at, *color)));
}

/// What a stamp prints that is turned on the spot where its corner is.
pub(super) fn turned(print: &Print, by: Symmetry) -> Print {
    let ends = |along: fn(&Cells) -> i16| {
        let all = print.keys().map(along);
        (all.clone().min().unwrap_or_default(), all.max().unwrap_or_default())
    };
    let ((left, right), (top, bottom)) = (ends(|it| it.0), ends(|it| it.1));
    let size = ((right - left + 1) as u8, (bottom - top + 1) as u8);
    let to = |at: Cells| {
        let (x, y) = by.apply(((at.0 - left) as u8, (at.1 - top) as u8), size);
        (left + i16::from(x), top + i16::from(y))
    };
    print.iter().map(|(at, color)| (to(*at), *color)).collect()
}

/// What a step printed around a place of the cursor, by a stamp in whose picture these colours are, a set of indices. One
/// that washes out what it prints where that lies already leaves this `ground` there.
pub(super) fn seen(
    sheet: Sheet,
    place: Cells,
    (old, new): (&[Color], &[Color]),
    shown: u16,
    ground: Option<Color>,
) -> Print {
    let ink = |(old, new): (&Color, &Color)| if Some(*new) == ground { *old } else { *new };
    let changed = old.iter().zip(new).filter(|(old, new)| old != new);
    let inks = changed.fold(shown, |set, it| set | 1 << ink(it).index());
    let origin = sheet.tile_at(place);
    let tiles = sheet.tiles().zip(old.iter().zip(new)).filter_map(|(at, (old, new))| {
        // A tile that has such a colour already may have been printed, too.
        let is_known = old != new || ground.is_some() || (inks != 0 && inks >> old.index() & 1 == 0);
        is_known.then(|| (difference(at, origin), (old != new).then_some(ink((old, new)))))
    });
    tiles.collect()
}

/// Whether a step printed a colour in some places, and in others where that lay already left the ground.
pub(super) fn washes(old: &[Color], new: &[Color], ground: Color) -> bool {
    let changed = || old.iter().zip(new).filter(|(old, new)| old != new);
    let printed = changed().filter(|it| *it.1 != ground).fold(0u16, |set, it| set | 1 << it.1.index());
    changed().any(|(old, new)| *new == ground && printed >> old.index() & 1 == 1)
}

/// Which part of a thing is the picture: all of it, what its frame leaves, or what is drawn on its ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Inner,
    Whole,
    Carving,
}

impl Part {
    const ALL: [Part; 3] = [Part::Inner, Part::Whole, Part::Carving];

    fn of(self, frame: &Grid, item: &Item, ground: Color) -> Bounds {
        match self {
            Part::Inner => item.inner,
            Part::Whole => item.bounds,
            Part::Carving => item.carving(frame, ground),
        }
    }
}

/// How pictures of stamps are read: squares of so many cells, each a tile, of which those of one colour print nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    part: Part,
    unit: u8,
    /// None where that is what each thing lies on.
    ground: Option<Color>,
    /// Where the picture's corner lies, counted from the place of the cursor.
    origin: Cells,
}

impl Rule {
    /// What the stamp on a thing prints; `None` where that is no picture in such squares.
    pub(super) fn read(self, frame: &Grid, item: &Item) -> Option<Print> {
        let ground = self.ground.or(item.look.ground)?;
        let squares = squares(frame, self.part.of(frame, item, ground), self.unit)?;
        let print = squares.into_iter().map(|((x, y), color)| {
            let at = (x + self.origin.0, y + self.origin.1);
            (at, (color != ground).then_some(color))
        });
        Some(print.collect()).filter(|it: &Print| it.values().any(Option::is_some))
    }

    /// The way to read pictures that tells best what was seen to be printed, by things of the looks it was printed with, or
    /// by any thing where nobody knows; `None` where every way is wrong somewhere.
    pub(super) fn fit(frame: &Grid, items: &[Item], seen: &[(Option<Look>, Print)]) -> Option<Rule> {
        let rules = items.iter().flat_map(|item| seen.iter().flat_map(|(_, print)| Rule::all(frame, item, print)));
        let judged = rules.filter_map(|it| Some((it.worth(frame, items, seen)?, it)));
        judged.filter(|it| it.0 > 0).reduce(|best, it| if it.0 > best.0 { it } else { best }).map(|it| it.1)
    }

    /// Every way to read a thing in which the first square that prints is one that was printed.
    fn all(frame: &Grid, item: &Item, print: &Print) -> Vec<Rule> {
        let parts = if item.is_carved { &Part::ALL[..] } else { &Part::ALL[..2] };
        let mut rules = Vec::new();
        for part in parts.iter().copied() {
            let mut grounds: Vec<Option<Color>> = item.bounds.points().map(|at| frame.get(at)).collect();
            grounds.sort_unstable();
            grounds.dedup();
            grounds.push(None);
            let widest = item.bounds.width();
            for (unit, told) in (1..=widest).flat_map(|unit| grounds.iter().map(move |it| (unit, *it))) {
                let Some(ground) = told.or(item.look.ground) else { continue };
                let squares = squares(frame, part.of(frame, item, ground), unit).unwrap_or_default();
                // What has one colour alone may be a pot of it.
                let is_part = match part {
                    Part::Carving => squares.iter().any(|it| it.1 != squares[0].1),
                    _ => squares.iter().any(|it| it.1 == ground),
                };
                let first = squares.iter().find(|it| it.1 != ground).filter(|_| is_part);
                let alike = print.iter().filter(|(_, color)| color.is_some() && **color == first.map(|it| it.1));
                let origins = alike.filter_map(|(at, _)| Some(difference(*at, first?.0)));
                rules.extend(origins.map(|origin| Rule { part, unit, ground: told, origin }));
            }
        }
        rules
    }

    /// How much of what was seen it tells; `None` where it tells something else.
    pub(super) fn worth(self, frame: &Grid, items: &[Item], seen: &[(Option<Look>, Print)]) -> Option<u32> {
        let mut worth = 0;
        for (look, print) in seen {
            let own = items.iter().filter(|it| look.as_ref().is_none_or(|look| *look == it.look));
            let told: Vec<Option<u32>> =
                own.filter_map(|it| self.read(frame, it)).map(|read| agreement(&read, print)).collect();
            if !told.is_empty() {
                worth += told.into_iter().flatten().max()?;
            }
        }
        Some(worth)
    }
}

/// The squares of a rectangle, where each has one colour and there are no more along a side than pictures have.
fn squares(frame: &Grid, it: Bounds, unit: u8) -> Option<Vec<(Cells, Color)>> {
    let fits = |side: u8| side.is_multiple_of(unit) && (1..=SPAN).contains(&(side / unit));
    if !fits(it.width()) || !fits(it.height()) {
        return None;
    }
    let (columns, rows) = (i16::from(it.width() / unit), i16::from(it.height() / unit));
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    all.map(|at| {
        let (color, is_whole) = block(frame, (it.left, it.top), unit, at);
        is_whole.then_some((at, color))
    })
    .collect()
}

/// How much of what was printed is as it was read; `None` where something is not.
pub(super) fn agreement(read: &Print, seen: &Print) -> Option<u32> {
    let mut worth = 0;
    for (at, seen) in seen {
        let told = read.get(at);
        match (told.copied().flatten(), seen) {
            (told, seen) if told != *seen => return None,
            (Some(_), _) => worth += PRINTED,
            (None, _) => worth += if told.is_some() { LEFT } else { 0 },
        }
    }
    (worth > 0).then_some(worth)
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::*;
    use crate::policy::plan::paint::easel::Easel;

    /// A thing with a ground of 5 and a frame of 6, in the middle of which four squares of two cells have these colours.
    fn thing(colors: [u8; 4]) -> (Grid, Item) {
        let mut frame = Grid::filled(64, 64, Color::of(2));
        let mut fill = |left: u8, side: u8, color: u8| {
            let bounds = Bounds { left, top: left, right: left + side - 1, bottom: left + side - 1 };
            bounds.points().for_each(|at| frame.set(at, Color::of(color)));
            bounds
        };
        let bounds = fill(40, 9, 6);
        fill(41, 7, 5);
        for (index, color) in (0u8..).zip(colors) {
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let at = Point::new(43 + 2 * (index % 2) + x, 42 + 2 * (index / 2) + y).unwrap();
                frame.set(at, Color::of(color));
            }
        }
        let corner = Bounds { left: 1, top: 1, right: 8, bottom: 8 };
        let easel = Easel { canvas: corner, picture: corner };
        let item = Item::of(&frame, Sheet { easel, tile: 2, laid: Some(2) }, bounds);
        (frame, item)
    }

    #[test]
    fn a_picture_may_lie_anywhere_on_the_ground_of_a_thing_but_one_color_is_none() {
        let rules = |colors: [u8; 4]| {
            let (frame, item) = thing(colors);
            let at = |index: usize| (index as i16 % 2 + 1, index as i16 / 2 + 1);
            let print: Print = (0..4).map(|it| (at(it), Some(Color::of(colors[it])))).collect();
            let rules = Rule::all(&frame, &item, &print);
            let carved = rules.into_iter().filter(|it| it.part == Part::Carving && it.unit == 2);
            carved.filter(|it| it.read(&frame, &item).as_ref() == Some(&print)).count()
        };
        assert!(rules([8, 9, 9, 8]) > 0);
        assert_eq!(rules([8; 4]), 0);
    }
}
