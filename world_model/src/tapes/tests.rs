use env_client::Color;

use super::*;

/// A corridor of tiles, three cells wide: a plate, the start, a gate that the plate opens, and something behind it. The
/// last key puts the piece back and, where there are ghosts, leaves one that does again what was done.
struct Corridor {
    at: usize,
    tape: Vec<usize>,
    ghosts: Vec<Vec<usize>>,
    has_ghosts: bool,
    ticks: usize,
    quirk: Quirk,
}

/// What is otherwise than usual.
#[derive(PartialEq, Eq)]
enum Quirk {
    None,
    /// What lies at the left end puts the piece back, and a ghost that stays there puts out the lamp.
    Snare,
    /// A mark is drawn over whoever stands on the plate.
    Mark,
    /// The piece records that it was stopped.
    Stops,
}

const PLATE: usize = 1;
const START: usize = 3;
const GATE: usize = 5;
const THING: usize = 7;
const SNARE: usize = 1;
const LAMP: usize = 8;
const END: usize = 9;
const SIDE: usize = 3;

impl Corridor {
    fn new(has_ghosts: bool) -> Corridor {
        Corridor { at: START, tape: Vec::new(), ghosts: Vec::new(), has_ghosts, ticks: 0, quirk: Quirk::None }
    }

    fn haunted(&self) -> Vec<usize> {
        let clock = self.tape.len();
        self.ghosts.iter().map(|tape| if clock == 0 { START } else { tape[clock.min(tape.len()) - 1] }).collect()
    }

    fn is_open(&self) -> bool {
        self.at == PLATE || self.haunted().contains(&PLATE)
    }

    fn frame(&self) -> Grid {
        let mut frame = Grid::filled(30, 12, Color::of(4));
        let mut tile = |x: usize, picture: &str| {
            for (index, glyph) in picture.chars().enumerate().filter(|(_, glyph)| *glyph != '.') {
                let at = Point::new((SIDE * x + index % SIDE) as i16, (SIDE + index / SIDE) as i16).unwrap();
                frame.set(at, Color::of(glyph.to_digit(16).unwrap() as u8));
            }
        };
        (1..END).for_each(|x| tile(x, "000000000"));
        tile(PLATE, "777000777");
        tile(THING, "0b0bbb0b0");
        tile(GATE, if self.is_open() { "800000008" } else { "888787888" });
        if self.quirk == Quirk::Snare {
            tile(SNARE, "c0c0c0c0c");
            tile(LAMP, if self.haunted().contains(&SNARE) { "000000000" } else { "ccccccccc" });
        }
        self.haunted().into_iter().for_each(|x| tile(x, "66.666.6."));
        tile(self.at, "55.555.5.");
        if self.quirk == Quirk::Mark && self.is_open() {
            tile(PLATE, "....7....");
        }
        for tick in 0..self.ticks {
            frame.set(Point::new(3 + tick as i16, 8).unwrap(), Color::of(9));
        }
        frame
    }

    /// What a key leads to; every step of the piece ticks.
    fn press(&mut self, key: Key) -> Grid {
        let to = match key {
            Key::Key3 => self.at - 1,
            Key::Key4 => self.at + 1,
            _ => {
                let tape = std::mem::take(&mut self.tape);
                self.ghosts.extend(Some(tape).filter(|tape| self.has_ghosts && !tape.is_empty()));
                self.at = START;
                return self.frame();
            }
        };
        if (1..END).contains(&to) && (to != GATE || self.is_open()) {
            self.at = to;
            self.tape.push(to);
            self.ticks += 1;
        } else if self.quirk == Quirk::Stops {
            self.tape.push(self.at);
        }
        if self.quirk == Quirk::Snare && to == SNARE {
            self.ghosts.push(std::mem::take(&mut self.tape));
            self.at = START;
        }
        self.frame()
    }
}

fn place(x: usize) -> Place {
    ((SIDE * x) as i16, SIDE as i16)
}

/// What was learned from keys: `l` and `r` are arrows, `b` is the one that puts back.
fn learned(has_ghosts: bool, keys: &str) -> Tapes {
    learned_in(Corridor::new(has_ghosts), keys)
}

fn learned_in(mut corridor: Corridor, keys: &str) -> Tapes {
    let (mut tapes, mask) = (Tapes::default(), InterfaceMask::new());
    tapes.begin(&corridor.frame(), Start::Level);
    for key in keys.chars() {
        let key = match key {
            'l' => Key::Key3,
            'r' => Key::Key4,
            _ => Key::Key5,
        };
        let before = corridor.frame();
        let layers = [corridor.press(key)];
        let (action, outcome) = (Action::Key(key), Outcome::Continues);
        tapes.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
    }
    tapes
}

/// To the gate, to the plate and back, with a bar that ticks.
const WALK: &str = "rrllllr";

#[test]
fn what_changes_back_is_held_and_what_ticks_is_not() {
    let tapes = learned(true, WALK);
    assert_eq!(tapes.plates(), [place(PLATE)]);
    let (nothing, held) = (BTreeSet::new(), BTreeSet::from([place(PLATE)]));
    assert_eq!(tapes.ground(place(GATE), &nothing), Ground::Solid);
    assert_eq!(tapes.ground(place(GATE), &held), Ground::Unknown, "nobody was there while it is open");
    assert_eq!(tapes.ground(place(GATE + 1), &nothing), Ground::Free);
    assert_eq!(tapes.ground(place(THING), &nothing), Ground::Unknown);
    assert_eq!(tapes.ground(place(START), &nothing), Ground::Free);
    let ticks = |x: i16, y: i16| tapes.plates.ticks(Point::new(x, y).unwrap());
    assert!(ticks(3, 8) && ticks(20, 8), "the bar goes on along its line");
    assert!(!ticks(20, 4));
}

#[test]
fn a_key_that_puts_back_ends_a_recording() {
    let tapes = learned(true, &[WALK, "lb"].concat());
    assert_eq!(tapes.rewind(), Some(Key::Key5));
    let stand = tapes.stand().unwrap();
    assert_eq!((stand.at, stand.tape.len()), (place(START), 0));
    assert_eq!(stand.ghosts.len(), 1);
    assert_eq!(stand.ghosts[0].last(), Some(&place(PLATE)));
    assert_eq!(tapes.plates(), [place(PLATE)], "that all is put back says nothing about it");
}

#[test]
fn there_are_ghosts_as_long_as_they_are_seen_to_walk() {
    assert!(!learned(true, "rl").has_ghosts(), "nothing puts back");
    assert!(learned(true, "rbrlrlrl").has_ghosts());
    assert!(learned(true, "rllbrrlr").has_ghosts());
    assert!(!learned(false, "rllbrlrlrl").has_ghosts(), "nobody walks left");
}

#[test]
fn ghosts_that_are_all_gone_were_one_too_many() {
    let (mut corridor, mut tapes, mask) = (Corridor::new(true), Tapes::default(), InterfaceMask::new());
    tapes.begin(&corridor.frame(), Start::Level);
    let mut press = |corridor: &mut Corridor, key, most: usize| {
        let before = corridor.frame();
        corridor.press(key);
        if corridor.ghosts.len() > most {
            corridor.ghosts.clear();
        }
        let layers = [corridor.frame()];
        let (action, outcome) = (Action::Key(key), Outcome::Continues);
        tapes.observe(&Transition { before: &before, action, layers: &layers, outcome }, &mask);
    };
    let (left, right, back) = (Key::Key3, Key::Key4, Key::Key5);
    for key in [left, right, left, back, right, left, left, right, right, back, left, left, right, right] {
        press(&mut corridor, key, 1);
    }
    assert_eq!(tapes.limits().1, Some(1));
    assert!(tapes.has_ghosts());
    assert_eq!(tapes.stand().unwrap().ghosts.len(), 0);
}

#[test]
fn a_level_that_seems_to_begin_again_goes_on() {
    let (mut corridor, mut tapes, mask) = (Corridor::new(true), Tapes::default(), InterfaceMask::new());
    let first = corridor.frame();
    tapes.begin(&first, Start::Level);
    for key in [Key::Key3, Key::Key4, Key::Key3, Key::Key5] {
        let before = corridor.frame();
        let layers = [corridor.press(key)];
        let outcome = if key == Key::Key5 { Outcome::Lost } else { Outcome::Continues };
        tapes.observe(&Transition { before: &before, action: Action::Key(key), layers: &layers, outcome }, &mask);
    }
    tapes.begin(&corridor.frame(), Start::Again);
    assert_eq!(tapes.stand().unwrap().ghosts.len(), 1);
    tapes.begin(&first, Start::Again);
    assert_eq!(tapes.stand().unwrap().ghosts.len(), 0, "this time it did begin again");
}

#[test]
fn what_ends_a_recording_is_held_by_the_ghost_that_stays_there() {
    let snared = |keys| learned_in(Corridor { quirk: Quirk::Snare, ..Corridor::new(true) }, keys);
    let tapes = snared("rlll");
    assert!(tapes.ends_tape(place(SNARE)));
    assert_eq!(tapes.stand().unwrap().ghosts, [[place(4), place(3), place(2), place(SNARE)].to_vec()]);
    assert_eq!(tapes.limits().0, None, "the tape was not full");
    assert_eq!(tapes.plates(), []);
    assert_eq!(snared("rlllrlrl").plates(), [place(SNARE)], "the ghost arrived");
}

#[test]
fn a_mark_may_be_drawn_over_the_piece() {
    let marked = |keys| learned_in(Corridor { quirk: Quirk::Mark, ..Corridor::new(true) }, keys);
    let tapes = marked(WALK);
    assert_eq!(tapes.plates(), [place(PLATE)]);
    let tapes = marked(&[WALK, "lbrlrl"].concat());
    assert_eq!((tapes.stand().unwrap().ghosts.len(), tapes.missed), (1, 0), "and over ghosts");
}

/// The same with each cell `by` cells wide and high.
fn enlarged(frame: &Grid, by: u8) -> Grid {
    let mut large = Grid::filled(frame.width() * by, frame.height() * by, Color::of(4));
    for at in large.points() {
        large.set(at, frame[Point::new(at.x() / by, at.y() / by).unwrap()]);
    }
    large
}

#[test]
fn the_next_level_may_be_drawn_at_another_scale() {
    let mut tapes = learned(true, "rrlrb");
    tapes.begin(&enlarged(&Corridor::new(true).frame(), 2), Start::Level);
    let twice = |x: usize| (2 * place(x).0, 2 * place(x).1);
    assert_eq!(tapes.stand().unwrap().at, twice(START));
    assert_eq!(tapes.steps(twice(START)).find(|it| it.0 == Key::Key4), Some((Key::Key4, twice(START + 1))));
    assert_eq!(tapes.ground(twice(START + 1), &BTreeSet::new()), Ground::Free);
    assert_eq!(tapes.ground(twice(GATE), &BTreeSet::new()), Ground::Solid);
    assert_eq!(tapes.rewind(), Some(Key::Key5));
}

#[test]
fn a_piece_that_looks_otherwise_in_the_next_level_is_learned_anew() {
    let (mut corridor, mut tapes) = (Corridor::new(true), learned(true, "rl"));
    let recolored = |mut frame: Grid| {
        let own: Vec<Point> = frame.points().filter(|at| frame[*at] == Color::of(5)).collect();
        for at in own {
            frame.set(at, Color::of(2));
        }
        frame
    };
    tapes.begin(&recolored(corridor.frame()), Start::Level);
    assert_eq!(tapes.stand(), None);
    for key in [Key::Key4, Key::Key3] {
        let before = recolored(corridor.frame());
        let layers = [recolored(corridor.press(key))];
        let (action, outcome) = (Action::Key(key), Outcome::Continues);
        let step = Transition { before: &before, action, layers: &layers, outcome };
        tapes.observe(&step, &InterfaceMask::new());
    }
    assert_eq!(tapes.stand().unwrap().at, place(START));
}

#[test]
fn whether_stops_are_recorded_is_told_by_where_ghosts_are() {
    let keys = "rrrllbllrr";
    let tapes = learned_in(Corridor { quirk: Quirk::Stops, ..Corridor::new(true) }, keys);
    assert!(tapes.records_stops());
    assert_eq!(tapes.stand().unwrap().ghosts, [[4, 4, 4, 3, 2].map(place).to_vec()]);
    let tapes = learned_in(Corridor::new(true), keys);
    assert!(!tapes.records_stops());
    assert_eq!(tapes.stand().unwrap().ghosts, [[4, 3, 2].map(place).to_vec()]);
}

#[test]
fn ghosts_are_looked_for_while_the_piece_is_stopped_too() {
    let tapes = learned_in(Corridor { quirk: Quirk::Stops, ..Corridor::new(true) }, "rrrllblll");
    assert!(tapes.records_stops(), "the second step away, and the one that was stopped");
}
