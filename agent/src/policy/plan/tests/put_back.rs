//! What puts a level back, and what merely undoes a step.

use env_client::{Action, ActionId, ActionSet, Color, Command, Grid, Key, Point, Status};

use super::{Walk, arrows};
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
fn shown(first: &Grid, steps: &[(Action, Grid)], actions: ActionSet) -> Plan<Walk> {
    let with = |frame: &Grid| policy::tests::with(frame.clone(), Status::NotFinished, 0, actions);
    let mut plan = Plan::with_model(Walk::default(), 1);
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
    let toggled = shown(&red, &[(click, green.clone()), (click, red.clone())], clicks);
    assert!(toggled.failed.is_empty(), "back the way it came");
    let put_back = shown(&red, &[(click, green), (click, blue), (click, red.clone())], clicks);
    assert_eq!(put_back.failed.len(), 1, "nothing leads there but beginning again");
}

#[test]
fn a_key_that_puts_everything_back_is_no_part_of_a_way() {
    let (red, green, blue) = (square(2, 8), square(3, 8), square(4, 8));
    let (right, back) = (Action::Key(Key::Key4), Action::Key(Key::Key5));
    let plan = shown(&red, &[(right, green), (right, blue), (back, red.clone())], arrows());
    assert!(plan.ledger.puts_back(back.id()) && !plan.ledger.puts_back(right.id()));
}
