//! What is imagined of a level is brought about like anything else that may be wanted, and given up when it was in vain.

use super::*;
use crate::policy::{
    Decision,
    plan::imagine::{Imagery, Imagined},
};

/// What is decided in a level where a piece walks or pushes crates, until it `wins` or nothing is left of the limit.
fn play(picture: &str, image: Option<&str>, wins: impl Fn(&Grid) -> bool, limit: usize) -> Vec<Decision> {
    let first: Grid = picture.parse().unwrap();
    let mut now = policy::tests::with(first, Status::NotFinished, 0, arrows());
    let mut plan = Plan::with_model(Push, 1);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    if let Some(image) = image {
        plan.imagery = Imagery::of(Imagined { frame: image.parse().unwrap(), confidence: 0.75 });
    }
    let mut decisions = Vec::new();
    while decisions.len() < limit && !wins(now.settled().unwrap()) {
        let decision = plan.decide(&now, arrows());
        let Command::Act(action) = decision.command else { break };
        let next = push(now.settled().unwrap(), action);
        let after = policy::tests::with(next, Status::NotFinished, 0, arrows());
        plan.observe(Some(&now), action.into(), policy::Outcome::Seen(&after));
        (now, decisions) = (after, [decisions, vec![decision]].concat());
    }
    decisions
}

fn signed(decisions: &[Decision]) -> usize {
    decisions.iter().filter(|it| it.who == Who::Imagine).count()
}

const ROOM: &str = "0000000000\n0500000000\n0001000000\n0001000000\n0000000000\n0000000000";

#[test]
fn a_piece_goes_where_it_was_imagined() {
    let image = "0000000000\n0000000000\n0001000000\n0001000000\n0000000000\n0000000500";
    let there = |frame: &Grid| piece(frame) == Point::new(7, 5).unwrap();
    let decisions = play(ROOM, Some(image), there, 40);
    assert_eq!((decisions.len(), signed(&decisions)), (10, 10), "straight there");
    assert_eq!(decisions[0].goal.as_deref(), Some("every piece where it was imagined"));
    assert_eq!(decisions[0].why, "plan: every piece where it was imagined, 9 more; 75 % of views agree");
    let without = play(ROOM, None, there, 40);
    assert!(without.len() > 10 && signed(&without) == 0, "{without:?}");
}

#[test]
fn what_was_imagined_and_came_true_in_vain_is_given_up() {
    let image = ROOM.replace("0500000000", "0000500000");
    let decisions = play(ROOM, Some(&image), |_| false, 30);
    assert_eq!((decisions.len(), signed(&decisions)), (30, 3));
}

#[test]
fn what_was_imagined_and_cannot_be_reached_costs_no_action() {
    let walled = "0000000000\n0500011100\n0000010100\n0000011100\n0000000000\n0000000000";
    let image = walled.replace("05000", "00000").replace("10100", "15100");
    assert_eq!(signed(&play(walled, Some(&image), |_| false, 30)), 0);
}
