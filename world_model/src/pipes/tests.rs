use env_client::Color;

use super::*;
use crate::Outcome;

const GROUND: u8 = 1;
const PIPE: u8 = 2;
const LIT: u8 = 3;

/// A wall of five by three tiles of five cells with a gap of one on ground 0, from (4, 6) on: openings by tile, a bit for
/// each side, clockwise from the upper one; lit ones are drawn in another colour, riveted ones with specks in their corners.
pub(super) fn draw(openings: &[u8; 15], lit: &[usize], riveted: &[usize]) -> Grid {
    let mut frame = Grid::filled(48, 48, Color::of(0));
    for (index, open) in openings.iter().enumerate() {
        let (left, top) = (4 + 6 * (index % 5) as u8, 6 + 6 * (index / 5) as u8);
        let ink = Color::of(if lit.contains(&index) { LIT } else { PIPE });
        for (x, y) in (0..5u8).flat_map(|y| (0..5u8).map(move |x| (x, y))) {
            let arms = [x == 2 && y <= 2, y == 2 && x >= 2, x == 2 && y >= 2, y == 2 && x <= 2];
            let is_pipe = arms.iter().enumerate().any(|(side, on)| *on && open >> side & 1 == 1);
            let is_corner = riveted.contains(&index) && [0, 4].contains(&x) && [0, 4].contains(&y);
            let color = if is_corner {
                Color::of(7)
            } else if is_pipe {
                ink
            } else {
                Color::of(GROUND)
            };
            frame.set(Point::new(left + x, top + y).unwrap(), color);
        }
    }
    frame
}

const WALL: [u8; 15] = [3, 5, 10, 6, 12, 5, 7, 3, 10, 9, 6, 12, 5, 14, 3];

fn click(pipes: &mut Pipes, index: usize, before: &Grid, after: &Grid) {
    let at = Point::new(4 + 6 * (index % 5) as u8 + 1, 6 + 6 * (index / 5) as u8 + 3).unwrap();
    let layers = [after.clone()];
    let step = Transition { before, action: Action::Click(at), layers: &layers, outcome: Outcome::Continues };
    pipes.observe(&step, &InterfaceMask::new());
}

fn turned(openings: u8) -> u8 {
    openings << 1 & 15 | openings >> 3
}

/// After a click on a tile, which turns, and lights two others.
fn taught(index: usize) -> Pipes {
    let mut pipes = Pipes::default();
    let mut after = WALL;
    after[index] = turned(after[index]);
    pipes.begin(&draw(&WALL, &[], &[8]), Start::Level);
    assert!(pipes.wall().is_none());
    click(&mut pipes, index, &draw(&WALL, &[], &[8]), &draw(&after, &[index, 1, 13], &[8]));
    pipes
}

/// Three by two tiles of twelve cells, four apart on a board of colour 5 that lies on the ground of the tiles.
fn draw_apart(openings: [u8; 6]) -> Grid {
    let mut frame = Grid::filled(64, 64, Color::of(GROUND));
    for (x, y) in (14..50u8).flat_map(|y| (6..58u8).map(move |x| (x, y))) {
        let (tile_x, tile_y) = ((x - 6) % 16, (y - 14) % 16);
        let color = if tile_x < 4 || tile_y < 4 {
            5
        } else {
            let open = openings[usize::from(x - 6) / 16 + 3 * (usize::from(y - 14) / 16)];
            let (third_x, third_y) = ((tile_x - 4) / 4, (tile_y - 4) / 4);
            let side = [(1, 0), (2, 1), (1, 2), (0, 1)].iter().position(|it| *it == (third_x, third_y));
            let is_pipe = side.is_some_and(|side| open >> side & 1 == 1) || (third_x, third_y) == (1, 1) && open != 0;
            if is_pipe { PIPE } else { GROUND }
        };
        frame.set(Point::new(x, y).unwrap(), Color::of(color));
    }
    frame
}

#[test]
fn tiles_that_lie_apart_on_a_ground_like_their_own_are_not_taken_for_others_that_fill_the_frame() {
    let before: [u8; 6] = [10, 4, 2, 3, 9, 6];
    for (index, tile) in before.iter().enumerate().filter(|(_, open)| open.count_ones() == 2) {
        let (mut pipes, mut after) = (Pipes::default(), before);
        after[index] = turned(*tile);
        pipes.begin(&draw_apart(before), Start::Level);
        let at = Point::new(16 + 16 * (index % 3) as u8, 24 + 16 * (index / 3) as u8).unwrap();
        let layers = [draw_apart(after)];
        let (before, outcome) = (&draw_apart(before), Outcome::Continues);
        pipes.observe(
            &Transition { before, action: Action::Click(at), layers: &layers, outcome },
            &InterfaceMask::new(),
        );
        assert_eq!(pipes.wall().map(Wall::size), Some((16, 12)), "tile {index}");
    }
}

#[test]
fn a_click_that_turns_a_tile_shows_the_wall_and_the_way_it_turns() {
    for index in [0, 2, 6, 13] {
        let pipes = taught(index);
        let wall = pipes.wall().unwrap();
        assert_eq!(wall.size(), (6, 5), "tile {index}");
        let frame = draw(&WALL, &[], &[8]);
        let at = wall.at(Point::new(4, 6).unwrap()).unwrap();
        let right = wall.beyond(at, 1).unwrap();
        let parts = |index| wall.tile(&frame, index).unwrap().stencil.parts();
        assert_eq!(parts(at), [[0b100, 0b100, 0, 0]]);
        assert_eq!(parts(right), [[0b100, 0, 0b100, 0]]);
        assert!(pipes.is_clockwise());
        assert_eq!(wall.turn(&frame, at, 1).get(wall.middle(at)), Some(Color::of(PIPE)));
    }
}

#[test]
fn rivets_that_take_most_of_the_rim_are_no_ground() {
    let pipes = taught(0);
    let mut frame = draw(&WALL, &[], &[8]);
    for (x, y) in [(1, 0), (0, 1), (3, 0), (4, 1), (0, 3), (1, 4), (4, 3), (3, 4)] {
        frame.set(Point::new(22 + x, 12 + y).unwrap(), Color::of(7));
    }
    let wall = pipes.wall().unwrap();
    let index = wall.at(Point::new(24, 14).unwrap()).unwrap();
    assert_eq!(wall.tile(&frame, index).unwrap().stencil.parts(), [[0, 0b100, 0, 0b100]]);
}

#[test]
fn tiles_are_told_by_their_form_and_by_marks_on_them() {
    let mut pipes = taught(0);
    let frame = draw(&WALL, &[1], &[8, 2]);
    let wall = pipes.wall().unwrap().clone();
    let place =
        |index: usize| wall.at(Point::new(4 + 6 * (index % 5) as u8, 6 + 6 * (index / 5) as u8).unwrap()).unwrap();
    let answer = |pipes: &Pipes, index: usize| {
        let tile = wall.tile(&frame, place(index)).unwrap();
        (pipes.turns(place(index), &tile), pipes.turns_by_sign(place(index), &tile))
    };
    assert_eq!(answer(&pipes, 3), (Some(true), Some(true)), "a bend like the one that was clicked");
    assert_eq!(answer(&pipes, 1), (None, Some(true)), "no bend, but as plain");
    assert_eq!(answer(&pipes, 8), (None, None), "who knows what the rivets mean");
    click(&mut pipes, 8, &frame, &frame);
    assert_eq!(answer(&pipes, 8), (Some(false), Some(false)));
    assert_eq!(answer(&pipes, 2), (Some(false), Some(false)));
    click(&mut pipes, 3, &frame, &frame);
    assert_eq!(answer(&pipes, 3), (Some(false), Some(false)), "this one is stuck");
    assert_eq!(answer(&pipes, 0), (Some(true), Some(true)), "which says nothing of the others");
}

#[test]
fn the_wall_of_another_level_is_found_by_its_forms_at_another_scale() {
    let mut pipes = taught(6);
    let small = draw(&WALL.map(turned), &[3], &[]);
    let mut large = Grid::filled(64, 64, Color::of(0));
    let points = (0..60u8).flat_map(|y| (0..60u8).map(move |x| (x, y)));
    for (x, y) in points {
        let from = Point::new(4 + x / 2, 6 + y / 2).unwrap();
        large.set(Point::new(x + 2, y + 3).unwrap(), small.get(from).unwrap());
    }
    pipes.begin(&large, Start::Level);
    let wall = pipes.wall().unwrap();
    assert_eq!(wall.size(), (12, 10));
    assert!(wall.at(Point::new(2, 3).unwrap()).is_some());
}

#[test]
fn what_only_changes_its_colour_or_its_place_turns_nothing() {
    let mut pipes = Pipes::default();
    let before = draw(&WALL, &[], &[]);
    click(&mut pipes, 7, &before, &draw(&WALL, &[7, 8], &[]));
    assert!(pipes.wall().is_none());
    let mut moved = WALL;
    moved.swap(6, 7);
    click(&mut pipes, 7, &before, &draw(&moved, &[], &[]));
    assert!(pipes.wall().is_none());
}
