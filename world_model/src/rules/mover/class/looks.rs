//! How pieces of a class look: their poses, what turns or paints them, and in which of them they are asleep.

use super::{ANYONE, Class, Instance, KEPT, POSES, RESTS, TURN};
use crate::rules::{
    sprite::{Sprite, Vector},
    view::View,
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
        [view.number(), instance.pose as u64, u64::from(moves), self.click(view, instance)]
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
        if self.poses.len() < POSES {
            self.poses.push(sprite);
        } else {
            self.poses[POSES - 1] = sprite;
        }
        self.poses.len() - 1
    }
}
