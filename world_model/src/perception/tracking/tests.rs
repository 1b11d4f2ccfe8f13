use env_client::Point;
use proptest::prelude::*;

use super::*;

/// The picture with a ground of colour 0 around it, 24 cells a side.
fn framed(picture: &str) -> Grid {
    let mut rows = vec!["0".repeat(24); 24];
    for (row, line) in rows[6..].iter_mut().zip(picture.lines()) {
        row.replace_range(6..6 + line.len(), line);
    }
    rows.join("\n").parse().unwrap()
}

fn changes(pictures: &[&str]) -> Vec<Change> {
    let frames: Vec<Grid> = pictures.iter().map(|picture| framed(picture)).collect();
    followed(&frames)
}

/// What happened from the first frame to the last, in one step.
fn followed(frames: &[Grid]) -> Vec<Change> {
    let (mut tracker, mask) = (Tracker::new(), InterfaceMask::new());
    tracker.begin(&frames[0], &mask);
    tracker.step(&frames[1..], &mask).events.into_iter().map(|event| event.change).collect()
}

const fn moved(dx: i16, dy: i16) -> Change {
    Change::Moved { dx, dy }
}

#[test]
fn what_stands_still_has_no_events() {
    assert_eq!(changes(&["1203", "1203"]), []);
}

#[test]
fn a_move_a_turn_and_a_change_of_color_are_told_apart() {
    assert_eq!(changes(&["1100\n1000", "0110\n0100"]), [moved(1, 0)]);
    let turned = Change::Turned { by: Symmetry::FlipX, dx: 1, dy: 0 };
    assert_eq!(changes(&["1100\n1000", "0110\n0010"]), [turned]);
    let recoloured = Change::Recoloured { from: Color::of(1), to: Color::of(5) };
    assert_eq!(changes(&["1100\n1000", "5500\n5000"]), [recoloured]);
}

#[test]
fn what_comes_goes_grows_and_breaks_is_named() {
    assert_eq!(changes(&["1002", "1000"]), [Change::Vanished]);
    assert_eq!(changes(&["1000", "1002"]), [Change::Appeared]);
    let at = |left, right| Bounds { left, top: 6, right, bottom: 6 };
    assert_eq!(changes(&["1100", "1110"]), [Change::Resized { from: at(6, 7), to: at(6, 8) }]);
    let split = changes(&["11111", "11011"]);
    assert!(matches!(split[..], [Change::Resized { .. }, Change::SplitOff { .. }]), "{split:?}");
}

#[test]
fn alike_objects_take_the_shortest_ways_in_total() {
    assert_eq!(changes(&["1000\n0000\n1000", "0100\n0000\n0100"]), [moved(1, 0), moved(1, 0)]);
    assert_eq!(changes(&["101000", "010100"]), [moved(1, 0), moved(1, 0)]);
}

#[test]
fn the_way_through_an_animation_tells_alike_objects_apart() {
    let layers = ["1001", "0110", "0110\n0000", "0000\n0110", "0000\n1001"];
    assert_eq!(changes(&layers), [moved(0, 1), moved(0, 1)]);
    let passing = ["1002", "0120", "0210", "2001"];
    assert_eq!(changes(&passing), [moved(3, 0), moved(-3, 0)]);
}

#[test]
fn what_flashes_and_is_back_was_never_gone() {
    assert_eq!(changes(&["102", "002", "102"]), []);
}

#[test]
fn a_piece_that_walks_over_tiles_moves_and_tiles_that_change_color_do_not() {
    let walk = ["11111\n11311\n11111", "11111\n11131\n11111"].map(tiles);
    let events = followed(&walk);
    assert!(events.contains(&moved(4, 0)), "{events:?}");
    assert_eq!(events.iter().filter(|it| matches!(it, Change::Moved { .. })).count(), 1, "{events:?}");
    let toggle = ["11211\n12121\n22121", "12211\n21221\n22121"].map(tiles);
    let events = followed(&toggle);
    assert!(!events.is_empty() && events.iter().all(|it| matches!(it, Change::Recoloured { .. })), "{events:?}");
}

/// Tiles of 3x3 cells with a gap of one around them.
fn tiles(world: &str) -> Grid {
    let mut grid = Grid::filled(24, 24, Color::of(0));
    for (row, line) in world.lines().enumerate() {
        for (column, digit) in line.chars().enumerate() {
            for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))) {
                let point = Point::new((4 * column + x) as i64, (4 * row + y) as i64).unwrap();
                grid.set(point, Color::of(digit.to_digit(16).unwrap() as u8));
            }
        }
    }
    grid
}

#[test]
fn what_moves_as_one_three_times_is_one_until_it_parts() {
    let (mut tracker, mask) = (Tracker::new(), InterfaceMask::new());
    let at = |x: usize, tail: &str| framed(&format!("{}{tail}", "0".repeat(x)));
    tracker.begin(&at(0, "12"), &mask);
    let steps: Vec<usize> = (1..6).map(|x| tracker.step(&[at(x, "12")], &mask).events.len()).collect();
    assert_eq!(steps, [2, 2, 2, 1, 1]);
    tracker.step(&[at(6, "102")], &mask);
    tracker.step(&[at(6, "012")], &mask);
    let apart = tracker.step(&[at(6, "1002")], &mask).events.len();
    assert_eq!(apart, 2, "pushed, not carried");
}

#[test]
fn names_stay_with_their_objects() {
    let (mut tracker, mask) = (Tracker::new(), InterfaceMask::new());
    tracker.begin(&framed("1020"), &mask);
    let name = tracker.names()[1];
    let motion = tracker.step(&[framed("0120")], &mask);
    assert_eq!(motion.events[0].object, name);
    assert_eq!(tracker.names()[1], name);
    assert_eq!(tracker.view().unwrap().objects[1].color, Color::of(1));
}

#[test]
fn what_was_covered_is_remembered() {
    let (mut tracker, mask) = (Tracker::new(), InterfaceMask::new());
    let at = |x: u8| Point::new(6 + x, 6).unwrap();
    tracker.begin(&framed("1022"), &mask);
    tracker.step(&[framed("0122")], &mask);
    tracker.step(&[framed("0212")], &mask);
    assert_eq!(tracker.underlay().at(at(0)), Some(Color::of(0)));
    tracker.begin(&framed("12"), &mask);
    tracker.step(&[framed("01")], &mask);
    assert_eq!(tracker.underlay().at(at(1)), Some(Color::of(2)));
}

/// A world of many different things, seen from a corner.
fn seen_from(left: usize, top: usize, avatar: (usize, usize)) -> Grid {
    let mut grid = Grid::filled(32, 32, Color::of(0));
    for (index, cell) in grid.cells_mut().iter_mut().enumerate() {
        let (x, y) = (index % 32 + left, index / 32 + top);
        let (size, color) = (1 + (x / 6 + y / 6) % 4, 1 + (x / 6 * 3 + y / 6 * 5) % 9);
        *cell = Color::of(if x % 6 < size && y % 6 < 1 + (x / 6) % 3 { color as u8 } else { 0 });
        if (x, y) == avatar {
            *cell = Color::of(12);
        }
    }
    grid
}

#[test]
fn a_view_that_moves_moves_nothing_in_it() {
    let (mut tracker, mask) = (Tracker::new(), InterfaceMask::new());
    tracker.begin(&seen_from(0, 0, (17, 17)), &mask);
    let motion = tracker.step(&[seen_from(4, 0, (21, 17))], &mask);
    assert_eq!(motion.camera, (-4, 0));
    let moves: Vec<Change> =
        motion.events.iter().map(|it| it.change).filter(|it| matches!(it, Change::Moved { .. })).collect();
    assert_eq!(moves, [moved(4, 0)], "the avatar stays in the middle of the view and so moves in the world");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn colors_and_mirrors_change_only_names_and_places(
        places in prop::collection::vec((0usize..5, 0usize..5), 4), way in 0usize..4, turn in 0usize..8, roll in 1usize..16
    ) {
        // Four things of different outline, each in its own quarter; the first one moves.
        let draw = |steps: i16| {
            let mut grid = Grid::filled(24, 24, Color::of(0));
            for (index, (x, y)) in places.iter().enumerate() {
                let (left, top) = (index % 2 * 12 + 2 + x, index / 2 * 12 + 2 + y);
                for cell in 0..=index {
                    let (dx, dy) = [(1, 0), (-1, 0), (0, 1), (0, -1)][way];
                    let (dx, dy) = if index == 0 { (dx * steps, dy * steps) } else { (0, 0) };
                    let at = ((left + cell) as i16 + dx, (top + cell % 2 * (cell / 2)) as i16 + dy);
                    grid.set(Point::new(at.0, at.1).unwrap(), Color::of(index as u8 + 1));
                }
            }
            grid
        };
        let frames = [draw(0), draw(1)];
        let plain = followed(&frames);
        let mut palette = Color::ALL;
        palette.rotate_left(roll);
        let painted = frames.clone().map(|mut grid| {
            grid.cells_mut().iter_mut().for_each(|cell| *cell = palette[cell.index()]);
            grid
        });
        prop_assert_eq!(&followed(&painted), &plain);
        let symmetry = Symmetry::ALL[turn];
        let turned = followed(&frames.map(|grid| symmetry.turn(&grid)));
        let [Change::Moved { dx, dy }] = plain[..] else { panic!("{plain:?}") };
        let ends = [(8u8, 8u8), ((8 + dx) as u8, (8 + dy) as u8)].map(|at| symmetry.apply(at, (24, 24)));
        let way = |from: u8, to: u8| i16::from(to) - i16::from(from);
        prop_assert_eq!(turned, [moved(way(ends[0].0, ends[1].0), way(ends[0].1, ends[1].1))]);
    }
}
