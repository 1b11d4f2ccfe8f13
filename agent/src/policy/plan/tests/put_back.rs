//! What puts a level back, and what merely undoes a step.

use env_client::{Action, ActionId, ActionSet, Color, Command, Grid, Key, Point, Status};

use world_model::{Advance, Prediction, Start, State, Transition, WorldModel};

use super::{Push, Target, Walk, arrows, push};
use crate::policy::{self, Plan, Policy};

/// A picture of one piece where a square of this side has this colour.
fn square(color: u8, side: u8) -> Grid {
    let mut frame = Grid::filled(16, 16, Color::of(0));
    (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).for_each(|(x, y)| {
        frame.set(Point::new(x, y).unwrap(), Color::of(color));
    });
    frame.set(Point::new(15, 15).unwrap(), Color::of(5));
    frame
}

/// A player that saw one action after the other lead from picture to picture, from a first one.
fn shown<M: WorldModel + Send>(model: M, first: &Grid, steps: &[(Action, Grid)], actions: ActionSet) -> Plan<M> {
    let with = |frame: &Grid| policy::tests::with(frame.clone(), Status::NotFinished, 0, actions);
    let mut plan = Plan::with_model(model, 1);
    let mut now = with(first);
    plan.observe(None, Command::Reset, policy::Outcome::Seen(&now));
    for (action, frame) in steps {
        let after = with(frame);
        plan.observe(Some(&now), (*action).into(), policy::Outcome::Seen(&after));
        now = after;
    }
    plan
}

#[test]
fn a_click_that_undoes_another_one_loses_nothing() {
    let (red, green, blue) = (square(2, 8), square(3, 8), square(4, 8));
    let (click, clicks) = (Action::Click(Point::new(2, 2).unwrap()), ActionSet::of(&[ActionId::Action6]));
    let toggled = shown(Walk::default(), &red, &[(click, green.clone()), (click, red.clone())], clicks);
    assert!(toggled.failed.is_empty(), "back the way it came");
    let turned = [(click, green.clone()), (click, blue.clone()), (click, red.clone())];
    assert!(shown(Walk::default(), &red, &turned, clicks).failed.is_empty(), "all the way round, as much each time");
    let other = Action::Click(Point::new(15, 15).unwrap());
    let put_back = shown(Walk::default(), &red, &[(click, green), (click, blue), (other, red.clone())], clicks);
    assert_eq!(put_back.failed.len(), 1, "nothing leads there but beginning again");
}

/// The keys of the way to the slot that a player plans who pushed a crate for three steps, and then pressed the fifth key,
/// which put everything back, or did not.
fn planned(put_back: bool) -> Vec<Action> {
    let first: Grid = "0000000000\n0560000000\n0000000000\n0000000070\n0000000000".parse().unwrap();
    let (right, back) = (Action::Key(Key::Key4), Action::Key(Key::Key5));
    let mut actions = arrows();
    actions.insert(back.id());
    let mut steps = Vec::new();
    let mut now = first.clone();
    for _ in 0..3 {
        now = push(&now, right);
        steps.push((right, now.clone()));
    }
    steps.extend(put_back.then(|| (back, first.clone())));
    let mut plan = shown(Push, &first, &steps, actions);
    let now = if put_back { first } else { now };
    plan.decide(&policy::tests::with(now, Status::NotFinished, 0, actions), actions);
    assert!(matches!(plan.target, Some(Target::Arrange(_))), "{:?}", plan.target);
    plan.steps.iter().map(|step| step.action).collect()
}

#[test]
fn a_key_that_puts_everything_back_is_no_part_of_a_way() {
    let back = Action::Key(Key::Key5);
    assert_eq!(planned(false).last(), Some(&back), "some levels look at what was arranged only when told to");
    assert!(!planned(true).contains(&back));
}

/// Knows of all keys but one that they walk.
#[derive(Debug)]
struct WalksBut(Key);

impl WorldModel for WalksBut {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        if action == Action::Key(self.0) { Prediction::UNKNOWN } else { Walk::default().predict(state, action) }
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        let is_known = action != Action::Key(self.0);
        Walk::default().advances(state, if is_known { action } else { Action::Key(Key::Key5) })
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// Steps that were taken for losses where keys led from picture to picture and the last one, of which nobody knew
/// anything, back to the first.
fn losses(pictures: &[&str], keys: &[Key]) -> usize {
    let frames: Vec<Grid> = pictures.iter().map(|it| it.parse().unwrap()).collect();
    let actions = keys.iter().copied().map(Action::Key);
    let back = frames[1..].iter().chain([&frames[0]]).cloned();
    let steps: Vec<(Action, Grid)> = actions.zip(back).collect();
    let model = WalksBut(*keys.last().unwrap());
    shown(model, &frames[0], &steps, arrows()).failed.len()
}

#[test]
fn a_key_that_nobody_knew_to_move_pieces_puts_nothing_back() {
    let (down, right, up, left) = (Key::Key2, Key::Key4, Key::Key1, Key::Key3);
    let around = ["0000\n0500\n0000", "0000\n0000\n0500", "0000\n0000\n0050", "0000\n0050\n0000"];
    assert_eq!(losses(&around, &[down, right, up, left]), 0, "a round trip");
    let away = ["0000\n5000\n0000", "0000\n0500\n0000", "0000\n0050\n0000"];
    assert_eq!(losses(&away, &[right, right, left]), 1, "it goes further than any key takes it");
}
