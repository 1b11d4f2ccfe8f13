//! The planner with a part of it left out, to see what the part is worth.

use env_client::{Action, ActionSet, Command, Grid, Observation};
use world_model::{Joint, Prediction, Rules, Start, State, Transition, WorldModel};

use super::{
    Plan,
    skill::{Skill, Skills},
    skills,
    strokes::Strokes,
};
use crate::policy::{Decision, Nets, Outcome, Policy, echo::Unmarked};

/// A part of the planner that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// What the model believes about how the game works. Without it, it only knows what it saw, and no pieces.
    Rules,
    /// What came of the same action in the same state. Without it, rules are taken at their word.
    Memory,
    /// The search for arrangements of pieces.
    Arrangements,
    /// The skills beside the search.
    Skills,
    /// One of them: clicks in a row.
    Strokes,
    /// What tells the mark that a click leaves from its answer.
    Marks,
    /// What the ARC solver imagines; only there where its checkpoint was named.
    Solver,
    /// What a net foresees; only there where its checkpoint was named.
    Net,
    /// What earlier levels taught: everything, the model included. Without it, each level has a new player.
    CarryOver,
}

impl Part {
    /// The name of the planner without it.
    pub(in crate::policy) const fn policy(self) -> &'static str {
        match self {
            Part::Rules => "plan-no-rules",
            Part::Memory => "plan-no-memory",
            Part::Arrangements => "plan-no-arrangements",
            Part::Skills => "plan-no-skills",
            Part::Strokes => "plan-no-strokes",
            Part::Marks => "plan-no-marks",
            Part::Solver => "plan-no-solver",
            Part::Net => "plan-no-net",
            Part::CarryOver => "plan-no-carry-over",
        }
    }
}

/// A planner without this part.
pub(in crate::policy) fn plan_without(part: Part, seed: u64, nets: &Nets) -> Box<dyn Policy> {
    let nets = nets.clone().without(part);
    match part {
        Part::Rules => unmarked(Plan::with_nets(Joint::new(NoRules), seed, &nets).without(part)),
        Part::Memory => unmarked(Plan::with_model(Rules::new(), seed).imagining(&nets).without(part)),
        Part::Marks => Box::new(Plan::new(seed, &nets).without(part)),
        Part::Arrangements | Part::Skills | Part::Strokes | Part::Solver | Part::Net => {
            unmarked(Plan::new(seed, &nets).without(part))
        }
        Part::CarryOver => unmarked(Forgetful { player: Plan::new(seed, &nets).without(part), seed, nets }),
    }
}

fn unmarked(player: impl Policy + 'static) -> Box<dyn Policy> {
    Box::new(Unmarked::new(player))
}

impl<M: WorldModel> Plan<M> {
    fn without(mut self, part: Part) -> Plan<M> {
        self.without = Some(part);
        match part {
            Part::Skills => self.skills = Skills::default(),
            Part::Strokes => {
                let strokes = Strokes::default();
                self.skills = Skills::new(skills().into_iter().filter(|it| it.name() != strokes.name()).collect());
            }
            _ => {}
        }
        self
    }
}

/// Believes nothing.
#[derive(Clone, Copy, Debug)]
struct NoRules;

impl WorldModel for NoRules {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, _state: &State, _action: Action) -> Prediction {
        Prediction::UNKNOWN
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// Leaves each level to a new player.
#[derive(Debug)]
struct Forgetful {
    player: Plan,
    seed: u64,
    nets: Nets,
}

impl Policy for Forgetful {
    fn name(&self) -> &'static str {
        self.player.name()
    }

    fn decide(&mut self, now: &Observation, actions: ActionSet) -> Decision {
        self.player.decide(now, actions)
    }

    /// To the new player, the first frame of its level is that of a game.
    fn observe(&mut self, before: Option<&Observation>, command: Command, outcome: Outcome<'_>) {
        match (before, outcome) {
            (Some(before), Outcome::Seen(after)) if after.levels_completed > before.levels_completed => {
                self.player = Plan::new(self.seed, &self.nets).without(Part::CarryOver);
                self.player.observe(None, Command::Reset, outcome);
            }
            _ => self.player.observe(before, command, outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::{ActionId, Color, Key, Point};

    use super::*;
    use crate::policy::{
        Kind, Who,
        tests::{build, observation},
    };

    const DOWN: Command = Command::Act(Action::Key(Key::Key2));

    /// What a planner thinks will come of the key that moved a piece twice, on this level and the next.
    fn foreseen(kind: Kind) -> [bool; 2] {
        let walks = ["0000\n0500\n0000\n0000\n0000", "0000\n0000\n0500\n0000\n0000"].map(observation);
        let next = Observation { levels_completed: 1, ..walks[1].clone() };
        let mut policy = build(kind, 1);
        policy.observe(None, Command::Reset, Outcome::Seen(&walks[0]));
        policy.observe(Some(&walks[0]), DOWN, Outcome::Seen(&walks[1]));
        policy.observe(Some(&walks[1]), Command::Reset, Outcome::Seen(&walks[0]));
        let actions = ActionSet::of(&[ActionId::Action2]);
        let here = policy.decide(&walks[0], actions).forecast.is_some();
        policy.observe(Some(&walks[0]), DOWN, Outcome::Seen(&next));
        [here, policy.decide(&next, actions).forecast.is_some()]
    }

    #[test]
    fn what_was_seen_and_what_is_believed_can_be_left_out() {
        assert_eq!(foreseen(Kind::Plan), [true, true]);
        assert_eq!(foreseen(Kind::PlanWithout(Part::Rules)), [true, false], "a new level was never seen");
        assert_eq!(foreseen(Kind::PlanWithout(Part::CarryOver)), [true, false], "a new level has a new player");
    }

    /// Where a planner clicks when each click leaves a dot where it was until the next one, and does nothing else.
    fn clicks(kind: Kind) -> Vec<Point> {
        let clean =
            observation("00000000000\n01110222030\n01110222000\n00000000040\n05550666000\n05550666078\n00000000000");
        let (mut now, mut policy, mut clicks) = (clean.clone(), build(kind, 1), Vec::new());
        policy.observe(None, Command::Reset, Outcome::Seen(&now));
        for _ in 0..16 {
            let command = policy.decide(&now, ActionSet::of(&[ActionId::Action6])).command;
            let Command::Act(Action::Click(at)) = command else { break };
            let mut after = clean.clone();
            after.layers[0].set(at, Color::of(14));
            policy.observe(Some(&now), command, Outcome::Seen(&after));
            (now, clicks) = (after, [clicks, vec![at]].concat());
        }
        clicks
    }

    #[test]
    fn without_the_filter_of_marks_every_click_has_an_answer() {
        assert_ne!(clicks(Kind::Plan), clicks(Kind::PlanWithout(Part::Marks)));
        assert_eq!(clicks(Kind::Plan), clicks(Kind::PlanWithout(Part::Rules)), "they have no part in it");
    }

    #[test]
    fn one_skill_can_be_left_out() {
        let skills = |part| format!("{:?}", Plan::new(1, &Nets::default()).without(part).skills);
        assert!(skills(Part::Arrangements).contains("Strokes"));
        assert!(skills(Part::Strokes).contains("Board") && !skills(Part::Strokes).contains("Strokes"));
    }

    #[test]
    fn without_skills_clicks_are_left_to_exploration() {
        let now = observation("00000\n05500\n05500\n00000\n00000");
        let who = |kind| {
            let mut policy = build(kind, 1);
            policy.observe(None, Command::Reset, Outcome::Seen(&now));
            policy.decide(&now, ActionSet::of(&[ActionId::Action6])).who
        };
        assert_eq!(who(Kind::Plan), Who::Skill("probe"));
        assert_eq!(who(Kind::PlanWithout(Part::Skills)), Who::Explore);
    }
}
