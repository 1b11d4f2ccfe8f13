//! `arc3 play` as a person runs it: what it promises, and what it leaves when it is disturbed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use env_client::{
    ApiKey,
    recording::{Ending, Event, Reader},
};
use tests::{
    Arc3, Run,
    scripted::{Script, Scripted, Step},
};

/// Every file below a folder of a run.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn recordings(folder: &Path) -> Vec<PathBuf> {
    let mut found = files(&folder.join("recordings"));
    found.sort();
    found
}

/// Bytes of all recordings of a run.
fn recorded(folder: &Path) -> u64 {
    recordings(folder).iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum()
}

/// Steps of a recording and how it ended; every line before the end is whole.
fn read(path: &Path) -> (usize, Option<Ending>) {
    let mut reader = Reader::open(path).expect("the recording opens");
    let entries: Vec<_> = reader.by_ref().collect::<Result<_, _>>().expect("every line is an entry");
    let steps = entries.iter().filter(|entry| matches!(entry.event, Event::Seen { .. })).count();
    (steps, reader.ending())
}

/// `actions` of the first play of a `--json` run.
fn actions(run: &Run) -> usize {
    run.json()["plays"][0]["counts"]["actions"].as_u64().expect("actions are counted") as usize
}

#[test]
fn it_plays_by_default_without_key_and_network_and_leaves_a_recording() {
    let run = Arc3::new(["play", "--policy", "explore"]).run().expect_code(0);
    assert!(run.stdout.contains("scorecard") && run.stdout.contains("score %"), "{}", run.stdout);
    assert_eq!(recordings(run.folder.path()).len(), 1, "one play, one recording");
}

#[test]
fn every_step_is_in_the_recording_whatever_its_form() {
    for form in [&[][..], &["--compress"]] {
        let arguments = ["play", "--json", "--max-actions", "50"];
        let run = Arc3::new(arguments.iter().chain(form)).run().expect_code(0);
        let [path] = &recordings(run.folder.path())[..] else { panic!("one recording") };
        // The RESET that opens the play is recorded and not billed.
        assert_eq!(read(path), (actions(&run) + 1, Some(Ending::Clean)), "{form:?}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play = |seed| {
        let arguments = ["play", "--json", "--max-actions", "150", "--seed", seed, "--no-recording"];
        Arc3::new(arguments).run().expect_code(0).json()["plays"][0]["counts"].clone()
    };
    assert_eq!(play("3"), play("3"));
}

#[test]
fn ctrl_c_finishes_the_action_closes_the_card_and_loses_nothing() {
    for signal in ["INT", "TERM"] {
        let running = Arc3::new(["play", "all", "--max-actions", "10000000", "--jobs", "2"]).start();
        running
            .wait_until("two plays are recorded", |folder| recordings(folder).len() == 2 && recorded(folder) > 200_000);
        running.signal(signal);
        let run = running.finish().expect_code(130);
        assert!(run.stdout.contains("(closed)") && run.stdout.contains("interrupted"), "{}", run.stdout);
        for path in recordings(run.folder.path()) {
            assert_eq!(read(&path).1, Some(Ending::Clean), "{}", path.display());
        }
    }
}

#[test]
fn kill_9_loses_nothing_but_the_line_in_hand() {
    for form in [&[][..], &["--compress"]] {
        let arguments = ["play", "--policy", "random", "--max-actions", "10000000"];
        let running = Arc3::new(arguments.iter().chain(form)).start();
        running.wait_until("the play is recorded", |folder| recorded(folder) > 100_000);
        running.signal("KILL");
        let run = running.finish();
        let [path] = &recordings(run.folder.path())[..] else { panic!("one recording") };
        let (steps, ending) = read(path);
        assert!(steps > 3, "{steps} steps");
        assert!(!matches!(ending, None | Some(Ending::Broken)), "{ending:?}");
    }
}

#[test]
fn a_full_disk_ends_the_play_cleanly_and_keeps_what_is_recorded() {
    let run = Arc3::limited("ulimit -f 100", ["play", "--max-actions", "1000"]).run().expect_code(1);
    assert!(run.stderr.contains("cannot record to") && run.stderr.contains("hint:"), "{}", run.stderr);
    assert!(run.stdout.contains("(closed)"), "{}", run.stdout);
    let [path] = &recordings(run.folder.path())[..] else { panic!("one recording") };
    let (steps, ending) = read(path);
    assert!(steps > 1, "{steps} steps");
    assert_eq!(ending, Some(Ending::Clean), "the broken line is taken off");
}

#[test]
fn a_restarted_server_ends_the_play_with_a_hint_and_no_second_try() {
    let gone = [Step::refusal(400, "SERVER_ERROR", "game ab12-1 not found")];
    let server = Scripted::start(Script::new().on("ACTION", [Step::Game, Step::Game]).on("ACTION", gone));
    let run = Arc3::new(["play", "ab12", "--server", &server.url(), "--max-actions", "40"]).run().expect_code(1);
    assert!(run.stderr.contains("not found") && run.stderr.contains("hint:"), "{}", run.stderr);
    assert_eq!(server.received("ACTION").len(), 3, "the refused action is not tried again");
    let [path] = &recordings(run.folder.path())[..] else { panic!("one recording") };
    assert_eq!(read(path).0, 3, "the first RESET and the two actions that were answered");
}

#[test]
fn a_lost_answer_is_told_and_the_play_goes_on() {
    let server = Scripted::start(Script::new().on("ACTION", [Step::Game, Step::DropAfterRead, Step::CutBody]));
    let arguments = ["play", "ab12", "--server", &server.url(), "--max-actions", "8", "--json"];
    let run = Arc3::new(arguments).run().expect_code(0);
    let counts = run.json()["plays"][0]["counts"].clone();
    assert_eq!((counts["actions"].as_u64(), counts["unknown"].as_u64()), (Some(8), Some(2)), "{counts}");
    assert_eq!(server.received("/api/cmd/").len(), 1 + 8, "the first RESET, and each billed action once");
}

#[test]
fn what_is_not_there_is_said_with_a_hint() {
    let nobody = format!("http://{}", Scripted::nobody());
    let cases: [(&[&str], &str); 4] = [
        (&["play", "--server", &nobody], "no ARC-AGI-3 service answers"),
        (&["play", "zz99"], "no game 'zz99'"),
        (&["play", "--config", "none.toml"], "none.toml"),
        (&["play", "--policy", "magic"], "explore"),
    ];
    for (arguments, says) in cases {
        let run = Arc3::new(arguments).run().expect_code(2);
        assert!(run.stderr.contains("error:") && run.stderr.contains(says), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{arguments:?}: nothing but data goes to stdout");
    }
}

#[test]
fn the_key_is_sent_and_never_shown() {
    const KEY: &str = "sk-0123456789-secret";
    let server = Scripted::start(Script::new().on("ACTION", [Step::html(500), Step::CutBody]));
    let arguments = ["play", "ab12", "-v", "--server", &server.url(), "--max-actions", "10"];
    let run = Arc3::new(arguments).env("ARC_API_KEY", KEY).env("ARC3_LOG", "trace").run();
    assert!(KEY.parse::<ApiKey>().is_ok());
    assert!(server.log().iter().all(|request| request.header("x-api-key") == Some(KEY)));
    let left = files(run.folder.path()).into_iter().map(|path| fs::read(path).expect("a readable file"));
    let shown = left.chain([run.stdout.into_bytes(), run.stderr.into_bytes()]);
    for text in shown {
        assert!(!String::from_utf8_lossy(&text).contains(KEY));
    }
}
