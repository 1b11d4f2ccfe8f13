use env_client::Color;

use super::*;
use crate::Outcome;

const GROUND: Color = Color::of(5);
const NEST: u8 = 2;
const PEG: u8 = 9;
const PICKED: u8 = 10;

/// Squares of five cells in rows of which each is shifted by half a step: an oblique lattice. Or squares that touch.
struct Game {
    places: Vec<(u8, u8)>,
    side: u8,
    scale: u8,
    stand: Vec<u8>,
    picked: Option<usize>,
}

const SLANTED: [(u8, u8); 10] =
    [(0, 0), (8, 0), (16, 0), (4, 7), (12, 7), (20, 7), (0, 14), (8, 14), (16, 14), (24, 14)];

impl Game {
    fn slanted(stand: [u8; 10]) -> Game {
        Game { places: SLANTED.to_vec(), side: 5, scale: 1, stand: stand.to_vec(), picked: None }
    }

    /// Three rows of four that touch.
    fn tiled(stand: [u8; 12]) -> Game {
        let places = (0..12).map(|it| (6 * (it % 4), 6 * (it / 4))).collect();
        Game { places, side: 6, scale: 1, stand: stand.to_vec(), picked: None }
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, GROUND);
        for ((x, y), (seat, kind)) in self.places.iter().zip(self.stand.iter().enumerate()) {
            let color = if self.picked == Some(seat) { PICKED } else { *kind };
            let (left, top, side) = ((x + 3) * self.scale, (y + 3) * self.scale, self.side * self.scale);
            let it = Bounds { left, top, right: left + side - 1, bottom: top + side - 1 };
            it.points().for_each(|at| frame.set(at, Color::of(color)));
        }
        frame
    }

    fn at(&self, seat: usize) -> Point {
        let (x, y) = self.places[seat];
        Point::new((x + 5) * self.scale, (y + 5) * self.scale).unwrap()
    }

    /// A peg is picked, put back, or hops over another one into a nest.
    fn click(&mut self, seat: usize) {
        let picked = self.picked.take();
        if self.stand[seat] == PEG {
            self.picked = Some(seat).filter(|_| picked != Some(seat));
        } else if let Some(from) = picked.filter(|_| self.stand[seat] == NEST) {
            let [(ax, ay), (bx, by)] = [self.places[from], self.places[seat]];
            let over = self.places.iter().position(|it| (2 * it.0, 2 * it.1) == (ax + bx, ay + by));
            if let Some(over) = over.filter(|it| self.stand[*it] == PEG) {
                (self.stand[from], self.stand[over], self.stand[seat]) = (NEST, NEST, PEG);
            }
        }
    }

    fn show(&mut self, model: &mut Leaps, seat: usize) {
        let (before, action) = (self.frame(), Action::Click(self.at(seat)));
        self.click(seat);
        tell(model, &before, action, &self.frame());
    }
}

fn tell(model: &mut Leaps, before: &Grid, action: Action, after: &Grid) {
    let layers = std::slice::from_ref(after);
    model.observe(&Transition { before, action, layers, outcome: Outcome::Continues }, &InterfaceMask::new());
}

fn begun(game: &Game) -> Leaps {
    let mut model = Leaps::default();
    model.begin(&game.frame(), &InterfaceMask::new(), Start::Level);
    model
}

fn leaps(model: &Leaps, dares: bool) -> Vec<Leap> {
    let mut all: Vec<Leap> = model.moves(&model.stand(), &mut model.memo(dares)).into_iter().map(|it| it.0).collect();
    all.sort_unstable();
    all
}

/// Pegs in the corner and beside it, and one in the middle.
const PEGS: [u8; 10] = [PEG, PEG, NEST, NEST, PEG, NEST, NEST, NEST, NEST, NEST];

#[test]
fn a_hop_seen_once_holds_along_all_ways_of_a_slanting_board() {
    let mut game = Game::slanted(PEGS);
    let mut model = begun(&game);
    game.show(&mut model, 0);
    assert_eq!((model.held(), model.is_understood()), (Some(0), false));
    game.show(&mut model, 2);
    assert!(model.is_understood());
    assert_eq!(model.stand().iter().filter(|it| **it != BARE).count(), 2);
    // The one in the corner hops over the other one, down to the left; and that one up to the right has no seat to go to.
    assert_eq!(leaps(&model, false), [(2, 7)]);
    assert_eq!(model.clicks((2, 7)), [Action::Click(game.at(2)), Action::Click(game.at(7))]);
}

#[test]
fn tiles_that_touch_are_seats_though_a_counter_lies_over_one() {
    let mut game = Game::tiled([PEG, PEG, NEST, 5, PEG, NEST, NEST, NEST, NEST, NEST, NEST, 5]);
    let mut model = begun(&game);
    game.show(&mut model, 0);
    assert_eq!((model.held(), model.stand().len()), (Some(0), 10));
    game.show(&mut model, 2);
    let mut frame = game.frame();
    frame.set(Point::new(4, 4).unwrap(), Color::of(8));
    model.begin(&frame, &InterfaceMask::new(), Start::Again);
    assert_eq!(model.stand().iter().filter(|it| **it != BARE).count(), 2);
}

#[test]
fn what_a_second_click_picks_in_place_of_the_first_is_no_move() {
    let mut game = Game::slanted(PEGS);
    let mut model = begun(&game);
    game.show(&mut model, 0);
    game.show(&mut model, 1);
    assert_eq!((model.held(), model.is_hopeless()), (Some(1), false));
    game.show(&mut model, 1);
    assert_eq!(model.held(), None);
    // A step does nothing, and is not tried again; two alike side by side neither.
    game.show(&mut model, 4);
    game.show(&mut model, 3);
    assert_eq!((model.held(), model.is_understood()), (None, false));
    assert!(!matches!(model.experiment(), Some((4, 3) | (0, 1))));
}

#[test]
fn the_board_is_found_again_at_another_scale() {
    let mut game = Game::slanted(PEGS);
    let mut model = begun(&game);
    for seat in [0, 2] {
        game.show(&mut model, seat);
    }
    let next = Game { scale: 2, places: SLANTED[..9].to_vec(), ..Game::slanted(PEGS) };
    model.begin(&next.frame(), &InterfaceMask::new(), Start::Level);
    assert_eq!(leaps(&model, false), [(0, 2), (1, 8)]);
}

/// A board of four by three seats on a plate, where pegs are six cells wide and holes two, over a row of dots as large as
/// holes that counts the pegs.
fn holed(pegs: &[u8], picked: Option<u8>) -> Grid {
    let mut frame = Grid::filled(64, 64, GROUND);
    let mut draw = |left: u8, top: u8, width: u8, height: u8, color: u8| {
        let it = Bounds { left, top, right: left + width - 1, bottom: top + height - 1 };
        it.points().for_each(|at| frame.set(at, Color::of(color)));
    };
    draw(3, 3, 34, 26, 12);
    for seat in 0..12 {
        let (left, top) = (5 + 8 * (seat % 4), 5 + 8 * (seat / 4));
        if pegs.contains(&seat) {
            draw(left, top, 6, 6, if picked == Some(seat) { PICKED } else { PEG });
        } else {
            draw(left + 2, top + 2, 2, 2, NEST);
        }
    }
    (0..13).for_each(|dot| draw(5 + 4 * dot, 50, 2, 2, PEG));
    frame
}

#[test]
fn holes_smaller_than_all_that_stands_are_seats_and_counters_beside_the_board_are_not() {
    let (pegs, mut model) = ([0, 1, 5, 6, 7], Leaps::default());
    model.begin(&holed(&pegs, None), &InterfaceMask::new(), Start::Level);
    let click = Action::Click(Point::new(8, 8).unwrap());
    tell(&mut model, &holed(&pegs, None), click, &holed(&pegs, Some(0)));
    assert_eq!((model.held(), model.stand().len()), (Some(0), 12));
    assert_eq!(model.hop(), Some((0, 2)), "over one of its kind");
    let next = [1, 2, 4, 9, 10, 11];
    model.begin(&holed(&next, None), &InterfaceMask::new(), Start::Level);
    assert_eq!(model.stand().len(), 12);
}

#[test]
fn a_seat_that_looks_unlike_others_is_one_to_go_to_for_those_who_dare() {
    let mut stand = PEGS;
    stand[7] = 11;
    let mut game = Game::slanted(stand);
    let mut model = begun(&game);
    for seat in [0, 2] {
        game.show(&mut model, seat);
    }
    assert_eq!(model.marked(), [7]);
    assert_eq!((leaps(&model, false), leaps(&model, true)), (vec![], vec![(2, 7)]));
}

#[test]
fn lamps_that_clicks_switch_are_no_such_game() {
    let mut game = Game::slanted([NEST; 10]);
    let mut model = begun(&game);
    for seat in [0, 3, 5, 8] {
        let before = game.frame();
        game.stand[seat] = PEG;
        tell(&mut model, &before, Action::Click(game.at(seat)), &game.frame());
    }
    assert!(model.is_hopeless() || !model.has_board());
}

/// Pieces 3 and 4, and a bare seat, all told.
fn law() -> Law {
    let mut law = Law::default();
    for kind in [3, 4] {
        law.picks(kind);
    }
    law
}

#[test]
fn two_alike_become_the_next_one_where_that_was_seen() {
    let mut law = law();
    law.learn(0, &[3, 3], Some(&[1, 4]));
    assert_eq!(law.predict(0, &[3, 3], false), Some(vec![BARE, 4]));
    assert_eq!(law.predict(0, &[4, 4], false), Some(vec![BARE, STRANGE]), "the one after it was never seen");
    assert_eq!(law.predict(0, &[3, 4], false), None, "these are not alike");
    assert_eq!((law.predict(1, &[3, 3], false), law.predict(1, &[3, 3], true)), (None, Some(vec![BARE, 4])));
}

#[test]
fn counterexamples_hold_for_what_they_are_and_two_for_their_pattern() {
    let mut law = law();
    law.learn(0, &[3, 3, 1], Some(&[1, 1, 3]));
    assert_eq!(law.predict(0, &[4, 4, 1], false), Some(vec![BARE, BARE, 4]));
    law.learn(0, &[4, 4, 1], None);
    assert_eq!(law.predict(0, &[4, 4, 1], true), None);
    assert!(law.is_open(0, &[3, 1]) && !law.is_open(0, &[3, 3, 1]));
    for kind in [3, 4] {
        law.learn(0, &[kind, 1], None);
    }
    law.picks(7);
    assert!(!law.is_open(0, &[7, 1]), "nothing of the kind ever did anything");
}

#[test]
fn what_goes_two_steps_freely_goes_further() {
    let mut law = law();
    law.learn(0, &[3, 1, 1], Some(&[1, 1, 3]));
    assert!(law.goes_far() && !law.takes());
    assert_eq!(law.predict(0, &[3, 1, 1, 1, 1], true), Some(vec![BARE, BARE, BARE, BARE, 3]));
    assert_eq!(law.predict(0, &[3, 1, 4, 1], true), None, "something stands between");
}

#[test]
fn what_cannot_be_picked_is_a_piece_once_it_was_taken() {
    let mut law = law();
    assert!(!law.is_piece(6));
    law.learn(0, &[3, 6, 1], Some(&[1, 1, 3]));
    assert!(law.takes() && law.is_piece(6) && law.is_bare(1) && !law.is_piece(1));
}
