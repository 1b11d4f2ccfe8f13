use std::collections::BTreeMap;

use env_client::{ActionSet, Point};
use world_model::Outcome;

use super::*;

type Cell = (i16, i16);

/// A bed of tiles of four cells a side, whose middles show colours, and pieces of squares of three cells below it, each held at
/// its first square.
#[derive(Clone)]
struct Game {
    wanted: BTreeMap<Cell, u8>,
    pieces: Vec<(u8, Vec<Cell>)>,
    turns: bool,
    /// How often each is turned, and where it lies.
    lies: Vec<(u8, Option<Cell>)>,
    pile: Vec<usize>,
    held: Option<usize>,
}

/// The rows of the frame where pieces lie.
const TRAY: usize = 20;
const BAY: usize = 12;

impl Game {
    fn new(wanted: &[&str], pieces: &[(u8, &[Cell])], turns: bool) -> Game {
        let cells = |(row, y): (&&str, i16)| -> Vec<(Cell, u8)> {
            let digits = row.chars().zip(0..).filter_map(|(it, x)| Some(((x, y), it.to_digit(16)? as u8)));
            digits.collect()
        };
        let lies = vec![(0, None); pieces.len()];
        let pieces = pieces.iter().map(|(color, cells)| (*color, cells.to_vec())).collect();
        let wanted = wanted.iter().zip(0..).flat_map(cells).collect();
        Game { wanted, pieces, turns, lies, pile: Vec::new(), held: None }
    }

    /// The squares of a piece, seen from the first.
    fn cells(&self, piece: usize) -> Vec<Cell> {
        let turned = |it: &Cell| (0..self.lies[piece].0).fold(*it, |(x, y), _| (-y, x));
        self.pieces[piece].1.iter().map(turned).collect()
    }

    fn seen(&self, cell: Cell) -> Option<u8> {
        let lies_on = |it: &&usize| {
            let (_, Some(at)) = self.lies[**it] else { return false };
            self.cells(**it).iter().any(|(x, y)| (at.0 + x, at.1 + y) == cell)
        };
        self.pile.iter().rev().find(lies_on).map(|it| self.pieces[*it].0)
    }

    fn is_solved(&self) -> bool {
        self.pile.len() == self.pieces.len() && self.wanted.iter().all(|(cell, color)| self.seen(*cell) == Some(*color))
    }

    fn frame(&self) -> Grid {
        let mut frame = vec![vec![1u8; 60]; 40];
        let mut fill = |x: usize, y: usize, side: usize, color: u8| {
            (y..y + side).for_each(|y| frame[y][x..x + side].fill(color));
        };
        for (cell, color) in &self.wanted {
            let (x, y) = (2 + 4 * cell.0 as usize, 2 + 4 * cell.1 as usize);
            fill(x, y, 4, self.seen(*cell).unwrap_or(5));
            fill(x + 1, y + 1, 2, *color);
        }
        for piece in (0..self.pieces.len()).filter(|it| self.lies[*it].1.is_none()) {
            let cells = self.cells(piece);
            let (left, top) = cells.iter().fold((0, 0), |low, it| (it.0.min(low.0), it.1.min(low.1)));
            let corner = |it: &Cell| (2 + BAY * piece + 3 * (it.0 - left) as usize, TRAY + 3 * (it.1 - top) as usize);
            cells.iter().map(corner).for_each(|(x, y)| fill(x, y, 3, self.pieces[piece].0));
            let (x, y) = corner(&(0, 0));
            fill(x + 1, y + 1, 1, if self.held == Some(piece) { 3 } else { 0 });
        }
        Grid::from_rows(frame.into_iter().map(|row| row.into_iter().map(Color::of).collect::<Vec<_>>())).unwrap()
    }

    fn click(&mut self, at: Point) {
        let (x, y) = (usize::from(at.x()), usize::from(at.y()));
        let tile = ((x as i16 - 2).div_euclid(4), (y as i16 - 2).div_euclid(4));
        if y + 2 >= TRAY {
            let piece = (x - 2) / BAY;
            if self.held == Some(piece) && self.turns {
                self.lies[piece].0 = (self.lies[piece].0 + 1) % 4;
            }
            self.held = Some(piece);
        } else if let Some(piece) = self.held.filter(|_| self.wanted.contains_key(&tile)) {
            let cells = self.cells(piece);
            if cells.iter().all(|(x, y)| self.wanted.contains_key(&(tile.0 + x, tile.1 + y))) {
                self.lies[piece].1 = Some(tile);
                self.pile.push(piece);
                self.held = None;
            }
        }
    }

    /// How many clicks the skill takes, from nothing; `None` where it proposes nothing any more.
    fn played_by(mut self, skill: &mut Inlay) -> Option<usize> {
        let (mask, all) = (InterfaceMask::new(), ActionSet::of(&[ActionId::Action6]));
        skill.begin(&self.frame(), &mask, Start::Level);
        let mut clicks = 0;
        while !self.is_solved() {
            let proposal = skill.propose(&self.frame(), &mask, all)?;
            skill.taken_up();
            for step in proposal.steps {
                let (before, at) = (self.frame(), step.action.point().unwrap());
                self.click(at);
                clicks += 1;
                let layers = [self.frame()];
                let outcome = Outcome::Continues;
                skill.observe(&Transition { before: &before, action: step.action, layers: &layers, outcome }, &mask);
                if skill.gives_up() {
                    break;
                }
            }
        }
        Some(clicks)
    }
}

const POST: &[Cell] = &[(0, 0), (0, 1), (0, 2)];
const CORNER: &[Cell] = &[(0, 0), (1, 0), (0, 1)];
const BEAM: &[Cell] = &[(0, 0), (1, 0), (2, 0)];

#[test]
fn pieces_that_fill_the_tiles_are_laid_at_once() {
    let game = Game::new(&["88.8", "8..8", "...8"], &[(8, POST), (8, CORNER)], false);
    assert_eq!(game.played_by(&mut Inlay::default()), Some(4));
}

#[test]
fn a_piece_is_turned_once_that_was_seen_to_turn_it() {
    let game = Game::new(&["888", ".9.", "99."], &[(9, CORNER), (8, POST)], true);
    assert_eq!(game.clone().played_by(&mut Inlay::default()), Some(8), "two of them to find out");
    let mut skill = Inlay::default();
    game.clone().played_by(&mut skill);
    assert_eq!(skill.turning, Turning::By(Turn::Clockwise));
}

#[test]
fn where_clicks_do_not_turn_pieces_nothing_is_left_to_try() {
    let mut skill = Inlay::default();
    let game = Game::new(&["888", ".9.", "99."], &[(9, CORNER), (8, POST)], false);
    assert_eq!(game.played_by(&mut skill), None);
    assert_eq!(skill.turning, Turning::Never);
}

#[test]
fn what_lies_beneath_is_laid_first() {
    let game = Game::new(&[".8.", "989", ".8."], &[(8, POST), (9, BEAM)], false);
    assert_eq!(game.played_by(&mut Inlay::default()), Some(4));
}

#[test]
fn frames_without_a_bed_say_nothing() {
    let mut skill = Inlay::default();
    let frame = Grid::filled(20, 20, Color::of(1));
    skill.begin(&frame, &InterfaceMask::new(), Start::Level);
    assert_eq!(skill.propose(&frame, &InterfaceMask::new(), ActionSet::of(&[ActionId::Action6])), None);
}
