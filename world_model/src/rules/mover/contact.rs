//! Pieces that give way: what is pushed and cannot move stops what pushes it. Pieces that are held.
//!
//! A gate knows what stops pieces of its own class. That a crate before a wall stops the one who pushes it would have to
//! be learned for every wall and every row of crates; that two pieces do not lie in one place holds in nearly all games.

use super::{
    Instance, Movers, Placement,
    class::Meeting,
    drive::{BESIDE, Drive},
    strip,
};
use crate::rules::{
    sprite::{SIDES, Vector},
    view::View,
};

impl Movers {
    /// Stops the pieces that would come to lie on a pushed one that stays, and what they push with them.
    pub(super) fn stop(&self, view: &View<'_>, driven: &[Instance], placements: &mut [Placement]) {
        let stay = |it: &mut Placement| {
            let class = &self.classes[it.instance.class];
            (it.came, it.pose) = (Vector::ZERO, class.pose_after(view, it.instance, Vector::ZERO));
        };
        let solid: Vec<Instance> = driven.iter().filter(|it| self.classes[it.class].is_solid()).copied().collect();
        while let Some(stopped) = self.blocked(&solid, placements) {
            let halted = placements[stopped];
            stay(&mut placements[stopped]);
            let follows = |it: &Placement| driven.contains(&it.instance) && self.is_in_way(&halted, it.instance);
            placements.iter_mut().filter(|it| follows(it)).for_each(stay);
        }
    }

    /// The first piece on its way onto one that stays.
    fn blocked(&self, solid: &[Instance], placements: &[Placement]) -> Option<usize> {
        let moves = |it: &Placement| it.came != Vector::ZERO;
        let stays = |it: &&Instance| !placements.iter().any(|placement| placement.instance == **it && moves(placement));
        let staying: Vec<Instance> = solid.iter().filter(stays).copied().collect();
        let meets = |it: &Placement| staying.iter().any(|other| *other != it.instance && self.is_in_way(it, *other));
        placements.iter().position(|it| moves(it) && meets(it))
    }

    /// Whether a piece lies where another one gets to, or on the way there.
    fn is_in_way(&self, placement: &Placement, other: Instance) -> bool {
        let (sprite, obstacle) = (self.sprite(placement.instance), self.sprite(other));
        strip::crosses((sprite, placement.instance.at), placement.came, (obstacle, other.at))
    }

    /// Whether a piece stayed because one that is pushed stayed in its way: nothing else is to blame.
    pub(super) fn is_held(&self, it: &Placement, before: &[Instance], placements: &[Placement]) -> bool {
        let stays = |other: &Instance| !placements.iter().any(|it| it.instance == *other && it.came != Vector::ZERO);
        let mut solid = before.iter().filter(|other| **other != it.instance && self.classes[other.class].is_solid());
        let attempt = Placement { came: it.wished, ..*it };
        it.came == Vector::ZERO && solid.any(|other| stays(other) && self.is_in_way(&attempt, *other))
    }

    /// The colours that a piece has entered, but for those of pieces that give way to it.
    pub(super) fn trodden(&self, instance: Instance) -> u32 {
        let pushed = self.classes.iter().filter(|it| it.driven > 0);
        let colors = pushed.flat_map(|it| &it.poses).fold(0, |set, it| set | u32::from(it.colors()));
        self.classes[instance.class].entered & !colors
    }

    /// What has a piece beside it.
    pub(super) fn holder(&self, instance: Instance, holders: &[Placement]) -> Option<Drive> {
        let sprite = self.sprite(instance);
        holders.iter().filter(|it| self.is_controlled(it.instance) && it.instance != instance).find_map(|it| {
            let touches = |side: Vector| {
                let mut beside = self.sprite(it.instance).footprint(it.instance.at.plus(side));
                beside.any(|at| sprite.covers(instance.at, at))
            };
            let side = SIDES.into_iter().find(|side| touches(*side))?;
            let around =
                if it.came == Vector::ZERO { round(instance.at.minus(it.instance.at), it.wished) } else { None };
            let around = around.unwrap_or_default();
            let look = self.look_at(it.instance, side);
            Some(Drive { relation: BESIDE, by: it.came, around, look, ..Drive::default() })
        })
    }

    /// Keeps pieces from turning that would swing something around them which cannot go there: both turn, or neither.
    pub(super) fn brace(&self, driven: &[Instance], placements: &mut [Placement]) {
        let is_held = |it: &&Placement| it.wished != Vector::ZERO && driven.contains(&it.instance);
        let held: Vec<Placement> = placements.iter().filter(is_held).copied().collect();
        for it in placements.iter_mut().filter(|it| it.wished != Vector::ZERO && !driven.contains(&it.instance)) {
            let mut swung = held.iter().filter(|other| self.swing(it, other.instance) == Some(other.wished)).peekable();
            if swung.peek().is_some() && swung.all(|other| other.came == Vector::ZERO) {
                it.pose = it.instance.pose;
            }
        }
    }

    /// Whether a piece did not turn because what it would have swung around stayed: nothing else is to blame.
    pub(super) fn is_braced(&self, it: &Placement, placements: &[Placement]) -> bool {
        let is_still = |it: &Placement| it.came == Vector::ZERO && it.pose == it.instance.pose;
        let mut still = placements.iter().filter(|it| is_still(it));
        is_still(it) && it.wished != Vector::ZERO && still.any(|other| self.swing(it, other.instance).is_some())
    }

    /// Where a piece comes to that another one swings around it to where that means to go, if such ones do.
    fn swing(&self, holder: &Placement, held: Instance) -> Option<Vector> {
        let class = &self.classes[held.class];
        let drive = self.holder(held, std::slice::from_ref(holder)).filter(|_| class.is_held())?;
        (drive.around != Vector::ZERO && class.is_swung_by(drive.look)).then_some(drive.around)
    }

    /// What goes its own way and meets a piece that answers to actions: its class, and how.
    fn met(&self, placements: &[Placement]) -> Vec<(usize, Meeting)> {
        let (walkers, players): (Vec<&Placement>, Vec<&Placement>) =
            placements.iter().filter(|it| self.is_free(it.instance)).partition(|it| self.roams(it.instance));
        let pairs = walkers.iter().flat_map(|walker| players.iter().map(move |player| (*walker, *player)));
        pairs.filter_map(|(walker, player)| Some((walker.instance.class, self.meeting(walker, player)?))).collect()
    }

    /// How a piece that goes its own way meets one that answers to actions.
    fn meeting(&self, walker: &Placement, player: &Placement) -> Option<Meeting> {
        let end = |it: &Placement| it.instance.at.plus(it.came);
        let lies = |player_at: Vector, walker_at: Vector| {
            let (player, walker) = (self.sprite(player.instance), self.sprite(walker.instance));
            player.footprint(player_at).any(|cell| walker.covers(walker_at, cell))
        };
        match () {
            () if lies(end(player), end(walker)) => Some(Meeting::OnePlace),
            () if player.came == Vector::ZERO || !lies(end(player), walker.instance.at) => None,
            () if lies(player.instance.at, end(walker)) => Some(Meeting::Crossing),
            () => Some(Meeting::Following),
        }
    }

    /// Learns whether pieces that were met by what goes its own way are lost.
    pub(super) fn learn_meetings(&mut self, placements: &[Placement], lost: bool) {
        for (class, meeting) in self.met(placements) {
            self.classes[class].learn_meeting(meeting, lost);
        }
    }

    /// Whether a piece is met by what is deadly to meet, where it should come or where it means to go: what stops a piece is
    /// known less well than what kills it.
    pub(super) fn is_deadly(&self, placements: &[Placement]) -> bool {
        let mut met = self.met(placements).into_iter().chain(self.met(&meant(placements)));
        met.any(|(class, meeting)| self.classes[class].is_deadly(meeting))
    }

    /// Learns from a step that lost the level: what pieces met where they should have come, or else where they meant to go.
    pub(in crate::rules) fn learn_loss(&mut self, view: &View<'_>, pieces: &[Instance]) {
        let came = self.expect(view, pieces).placements;
        let met = if self.met(&came).is_empty() { meant(&came) } else { came };
        self.learn_meetings(&met, true);
    }

    /// Learns from what came of all pieces whether those that are pushed are solid.
    pub(super) fn learn_contacts(&mut self, before: &[Instance], placements: &[Placement]) {
        let moved = |it: &Instance| {
            placements.iter().any(|placement| placement.instance == *it && placement.came != Vector::ZERO)
        };
        let standing = before.iter().filter(|it| self.classes[it.class].driven > 0 && !moved(it));
        let leaders = || placements.iter().filter(|it| self.is_controlled(it.instance));
        let mut contacts = Vec::new();
        for instance in standing {
            let passed = leaders().any(|it| it.came != Vector::ZERO && self.is_in_way(it, *instance));
            let attempt = |it: &Placement| Placement { came: it.wished, ..*it };
            let held = leaders().any(|it| it.came == Vector::ZERO && self.is_in_way(&attempt(it), *instance));
            if passed || held {
                contacts.push((instance.class, passed));
            }
        }
        for (class, passed) in contacts {
            self.classes[class].learn_contact(passed);
        }
    }
}

/// The way from one side of a piece to the side where it means to go, as far away from it.
fn round(side: Vector, wished: Vector) -> Option<Vector> {
    let far = side.x.abs().max(side.y.abs());
    let goes = (wished.x == 0) != (wished.y == 0);
    goes.then(|| Vector::new(far * wished.x.signum(), far * wished.y.signum()).minus(side))
}

/// Pieces as if each got where it means to go.
fn meant(placements: &[Placement]) -> Vec<Placement> {
    placements.iter().map(|it| Placement { came: it.wished, ..*it }).collect()
}
