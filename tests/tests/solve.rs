//! `arc3 solve` as a person runs it, with a net that `arc3 pretrain` has just made.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tests::Arc3;

/// A net that learns for three steps: enough for a checkpoint, not for an answer.
const CONFIG: &str = r#"
[net]
kind = "urm"
loss = "cross_entropy"
steps = 1
tokens = { canvas = 4, hidden = 16, prefix = 1, positions = "grid", rows = "task" }
stack = { layers = 1, heads = 2, ffn = 32, conv = "none" }
loops = { free = 0, grad = 2, loss_at = "last" }
halting = { rule = "fixed" }

[data]
sources = ["training"]

[training]
steps = 3
batch = 4
lr = 1e-3
optimizer = { rule = "adam_atan2", betas = [0.9, 0.95], weight_decay = 0.1 }
schedule = { warm_up = 0 }
table = { lr = 1e-2, weight_decay = 0.1 }
log_every = 1
save_every = 3

[evaluation]
every = 3
pairs = 1
"#;

const CHECKPOINT: &str = "net/last.safetensors";

/// A task whose test inputs are these, one row each.
fn task(tests: &[&[u8]]) -> Value {
    let tests: Vec<Value> = tests.iter().map(|row| json!({ "input": [row] })).collect();
    json!({ "train": [{ "input": [[1, 2]], "output": [[2, 1]] }, { "input": [[3, 4]], "output": [[4, 3]] }], "test": tests })
}

fn write(folder: &Path, name: &str, value: &Value) {
    fs::write(folder.join(name), value.to_string()).expect("a file is written");
}

/// `arc3 solve` in a folder with a trained net, which knows one of the three tasks of the challenges there.
fn solve(arguments: &[&str]) -> Arc3 {
    let run = Arc3::new(["pretrain", "--quiet", "--data", "data", "--config", "config.toml", "--out", "net"]);
    let folder = run.folder().to_owned();
    fs::write(folder.join("config.toml"), CONFIG).expect("a file is written");
    fs::create_dir(folder.join("data")).expect("a folder is made");
    write(&folder, "data/x_training_challenges.json", &json!({ "known": task(&[&[5, 6]]) }));
    let tasks = json!({ "known": task(&[&[5, 6], &[7]]), "new": task(&[&[8, 9]]), "wide": task(&[&[1, 2, 3, 4, 5]]) });
    write(&folder, "y_challenges.json", &tasks);
    write(&folder, "y_solutions.json", &json!({ "known": [[[6, 5]], [[7]]], "new": [[[9, 8]]], "wide": [[[5]]] }));
    let trained = run.run().expect_code(0);
    let named = arguments.contains(&"--checkpoint");
    let net: &[&str] = if named { &["solve"] } else { &["solve", "--checkpoint", CHECKPOINT] };
    Arc3::within(trained.folder, net.iter().chain(arguments))
}

#[test]
fn a_file_becomes_a_complete_submission_with_a_score_and_the_same_one_twice() {
    let run = || {
        let arguments = ["--score", "y_challenges.json", "--ttt", "2", "--submission", "out/submission.json", "--json"];
        let run = solve(&arguments).run().expect_code(0);
        let submission = fs::read_to_string(run.folder.path().join("out/submission.json")).expect("a submission");
        (run.json(), submission)
    };
    let (told, submission) = run();
    assert_eq!(submission, run().1);
    let submission: Value = serde_json::from_str(&submission).expect("a submission is JSON");
    for (task, tests) in [("known", 2), ("new", 1), ("wide", 1)] {
        let attempts = submission[task].as_array().expect("a list of attempts");
        assert_eq!(attempts.len(), tests, "{task}");
        let is_grid = |grid: &Value| grid.as_array().is_some_and(|rows| rows.iter().all(Value::is_array));
        assert!(attempts.iter().all(|test| is_grid(&test["attempt_1"]) && is_grid(&test["attempt_2"])), "{task}");
    }
    let nets: Vec<&Value> = told["tasks"].as_array().expect("tasks").iter().map(|task| &task["net"]["rows"]).collect();
    assert_eq!(nets, ["known", "tuned", "too_large"]);
    assert_eq!((&told["score"]["tasks"], &told["score"]["test_inputs"]), (&json!(3), &json!(4)));
}

#[test]
fn a_task_is_drawn_with_its_answers_and_a_score_is_a_table() {
    let drawn = solve(&["y_challenges.json", "--ttt", "0", "--augmentations", "3"]).run().expect_code(0).stdout;
    for text in ["task known: the net was trained on it", "demo 2  output", "answer 1: ", "too large", "pass@2"] {
        assert!(drawn.contains(text), "{text} in {drawn}");
    }
    assert!(!drawn.contains('\u{1b}'), "no colours where no terminal is");
    let table = solve(&["--score", "y_challenges.json", "--ttt", "0"]).run().expect_code(0).stdout;
    assert!(table.starts_with("task ") && table.contains("pass@10") && !table.contains("demo"), "{table}");
}

#[test]
fn ctrl_c_keeps_what_is_solved() {
    let mut running = solve(&["y_challenges.json", "--ttt", "100000000", "--submission", "submission.json"]).start();
    assert!(running.first_line().starts_with("task known"));
    running.signal("INT");
    let run = running.finish().expect_code(130);
    let text = fs::read_to_string(run.folder.path().join("submission.json")).expect("a submission");
    let submission: Value = serde_json::from_str(&text).expect("a submission is JSON");
    assert_eq!(submission["new"], json!([{ "attempt_1": [[8, 9]], "attempt_2": [[8, 9]] }]), "not solved yet");
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_a_hint() {
    let run = Arc3::new(["solve", "task.json"]).run().expect_code(2);
    assert!(run.stderr.contains("there is no checkpoint models/tiny/last.safetensors"), "{}", run.stderr);
    assert!(run.stderr.contains("arc3 pretrain"), "{}", run.stderr);
    let cases: [(&[&str], &str); 4] = [
        (&["none.json"], "none.json"),
        (&["bad.json"], "train[1].output"),
        (&["y_challenges.json", "--checkpoint", "config.toml"], "config.toml is no safetensors file"),
        (&["y_challenges.json", "--config", "none.toml"], "none.toml"),
    ];
    for (arguments, says) in cases {
        let run = solve(arguments);
        let bad = json!({ "train": [{ "input": [[1]], "output": [[1]] }, { "input": [[1]] }], "test": [] });
        write(run.folder(), "bad.json", &bad);
        let run = run.run().expect_code(2);
        assert!(run.stderr.contains("error:") && run.stderr.contains(says), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments:?}: nothing but data goes to stdout");
    }
}
