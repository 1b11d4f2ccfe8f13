//! How pieces of a class look: their poses, what turns or paints them, and in which of them they are asleep.

use super::{ANYONE, Class, Instance, KEPT, POSES, RESTS, TURN, Turn};
use crate::{
    perception::Symmetry,
    rules::{
        mover::strip,
        sprite::{Sprite, Vector},
        view::View,
    },
};

impl Class {
    /// Whether pieces that look like this are asleep: they stay while others go, and never went.
    pub(in crate::rules::mover) fn is_asleep(&self, pose: usize) -> bool {
        let enough = if self.painted { 1 } else { RESTS };
        self.rests.get(pose).is_some_and(|(went, stayed)| *went == 0 && *stayed >= enough)
    }

    /// Learns that it went in a pose, or that it stayed while another piece went.
    pub(in crate::rules::mover) fn learn_rest(&mut self, pose: usize, went: bool) {
        if self.rests.len() <= pose {
            self.rests.resize(pose + 1, (0, 0));
        }
        let rest = &mut self.rests[pose];
        *rest = (rest.0 + u32::from(went), rest.1 + u32::from(!went));
    }

    /// The pose of a piece after an action: what came of the very same while other pieces looked as they do, or else what
    /// comes of the like.
    pub(in crate::rules::mover) fn pose_after(&self, view: &View<'_>, instance: Instance, moves: bool) -> usize {
        let case = self.turn_case(view, instance, moves);
        if let Some(pose) = self.looks.get(&(case, view.company)).filter(|_| self.painted && !moves) {
            return *pose;
        }
        let turned = self.turn.ask(|index| case[index]).map(|it| it.outcome).filter(|outcome| *outcome != KEPT);
        turned.map_or(instance.pose, |outcome| outcome as usize - 1).min(self.poses.len() - 1)
    }

    fn turn_case(&self, view: &View<'_>, instance: Instance, moves: bool) -> [u64; TURN] {
        let ahead = if moves { 0 } else { self.ahead(view, instance) };
        let form = self.form(instance.pose) as u64;
        [view.number(), instance.pose as u64, u64::from(moves), self.click(view, instance), ahead, form]
    }

    /// What a pose looks like, whichever way it is turned.
    pub(in crate::rules::mover) fn form(&self, pose: usize) -> usize {
        self.forms.get(pose).copied().unwrap_or_default()
    }

    /// Where pieces of a pose look, if that is always the same.
    pub(in crate::rules::mover) fn faces(&self, pose: usize) -> Option<Vector> {
        self.faced.get(pose).copied().flatten().filter(|(_, always)| *always).map(|(by, _)| by)
    }

    /// The colours that lie where a piece looks: where such a look always leads or, where that tells nothing, where it
    /// went last. 0 where nobody knows.
    fn ahead(&self, view: &View<'_>, instance: Instance) -> u64 {
        let last = || view.motion(instance).map(|it| Vector::new(it.by.0, it.by.1));
        let facing = self.faces(instance.pose).or_else(last);
        let sprite = self.poses.get(instance.pose).unwrap_or(&self.poses[0]);
        facing.map_or(0, |by| strip::colors(view.frame, &strip::swept(sprite, instance.at, by)).into())
    }

    /// Learns where a piece looks that went or meant to go somewhere.
    pub(in crate::rules::mover) fn learn_facing(&mut self, pose: usize, by: Vector) {
        if self.faced.len() <= pose {
            self.faced.resize(pose + 1, None);
        }
        let always = self.faced[pose].is_none_or(|(before, always)| always && before.is_along(by));
        self.faced[pose] = Some((by, always));
    }

    /// Whether a piece is clicked: 0 where nothing is, 1 where something else is, 2 where it is.
    pub(in crate::rules::mover) fn click(&self, view: &View<'_>, piece: Instance) -> u64 {
        let covers = |click: Vector| self.poses.get(piece.pose).is_some_and(|sprite| sprite.covers(piece.at, click));
        view.click().map_or(0, |click| 1 + u64::from(covers(click)))
    }

    /// Whether it was seen what becomes of a piece that stays in such a case, whatever other pieces look like.
    pub(in crate::rules::mover) fn knows_turn(&self, view: &View<'_>, instance: Instance) -> bool {
        self.looks.contains_key(&(self.turn_case(view, instance, false), ANYONE))
    }

    /// The pose of a piece that is awake where it is asleep, and the other way round.
    pub(in crate::rules::mover) fn counterpart(&self, pose: usize) -> Option<usize> {
        let wakes = self.is_asleep(pose);
        let others = (0..self.rests.len()).filter(|it| self.is_asleep(*it) != wakes);
        others.max_by_key(|it| if wakes { self.rests[*it].0 } else { self.rests[*it].1 })
    }

    /// Learns how a piece looks after an action.
    pub(in crate::rules::mover) fn learn_turn(
        &mut self,
        view: &View<'_>,
        instance: Instance,
        moves: bool,
        after: usize,
    ) {
        let outcome = if after == instance.pose && !moves { KEPT } else { after as u64 + 1 };
        let case = self.turn_case(view, instance, moves);
        self.turn.learn(&case, outcome);
        if !moves && !view.is_arrow() && after != instance.pose {
            self.learn_images(Turn { case, after });
        }
        if self.painted && !moves {
            self.looks.insert((case, view.company), after);
            self.looks.insert((case, ANYONE), after);
        }
    }

    /// The pose that looks like this, new if need be.
    pub(in crate::rules::mover) fn pose_of(&mut self, sprite: Sprite) -> usize {
        if let Some(pose) = self.poses.iter().position(|it| *it == sprite) {
            return pose;
        }
        if self.poses.len() == POSES {
            (self.poses[POSES - 1], self.forms[POSES - 1]) = (sprite, POSES - 1);
            self.faced.truncate(POSES - 1);
            self.turns.retain(|it| it.pose() < POSES - 1 && it.after < POSES - 1);
            return POSES - 1;
        }
        let is_image = |it: &Sprite| Symmetry::ALL.iter().any(|symmetry| it.turned(*symmetry) == sprite);
        let form = self.poses.iter().position(is_image).map_or(self.poses.len(), |pose| self.form(pose));
        let pose = self.poses.len();
        self.poses.push(sprite);
        self.forms.push(form);
        self.turns.clone().into_iter().for_each(|turn| self.imagine(turn, pose));
        pose
    }

    /// What an action without a direction makes of a pose it makes of the images of that pose, too: their images.
    fn learn_images(&mut self, turn: Turn) {
        if !self.knows(turn, turn.pose()) {
            self.turns.push(turn);
            (0..self.poses.len()).for_each(|image| self.imagine(turn, image));
        }
    }

    /// Whether it was seen what the action of a turn makes of a pose.
    fn knows(&self, turn: Turn, pose: usize) -> bool {
        self.turns.iter().any(|it| (it.action(), it.pose()) == (turn.action(), pose))
    }

    /// Takes a pose that is the image of one that was turned to be turned alike.
    fn imagine(&mut self, turn: Turn, image: usize) {
        if self.knows(turn, image) || self.form(image) != self.form(turn.pose()) || self.poses.len() == POSES {
            return;
        }
        let turns = |symmetry: &&Symmetry| self.poses[turn.pose()].turned(**symmetry) == self.poses[image];
        let Some(symmetry) = Symmetry::ALL.iter().find(turns) else { return };
        let after = self.pose_of(self.poses[turn.after].turned(*symmetry));
        self.turn.learn(&turn.of(image), after as u64 + 1);
    }
}
