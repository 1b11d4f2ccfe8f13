use env_client::{Color, Point};

use super::*;
use crate::Outcome;

/// A board of tiles three cells wide, one apart, on ground 0 at (1, 1), and a picture of it at one cell a tile in the corner.
fn drawn(rows: &[&str], picture: &[&str]) -> Grid {
    let mut grid = Grid::filled(32, 24, Color::of(0));
    for (y, row) in rows.iter().enumerate() {
        for (x, tile) in row.bytes().enumerate() {
            for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
                let at = Point::new(1 + 4 * x as u8 + dx, 1 + 4 * y as u8 + dy).unwrap();
                grid.set(at, Color::of(tile - b'0'));
            }
        }
    }
    for (y, row) in picture.iter().enumerate() {
        for (x, tile) in row.bytes().enumerate() {
            grid.set(Point::new(28 + x as u8, 20 + y as u8).unwrap(), Color::of(tile - b'0'));
        }
    }
    grid
}

fn play(first: &[&str], picture: &[&str], steps: &[(Action, &[&str])]) -> Shuffles {
    let (mut model, mask) = (Shuffles::default(), InterfaceMask::new());
    let mut before = drawn(first, picture);
    model.begin(&before, &mask, Start::Level);
    for (action, rows) in steps {
        let layers = [drawn(rows, picture)];
        let step = Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues };
        model.observe(&step, &mask);
        let [after] = layers;
        before = after;
    }
    model
}

fn click(x: u8, y: u8) -> Action {
    Action::Click(Point::new(2 + 4 * x, 2 + 4 * y).unwrap())
}

#[test]
fn a_key_moves_the_hole_wherever_it_is() {
    let rows: &[&str] = &["12", "30"];
    let model = play(rows, &[], &[(Action::Key(Key::Key4), &["12", "03"])]);
    let made = |rows: [&str; 2]| {
        let now = model.read(&drawn(&rows, &[])).unwrap();
        let exchanges = model.exchanges(&now, true).into_iter();
        exchanges.map(|it| (it.actions[0], it.after)).collect::<Vec<_>>()
    };
    let [left, right] = [Key::Key3, Key::Key4].map(Action::Key);
    assert_eq!(made(["01", "23"]), [(left, vec![1, 0, 2, 3])]);
    assert_eq!(made(["10", "32"]), [(right, vec![0, 1, 3, 2])], "the arrow against it was never pressed");
}

#[test]
fn two_clicks_exchange_what_they_are_on() {
    let rows: &[&str] = &["123"];
    let marked: &[&str] = &["123", "4"];
    let steps: &[(Action, &[&str])] = &[(click(0, 0), marked), (click(2, 0), &["321"])];
    let model = play(rows, &[], steps);
    assert!(!model.is_stepwise());
    let exchanges = model.exchanges(&[3, 2, 1], true);
    assert_eq!(exchanges.len(), 3);
    assert_eq!(exchanges[0], Exchange { actions: vec![click(0, 0), click(1, 0)], after: vec![2, 3, 1] });
}

#[test]
fn a_click_turns_what_lies_around_it_there_as_elsewhere() {
    let rows: &[&str] = &["1234", "5678"];
    let model = play(rows, &[], &[(click(0, 0), &["2134", "5678"]), (click(2, 1), &["2134", "5687"])]);
    let exchanges = model.exchanges(&[1, 2, 3, 4, 5, 6, 7, 8], true);
    assert_eq!(exchanges.len(), 6, "none where the neighbour would be off the board");
    assert_eq!(exchanges[1].after, [1, 3, 2, 4, 5, 6, 7, 8]);
}

#[test]
fn a_picture_beside_tells_what_is_wanted_where() {
    let (rows, picture): (&[&str], &[&str]) = (&["12", "34"], &["43", "21"]);
    let model = play(rows, picture, &[(click(0, 0), &["21", "34"]), (click(0, 1), &["21", "43"])]);
    let wanted = model.wanted(&drawn(&["21", "43"], picture), &InterfaceMask::new());
    assert_eq!(wanted, [[4, 3, 2, 1].map(Some)]);
}

/// A row of framed tiles, the frame of one in another colour, below a strip of plain ones.
fn framed(row: &str, marked: Option<usize>, strip: &str) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(5));
    let mut square = |left: usize, top: usize, side: usize, color: u8| {
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            grid.set(Point::new((left + x) as u8, (top + y) as u8).unwrap(), Color::of(color));
        }
    };
    for (index, tile) in row.bytes().enumerate() {
        square(3 + 10 * index, 30, 9, if marked == Some(index) { 11 } else { 3 });
        square(5 + 10 * index, 32, 5, tile - b'0');
    }
    strip.bytes().enumerate().for_each(|(index, tile)| square(5 + 10 * index, 12, 5, tile - b'0'));
    grid
}

#[test]
fn framed_tiles_are_exchanged_as_a_strip_of_plain_ones_shows() {
    let (mut model, mask, strip) = (Shuffles::default(), InterfaceMask::new(), "321");
    let frames = [framed("123", None, strip), framed("123", Some(0), strip), framed("213", None, strip)];
    model.begin(&frames[0], &mask, Start::Level);
    for (before, (after, x)) in frames.iter().zip(frames[1..].iter().zip([7, 17])) {
        let action = Action::Click(Point::new(x, 34).unwrap());
        let step = Transition { before, action, layers: std::slice::from_ref(after), outcome: Outcome::Continues };
        model.observe(&step, &mask);
    }
    let (now, wanted) = (model.read(&frames[2]).unwrap(), model.wanted(&frames[2], &mask));
    assert_eq!(wanted.len(), 1, "{:?}", model.slots);
    let wanted: Vec<Content> = wanted[0].iter().map(|it| it.unwrap()).collect();
    assert_eq!(wanted, [now[2], now[0], now[1]]);
}

#[test]
fn a_click_beside_the_hole_sends_the_tile_there() {
    let rows: &[&str] = &["12", "30"];
    let model = play(rows, &[], &[(click(1, 0), &["10", "32"])]);
    let clicks: Vec<Action> = model.exchanges(&[1, 2, 0, 3], true).into_iter().map(|it| it.actions[0]).collect();
    assert_eq!(clicks, [click(0, 0), click(1, 1)], "the hole is below the first and left of the last");
}

#[test]
fn the_hole_of_one_level_is_that_of_the_next() {
    let rows: &[&str] = &["12", "34"];
    let right = Action::Key(Key::Key4);
    // Nobody can tell after one exchange whether 1 or 2 is the hole, but after two.
    let steps: &[(Action, &[&str])] = &[(right, &["21", "34"]), (Action::Key(Key::Key2), &["24", "31"])];
    let mut model = play(rows, &[], steps);
    let (next, mask) = (["12", "43"], InterfaceMask::new());
    model.begin(&drawn(&next, &[]), &mask, Start::Level);
    let layers = [drawn(&["21", "43"], &[])];
    let before = drawn(&next, &[]);
    let step = Transition { before: &before, action: right, layers: &layers, outcome: Outcome::Continues };
    assert!(model.observe(&step, &mask));
    let keys: Vec<Action> = model.exchanges(&[2, 1, 4, 3], true).into_iter().map(|it| it.actions[0]).collect();
    assert_eq!(keys, [Key::Key2, Key::Key3].map(Action::Key), "down and left, where the 1 can go");
}

#[test]
fn slots_that_do_not_answer_are_taken_for_others() {
    let rows: &[&str] = &["123", "000", "312"];
    let marked: &[&str] = &["123", "400", "312"];
    let steps: &[(Action, &[&str])] = &[(click(0, 2), marked), (click(1, 2), &["123", "000", "132"])];
    let (mut model, mask) = (play(rows, &[], steps), InterfaceMask::new());
    let frame = drawn(rows, &[]);
    model.begin(&frame, &mask, Start::Level);
    let first = |model: &Shuffles| model.exchanges(&model.read(&frame).unwrap(), true)[0].actions[0];
    assert_eq!(first(&model), click(0, 2), "where they were");
    let layers = [frame.clone()];
    let step = Transition { before: &frame, action: click(0, 2), layers: &layers, outcome: Outcome::Continues };
    assert!(!model.observe(&step, &mask));
    assert_eq!(first(&model), click(0, 0), "the upper row might be meant as well");
}

#[test]
fn what_was_seen_of_other_slots_is_forgotten_with_them() {
    let (marked, swapped): (&[&str], &[&str]) = (&["123", "400", "312"], &["123", "000", "213"]);
    let steps: &[(Action, &[&str])] = &[(click(0, 2), marked), (click(2, 2), swapped)];
    let mut model = play(&["123", "000", "312"], &[], steps);
    let (slots, frame) = (model.slots.clone(), drawn(swapped, &[]));
    assert_eq!(model.lessons.len(), 1);
    let layers = [frame.clone()];
    let quiet = Transition { before: &frame, action: click(1, 2), layers: &layers, outcome: Outcome::Continues };
    model.observe(&quiet, &InterfaceMask::new());
    assert_ne!(model.slots, slots, "these do not answer");
    assert!(model.lessons.is_empty(), "their numbers mean nothing for others");
}

#[test]
fn what_stays_drawn_over_a_tile_does_not_change_places_with_it() {
    let knob = |rows: &[&str]| {
        let mut grid = drawn(rows, &[]);
        grid.set(Point::new(3, 3).unwrap(), Color::of(9));
        grid
    };
    let (mut model, mask) = (Shuffles::default(), InterfaceMask::new());
    let (before, layers) = (knob(&["1234"]), [knob(&["2134"])]);
    model.begin(&before, &mask, Start::Level);
    let step = Transition { before: &before, action: click(0, 0), layers: &layers, outcome: Outcome::Continues };
    assert!(model.observe(&step, &mask));
    assert_eq!(model.read(&layers[0]), Some(vec![2, 1, 3, 4]));
}

/// The board with pins of 9 in the gaps right below these tiles.
fn pinned(rows: &[&str], pins: &[(u8, u8)]) -> Grid {
    let mut grid = drawn(rows, &[]);
    for (x, y) in pins {
        grid.set(Point::new(4 + 4 * x, 4 + 4 * y).unwrap(), Color::of(9));
    }
    grid
}

fn pin(x: u8, y: u8) -> Action {
    Action::Click(Point::new(4 + 4 * x, 4 + 4 * y).unwrap())
}

fn show(model: &mut Shuffles, action: Action, before: &Grid, after: Grid) -> bool {
    let step = Transition { before, action, layers: &[after], outcome: Outcome::Continues };
    model.observe(&step, &InterfaceMask::new())
}

#[test]
fn pins_turn_what_lies_around_them_where_there_are_any() {
    let (mut model, mask, pins) = (Shuffles::default(), InterfaceMask::new(), [(0, 0), (1, 0)]);
    let before = pinned(&["123", "456"], &pins);
    model.begin(&before, &mask, Start::Level);
    show(&mut model, pin(0, 0), &before, pinned(&["413", "526"], &pins));
    let next = pinned(&["110", "122"], &[(1, 0)]);
    model.begin(&next, &mask, Start::Level);
    let turned = |model: &Shuffles, frame: &Grid| {
        let made = model.exchanges(&model.read(frame).unwrap(), true).into_iter();
        made.map(|it| (it.actions, it.after)).collect::<Vec<_>>()
    };
    assert_eq!(turned(&model, &next), [(vec![pin(1, 0)], vec![1, 2, 1, 1, 2, 0])], "one pin alone");
    show(&mut model, Action::Key(Key::Key3), &next, pinned(&["101", "122"], &[(1, 0)]));
    let after = pinned(&["101", "122"], &[(1, 0)]);
    assert_eq!(turned(&model, &after).len(), 3, "the pin, and the hole that a key moves and the arrow against it");
}

/// The same with wings of 8 above and below some of the pins.
fn winged(rows: &[&str], pins: &[(u8, u8)], wings: &[(u8, u8)]) -> Grid {
    let mut grid = pinned(rows, pins);
    for (x, y) in wings {
        for dy in [3, 5] {
            grid.set(Point::new(4 + 4 * x, dy + 4 * y).unwrap(), Color::of(8));
        }
    }
    grid
}

#[test]
fn pins_of_one_color_that_turn_in_two_senses_are_told_apart_by_their_drawing() {
    let (mut model, mask, pins) = (Shuffles::default(), InterfaceMask::new(), [(0, 0), (1, 0)]);
    let before = pinned(&["123", "456"], &pins);
    model.begin(&before, &mask, Start::Level);
    show(&mut model, pin(0, 0), &before, pinned(&["413", "526"], &pins));
    let frames = [["122", "133"], ["123", "123"]].map(|rows| winged(&rows, &pins, &[(1, 0)]));
    model.begin(&frames[0], &mask, Start::Level);
    assert_eq!(model.exchanges(&model.read(&frames[0]).unwrap(), true).len(), 2, "both are taken to turn alike");
    show(&mut model, pin(1, 0), &frames[0], frames[1].clone());
    assert_eq!(model.riddle(), None, "it turned in the other sense, though two of four pairs are of one kind");
    let made = model.exchanges(&model.read(&frames[1]).unwrap(), true).into_iter();
    assert_eq!(made.map(|it| it.after).collect::<Vec<_>>(), [[1, 1, 3, 2, 2, 3], [1, 3, 3, 1, 2, 2]]);
    assert_eq!(model.strange(), None);
    let mut third = winged(&["122", "133"], &pins, &[(1, 0)]);
    third.set(Point::new(4, 3).unwrap(), Color::of(6));
    model.begin(&third, &mask, Start::Level);
    assert_eq!(model.strange(), Some(pin(0, 0)), "it looks like neither");
}

#[test]
fn what_is_as_small_as_a_pin_and_where_pins_are_is_strange_in_another_color() {
    let (mut model, mask, pins) = (Shuffles::default(), InterfaceMask::new(), [(0, 0)]);
    let before = pinned(&["123", "456"], &pins);
    model.begin(&before, &mask, Start::Level);
    show(&mut model, pin(0, 0), &before, pinned(&["413", "526"], &pins));
    let mut next = pinned(&["122", "133"], &pins);
    model.begin(&next, &mask, Start::Level);
    assert_eq!(model.strange(), None);
    next.set(Point::new(8, 4).unwrap(), Color::of(7));
    model.begin(&next, &mask, Start::Level);
    assert_eq!(model.strange(), Some(pin(1, 0)));
    for clicks in 0..IN_VAIN {
        assert!(model.strange().is_some(), "it may have turned what looks alike {clicks} times");
        show(&mut model, pin(1, 0), &next, next.clone());
    }
    assert_eq!(model.strange(), None, "it was clicked in vain");
}

#[test]
fn what_stays_strange_is_left_alone_though_each_click_on_it_changes_something() {
    let (mut model, mask, pins) = (Shuffles::default(), InterfaceMask::new(), [(0, 0)]);
    let before = pinned(&["123", "456"], &pins);
    model.begin(&before, &mask, Start::Level);
    show(&mut model, pin(0, 0), &before, pinned(&["413", "526"], &pins));
    let mut frame = pinned(&["122", "133"], &pins);
    frame.set(Point::new(8, 4).unwrap(), Color::of(7));
    model.begin(&frame, &mask, Start::Level);
    for clicks in 0..IN_VAIN {
        assert_eq!(model.strange(), Some(pin(1, 0)), "after {clicks} clicks");
        let mut next = frame.clone();
        next.set(Point::new(20, 10 + i16::try_from(clicks).unwrap()).unwrap(), Color::of(6));
        show(&mut model, pin(1, 0), &frame, next.clone());
        frame = next;
    }
    assert_eq!(model.strange(), None, "it changes something else");
}

#[test]
fn pins_are_found_between_tiles_of_another_size() {
    let (mut model, mask) = (Shuffles::default(), InterfaceMask::new());
    let before = pinned(&["123", "456"], &[(0, 0)]);
    model.begin(&before, &mask, Start::Level);
    show(&mut model, pin(0, 0), &before, pinned(&["413", "526"], &[(0, 0)]));
    let mut next = Grid::filled(32, 24, Color::of(0));
    for (index, tile) in [1, 2, 3, 4].into_iter().enumerate() {
        let (left, top) = (1 + 6 * (index % 2), 1 + 6 * (index / 2));
        for (x, y) in (0..5).flat_map(|y| (0..5).map(move |x| (x, y))) {
            next.set(Point::new((left + x) as u8, (top + y) as u8).unwrap(), Color::of(tile));
        }
    }
    next.set(Point::new(6, 6).unwrap(), Color::of(9));
    model.begin(&next, &mask, Start::Level);
    let made = model.exchanges(&model.read(&next).unwrap(), true);
    assert_eq!(made, [Exchange { actions: vec![Action::Click(Point::new(6, 6).unwrap())], after: vec![3, 1, 4, 2] }]);
    assert_eq!(model.stride(), Some(4));
}

#[test]
fn what_turned_in_an_unclear_way_is_a_riddle() {
    let (mut model, mask, pins) = (Shuffles::default(), InterfaceMask::new(), [(0, 0), (1, 0)]);
    let frames = [["121", "213"], ["211", "123"]].map(|rows| pinned(&rows, &pins));
    model.begin(&frames[0], &mask, Start::Level);
    show(&mut model, pin(0, 0), &frames[0], frames[1].clone());
    assert_eq!(model.riddle(), Some(pin(0, 0)), "each may have come from either side");
    let clear = ["123", "456"];
    show(&mut model, pin(1, 0), &pinned(&clear, &pins), pinned(&["152", "463"], &pins));
    assert_eq!(model.riddle(), None);
}

#[test]
fn pairs_are_left_out_where_the_first_click_does_nothing_and_pins_are_seen() {
    let mask = InterfaceMask::new();
    let rows: &[&str] = &["123", "456"];
    let mut model = play(rows, &[], &[(click(0, 0), &["123", "456", "9"]), (click(1, 0), &["213", "456"])]);
    let pins = [(0, 0), (1, 0)];
    let (before, after) = (pinned(rows, &pins), pinned(&["413", "526"], &pins));
    model.begin(&before, &mask, Start::Level);
    show(&mut model, pin(0, 0), &before, after.clone());
    assert_eq!(model.exchanges(&model.read(&after).unwrap(), true).len(), 2 + 7);
    show(&mut model, click(1, 0), &after, after.clone());
    assert_eq!(model.exchanges(&model.read(&after).unwrap(), true).len(), 2);
}

#[test]
fn drawn_tiles_are_told_by_the_color_that_prevails_in_them() {
    // Wings of three columns around a body of one, on a case of 5 and a card of 0; dots below.
    let insects = |rows: [&str; 2]| {
        let mut grid = Grid::filled(40, 40, Color::of(4));
        let mut block = |left: usize, top: usize, width: usize, height: usize, color: u8| {
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                grid.set(Point::new((left + x) as u8, (top + y) as u8).unwrap(), Color::of(color));
            }
        };
        block(1, 1, 18, 18, 5);
        for (index, insect) in rows.concat().bytes().enumerate() {
            block(2 + 9 * (index % 2), 2 + 9 * (index / 2), 7, 7, insect - b'0');
            block(5 + 9 * (index % 2), 2 + 9 * (index / 2), 1, 7, 3);
            block(5 + 9 * (index % 2), 2 + 9 * (index / 2), 1, 1, 5);
        }
        for (index, dot) in b"8679".iter().enumerate() {
            block(25 + 4 * (index % 2), 25 + 4 * (index / 2), 3, 3, dot - b'0');
        }
        grid
    };
    let (mut model, mask) = (Shuffles::default(), InterfaceMask::new());
    let frames = [["67", "89"], ["76", "89"], ["76", "98"]].map(insects);
    model.begin(&frames[0], &mask, Start::Level);
    let at = |x: u8, y: u8| Action::Click(Point::new(x, y).unwrap());
    assert!(show(&mut model, at(4, 4), &frames[0], frames[1].clone()));
    assert!(show(&mut model, at(4, 13), &frames[1], frames[2].clone()));
    let now = model.read(&frames[2]).unwrap();
    let wanted = [now[3], now[1], now[0], now[2]].map(Some);
    assert_eq!(model.wanted(&frames[2], &mask), [wanted]);
}

#[test]
fn where_one_slot_is_bare_arrows_are_open_to_try() {
    let rows: &[&str] = &["123", "456"];
    let mut model = play(rows, &[], &[(click(0, 0), &["123", "456", "9"]), (click(1, 0), &["213", "456"])]);
    assert_eq!(model.untried(), None);
    let frames = [["123", "450"], ["120", "453"]].map(|rows| drawn(&rows, &[]));
    model.begin(&frames[0], &InterfaceMask::new(), Start::Level);
    assert_eq!(model.untried(), Some(Key::Key1));
    show(&mut model, Action::Key(Key::Key2), &frames[0], frames[1].clone());
    assert_eq!(model.untried(), Some(Key::Key3), "up is the way against down");
}

#[test]
fn slots_of_the_size_they_had_are_looked_at_first() {
    let rows: &[&str] = &["123", "456"];
    let mut model = play(rows, &[], &[(click(0, 0), &["123", "456", "9"]), (click(1, 0), &["213", "456"])]);
    let narrow = |rows: [&str; 2]| {
        let mut grid = drawn(&rows, &[]);
        grid.points().filter(|at| at.y() < 8 && at.x() % 4 == 2).for_each(|at| grid.set(at, Color::of(0)));
        rows.concat().bytes().enumerate().for_each(|(index, tile)| {
            let (x, y) = (12 + 4 * (index % 3) as u8, 12 + 4 * (index / 3) as u8);
            for (dx, dy) in (0..3).flat_map(|dy| (0..3).map(move |dx| (dx, dy))) {
                grid.set(Point::new(x + dx, y + dy).unwrap(), Color::of(tile - b'0'));
            }
        });
        grid
    };
    let (before, after) = (narrow(["123", "456"]), narrow(["132", "456"]));
    model.begin(&before, &InterfaceMask::new(), Start::Level);
    let last = model.last.clone().unwrap();
    show(&mut model, Action::Key(Key::Key1), &before, after);
    assert!(model.slots.as_ref().is_some_and(|it| it.is_like(&last)), "{:?}", model.slots);
}
