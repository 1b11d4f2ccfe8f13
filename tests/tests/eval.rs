//! `arc3 eval`: split, stopped, merged and held against the official server, it gives the same numbers.

use std::{fs, path::Path};

use serde_json::Value;
use tests::{Arc3, Run, repository, toolkit::Toolkit};

/// A result file without what may differ between two runs of the same plays: the clock.
fn result(run: &Run, name: &str) -> Value {
    let text = fs::read_to_string(run.folder.path().join(name)).expect("the result is written");
    let mut result: Value = serde_json::from_str(&text).expect("the result is JSON");
    let fields = result.as_object_mut().expect("the result is an object");
    fields.remove("timing");
    result
}

#[test]
fn shards_merge_into_what_one_run_gives() {
    let plays =
        ["eval", "--policy", "explore", "--games", "b137,g284,r704", "--seeds", "0..2", "--budgets", "60", "-q"];
    let whole = Arc3::new(plays.iter().copied().chain(["--out", "whole.json"])).run().expect_code(0);
    let merged = Arc3::new(["eval", "--merge", "part-0.json", "part-1.json", "--out", "merged.json"]);
    for shard in ["0", "1"] {
        let name = format!("part-{shard}.json");
        let choice = format!("{shard}/2");
        let run = Arc3::new(plays.iter().copied().chain(["--shard", &choice, "--out", &name])).run().expect_code(0);
        fs::copy(run.folder.path().join(&name), merged.folder().join(&name)).expect("the part is copied");
    }
    let merged = merged.run().expect_code(0);
    let (whole, merged) = (result(&whole, "whole.json"), result(&merged, "merged.json"));
    assert_eq!(whole["plays"], merged["plays"]);
    assert_eq!(whole["totals"], merged["totals"]);
}

#[test]
fn a_killed_run_is_taken_up_where_it_stopped() {
    let plays = [
        "eval",
        "--policy",
        "explore",
        "--games",
        "b137,g284,r704,k371",
        "--budgets",
        "3000",
        "--jobs",
        "1",
        "--out",
        "a.json",
    ];
    let finished = |folder: &Path| {
        let journal = fs::read_to_string(folder.join("a.journal.jsonl")).unwrap_or_default();
        journal.lines().filter(|line| line.contains("\"play\":")).count()
    };
    let running = Arc3::new(plays).start();
    running.wait_until("a play is finished", |folder| finished(folder) > 0);
    running.signal("KILL");
    let killed = running.finish();
    let again = Arc3::new(plays);
    let name = "a.journal.jsonl";
    fs::copy(killed.folder.path().join(name), again.folder().join(name)).expect("the journal is left");
    let again = again.run().expect_code(0);
    assert!(again.stderr.contains("taking up"), "{}", again.stderr);
    assert_eq!(result(&again, "a.json")["plays"].as_array().map(Vec::len), Some(4));
}

#[test]
fn an_ablation_that_was_stopped_plays_only_what_is_left() {
    let arms = ["eval", "--ablate", "random,plan-no-carry-over", "--games", "b137,g284", "--budgets", "40"];
    let arms = || arms.into_iter().chain(["--out", "parts.json"]);
    let whole = Arc3::new(arms()).run().expect_code(0);
    for word in ["plan ", "random ", "plan-no-carry-over ", "95 % intervals", "parts.json"] {
        assert!(whole.stdout.contains(word), "{word}:\n{}", whole.stdout);
    }
    // As if it had been stopped in its last arm: nothing sums the arms up, and one is missing.
    for gone in ["parts.json", "parts-plan-no-carry-over.json"] {
        fs::remove_file(whole.folder.path().join(gone)).expect("it was written");
    }
    let again = Arc3::within(whole.folder, arms().chain(["--json"])).run().expect_code(0);
    assert_eq!(again.stderr.matches("played before").count(), 2, "{}", again.stderr);
    let (summary, printed) = (result(&again, "parts.json"), again.json());
    assert_eq!(summary, printed);
    let policies: Vec<&str> =
        printed["arms"].as_array().into_iter().flatten().filter_map(|it| it["policy"].as_str()).collect();
    assert_eq!(policies, ["plan", "random", "plan-no-carry-over"]);
    assert!(printed["arms"][1]["against"]["levels"]["high"].is_number(), "{printed}");
    let fresh = Arc3::within(again.folder, arms()).run().expect_code(0);
    assert!(!fresh.stderr.contains("played before"), "a finished ablation is played anew: {}", fresh.stderr);
}

#[test]
fn the_ceiling_is_left_out_where_nobody_knows_the_rules() {
    let ceiling = ["eval", "--ablate", "plan-simulator", "--games", "b137", "--budgets", "30", "--json"];
    let run = Arc3::new(ceiling).run().expect_code(0);
    assert_eq!(run.json()["arms"][1]["policy"], "plan-simulator");
    let mut server = Arc3::new(["serve", "--port", "0"]).start();
    let address = server.first_line();
    let url = address.split_whitespace().find(|word| word.starts_with("http")).expect("it says where it listens");
    let run = Arc3::new(ceiling.into_iter().chain(["--server", url])).run().expect_code(2);
    assert!(run.stderr.contains("it plays the built-in games alone"), "{}", run.stderr);
    let all = ["eval", "--ablate", "--games", "b137", "--budgets", "2", "--server", url, "--json"];
    let run = Arc3::new(all).run().expect_code(0);
    assert!(run.stderr.contains("plan-simulator: left out"), "{}", run.stderr);
    let played = run.json();
    let arms: Vec<&str> =
        played["arms"].as_array().into_iter().flatten().filter_map(|it| it["policy"].as_str()).collect();
    assert!(arms.contains(&"explore") && arms.contains(&"plan-no-paint"), "{arms:?}");
    assert!(!arms.iter().any(|it| it.starts_with("plan-simulator")), "{arms:?}");
    server.signal("INT");
    drop(server.finish().expect_code(0));
}

/// Plays the small games on the official server and compares scores.
fn agrees_with_the_official_server(competition: bool) {
    let Some(toolkit) = Toolkit::find("eval against the official server") else { return };
    let server = toolkit.serve(&repository().join("tests/games"), competition);
    let arguments = ["eval", "--policy", "explore", "--budgets", "120", "--out", "a.json", "--server", server.url()];
    let run = Arc3::new(arguments).run().expect_code(0);
    let result = result(&run, "a.json");
    let plays = result["plays"].as_array().expect("plays");
    assert_eq!(plays.len(), 3);
    assert!(plays.iter().any(|play| play["score"].as_f64() > Some(0.0)), "something is scored: {plays:?}");
    for play in plays {
        let (ours, theirs) = (play["score"].as_f64(), play["service_score"].as_f64());
        assert!((ours.expect("a score") - theirs.expect("a score")).abs() < 1e-9, "{play}");
        assert_eq!(play["counts"]["unknown"], 0, "{play}");
    }
    let rhae = result["totals"][0]["rhae"].as_f64().expect("a total");
    let card = result["cards"][0]["score"].as_f64().expect("a card");
    assert!((rhae - card).abs() < 1e-9, "{rhae} and {card}");
}

#[test]
fn its_score_is_the_official_one() {
    agrees_with_the_official_server(false);
}

#[test]
fn its_score_is_the_official_one_in_competition() {
    agrees_with_the_official_server(true);
}
