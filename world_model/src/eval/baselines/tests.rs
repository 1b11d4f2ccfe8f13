use env_client::{Key, Point};

use super::*;
use crate::Outcome;

const RIGHT: Action = Action::Key(Key::Key4);
const LEFT: Action = Action::Key(Key::Key3);

fn grid(picture: &str) -> Grid {
    picture.parse().unwrap()
}

fn taught<G: Guess>(mut baseline: Baseline<G>, steps: &[(&str, Action, &str)]) -> Baseline<G> {
    for (before, action, after) in steps {
        let layers = [grid(after)];
        let transition =
            Transition { before: &grid(before), action: *action, layers: &layers, outcome: Outcome::Continues };
        baseline.observe(&transition);
    }
    baseline
}

fn guess<G: Guess>(baseline: &Baseline<G>, frame: &str, action: Action) -> Grid {
    baseline.predict(&State::seen(grid(frame)), action).next.expect("a baseline always has an answer").frame
}

#[test]
fn copying_the_last_frame_is_as_sure_as_it_was_right() {
    let baseline = taught(copy_last(), &[("10", RIGHT, "10"), ("10", RIGHT, "01")]);
    assert_eq!(guess(&baseline, "10", RIGHT), grid("10"));
    // (1 + 1) right of (2 + 2).
    assert!((baseline.predict(&State::seen(grid("10")), RIGHT).confidence - 0.5).abs() < 1e-6);
}

#[test]
fn the_cache_copies_where_it_has_nothing() {
    let baseline = taught(cache(), &[("100", RIGHT, "010")]);
    assert_eq!(guess(&baseline, "100", RIGHT), grid("010"));
    assert_eq!(guess(&baseline, "010", RIGHT), grid("010"));
}

#[test]
fn patches_move_an_object_in_a_place_never_seen() {
    let open = "0".repeat(20);
    let at = |x: usize| format!("{}1{}", &open[..x], &open[x + 1..]);
    let baseline = taught(patches(), &[(&at(8), RIGHT, &at(9)), (&at(8), LEFT, &at(7))]);
    assert_eq!(guess(&baseline, &at(10), RIGHT), grid(&at(11)));
    assert_eq!(guess(&baseline, &at(10), LEFT), grid(&at(9)));
}

#[test]
fn the_commonest_edit_of_a_click_follows_the_click() {
    let click = |x: u8| Action::Click(Point::new(x, 0).unwrap());
    let baseline = taught(frequent_edit(), &[("0000", click(0), "2000"), ("2000", click(2), "2020")]);
    assert_eq!(guess(&baseline, "0000", click(3)), grid("0002"));
    assert_eq!(guess(&baseline, "0000", RIGHT), grid("0000"));
}

#[test]
fn the_commonest_edit_of_a_key_stays_where_it_was() {
    let steps = [("000", RIGHT, "010"), ("100", RIGHT, "110"), ("000", RIGHT, "000")];
    assert_eq!(guess(&taught(frequent_edit(), &steps), "000", RIGHT), grid("010"));
}
