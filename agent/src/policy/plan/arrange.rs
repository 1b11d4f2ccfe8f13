//! Arrangements a level may want: pieces on slots, twins in one place.
//!
//! What can be moved was seen to move; what cannot and has a partner among the pieces, by colour or by shape, may be its
//! slot. Which of these a level wants is not known: each is a hypothesis, brought about by the cheapest plan and given up
//! when it comes true and nothing happens. How slot and piece are related carries over to later levels.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};
use world_model::{Advance, Bounds, InterfaceMask};

use super::{
    casting,
    drawn::{Drawings, Drawn},
    fitting,
    litter::Litter,
    moved::Moved,
    names::{Name, Relation},
    pairs::{Pair, Role, cast, cast_after},
    picture::{Middle, Picture},
    slots::{Slot, is_like, misfit, size, slots, split},
    sweeps::Sweeps,
    things::{Kind, Things, Under},
};

/// The most slots and pieces of one arrangement.
pub(super) const MOST: usize = 12;

/// Something to bring about.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    pub(super) name: Name,
    pub(super) pairs: Vec<Pair>,
    /// What is to be swept, if that is what it is.
    pub(super) litter: Option<Litter>,
    /// Whether there are as many pieces as slots.
    pub(super) is_exact: bool,
    /// By how many cells the sides of its slots differ from those of its pieces, where nothing else relates them.
    pub(super) misfit: u8,
}

impl Arrangement {
    /// How far a frame is from it, in sides of a piece; 0 where it holds, `None` where the pieces cannot be seen.
    pub(super) fn distance(&self, frame: &Grid, cast: &[Role]) -> Option<u32> {
        if let Some(litter) = &self.litter {
            return Some(litter.distance((frame, frame), cast));
        }
        self.pairs.iter().map(|pair| pair.distance(frame, cast).map(|it| it.0)).sum()
    }

    /// The same of a frame to which a step led from the one before, with the way that is left to who has to move a piece:
    /// from any of these places to the nearest piece that is on no slot.
    pub(super) fn toil(&self, (before, frame): (&Grid, &Grid), movers: &[Role]) -> Option<u32> {
        if let Some(litter) = &self.litter {
            return Some(litter.distance((before, frame), movers));
        }
        let pairs = self.pairs.iter().map(|pair| pair.distance(frame, movers));
        let pairs: Vec<(u32, Option<u32>)> = pairs
            .zip(&self.pairs)
            .map(|(it, pair)| it.map(|(distance, open)| (distance, pair.approach(&open, movers))))
            .collect::<Option<_>>()?;
        let distance: u32 = pairs.iter().map(|it| it.0).sum();
        let approach = pairs.iter().filter_map(|it| it.1).min().unwrap_or_default();
        Some(if distance == 0 { 0 } else { distance + approach })
    }

    /// Whether these cells are the lesser part of a piece that comes to lie on its slot: which of the two is seen there is
    /// anybody's guess.
    pub(super) fn blurs(&self, cells: &[Point]) -> bool {
        self.pairs.iter().any(|pair| pair.blurs(cells))
    }
}

/// What can be moved, as the first frame of a level shows it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) picture: Picture,
    pub(super) places: Vec<Middle>,
}

/// A level, as arrangements see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<'a> {
    /// The frame in which it began.
    pub(super) first: &'a Grid,
    pub(super) now: &'a Things,
    pub(super) mask: &'a InterfaceMask,
    pub(super) advances: &'a [Advance],
    /// The pieces that answer to actions, where they were when it began.
    pub(super) cast: &'a [Advance],
    /// The cells of pieces there that look like others that are moved but for their colours.
    pub(super) kin: &'a [Vec<Point>],
    /// The cells of pieces there that heed another one.
    pub(super) flock: &'a [Vec<Point>],
    /// A frame in which it may be solved.
    pub(super) image: Option<&'a Grid>,
}

#[cfg(test)]
impl<'a> Level<'a> {
    /// One in which nobody answers to actions.
    pub(super) fn still(first: &'a Grid, now: &'a Things, mask: &'a InterfaceMask) -> Level<'a> {
        Level { first, now, mask, advances: &[], cast: &[], kin: &[], flock: &[], image: None }
    }
}

/// What is known about arrangements.
#[derive(Debug, Default)]
pub(super) struct Arrangements {
    /// What was seen to be moved.
    moved: Moved,
    /// What tiles may be meant to look like.
    drawings: Drawings,
    /// What pieces sweep, and whether levels want that.
    pub(super) sweeps: Sweeps,
    /// Relations of arrangements that solved a level, and the colours of slots with whether pieces of all kinds belonged there.
    won: BTreeSet<Relation>,
    solved: BTreeSet<(Color, bool)>,
    /// Arrangements of this level that came true without solving it.
    vain: BTreeSet<Name>,
    /// Arrangements nobody found a way to: when to look again, and how long to wait after that.
    waits: BTreeMap<Name, (u32, u32)>,
    /// When to look for anything again, and how often nothing was found in this level.
    rest: (u32, u32),
    /// How often plans for them were surprised in this level.
    surprised: BTreeMap<Name, u32>,
    /// How often this level was lost on the way to them.
    lost: BTreeMap<Name, u32>,
    /// Actions taken in this game.
    now: u32,
}

/// Actions to wait before looking again for a way that was not found.
const WAIT: u32 = 6;
/// Surprises of a level after which plans for an arrangement rest on nothing but what is known. A guess.
const SURPRISES: u32 = 6;
/// Losses on the way to what never solved a level after which it is given up. A guess.
const LOSSES: u32 = 3;
/// The most actions between two looks for anything.
const LONGEST_REST: u32 = 12;

impl Arrangements {
    /// A new level, which begins with this frame: everything may be meant again.
    pub(super) fn begin_level(&mut self, first: &Grid, mask: &InterfaceMask) {
        self.drawings.begin_level(first, mask);
        self.vain.clear();
        self.surprised.clear();
        self.lost.clear();
        self.look_again();
    }

    /// Looks for things that were moved.
    pub(super) fn watch(&mut self, before: &Things, after: &Things, frame: &Grid) {
        self.now += 1;
        self.moved.watch(before, after, frame);
    }

    /// Looks for tiles that walking painted; what a press changed is none of it.
    pub(super) fn watch_tiles(&mut self, frame: &Grid, now: &Things, is_press: bool) {
        if self.drawings.watch(frame, now, is_press) {
            self.look_again();
        }
    }

    /// It came true and the level went on. What is swept is so wherever pieces are then.
    pub(super) fn was_vain(&mut self, name: Name) {
        self.vain.extend([name, name.anywhere()]);
    }

    /// A step of a plan for it did something else than was expected.
    pub(super) fn was_surprised(&mut self, name: Name) {
        *self.surprised.entry(name).or_default() += 1;
    }

    /// Whether a plan for it may rest on hopes.
    pub(super) fn may_hope(&self, name: Name) -> bool {
        self.surprised.get(&name).is_none_or(|it| *it < SURPRISES)
    }

    /// It solved the level.
    pub(super) fn has_won(&mut self, name: Name) {
        self.won.insert(name.relation);
        self.solved.extend(name.habit());
    }

    /// The likeliest arrangement that a step brought about which led from one frame to another, whatever it was meant for.
    pub(super) fn came_true(&self, level: &Level<'_>, before: &Grid, after: &Grid) -> Option<Name> {
        let (was, is) = (cast(level.advances), cast_after(before, after, level.advances));
        let is_new =
            |it: &Arrangement| it.distance(before, &was).is_some_and(|it| it > 0) && it.distance(after, &is) == Some(0);
        let mut telling = self.all(level).into_iter().filter(|it| it.name.relation.is_telling());
        telling.find(is_new).map(|it| it.name)
    }

    /// The level was lost on the way to it.
    pub(super) fn was_lost(&mut self, name: Name) {
        *self.lost.entry(name).or_default() += 1;
    }

    /// Whether it never solved a level, or leads where it may not end well, and this one was lost on the way to it too often.
    fn is_costly(&self, name: Name) -> bool {
        (name.relation == Relation::Swept || !self.is_proven(name))
            && self.lost.get(&name).is_some_and(|it| *it >= LOSSES)
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

    /// A step did something else than was expected: any of them may be looked for again, yet no more often.
    pub(super) fn reconsider(&mut self) {
        self.waits.clear();
    }

    /// Whether this arrangement's relation solved a level.
    pub(super) fn is_proven(&self, name: Name) -> bool {
        match name.relation {
            Relation::Swept => self.sweeps.are_certain(),
            relation => self.won.contains(&relation),
        }
    }

    /// Whether any of them ever solved a level.
    pub(super) fn have_won(&self) -> bool {
        !self.won.is_empty() || self.sweeps.are_certain()
    }

    /// What to bring about, likeliest first.
    pub(super) fn wanted(&self, level: &Level<'_>) -> Vec<Arrangement> {
        if self.now < self.rest.0 {
            return Vec::new();
        }
        let mut wanted = self.all(level);
        wanted.retain(|it| !self.vain.contains(&it.name) && self.is_due(it.name) && !self.is_costly(it.name));
        wanted
    }

    /// All that a level may want, likeliest first.
    fn all(&self, level: &Level<'_>) -> Vec<Arrangement> {
        let Level { first, now, mask, advances, image, .. } = *level;
        let (bare, touching) = self.moved.apart(first);
        let things = Things::of(&bare, mask, &[], Under::default());
        let controlled: BTreeSet<Kind> =
            advances.iter().flat_map(|it| &it.from).filter_map(|at| now.lies_at(*at)).collect();
        let movable = self.movable(level, &things);
        let parts = parts(&things, level.flock);
        let moves = |kind: Kind| movable.contains_key(&kind) || self.moved.contains(kind) || parts.contains(&kind);
        let pieces = pieces(&movable, first, (&things, &touching), &controlled, advances);
        let mut all: Vec<Arrangement> = self.as_drawn().collect();
        if pieces.is_empty() && level.cast.is_empty() && image.is_none() {
            return all;
        }
        let slots = slots(&things, &pieces, |kind| moves(kind) || controlled.contains(&kind));
        all.extend(by_color(&pieces, &slots, first));
        all.extend(casting::by_own_color(level, &things, moves));
        all.extend(fitting::by_form(level, &things));
        all.extend(fitting::by_size(level, &things));
        all.extend(by_kind(&pieces, &slots, first));
        all.extend(meetings(&pieces, first));
        all.extend(self.sweeps.wanted(level));
        all.extend(image.and_then(|image| self.as_imagined(first, image, &things, &controlled)));
        let is_habit = |name: Name| name.habit().is_some_and(|habit| self.solved.contains(&habit));
        all.sort_by_key(|it| (!is_habit(it.name), !self.is_proven(it.name), it.name.relation, !it.is_exact, it.misfit));
        all
    }

    /// Tiles like the drawings beside them.
    fn as_drawn(&self) -> impl Iterator<Item = Arrangement> {
        let arrangement = |(index, it): (usize, &Drawn)| Arrangement {
            name: Name::drawn(index),
            pairs: vec![it.pair()],
            litter: None,
            is_exact: true,
            misfit: 0,
        };
        self.drawings.wanted().map(arrangement)
    }

    /// Everything that can be moved where it is seen in an image of the level.
    fn as_imagined(
        &self,
        first: &Grid,
        image: &Grid,
        things: &Things,
        controlled: &BTreeSet<Kind>,
    ) -> Option<Arrangement> {
        let mut pieces: BTreeMap<Kind, Picture> = self.pieces();
        pieces.extend(pictures(first, things, controlled));
        let pairs = pieces.into_values().filter_map(|picture| {
            let slots = picture.find(image);
            (!slots.is_empty() && slots != picture.find(first)).then(|| Pair::drawn(vec![picture], slots, first))
        });
        let (name, pairs) = (Name::of(Relation::Imagined, None, None), pairs.collect::<Vec<Pair>>());
        (!pairs.is_empty()).then_some(Arrangement { name, pairs, litter: None, is_exact: true, misfit: 0 })
    }

    fn is_due(&self, name: Name) -> bool {
        self.waits.get(&name).is_none_or(|(until, _)| self.now >= *until)
    }

    /// Kinds that were seen to be moved, and what they look like.
    fn pieces(&self) -> BTreeMap<Kind, Picture> {
        self.moved.pieces().map(|(kind, picture)| (kind, picture.clone())).collect()
    }

    /// The same, and those of kin that look like them.
    fn movable(&self, level: &Level<'_>, things: &Things) -> BTreeMap<Kind, Picture> {
        let mut movable = self.pieces();
        movable.extend(self.moved.akin(level.first, things, level.kin));
        movable
    }
}

/// What can be moved: kinds that were seen to be moved, and controlled pieces where there are several.
fn pieces(
    movable: &BTreeMap<Kind, Picture>,
    first: &Grid,
    (things, touching): (&Things, &[(Kind, Middle)]),
    controlled: &BTreeSet<Kind>,
    advances: &[Advance],
) -> Vec<Piece> {
    let mut kinds = movable.clone();
    if advances.iter().filter(|it| it.by != (0, 0)).count() > 1 {
        kinds.extend(pictures(first, things, controlled));
    }
    let places = |kind: Kind, picture: &Picture| {
        let apart = things.iter().filter(|(thing, _)| thing.kind == kind).map(|(_, it)| Middle::around(it.bounds));
        let touching = touching.iter().filter(|it| it.0 == kind).map(|it| it.1);
        let apart: Vec<Middle> = apart.chain(touching).collect();
        if apart.is_empty() { picture.find_joined(first) } else { apart }
    };
    let pieces = kinds.into_iter().map(|(kind, picture)| Piece { kind, places: places(kind, &picture), picture });
    // What is seen all over, as a hole that shows the floor, can be measured by nobody, nor anything with it.
    let is_seen = |it: &Piece| !it.picture.find(first).is_empty();
    pieces.filter(|it| (1..=MOST).contains(&it.places.len()) && is_seen(it)).collect()
}

/// Kinds of things that are parts of these pieces: legs of several that nobody can tell from one another.
fn parts(things: &Things, pieces: &[Vec<Point>]) -> BTreeSet<Kind> {
    let is_part = |at: Point| pieces.iter().any(|cells| cells.contains(&at));
    things.iter().filter(|(thing, _)| is_part(thing.at)).map(|(thing, _)| thing.kind).collect()
}

/// What things of these kinds look like.
fn pictures(frame: &Grid, things: &Things, kinds: &BTreeSet<Kind>) -> BTreeMap<Kind, Picture> {
    let own = things.iter().map(|(thing, _)| thing).filter(|thing| kinds.contains(&thing.kind));
    own.filter_map(|thing| Some((thing.kind, things.picture(frame, thing)?))).collect()
}

/// All pieces on the slots of their colours.
fn by_color(pieces: &[Piece], slots: &[Slot], first: &Grid) -> Option<Arrangement> {
    let mut colors: BTreeMap<Color, (&Piece, Vec<Middle>)> = BTreeMap::new();
    for piece in pieces {
        let alike =
            slots.iter().filter(|it| it.kind.color == piece.kind.color && is_like(piece.picture.size(), it.bounds));
        let mut middles: Vec<Middle> = alike.map(|it| Middle::around(it.bounds)).collect();
        middles.dedup();
        if (1..=MOST).contains(&middles.len()) {
            colors.entry(piece.kind.color).or_insert((piece, middles));
        }
    }
    let piece = colors.values().next()?.0.kind;
    let name = Name::of(Relation::Color, Some(piece).filter(|_| colors.len() == 1), None);
    let pairs = colors.into_values().map(|(piece, slots)| Pair::drawn(vec![piece.picture.clone()], slots, first));
    Some(Arrangement { name, pairs: pairs.collect(), litter: None, is_exact: true, misfit: 0 })
}

/// All pieces on the slots of one kind: those of each kind, side by side where there is only one slot with room for them,
/// and those of all kinds that fit.
fn by_kind(pieces: &[Piece], slots: &[Slot], first: &Grid) -> Vec<Arrangement> {
    let mut kinds: BTreeMap<Kind, Vec<Bounds>> = BTreeMap::new();
    for it in slots {
        kinds.entry(it.kind).or_default().push(it.bounds);
    }
    let mut found = Vec::new();
    for (slot, members) in kinds.iter().filter(|(_, members)| members.len() <= MOST) {
        let room = |piece: &Piece| match members.as_slice() {
            [region] => split(piece.picture.size(), *region, piece.places.len()),
            _ => None,
        };
        let shared = pieces.iter().filter_map(|piece| on_slots(&[piece], (*slot, &room(piece)?), first));
        found.extend(shared);
        let is_alone = |piece: &&Piece| is_like(piece.picture.size(), members[0]) && room(piece).is_none();
        let fitting: Vec<&Piece> = pieces.iter().filter(is_alone).collect();
        let alone = fitting.iter().map(std::slice::from_ref);
        let together = Some(fitting.as_slice()).filter(|all| all.len() > 1 && members.len() > 1);
        found.extend(alone.chain(together).filter_map(|pieces| on_slots(pieces, (*slot, members), first)));
    }
    found
}

/// These pieces on the slots of one kind.
fn on_slots(pieces: &[&Piece], (slot, members): (Kind, &[Bounds]), first: &Grid) -> Option<Arrangement> {
    let relation = pieces.iter().map(|piece| relation(piece, slot, members[0])).max()?;
    let pictures = pieces.iter().map(|it| it.picture.clone()).collect();
    let pair = Pair::drawn(pictures, members.iter().map(|it| Middle::around(*it)).collect(), first);
    let piece = Some(pieces[0].kind).filter(|_| pieces.len() == 1);
    let count: usize = pieces.iter().map(|it| it.places.len()).sum();
    let name = Name::of(relation, piece, Some(slot));
    let misfit = pieces.iter().map(|it| misfit(it.picture.size(), members[0])).max()?;
    Some(Arrangement { name, pairs: vec![pair], litter: None, is_exact: count == members.len(), misfit })
}

/// What a slot within these bounds has in common with a piece.
fn relation(piece: &Piece, slot: Kind, bounds: Bounds) -> Relation {
    let (width, height) = piece.picture.size();
    let is_rectangle = piece.picture.area() == usize::from(width) * usize::from(height);
    match (width, height) == size(bounds) {
        true if slot.shape == piece.kind.shape && !is_rectangle => Relation::Shape,
        true => Relation::Size,
        false => Relation::Any,
    }
}

/// Pieces of a kind of which there are a few, in one place.
fn meetings(pieces: &[Piece], first: &Grid) -> Vec<Arrangement> {
    let few = pieces.iter().filter(|it| it.places.len() == 2);
    few.map(|it| {
        let name = Name::of(Relation::Meet, Some(it.kind), None);
        let pair = Pair::drawn(vec![it.picture.clone()], Vec::new(), first);
        Arrangement { name, pairs: vec![pair], litter: None, is_exact: true, misfit: 0 }
    })
    .collect()
}
