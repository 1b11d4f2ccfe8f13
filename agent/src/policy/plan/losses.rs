//! Levels that are lost, or put back to their beginning without a RESET.

use std::collections::BTreeSet;

use env_client::{Action, Color, Grid, Key, Observation, Point};
use world_model::{Advance, Outcome, Start, Transition, WorldModel};

use super::{Part, Plan, curiosity::Target, learn::is_own, reading::Reading};

/// A level that is put back without a RESET differs from its first frame in at most so many cells of the world (what
/// remembers the past), and in at most this share of what the step changed.
const RESTORED_CELLS: usize = 16;
const RESTORED_SHARE: usize = 4;
/// A step back to the start changes two footprints of the pieces; putting everything back changes more.
const FOOTPRINTS: usize = 5;

impl<M: WorldModel> Plan<M> {
    /// The level is lost: by what goes its own way, or else by what was touched and where, unless the budget of steps ran
    /// out. A bar that is not nearly empty says that it did not. Whether the action is to blame.
    pub(super) fn lost(&mut self, old: &Grid, action: Action, after: &Observation, reading: &Reading) -> bool {
        self.drop_plan();
        let (empty, knows) = (self.detector.nearly_empty(old), self.fuel(old).is_known());
        let is_to_blame = !self.lives.end((reading.key, action), empty) || (knows && !empty);
        if is_to_blame {
            self.teach(old, action, after, Outcome::Lost);
            self.failed.insert((reading.key, action));
            let is_met = self.model.collides(&self.model.state(old), action);
            if !is_met && !self.was_struck(old, after, reading) {
                self.ledger.died(&reading.touched);
                self.ledger.perils.died(old, &reading.advances);
            }
        } else {
            // No step led in circles: there was no time to go on.
            self.taken.clear();
        }
        is_to_blame
    }

    /// The level was lost on the way to this: with each such loss it comes later than other things. What was lost by touching it is
    /// known to be deadly instead, and what is like what solved a level is not to blame for what happens on the way.
    pub(super) fn set_aside(&mut self, wanted: Option<&Target>, reading: &Reading) {
        match wanted {
            Some(Target::Touch(thing)) => {
                let is_touched = reading.touched.things.contains(thing);
                if !is_touched && !self.ledger.has_itself_won(thing.kind) {
                    self.ledger.penalize(*thing);
                }
            }
            Some(Target::Arrange(name)) => self.arrangements.was_lost(*name),
            _ => {}
        }
    }

    /// Whether the animation of a loss shows what struck, which is remembered.
    fn was_struck(&mut self, old: &Grid, after: &Observation, reading: &Reading) -> bool {
        self.without != Some(Part::Strikers) && self.ledger.perils.struck(old, &after.layers, &reading.advances)
    }

    /// Everything is as it was: lost, as far as the play goes, but skills saw what their clicks do. Whoever foresaw that it
    /// would be is not to blame for it and goes on.
    pub(super) fn put_back(&mut self, old: &Grid, action: Action, after: &Observation, reading: &Reading) {
        if reading.moves_nothing() && action.point().is_none() {
            self.ledger.uses.put_back(action.id());
        }
        let going_on = self.skills.take_returning();
        if going_on.is_some() || !self.lost(old, action, after, reading) {
            let step = Transition { before: old, action, layers: &after.layers, outcome: Outcome::Lost };
            self.skills.observe(&step, self.detector.mask());
        }
        self.begin(after, Start::Again);
        self.skills.go_on(going_on);
    }

    /// Whether everything is as it was when the level began although nobody asked for it: far more than the pieces changed,
    /// or these turned up beyond where they meant to go.
    ///
    /// What moves nothing and leads back from where something led from the beginning merely undoes that, and so may a click
    /// that changed as much before. A key of which nobody knew that it moves pieces may have moved them.
    pub(super) fn is_put_back(&self, (old, new): (&Grid, &Grid), action: Action, reading: &Reading) -> bool {
        let (Some(first), advances) = (&self.first, &reading.advances) else { return false };
        let undoes =
            || self.beside.iter().any(|it| self.changed(it, old).is_empty()) || self.is_step((old, new), reading);
        if reading.moves_nothing() && undoes() {
            return false;
        }
        let (first, old, new) = (self.still(first), self.still(old), self.still(new));
        let left = self.changed(&first, &new).len();
        let step = self.changed(&old, &new);
        let is_usual = action.point().is_some() && self.strides.get(&action).is_some_and(|it| 2 * it >= step.len());
        if is_usual || left > RESTORED_CELLS || step.len() <= RESTORED_SHARE * left {
            return false;
        }
        let footprint: usize = advances.iter().map(|it| it.from.len()).sum();
        let looks: BTreeSet<Color> = advances.iter().flat_map(|it| &it.from).map(|at| old[*at]).collect();
        let far = step.iter().filter(|at| looks.contains(&new[**at]) && !advances.iter().any(|it| is_own(it, **at)));
        2 * step.len() > FOOTPRINTS * footprint.max(RESTORED_CELLS) || (footprint > 0 && far.count() >= footprint)
    }

    /// Whether pieces went as far as some key takes them, in any direction.
    fn is_step(&self, (old, new): (&Grid, &Grid), reading: &Reading) -> bool {
        let state = self.state(old);
        let keys = [Key::Key1, Key::Key2, Key::Key3, Key::Key4, Key::Key5].map(Action::Key);
        let steps = keys.iter().flat_map(|key| self.model.advances(&state, *key)).map(|it| it.by);
        let strides: BTreeSet<i16> = steps.map(|(x, y)| x.abs().max(y.abs())).filter(|it| *it > 0).collect();
        let went = |piece: &Advance, (dx, dy): (i16, i16)| {
            let to = |at: &Point| Point::new(i16::from(at.x()) + dx, i16::from(at.y()) + dy).ok();
            piece.from.iter().all(|at| to(at).is_some_and(|to| new.get(to) == old.get(*at)))
        };
        let ways = |stride: i16| [(stride, 0), (-stride, 0), (0, stride), (0, -stride)];
        let is_away = |piece: &&Advance| !piece.from.is_empty() && !went(piece, (0, 0));
        let mut pieces = reading.advances.iter().filter(is_away);
        pieces.any(|piece| strides.iter().flat_map(|it| ways(*it)).any(|by| went(piece, by)))
    }
}
