//! Trainings of a few steps on made-up tasks.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::*;

/// A net of 16 numbers a token that halts by its head, so that slots, exploration, lanes and accumulation all matter.
const CONFIG: &str = r#"
[net]
kind = "urm"
loss = "stablemax"
steps = 3
tokens = { canvas = 4, hidden = 16, prefix = 1, positions = "flat", rows = "augmentation" }
stack = { layers = 1, heads = 2, ffn = 16, conv = "pair" }
loops = { free = 1, grad = 2, loss_at = "each" }
halting = { rule = "q_head" }

[data]
sources = ["re_arc"]
held_out = 0.25
augment = { rows = 2 }

[training]
steps = 6
batch = 4
lanes = 2
accumulate = 2
lr = 1e-2
optimizer = { rule = "adam_atan2", betas = [0.9, 0.95], weight_decay = 0.1 }
schedule = { warm_up = 2 }
table = { lr = 1e-2, weight_decay = 0.1 }
ema = 0.9
clip = 1.0
log_every = 2
save_every = 2

[evaluation]
every = 3
pairs = 4
"#;

/// Two tasks of eight pairs: keep the grid, and mirror it.
fn data(folder: &Path) -> PathBuf {
    let tasks = folder.join("re_arc/tasks");
    fs::create_dir_all(&tasks).unwrap();
    let grids = (0..8).map(|n| [[n % 10, 1], [n / 3, (n * 7) % 10]]);
    let kept: Vec<String> = grids.clone().map(|grid| pair(grid, grid)).collect();
    let mirrored: Vec<String> = grids.map(|grid| pair(grid, grid.map(|[a, b]| [b, a]))).collect();
    for (name, pairs) in [("aaaaaaaa", kept), ("bbbbbbbb", mirrored)] {
        fs::write(tasks.join(format!("{name}.json")), format!("[{}]", pairs.join(","))).unwrap();
    }
    folder.join("re_arc")
}

fn pair(input: [[u8; 2]; 2], output: [[u8; 2]; 2]) -> String {
    format!(r#"{{"input": {input:?}, "output": {output:?}}}"#)
}

fn job(folder: &Path, out: &str, start: Start) -> Job {
    Job {
        start,
        steps: None,
        data: data(folder),
        out: folder.join(out),
        compute: Compute::Cpu,
        on_fault: OnFault::Fail,
    }
}

fn fresh() -> Start {
    Start::Fresh { config: Box::new(Config::parse(CONFIG).unwrap()), seed: 5 }
}

/// Stops after a step, and keeps the checkpoint of another beside it.
#[derive(Debug, Default)]
struct Stop {
    after: Option<u64>,
    keep: Option<u64>,
    step: u64,
    evaluations: Vec<Evaluation>,
}

impl Observer for Stop {
    fn on(&mut self, event: &Event) {
        match event {
            Event::Stepped(stepped) => self.step = stepped.step,
            Event::Saved(path) if Some(self.step) == self.keep => drop(fs::copy(path, path.with_extension("kept"))),
            Event::Evaluated(evaluation) => self.evaluations.push(evaluation.clone()),
            _ => {}
        }
    }

    fn stops(&self) -> bool {
        Some(self.step) == self.after
    }
}

/// Metrics and checkpoint of a folder.
fn left(folder: &Path, out: &str) -> (String, Vec<u8>) {
    let out = folder.join(out);
    (fs::read_to_string(out.join("metrics.jsonl")).unwrap(), fs::read(out.join(CHECKPOINT)).unwrap())
}

#[test]
fn a_training_that_was_stopped_leaves_what_one_that_was_not_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = pretrain(&job(folder, "whole", fresh()), &mut Stop::default()).unwrap();
    assert_eq!((whole.end, whole.step), (End::Done, 6));

    let stopped = pretrain(&job(folder, "parts", fresh()), &mut Stop { after: Some(3), ..Stop::default() }).unwrap();
    assert_eq!((stopped.end, stopped.step), (End::Interrupted, 3));
    pretrain(&job(folder, "parts", Start::Resume), &mut Stop::default()).unwrap();
    assert!(left(folder, "parts") == left(folder, "whole"));
}

#[test]
fn a_training_that_was_killed_forgets_what_it_measured_after_its_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    pretrain(&job(folder, "whole", fresh()), &mut Stop::default()).unwrap();

    let mut killed = Stop { after: Some(5), keep: Some(2), ..Stop::default() };
    pretrain(&job(folder, "killed", fresh()), &mut killed).unwrap();
    let checkpoint = folder.join("killed").join(CHECKPOINT);
    fs::rename(checkpoint.with_extension("kept"), &checkpoint).unwrap();
    pretrain(&job(folder, "killed", Start::Resume), &mut Stop::default()).unwrap();
    assert!(left(folder, "killed") == left(folder, "whole"));
}

#[test]
fn an_evaluation_asks_what_was_held_out_and_says_what_copying_reaches() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = Stop::default();
    let summary = pretrain(&job(folder.path(), "out", fresh()), &mut seen).unwrap();
    let steps: Vec<u64> = seen.evaluations.iter().map(|evaluation| evaluation.step).collect();
    assert_eq!(steps, [0, 3, 6]);
    let last = summary.evaluation.unwrap();
    assert_eq!(last.pairs, 4);
    assert!((last.copied - 0.5).abs() < 1e-9, "the task that keeps its grid: {}", last.copied);
    let loops: Vec<usize> = last.by_loops.iter().map(|score| score.loops).collect();
    assert_eq!(loops, (1..=9).collect::<Vec<_>>(), "three loops in each of three steps");
}

#[test]
fn another_training_is_not_overwritten_and_none_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |start| pretrain(&Job { steps: Some(1), ..job(folder.path(), "out", start) }, &mut Stop::default());
    assert!(matches!(run(Start::Resume), Err(TrainError::Nothing { .. })));
    run(fresh()).unwrap();
    assert!(matches!(run(fresh()), Err(TrainError::Occupied { .. })));
}

#[test]
fn a_loss_that_is_no_number_ends_the_training_with_its_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::parse(CONFIG).unwrap();
    (config.training.lr, config.training.clip) = (1e30, None);
    let start = Start::Fresh { config: Box::new(config), seed: 0 };
    let error = pretrain(&job(folder.path(), "out", start), &mut Stop::default()).unwrap_err();
    assert!(matches!(error, TrainError::NotFinite { .. }), "{error}");
}

#[test]
fn a_survey_counts_without_training() {
    let folder = tempfile::tempdir().unwrap();
    let survey = survey(&job(folder.path(), "out", fresh()), &mut Stop::default()).unwrap();
    assert_eq!((survey.begun.tasks, survey.begun.rows), (2, 7), "the blank row, and three for each task");
    assert_eq!(survey.table_bytes, 7 * 16 * 4);
    assert!(survey.seconds_per_step > 0.0);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn a_key_that_nobody_knows_is_an_error() {
    let error = Config::parse(&CONFIG.replace("clip", "clop")).unwrap_err().to_string();
    assert!(error.contains("unknown field `clop`"), "{error}");
    let error = Config::parse(&CONFIG.replace("batch = 4", "batch = 0")).unwrap_err().to_string();
    assert_eq!(error, "training.batch must be at least 1");
    let error = Config::parse(&CONFIG.replace("lanes = 2", "lanes = 3")).unwrap_err().to_string();
    assert_eq!(error, "training.batch is 4, which training.lanes = 3 cannot share evenly");
}

#[test]
fn a_sparse_table_has_a_rule_of_its_own_and_a_dense_one_that_of_the_weights() {
    let rule = "table = { lr = 1e-2, weight_decay = 0.1 }\n";
    let refused = |text: &str| Config::parse(text).unwrap_err().to_string();
    assert_eq!(refused(&CONFIG.replace(rule, "")), "training.table is missing, but the net's table is sparse");
    let dense = CONFIG.replace(r#"rows = "augmentation" }"#, r#"rows = "augmentation", table = "dense" }"#);
    assert_eq!(refused(&dense), "training.table is set, but the net's table is trained by the optimiser");
    Config::parse(&dense.replace(rule, "")).unwrap();
}

#[test]
fn sequences_of_several_lengths_need_a_net_that_answers_in_one_step() {
    let sizes = |config: &str| {
        config.replace("held_out = 0.25", "held_out = 0.25\norder = { sizes = { pool = 4, whole = 0.5 } }")
    };
    let error = Config::parse(&sizes(CONFIG)).unwrap_err().to_string();
    assert_eq!(error, "data.order = sizes changes the length of sequences, and net.steps must be 1");
    Config::parse(&sizes(&CONFIG.replace("steps = 3", "steps = 1"))).unwrap();
}
