//! A key that takes back what was done last.

use env_client::{Action, Grid, Key};

use super::Rules;
use crate::{Outcome, Start, Transition, WorldModel};

/// Learns a step; what was expected of it.
fn answer(rules: &mut Rules, before: &Grid, key: Key, after: &Grid) -> Option<Grid> {
    let expected = rules.predict(&rules.state(before), Action::Key(key)).next.map(|it| it.frame);
    let layers = [after.clone()];
    rules.observe(&Transition { before, action: Action::Key(key), layers: &layers, outcome: Outcome::Continues });
    expected
}

#[test]
fn the_last_key_leads_back_step_by_step() {
    let [first, second, third]: [Grid; 3] = ["3000", "0300", "0030"].map(|it| it.parse().unwrap());
    let mut rules = Rules::new();
    rules.begin(&first, Start::Level);
    answer(&mut rules, &first, Key::Key4, &second);
    answer(&mut rules, &second, Key::Key4, &third);
    assert_eq!(answer(&mut rules, &third, Key::Key7, &second), Some(second.clone()));
    assert_eq!(answer(&mut rules, &second, Key::Key7, &first), Some(first.clone()));
    assert_eq!(answer(&mut rules, &first, Key::Key7, &first), Some(first.clone()), "there is nothing to go back to");
}
