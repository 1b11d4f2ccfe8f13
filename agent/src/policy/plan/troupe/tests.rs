use env_client::{Action, Color, Grid, Key, Point};
use world_model::{Advance, InterfaceMask, Outcome, Prediction, Source, Start, Transition};

use super::{
    super::{
        pairs::{Pieces, cast},
        picture::Middle,
    },
    *,
};

const KEYS: [Key; 4] = [Key::Key1, Key::Key2, Key::Key3, Key::Key4];
const WALL: u8 = 5;
const DANCERS: [u8; 3] = [8, 9, 12];

/// Three dancers in a room: one goes as the keys say, one the other way across, one a quarter turn on.
struct Room;

impl Room {
    fn ways(action: Action) -> Option<[(i16, i16); 3]> {
        let (x, y) = match action {
            Action::Key(Key::Key1) => (0, -1),
            Action::Key(Key::Key2) => (0, 1),
            Action::Key(Key::Key3) => (-1, 0),
            Action::Key(Key::Key4) => (1, 0),
            _ => return None,
        };
        Some([(x, y), (-x, y), (-y, x)])
    }

    fn dancer(frame: &Grid, index: usize) -> Option<Point> {
        frame.points().find(|at| frame[*at] == Color::of(DANCERS[index]))
    }

    /// All at once: who would come onto a wall or onto where another one is stays.
    fn after(frame: &Grid, action: Action) -> Option<Grid> {
        let ways = Room::ways(action)?;
        let mut next = frame.clone();
        for (index, (dx, dy)) in ways.into_iter().enumerate() {
            let Some(from) = Room::dancer(frame, index) else { continue };
            let to = from.offset(dx as i8, dy as i8)?;
            if frame[to] == Color::of(0) && next[to] == Color::of(0) {
                next.set(from, Color::of(0));
                next.set(to, Color::of(DANCERS[index]));
            }
        }
        Some(next)
    }
}

impl WorldModel for Room {
    fn begin(&mut self, _frame: &Grid, _start: Start) {}

    fn observe(&mut self, _transition: &Transition<'_>) {}

    fn predict(&self, state: &State, action: Action) -> Prediction {
        let next = Room::after(&state.frame, action).map(State::seen);
        Prediction { next, outcome: Outcome::Continues, confidence: 1.0, source: Source::Rules }
    }

    fn advances(&self, state: &State, action: Action) -> Vec<Advance> {
        let ways = Room::ways(action).unwrap_or_default();
        let advance = |(index, by): (usize, (i16, i16))| {
            let from = vec![Room::dancer(&state.frame, index)?];
            Some(Advance { from, by, class: index as u16, ..Advance::default() })
        };
        ways.into_iter().enumerate().filter_map(advance).collect()
    }

    fn disagreement(&self, _state: &State, _action: Action) -> f32 {
        0.0
    }
}

/// A room from its walls `#`, dancers `a` to `c`, and the places `A` to `C` where they should be.
fn room(text: &[&str]) -> (Grid, Vec<Pair>) {
    let mut frame = Grid::filled(text[0].len() as u8, text.len() as u8, Color::of(0));
    let mut slots = vec![None; 3];
    for (y, row) in text.iter().enumerate() {
        for (x, glyph) in row.bytes().enumerate() {
            let at = Point::new(x as i16, y as i16).unwrap();
            match glyph {
                b'#' => frame.set(at, Color::of(WALL)),
                b'a'..=b'c' => frame.set(at, Color::of(DANCERS[usize::from(glyph - b'a')])),
                b'A'..=b'C' => slots[usize::from(glyph - b'A')] = Some(Middle::of(x as u8, y as u8, 1, 1)),
                _ => {}
            }
        }
    }
    let pair = |(class, slot): (usize, Option<Middle>)| {
        Some(Pair {
            pieces: Pieces::Played(class as u16, (1, 1)),
            slots: vec![slot?],
            homes: Vec::new(),
            outline: None,
        })
    };
    (frame.clone(), slots.into_iter().enumerate().filter_map(pair).collect())
}

/// The length of the way that is found, gone through in the room.
fn steps(text: &[&str]) -> Option<usize> {
    steps_asking(text, 12_000)
}

/// The same with at most so many questions to the model.
fn steps_asking(text: &[&str], most: usize) -> Option<usize> {
    steps_to(room(text), most)
}

/// The same to these places.
fn steps_to((frame, pairs): (Grid, Vec<Pair>), most: usize) -> Option<usize> {
    let (start, mask) = (State::seen(frame), InterfaceMask::new());
    let actions: Vec<Action> = KEYS.map(Action::Key).to_vec();
    let advances = Room.advances(&start, actions[0]);
    let allows = |_: &Grid, _: Action, _: &Prediction, _: &[Advance]| true;
    let mut stage = Stage::set((&Room, &mask), &start, &advances, (actions, &allows), most)?;
    let way = perform(&mut stage, (&start, &cast(&advances)), &pairs)?;
    let end = way.iter().fold(start.frame.clone(), |frame, step| {
        let next = Room::after(&frame, step.action).unwrap();
        assert_eq!(step.expected.as_ref().map(|it| &it.frame), Some(&next));
        next
    });
    assert!(stage.asked <= most + way.len(), "{} questions", stage.asked);
    let is_there = |pair: &Pair| {
        let Pieces::Played(class, _) = pair.pieces else { return false };
        Room::dancer(&end, class.into()).is_some_and(|at| Middle::of(at.x(), at.y(), 1, 1) == pair.slots[0])
    };
    assert!(pairs.iter().all(is_there));
    Some(way.len())
}

#[test]
fn three_pieces_are_brought_to_their_places_together() {
    let hall = [
        "###########",
        "#.........#",
        "#.a..#..B.#",
        "#....#....#",
        "#......C..#",
        "#..##.....#",
        "#...A..b..#",
        "#....#....#",
        "#.c..#....#",
        "#.........#",
        "###########",
    ];
    let length = steps(&hall).expect("a way");
    assert!(length <= 40, "{length} steps");
}

#[test]
fn a_wall_sets_two_pieces_out_of_step() {
    assert_eq!(steps(&["########", "#a...b.#", "#..AB..#", "########"]), Some(3), "one stops the other");
    assert_eq!(steps(&["########", "#a...b.#", "#.A..B.#", "########"]), Some(3));
    assert_eq!(steps(&["########", "#a...b.#", "#...A.B#", "########"]), None, "no wall sets them so far out of step");
}

#[test]
fn nothing_is_found_where_one_piece_cannot_get_where_it_should() {
    assert_eq!(steps(&["########", "#a..#B.#", "#...A#.#", "#.b..#.#", "########"]), None);
}

#[test]
fn what_may_not_be_asked_is_not_guessed() {
    let hall = ["########", "#a...b.#", "#..AB..#", "########"];
    assert_eq!((steps_asking(&hall, 400), steps_asking(&hall, 20)), (Some(3), None));
}

#[test]
fn what_lies_between_places_is_nowhere_to_be() {
    let (hall, mut pairs) = room(&["########", "#a...b.#", "#..AB..#", "########"]);
    pairs[0].slots.push(Middle::of(1, 1, 2, 1));
    assert_eq!(steps_to((hall, pairs), 400), Some(3));
}
