//! Trainings of a few steps on recordings of a few cells.

use std::fs;

use solver::train::{End, Evaluation, Event};

use super::*;

const CONFIG: &str = r#"
[net]
kind = "slot_mamba"
side = 8
channels = 8
dilations = [1]
width = 16
components = 2
learned = 1
blocks = 1
heads = 2
states = 4
expand = 1
taps = 2
ffn = 1
decoder = 8

[data]
folds = 2
fold = 1
colors = 0.5
actions = 0.5

[training]
steps = 8
windows = 2
length = 4
imagined = 2
lr = 1e-2
optimizer = { rule = "adam_w", betas = [0.9, 0.99], weight_decay = 0.01, eps = 1e-8 }
schedule = { warm_up = 2 }
ema = 0.9
clip = 1.0
log_every = 3
save_every = 2

[evaluation]
every = 4
windows = 2
"#;

/// Stops a training after some steps, and keeps what it is told.
#[derive(Default)]
struct Watch {
    stop_after: Option<u64>,
    done: u64,
    evaluations: Vec<Evaluation>,
    faults: Vec<String>,
}

impl Observer for Watch {
    fn on(&mut self, event: &Event) {
        match event {
            Event::Stepped(stepped) => self.done = stepped.step,
            Event::Evaluated(evaluation) => self.evaluations.push(evaluation.clone()),
            Event::Fault(fault) => self.faults.push(fault.clone()),
            Event::Begun(_) | Event::Saved(_) => {}
        }
    }

    fn stops(&self) -> bool {
        self.stop_after.is_some_and(|stop| self.done >= stop)
    }
}

/// A cell of colour 3 that walks to the right along a row, from edge to edge.
fn recording(row: usize) -> String {
    let line = |step: usize| {
        let cell = |x: usize, y: usize| if (x, y) == (step % 6, row) { 3 } else { 0 };
        let cells: Vec<String> =
            (0..6).map(|y| format!("{:?}", std::array::from_fn::<u8, 6, _>(|x| cell(x, y)))).collect();
        let command = if step == 0 { 0 } else { 1 + step % 4 };
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:00Z","data":{{"game_id":"t{row}-1","guid":"g","frame":[[{}]],"state":"NOT_FINISHED","levels_completed":0,"win_levels":1,"action_input":{{"id":{command}}}}}}}"#,
            cells.join(",")
        )
    };
    (0..12).map(line).collect::<Vec<_>>().join("\n")
}

/// A folder with recordings of three titles.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let plays = folder.path().join("plays");
    fs::create_dir(&plays).unwrap();
    for row in 0..3 {
        fs::write(plays.join(format!("t{row}-1.random.g.recording.jsonl")), recording(row)).unwrap();
    }
    folder
}

fn job(folder: &Path, out: &str, start: Start) -> Job {
    Job { start, steps: None, data: folder.join("plays"), out: folder.join(out) }
}

fn fresh(text: &str) -> Start {
    Start::Fresh { config: Box::new(Config::parse(text).unwrap()), seed: 3 }
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_bytes() {
    let folder = folder();
    let whole = pretrain(&job(folder.path(), "whole", fresh(CONFIG)), &mut Watch::default()).unwrap();
    assert_eq!((whole.end, whole.step), (End::Done, 8));
    let mut watch = Watch { stop_after: Some(5), ..Watch::default() };
    let stopped = pretrain(&job(folder.path(), "parts", fresh(CONFIG)), &mut watch).unwrap();
    assert_eq!((stopped.end, stopped.step), (End::Interrupted, 5));
    pretrain(&job(folder.path(), "parts", Start::Resume), &mut Watch::default()).unwrap();
    for file in [CHECKPOINT, "metrics.jsonl"] {
        let read = |out: &str| fs::read(folder.path().join(out).join(file)).unwrap();
        assert!(read("whole") == read("parts"), "{file} differs");
    }
}

#[test]
fn titles_are_held_out_whole_and_the_net_can_be_played_with() {
    let folder = folder();
    let mut watch = Watch::default();
    let named = CONFIG.replace("fold = 1", "fold = 1\nheld_out = [\"t2\"]");
    let summary = pretrain(&job(folder.path(), "out", fresh(&named)), &mut watch).unwrap();
    let titles: Vec<&str> = watch.evaluations[0].tasks.iter().map(|score| score.task.as_str()).collect();
    assert_eq!((titles, watch.evaluations.len()), (vec!["t1", "t2"], 3));
    assert_eq!(
        watch.evaluations[0].pairs, 14,
        "the changes of two windows of four of each title, but one beside its tiles"
    );
    assert!(left(&summary.checkpoint));
    crate::net::Net::open(&summary.checkpoint, 1).unwrap();
}

/// A figure of two cells squared and the colour `3 + seed` that drifts about a room of another colour by its own size, one key
/// for each way; which key for which is the seed's.
fn wanderer(seed: usize) -> String {
    let (mut at, mut chance) = ((3usize, 3usize), seed * 7 + 1);
    let line = |(x, y): (usize, usize), action: usize| {
        let cell = |column: usize, row: usize| if (column / 2, row / 2) == (x, y) { 3 + seed } else { seed % 2 };
        let row = |row: usize| format!("{:?}", std::array::from_fn::<usize, 16, _>(|column| cell(column, row)));
        let cells: Vec<String> = (0..16).map(row).collect();
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:00Z","data":{{"game_id":"w{seed}-1","guid":"g","frame":[[{}]],"state":"NOT_FINISHED","levels_completed":0,"win_levels":1,"action_input":{{"id":{action}}}}}}}"#,
            cells.join(",")
        )
    };
    let mut lines = vec![line(at, 0)];
    for _ in 0..120 {
        chance = (chance * 1_103_515_245 + 12_345) % (1 << 31);
        let action = chance / 65_536 % 4;
        let (x, y) = at;
        at = match (action + seed) % 4 {
            0 => (x, y.saturating_sub(1)),
            1 => (x, (y + 1).min(7)),
            2 => (x.saturating_sub(1), y),
            _ => ((x + 1).min(7), y),
        };
        lines.push(line(at, 1 + action));
    }
    lines.join("\n")
}

#[test]
fn what_was_never_seen_is_moved_by_keys_whose_meaning_the_play_has_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("plays")).unwrap();
    for seed in 0..8 {
        let name = format!("plays/w{seed}-1.random.g.recording.jsonl");
        fs::write(folder.path().join(name), wanderer(seed)).unwrap();
    }
    let config = r#"
        [net]
        kind = "cnn"
        side = 8
        channels = 16
        dilations = [1]
        width = 16
        [data]
        held_out = ["w7"]
        colors = 1.0
        actions = 1.0
        [training]
        steps = 300
        windows = 8
        length = 1
        imagined = 0
        lr = 4e-3
        optimizer = { rule = "adam_w", betas = [0.9, 0.99], weight_decay = 0.01, eps = 1e-8 }
        schedule = { warm_up = 10 }
        ema = 0.95
        clip = 1.0
        log_every = 100
        save_every = 100
        [evaluation]
        every = 300
        windows = 200
    "#;
    let mut watch = Watch::default();
    pretrain(&job(folder.path(), "out", fresh(config)), &mut watch).unwrap();
    let exact: Vec<f64> = watch.evaluations.iter().map(|evaluation| evaluation.exact).collect();
    assert!(exact[0] < 0.01 && exact[1] > 0.9, "{exact:?} of the moves of a title that was held out");
}

#[test]
fn no_steps_leave_an_untrained_net_to_compare_with() {
    let folder = folder();
    let untrained = Job { steps: Some(0), ..job(folder.path(), "out", fresh(CONFIG)) };
    let summary = pretrain(&untrained, &mut Watch::default()).unwrap();
    assert_eq!((summary.end, summary.step), (End::Done, 0));
    assert_eq!(crate::net::Net::open(&summary.checkpoint, 1).unwrap().name(), "untrained slot-Mamba");
}

#[test]
fn what_cannot_be_trained_is_said() {
    let folder = folder();
    let refused = |job: &Job| pretrain(job, &mut Watch::default()).unwrap_err();
    let long = CONFIG.replace("length = 4", "length = 40");
    assert!(matches!(refused(&job(folder.path(), "a", fresh(&long))), TrainError::NoData { length: 40, .. }));
    assert!(matches!(refused(&job(folder.path(), "b", Start::Resume)), TrainError::Nothing { .. }));
    let wild = CONFIG.replace("lr = 1e-2", "lr = 1e30").replace("steps = 8", "steps = 50");
    assert!(matches!(refused(&job(folder.path(), "c", fresh(&wild))), TrainError::NotFinite { .. }));
    for (from, to, said) in [
        ("folds = 2", "folds = 0", "data.folds must be at least 1"),
        ("side = 8", "side = 10", "net.side is 10"),
        ("imagined = 2", "imagined = 4", "training.imagined is 4, expected less than training.length"),
        ("colors = 0.5", "colours = 0.5", "unknown field `colours`"),
    ] {
        let error = Config::parse(&CONFIG.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_damaged_recording_is_named_and_the_rest_is_learned_from() {
    let folder = folder();
    let file = folder.path().join("plays/t2-1.random.g.recording.jsonl");
    fs::write(&file, recording(2).replacen('{', "", 1)).unwrap();
    let mut watch = Watch::default();
    pretrain(&job(folder.path(), "out", fresh(CONFIG)), &mut watch).unwrap();
    assert!(watch.faults.iter().any(|fault| fault.contains("t2-1")), "{:?}", watch.faults);
}

#[test]
fn the_configurations_that_are_handed_out_can_be_trained() {
    for text in [
        include_str!("../../../../configs/world_model/slot_mamba.toml"),
        include_str!("../../../../configs/world_model/cnn.toml"),
    ] {
        assert!(Config::describes(text) && Config::parse(text).is_ok());
    }
    assert!(!Config::describes(include_str!("../../../../configs/solver/tiny.toml")));
}
