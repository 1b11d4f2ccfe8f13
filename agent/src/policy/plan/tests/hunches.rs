//! A net decides between experiments that are equally worth a try, and nothing else.

use world_model::Foresight;

use super::*;
use crate::policy::{Part, plan::hunch::Hunches};

/// A net that expects clicks on one colour to change something.
#[derive(Clone, Copy, Debug)]
struct Expecting(usize);

impl WorldModel for Expecting {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let mut next = state.frame.clone();
        if let Some(at) = action.point().filter(|at| state.frame[*at].index() == self.0) {
            next.set(at, Color::of(15));
        }
        Prediction { next: Some(State::seen(next)), confidence: 0.5, source: Source::Net, ..Prediction::UNKNOWN }
    }

    fn foresee(&self, _state: &State, _action: Action) -> Foresight {
        Foresight { prediction: Prediction::UNKNOWN, advances: Vec::new(), driven: Vec::new() }
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        1.0
    }
}

/// What the net said came true so often.
fn proven(times: usize) -> Hunches {
    let (frame, mask): (Grid, _) = ("70".parse().unwrap(), InterfaceMask::new());
    let click = |x| Expecting(7).predict(&State::seen(frame.clone()), Action::Click(Point::new(x, 0).unwrap()));
    let mut hunches = Hunches::default();
    for (x, after) in (0..times).flat_map(|_| [(0, "f0"), (1, "70")]) {
        hunches.expect(&frame, &click(x), &mask);
        hunches.learn(&frame, &after.parse().unwrap(), &mask);
    }
    hunches
}

/// The colour that is clicked first.
fn clicked(hunches: Option<Hunches>, without: Option<Part>) -> (usize, Who) {
    let frame: Grid =
        "00000000000\n01102203300\n01102203300\n00000000000\n04405507700\n04405507700\n00000000000".parse().unwrap();
    let clicks = ActionSet::of(&[ActionId::Action6]);
    let now = policy::tests::with(frame.clone(), Status::NotFinished, 0, clicks);
    let mut plan = Plan::with_model(Expecting(7), 1);
    if without == Some(Part::Skills) {
        plan.skills = super::super::Skills::default();
    }
    plan.hunches = hunches;
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    let decision = plan.decide(&now, clicks);
    let Command::Act(Action::Click(at)) = decision.command else { panic!("a click is all there is") };
    (frame[at].index(), decision.who)
}

#[test]
fn of_equal_experiments_the_one_comes_first_that_should_change_something() {
    for (without, who) in [(None, Who::Skill("probe")), (Some(Part::Skills), Who::Explore)] {
        assert_eq!(clicked(Some(proven(4)), without), (7, who));
        assert_ne!(clicked(Some(proven(0)), without).0, 7, "what it says was not seen to come true");
        assert_eq!(clicked(Some(proven(0)), without), clicked(None, without));
    }
}
