//! Boards of a few cells, played by the skill alone.

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Color, Grid, Key, Point};
use world_model::{InterfaceMask, Outcome, Start, Transition};

use super::{
    super::{
        imagine::Imagined,
        skill::{Proposal, Skill},
    },
    Board, Kind,
};
use crate::policy::Who;

const SCALE: u8 = 12;

/// Draws a world of one digit a cell.
fn drawn(world: &[Vec<u8>]) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(9));
    for (y, row) in world.iter().enumerate() {
        for (x, color) in row.iter().enumerate() {
            for (dx, dy) in (0..SCALE).flat_map(|dy| (0..SCALE).map(move |dx| (dx, dy))) {
                let at = Point::new(2 + x as u8 * SCALE + dx, 2 + y as u8 * SCALE + dy).unwrap();
                grid.set(at, Color::of(*color));
            }
        }
    }
    grid
}

/// A click switches a cell and its neighbours between 1 and 2.
fn switch(world: &mut [Vec<u8>], x: usize, y: usize) {
    for (cy, row) in world.iter_mut().enumerate() {
        for (cx, color) in row.iter_mut().enumerate() {
            if cx.abs_diff(x) + cy.abs_diff(y) <= 1 {
                *color = 3 - *color;
            }
        }
    }
}

/// Clicks it takes until all cells are alike, after the first `taught` ones.
fn clicks_to_solve(board: &mut Board, mut world: Vec<Vec<u8>>, taught: &[(u8, u8)]) -> Option<usize> {
    let (mask, actions) = (InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
    board.begin(&drawn(&world), &mask, Start::Level);
    let lesson = |(x, y): &(u8, u8)| Point::new(2 + x * SCALE + SCALE / 2, 2 + y * SCALE + SCALE / 2).unwrap();
    let mut clicks: VecDeque<Point> = taught.iter().map(lesson).collect();
    for count in 1..40 {
        let before = drawn(&world);
        if clicks.is_empty() {
            board.in_vain();
            let proposal = board.propose(&before, &mask, actions)?;
            board.taken_up();
            clicks = proposal.steps.iter().filter_map(|step| step.action.point()).collect();
        }
        let at = clicks.pop_front()?;
        switch(&mut world, usize::from((at.x() - 2) / SCALE), usize::from((at.y() - 2) / SCALE));
        if world.iter().flatten().all(|color| *color == world[0][0]) {
            return Some(count);
        }
        let (action, layers) = (Action::Click(at), [drawn(&world)]);
        board.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues }, &mask);
    }
    None
}

fn scrambled(clicks: &[(usize, usize)]) -> Vec<Vec<u8>> {
    let mut world = vec![vec![1; 5]; 5];
    for (x, y) in clicks {
        switch(&mut world, *x, *y);
    }
    world
}

#[test]
fn lights_are_put_out_after_a_few_lessons() {
    let world = scrambled(&[(0, 0), (4, 1), (2, 3), (3, 3)]);
    let taken = clicks_to_solve(&mut Board::default(), world, &[(1, 2), (3, 1)]);
    assert!(taken.is_some_and(|taken| taken <= 20), "{taken:?}");
}

#[test]
fn the_next_level_needs_no_lesson() {
    let mut board = Board::default();
    clicks_to_solve(&mut board, scrambled(&[(0, 0), (4, 1)]), &[(1, 2), (3, 1)]);
    let taken = clicks_to_solve(&mut board, scrambled(&[(1, 1), (3, 4), (4, 2)]), &[]);
    assert!(taken.is_some_and(|taken| taken <= 10), "{taken:?}");
}

#[test]
fn cells_are_brought_to_what_was_imagined_and_that_once() {
    let (mut board, mask) = (Board::default(), InterfaceMask::new());
    clicks_to_solve(&mut board, scrambled(&[(0, 0), (4, 1)]), &[(1, 2), (3, 1)]);
    let (now, image) = (scrambled(&[(1, 1), (4, 2)]), scrambled(&[(1, 1), (4, 2), (2, 3), (3, 0)]));
    board.imagine(Some(&Imagined { frame: drawn(&image), confidence: 0.75 }));
    board.begin(&drawn(&now), &mask, Start::Level);
    let mut propose = || {
        let proposal = board.propose(&drawn(&now), &mask, ActionSet::of(&[ActionId::Action6])).unwrap();
        board.taken_up();
        let signed = board.signs();
        board.in_vain();
        (proposal, signed)
    };
    let (proposal, signed) = propose();
    assert_eq!((proposal.goal.as_str(), proposal.steps.len()), ("every cell as it was imagined", 2));
    assert_eq!(proposal.steps.back().and_then(|step| step.expected.clone()), Some(drawn(&image)));
    assert_eq!(signed, Who::Imagine);
    assert_eq!(propose().1, Who::Skill("board"));
}

/// What the first experiment on a board counts in a game of which something else solved so many levels.
fn score_of_an_experiment(others_won: usize) -> f32 {
    let (mut board, mask) = (Board::default(), InterfaceMask::new());
    let (mut world, at) = (scrambled(&[(0, 0), (4, 1)]), Point::new(2 + SCALE / 2, 2 + SCALE / 2).unwrap());
    board.begin(&drawn(&world), &mask, Start::Level);
    let mut click = |board: &mut Board, outcome| {
        let before = drawn(&world);
        switch(&mut world, 0, 0);
        let (action, layers) = (Action::Click(at), [drawn(&world)]);
        board.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
        layers[0].clone()
    };
    for _ in 0..others_won {
        let next = click(&mut board, Outcome::Solved);
        board.begin(&next, &mask, Start::Level);
    }
    let now = click(&mut board, Outcome::Continues);
    board.propose(&now, &mask, ActionSet::of(&[ActionId::Action6])).unwrap().score
}

#[test]
fn experiments_come_last_where_others_solve_the_levels() {
    assert!(score_of_an_experiment(1) < super::LAST);
    assert_eq!(score_of_an_experiment(2).to_bits(), super::LAST.to_bits());
}

const TILE: usize = 6;
const GAP: usize = 2;

/// Draws tiles of one digit each with gaps between them; a letter is a clue, whose blocks are given.
fn tiled(rows: &[&str], clues: &[(char, [u8; 9])]) -> Grid {
    let mut grid = Grid::filled(64, 64, Color::of(0));
    for (y, row) in rows.iter().enumerate() {
        for (x, tile) in row.chars().enumerate().filter(|(_, tile)| *tile != '.') {
            for (dx, dy) in (0..TILE).flat_map(|dy| (0..TILE).map(move |dx| (dx, dy))) {
                let clue = clues.iter().find(|(name, _)| *name == tile);
                let color = clue.map_or_else(
                    || tile.to_digit(16).unwrap() as u8,
                    |(_, blocks)| blocks[dy * 3 / TILE * 3 + dx * 3 / TILE],
                );
                let (x, y) = (x * (TILE + GAP) + GAP + dx, y * (TILE + GAP) + GAP + dy);
                grid.set(Point::new(x as u8, y as u8).unwrap(), Color::of(color));
            }
        }
    }
    grid
}

/// The clue asks for a cross of 3 around it on ground of 4; what stands for which can only be seen at the solved one, `b`.
const CROSS: (char, [u8; 9]) = ('a', [7, 8, 7, 8, 3, 8, 7, 8, 7]);
const SOLVED: (char, [u8; 9]) = ('b', [8, 8, 8, 7, 4, 7, 7, 7, 7]);

/// A click on a tile, by column and row.
fn at_tile((x, y): (usize, usize)) -> Action {
    let place = |at: usize| (at * (TILE + GAP) + GAP + (TILE - 1) / 2) as u8;
    Action::Click(Point::new(place(x), place(y)).unwrap())
}

fn click(board: &mut Board, before: &Grid, after: &Grid, tile: (usize, usize)) {
    let (action, layers) = (at_tile(tile), [after.clone()]);
    let step = Transition { before, action, layers: &layers, outcome: Outcome::Continues };
    board.observe(&step, &InterfaceMask::new());
}

/// What is proposed after a tile was clicked there and back.
fn proposed(first: &Grid, other: &Grid, tile: (usize, usize)) -> Proposal {
    proposed_by(&mut Board::default(), first, other, tile).unwrap()
}

fn proposed_by(board: &mut Board, first: &Grid, other: &Grid, tile: (usize, usize)) -> Option<Proposal> {
    board.begin(first, &InterfaceMask::new(), Start::Level);
    click(board, first, other, tile);
    click(board, other, first, tile);
    board.propose(first, &InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]))
}

fn paint(grid: &mut Grid, (left, top): (u8, u8), side: u8, color: u8) {
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        grid.set(Point::new(left + x, top + y).unwrap(), Color::of(color));
    }
}

#[test]
fn a_picture_beside_the_board_is_copied_at_any_scale_and_in_any_colors() {
    let with_picture = |rows: &[&str]| {
        let mut grid = tiled(rows, &[]);
        for (index, color) in [5, 5, 6, 5, 6, 5, 5, 5, 5].into_iter().enumerate() {
            paint(&mut grid, (40 + index as u8 % 3 * 2, 40 + index as u8 / 3 * 2), 2, color);
        }
        grid
    };
    let (first, other) = (with_picture(&["111", "111", "111"]), with_picture(&["111", "112", "111"]));
    let proposal = proposed(&first, &other, (2, 1));
    assert_eq!(proposal.goal, "the cells like what is drawn beside them");
    assert_eq!(proposal.steps[1].expected, Some(with_picture(&["112", "121", "111"])), "in two clicks");
}

#[test]
fn cells_become_what_two_of_them_are_marked_with() {
    let with_rivets = |row: &str| {
        let mut grid = tiled(&[row], &[]);
        for left in [2, 18] {
            paint(&mut grid, (left, 2), 2, 2);
        }
        grid
    };
    let (first, other) = (with_rivets("121"), with_rivets("111"));
    let proposal = proposed(&first, &other, (1, 0));
    let clicks: Vec<Action> = proposal.steps.iter().map(|it| it.action).collect();
    assert_eq!(proposal.goal, "every cell in the colour of its mark");
    assert_eq!(clicks, [at_tile((0, 0)), at_tile((2, 0))]);
}

#[test]
fn a_cell_that_answers_no_more_is_not_clicked_on_and_on() {
    let panel = |tile: &str| tiled(&[&format!("{tile}44.444"), "4a4.3b3", "444.333"], &[CROSS, SOLVED]);
    let (first, other, mut board) = (panel("4"), panel("3"), Board::default());
    board.begin(&first, &InterfaceMask::new(), Start::Level);
    click(&mut board, &first, &other, (0, 0));
    let next = |board: &mut Board| {
        let proposal = board.propose(&other, &InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
        proposal.map(|it| it.steps[0].action)
    };
    assert_eq!(next(&mut board), Some(at_tile((0, 0))), "what comes after 3?");
    click(&mut board, &other, &other, (0, 0));
    assert_ne!(next(&mut board), Some(at_tile((0, 0))));
}

#[test]
fn a_cell_came_round_once_a_click_made_it_as_it_was_at_first() {
    let panel = |tile: &str| tiled(&[&format!("{tile}44.444"), "4a4.3b3", "444.333"], &[CROSS, SOLVED]);
    let (first, other, mut board) = (panel("4"), panel("3"), Board::default());
    board.begin(&first, &InterfaceMask::new(), Start::Level);
    click(&mut board, &first, &other, (0, 0));
    let (cell, _) = board.model.clicked().next().unwrap();
    assert!(!board.model.came_round(cell));
    click(&mut board, &other, &first, (0, 0));
    click(&mut board, &first, &other, (0, 0));
    assert!(board.model.came_round(cell));
}

#[test]
fn clues_are_read_as_those_around_unchanging_cells_are() {
    let clues = [CROSS, SOLVED];
    let panel = |left: &str, middle: &str, right: &str| {
        tiled(&[&format!("{left}.444"), &format!("{middle}.3b3"), &format!("{right}.333")], &clues)
    };
    let (first, mask) = (panel("444", "4a4", "444"), InterfaceMask::new());
    let mut board = Board::default();
    board.begin(&first, &mask, Start::Level);
    let lessons = [panel("344", "4a4", "444"), panel("444", "4a4", "444"), panel("444", "4a4", "444")];
    click(&mut board, &first, &lessons[0], (0, 0));
    click(&mut board, &lessons[0], &lessons[1], (0, 0));
    click(&mut board, &lessons[1], &lessons[2], (4, 0));
    let proposal = board.propose(&lessons[2], &mask, ActionSet::of(&[ActionId::Action6])).unwrap();
    assert_eq!(proposal.goal, "every cell as the clues beside it say");
    let solved = proposal.steps.back().unwrap().expected.clone();
    assert_eq!(solved, Some(panel("434", "3a3", "434")));
}

#[test]
fn neighbours_become_different() {
    let (first, other) = (tiled(&["111", "111", "111"], &[]), tiled(&["111", "121", "111"], &[]));
    let proposal = proposed(&first, &other, (1, 1));
    assert_eq!(proposal.goal, "neighbours in different colours");
    assert_eq!(proposal.steps.back().unwrap().expected, Some(tiled(&["121", "212", "121"], &[])));
}

#[test]
fn what_is_drawn_on_one_side_is_drawn_on_the_other() {
    let (first, other) = (tiled(&["2111", "2211"], &[]), tiled(&["2111", "2221"], &[]));
    let proposal = proposed(&first, &other, (2, 1));
    assert_eq!(proposal.goal, "one half like the other, mirrored");
    assert_eq!(proposal.steps.back().unwrap().expected, Some(tiled(&["2112", "2222"], &[])));
}

/// A board whose cells a click turns one by one, all but those with a bolt, and that the fourth key shifts to the right.
fn bolted(rows: &[&str], bolt: (u8, u8)) -> Grid {
    let mut grid = tiled(rows, &[]);
    let place = |at: u8| at * (TILE + GAP) as u8 + 4;
    paint(&mut grid, (place(bolt.0), place(bolt.1)), 2, 6);
    for (index, color) in [1, 1, 1, 1, 2, 1].into_iter().enumerate() {
        paint(&mut grid, (40 + index as u8 % 3 * 2, 40 + index as u8 / 3 * 2), 2, color);
    }
    grid
}

#[test]
fn a_cell_that_does_not_answer_is_filled_by_keys_that_shift_the_board() {
    let drawn = |rows: [&str; 2]| bolted(&rows, (1, 1));
    let (first, other, mut board) = (drawn(["111", "111"]), drawn(["112", "111"]), Board::default());
    board.begin(&first, &InterfaceMask::new(), Start::Level);
    click(&mut board, &first, &other, (2, 0));
    let shifted = drawn(["211", "111"]);
    let (action, layers) = (Action::Key(Key::Key4), [shifted.clone()]);
    let step = Transition { before: &other, action, layers: &layers, outcome: Outcome::Continues };
    board.observe(&step, &InterfaceMask::new());
    click(&mut board, &shifted, &first, (0, 0));
    click(&mut board, &first, &first, (1, 1));
    let actions = ActionSet::of(&[ActionId::Action4, ActionId::Action6]);
    let proposal = board.propose(&first, &InterfaceMask::new(), actions).unwrap();
    assert_eq!(proposal.goal, "the cells like what is drawn beside them");
    let steps: Vec<Action> = proposal.steps.iter().map(|it| it.action).take(2).collect();
    assert_eq!(steps, [at_tile((0, 1)), action]);
    assert_eq!(proposal.steps[1].expected, Some(drawn(["111", "121"])));
}

#[test]
fn a_drawn_key_says_what_the_colors_of_a_picture_stand_for() {
    let with_key = |rows: &[&str]| {
        let mut grid = tiled(rows, &[]);
        for (index, color) in [1, 1, 2, 1].into_iter().enumerate() {
            paint(&mut grid, (40 + index as u8 % 2 * 2, 40 + index as u8 / 2 * 2), 2, color);
        }
        for (left, color) in [(2, 1), (6, 2), (14, 2), (18, 1)] {
            paint(&mut grid, (left, 40), 3, color);
        }
        grid
    };
    let (first, other) = (with_key(&["11", "11"]), with_key(&["11", "12"]));
    let proposal = proposed(&first, &other, (1, 1));
    assert_eq!(proposal.goal, "the cells like what is drawn beside them");
    assert_eq!(proposal.steps.back().unwrap().expected, Some(with_key(&["22", "12"])));
}

#[test]
fn where_nothing_can_be_reached_a_cell_further_inside_tells_more() {
    let (first, other) = (tiled(&["121", "111", "111"], &[]), tiled(&["221", "121", "111"], &[]));
    let proposal = |won: &[Kind]| {
        let won = won.iter().map(|kind| (*kind, 1)).collect();
        proposed_by(&mut Board { won, ..Board::default() }, &first, &other, (0, 0))
    };
    let look = proposal(&[Kind::Same]).unwrap();
    assert_eq!(look.steps[0].action, at_tile((1, 1)), "a corner shows a quarter of what a click reaches");
    assert_eq!((look.goal.starts_with("see what"), look.steps.len()), (true, 1));
    assert_eq!(proposal(&[]), None, "nobody knows that this is a board to be solved");
}

#[test]
fn cells_that_all_begin_alike_are_filled_with_each_colour_once_in_a_line() {
    let boards = [["11", "11"], ["21", "11"], ["31", "11"], ["11", "11"]].map(|rows| tiled(&rows, &[]));
    let mut board = Board::default();
    board.begin(&boards[0], &InterfaceMask::new(), Start::Level);
    boards.windows(2).for_each(|pair| click(&mut board, &pair[0], &pair[1], (0, 0)));
    let proposal = board.propose(&boards[0], &InterfaceMask::new(), ActionSet::of(&[ActionId::Action6])).unwrap();
    assert_eq!(proposal.goal, "every colour once in a row or column");
    assert_eq!(proposal.steps.back().unwrap().expected, Some(tiled(&["23", "32"], &[])));
}

/// A board of tiles that a click switches between 1 and 2, all but the printed ones, which have a rivet and are 5 where
/// they are not 2.
fn printed(rows: [&str; 2], count: [u8; 2]) -> Grid {
    let mut grid = tiled(&rows, &[]);
    for (x, y) in (0..2u8).flat_map(|y| (0..count[usize::from(y)]).map(move |x| (x, y))) {
        let place = |at: u8| at * (TILE + GAP) as u8 + 3;
        paint(&mut grid, (place(x), place(y)), 2, 6);
    }
    grid
}

/// What is proposed for a board on which so many tiles of each row are printed, the first one was clicked in vain, and
/// another one there and back: what for, and what it should lead to.
fn completed(rows: [[&str; 2]; 2], tile: (usize, usize), count: [u8; 2]) -> (String, Option<Grid>) {
    let (mut board, actions) = (Board::default(), ActionSet::of(&[ActionId::Action6]));
    let [first, other] = rows.map(|rows| printed(rows, count));
    board.begin(&first, &InterfaceMask::new(), Start::Level);
    click(&mut board, &first, &other, tile);
    click(&mut board, &other, &first, tile);
    click(&mut board, &first, &first, (0, 0));
    let mut proposal = board.propose(&first, &InterfaceMask::new(), actions).unwrap();
    (proposal.goal, proposal.steps.pop_back().and_then(|it| it.expected))
}

#[test]
fn what_changes_mirrors_what_does_not_though_that_has_a_ground_of_its_own() {
    let (goal, reached) = completed([["2522", "5511"], ["2521", "5511"]], (3, 0), [2, 2]);
    assert_eq!(
        (goal.as_str(), reached),
        ("one half like the other, mirrored", Some(printed(["2512", "5511"], [2, 2])))
    );
    let (goal, reached) = completed([["2511", "5522"], ["2511", "5521"]], (3, 1), [2, 2]);
    let turned = "one half like the other, turned by a half";
    assert_eq!((goal.as_str(), reached), (turned, Some(printed(["2511", "5512"], [2, 2]))));
    let (goal, reached) = completed([["2512", "1111"], ["2511", "1111"]], (3, 0), [2, 0]);
    let both = printed(["2512", "2112"], [2, 0]);
    assert_eq!((goal.as_str(), reached), ("one half like the other, mirrored", Some(both)));
}
