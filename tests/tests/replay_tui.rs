//! The screen, as a person at a terminal meets it. Each test drives the binary under tmux.

use std::{fs, io::Write, path::Path, process};

use env_client::{
    Action, ActionSet, Color, Command, Grid, Observation, Point, Status,
    recording::{Compression, Recorder, RecordingName},
};
use serde_json::json;
use tests::{arc3_path, tmux::Tmux};

/// The terminals that must do.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// What step `step` shows: every tenth has three layers, every twentieth solves a level.
fn observation(step: u16) -> Observation {
    Observation {
        game: "ab12-1".parse().expect("an id"),
        play: "play-1".parse().expect("an id"),
        layers: vec![Grid::filled(64, 64, Color::of((step % 16) as u8)); if step % 10 == 9 { 3 } else { 1 }],
        status: Status::NotFinished,
        levels_completed: step / 20,
        win_levels: 9,
        available: ActionSet::ALL,
        full_reset: false,
    }
}

/// A recording of a hundred clicks.
fn record(folder: &Path) -> String {
    let game = "ab12-1".parse().expect("an id");
    let play = "play-1".parse().expect("an id");
    let name = RecordingName::Agents { game, agent: "tester".to_owned(), max_actions: None, play };
    let mut recorder = Recorder::create(folder, &name, Compression::Plain).expect("a recording");
    for step in 0..=100u16 {
        let click = Point::new(step % 64, 7).expect("a point");
        let command = if step == 0 { Command::Reset } else { Action::Click(click).into() };
        let why = json!({ "policy": "tester", "why": format!("thought number {step}") });
        recorder.record(command, Some(&why), &observation(step)).expect("there is room");
    }
    recorder.finish().expect("there is room").display().to_string()
}

/// The screen once the command that was typed with `echo exit: $?` has ended.
fn exited(tmux: &Tmux) -> String {
    tmux.wait_until("an exit code", |screen| screen.lines().any(|line| line.starts_with("exit: ")))
}

#[test]
fn a_recording_is_walked_through_by_keys() {
    for size in SIZES {
        let folder = tempfile::tempdir().expect("a folder");
        let path = record(folder.path());
        let Some(tmux) = Tmux::start("a_recording_is_walked_through_by_keys", folder.path(), size) else { return };
        tmux.arc3(&format!("replay {path}"));
        tmux.wait_for("0 of 100");
        tmux.keys(&["Right"]);
        tmux.wait_for_all(&["1 of 100", "ACTION6 (1, 7)"]);
        tmux.keys(&["n"]);
        tmux.wait_for_all(&["20 of 100", "1/9"]);
        tmux.keys(&["n", "N"]);
        tmux.wait_for("20 of 100");
        tmux.keys(&["g", "5", "9", "Enter"]);
        tmux.wait_for_all(&["59 of 100", "3 of 3"]);
        tmux.keys(&["["]);
        tmux.wait_for("2 of 3");
        tmux.keys(&["]", "]"]);
        tmux.wait_for("60 of 100");
        tmux.keys(&["/", "n", "u", "m", "b", "e", "r", "Space", "7", "7", "Enter"]);
        tmux.wait_for_all(&["77 of 100", "thought number 77"]);
        tmux.keys(&["?"]);
        tmux.wait_for("next, previous level-up");
        tmux.keys(&["?", "q"]);
        tmux.wait_for("ready>");
        assert!(tmux.is_restored(), "at {size:?}");
    }
}

#[test]
fn playing_runs_to_the_end_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = record(folder.path());
    let Some(tmux) = Tmux::start("playing_runs_to_the_end_by_itself", folder.path(), (80, 24)) else { return };
    tmux.arc3(&format!("replay {path}"));
    tmux.wait_for("0 of 100");
    tmux.keys(&["+", "+", "+", "+", "Space"]);
    tmux.wait_for("100 of 100");
}

#[test]
fn the_terminal_is_given_back_after_ctrl_c_a_signal_and_a_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = record(folder.path());
    let test = "the_terminal_is_given_back_after_ctrl_c_a_signal_and_a_panic";
    let Some(tmux) = Tmux::start(test, folder.path(), (80, 24)) else { return };
    let open = || {
        tmux.line("clear");
        tmux.line(&format!("sh -c 'echo $$ > pid; exec {} replay {path}'; echo exit: $?", arc3_path().display()));
        tmux.wait_for("0 of 100");
    };
    open();
    tmux.keys(&["C-c"]);
    tmux.wait_for("exit: 130");
    assert!(tmux.is_restored(), "after Ctrl-C");
    open();
    let pid = fs::read_to_string(folder.path().join("pid")).expect("a number");
    let killed = process::Command::new("kill").args(["-TERM", pid.trim()]).status().expect("kill runs");
    assert!(killed.success());
    tmux.wait_for("exit: 130");
    assert!(tmux.is_restored(), "after SIGTERM");
    if cfg!(debug_assertions) {
        open();
        tmux.keys(&["C-p"]);
        tmux.wait_for_all(&["exit: 2", "error: arc3 ran into a defect of its own"]);
        assert!(tmux.is_restored(), "after a panic");
    }
}

#[test]
fn a_dumb_terminal_gets_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = record(folder.path());
    let Some(tmux) = Tmux::start("a_dumb_terminal_gets_a_message", folder.path(), (120, 40)) else { return };
    tmux.line("export TERM=dumb");
    tmux.arc3(&format!("replay {path}"));
    tmux.wait_for_all(&["this terminal can show lines only", "--print 120"]);
}

#[test]
fn a_folder_is_a_list_to_filter_and_choose_from() {
    let folder = tempfile::tempdir().expect("a folder");
    record(folder.path());
    fs::write(folder.path().join("broken.jsonl"), "garbage\n").expect("there is room");
    let test = "a_folder_is_a_list_to_filter_and_choose_from";
    let Some(tmux) = Tmux::start(test, folder.path(), (120, 40)) else { return };
    tmux.arc3("replay .");
    tmux.wait_until("both recordings", |screen| screen.contains("2 of 2 recordings") && screen.contains("damaged"));
    tmux.keys(&["a", "b", "1", "2"]);
    tmux.wait_for("1 of 2 recordings");
    tmux.keys(&["Enter"]);
    tmux.wait_for("0 of 100");
    tmux.keys(&["q"]);
    tmux.wait_for("filter: ab12");
    // Two at once would be read as one key with Alt.
    tmux.keys(&["Escape"]);
    tmux.wait_for("2 of 2 recordings");
    tmux.keys(&["Escape"]);
    tmux.wait_until("the shell again", |screen| screen.contains("ready>"));
    assert!(tmux.is_restored());
}

#[test]
fn a_recording_that_is_being_written_is_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = fs::read(record(folder.path())).expect("a recording");
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let path = folder.path().join("growing.jsonl");
    fs::write(&path, lines[..30].concat()).expect("there is room");
    let test = "a_recording_that_is_being_written_is_followed";
    let Some(tmux) = Tmux::start(test, folder.path(), (120, 40)) else { return };
    tmux.arc3("replay growing.jsonl");
    tmux.wait_for("0 of 29");
    tmux.keys(&["G"]);
    tmux.wait_for("29 of 29");
    let mut file = fs::File::options().append(true).open(&path).expect("a recording");
    file.write_all(&lines[30..].concat()).expect("there is room");
    tmux.wait_for("100 of 100");
}

#[test]
fn a_person_plays_and_leaves_a_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = "a_person_plays_and_leaves_a_recording";
    let Some(tmux) = Tmux::start(test, folder.path(), (120, 40)) else { return };
    tmux.arc3("play b210 --human; echo exit: $?");
    tmux.wait_for("0 of 0");
    for (key, shows) in [("Down", "ACTION2"), ("d", "ACTION4"), ("R", "RESET")] {
        tmux.keys(&[key]);
        tmux.wait_for(shows);
    }
    tmux.keys(&["q"]);
    let screen = exited(&tmux);
    assert!(screen.contains("exit: 0") && screen.contains(".human."), "{screen}");
    let mut files = fs::read_dir(folder.path().join("recordings")).expect("a folder");
    let file = files.next().expect("a recording").expect("a recording").path();
    let recording = fs::read_to_string(file).expect("text");
    assert_eq!(recording.matches("\"action_input\":").count(), 4, "the opening and three actions");
}

#[test]
fn leaving_the_screen_lets_plays_go_on_unless_it_is_asked_not_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = "leaving_the_screen_lets_plays_go_on_unless_it_is_asked_not_to";
    let Some(tmux) = Tmux::start(test, folder.path(), (120, 40)) else { return };
    tmux.arc3("play b210 g718 --watch --policy random --max-actions 3000; echo exit: $?");
    tmux.wait_until("a tab for each", |screen| screen.contains("[1 ") && screen.contains(" 2 "));
    tmux.keys(&["Tab"]);
    tmux.wait_for("[2 ");
    tmux.keys(&["q"]);
    let screen = exited(&tmux);
    assert!(screen.contains("exit: 0") && screen.matches("3000").count() >= 2, "{screen}");
    tmux.line("clear");
    tmux.arc3("play b210 --watch --policy random --max-actions 10000000; echo exit: $?");
    tmux.wait_for("[1 b210");
    tmux.keys(&["Q"]);
    assert!(exited(&tmux).contains("interrupted"));
    assert!(tmux.is_restored());
}
