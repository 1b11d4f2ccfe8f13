//! Guards that are elsewhere than foreseen, and a way that leads on all the same.

use super::*;

const GUARD: usize = 7;

/// A walk beside a guard that it believes to stand still; it may know that the guard goes its own way.
struct Guarded {
    knows_guards: bool,
}

impl WorldModel for Guarded {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        Walk { knows_all: true }.predict(state, action)
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        Walk::default().advances(state, action)
    }

    fn still(&self, state: &State) -> Option<Grid> {
        self.knows_guards.then(|| without_guards(&state.frame))
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

fn without_guards(frame: &Grid) -> Grid {
    let mut still = frame.clone();
    for at in frame.points().filter(|at| frame[*at].index() == GUARD) {
        still.set(at, Color::of(0));
    }
    still
}

/// How many steps of a plan are left after the first one, while the guard went where nobody expected it.
fn left(knows_guards: bool, guard: Point) -> usize {
    let first: Grid = "00000000\n05000002\n00000000\n07000000".parse().unwrap();
    let seen = |frame: &Grid| policy::tests::with(frame.clone(), Status::NotFinished, 0, arrows());
    let mut plan = Plan::with_model(Guarded { knows_guards }, 1);
    let now = seen(&first);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    let decision = plan.decide(&now, arrows());
    let Command::Act(action) = decision.command else { panic!("it knows the way") };
    assert_eq!(plan.steps.len(), 5, "straight to the prize: {decision:?}");
    let mut next = without_guards(&walk(&first, action).0);
    next.set(guard, Color::of(GUARD as u8));
    plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&seen(&next)));
    plan.steps.len()
}

#[test]
fn a_plan_is_kept_where_only_a_guard_is_elsewhere() {
    let aside = Point::new(2, 3).unwrap();
    assert_eq!(left(true, aside), 5);
    assert_eq!(left(false, aside), 0, "anything may have happened");
}
