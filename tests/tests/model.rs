//! `arc3 model` on recordings of our own games, as a person uses it.

use std::path::{Path, PathBuf};

use tests::{Arc3, Run};

/// Plays a built-in game and gives the folder with the recording of it.
fn played(actions: u32) -> (Run, PathBuf) {
    played_by("plan", actions)
}

fn played_by(policy: &str, actions: u32) -> (Run, PathBuf) {
    let (actions, how) = (actions.to_string(), ["--recordings", "rec", "--compress", "-q"]);
    let run = Arc3::new(["play", "r704", "--policy", policy, "--max-actions", &actions].into_iter().chain(how)).run();
    let folder = run.folder.path().join("rec");
    let recording = std::fs::read_dir(&folder).expect("a folder of recordings").next().expect("a recording");
    (run, recording.expect("a readable entry").path())
}

fn model<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Run {
    Arc3::new(std::iter::once("model").chain(arguments)).run()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn judging_puts_copying_the_last_frame_first_and_learns_from_nothing_ahead() {
    let (_kept, recording) = played(80);
    let document = model(["eval", text(&recording), "--json", "--window", "0..80"]).expect_code(0).json();
    let names: Vec<&str> =
        document["models"].as_array().into_iter().flatten().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"copy last"), Some(&"together")));
    let copy = &document["models"][0]["window"]["raw"];
    assert_eq!((copy["exact_change"]["mean"].as_f64(), copy["exact_no_op"].as_f64()), (Some(0.0), Some(1.0)));
    assert_eq!(copy["f1_pooled"].as_f64(), Some(0.0));
    assert_eq!(document["transitions"].as_u64(), document["recordings"][0]["transitions"].as_u64());
    let first = &document["models"].as_array().and_then(|models| models.last()).expect("a model")["curve"][0];
    assert_eq!(first["until"].as_u64(), Some(10));
}

/// A net of a few numbers that two steps taught something.
const NET: &str = r#"
[net]
kind = "cnn"
side = 16
channels = 4
dilations = [1]
width = 4

[data]
folds = 2
fold = 2
colors = 0.0
actions = 0.0

[training]
steps = 2
windows = 2
length = 2
imagined = 0
lr = 1e-3
optimizer = { rule = "adam_w", betas = [0.9, 0.99], weight_decay = 0.01, eps = 1e-8 }
schedule = { warm_up = 1 }
log_every = 1
save_every = 1

[evaluation]
every = 2
windows = 1
"#;

#[test]
fn a_net_is_judged_alone_and_where_the_other_sources_are_silent() {
    let (_kept, recording) = played(30);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("net.toml"), NET).expect("the configuration is written");
    let data = text(recording.parent().expect("a folder"));
    let trained =
        Arc3::within(folder, ["pretrain", "--config", "net.toml", "--data", data, "--out", "net", "-q"]).run();
    let trained = trained.expect_code(0);
    let checkpoint = trained.folder.path().join("net/last.safetensors");
    let arguments = ["eval", text(&recording), "--checkpoint", text(&checkpoint), "--window", "0..30"];
    let document = model(arguments.into_iter().chain(["--json"])).expect_code(0).json();
    let models = document["models"].as_array().expect("models");
    let names: Vec<&str> = models.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names[names.len() - 4..], ["rules", "CNN", "together", "together, CNN"]);
    let unknown = |at: usize| models[at]["window"]["raw"]["unknown"].as_f64();
    assert_eq!((unknown(names.len() - 3), unknown(names.len() - 1)), (Some(0.0), Some(0.0)), "a net always answers");
    let pair = ["--checkpoint", text(&checkpoint)];
    let tables = model(arguments.into_iter().chain(pair)).expect_code(0);
    for name in ["CNN 1", "together, CNN 2"] {
        assert!(tables.stdout.contains(name), "{}", tables.stdout);
    }
}

#[test]
fn a_file_that_is_no_net_of_recordings_is_named() {
    let (kept, recording) = played(10);
    let error = |file: &Path| model(["eval", text(&recording), "--checkpoint", text(file)]).expect_code(2).stderr;
    let named = error(&recording);
    assert!(named.contains(text(&recording)) && named.contains("no net that foresees frames"), "{named}");
    assert!(named.contains("hint:"), "{named}");
    assert!(error(&kept.folder.path().join("nowhere.safetensors")).contains("cannot read"));
}

#[test]
fn a_folder_is_judged_as_tables() {
    // Whoever plans may leave no level for ten actions on end.
    let (_kept, recording) = played_by("explore", 40);
    let folder = recording.parent().expect("a folder");
    let window = ["--limit", "30", "--window", "10..30"];
    let run = model(["eval", text(folder), "--games"].into_iter().chain(window)).expect_code(0);
    for part in ["1 recordings, 30 transitions", "copy last", "together", "k=10", "who spoke", "r704"] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{}", run.stdout);
    assert!(!run.stdout.contains("not foretold"), "{}", run.stdout);
}

#[test]
fn changes_that_were_not_foretold_are_named() {
    let (_kept, recording) = played(40);
    let arguments = ["eval", text(&recording), "--window", "0..40"];
    let document = model(arguments.into_iter().chain(["--json"])).expect_code(0).json();
    let models = document["recordings"][0]["models"].as_array().expect("models");
    let missed = |at: usize| models[at]["missed"][0].as_array().expect("numbers").clone();
    let [copy, together] = [missed(0), missed(models.len() - 1)];
    assert!(together.len() < copy.len() && together.iter().all(|at| copy.contains(at)), "{together:?} of {copy:?}");
    let numbers: Vec<String> = together.iter().map(ToString::to_string).collect();
    let named = model(arguments.into_iter().chain(["--misses"])).expect_code(0).stdout;
    assert!(
        !numbers.is_empty() && named.contains(&format!("{}: {}\n", text(&recording), numbers.join(" "))),
        "{named}"
    );
}

#[test]
fn what_is_seen_is_explained() {
    let (_kept, recording) = played(40);
    let run = model(["explain", text(&recording), "--at", "20"]).expect_code(0);
    for part in ["r704", "after 20 transitions", "ground of colour", "interface", "memory:", "rules"] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
}

#[test]
fn a_dream_stands_next_to_what_came() {
    let (kept, recording) = played(40);
    let run = model(["dream", text(&recording), "--from", "30", "--steps", "3"]).expect_code(0);
    assert!(run.stdout.starts_with("ACTION"), "{}", run.stdout);
    let asked = model(["dream", text(&recording), "--from", "30", "--actions", "6@1:2"]).expect_code(0);
    assert!(asked.stdout.starts_with("ACTION6 (1, 2): "), "{}", asked.stdout);
    for name in ["dream.png", "dream.gif"] {
        let out = kept.folder.path().join(name);
        let drawn = model(["dream", text(&recording), "--from", "30", "--export", text(&out)]).expect_code(0);
        assert!(drawn.stdout.contains(name), "{}", drawn.stdout);
        assert!(std::fs::metadata(&out).is_ok_and(|about| about.len() > 100), "{name}");
    }
}

#[test]
fn what_cannot_be_done_is_explained() {
    let (_kept, recording) = played(10);
    let error = |arguments: &[&str]| model(arguments.iter().copied()).expect_code(2).stderr;
    let folder = recording.parent().expect("a folder");
    assert!(error(&["explain", text(folder)]).contains("expected one recording"));
    assert!(error(&["eval", "nowhere.jsonl"]).contains("nowhere.jsonl"));
    let late = error(&["dream", text(&recording), "--from", "5000"]);
    assert!(late.contains("after 5000 transitions") && late.contains("hint:"), "{late}");
    assert!(error(&["dream", text(&recording), "--from", "1", "--actions", "9"]).contains("is no action"));
}

#[test]
fn a_broken_line_is_named_and_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = Arc3::within(folder, ["play", "r704", "--max-actions", "20", "--recordings", "rec", "-q"]).run();
    let entry = std::fs::read_dir(run.folder.path().join("rec")).expect("a folder").next().expect("a recording");
    let path = entry.expect("a readable entry").path();
    let mut lines: Vec<String> =
        std::fs::read_to_string(&path).expect("a recording").lines().map(str::to_owned).collect();
    lines[7] = "{\"timestamp\":".to_owned();
    std::fs::write(&path, lines.join("\n")).expect("a recording can be changed");
    let judged = model(["eval", text(&path), "--json"]).expect_code(0);
    assert!(judged.stderr.contains("line 8"), "{}", judged.stderr);
    assert!(judged.json()["transitions"].as_u64().is_some_and(|count| count > 10));
}
