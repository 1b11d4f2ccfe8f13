//! A piece that slides until something stops it.

use env_client::{Action, Color, Grid, Key};

use super::{ARROWS, Rules, World, ahead, cells, color, keys, put};
use crate::{Outcome, Start, Transition, WorldModel};

/// A hall in which a piece of colour 3 slides.
pub(super) const ICE: &str = "5555555555\n5000500005\n5000000005\n5050000505\n5000030005\n5500000005\n5555555555";

/// The piece slides until something is ahead of it.
pub(super) fn slide(frame: &Grid, action: Action) -> Grid {
    let mut after = frame.clone();
    let start = cells(frame, 3)[0];
    let mut at = start;
    while color(frame, ahead(action, at, false).0, ahead(action, at, false).1) == 0 {
        at = ahead(action, at, false);
    }
    put(&mut after, start.0, start.1, 0);
    put(&mut after, at.0, at.1, 3);
    after
}

#[test]
fn a_piece_that_slides_to_the_next_wall_is_learned() {
    let (right, changes) = World { frame: ICE.parse().unwrap(), step: slide }.play(keys(120, &ARROWS), 40);
    assert_eq!(right, changes);
}

#[test]
fn a_piece_that_slides_goes_for_all_up_to_what_stops_it() {
    let (mut rules, mut frame): (_, Grid) = (Rules::new(), ICE.parse().unwrap());
    rules.begin(&frame, Start::Level);
    for action in keys(60, &ARROWS) {
        let layers = [slide(&frame, action)];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        [frame] = layers;
    }
    for action in ARROWS.map(Action::Key) {
        let after = slide(&frame, action);
        let ((x, y), (to_x, to_y)) = (cells(&frame, 3)[0], cells(&after, 3)[0]);
        let way = x.abs_diff(to_x) + y.abs_diff(to_y);
        let advances = rules.advances(&rules.state(&frame), action);
        assert_eq!(advances[0].onto.len(), way + 1, "{action}");
    }
}

/// What is known after a piece slid by several keys, and the frame in which it is about to go up.
fn slid() -> (Rules, Grid) {
    let [up, down, left, right] = ARROWS.map(Action::Key);
    let (mut rules, mut frame) =
        (Rules::new(), "55555555\n50000055\n50000005\n50000005\n53000005\n55555555".parse::<Grid>().unwrap());
    rules.begin(&frame, Start::Level);
    for action in [right, right, left, left, up, up, right, right, down, down, left, left, right] {
        let layers = [slide(&frame, action)];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        [frame] = layers;
    }
    (rules, frame)
}

const UP: Action = Action::Key(Key::Key1);

#[test]
fn a_piece_that_slides_by_two_keys_slides_by_the_others_before_they_show_it() {
    let (rules, frame) = slid();
    assert_eq!((cells(&frame, 3)[0], cells(&slide(&frame, UP), 3)[0]), ((6, 4), (6, 2)), "two cells rather than three");
    assert_eq!(rules.predict(&rules.state(&frame), UP).next.map(|it| it.frame), Some(slide(&frame, UP)));
}

#[test]
fn a_wall_of_which_only_a_part_was_met_stops_what_slides() {
    let [_, _, left, right] = ARROWS.map(Action::Key);
    let (mut rules, mut frame): (_, Grid) =
        (Rules::new(), "999999999\n500000008\n500330008\n900330005\n999999999".parse().unwrap());
    let slide = |frame: &Grid, action: Action| {
        let mut after = frame.clone();
        let from = cells(frame, 3);
        let to = if action == left { 1 } else { 6 };
        for (x, y) in &from {
            put(&mut after, *x, *y, 0);
        }
        for (x, y) in &from {
            put(&mut after, x - from[0].0 + to, *y, 3);
        }
        after
    };
    rules.begin(&frame, Start::Level);
    for action in [right, left, right, left] {
        let layers = [slide(&frame, action)];
        rules.observe(&Transition { before: &frame, action, layers: &layers, outcome: Outcome::Continues });
        [frame] = layers;
    }
    for (color, is_wall) in [(5, true), (7, false)] {
        let mut frame = frame.clone();
        put(&mut frame, 5, 2, color);
        put(&mut frame, 5, 3, color);
        let next = rules.predict(&rules.state(&frame), right).next.expect("known").frame;
        assert_eq!(cells(&next, 3)[0].0 == 3, is_wall, "{next}");
    }
}

/// Squares of three cells in a hall: a hero whose nose shows where it looks steps by arrows, and the other key sends it on
/// until something is ahead.
#[derive(Clone, Copy)]
struct Dash {
    hero: (i16, i16),
    look: (i16, i16),
}

impl Dash {
    const HALL: [&str; 7] = ["#########", "#...#...#", "#.......#", "#.#...#.#", "#...#...#", "#.......#", "#########"];

    fn is_wall((x, y): (i16, i16)) -> bool {
        Dash::HALL[y as usize].as_bytes()[x as usize] == b'#'
    }

    fn draw(self) -> Grid {
        let mut frame = Grid::filled(27, 21, Color::of(0));
        for (x, y) in (0..21).flat_map(|y| (0..27).map(move |x| (x, y))) {
            let (square, nose) = ((x / 3, y / 3), (x % 3 - 1, y % 3 - 1) == self.look);
            let color = match () {
                () if square == self.hero => 3 + u8::from(nose),
                () if Dash::is_wall(square) => 5,
                () => 0,
            };
            put(&mut frame, x as usize, y as usize, color);
        }
        frame
    }

    fn act(self, action: Action) -> Dash {
        let ahead = |it: Dash| (it.hero.0 + it.look.0, it.hero.1 + it.look.1);
        let step = |it: Dash| if Dash::is_wall(ahead(it)) { it } else { Dash { hero: ahead(it), ..it } };
        let looks = [(0, -1), (0, 1), (-1, 0), (1, 0)];
        match ARROWS.iter().position(|key| action == Action::Key(*key)) {
            Some(arrow) => step(Dash { look: looks[arrow], ..self }),
            None => (0..9).fold(self, |it, _| step(it)),
        }
    }
}

#[test]
fn a_piece_that_steps_by_arrows_and_slides_by_another_key_is_learned() {
    let (mut rules, mut dash) = (Rules::new(), Dash { hero: (3, 2), look: (1, 0) });
    rules.begin(&dash.draw(), Start::Level);
    let walk = keys(60, &ARROWS).into_iter().enumerate();
    let play = walk.flat_map(|(at, key)| [key].into_iter().chain((at % 4 == 3).then_some(Action::Key(Key::Key5))));
    let mut results = Vec::new();
    for action in play {
        let (before, next) = (dash.draw(), dash.act(action));
        let foreseen = rules.predict(&rules.state(&before), action).next.map(|it| it.frame);
        let is_dash = action == Action::Key(Key::Key5) && next.hero != dash.hero;
        results.extend(is_dash.then(|| foreseen == Some(next.draw())));
        let layers = [next.draw()];
        rules.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        dash = next;
    }
    let late = &results[results.len() / 2..];
    let right = late.iter().filter(|it| **it).count();
    assert!(late.len() >= 4 && right + 1 >= late.len(), "{right} of {}: {results:?}", late.len());
}
