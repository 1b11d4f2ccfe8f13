//! The skill of buttons that flip cells elsewhere: make them look as drawn, or all alike.

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Grid};
use world_model::{InterfaceMask, Start, Transition, toggles::Toggles};

use super::{
    ledger::TIER,
    skill::{Move, Proposal, Skill, is_clicks_alone},
};

/// A plan; a button that was not pressed yet, and one to see whether there are any. Guesses.
const PLAN: f32 = 0.05 * TIER;
const PRESS: f32 = 0.08 * TIER;
const RIDDLE: f32 = 0.12 * TIER;
/// Buttons pressed in a game before it is understood, and plans in one level after which the rest is left to others. Guesses.
const RIDDLES: u32 = 6;
const PLANS: u32 = 12;

/// What is proposed, or under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Aim {
    #[default]
    Nothing,
    Press,
    /// All that is flipped is to look like this.
    Picture(Vec<bool>),
}

/// Understands buttons that flip cells.
#[derive(Debug, Default)]
pub(super) struct Toggling {
    model: Toggles,
    proposed: Aim,
    pursued: Aim,
    /// Pictures that were made in vain in this level.
    vain: Vec<Vec<bool>>,
    plans: u32,
    riddles: u32,
}

impl Toggling {
    /// The shortest plan to what may be wanted, what was in vain aside.
    fn plan(&mut self, frame: &Grid, mask: &InterfaceMask) -> Option<Proposal> {
        let wishes = self.model.wishes(frame, mask).into_iter().filter(|it| !it.is_empty());
        let pictures = wishes.map(|it| (self.model.picture(frame, &it), it)).filter(|it| !self.vain.contains(&it.0));
        let mut found = pictures.filter_map(|(picture, it)| Some((self.model.solve(&it)?, picture)));
        let (presses, picture) = found.next()?;
        let steps: VecDeque<Move> =
            presses.iter().map(|at| Move { action: Action::Click(*at), expected: None }).collect();
        self.proposed = Aim::Picture(picture);
        Some(Proposal { score: PLAN + steps.len() as f32, steps, goal: "all cells as drawn, or alike".to_owned() })
    }

    /// A button that was not pressed yet.
    fn press(&mut self, frame: &Grid, mask: &InterfaceMask) -> Option<Proposal> {
        let at = *self.model.unknown(frame, mask).first()?;
        let (score, text) = if self.model.is_understood() {
            (PRESS, "see what another button flips")
        } else {
            (RIDDLE, "see whether another button flips cells, too")
        };
        self.proposed = Aim::Press;
        Some(Proposal::experiment(Action::Click(at), text.to_owned(), score))
    }
}

impl Skill for Toggling {
    fn name(&self) -> &'static str {
        "toggles"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, start: Start) {
        self.model.begin(start);
        self.pursued = Aim::Nothing;
        if start == Start::Level {
            self.vain.clear();
            self.plans = 0;
        }
    }

    fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        self.model.observe(step, mask);
    }

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.proposed = Aim::Nothing;
        if !actions.contains(ActionId::Action6) || self.plans >= PLANS {
            return None;
        }
        let is_worth_it =
            self.model.is_understood() || is_clicks_alone(actions) && self.model.is_likely() && self.riddles < RIDDLES;
        let plan = if self.model.is_understood() { self.plan(frame, mask) } else { None };
        plan.or_else(|| self.press(frame, mask).filter(|_| is_worth_it))
    }

    fn gives_up(&self) -> bool {
        !self.model.is_understood()
    }

    fn taken_up(&mut self) {
        self.pursued = std::mem::take(&mut self.proposed);
        self.plans += u32::from(matches!(self.pursued, Aim::Picture(_)));
        self.riddles += u32::from(!self.model.is_understood());
    }

    fn in_vain(&mut self) {
        if let Aim::Picture(picture) = std::mem::take(&mut self.pursued) {
            self.vain.push(picture);
        }
    }
}
