//! Pieces that look to a side, whatever they look like: a form has a picture for each side, an arrow shows the one of its
//! side, also where the piece cannot go there, and another action changes the form and not the side.
//!
//! The law of poses learns for each picture and each action what comes of it. Here one case speaks for all sides.

use super::{Class, Instance};
use crate::rules::{law::Law, sprite::Vector, view::View};

/// Outcomes: the piece looks as it looked; to where it meant to go; some other way. Above, it looks to the same side in the
/// form of which the number is added.
const KEPT: u64 = 0;
const TURNED: u64 = 1;
const OTHER: u64 = 2;
const FORM: u64 = 3;

/// How a way lies to where a piece looks.
const ALONG: u64 = 1;
const BACK: u64 = 2;
const ACROSS: u64 = 3;

/// Sides on which a form must have been seen before any of its pictures is taken for one of a side.
const SIDES: usize = 3;
/// Features that decide what becomes of a look, and how many of them at most.
const FEATURES: usize = 4;
const ATOMS: u32 = 3;

/// Whether pieces turn to where they mean to go, and what changes their form.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    /// By the action, all arrows being one, the form, whether it moves, and how its way lies to where it looks or, of other
    /// actions, what lies there.
    law: Law<FEATURES>,
    /// Looks that only this foretold, and those that only the law of poses did.
    hits: u32,
    misses: u32,
}

impl Default for Heading {
    fn default() -> Self {
        Heading { law: Law::new(ATOMS), hits: 0, misses: 0 }
    }
}

impl Heading {
    /// Whether it explained more of what was seen than the law of poses.
    pub(super) fn pays(&self) -> bool {
        self.hits > self.misses
    }
}

impl Class {
    /// How a way lies to where a pose looks, and its form, in one number.
    pub(super) fn bearing(&self, pose: usize, by: Vector) -> u64 {
        (self.form(pose) as u64) << 2 | self.side(pose, by)
    }

    /// How a way lies to where a pose looks; 0 where that is not known.
    fn side(&self, pose: usize, by: Vector) -> u64 {
        match self.faces(pose) {
            None => 0,
            Some(facing) if facing.is_along(by) => ALONG,
            Some(facing) if facing.is_along(Vector::ZERO.minus(by)) => BACK,
            Some(_) => ACROSS,
        }
    }

    /// The pose of a form that looks along a way, where the form is known from several sides.
    fn looking(&self, form: usize, by: Vector) -> Option<usize> {
        let alike = (0..self.poses.len()).filter(|it| self.form(*it) == form);
        let sides: Vec<(usize, Vector)> = alike.filter_map(|it| Some((it, self.faces(it)?))).collect();
        let found = sides.iter().find(|(_, facing)| facing.is_along(by))?;
        (sides.len() >= SIDES).then_some(found.0)
    }

    /// The pose of a piece after an action by which it means to go somewhere, or stays, by the side to which it looks.
    pub(super) fn headed(&self, view: &View<'_>, piece: Instance, way: (Vector, bool)) -> Option<usize> {
        let pose = piece.pose;
        let case = self.case_of_heading(view, piece, way)?;
        match self.heading.law.ask(|index| case[index])?.outcome {
            KEPT => Some(pose),
            TURNED => self.looking(self.form(pose), way.0),
            OTHER => None,
            form => self.looking((form - FORM) as usize, self.faces(pose)?),
        }
    }

    /// The case of an arrow, or of another action that leaves a piece where it is; none where this has nothing to say.
    fn case_of_heading(
        &self,
        view: &View<'_>,
        piece: Instance,
        (by, moves): (Vector, bool),
    ) -> Option<[u64; FEATURES]> {
        let form = self.form(piece.pose) as u64;
        if view.is_arrow() {
            return (by != Vector::ZERO).then(|| [0, form, u64::from(moves), self.side(piece.pose, by)]);
        }
        let is_press = !moves && view.click().is_none() && !self.painted;
        (is_press && self.faces(piece.pose).is_some()).then(|| [view.number(), form, 0, self.ahead(view, piece).1])
    }

    /// Learns how a piece looks after an action of which the law of poses expected another look. What looks already to where
    /// it goes tells nothing.
    pub(super) fn learn_heading(
        &mut self,
        view: &View<'_>,
        piece: Instance,
        way: (Vector, bool),
        (by_case, after): (usize, usize),
    ) {
        let pose = piece.pose;
        let Some(case) = self.case_of_heading(view, piece, way) else { return };
        let outcome = if view.is_arrow() {
            let Some(looking) = self.looking(self.form(pose), way.0).filter(|it| *it != pose) else { return };
            match after {
                _ if after == looking => TURNED,
                _ if after == pose => KEPT,
                _ => OTHER,
            }
        } else {
            match (self.faces(after), self.faces(pose)) {
                _ if after == pose => KEPT,
                (Some(now), Some(before)) if now.is_along(before) => FORM + self.form(after) as u64,
                _ => OTHER,
            }
        };
        let headed = self.headed(view, piece, way);
        match (headed == Some(after), by_case == after) {
            (true, false) => self.heading.hits += 1,
            (false, true) if headed.is_some() => self.heading.misses += 1,
            _ => {}
        }
        self.heading.law.learn(&case, outcome);
    }
}
