//! The skill of catching what falls: be below it in time, and wait where there is nothing else to do.

use env_client::{Action, ActionSet, Grid};
use world_model::{InterfaceMask, Outcome, Start, Transition, falls::Falls};

use super::{
    ledger::TIER,
    skill::{Proposal, Skill},
};

/// A step below something; before what others would try, since things fall meanwhile. A guess, as is the next.
const STEP: f32 = 0.2 * TIER;
/// Steps in one level after which the rest is left to others.
const STEPS: u32 = 200;
/// Steps in one level after which something else that falls has its turn. A guess.
const TURN: u32 = 50;
/// Steps in a row that wait for something in reach before others have a go, until something is. A guess.
const PATIENCE: u32 = 8;

/// Understands things that fall.
#[derive(Debug, Default)]
pub(super) struct Catch {
    model: Falls,
    steps: u32,
    /// Steps in a row that waited, and whether the one that is proposed does.
    waited: u32,
    waits: bool,
}

impl Catch {
    /// A level begins, with what falls most.
    fn restart(&mut self) {
        (self.steps, self.waited) = (0, 0);
        self.model.turn_to(0);
    }

    /// How far what is below is from under the first thing that it can reach in time.
    fn away(&self, frame: &Grid, mask: &InterfaceMask) -> Option<i16> {
        let falling = self.model.falling(frame, mask);
        let next = falling.iter().find(|it| u32::from(it.away.unsigned_abs()) <= it.steps);
        next.map(|it| it.away)
    }
}

impl Skill for Catch {
    fn name(&self) -> &'static str {
        "catch"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        if start == Start::Level {
            self.restart();
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
        if step.outcome == Outcome::Solved {
            self.restart();
        }
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        if self.steps >= STEPS || !self.model.is_understood() {
            return None;
        }
        let away = self.away(frame, mask);
        self.waits = away.is_none();
        if self.waits && self.waited >= PATIENCE {
            return None;
        }
        let action = Action::Key(self.model.key(away.unwrap_or(0))?);
        actions.contains(action.id()).then(|| Proposal::experiment(action, "catch what falls".to_owned(), STEP))
    }

    fn taken_up(&mut self) {
        self.steps += 1;
        self.waited = if self.waits { self.waited + 1 } else { 0 };
        self.model.turn_to((self.steps / TURN) as usize);
    }
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color, Key, Point};

    use super::*;

    /// A basket of 9 at this column below a drop of 11 in this one, as high as it is; there may be none.
    fn rain(basket: u8, drop: Option<(u8, u8)>) -> Grid {
        let mut frame = Grid::filled(24, 24, Color::of(0));
        let mut fill = |left: u8, top: u8, width: u8, color: u8| {
            for at in (top..top + 2).flat_map(|y| (left..left + width).map(move |x| Point::new(x, y).unwrap())) {
                frame.set(at, Color::of(color));
            }
        };
        if let Some((x, y)) = drop {
            fill(4 * x + 1, 3 * y, 2, 11);
        }
        fill(4 * basket, 20, 4, 9);
        frame
    }

    /// A skill that saw a drop fall past the basket.
    fn taught() -> Catch {
        let (mut skill, mask) = (Catch::default(), InterfaceMask::new());
        let baskets = [2, 3, 2, 2, 1, 2];
        let keys = [Key::Key4, Key::Key3, Key::Key5, Key::Key3, Key::Key4];
        skill.begin(&rain(2, Some((4, 0))), &mask, Start::Level);
        for (index, key) in keys.into_iter().enumerate() {
            let drop = |row: usize| Some((4, row as u8)).filter(|_| row < 5);
            let (before, after) = (rain(baskets[index], drop(index)), rain(baskets[index + 1], drop(index + 1)));
            let (action, layers) = (Action::Key(key), [after]);
            let step = Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues };
            skill.observe(&step, &mask);
        }
        skill
    }

    #[test]
    fn it_waits_for_what_falls_but_not_for_ever() {
        let (mut skill, mask) = (taught(), InterfaceMask::new());
        let actions = ActionSet::of(&[ActionId::Action3, ActionId::Action4, ActionId::Action5]);
        let mut key = |drop| {
            let proposal = skill.propose(&rain(2, drop), &mask, actions)?;
            skill.taken_up();
            Some(proposal.steps[0].action)
        };
        for _ in 0..PATIENCE {
            assert_eq!(key(None), Some(Action::Key(Key::Key5)), "nothing falls");
        }
        assert_eq!(key(None), None, "others have a go");
        assert_eq!(key(Some((3, 2))), Some(Action::Key(Key::Key4)));
        for _ in 0..PATIENCE {
            assert_eq!(key(None), Some(Action::Key(Key::Key5)), "it waits anew");
        }
        skill.begin(&rain(2, None), &mask, Start::Level);
        assert!(skill.propose(&rain(2, None), &mask, actions).is_some(), "and in the next level");
    }
}
