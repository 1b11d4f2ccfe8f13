//! Boards of a few cells, played by the skill alone.

use std::collections::VecDeque;

use env_client::{Action, ActionId, ActionSet, Color, Grid, Point};
use world_model::{InterfaceMask, Outcome, Start, Transition};

use super::{super::skill::Skill, Board};

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
