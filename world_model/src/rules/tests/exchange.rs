//! A hand that takes what its owner comes onto, and gives back what it held.

use env_client::{Action, Color, Grid, Key};

use super::{Rules, put};
use crate::{Outcome, Start, Transition, WorldModel};

const STEP: usize = 4;
const TILES: usize = 10;
const RIGHT: Action = Action::Key(Key::Key4);
const LEFT: Action = Action::Key(Key::Key3);
/// How a thing of each form lies, and how it is held: a part of what lies is seen beside its taker. The last
/// one is held as a bar.
const LIES: [[&str; STEP]; 3] =
    [["....", ".#..", ".#..", "##.."], ["....", ".#..", ".#..", ".#.."], ["....", ".#..", ".#..", ".#.."]];
const HELD: [[&str; STEP]; 3] =
    [["##..", "##..", "....", "...."], ["#...", "#...", "....", "...."], ["....", "##..", "....", "...."]];

/// A form and a colour.
type Thing = (usize, u8);

/// One row of tiles.
#[derive(Clone)]
struct Row {
    taker: usize,
    hand: Option<Thing>,
    things: Vec<(usize, Thing)>,
    /// Whether a hand that holds something exchanges it.
    swaps: bool,
}

impl Row {
    fn new(things: &[(usize, Thing)], swaps: bool) -> Row {
        Row { taker: 1, hand: None, things: things.to_vec(), swaps }
    }

    fn draw(&self) -> Grid {
        let size = |tiles: usize| (STEP * (tiles + 2)) as u8;
        let mut frame = Grid::filled(size(TILES), size(1), Color::of(5));
        let mut tile = |column: usize, picture: [&str; STEP], color: u8| {
            for (y, row) in picture.iter().enumerate() {
                let inked = row.bytes().enumerate().filter(|(_, cell)| *cell == b'#');
                inked.for_each(|(x, _)| put(&mut frame, STEP * (column + 1) + x, STEP + y, color));
            }
        };
        (0..TILES).for_each(|column| tile(column, ["####"; STEP], 0));
        self.things.iter().for_each(|(column, (form, color))| tile(*column, LIES[*form], *color));
        self.hand.iter().for_each(|(form, color)| tile(self.taker, HELD[*form], *color));
        tile(self.taker, ["..##", "..##", "####", "..##"], 1);
        frame
    }

    fn after(&self, action: Action) -> Row {
        let mut next = self.clone();
        let to = if action == RIGHT { self.taker + 1 } else { self.taker.wrapping_sub(1) };
        if to >= TILES {
            return next;
        }
        next.taker = to;
        let met = self.things.iter().position(|(column, _)| *column == to);
        if let Some(met) = met.filter(|_| self.hand.is_none() || self.swaps) {
            next.hand = Some(next.things.remove(met).1);
            next.things.extend(self.hand.map(|it| (to, it)));
        }
        next
    }
}

/// Shows rules a new level and what these actions do there.
fn show(rules: &mut Rules, mut row: Row, actions: &[Action]) -> Row {
    rules.begin(&row.draw(), Start::Level);
    for action in actions {
        let next = row.after(*action);
        let (before, layers) = (row.draw(), [next.draw()]);
        rules.observe(&Transition { before: &before, action: *action, layers: &layers, outcome: Outcome::Continues });
        row = next;
    }
    row
}

fn is_foreseen(rules: &Rules, row: &Row, action: Action) -> bool {
    let next = rules.predict(&rules.state(&row.draw()), action).next.map(|it| it.frame);
    next == Some(row.after(action).draw())
}

/// Whether all that comes of these actions is foreseen without seeing anything on the way.
fn is_dreamt(rules: &Rules, mut row: Row, actions: &[Action]) -> bool {
    let mut state = rules.state(&row.draw());
    actions.iter().all(|action| {
        row = row.after(*action);
        let next = rules.predict(&state, *action).next;
        next.is_some_and(|it| {
            state = it;
            state.frame == row.draw()
        })
    })
}

/// To the third tile and about there, then to the fifth.
const TAKE: [Action; 6] = [RIGHT, RIGHT, LEFT, RIGHT, RIGHT, RIGHT];

#[test]
fn what_a_hand_holds_is_expected_to_be_exchanged_for_what_it_would_take() {
    let mut rules = Rules::new();
    let row = Row::new(&[(3, (0, 8)), (6, (0, 9))], true);
    let row = show(&mut rules, row, &TAKE);
    assert_eq!((row.taker, row.hand), (5, Some((0, 8))));
    assert!(is_foreseen(&rules, &row, RIGHT), "never seen");
}

#[test]
fn what_is_laid_down_lies_as_it_lay_before() {
    let mut rules = Rules::new();
    show(&mut rules, Row::new(&[(3, (0, 8))], true), &TAKE);
    show(&mut rules, Row::new(&[(3, (1, 7))], true), &TAKE);
    let row = show(&mut rules, Row::new(&[(3, (1, 7)), (6, (0, 8))], true), &TAKE);
    assert!(is_foreseen(&rules, &row, RIGHT), "narrow where the broad one lay");
}

#[test]
fn what_was_not_exchanged_is_not_expected_to_be() {
    let mut rules = Rules::new();
    let row = Row::new(&[(3, (0, 8)), (6, (0, 9)), (8, (0, 9))], false);
    let row = show(&mut rules, row, &TAKE);
    assert!(!is_foreseen(&rules, &row, RIGHT), "the guess is wrong here");
    let row = Row::new(&[(3, (0, 8)), (6, (0, 9)), (8, (0, 9))], false);
    let beyond: Vec<Action> = TAKE.into_iter().chain([RIGHT, RIGHT]).collect();
    let row = show(&mut rules, row, &beyond);
    assert!(is_foreseen(&rules, &row, RIGHT));
}

#[test]
fn what_was_laid_down_is_foreseen_to_lie_there_until_it_is_taken_again() {
    let mut rules = Rules::new();
    let there: Vec<Action> = TAKE.into_iter().chain([RIGHT, RIGHT, RIGHT, LEFT]).collect();
    let row = show(&mut rules, Row::new(&[(3, (0, 8)), (6, (0, 9)), (8, (0, 7))], true), &there);
    assert_eq!((row.taker, row.hand), (7, Some((0, 7))), "8 lies on the sixth tile, 9 on the eighth");
    assert!(is_dreamt(&rules, row, &[LEFT, LEFT, RIGHT, RIGHT, RIGHT, LEFT, LEFT]));
}

#[test]
fn what_was_taken_in_exchange_is_foreseen_to_be_laid_down_as_it_lay() {
    let mut rules = Rules::new();
    let there: Vec<Action> = TAKE.into_iter().chain([RIGHT, RIGHT]).collect();
    let row = show(&mut rules, Row::new(&[(3, (0, 8)), (6, (2, 9))], true), &there);
    assert_eq!((row.taker, row.hand), (7, Some((2, 9))), "never taken by an empty hand");
    assert!(is_dreamt(&rules, row, &[LEFT, LEFT]));
}

#[test]
fn what_is_held_is_found_though_walls_have_its_colour() {
    let mut rules = Rules::new();
    show(&mut rules, Row::new(&[(3, (2, 5))], true), &TAKE);
    let row = show(&mut rules, Row::new(&[(3, (2, 5))], true), &TAKE);
    assert!(is_dreamt(&rules, row, &[RIGHT, LEFT]));
}
