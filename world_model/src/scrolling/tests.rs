//! A walled world of tiles of four by four, of which eight by eight are in view, with a bar beside it.

use env_client::{Action, ActionSet, Color, Command, Grid, Key, Observation, Point, Status};

use super::{Atlas, Scrolling, shift::Shift};

const WORLD: [&str; 10] = [
    "##########",
    "#...#....#",
    "#...#..o.#",
    "#......#.#",
    "#.o....#.#",
    "#...##.#.#",
    "#...#....#",
    "###.#.#..#",
    "#......o.#",
    "##########",
];
const VIEW: (i16, i16) = (8, 8);
const CORNER: (u8, u8) = (5, 9);

/// What a tile looks like.
fn drawn(glyph: u8) -> [&'static str; 4] {
    match glyph {
        b'#' => ["3343", "3433", "4333", "3334"],
        b'x' => ["7777", "7777", "7777", "7777"],
        b'o' => ["1111", "1881", "1881", "1111"],
        b'@' => ["1661", "6666", "1661", "1611"],
        _ => ["1111", "1111", "1121", "1111"],
    }
}

fn paint(frame: &mut Grid, (x, y): (i16, i16), picture: [&str; 4]) {
    for (dy, row) in (0..).zip(picture) {
        for (dx, digit) in (0..).zip(row.chars()) {
            let at = Point::new(x + dx, y + dy).unwrap();
            frame.set(at, Color::of(digit.to_digit(16).unwrap() as u8));
        }
    }
}

/// Where the camera is when the piece is somewhere.
fn camera((x, y): (i16, i16)) -> (i16, i16) {
    let size = (WORLD[0].len() as i16, WORLD.len() as i16);
    ((x - VIEW.0 / 2).clamp(0, size.0 - VIEW.0), (y - VIEW.1 / 2).clamp(0, size.1 - VIEW.1))
}

/// What is seen when the piece is somewhere and so many steps were taken.
fn frame(world: &[&str], piece: (i16, i16), camera: (i16, i16), steps: u8) -> Grid {
    let mut frame = Grid::filled(48, 48, Color::of(5));
    for y in 0..VIEW.1 {
        for x in 0..VIEW.0 {
            let at = (camera.0 + x, camera.1 + y);
            let glyph = if at == piece { b'@' } else { world[at.1 as usize].as_bytes()[at.0 as usize] };
            paint(&mut frame, (i16::from(CORNER.0) + 4 * x, i16::from(CORNER.1) + 4 * y), drawn(glyph));
        }
    }
    for x in 0..40 - steps {
        (0..3).for_each(|y| frame.set(Point::new(x, y).unwrap(), Color::of(9)));
    }
    frame
}

/// The frames of a walk, which begins at (2, 2).
fn walk(keys: &str) -> Vec<Grid> {
    let mut at = (2, 2);
    let mut frames = vec![frame(&WORLD, at, camera(at), 0)];
    for (step, key) in (1..).zip(keys.bytes()) {
        let by = match key {
            b'>' => (1, 0),
            b'<' => (-1, 0),
            b'v' => (0, 1),
            _ => (0, -1),
        };
        let to = (at.0 + by.0, at.1 + by.1);
        if WORLD[to.1 as usize].as_bytes()[to.0 as usize] != b'#' {
            at = to;
        }
        frames.push(frame(&WORLD, at, camera(at), step));
    }
    frames
}

const TOUR: &str = "v>>>>vvv<vv<<^^^^^<";

fn shifts(frames: &[Grid]) -> Vec<Option<Shift>> {
    frames.windows(2).map(|it| Shift::between(&it[0], &it[1])).collect()
}

fn watched(frames: &[Grid]) -> Scrolling {
    let mut scrolling = Scrolling::default();
    frames.windows(2).for_each(|it| scrolling.watch(&it[0], &it[1..]));
    scrolling
}

fn seen(frame: &Grid) -> Observation {
    Observation {
        game: "test".parse().unwrap(),
        play: "play".parse().unwrap(),
        layers: vec![frame.clone()],
        status: Status::NotFinished,
        levels_completed: 0,
        win_levels: 1,
        available: ActionSet::ALL,
        full_reset: false,
    }
}

/// The walk as it looks where nothing scrolls: each step's frame before and after it, and the atlas at its end.
fn told(frames: &[Grid]) -> (Vec<(Option<Grid>, Grid)>, Atlas) {
    let mut atlas = watched(frames).atlas(frames).unwrap();
    for _ in 0..4 {
        atlas = atlas.again();
        let told: Vec<_> = (0..frames.len())
            .map(|step| {
                let before = step.checked_sub(1).map(|it| seen(&frames[it]));
                let command = before.as_ref().map_or(Command::Reset, |_| Action::Key(Key::Key1).into());
                let (known, after) = atlas.step(before.as_ref(), command, &seen(&frames[step]));
                (known.map(|it| it.layers[0].clone()), after.layers[0].clone())
            })
            .collect();
        if !atlas.redraw() {
            return (told, atlas);
        }
    }
    panic!("the room is never enough");
}

#[test]
fn the_view_moves_with_the_world_and_without_what_is_beside_it() {
    let ways: Vec<_> = shifts(&walk("v>>>")).into_iter().map(|it| it.map(|it| it.by)).collect();
    assert_eq!(ways, [None, None, None, Some((-4, 0))], "the camera stays at the edge at first");
    assert!(watched(&walk(TOUR)).is_proven());
    let areas = shifts(&walk(TOUR)).into_iter().flatten().map(|it| it.area);
    assert!(areas.into_iter().all(|it| it.top >= CORNER.1), "the bar is beside it");
}

#[test]
fn pieces_that_move_alike_on_a_blank_floor_are_no_view_that_moves() {
    let with = |x: i16| {
        let mut frame = Grid::filled(48, 40, Color::of(1));
        for at in [(4, 4), (20, 4), (4, 20), (20, 24)] {
            paint(&mut frame, (at.0 + x, at.1), drawn(b'@'));
        }
        frame.set(Point::new(40, 39).unwrap(), Color::of(2));
        frame
    };
    let frames: Vec<Grid> = (0..6).map(|step| with(4 * (step % 3))).collect();
    assert!(!watched(&frames).is_proven());
}

#[test]
fn rows_that_go_round_bring_nothing_new() {
    let turned = |by: usize| {
        let turn = |row: &str| format!("{}{}", &row[by..8], &row[..by]);
        let rows: Vec<String> = WORLD[1..9].iter().map(|row| turn(row)).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        frame(&rows, (3, 3), (0, 0), 0)
    };
    let frames: Vec<Grid> = (0..7).map(turned).collect();
    assert!(shifts(&frames).iter().flatten().count() >= super::SHIFTS, "they do move");
    assert!(!watched(&frames).is_proven());
}

#[test]
fn a_plain_wall_that_comes_in_beside_what_was_seen_to_move_is_new() {
    let hall = [
        "x#.#o#.#ox",
        "x...x.o..x",
        "x..o....ox",
        "x...x.x.ox",
        "xxo.xxx..x",
        "x...x...ox",
        "x......o.x",
        "x.#o#.#o#x",
    ];
    let seen = |camera: i16| frame(&hall, (camera + 3, 2), (camera, 0), 0);
    let mut scrolling = Scrolling::default();
    for (from, to) in [(1, 2), (2, 1), (1, 2)] {
        scrolling.watch(&seen(from), &[seen(to)]);
    }
    assert!(scrolling.is_proven(), "{scrolling:?}");
}

#[test]
fn what_leaves_bare_ground_behind_moves_no_view() {
    let hall = ["xxxxxxxx", "x......x", "x.xo.o.x", "x.ox.x.x", "x.oxoo.x", "x.xo.x.x", "x......x", "xxxxxxxx"];
    let with = |x: usize| {
        let rows: Vec<String> = hall
            .iter()
            .map(|row| {
                let middle = format!("{}{}{}", ".".repeat(x), &row[2..6], ".".repeat(2 - x));
                if row.contains('.') { format!("x{middle}x") } else { (*row).to_owned() }
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        frame(&rows, (4, 1), (0, 0), 0)
    };
    let frames: Vec<Grid> = [1, 2, 1, 0, 1, 2, 1, 0].map(with).to_vec();
    let scrolling = watched(&frames);
    assert!(!scrolling.is_proven(), "{scrolling:?}");
}

#[test]
fn a_piece_that_moves_among_like_tiles_moves_no_view() {
    let rows = ["########", "#......#", "#......#", "#......#", "#......#", "#......#", "#......#", "########"];
    let frames: Vec<Grid> =
        (0..12).map(|step| frame(&rows, (1 + step % 6, 2 + step % 2), (0, 0), step as u8)).collect();
    assert_eq!(shifts(&frames).into_iter().flatten().next(), None);
}

#[test]
fn where_nothing_scrolls_a_step_changes_only_what_the_piece_is_at() {
    let frames = walk(TOUR);
    let (told, _) = told(&frames);
    for (step, (known, after)) in told.iter().enumerate() {
        let Some(known) = known else { continue };
        let world = known.differences(after).unwrap().filter(|at| at.y() >= CORNER.1);
        assert!(world.count() <= 2 * 9, "step {step}:\n{known}{after}");
    }
    let [first, last] = [&told[1], &told[frames.len() - 1]];
    assert_eq!(first.0.as_ref().map(Grid::height), Some(48));
    assert_ne!(first.0.as_ref(), Some(&last.1), "the piece is elsewhere");
}

#[test]
fn one_place_looks_the_same_from_wherever_it_was_reached() {
    let round = walk(&format!("{TOUR}><"));
    let (told, _) = told(&round);
    let world = |grid: &Grid| grid.to_string().lines().skip(CORNER.1.into()).collect::<Vec<_>>().join("\n");
    assert_eq!(world(&told[round.len() - 3].1), world(&told[round.len() - 1].1));
}

#[test]
fn a_click_on_the_whole_is_one_on_the_view() {
    let frames = walk(TOUR);
    let (told, atlas) = told(&frames);
    let (whole, view) = (&told[frames.len() - 1].1, &frames[frames.len() - 1]);
    let piece = |grid: &Grid| grid.points().filter(|at| grid[*at] == Color::of(6)).collect::<Vec<_>>();
    let found: Vec<Point> = piece(whole).into_iter().map(|at| atlas.find_again(at)).collect();
    assert!(!found.is_empty() && found.iter().all(|at| view[*at] == Color::of(6)), "{found:?}");
    let bar = Point::new(3, 1).unwrap();
    assert_eq!(atlas.find_again(bar), bar);
}

#[test]
fn what_drifts_by_itself_only_ever_goes_one_way() {
    let seen = |camera: i16| frame(&WORLD, (camera + 3, 3), (camera, 0), 0);
    let mut river = Scrolling::default();
    for camera in [0, 1, 0, 1, 0] {
        river.watch(&seen(camera), &[seen(camera + 1)]);
    }
    assert!(river.shifts >= super::SHIFTS && !river.is_proven());
    river.watch(&seen(1), &[seen(0)]);
    assert!(river.is_proven());
}
