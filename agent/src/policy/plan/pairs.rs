//! Pieces and the slots they belong on, and how far apart they are.

use env_client::{Grid, Point};
use world_model::{Advance, Bounds};

use super::{
    drawn::Drawn,
    fitting::Outline,
    picture::{Middle, Picture},
    things::place,
};

/// At least every so manieth cell of a piece tells that it is where it was not. A guess.
const TELLING: usize = 4;

/// A piece that answers to actions, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role {
    /// [`Advance::class`].
    pub(super) class: u16,
    pub(super) at: Middle,
}

/// Where pieces are before they move.
pub(super) fn cast(advances: &[Advance]) -> Vec<Role> {
    let role = |it: &Advance| Some(Role { class: it.class, at: Middle::around(place(it)?) });
    advances.iter().filter_map(role).collect()
}

/// Where pieces that meant to move so are in the next frame: those of which some cell is seen no longer went.
pub(super) fn cast_after(before: &Grid, after: &Grid, advances: &[Advance]) -> Vec<Role> {
    let role = |it: &Advance| {
        let bounds = place(it)?;
        let went = it.from.iter().any(|at| before[*at] != after[*at]);
        let (dx, dy) = if went { it.by } else { (0, 0) };
        let (left, top) = (i16::from(bounds.left) + dx, i16::from(bounds.top) + dy);
        let at = Middle::of(left.try_into().ok()?, top.try_into().ok()?, bounds.width(), bounds.height());
        Some(Role { class: it.class, at })
    };
    advances.iter().filter_map(role).collect()
}

/// Which pieces are meant.
#[derive(Clone, Debug)]
pub(super) enum Pieces {
    /// Those that look like one of these.
    Drawn(Vec<Picture>),
    /// Those of a class that answer to actions, whatever they look like while others do, and their sides in cells.
    Played(u16, (u8, u8)),
    /// None but tiles that are to look as drawn.
    Tiles(Drawn),
}

impl Pieces {
    /// Where they are, those at home included; `None` where some cannot be seen.
    fn find(&self, frame: &Grid, cast: &[Role], homes: &[Home]) -> Option<Vec<Middle>> {
        let mut found = Vec::new();
        match self {
            Pieces::Drawn(pictures) => {
                for (index, picture) in pictures.iter().enumerate() {
                    let mut seen = picture.find(frame);
                    let is_home = |it: &&Home| it.of == index && it.is_taken(picture, frame);
                    let taken = homes.iter().filter(is_home).map(|it| it.place).filter(|it| !seen.contains(it));
                    seen.extend(taken.collect::<Vec<Middle>>());
                    if seen.is_empty() {
                        return None;
                    }
                    found.extend(seen);
                }
            }
            Pieces::Played(class, _) => found.extend(cast.iter().filter(|it| it.class == *class).map(|it| it.at)),
            Pieces::Tiles(_) => {}
        }
        (!found.is_empty()).then_some(found)
    }

    /// The least side of a piece, in cells.
    fn side(&self) -> u32 {
        let side = match self {
            Pieces::Drawn(pictures) => pictures.iter().map(Picture::side).min().unwrap_or_default(),
            Pieces::Played(_, (width, height)) => *width.min(height),
            Pieces::Tiles(drawn) => drawn.pitch(),
        };
        u32::from(side).max(1)
    }

    /// Sides and area of each, in cells.
    fn sizes(&self) -> Vec<((u8, u8), usize)> {
        match self {
            Pieces::Drawn(pictures) => pictures.iter().map(|it| (it.size(), it.area())).collect(),
            Pieces::Played(_, size) => vec![(*size, usize::from(size.0) * usize::from(size.1))],
            Pieces::Tiles(_) => Vec::new(),
        }
    }
}

/// A slot where a piece may look different: what tells that it is there are those of its cells that were not of its colour
/// before.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// Which picture.
    of: usize,
    place: Middle,
    cells: Vec<Point>,
}

impl Home {
    /// A picture at a place in a level that began like this; `None` where it is much like what was there.
    fn of(index: usize, picture: &Picture, place: Middle, first: &Grid) -> Option<Home> {
        let mut cells = picture.around(place);
        cells.retain(|at| !picture.colors(first, *at));
        (TELLING * cells.len() >= picture.area()).then_some(Home { of: index, place, cells })
    }

    /// Whether most of what tells that the piece is there is seen.
    fn is_taken(&self, picture: &Picture, frame: &Grid) -> bool {
        2 * self.cells.iter().filter(|at| picture.colors(frame, **at)).count() > self.cells.len()
    }
}

/// Pieces and the slots they belong on, whichever on whichever.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) pieces: Pieces,
    /// Where there are none, the pieces are to meet.
    pub(super) slots: Vec<Middle>,
    /// The same, where something tells that a piece is there.
    pub(super) homes: Vec<Home>,
    /// What has to be filled beside, if how a piece lies matters.
    pub(super) outline: Option<Outline>,
}

impl Pair {
    /// Pieces that look like one of these, and their slots in a level that began like this.
    pub(super) fn drawn(pictures: Vec<Picture>, slots: Vec<Middle>, first: &Grid) -> Pair {
        let home = |(index, picture)| slots.iter().filter_map(move |slot| Home::of(index, picture, *slot, first));
        let homes = pictures.iter().enumerate().flat_map(home).collect();
        Pair { pieces: Pieces::Drawn(pictures), slots, homes, outline: None }
    }

    /// How far its pieces are from where they should be, in sides of a piece, and those that lie on no slot: tiles that look
    /// otherwise than drawn.
    pub(super) fn distance(&self, frame: &Grid, cast: &[Role]) -> Option<(u32, Vec<Middle>)> {
        if let Pieces::Tiles(drawn) = &self.pieces {
            let wrong = drawn.wrong(frame, cast);
            return Some((wrong.len() as u32, wrong));
        }
        let pieces = self.pieces.find(frame, cast, &self.homes)?;
        let is_on_slot = |it: &Middle| self.slots.iter().any(|slot| it.distance(*slot) == 0);
        let open = pieces.iter().copied().filter(|it| !is_on_slot(it)).collect();
        let cells = if self.slots.is_empty() { apart(&pieces) } else { assign(pieces, self.slots.clone()) };
        let sides = cells?.div_ceil(self.pieces.side());
        let fits = self.outline.as_ref().map(|it| it.is_filled(frame));
        Some((if fits == Some(true) { 0 } else { sides.max(u32::from(fits.is_some())) }, open))
    }

    /// Where its pieces are, if nothing counts but that they lie on slots.
    pub(super) fn found(&self, frame: &Grid, cast: &[Role]) -> Option<Vec<Middle>> {
        let is_plain = !self.slots.is_empty() && self.outline.is_none();
        if is_plain { self.pieces.find(frame, cast, &self.homes) } else { None }
    }

    /// By how many columns and rows each of its pieces that is seen within these bounds would have to go to the slots that
    /// are free.
    pub(super) fn shifts(&self, frame: &Grid, bounds: Bounds) -> Vec<(i8, i8)> {
        let Pieces::Drawn(pictures) = &self.pieces else { return Vec::new() };
        let found: Vec<Middle> = pictures.iter().flat_map(|it| it.find(frame)).collect();
        let open = || self.slots.iter().filter(|slot| !found.contains(slot));
        let own = found.iter().filter(|it| it.is_in(bounds) && !self.slots.contains(it));
        own.flat_map(|it| open().filter_map(|slot| it.way_to(*slot))).collect()
    }

    /// How far the nearest of these pieces is from beside one that moves them, in sides of a piece; nothing where they go
    /// by themselves.
    pub(super) fn approach(&self, open: &[Middle], movers: &[Role]) -> Option<u32> {
        if matches!(self.pieces, Pieces::Played(..)) {
            return None;
        }
        let ways = open.iter().flat_map(|piece| movers.iter().map(|it| it.at.distance(*piece)));
        ways.min().map(|cells| (cells / self.pieces.side()).saturating_sub(1))
    }

    /// Whether these cells are the lesser part of a piece that comes to lie on its slot.
    pub(super) fn blurs(&self, cells: &[Point]) -> bool {
        let blurs = |(size, area): ((u8, u8), usize)| {
            let is_slot = |at: &Point| self.slots.iter().any(|slot| slot.covers(*at, size));
            2 * cells.len() < area && cells.iter().all(is_slot)
        };
        self.pieces.sizes().into_iter().any(blurs)
    }
}

/// How far two pieces are from one place; one piece alone hides the other.
fn apart(pieces: &[Middle]) -> Option<u32> {
    match pieces {
        [] => None,
        [_] => Some(0),
        [first, rest @ ..] => Some(rest.iter().map(|it| first.distance(*it)).sum()),
    }
}

/// How far pieces are from slots when the nearest go together, as many as there are of the fewer.
fn assign(mut pieces: Vec<Middle>, mut slots: Vec<Middle>) -> Option<u32> {
    if pieces.is_empty() {
        return None;
    }
    let mut sum = 0;
    while !pieces.is_empty() && !slots.is_empty() {
        let pairs = pieces
            .iter()
            .enumerate()
            .flat_map(|(p, piece)| slots.iter().enumerate().map(move |(s, slot)| (piece.distance(*slot), p, s)));
        let (distance, piece, slot) = pairs.min()?;
        sum += distance;
        pieces.swap_remove(piece);
        slots.swap_remove(slot);
    }
    Some(sum)
}
