use env_client::Color;

use super::*;
use crate::Outcome;

const PRESSES: [Key; 4] = [Key::Key4, Key::Key2, Key::Key3, Key::Key1];

/// Seats of six cells within a rim: `#` is fixed, `o` looks odd, digits are tiles with a kernel of their own colour; two alike that
/// meet are fused where that is so.
#[derive(Clone)]
struct Game {
    rows: Vec<Vec<u8>>,
    odd: Option<(usize, usize)>,
    fuses: bool,
    /// What comes up after a move, where nothing stands first.
    brings: Option<u8>,
    corner: u8,
}

const SIDE: u8 = 6;

impl Game {
    fn new(rows: &[&str], fuses: bool) -> Game {
        let rows = rows.iter().map(|row| row.bytes().collect()).collect();
        Game { rows, odd: None, fuses, brings: None, corner: 9 }
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(64, 64, Color::of(1));
        let mut fill = |left: u8, top: u8, width: u8, height: u8, color: u8| {
            let it = Bounds { left, top, right: left + width - 1, bottom: top + height - 1 };
            it.points().for_each(|at| frame.set(at, Color::of(color)));
        };
        let (columns, rows) = (self.rows[0].len() as u8, self.rows.len() as u8);
        fill(self.corner - 2, self.corner - 2, columns * SIDE + 4, rows * SIDE + 4, 13);
        for (y, row) in (0..).zip(&self.rows) {
            for (x, seat) in (0..).zip(row) {
                let (left, top) = (self.corner + x * SIDE, self.corner + y * SIDE);
                fill(left, top, SIDE, SIDE, 2);
                if self.odd == Some((x.into(), y.into())) {
                    fill(left, top, SIDE, SIDE, 14);
                }
                fill(left, top, 1, 1, 3);
                match seat {
                    b'#' => fill(left, top, SIDE, SIDE, 12),
                    b'.' => {}
                    tile => {
                        fill(left + 1, top + 1, 4, 4, 5);
                        fill(left + 2, top + 2, 2, 2, tile - b'0' + 5);
                    }
                }
            }
        }
        frame
    }

    fn tilt(&mut self, key: Key) {
        let before = self.rows.clone();
        let (width, height) = (self.rows[0].len(), self.rows.len());
        let seats: Vec<Vec<(usize, usize)>> = match key {
            Key::Key1 => (0..width).map(|x| (0..height).map(|y| (x, y)).collect()).collect(),
            Key::Key2 => (0..width).map(|x| (0..height).rev().map(|y| (x, y)).collect()).collect(),
            Key::Key3 => (0..height).map(|y| (0..width).map(|x| (x, y)).collect()).collect(),
            _ => (0..height).map(|y| (0..width).rev().map(|x| (x, y)).collect()).collect(),
        };
        for line in seats {
            let (mut free, mut fused) = (0, true);
            for index in 0..line.len() {
                let (x, y) = line[index];
                let tile = std::mem::replace(&mut self.rows[y][x], b'.');
                if tile == b'#' {
                    self.rows[y][x] = tile;
                    (free, fused) = (index + 1, true);
                } else if tile != b'.' {
                    let last = line[free.saturating_sub(1)];
                    if self.fuses && !fused && self.rows[last.1][last.0] == tile {
                        self.rows[last.1][last.0] += 1;
                        fused = true;
                    } else {
                        self.rows[line[free].1][line[free].0] = tile;
                        (free, fused) = (free + 1, false);
                    }
                }
            }
        }
        let has_moved = self.rows != before;
        let bare = self.rows.iter_mut().flatten().find(|it| **it == b'.').filter(|_| has_moved);
        if let Some((seat, tile)) = bare.zip(self.brings) {
            *seat = tile;
        }
    }

    fn press(&mut self, model: &mut Tilts, key: Key) {
        let before = self.frame();
        self.tilt(key);
        tell(model, &before, key, &self.frame());
    }

    /// What the model says of each key, by the frame that comes of it.
    fn is_foreseen(&self, model: &Tilts) -> bool {
        PRESSES.into_iter().all(|key| {
            let mut next = self.clone();
            next.tilt(key);
            let after = model.after(model.stand(), key);
            after.and_then(|stand| model.painted(&stand)) == Some(next.frame())
        })
    }
}

fn tell(model: &mut Tilts, before: &Grid, key: Key, after: &Grid) {
    let (layers, action) = (std::slice::from_ref(after), Action::Key(key));
    model.observe(&Transition { before, action, layers, outcome: Outcome::Continues }, &InterfaceMask::new());
}

fn begun(game: &Game) -> Tilts {
    let mut model = Tilts::default();
    model.begin(&game.frame(), Start::Level);
    model
}

const MAZE: [&str; 4] = ["1..2#", ".#...", "...3.", "#1..."];

#[test]
fn tiles_that_slide_and_stay_as_they_are_are_foreseen_on_every_seat() {
    let mut game = Game::new(&MAZE, false);
    let mut model = begun(&game);
    for (index, key) in PRESSES.into_iter().chain(PRESSES).enumerate() {
        assert_eq!(model.is_fitted(), index >= PROVEN, "after {index} presses");
        game.press(&mut model, key);
    }
    assert!(model.is_fitted() && !model.fuses() && game.is_foreseen(&model));
}

#[test]
fn two_alike_that_meet_become_what_they_were_seen_to_become_each_once_a_move() {
    let mut game = Game::new(&["1.1..", ".#...", "1...1", "..2.."], true);
    let mut model = begun(&game);
    for key in PRESSES {
        game.press(&mut model, key);
    }
    assert!(model.is_fitted() && model.fuses());
    let four = Game { corner: 11, ..Game::new(&["1111.", ".#...", "....2"], true) };
    model.begin(&four.frame(), Start::Level);
    assert!(model.is_fitted() && four.is_foreseen(&model), "one level tells the next, wherever it is drawn");
}

#[test]
fn nothing_is_foreseen_where_one_press_contradicts_until_that_is_forgotten() {
    let mut game = Game::new(&MAZE, false);
    let mut model = begun(&game);
    for key in PRESSES {
        game.press(&mut model, key);
    }
    assert!(model.is_fitted());
    let before = game.frame();
    game.rows.swap(0, 2);
    tell(&mut model, &before, Key::Key4, &game.frame());
    assert!(!model.is_fitted(), "rows are not exchanged by a tilt");
    assert_eq!(model.after(model.stand(), Key::Key4), None);
    let mut presses = PRESSES.into_iter().cycle();
    (0..super::PRESSES).for_each(|_| game.press(&mut model, presses.next().unwrap_or(Key::Key1)));
    assert!(model.is_fitted() && game.is_foreseen(&model));
}

#[test]
fn one_tile_alone_is_left_to_others() {
    let mut game = Game::new(&["1....", ".#...", "....."], false);
    let mut model = begun(&game);
    PRESSES.into_iter().chain(PRESSES).for_each(|key| game.press(&mut model, key));
    assert!(!model.is_fitted());
}

#[test]
fn a_seat_that_looks_odd_is_told_from_tiles_also_where_one_stands_on_it() {
    let mut game = Game::new(&["1...", "..2.", "3..#"], false);
    game.odd = Some((0, 2));
    let mut model = begun(&game);
    PRESSES.into_iter().chain(PRESSES).for_each(|key| game.press(&mut model, key));
    assert!(model.is_fitted() && game.is_foreseen(&model));
    assert_eq!(model.marks(), [(8, Color::of(14))]);
}

#[test]
fn what_comes_up_after_every_move_is_no_contradiction() {
    let mut game = Game::new(&["1....", ".#...", "....2", "...2."], true);
    game.brings = Some(b'1');
    let mut model = begun(&game);
    for key in PRESSES {
        game.press(&mut model, key);
    }
    assert!(model.is_fitted() && model.brings());
    let foreseen = model.after(model.stand(), Key::Key4).expect("it is fitted");
    game.press(&mut model, Key::Key4);
    let new = foreseen.iter().zip(model.stand()).filter(|(a, b)| a != b);
    assert!(new.clone().count() == 1 && new.into_iter().all(|it| *it.0 == BARE));
}

#[test]
fn keys_may_tilt_any_way() {
    let mut game = Game::new(&MAZE, false);
    let mut model = begun(&game);
    let turned = |key: Key| PRESSES[(PRESSES.iter().position(|it| *it == key).unwrap_or_default() + 1) % 4];
    for key in PRESSES.into_iter().chain(PRESSES) {
        let before = game.frame();
        game.tilt(turned(key));
        tell(&mut model, &before, key, &game.frame());
    }
    assert!(model.is_fitted());
    let foreseen = PRESSES.map(|key| model.after(model.stand(), key).and_then(|stand| model.painted(&stand)));
    let drawn = PRESSES.map(|key| {
        let mut next = game.clone();
        next.tilt(turned(key));
        Some(next.frame())
    });
    assert_eq!(foreseen, drawn);
}

#[test]
fn a_tile_that_is_drawn_in_a_frame_beside_the_board_is_seen() {
    let drawn = |game: &Game| {
        let mut frame = game.frame();
        let mut fill = |left: u8, side: u8, color: u8| {
            let it = Bounds { left, top: left, right: left + side - 1, bottom: left + side - 1 };
            it.points().for_each(|at| frame.set(at, Color::of(color)));
        };
        fill(50, 8, 5);
        fill(53, 2, 7);
        frame
    };
    let mut game = Game::new(&MAZE, false);
    let mut model = Tilts::default();
    model.begin(&drawn(&game), Start::Level);
    for key in PRESSES {
        let before = drawn(&game);
        game.tilt(key);
        tell(&mut model, &before, key, &drawn(&game));
    }
    let kinds = model.drawn();
    assert!(kinds.len() == 1 && model.shows(kinds[0], Color::of(7)));
}
