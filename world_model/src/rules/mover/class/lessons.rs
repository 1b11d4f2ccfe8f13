//! What pieces of a class are seen to do, and what that teaches.

use env_client::Color;

use super::{
    ALIGNED, AROUND, BEFORE, BEHIND, BESIDE, CLICK, Class, Drive, ELSE, ENTERED, FORTH, GO, Gait, Instance, LEADS,
    Meeting, NOVELTY, STAY, WITH, WITHIN, Wish,
};
use crate::rules::{
    law::Verdict,
    mover::strip,
    sprite::{Sprite, Vector},
    view::View,
};

impl Class {
    /// Learns where a piece went, and whether that was foretold: an arrow's first step is by the others.
    pub(in crate::rules::mover) fn learn_wish(&mut self, wish: &Wish<'_>, foretold: Option<Vector>, by: Vector) {
        if wish.drive.relation == ALIGNED {
            return self.learn_ray(wish, by);
        }
        let beside = wish.drive.relation == BESIDE;
        let flies = wish.drive.is_outrun(by) || (self.is_flying() && wish.drive.is_turned(by));
        let along = flies || wish.drive.relation != 0 && wish.drive.by == by;
        let driven = beside || along;
        if let Some(expected) = foretold.filter(|_| !driven) {
            let alike = expected.x.signum() == by.x.signum() && expected.y.signum() == by.y.signum();
            self.told.0 += u32::from(alike);
            self.told.1 += u32::from(!alike);
        }
        self.driven += u32::from(driven);
        self.pulled += u32::from(driven && wish.drive.relation == BEHIND);
        self.carried += u32::from(driven && wish.drive.relation == WITHIN);
        if beside && !self.is_swung_by(wish.drive.look) {
            self.holders.push(wish.drive.look);
        }
        self.flown += u32::from(flies);
        self.free += u32::from(!driven);
        self.steps[wish.view.number() as usize] = Some(by);
        self.twins.insert((wish.view.number(), wish.instance.rank, wish.instance.of), by);
        let intent = match wish.view.click() {
            _ if along => WITH,
            _ if beside && wish.drive.around == by => AROUND,
            Some(click) => CLICK + wish.instance.at.plus(by).minus(click).code(),
            None if self.goes_forth(wish, by) => FORTH,
            None => by.code(),
        };
        if wish.drive.relation == 0 && wish.view.click().is_none() {
            let told = self.plain_wish(wish).map(|(by, _)| by);
            self.drift.learn(wish.view.number(), wish.last, (by, told));
        }
        self.intent.learn(&wish.case(), intent);
    }

    /// Whether it went to where it looks by an action without a direction.
    fn goes_forth(&self, wish: &Wish<'_>, by: Vector) -> bool {
        let looks = self.facing.of(wish.instance.pose);
        wish.drive.relation == 0 && !wish.view.is_arrow() && looks.is_some_and(|looks| by.is_along(looks))
    }

    /// Learns that it went by so much though nothing touched it. What goes further than it is long goes on until something
    /// stops it.
    fn learn_ray(&mut self, wish: &Wish<'_>, by: Vector) {
        let size = self.poses[wish.instance.pose].size;
        self.driven += 1;
        self.flown += u32::from(by.x.abs() > size.x || by.y.abs() > size.y);
        self.rays.learn(wish, by);
    }

    /// Whether one in line with what moved others from afar stays although nothing new is in its way, or, where it goes on
    /// until something stops it, right before it; that is learned.
    pub(in crate::rules::mover) fn is_spared(&mut self, wish: &Wish<'_>, by: Vector) -> bool {
        let way = if self.is_flying() { by.signum().times(self.stride(wish.view)) } else { by };
        let is_spared = wish.drive.relation == ALIGNED
            && by != Vector::ZERO
            && self.finds_nothing_new(wish.view, wish.instance, way);
        if is_spared {
            self.rays.learn(wish, Vector::ZERO);
        }
        is_spared
    }

    /// Whether only what it entered before lies in the way of a piece: if it stays all the same, it means to.
    pub(in crate::rules::mover) fn finds_nothing_new(&self, view: &View<'_>, instance: Instance, by: Vector) -> bool {
        self.attempt((view, Drive::default()), instance, by).feature(NOVELTY) == ENTERED
    }

    /// Whether a wish follows from what was done: not from where the piece went before alone.
    pub(in crate::rules::mover) fn obeys(wish: &Verdict) -> bool {
        wish.features & LEADS != BEFORE
    }

    /// Learns that a piece means to stay, as one does while another one is selected.
    pub(in crate::rules::mover) fn learn_refusal(&mut self, wish: &Wish<'_>) {
        self.intent.learn(&wish.case(), Vector::ZERO.code());
    }

    /// Learns what came of an attempt to move from here, and by which way it did if that was not straight.
    pub(in crate::rules::mover) fn learn_gate(
        &mut self,
        wish: &Wish<'_>,
        sprite: &Sprite,
        by: Vector,
        (came, path): (Vector, &[Vector]),
    ) {
        let (view, at) = (wish.view, wish.instance.at);
        let way = strip::colors(view.frame, &strip::swept(sprite, at, by));
        if self.entered == 0 && came == by {
            self.entered = way;
        }
        let attempt = self.attempt((view, wish.drive), wish.instance, by);
        let stepped = self.gate(&attempt).is_some_and(|(by, _)| by == came);
        let met = attempt.case();
        let gait = &mut self.gaits[Gait::of(view.number())];
        let slid = gait.slide.end(view.frame, sprite, at, by) == Some(came);
        // What is moved from afar meant to go as far as it went, which foretells nothing.
        gait.step_hits += u32::from(stepped && !slid && wish.drive.relation != ALIGNED);
        gait.slide_hits += u32::from(slid && !stepped);
        if came.x != 0 && came.y != 0 {
            gait.slide.learn_turns(view.frame, sprite, at, by, &[path, &[came]].concat());
        } else {
            gait.slide.learn(view.number(), view.frame, sprite, at, by, came);
        }
        let outcome = match came {
            _ if came == by => GO,
            Vector::ZERO => STAY,
            _ => ELSE + came.code(),
        };
        self.gate.learn(&met, outcome);
        self.entered |= if outcome == GO { way } else { 0 };
    }

    /// Learns that a colour is of walls, if a piece meant to move so and such a one stopped it.
    pub(in crate::rules::mover) fn learn_wall(&mut self, wish: &Wish<'_>, by: Vector, came: Vector) {
        if came == Vector::ZERO {
            self.walls |= self.attempt((wish.view, wish.drive), wish.instance, by).wall();
        }
    }

    /// Learns of twins that others take along, and they of it, how that is done and what they enter then.
    pub(in crate::rules::mover) fn join(&mut self, other: &mut Class) {
        (self.entered, other.entered) = (self.entered | other.entered, self.entered | other.entered);
        let pulled = self.pulled.max(other.pulled);
        (self.pulled, other.pulled) = (pulled, pulled);
        self.holders.extend_from_slice(&other.holders);
        self.holders.sort_unstable();
        self.holders.dedup();
        other.holders.clone_from(&self.holders);
    }

    /// Learns that the piece it lies within went without it.
    pub(in crate::rules::mover) fn learn_left(&mut self) {
        self.left += 1;
    }

    /// Learns whether a piece that went for this one, which stayed, came to lie on it or stopped.
    pub(in crate::rules::mover) fn learn_contact(&mut self, passed: bool) {
        self.passed += u32::from(passed);
        self.held += u32::from(!passed);
    }

    /// Learns whether a piece that met it so was lost.
    pub(in crate::rules::mover) fn learn_meeting(&mut self, meeting: Meeting, is_lost: bool) {
        let (lost, survived) = &mut self.meetings[meeting as usize];
        *lost += u32::from(is_lost);
        *survived += u32::from(!is_lost);
    }

    /// Learns whether it was seen where there was this colour.
    pub(in crate::rules::mover) fn learn_cover(&mut self, ground: Color, is_seen: bool) {
        self.shown[ground.index()] += if is_seen { 1 } else { -1 };
    }
}
