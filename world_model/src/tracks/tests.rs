//! What presses of buttons teach.

use super::*;
use crate::Outcome;

/// A button on the left, and a track of eight slots around a hole.
fn frame(beads: &str) -> Grid {
    let places = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)];
    let mut grid = Grid::filled(32, 20, Color::of(0));
    let mut block = |left: u8, top: u8, color: u8| {
        for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))) {
            grid.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
        }
    };
    for ((x, y), bead) in places.into_iter().zip(beads.bytes()) {
        block(10 + 5 * x, 2 + 5 * y, bead - b'0');
    }
    block(2, 7, 9);
    grid
}

fn pressed(presses: &[(&str, &str)]) -> Tracks {
    let mut tracks = Tracks::default();
    tracks.begin(&frame(presses[0].0), &InterfaceMask::new(), Start::Level);
    for it in presses {
        press(&mut tracks, *it);
    }
    tracks
}

fn press(tracks: &mut Tracks, (before, after): (&str, &str)) {
    let (before, layers) = (frame(before), [frame(after)]);
    let action = Action::Click(Point::new(3, 8).unwrap());
    tracks.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
}

#[test]
fn one_press_shows_where_everything_goes() {
    let tracks = pressed(&[("12345678", "81234567")]);
    let (_, turn, _) = tracks.buttons().next().unwrap();
    assert!(!turn.is_doubtful());
    let now = tracks.read(&frame("81234567")).unwrap();
    assert_eq!(turn.apply(&now), tracks.read(&frame("78123456")).unwrap());
}

#[test]
fn two_presses_of_one_thing_that_move_one_bead_are_those_of_a_button() {
    let presses = [("21111111", "12111111"), ("12111111", "11211111")];
    assert_eq!(pressed(&presses[..1]).buttons().count(), 0, "two slots could be anything");
    let tracks = pressed(&presses);
    let (_, turn, presses) = tracks.buttons().next().unwrap();
    assert_eq!(presses, 2);
    let now = tracks.read(&frame("12345678")).unwrap();
    assert_eq!(turn.apply(&now), tracks.read(&frame("81234567")).unwrap());
    assert_eq!(pressed(&[("21111111", "12111111"), ("12111111", "21111111")]).buttons().count(), 0, "to and fro");
}

#[test]
fn a_slot_that_showed_itself_once_stays_a_slot() {
    let hidden = "12121210";
    let mut tracks = pressed(&[(hidden, "01212121")]);
    let known = tracks.slots.clone();
    let plain = ("11111111", "11111111");
    for _ in 0..PRESSES {
        press(&mut tracks, plain);
    }
    assert_eq!(tracks.slots, known, "presses that are forgotten taught it");
}

#[test]
fn a_press_beside_a_button_in_its_place_of_the_lattice_is_foreseen_alike() {
    let tracks = pressed(&[("12345678", "81234567")]);
    let (now, beside, away) = (frame("81234567"), Point::new(1, 8).unwrap(), Point::new(2, 17).unwrap());
    assert!(!tracks.buttons[0].bounds.contains(beside.x(), beside.y()));
    assert_eq!(tracks.foresee(&now, beside), Some(frame("78123456")));
    assert_eq!(tracks.foresee(&now, away), None);
}

#[test]
fn of_equal_colors_the_track_tells_which_is_which() {
    let tracks = pressed(&[("12121345", "51212134")]);
    let (_, turn, _) = tracks.buttons().next().unwrap();
    assert!(!turn.is_doubtful());
    let now = tracks.read(&frame("51212134")).unwrap();
    assert_eq!(turn.apply(&now), tracks.read(&frame("45121213")).unwrap());
}

#[test]
fn a_press_that_shows_each_step_is_told_step_by_step() {
    let mut tracks = Tracks::default();
    let before = frame("21111111");
    tracks.begin(&before, &InterfaceMask::new(), Start::Level);
    let first = ["12345678", "81234567"].map(frame);
    let layers = ["12111111", "11211111", "11121111"].map(frame);
    for (before, layers) in [(&first[0], &first[1..]), (&before, &layers[..])] {
        let action = Action::Click(Point::new(3, 8).unwrap());
        tracks.buttons.clear();
        tracks.observe(&Transition { before, action, layers, outcome: Outcome::Continues });
    }
    let (_, turn, _) = tracks.buttons().next().unwrap();
    let now = tracks.read(&frame("12345678")).unwrap();
    assert_eq!(turn.apply(&now), tracks.read(&frame("67812345")).unwrap());
}

#[test]
fn a_frame_of_the_color_that_lies_on_it_is_seen_later() {
    let framed = |beads: &str, hidden: bool| {
        let mut grid = frame(beads);
        for (x, y) in [(14, 1), (18, 1), (14, 5), (18, 5)] {
            grid.set(Point::new(x, y).unwrap(), Color::of(if hidden { 0 } else { 7 }));
        }
        grid
    };
    let (before, layers) = (framed("17345678", true), [framed("81734567", false)]);
    let mut tracks = Tracks::default();
    tracks.begin(&before, &InterfaceMask::new(), Start::Level);
    let has_frame = |tracks: &Tracks| tracks.frames().iter().any(|set| set & 1 << 7 != 0);
    assert!(!has_frame(&tracks));
    let action = Action::Click(Point::new(3, 8).unwrap());
    tracks.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    assert!(has_frame(&tracks));
}

#[test]
fn a_mark_on_what_moves_is_no_button() {
    let button = Bounds { left: 3, top: 8, right: 3, bottom: 8 };
    let (before, mut after) = (frame("12345678"), frame("12345678"));
    (2..=4).for_each(|x| after.set(Point::new(x, 7).unwrap(), Color::of(1)));
    assert!(!changes_around(button, &before, &after), "three of eight");
    (2..=4).for_each(|x| after.set(Point::new(x, 9).unwrap(), Color::of(1)));
    assert!(changes_around(button, &before, &after), "six of eight");
}

#[test]
fn a_press_that_changes_what_there_is_moves_nothing() {
    assert_eq!(pressed(&[("12345678", "21345679")]).buttons().count(), 0);
}
