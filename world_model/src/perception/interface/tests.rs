use env_client::{Action, Key};

use super::*;

fn key(index: usize) -> Command {
    Command::Act(Action::Key(Key::ALL[index % 4]))
}

fn point(x: u8, y: u8) -> Point {
    Point::new(x, y).unwrap()
}

fn paint(grid: &mut Grid, x: u8, y: u8, color: u8) {
    grid.set(point(x, y), Color::of(color));
}

/// A 32x32 world with a bar of colour 7 in its last row and an avatar of 2x2 cells on the top edge.
fn world(avatar: u8, drained: u8) -> Grid {
    let mut grid = Grid::filled(32, 32, Color::of(0));
    for x in 0..32 {
        paint(&mut grid, x, 31, if x < drained { 3 } else { 7 });
    }
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        paint(&mut grid, 2 * avatar + x, y, 5);
    }
    grid
}

/// Plays frames one after the other, each under another key; the last step's verdict.
fn play(detector: &mut InterfaceDetector, frames: &[Grid]) -> Seen {
    let steps = frames.windows(2).enumerate();
    steps.map(|(index, pair)| detector.acted(&pair[0], key(index), &pair[1])).last().unwrap()
}

fn begun(first: &Grid) -> InterfaceDetector {
    let mut detector = InterfaceDetector::new();
    detector.begin_level(first);
    detector
}

#[test]
fn a_bar_that_flips_another_cell_each_step_is_hidden_whole_after_three_ticks() {
    let frames: Vec<Grid> = (0..4).map(|step| world(4, step)).collect();
    let mut detector = begun(&frames[0]);
    assert!(!play(&mut detector, &frames[..3]).mask_grew);
    let seen = detector.acted(&frames[2], key(2), &frames[3]);
    assert!(seen.mask_grew);
    assert_eq!(seen.world, 0, "a tick is no effect");
    assert_eq!(detector.mask().len(), 32, "the drained part and the rest of the bar");
    assert_eq!(detector.bars()[0].remaining(&frames[3]), 29);
}

#[test]
fn an_avatar_that_walks_along_the_edge_is_no_bar() {
    let places = [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let frames: Vec<Grid> = places.into_iter().map(|place| world(place, 0)).collect();
    let mut detector = begun(&frames[0]);
    for (index, pair) in frames.windows(2).enumerate() {
        let right = usize::from(pair[0].get(point(0, 0)) == pair[1].get(point(0, 0))) + 2;
        detector.acted(&pair[0], key(if index == 0 { 3 } else { right }), &pair[1]);
    }
    assert!(detector.mask().is_empty());
}

#[test]
fn the_bar_is_found_while_the_avatar_walks() {
    let frames: Vec<Grid> = (0..8).map(|step| world(step, 2 * step)).collect();
    let mut detector = begun(&frames[0]);
    let seen = play(&mut detector, &frames);
    assert_eq!(seen.world, 8, "the avatar's cells, four left and four taken");
    assert_eq!(detector.mask().len(), 32);
}

#[test]
fn a_bar_says_when_it_drains() {
    let mut always = begun(&world(4, 0));
    play(&mut always, &(0..6).map(|step| world(4, step)).collect::<Vec<_>>());
    assert_eq!(always.bars()[0].pace(), Some(Pace::AnyAction));
    let mut effective = begun(&world(4, 0));
    let frames: Vec<Grid> = (0..12).map(|step| world(4 + step / 2, step / 2)).collect();
    play(&mut effective, &frames);
    assert_eq!(effective.bars()[0].pace(), Some(Pace::EffectiveActions));
}

#[test]
fn a_bar_about_to_run_out_is_noticed() {
    let frames: Vec<Grid> = (0..6).map(|step| world(4, 2 * step)).collect();
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    assert!(!detector.nearly_empty(&world(4, 20)));
    assert!(detector.nearly_empty(&world(4, 28)));
}

#[test]
fn a_row_that_flickers_without_order_is_hidden() {
    let frames: Vec<Grid> = (0..15u8)
        .map(|step| {
            let mut grid = world(4, 0);
            (0..step).for_each(|past| paint(&mut grid, (past * 11) % 32, 31, 9 + past % 5));
            grid
        })
        .collect();
    let mut detector = begun(&frames[0]);
    assert_eq!(play(&mut detector, &frames).world, 0);
    assert!(detector.mask().hides(point(0, 31)) && !detector.mask().hides(point(0, 30)));
}

#[test]
fn one_that_waits_for_actions_to_do_something_is_not() {
    let frames: Vec<Grid> = (0..24u8)
        .map(|step| {
            let mut grid = world(4, 0);
            (0..step / 2).for_each(|past| paint(&mut grid, (past * 11) % 32, 31, 9 + past % 5));
            grid
        })
        .collect();
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    assert!(detector.mask().is_empty());
}

#[test]
fn an_avatar_that_is_all_there_is_in_the_outer_lines_is_no_interface() {
    let mut detector = begun(&world(0, 0));
    let places = [1, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 4, 5, 4, 3, 4, 5, 6];
    let frames: Vec<Grid> = [0].into_iter().chain(places).map(|place| world(place, 0)).collect();
    for (index, pair) in frames.windows(2).enumerate() {
        detector.acted(&pair[0], key(index), &pair[1]);
    }
    assert!(detector.mask().is_empty(), "whatever the keys are that move it");
}

#[test]
fn a_drawn_strip_that_shrinks_is_a_bar_even_under_one_command() {
    let frames: Vec<Grid> = (0..4).map(|step| world(4, step)).collect();
    let mut detector = begun(&frames[0]);
    let click = Command::Act(Action::Click(point(20, 10)));
    let grew: Vec<bool> = frames.windows(2).map(|pair| detector.acted(&pair[0], click, &pair[1]).mask_grew).collect();
    assert_eq!(grew, [false, false, true]);
    assert_eq!(detector.bars()[0].size(), (32, 1));
}

#[test]
fn a_bar_tells_how_many_actions_are_left() {
    let frames: Vec<Grid> = (0..7).map(|step| world(4, 2 * step)).collect();
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    let bar = &detector.bars()[0];
    assert_eq!((bar.drain(), bar.actions_left(&frames[6])), (Some(2.0), Some(10)), "20 cells are left");
    detector.begin_level(&frames[0]);
    assert_eq!(detector.bars()[0].actions_left(&frames[0]), None, "another level may drain faster");
}

/// A world of 16x16 cells in the middle of a larger screen, with a bar in its last row.
fn letter_boxed(drained: u8) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(5));
    for (x, y) in (24..40).flat_map(|y| (24..40).map(move |x| (x, y))) {
        let bar = if x < 24 + drained { 3 } else { 7 };
        paint(&mut grid, x, y, if y == 39 { bar } else { 0 });
    }
    grid
}

#[test]
fn a_bar_at_the_rim_of_a_letter_boxed_world_is_found_and_filled() {
    let frames: Vec<Grid> = (0..4).map(letter_boxed).collect();
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    assert_eq!(detector.bars()[0].size(), (16, 1));
    assert!(detector.is_filled(&frames[3], &frames[0]));
    assert!(!detector.is_filled(&frames[2], &frames[3]));
}

#[test]
fn a_bar_is_forgotten_where_the_next_level_draws_something_else() {
    let frames: Vec<Grid> = (0..4).map(letter_boxed).collect();
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    detector.begin_level(&Grid::filled(64, 64, Color::of(0)));
    assert!(detector.bars().is_empty() && detector.mask().is_empty());
}

#[test]
fn a_piece_with_a_row_of_dots_that_moves_along_the_rim_is_no_bar() {
    let mut frames = Vec::new();
    for step in 0..8u8 {
        let mut grid = Grid::filled(32, 32, Color::of(0));
        for x in 3 * step..3 * step + 9 {
            (1..4).for_each(|y| paint(&mut grid, x, y, if x % 3 == 1 && y == 2 { 6 } else { 5 }));
        }
        frames.push(grid);
    }
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    assert!(detector.bars().is_empty() && detector.mask().is_empty());
}

#[test]
fn a_cell_that_blinks_under_every_command_is_hidden() {
    let frames: Vec<Grid> = (0..24u8)
        .map(|step| {
            let mut grid = world(4, 0);
            paint(&mut grid, 16, 16, 1 + step % 2);
            grid
        })
        .collect();
    let mut detector = begun(&frames[0]);
    assert_eq!(play(&mut detector, &frames).world, 0);
    assert_eq!(detector.mask().len(), 1);
}

#[test]
fn cells_that_change_where_they_are_clicked_are_world() {
    let mut detector = begun(&world(0, 0));
    let mut before = world(0, 0);
    for step in 0..15u8 {
        let mut after = before.clone();
        paint(&mut after, 2 * step, 30, 4);
        detector.acted(&before, Command::Act(Action::Click(point(2 * step, 30))), &after);
        before = after;
    }
    assert!(detector.mask().is_empty());
}

#[test]
fn what_a_restart_does_not_restore_is_interface() {
    let mut second = world(0, 0);
    let mut detector = begun(&second);
    paint(&mut second, 30, 2, 8);
    assert!(detector.restarted(&second));
    assert!(detector.mask().hides(point(30, 2)));
    assert_eq!(detector.mask().len(), 1);
    let mut third = second.clone();
    paint(&mut third, 16, 16, 8);
    assert!(!detector.restarted(&third), "inside the frame it may be the world");
}

#[test]
fn the_mask_survives_a_level_and_frames_of_another_size() {
    let frames: Vec<Grid> = (0..4).map(|step| world(4, step)).collect();
    let mut detector = begun(&frames[0]);
    play(&mut detector, &frames);
    detector.begin_level(&world(2, 0));
    assert_eq!(detector.mask().len(), 32);
    let small: Grid = "01\n10".parse().unwrap();
    assert_eq!(detector.acted(&frames[0], key(0), &small), Seen::default());
    detector.begin_level(&small);
    assert_eq!(detector.acted(&small, key(0), &"11\n10".parse().unwrap()).world, 1);
}

/// A row of three tiles of 7x7 cells, nine apart, lit or not, and a clock of one cell in the corner.
fn tiles(lit: [bool; 3], clock: bool) -> Grid {
    let mut grid = Grid::filled(32, 32, Color::of(0));
    for (tile, lit) in (0..).zip(lit) {
        for (x, y) in (0..7).flat_map(|y| (0..7).map(move |x| (x, y))) {
            paint(&mut grid, 2 + 9 * tile + x, 12 + y, if lit { 6 } else { 5 });
        }
    }
    paint(&mut grid, 30, 1, if clock { 8 } else { 9 });
    grid
}

/// Clicks on the outer tiles in turn, at another point each time, which turn the middle one as well, or beside all tiles,
/// where nothing does anything but the clock.
fn clicked(on_tiles: bool) -> InterfaceDetector {
    let mut lit = [false; 3];
    let mut detector = begun(&tiles(lit, false));
    for step in 0..24u8 {
        let before = tiles(lit, step % 2 == 1);
        if on_tiles {
            let outer = if step % 2 == 0 { 0 } else { 2 };
            (lit[outer], lit[1]) = (!lit[outer], !lit[1]);
        }
        let at = point(2 + step % 2 * 18 + step % 5, if on_tiles { 14 } else { 28 });
        detector.acted(&before, Command::Act(Action::Click(at)), &tiles(lit, step % 2 == 0));
    }
    detector
}

#[test]
fn a_tile_that_every_click_on_others_turns_too_does_not_blink() {
    assert!(clicked(true).mask().is_empty(), "clicks that did something where they fell may have done all the rest");
    let idle = clicked(false);
    assert_eq!(idle.mask().len(), 1);
    assert!(idle.mask().hides(point(30, 1)), "a clock");
}

#[test]
fn a_mark_that_goes_where_something_else_is_clicked_does_not_blink() {
    let mut detector = begun(&tiles([false; 3], false));
    for step in 0..60u8 {
        let marks = step % 2 == 0;
        let [before, after] = [!marks, marks].map(|lit| tiles([lit, false, false], false));
        let at = if marks { point(2 + step % 5, 14) } else { point(2 + step % 28, 28) };
        detector.acted(&before, Command::Act(Action::Click(at)), &after);
    }
    assert!(detector.mask().is_empty(), "each click on the tile marks it, each one elsewhere takes the mark off");
}
