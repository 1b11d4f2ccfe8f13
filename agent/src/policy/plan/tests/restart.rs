//! A level in which a crate is stuck.

use env_client::Observation;

use super::*;

/// One crate and its slot, where it can be pushed there and where it cannot.
const LEVEL: &str = "000000000\n000000000\n005060070\n000000000\n000000000";
const STUCK: &str = "050000006\n000000000\n000000070\n000000000\n000000000";

fn seen(picture: &str, levels: u16) -> Observation {
    policy::tests::with(picture.parse().unwrap(), Status::NotFinished, levels, arrows())
}

/// Pushes the crate of a level onto its slot, as the plan does it.
fn solve_first(plan: &mut Plan<Push>) {
    let mut now = seen(LEVEL, 0);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    for _ in 0..60 {
        let Command::Act(action) = plan.decide(&now, arrows()).command else { panic!("nothing is to be begun again") };
        let next = push(now.settled().unwrap(), action);
        let solved = next[Point::new(7, 2).unwrap()].index() == CRATE;
        let after = if solved { seen(LEVEL, 1) } else { seen(&next.to_string(), 0) };
        plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&after));
        if solved {
            return;
        }
        now = after;
    }
    panic!("the first level is not solved");
}

/// What is decided where a crate got stuck in the second level, until the level begins again or for a few actions.
fn restarts(mut plan: Plan<Push>, levels: u16) -> bool {
    let (first, mut now) = (seen(LEVEL, levels), seen(STUCK, levels));
    plan.observe(Some(&first), Action::Key(Key::Key4).into(), policy::Outcome::Seen(&now));
    (0..8).any(|_| {
        let decision = plan.decide(&now, arrows());
        let Command::Act(action) = decision.command else { return decision.why.starts_with("start over") };
        let after = seen(&push(now.settled().unwrap(), action).to_string(), levels);
        plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&after));
        now = after;
        false
    })
}

#[test]
fn a_level_begins_again_where_only_that_leads_to_what_solved_another() {
    let mut plan = Plan::with_model(Push, 1);
    solve_first(&mut plan);
    assert!(restarts(plan, 1));
}

#[test]
fn for_what_never_solved_a_level_none_begins_again() {
    let mut plan = Plan::with_model(Push, 1);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&seen(LEVEL, 0)));
    assert!(!restarts(plan, 0));
}

/// Whether a level begins again where a door fell shut behind the piece and this lies beyond, as what solved another level
/// did.
fn restarts_behind_the_door(beyond: usize) -> bool {
    let seen = |picture: &str, levels| seen(&picture.replace('8', &beyond.to_string()), levels);
    let (solved, right) = (seen("11111111\n10000521\n11111111", 0), Action::Key(Key::Key4));
    let (first, shut) = (seen("11111111\n15000081\n11111111", 1), seen("11111111\n11510081\n11111111", 1));
    let mut plan = Plan::with_model(Walk::default(), 1);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&solved));
    plan.observe(Some(&solved), right.into(), policy::Outcome::Seen(&first));
    plan.observe(Some(&first), right.into(), policy::Outcome::Seen(&shut));
    (0..12).any(|_| {
        let decision = plan.decide(&shut, arrows());
        plan.observe(Some(&shut), decision.command, policy::Outcome::Seen(&shut));
        decision.why.starts_with("start over")
    })
}

#[test]
fn a_level_begins_again_where_only_that_leads_to_a_thing_of_a_kind_that_solved_another() {
    assert!(restarts_behind_the_door(PRIZE));
    assert!(!restarts_behind_the_door(6), "nobody knows what that is good for");
}
