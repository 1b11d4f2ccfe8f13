//! Pieces that move: who, by how much under which action, what stops them, what they push, and what they leave behind.

mod advances;
mod arrows;
mod attempt;
mod class;
mod company;
mod complete;
mod contact;
mod discover;
mod draw;
mod drive;
mod follow;
mod ground;
mod heed;
mod herd;
mod kin;
mod patrol;
mod pivot;
mod portals;
mod rays;
mod selection;
mod sinks;
mod slide;
mod specks;
mod strides;
mod strip;
mod track;
mod trails;
mod twins;
mod way;

use std::sync::Arc;

use env_client::{Action, Grid, Point};

pub(super) use self::{arrows::Arrows, class::Instance};
use self::{
    class::{CROWD, Class, Wish},
    drive::{AHEAD, BEHIND, Drive, WITHIN},
    ground::Ground,
    kin::Kin,
    patrol::Walker,
    portals::Portals,
    selection::Selection,
    sinks::Sinks,
    trails::Trails,
};
use super::{
    cell_set::{CellSet, Layers},
    claim::Claim,
    last::Last,
    law::mix,
    sprite::{Sprite, Vector},
    view::View,
};
use crate::{Motion, perception::Lattice};

/// Marks claims about sliding pieces.
const SLID: u64 = 0x511d;
/// Marks claims about pieces that become something else.
const SUNK: u64 = 0x51bc;
/// Marks claims about pieces that go their own way.
const PATROLS: u64 = 0x9a72;
/// Pieces that look alike and answer to actions, at most. A guess.
const OWN: u8 = 3;
/// The part of [`Drive::look`] that tells whether the one that drives looks at the piece, where that is known.
const LOOKS: u64 = 0b11;

/// What becomes of one piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub(super) instance: Instance,
    /// Where it means to go, if it does.
    pub(super) wished: Vector,
    /// Where it gets, relative to where it is.
    pub(super) came: Vector,
    /// Its pose afterwards.
    pub(super) pose: usize,
}

impl Placement {
    /// The piece as it is afterwards.
    pub(super) fn end(&self) -> Instance {
        Instance { at: self.instance.at.plus(self.came), pose: self.pose, ..self.instance }
    }
}

/// What is expected of all pieces.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) placements: Vec<Placement>,
    pub(super) claim: Claim,
    /// Whether some controlled piece is there whose reaction is not known.
    pub(super) is_open: bool,
    /// A controlled piece that will lie under something.
    pub(super) unseen: Option<Instance>,
    /// Whether a controlled piece meets what is deadly to meet.
    pub(super) is_lost: bool,
    /// What changes by itself around the pieces.
    pub(super) by_itself: Option<Claim>,
}

impl Moves {
    pub(super) fn none() -> Moves {
        let claim = Claim::by(1);
        Moves { placements: Vec::new(), claim, is_open: false, unseen: None, is_lost: false, by_itself: None }
    }
}

/// Everything known about pieces that move.
#[derive(Clone, Debug, Default)]
pub(super) struct Movers {
    classes: Vec<Class>,
    ground: Ground,
    trails: Trails,
    sinks: Sinks,
    arrows: Arrows,
    selection: Selection,
    /// The tiles that the level is drawn of.
    tiles: Option<Lattice>,
    /// Where pieces came to by the last action, and by how much.
    pub(super) last: Arc<[Motion]>,
    /// A controlled piece that lies under something now, and for how many steps it has not been seen.
    unseen: Option<(Instance, u32)>,
    found: Last<Vec<Instance>>,
    kin: Kin,
    portals: Portals,
    /// Whether what is small and new is taken to let pieces in, though walls have its colour.
    hopes: bool,
}

impl Movers {
    /// Knows nothing, and hopes to get into whatever is small and new.
    pub(super) fn hopeful() -> Movers {
        Movers { hopes: true, ..Movers::default() }
    }

    /// A new level is drawn of these tiles.
    pub(super) fn lay(&mut self, tiles: Option<Lattice>) {
        self.tiles = tiles;
        self.portals.begin_level();
        self.classes.iter_mut().for_each(|it| it.heeds.begin_level());
    }

    /// A level begins, or begins again: nothing has moved yet.
    pub(super) fn begin(&mut self) {
        self.last = Arc::default();
        self.unseen = None;
    }

    /// A controlled piece that is not seen in the newest frame.
    pub(super) fn unseen(&self) -> Option<Instance> {
        self.unseen.map(|(instance, _)| instance)
    }

    /// How many deeds before the present one controlled pieces still have to answer.
    pub(super) fn late(&self) -> u32 {
        self.classes.iter().filter(|it| it.is_controlled()).map(Class::late).max().unwrap_or_default()
    }

    /// By how much a piece goes that keeps its motion, in one number; 0 where none does.
    pub(super) fn speed(&self, motions: &[Motion]) -> u16 {
        let drifts = |it: &&Motion| self.classes.get(usize::from(it.class)).is_some_and(Class::drifts);
        motions.iter().find(drifts).map_or(0, |it| u16::from_be_bytes([it.by.0 as u8, it.by.1 as u8]))
    }

    /// Every piece in a frame, and one that is not seen there.
    pub(super) fn pieces(&self, frame: &Grid, unseen: Option<Instance>) -> Vec<Instance> {
        let mut pieces = self.found.or_look(frame, || self.instances(frame));
        let known = |it: &Instance| self.classes.get(it.class).is_some_and(|class| it.pose < class.poses.len());
        pieces.extend(unseen.filter(known).filter(|it| !self.sprite(*it).is_at(frame, it.at)));
        pieces
    }

    /// Every piece in a frame, composites before what they consist of.
    pub(super) fn instances(&self, frame: &Grid) -> Vec<Instance> {
        let mut taken = CellSet::EMPTY;
        let mut instances = Vec::new();
        let layers = Layers::of(frame);
        for class in self.by_size() {
            for instance in self.classes[class].instances(class, &layers) {
                let sprite = self.sprite(instance);
                if !sprite.footprint(instance.at).any(|at| taken.contains(at)) {
                    taken.extend(sprite.footprint(instance.at));
                    instances.push(instance);
                }
            }
        }
        instances
    }

    /// The classes, largest pictures first.
    fn by_size(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        order.sort_by_key(|class| std::cmp::Reverse(self.classes[*class].poses[0].cells().len()));
        order
    }

    /// What a piece looks like; a pose that made room for another is taken for the first one.
    pub(super) fn sprite(&self, instance: Instance) -> &Sprite {
        let poses = &self.classes[instance.class].poses;
        poses.get(instance.pose).unwrap_or(&poses[0])
    }

    /// The cells that a piece covers, of those within the frame.
    fn cells(&self, instance: Instance) -> Vec<Point> {
        let footprint = self.sprite(instance).footprint(instance.at);
        footprint.filter_map(|at| Point::new(at.x, at.y).ok()).collect()
    }

    /// Whether a piece answers to actions rather than to other pieces.
    pub(super) fn is_controlled(&self, instance: Instance) -> bool {
        self.classes[instance.class].is_controlled()
    }

    /// Whether a piece answers to actions and is one of few: many that look alike only seem to, as they drift by.
    pub(super) fn is_own(&self, instance: Instance) -> bool {
        instance.of <= OWN && self.is_controlled(instance)
    }

    /// The only piece that is known to obey, or that seems to as long as that is not known.
    pub(super) fn leader(&self, pieces: &[Instance]) -> Option<Instance> {
        let whom = self.known_to_obey(pieces);
        let mut own = pieces.iter().filter(|it| self.is_own(**it) && whom.is_none_or(|whom| whom == it.class));
        own.next().copied().filter(|_| own.next().is_none())
    }

    /// The largest step across and down of which all steps of a piece by arrows are multiples; zero where there is none.
    pub(super) fn grid(&self, instance: Instance) -> Vector {
        self.classes[instance.class].grid()
    }

    /// Which cells pieces cover, the holes in them included: what is seen there may be carried.
    pub(super) fn cover(&self, frame: &Grid) -> CellSet {
        let instances = self.instances(frame);
        instances.iter().flat_map(|it| self.sprite(*it).hull(it.at)).collect()
    }

    fn is_free(&self, instance: Instance) -> bool {
        self.classes[instance.class].is_free()
    }

    /// Whether a piece goes its own way.
    pub(super) fn patrols(&self, instance: Instance) -> bool {
        self.classes[instance.class].patrols()
    }

    /// Whether a piece comes after one that obeys, or shies away from it.
    pub(super) fn heeds(&self, instance: Instance) -> bool {
        self.classes[instance.class].heeds()
    }

    /// Whether a piece goes where nobody sends it.
    pub(super) fn roams(&self, instance: Instance) -> bool {
        self.classes[instance.class].roams()
    }

    /// Whether there are pieces that go their own way.
    pub(super) fn has_patrols(&self) -> bool {
        self.classes.iter().any(Class::patrols)
    }

    /// What moved when these became of the pieces of a view; who patrols and waits has moved before.
    pub(super) fn motions(&self, view: &View<'_>, placements: &[Placement]) -> Arc<[Motion]> {
        let moved = placements.iter().filter_map(|it| {
            let end = it.instance.at.plus(it.came);
            if it.came == Vector::ZERO {
                let before = view.motion(it.instance).filter(|_| self.roams(it.instance))?;
                return Some(Motion { waited: before.waited.saturating_add(1), ..before });
            }
            let class = u16::try_from(it.instance.class).ok()?;
            Some(Motion { class, at: (end.x, end.y), by: (it.came.x, it.came.y), waited: 0 })
        });
        moved.collect()
    }

    /// A piece as one that goes its own way.
    fn walker<'a>(&'a self, view: &View<'a>, instance: Instance) -> Walker<'a> {
        let (sprite, motion) = (self.sprite(instance), view.motion(instance));
        Walker { frame: view.frame, sprite, at: instance.at, pose: instance.pose, motion }
    }

    /// The cells in the way of a piece.
    pub(super) fn way(&self, placement: &Placement) -> Vec<Vector> {
        strip::swept(self.sprite(placement.instance), placement.instance.at, placement.wished)
    }

    /// Whether the pieces account for what happens at a cell.
    pub(super) fn explains(&self, placements: &[Placement], cell: Vector) -> bool {
        placements.iter().any(|it| {
            let after = &self.classes[it.instance.class].poses[it.pose];
            self.sprite(it.instance).covers(it.instance.at, cell) || after.covers(it.instance.at.plus(it.came), cell)
        })
    }

    /// What becomes of every piece.
    pub(super) fn expect(&self, view: &View<'_>, pieces: &[Instance]) -> Moves {
        let view = &view.in_company(self.company(pieces), self.arrows);
        let mut moves = Moves::none();
        let whom = self.known_to_obey(pieces);
        let (drivers, driven): (Vec<Instance>, Vec<Instance>) =
            pieces.iter().partition(|it| self.classes[it.class].is_free());
        let (heeding, drivers): (Vec<Instance>, Vec<Instance>) = drivers.into_iter().partition(|it| self.heeds(*it));
        for instance in drivers.into_iter().filter(|it| !self.is_doubtful(*it, whom)) {
            self.expect_one(view, instance, Drive::default(), &mut moves);
        }
        let leads = |it: &&Placement| !self.patrols(it.instance);
        let leading: Vec<Placement> = moves.placements.iter().filter(leads).copied().collect();
        for instance in heeding {
            self.expect_heeding(view, instance, &leading, &mut moves);
        }
        for instance in &driven {
            let holders = if self.classes[instance.class].is_held() { leading.as_slice() } else { &[] };
            let near = self.drive(*instance, &leading, holders);
            let may_be_reached = near.is_idle() && self.classes[instance.class].rays.is_proven();
            let drive = may_be_reached.then(|| self.ray(view, *instance, &leading)).flatten().unwrap_or(near);
            if drive.relation != 0 {
                self.expect_one(view, *instance, drive, &mut moves);
            }
        }
        self.stop(view, &driven, &mut moves.placements);
        self.brace(&driven, &mut moves.placements);
        self.draw(view, &mut moves);
        moves.is_lost = self.is_deadly(&moves.placements);
        moves
    }

    /// The cells of pieces that others take along.
    fn loose(&self, frame: &Grid) -> CellSet {
        let pieces = self.pieces(frame, None).into_iter();
        let loose = pieces.filter(|it| self.classes[it.class].driven > 0 && !self.is_free(*it));
        loose.flat_map(|it| self.sprite(it).footprint(it.at)).collect()
    }

    /// How the pieces look that are painted over when they are selected, in one number; 0 where there are none.
    pub(super) fn company(&self, pieces: &[Instance]) -> u64 {
        let painted = pieces.iter().filter(|it| self.classes[it.class].painted);
        painted.fold(0, |hash, it| mix(hash ^ (it.class << 16 | it.pose << 8 | usize::from(it.rank)) as u64 ^ 1 << 40))
    }

    /// Whether an action is a key that is an arrow.
    pub(super) fn is_arrow(&self, action: Action) -> bool {
        self.arrows.contains(action.id().number().into())
    }

    /// A number that changes when another look of pieces that answer to actions is known.
    pub(super) fn looks_known(&self) -> usize {
        self.classes.iter().filter(|it| it.is_controlled()).map(|it| 1 + it.poses.len()).sum()
    }

    /// Whether there are pieces that can be selected.
    pub(super) fn can_be_selected(&self) -> bool {
        self.classes.iter().any(|class| class.painted)
    }

    /// Pieces that are asleep and can be selected somehow, each with a cell to click it at.
    pub(super) fn sleepers(&self, pieces: &[Instance]) -> impl Iterator<Item = (Instance, Point)> {
        let asleep = |it: &&Instance| self.classes[it.class].painted && self.classes[it.class].is_asleep(it.pose);
        pieces.iter().filter(asleep).filter_map(|it| {
            let cells: Vec<Vector> = self.sprite(*it).footprint(it.at).collect();
            let middle = cells.get(cells.len() / 2)?;
            Some((*it, Point::new(middle.x, middle.y).ok()?))
        })
    }

    /// Whether an action changes how a piece looks.
    pub(super) fn wakes(&self, view: &View<'_>, pieces: &[Instance], piece: Instance) -> bool {
        self.stays(&view.in_company(self.company(pieces), self.arrows), piece).pose != piece.pose
    }

    fn expect_one(&self, view: &View<'_>, instance: Instance, drive: Drive, moves: &mut Moves) {
        let class = &self.classes[instance.class];
        if class.patrols() {
            let came = class.patrol.next(&self.walker(view, instance)).unwrap_or_default();
            let pose = class.pose_after(view, instance, came);
            moves.claim.marked(PATROLS);
            return moves.placements.push(Placement { instance, wished: came, came, pose });
        }
        let wish = Wish { view, instance, drive, last: last(view, instance) };
        let Some((by, why)) = class.wish(&wish).or_else(|| class.arrow(&wish)) else {
            let ignores = class.ignores(view);
            moves.is_open |= drive.relation == 0 && !ignores;
            if ignores && drive.relation == 0 {
                moves.placements.push(self.stays(view, instance));
            }
            return;
        };
        moves.claim.rests_on(&why);
        if by == Vector::ZERO {
            return moves.placements.push(self.stays(view, instance));
        }
        let exit = || self.portals.exit(|| self.loose(view.frame), (self.sprite(instance), instance.at), by);
        if let Some((came, why)) = class.is_steered(drive).then(exit).flatten() {
            moves.claim.rests_on(&why);
            let pose = class.pose_after(view, instance, came);
            return moves.placements.push(Placement { instance, wished: by, came, pose });
        }
        let sunk = Placement { instance, wished: by, came: by, pose: instance.pose };
        if drive.relation != 0 && self.sinks.fate(view.frame, self.sprite(instance), &sunk).is_some() {
            moves.claim.marked(SUNK);
            return moves.placements.push(sunk);
        }
        let attempt = class.attempt((view, drive), instance, by);
        let slid = class.slid(&attempt);
        let gate = if drive.relation == WITHIN && class.comes_along() { Some((by, why)) } else { class.gate(&attempt) };
        let Some((came, why)) = gate.map(|(came, why)| (slid.unwrap_or(came), why)) else { return };
        if slid.is_some() {
            moves.claim.marked(SLID);
        } else {
            moves.claim.rests_on(&why);
        }
        let pose = class.pose_after(view, instance, came);
        moves.placements.push(Placement { instance, wished: by, came, pose });
    }

    /// A piece that does not mean to go anywhere; it may look different afterwards, as its class has seen or, before it has,
    /// as others do that can be selected.
    fn stays(&self, view: &View<'_>, instance: Instance) -> Placement {
        let class = &self.classes[instance.class];
        let is_new = class.painted && !class.knows_turn(view, instance);
        let guess = is_new.then(|| self.selection.pose_after(view, class, instance)).flatten();
        let pose = guess.unwrap_or_else(|| class.pose_after(view, instance, Vector::ZERO));
        Placement { instance, wished: Vector::ZERO, came: Vector::ZERO, pose }
    }

    /// How a piece lies to those that lead, by where they mean to go, or else by where they get.
    fn drive(&self, instance: Instance, leading: &[Placement], holders: &[Placement]) -> Drive {
        let sprite = self.sprite(instance);
        let touches = |it: &Placement, by: Vector| {
            strip::crosses((self.sprite(it.instance), it.instance.at), by, (sprite, instance.at))
        };
        let moving = leading.iter().filter(|it| it.came != Vector::ZERO && it.instance != instance);
        for it in moving {
            let back = Vector::ZERO.minus(it.came);
            let leader = self.sprite(it.instance);
            let is_near = strip::is_near((it.instance.at, leader.size), (instance.at, sprite.size));
            let relation = match () {
                () if is_near && leader.square(it.instance.at).any(|at| sprite.covers(instance.at, at)) => WITHIN,
                () if touches(it, it.came) => AHEAD,
                () if touches(it, back) => BEHIND,
                () => 0,
            };
            if relation != 0 {
                let (look, trodden) = (self.look(it.instance), self.trodden(it.instance));
                return Drive { relation, by: it.came, look, trodden, ..Drive::default() };
            }
        }
        self.kick(instance, leading, touches).or_else(|| self.holder(instance, holders)).unwrap_or_default()
    }

    /// What flies when it is pushed does so too where the one that pushes stays.
    fn kick(
        &self,
        instance: Instance,
        leading: &[Placement],
        touches: impl Fn(&Placement, Vector) -> bool,
    ) -> Option<Drive> {
        let mut staying = leading.iter().filter(|it| it.came == Vector::ZERO && it.wished != Vector::ZERO);
        let it = staying.find(|it| self.classes[instance.class].is_flying() && touches(it, it.wished))?;
        Some(Drive { relation: AHEAD, by: it.wished, look: self.look(it.instance), ..Drive::default() })
    }

    /// What a piece looks like, whichever way it is turned, in one number that is not 0.
    fn look(&self, instance: Instance) -> u64 {
        1 + (instance.class << 8 | self.classes[instance.class].form(instance.pose)) as u64
    }

    /// The same, and whether it looks that way, where that is known.
    fn look_at(&self, instance: Instance, way: Vector) -> u64 {
        let facing = self.classes[instance.class].faces(instance.pose);
        self.look(instance) << 2 | facing.map_or(0, |facing| 1 + u64::from(facing.is_along(way)))
    }

    /// What is known of pieces that answer to actions, and of those that are moved from afar, as sentences.
    pub(super) fn sentences(&self) -> Vec<String> {
        let obey = self.classes.iter().filter(|class| class.is_controlled()).map(Class::sentence);
        obey.chain(self.heed_sentences()).chain(self.ray_sentences()).collect()
    }
}

/// By how much a piece moved last.
fn last(view: &View<'_>, instance: Instance) -> Vector {
    view.motion(instance).map_or(Vector::ZERO, |it| Vector::new(it.by.0, it.by.1))
}
