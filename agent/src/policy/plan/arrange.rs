//! Arrangements a level may want: pieces on slots, twins in one place.
//!
//! What can be moved was seen to move; what cannot and has a partner among the pieces, by colour or by shape, may be its
//! slot. Which of these a level wants is not known: each is a hypothesis, brought about by the cheapest plan and given up
//! when it comes true and nothing happens. How slot and piece are related carries over to later levels.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use env_client::{Color, Grid, Point};
use world_model::{Advance, Bounds, InterfaceMask};

use super::{
    picture::{Middle, Picture},
    things::{Kind, Thing, Things, Under},
};

/// The most slots and pieces of one arrangement.
const MOST: usize = 12;
/// A slot is about as large as its piece: within this factor.
const LIKE: u16 = 3;

/// What makes a static thing the slot of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Relation {
    /// It has the outline of the piece, which is no mere rectangle.
    Shape,
    /// It has the colour of the piece.
    Color,
    /// It has the size of the piece.
    Size,
    /// It is just there.
    Any,
    /// The pieces themselves are to meet.
    Meet,
}

/// Which arrangement it is: how slots are related to pieces, and of which kind they are where several may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name {
    pub(super) relation: Relation,
    /// The piece, of several the first.
    piece: Kind,
    slot: Option<Kind>,
}

/// Pieces of one look and the slots they belong on.
#[derive(Clone, Debug)]
struct Pair {
    piece: Picture,
    slots: Vec<Middle>,
}

/// Something to bring about.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    pub(super) name: Name,
    pairs: Vec<Pair>,
}

impl Arrangement {
    /// How far a frame is from it, in sides of a piece; 0 where it holds, `None` where the pieces cannot be seen.
    pub(super) fn distance(&self, frame: &Grid) -> Option<u32> {
        self.pairs.iter().map(|pair| pair.distance(frame, self.name.relation)).sum()
    }

    /// Whether these cells are the lesser part of a piece that comes to lie on its slot: which of the two is seen there is
    /// anybody's guess.
    pub(super) fn blurs(&self, cells: &[Point]) -> bool {
        let is_slot = |pair: &Pair, at: &Point| pair.slots.iter().any(|slot| slot.covers(*at, pair.piece.size()));
        self.pairs.iter().any(|pair| 2 * cells.len() < pair.piece.area() && cells.iter().all(|at| is_slot(pair, at)))
    }
}

impl Pair {
    fn distance(&self, frame: &Grid, relation: Relation) -> Option<u32> {
        let pieces = self.piece.find(frame);
        let cells = match relation {
            Relation::Meet => apart(&pieces),
            _ => assign(pieces, self.slots.clone()),
        };
        Some(cells?.div_ceil(u32::from(self.piece.side().max(1))))
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

/// Where a piece may belong.
#[derive(Clone, Copy, Debug)]
struct Slot {
    kind: Kind,
    bounds: Bounds,
}

/// What is known about arrangements.
#[derive(Debug, Default)]
pub(super) struct Arrangements {
    /// Kinds that were seen to be moved, by what moved them.
    movable: BTreeSet<Kind>,
    /// Relations of arrangements that solved a level.
    won: BTreeSet<Relation>,
    /// Arrangements of this level that came true without solving it.
    vain: BTreeSet<Name>,
    /// Arrangements nobody found a way to: when to look again, and how long to wait after that.
    waits: BTreeMap<Name, (u32, u32)>,
    /// When to look for anything again, and how often nothing was found in this level.
    rest: (u32, u32),
    /// Actions taken in this game.
    now: u32,
}

/// Actions to wait before looking again for a way that was not found.
const WAIT: u32 = 6;
/// The most actions between two looks for anything.
const LONGEST_REST: u32 = 12;

impl Arrangements {
    /// A new level: everything may be meant again.
    pub(super) fn begin_level(&mut self) {
        self.vain.clear();
        self.look_again();
    }

    /// Looks for things that were moved: the only one of its kind that is gone and the only one that came.
    pub(super) fn watch(&mut self, before: &Things, after: &Things) {
        self.now += 1;
        let (old, new): (BTreeSet<Thing>, BTreeSet<Thing>) =
            (before.iter().map(|it| it.0).collect(), after.iter().map(|it| it.0).collect());
        let mut changes: BTreeMap<Kind, (u32, u32)> = BTreeMap::new();
        old.difference(&new).for_each(|thing| changes.entry(thing.kind).or_default().0 += 1);
        new.difference(&old).for_each(|thing| changes.entry(thing.kind).or_default().1 += 1);
        self.movable.extend(changes.into_iter().filter(|(_, count)| *count == (1, 1)).map(|(kind, _)| kind));
    }

    /// It came true and the level went on.
    pub(super) fn was_vain(&mut self, name: Name) {
        self.vain.insert(name);
    }

    /// It solved the level.
    pub(super) fn has_won(&mut self, name: Name) {
        self.won.insert(name.relation);
    }

    /// Nobody found a way.
    pub(super) fn is_out_of_reach(&mut self, name: Name) {
        let (until, wait) = self.waits.entry(name).or_insert((0, WAIT));
        *until = self.now + *wait;
        *wait *= 2;
        self.rest = (self.now + self.rest.1, (self.rest.1 + 1).min(LONGEST_REST));
    }

    /// Something was learned that may open a way to any of them.
    pub(super) fn look_again(&mut self) {
        self.waits.clear();
        self.rest = (0, 0);
    }

    /// Whether this arrangement's relation solved a level.
    pub(super) fn is_proven(&self, name: Name) -> bool {
        self.won.contains(&name.relation)
    }

    /// What to bring about, likeliest first. `first` is the frame in which the level began.
    pub(super) fn wanted(
        &self,
        first: &Grid,
        now: &Things,
        mask: &InterfaceMask,
        advances: &[Advance],
    ) -> Vec<Arrangement> {
        if self.now < self.rest.0 {
            return Vec::new();
        }
        let things = Things::of(first, mask, &[], Under::new());
        let controlled: BTreeSet<Kind> =
            advances.iter().flat_map(|it| &it.from).filter_map(|at| now.lies_at(*at)).collect();
        let pieces = self.pieces(&things, &controlled, advances);
        if pieces.is_empty() {
            return Vec::new();
        }
        let slots = self.slots(&things, &pieces, &controlled);
        let mut wanted: Vec<Arrangement> = by_color(&things, first, &pieces, &slots).into_iter().collect();
        wanted.extend(by_kind(&things, first, &pieces, &slots));
        wanted.extend(meetings(&things, first, &pieces));
        wanted.retain(|it| !self.vain.contains(&it.name) && self.is_due(it.name));
        wanted.sort_by_key(|it| (!self.is_proven(it.name), it.name.relation));
        wanted
    }

    fn is_due(&self, name: Name) -> bool {
        self.waits.get(&name).is_none_or(|(until, _)| self.now >= *until)
    }

    /// The kinds that can be moved, each with its things: what was seen to be moved, and controlled pieces where there are
    /// several.
    fn pieces(&self, things: &Things, controlled: &BTreeSet<Kind>, advances: &[Advance]) -> BTreeMap<Kind, Vec<Thing>> {
        let mut kinds: BTreeSet<Kind> = self.movable.clone();
        if advances.iter().filter(|it| it.by != (0, 0)).count() > 1 {
            kinds.extend(controlled);
        }
        let mut pieces: BTreeMap<Kind, Vec<Thing>> = BTreeMap::new();
        for (thing, _) in things.iter().filter(|(thing, _)| kinds.contains(&thing.kind)) {
            pieces.entry(thing.kind).or_default().push(thing);
        }
        pieces.retain(|_, things| things.len() <= MOST);
        pieces
    }

    /// What pieces may belong on: static things, and groups of them of one colour that together are as large as a piece,
    /// as brackets are.
    fn slots(&self, things: &Things, pieces: &BTreeMap<Kind, Vec<Thing>>, controlled: &BTreeSet<Kind>) -> Vec<Slot> {
        let moves =
            |kind: Kind| pieces.contains_key(&kind) || self.movable.contains(&kind) || controlled.contains(&kind);
        let parts: Vec<Slot> = things
            .iter()
            .filter(|(thing, _)| !moves(thing.kind))
            .map(|(thing, it)| Slot { kind: thing.kind, bounds: it.bounds })
            .collect();
        let sizes: BTreeSet<(u8, u8)> =
            pieces.values().filter_map(|of_kind| things.component(of_kind[0])).map(|it| size(it.bounds)).collect();
        let brackets = sizes.iter().flat_map(|size| parts.iter().filter_map(|corner| bracket(&parts, corner, *size)));
        let mut slots: Vec<Slot> = brackets.collect();
        slots.extend(&parts);
        slots
    }
}

/// The slot that several parts of one colour frame together, from its upper left corner.
fn bracket(parts: &[Slot], corner: &Slot, (width, height): (u8, u8)) -> Option<Slot> {
    let Bounds { left, top, .. } = corner.bounds;
    let bounds = Bounds { left, top, right: left + width - 1, bottom: top + height - 1 };
    let inside = |it: &&Slot| it.kind.color == corner.kind.color && bounds.union(it.bounds) == bounds;
    let members: Vec<&Slot> = parts.iter().filter(inside).collect();
    let union = members.iter().map(|it| it.bounds).reduce(Bounds::union)?;
    let shape = members.iter().fold(0, |sum: u64, it| sum.wrapping_add(it.kind.shape));
    let kind = Kind { color: corner.kind.color, shape };
    (members.len() > 1 && union == bounds).then_some(Slot { kind, bounds })
}

/// All pieces on the slots of their colours.
fn by_color(things: &Things, frame: &Grid, pieces: &BTreeMap<Kind, Vec<Thing>>, slots: &[Slot]) -> Option<Arrangement> {
    let mut colors: BTreeMap<Color, (Kind, Vec<Middle>)> = BTreeMap::new();
    for (kind, of_kind) in pieces {
        let alike = slots.iter().filter(|it| it.kind.color == kind.color && is_like(things, of_kind[0], it.bounds));
        let mut middles: Vec<Middle> = alike.map(|it| middle(it.bounds)).collect();
        middles.dedup();
        if (1..=MOST).contains(&middles.len()) {
            colors.entry(kind.color).or_insert((*kind, middles));
        }
    }
    let piece = colors.values().next()?.0;
    let pairs: Vec<Pair> = colors
        .into_values()
        .filter_map(|(kind, slots)| Some(Pair { piece: things.picture(frame, pieces[&kind][0])?, slots }))
        .collect();
    (!pairs.is_empty()).then_some(Arrangement { name: Name { relation: Relation::Color, piece, slot: None }, pairs })
}

/// All pieces of one kind on the slots of one kind.
fn by_kind(things: &Things, frame: &Grid, pieces: &BTreeMap<Kind, Vec<Thing>>, slots: &[Slot]) -> Vec<Arrangement> {
    let mut kinds: BTreeMap<Kind, Vec<Bounds>> = BTreeMap::new();
    for it in slots {
        kinds.entry(it.kind).or_default().push(it.bounds);
    }
    let mut found = Vec::new();
    for of_kind in pieces.values() {
        let Some(piece) = things.picture(frame, of_kind[0]) else { continue };
        for (slot, members) in kinds.iter().filter(|(_, members)| members.len() <= MOST) {
            if !is_like(things, of_kind[0], members[0]) {
                continue;
            }
            let relation = relation(things, of_kind[0], *slot, members[0]);
            let slots = members.iter().map(|it| middle(*it)).collect();
            let name = Name { relation, piece: of_kind[0].kind, slot: Some(*slot) };
            found.push(Arrangement { name, pairs: vec![Pair { piece: piece.clone(), slots }] });
        }
    }
    found
}

/// What a slot within these bounds has in common with a piece.
fn relation(things: &Things, piece: Thing, slot: Kind, bounds: Bounds) -> Relation {
    let Some(it) = things.component(piece) else { return Relation::Any };
    let is_rectangle = usize::from(it.area) == usize::from(it.bounds.width()) * usize::from(it.bounds.height());
    match size(it.bounds) == size(bounds) {
        true if slot.shape == piece.kind.shape && !is_rectangle => Relation::Shape,
        true => Relation::Size,
        false => Relation::Any,
    }
}

/// Pieces of a kind of which there are a few, in one place.
fn meetings(things: &Things, frame: &Grid, pieces: &BTreeMap<Kind, Vec<Thing>>) -> Vec<Arrangement> {
    let few = pieces.iter().filter(|(_, of_kind)| of_kind.len() == 2);
    few.filter_map(|(kind, of_kind)| {
        let piece = things.picture(frame, of_kind[0])?;
        let name = Name { relation: Relation::Meet, piece: *kind, slot: None };
        Some(Arrangement { name, pairs: vec![Pair { piece, slots: Vec::new() }] })
    })
    .collect()
}

fn middle(it: Bounds) -> Middle {
    Middle::of(it.left, it.top, it.width(), it.height())
}

fn size(it: Bounds) -> (u8, u8) {
    (it.width(), it.height())
}

/// Whether a slot is about as large as a piece.
fn is_like(things: &Things, piece: Thing, slot: Bounds) -> bool {
    let Some(piece) = things.component(piece) else { return false };
    let area = |it: Bounds| u16::from(it.width()) * u16::from(it.height());
    let (a, b) = (area(piece.bounds), area(slot));
    a <= LIKE * b && b <= LIKE * a
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.relation, self.slot) {
            (Relation::Shape, Some(slot)) => write!(f, "every piece on a {} slot of its form", slot.color),
            (Relation::Color, _) => f.write_str("every piece on a slot of its colour"),
            (Relation::Meet, _) => f.write_str("the two pieces in one place"),
            (_, Some(slot)) => write!(f, "every piece on a {} slot", slot.color),
            (_, None) => f.write_str("every piece on a slot"),
        }
    }
}
