//! Boards that clicks change as a whole, foreseen by the rules.

use env_client::{Action, Color, Grid, Point};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

/// The rules' answer to a click, before they learn what came of it.
fn answer(rules: &mut Rules, before: &Grid, at: (u8, u8), after: &Grid) -> Option<Grid> {
    let action = Action::Click(Point::new(at.0, at.1).unwrap());
    let expected = rules.predict(&rules.state(before), action).next.map(|it| it.frame);
    let layers = [after.clone()];
    rules.observe(&Transition { before, action, layers: &layers, outcome: Outcome::Continues });
    expected
}

/// Five by five lamps of six cells, a row of two cells between them, lit or not; each has a rivet of the lit colour.
fn lamps(lit: u32) -> Grid {
    let mut frame = Grid::filled(64, 64, Color::of(5));
    for lamp in 0..25 {
        let (left, top) = (12 + lamp % 5 * 8, 12 + lamp / 5 * 8);
        let color = if lit >> lamp & 1 == 1 { 2 } else { 1 };
        (0..36).for_each(|cell| put(&mut frame, left + cell % 6, top + cell / 6, color));
        put(&mut frame, left, top, 2);
    }
    frame
}

/// A click lights or puts out a lamp and those beside it.
fn switched(lit: u32, lamp: u32) -> u32 {
    let (x, y) = (lamp as i32 % 5, lamp as i32 / 5);
    let beside = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| (x + dx, y + dy));
    let inside = beside.into_iter().filter(|(x, y)| (0..5).contains(x) && (0..5).contains(y));
    inside.fold(lit, |lit, (x, y)| lit ^ 1 << (y * 5 + x))
}

#[test]
fn lamps_that_switch_those_beside_them_are_foreseen_after_a_few_clicks() {
    let (mut rules, mut lit) = (Rules::new(), 1 << 7);
    rules.begin(&lamps(lit), Start::Level);
    let mut right = Vec::new();
    for click in 0..20 {
        let lamp = click * 7 % 25;
        let after = switched(lit, lamp);
        let at = (15 + lamp as u8 % 5 * 8, 15 + lamp as u8 / 5 * 8);
        right.push(answer(&mut rules, &lamps(lit), at, &lamps(after)) == Some(lamps(after)));
        lit = after;
    }
    assert!(right[8..].iter().all(|it| *it), "{right:?}");
}

/// A button, and eight slots around a hole, of whose beads the plain ones are small and the others fill all but the corners.
fn ring(beads: &str) -> Grid {
    ring_on(beads, [6; 8])
}

/// The same, each slot on a bed of its own colour.
fn ring_on(beads: &str, ground: [u8; 8]) -> Grid {
    let places = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
    let mut frame = Grid::filled(40, 40, Color::of(0));
    for (((x, y), bead), bed) in places.into_iter().zip(beads.bytes()).zip(ground) {
        let (left, top) = (12 + 5 * x, 10 + 5 * y);
        for (dx, dy) in (0..5).flat_map(|dy| (0..5).map(move |dx| (dx, dy))) {
            let is_middle = (1..4).contains(&dx) && (1..4).contains(&dy);
            let is_corner = dx % 4 == 0 && dy % 4 == 0;
            let is_drawn = if bead == b'1' { is_middle } else { !is_corner };
            put(&mut frame, left + dx, top + dy, if is_drawn { bead - b'0' } else { bed });
        }
    }
    (0..9).for_each(|cell| put(&mut frame, 2 + cell % 3, 17 + cell / 3, 9));
    frame
}

#[test]
fn a_button_that_turns_a_ring_of_beads_is_foreseen_pixel_by_pixel() {
    let (mut rules, mut beads) = (Rules::new(), "12134151".to_owned());
    rules.begin(&ring(&beads), Start::Level);
    let mut right = Vec::new();
    for _ in 0..8 {
        let after = format!("{}{}", &beads[7..], &beads[..7]);
        right.push(answer(&mut rules, &ring(&beads), (3, 18), &ring(&after)) == Some(ring(&after)));
        beads = after;
    }
    assert!(right[3..].iter().all(|it| *it), "{right:?}");
}

#[test]
fn beads_that_move_on_over_beds_of_two_colors_leave_the_beds_where_they_are() {
    let ground = [6, 6, 6, 7, 7, 7, 7, 6];
    let (mut rules, mut beads) = (Rules::new(), "12134151".to_owned());
    rules.begin(&ring_on(&beads, ground), Start::Level);
    let mut right = Vec::new();
    for _ in 0..16 {
        let after = format!("{}{}", &beads[7..], &beads[..7]);
        let [before, next] = [&beads, &after].map(|beads| ring_on(beads, ground));
        right.push(answer(&mut rules, &before, (3, 18), &next) == Some(next));
        beads = after;
    }
    assert!(right[4..].iter().all(|it| *it), "{right:?}");
}
