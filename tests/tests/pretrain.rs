//! `arc3 pretrain`: a stopped training goes on to the same curve, and whatever is wrong is said with its place.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tests::{Arc3, Run, repository};

/// A net of a few numbers on a canvas of 4×4.
const CONFIG: &str = r#"
[net]
kind = "urm"
loss = "cross_entropy"
steps = 1
tokens = { canvas = 4, hidden = 16, prefix = 1, positions = "grid", rows = "task" }
stack = { layers = 1, heads = 2, ffn = 16, conv = "grid" }
loops = { free = 0, grad = 2, loss_at = "each" }
halting = { rule = "fixed" }

[data]
sources = ["re_arc"]
held_out = 0.25
augment = { dihedral = 0.0, colors = "kept", translate = false }

[training]
steps = 400
batch = 4
lr = 1e-2
optimizer = { rule = "adam_atan2", betas = [0.9, 0.95], weight_decay = 0.1 }
schedule = { warm_up = 2 }
table = { lr = 1e-2, weight_decay = 0.1 }
ema = 0.9
log_every = 5
save_every = 20

[evaluation]
every = 100
pairs = 4
"#;

/// A run with that configuration and two tasks of eight pairs in its folder.
fn pretrain(arguments: &[&str]) -> Arc3 {
    let usual = ["pretrain", "--config", "small.toml", "--data", "data", "--out", "out"];
    prepared(Arc3::new(usual.iter().chain(arguments)))
}

fn prepared(run: Arc3) -> Arc3 {
    let tasks = run.folder().join("data/re_arc/tasks");
    fs::create_dir_all(&tasks).expect("a folder for the data");
    fs::write(run.folder().join("small.toml"), CONFIG).expect("the configuration is written");
    for (name, shift) in [("aaaaaaaa", 0), ("bbbbbbbb", 1)] {
        let pairs: Vec<String> = (0..8).map(|n| pair(n, (n + shift) % 10)).collect();
        fs::write(tasks.join(format!("{name}.json")), format!("[{}]", pairs.join(","))).expect("a task is written");
    }
    run
}

fn pair(input: u8, output: u8) -> String {
    format!(r#"{{"input": [[{input}, 1], [2, {input}]], "output": [[{output}, 1], [2, {output}]]}}"#)
}

/// What must be the same: the curve and the weights.
fn left(run: &Run) -> (String, Vec<u8>) {
    let file = |name: &str| fs::read(run.folder.path().join("out").join(name)).expect("the file is left");
    (String::from_utf8_lossy(&file("metrics.jsonl")).into_owned(), file("last.safetensors"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for the copy");
    for entry in fs::read_dir(from).expect("the folder is left") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a file is copied");
    }
}

/// Starts, ends it by a signal after some lines of metrics, and goes on.
fn stopped_by(signal: &str) -> Run {
    let running = pretrain(&[]).start();
    running.wait_until("there is a checkpoint and a curve", |folder| {
        let curve = fs::read_to_string(folder.join("out/metrics.jsonl")).unwrap_or_default();
        folder.join("out/last.safetensors").exists() && curve.lines().count() > 8
    });
    running.signal(signal);
    let stopped = running.finish();
    assert_eq!(stopped.code, (signal == "INT").then_some(130), "{}", stopped.stderr);
    let again = prepared(Arc3::new(["pretrain", "--data", "data", "--out", "out", "--resume"]));
    copy(&stopped.folder.path().join("out"), &again.folder().join("out"));
    again.run().expect_code(0)
}

#[test]
fn a_training_that_was_stopped_or_killed_goes_on_to_the_same_curve() {
    let whole = left(&pretrain(&[]).run().expect_code(0));
    assert!(whole.0.contains("\"held_out/exact\""));
    for signal in ["INT", "KILL"] {
        let again = stopped_by(signal);
        assert!(again.stderr.contains("going on after step"), "{}", again.stderr);
        assert!(left(&again) == whole, "after {signal}");
    }
}

#[test]
fn a_result_is_one_json_document() {
    let result = pretrain(&["--json", "--steps", "3", "-q"]).run().expect_code(0);
    assert_eq!(result.stderr, "");
    let result = result.json();
    assert_eq!((result["step"].as_u64(), result["end"].as_str()), (Some(3), Some("done")));
    assert_eq!(result["evaluation"]["tasks"][0]["task"], "aaaaaaaa");
}

#[test]
fn a_dry_run_counts_the_published_nets() {
    for (name, parameters) in [("urm", "13,663,234"), ("trm", "6,829,058")] {
        let config: PathBuf = repository().join(format!("configs/solver/{name}.toml"));
        let text = fs::read_to_string(config).expect("the configuration is there");
        let small = text.replace(r#"sources = ["training", "evaluation", "concept"]"#, r#"sources = ["re_arc"]"#);
        // The canvas changes no count, and a step on a small one is soon measured.
        let small = small.replace("canvas = 30", "canvas = 2");
        let run = pretrain(&["--dry-run"]);
        fs::write(run.folder().join("small.toml"), small).expect("the configuration is written");
        let run = run.run().expect_code(0);
        assert!(run.stdout.contains(parameters), "{}", run.stdout);
        assert!(!run.folder.path().join("out").exists());
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_advice() {
    let said = |arguments: &[&str], spoil: &dyn Fn(&Path)| {
        let run = pretrain(arguments);
        spoil(run.folder());
        run.run().expect_code(2).stderr
    };
    let unknown = said(&[], &|folder| {
        fs::write(folder.join("small.toml"), CONFIG.replace("ema =", "emma =")).expect("the configuration is written");
    });
    assert!(unknown.contains("unknown field `emma`") && unknown.contains("hint:"), "{unknown}");
    let bad = said(&[], &|folder| {
        fs::write(folder.join("data/re_arc/tasks/cccccccc.json"), "[{\"input\": [[1]]}]").expect("a file is written");
    });
    assert!(bad.contains("cccccccc.json") && bad.contains("--on-bad-file skip"), "{bad}");
    let device = said(&["--device", "cuda"], &|_| {});
    assert!(device.contains("--device cpu works everywhere"), "{device}");
    let nothing = prepared(Arc3::new(["pretrain", "--data", "data", "--out", "out", "--resume"])).run().expect_code(2);
    assert!(nothing.stderr.contains("holds no training"), "{}", nothing.stderr);
}

#[test]
fn a_bad_file_is_skipped_by_choice_and_named() {
    let run = pretrain(&["--on-bad-file", "skip", "--steps", "1"]);
    fs::write(run.folder().join("data/re_arc/tasks/cccccccc.json"), "no JSON").expect("a file is written");
    let run = run.run().expect_code(0);
    assert!(run.stderr.contains("skipped:") && run.stderr.contains("cccccccc.json"), "{}", run.stderr);
}
