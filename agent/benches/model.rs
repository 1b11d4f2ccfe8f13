//! What it costs to see the frames of our own titles, and to learn from what was done there:
//! `cargo bench -p agent --bench model`.
//!
//! Every title is walked at random for a thousand actions. Prints, over all titles and for the dearest one, the median and
//! 99th percentile of seeing a frame, and of learning from a transition once five hundred are known.

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::time::{Duration, Instant};

use env_client::{Action, ActionId, ActionSet, Command, Grid, Key, Point, Status};
use games::{Entry, Variant, catalog, engine::Dice};
use world_model::{Joint, Outcome, Scene, Start, Transition, WorldModel};

/// Actions in each title, and those after which learning is measured.
const ACTIONS: usize = 1_000;
const KNOWN: usize = 500;

/// What was measured in one title.
#[derive(Default)]
struct Times {
    seeing: Vec<Duration>,
    learning: Vec<Duration>,
}

fn action(dice: &mut Dice, controls: &[ActionId]) -> Action {
    match Key::from_id(dice.pick(controls)) {
        Some(key) => Action::Key(key),
        None => Action::Click(Point::new(dice.below(64) as i64, dice.below(64) as i64).expect("below 64")),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn walk(entry: &Entry) -> Times {
    let mut play = entry.open(Variant::default()).expect("a title as written is not proven").play();
    let undo = ActionSet::of(&[ActionId::Action7]);
    let controls: Vec<ActionId> = entry.about.controls.iter().filter(|it| !undo.contains(*it)).collect();
    let (mut dice, mut model, mut times) = (Dice::new(0, "bench"), Joint::default(), Times::default());
    let mut shown = play.step(Command::Reset);
    let mut before: Grid = shown.layers.last().expect("a first frame").clone();
    model.begin(&before, Start::Level);
    for number in 0..ACTIONS {
        let (action, level) = (action(&mut dice, &controls), shown.levels_completed);
        shown = play.step(action.into());
        let outcome = match shown.status {
            Status::GameOver => Outcome::Lost,
            _ if shown.levels_completed > level => Outcome::Solved,
            _ => Outcome::Continues,
        };
        let took = timed(|| model.observe(&Transition { before: &before, action, layers: &shown.layers, outcome }));
        if number >= KNOWN {
            times.learning.push(took);
        }
        if outcome != Outcome::Continues {
            let start = if outcome == Outcome::Lost { Start::Again } else { Start::Level };
            if outcome == Outcome::Lost {
                shown = play.step(Command::Reset);
            }
            let Some(first) = shown.layers.last() else { break };
            model.begin(first, start);
        }
        let Some(after) = shown.layers.last() else { break };
        times.seeing.push(timed(|| Scene::of(after)));
        before = after.clone();
    }
    times
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}

fn report(what: &str, titles: &[(&str, Times)], of: impl Fn(&Times) -> &Vec<Duration>) {
    let mut all: Vec<Duration> = titles.iter().flat_map(|(_, times)| of(times).iter().copied()).collect();
    let medians = titles.iter().map(|(stem, times)| (percentile(&mut of(times).clone(), 50), *stem));
    let (dearest, stem) = medians.max().unwrap_or_default();
    let (median, high) = (percentile(&mut all, 50), percentile(&mut all, 99));
    println!(
        "{what}: median {median:.1?}, 99th percentile {high:.1?}; median of the dearest title, {stem}, {dearest:.1?}"
    );
}

fn main() {
    let titles: Vec<(&str, Times)> = catalog().iter().map(|entry| (entry.about.stem, walk(entry))).collect();
    report("seeing a frame", &titles, |it| &it.seeing);
    report("learning from a transition", &titles, |it| &it.learning);
}
