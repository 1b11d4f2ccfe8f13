//! What lies in one row or column with a piece and is moved by it from afar.

use super::*;

/// A piece of colour 3 that walks in the first row and, by a key, pulls what has colour 6 to it, and sends away what has
/// colour 7, as far as there is room; 5 lets nothing through.
fn pull(frame: &Grid, action: Action) -> Grid {
    if action != Action::Key(Key::Key5) {
        return walk(frame, action);
    }
    let mut after = frame.clone();
    let (x, top) = cells(frame, 3)[0];
    let column: Vec<usize> = (top + 1..usize::from(frame.height())).take_while(|y| color(frame, x, *y) != 5).collect();
    let free = |frame: &Grid, y: usize| y > top && color(frame, x, y) == 0;
    for (kind, by) in [(6, -1), (7, 1)] {
        for y in column.iter().copied().filter(|y| color(frame, x, *y) == kind) {
            let mut to = y;
            while free(&after, to.wrapping_add_signed(by)) {
                to = to.wrapping_add_signed(by);
            }
            put(&mut after, x, y, 0);
            put(&mut after, x, to, kind as u8);
        }
    }
    after
}

const HALL: &str =
    "55555555555\n50030000005\n50000006005\n50600700005\n50000000005\n50065007005\n50000000005\n55555555555";

#[test]
fn what_comes_from_afar_and_what_flees_is_foreseen_and_so_is_what_is_behind_a_wall() {
    let world = World { frame: HALL.parse().unwrap(), step: pull };
    let (right, changes) = world.play(keys(160, &[Key::Key3, Key::Key4, Key::Key5, Key::Key5]), 60);
    assert!(right * 20 >= changes * 19, "{right} of {changes}");
}

#[test]
fn one_look_at_each_kind_is_enough() {
    let mut frame: Grid =
        "555555555\n530000005\n500000005\n500007005\n500600005\n500000005\n500000005\n555555555".parse().unwrap();
    let mut rules = Rules::new();
    rules.begin(&frame, Start::Level);
    let mut play = |frame: &Grid, number: Key| {
        let action = Action::Key(number);
        let expected = rules.predict(&rules.state(frame), action).next.map(|it| it.frame);
        let layers = [pull(frame, action)];
        rules.observe(&Transition { before: frame, action, layers: &layers, outcome: Outcome::Continues });
        let [after] = layers;
        (expected.as_ref() == Some(&after), after)
    };
    for key in [Key::Key4, Key::Key4, Key::Key5, Key::Key4, Key::Key4, Key::Key5] {
        (_, frame) = play(&frame, key);
    }
    assert_eq!((cells(&frame, 6), cells(&frame, 7)), (vec![(3, 2)], vec![(5, 6)]));
    for (color, at, to) in [(7, (5, 6), (5, 2)), (6, (3, 2), (5, 4))] {
        put(&mut frame, at.0, at.1, 0);
        put(&mut frame, to.0, to.1, color);
        let (is_foreseen, after) = play(&frame, Key::Key5);
        assert!(is_foreseen, "{color}\n{after}");
        frame = after;
    }
}

#[test]
fn one_that_flees_in_another_colour_is_no_stranger() {
    let mut frame: Grid =
        "555555555\n530000005\n500000005\n500700005\n500000005\n500000005\n555555555".parse().unwrap();
    let mut rules = Rules::new();
    let play = |rules: &mut Rules, frame: &mut Grid, keys: &[Key]| {
        for key in keys {
            let layers = [pull(frame, Action::Key(*key))];
            let (action, outcome) = (Action::Key(*key), Outcome::Continues);
            rules.observe(&Transition { before: frame, action, layers: &layers, outcome });
            [*frame] = layers;
        }
    };
    let (left, right, act) = (Key::Key3, Key::Key4, Key::Key5);
    rules.begin(&frame, Start::Level);
    play(&mut rules, &mut frame, &[right, right, act, left, right]);
    let mut frame: Grid =
        "555555555\n530000005\n500000005\n500060005\n500000005\n500000005\n555555555".parse().unwrap();
    rules.begin(&frame, Start::Level);
    play(&mut rules, &mut frame, &[right, right, right, act]);
    put(&mut frame, 4, 2, 0);
    put(&mut frame, 4, 5, 6);
    let next = rules.predict(&rules.state(&frame), Action::Key(act)).next.expect("known").frame;
    assert_eq!(cells(&next, 6), [(4, 2)], "{next}");
}
