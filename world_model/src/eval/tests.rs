//! The sanity tests that concern the metrics, on a small game: a mover that two keys push around a ring, far
//! from the rim of the frame, where nothing is taken for interface.

use env_client::{Action, Color, Grid, Key, Point};

use super::{Contestant, Marks, Tally, View, baselines, evaluate};
use crate::{
    ExactMemory, Outcome, Start, State, WorldModel,
    play::{Event, Step},
};

const KEYS: [Action; 2] = [Action::Key(Key::Key3), Action::Key(Key::Key4)];
const CELLS: u8 = 12;

fn frame(at: u8) -> Grid {
    let mut grid = Grid::filled(CELLS + 12, 13, Color::of(0));
    grid.set(Point::new(at + 6, 6).unwrap(), Color::of(2));
    grid
}

fn moved(at: u8, key: Action) -> u8 {
    (if key == KEYS[1] { at + 1 } else { at + CELLS - 1 }) % CELLS
}

/// A walk that presses the keys in an order without a pattern, every third press doing nothing visible.
fn walk(steps: u32) -> Vec<Event> {
    let mut at = 5;
    let mut events = vec![Event::Begin { level: 0, frame: frame(at), start: Start::Level }];
    for step in 0..steps {
        // The finaliser of MurmurHash3, so that neighbouring steps have nothing in common.
        let mixed = (step ^ (step >> 16)).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35) >> 16;
        let action = if step % 3 == 2 { Action::Key(Key::Key5) } else { KEYS[(mixed % 2) as usize] };
        let next = if step % 3 == 2 { at } else { moved(at, action) };
        let (before, layers) = (frame(at), vec![frame(next)]);
        events.push(Event::Acted(Step { level: 0, before, action, layers, outcome: Outcome::Continues }));
        at = next;
    }
    events
}

fn marks(events: Vec<Event>, contestant: Contestant) -> Marks {
    evaluate(events.into_iter(), vec![contestant], &mut |_| {}).models.remove(0)
}

fn tally(marks: &Marks) -> Tally {
    Tally::of(marks.scored.iter().filter_map(|scored| scored.score(View::Raw)))
}

#[track_caller]
fn is(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|found| (found - expected).abs() < 1e-12), "{found:?} is not {expected}");
}

#[test]
fn copying_the_last_frame_scores_what_it_must() {
    let tally = tally(&marks(walk(300), Contestant::new("copy last", baselines::copy_last())));
    is(tally.exact(), 1.0 / 3.0);
    is(tally.exact_no_op(), 1.0);
    is(tally.exact_change(), 0.0);
    is(tally.recall(), 0.0);
    is(tally.f1(), 0.0);
    is(tally.false_edits(), 0.0);
}

#[test]
fn a_model_that_learns_is_seen_to_tell_actions_apart() {
    let mut memory = ExactMemory::new();
    for event in walk(300) {
        event.teach(&mut memory);
    }
    let differ = (0..CELLS).filter(|at| {
        let [left, right] = KEYS.map(|key| memory.predict(&State::seen(frame(*at)), key).next);
        left.is_some() && right.is_some() && left != right
    });
    assert!(differ.count() * 10 > usize::from(CELLS) * 9);
}

#[test]
fn wrong_action_labels_are_punished() {
    let right = tally(&marks(walk(600), Contestant::new("memory", ExactMemory::new())));
    let wrong = tally(&marks(walk(600), Contestant::new("shuffled", baselines::Shuffled::new(ExactMemory::new()))));
    let (right, wrong) = (right.f1().unwrap(), wrong.f1().unwrap());
    assert!(right > 0.9 && wrong < 0.6 * right, "{right} with the true actions, {wrong} with others");
}

#[test]
fn twenty_transitions_can_be_learned_by_heart() {
    let twice: Vec<Event> = walk(20).into_iter().chain(walk(20)).collect();
    let marks = marks(twice, Contestant::new("memory", ExactMemory::new()));
    let second = marks.scored[20..].iter().filter_map(|scored| scored.score(View::Raw));
    is(Tally::of(second).exact(), 1.0);
}

#[test]
fn frames_in_the_wrong_order_teach_nothing() {
    let mut events = walk(300);
    // Each action is shown to lead where another one, far away in the play, did.
    let ends: Vec<Vec<Grid>> = events
        .iter()
        .filter_map(|event| match event {
            Event::Acted(step) => Some(step.layers.clone()),
            _ => None,
        })
        .collect();
    for (number, event) in events.iter_mut().skip(1).enumerate() {
        if let Event::Acted(step) = event {
            step.layers.clone_from(&ends[(number * 151 + 77) % ends.len()]);
        }
    }
    let mut shuffled = ExactMemory::new();
    for event in &events {
        event.teach(&mut shuffled);
    }
    let truth = walk(300).into_iter().filter_map(|event| match event {
        Event::Acted(step) => Some(step),
        _ => None,
    });
    let exact = |guess: &dyn Fn(&Step) -> Option<Grid>| {
        truth.clone().filter(|step| guess(step).as_ref() == step.layers.last()).count()
    };
    let copied = exact(&|step| Some(step.before.clone()));
    let learned =
        exact(&|step| shuffled.predict(&State::seen(step.before.clone()), step.action).next.map(|next| next.frame));
    assert!(learned <= copied, "{learned} exact after nonsense, {copied} by copying");
}

#[test]
fn recorded_actions_are_not_all_one() {
    let actions: std::collections::BTreeSet<Action> = walk(30)
        .iter()
        .filter_map(|event| match event {
            Event::Acted(step) => Some(step.action),
            _ => None,
        })
        .collect();
    assert_eq!(actions.len(), 3);
}
