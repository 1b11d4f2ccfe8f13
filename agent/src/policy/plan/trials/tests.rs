//! A runner on a track with three points.

mod marbles;

use env_client::{ActionId, Color};

use super::*;

/// A runner to the left; points that lead straight on or down, with a bar before the way they do not lead. The second
/// and the third one follow where the first leads straight on and down. Home is where the second leads down.
#[derive(Clone, Copy, Debug)]
struct Track {
    points: [bool; 3],
}

const LIGHTS: [(u8, u8); 3] = [(8, 6), (14, 6), (8, 14)];
const START: (u8, u8) = (3, 6);

fn at((x, y): (u8, u8)) -> Point {
    Point::new(x, y).unwrap()
}

fn draw(frame: &mut Grid, (x, y): (u8, u8), side: u8, color: u8) {
    for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
        frame.set(at((x + dx, y + dy)), Color::of(color));
    }
}

impl Track {
    fn drawn(self, runner: Option<(u8, u8)>) -> Grid {
        let mut frame = Grid::filled(24, 24, Color::of(0));
        (2..22).for_each(|x| draw(&mut frame, (x, 6), 2, 5));
        (8..20).for_each(|y| draw(&mut frame, (8, y), 2, 5));
        for ((x, y), leads_down) in LIGHTS.into_iter().zip(self.points) {
            draw(&mut frame, (x, y), 2, 6);
            draw(&mut frame, if leads_down { (x + 2, y) } else { (x, y + 2) }, 2, 3);
        }
        match runner {
            Some(runner) => draw(&mut frame, runner, 2, 9),
            None => draw(&mut frame, (2, 5), 3, 8),
        }
        frame
    }

    /// What a click shows, and whether it solves the level.
    fn click(&mut self, click: Point) -> (Vec<Grid>, bool) {
        let hit = |(x, y): (u8, u8)| (x..x + 2).contains(&click.x()) && (y..y + 2).contains(&click.y());
        if let Some(index) = LIGHTS.into_iter().position(hit) {
            self.points[index] = !self.points[index];
            return (vec![self.drawn(None)], false);
        }
        if !(2..5).contains(&click.x()) || !(5..8).contains(&click.y()) {
            return (vec![self.drawn(None)], false);
        }
        let way = match self.points {
            [false, leads_down, _] => [(5, 6), (8, 6), (11, 6), (14, 6), if leads_down { (14, 9) } else { (17, 6) }],
            [true, _, leads_down] => [(5, 6), (8, 6), (8, 10), (8, 14), if leads_down { (8, 17) } else { (11, 14) }],
        };
        let mut layers: Vec<Grid> = way.into_iter().map(|it| self.drawn(Some(it))).collect();
        let is_home = way[4] == (14, 9);
        if !is_home {
            layers.push(self.drawn(None));
        }
        (layers, is_home)
    }
}

/// Plays clicks; whether the last one solved the level.
fn play(skill: &mut Trials, track: &mut Track, clicks: impl IntoIterator<Item = Point>) -> bool {
    clicks.into_iter().fold(false, |_, click| {
        let before = track.drawn(None);
        let (layers, solved) = track.click(click);
        let outcome = if solved { Outcome::Solved } else { Outcome::Continues };
        let step = Transition { before: &before, action: Action::Click(click), layers: &layers, outcome };
        skill.observe(&step, &InterfaceMask::new());
        solved
    })
}

fn propose(skill: &mut Trials, track: Track) -> Option<(Vec<Point>, f32)> {
    let actions = ActionSet::of(&[ActionId::Action6]);
    let proposal = skill.propose(&track.drawn(None), &InterfaceMask::new(), actions)?;
    skill.taken_up();
    Some((proposal.steps.iter().filter_map(|it| it.action.point()).collect(), proposal.score))
}

#[test]
fn what_a_failed_run_passed_is_set_in_another_way() {
    let (mut skill, mut track) = (Trials::default(), Track { points: [true, false, false] });
    skill.begin(&track.drawn(None), &InterfaceMask::new(), Start::Level);
    assert!(!play(&mut skill, &mut track, [at(START)]));
    assert_eq!(propose(&mut skill, track), None, "nobody knows yet what can be set");
    play(&mut skill, &mut track, [at(LIGHTS[0])]);
    let (clicks, score) = propose(&mut skill, track).unwrap();
    assert_eq!(clicks, [at(START)], "it leads elsewhere now");
    assert!(!play(&mut skill, &mut track, clicks));
    let (clicks, _) = propose(&mut skill, track).unwrap();
    assert_eq!(clicks.len(), 2, "what looks like points was passed, the third was not: {clicks:?}");
    assert!(play(&mut skill, &mut track, clicks));
    let again = Track { points: [false, false, false] };
    skill.begin(&again.drawn(None), &InterfaceMask::new(), Start::Level);
    let (clicks, later) = propose(&mut skill, again).unwrap();
    assert_eq!(clicks.len(), 1, "in the next level the first run tells most");
    assert!(later < score);
}

#[test]
fn a_run_is_made_again_only_where_something_that_it_passed_is_set_in_another_way() {
    let (mut skill, mut track) = (Trials::default(), Track { points: [false, false, false] });
    skill.begin(&track.drawn(None), &InterfaceMask::new(), Start::Level);
    play(&mut skill, &mut track, [at(START), at(LIGHTS[2])]);
    let (clicks, _) = propose(&mut skill, track).unwrap();
    assert!(clicks.len() == 2 && clicks[0] != at(LIGHTS[2]), "the third points were not passed: {clicks:?}");
}

/// The runner has come home to a place below.
fn moved(frame: &Grid) -> Grid {
    let mut moved = frame.clone();
    (2..5).for_each(|x| (5..8).for_each(|y| moved.set(at((x, y)), Color::of(0))));
    draw(&mut moved, (14, 17), 3, 8);
    moved
}

#[test]
fn what_led_on_is_done_again_only_after_a_restart() {
    let (mut skill, mut track) = (Trials::default(), Track { points: [false, false, false] });
    let before = track.drawn(None);
    skill.begin(&before, &InterfaceMask::new(), Start::Level);
    play(&mut skill, &mut track, [at(START), at(LIGHTS[0])]);
    let ready = track.drawn(None);
    let mut layers = track.click(at(START)).0;
    layers.pop();
    layers.push(moved(&ready));
    let (action, outcome) = (Action::Click(at(START)), Outcome::Continues);
    skill.observe(&Transition { before: &ready, action, layers: &layers, outcome }, &InterfaceMask::new());
    let (clicks, _) = propose(&mut skill, track).unwrap();
    assert_eq!(clicks.len(), 2, "here it may as well lead back: {clicks:?}");
    skill.begin(&before, &InterfaceMask::new(), Start::Again);
    assert_eq!(propose(&mut skill, track).unwrap().0, [at(START)]);
}

#[test]
fn runs_that_never_fail_found_nothing() {
    let (mut skill, track) = (Trials::default(), Track { points: [false, false, false] });
    let before = track.drawn(None);
    skill.begin(&before, &InterfaceMask::new(), Start::Level);
    let mut played = track;
    play(&mut skill, &mut played, [at(LIGHTS[0]), at(LIGHTS[0])]);
    let mut layers = played.click(at(START)).0;
    layers.pop();
    layers.push(moved(&before));
    let (action, outcome) = (Action::Click(at(START)), Outcome::Continues);
    skill.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
    assert_eq!(propose(&mut skill, track), None, "what only leads on is a button that moves things");
}
