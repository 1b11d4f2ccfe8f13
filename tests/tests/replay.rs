//! Recordings of others, and broken ones, as `arc3 replay` reads them without a screen.

use std::{collections::BTreeMap, fs, path::Path};

use env_client::{
    Action, ActionSet, Color, Command, Grid, Key, Observation, Status,
    recording::{Compression, Recorder, RecordingName},
};
use serde_json::{Value, json};
use tests::{Arc3, Run, repository, toolkit::Toolkit};

/// What a player was shown, by recording: answers of layers of rows of digits.
type Told = BTreeMap<String, Vec<Vec<Vec<String>>>>;

fn replay(path: &Path, options: &[&str]) -> Run {
    let path = path.to_str().expect("a path that is text");
    Arc3::new([&["replay", path], options].concat()).run()
}

/// The grid of a printed step, row by row.
fn grid(printed: &str) -> Vec<String> {
    printed.lines().skip_while(|line| !line.is_empty()).skip(1).map(str::to_owned).collect()
}

fn check_toolkit(test: &str, options: &[&str]) {
    let Some(toolkit) = Toolkit::find(test) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = toolkit.script("record.py");
    command.arg(repository().join("tests/games")).arg(folder.path()).args(options);
    let output = command.output().expect("the toolkit plays");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8_lossy(&output.stdout);
    let told: Told = serde_json::from_str(stdout.lines().last().expect("a line of JSON")).expect("what was shown");
    assert_eq!(told.len(), 3, "every game of the folder");
    for (path, answers) in told {
        let path = Path::new(&path);
        let summary = replay(path, &["--json"]).expect_code(0).json();
        assert_eq!((&summary["steps"], &summary["problems"]), (&json!(answers.len()), &json!([])));
        for (step, layers) in answers.iter().enumerate() {
            for (layer, rows) in (1..).zip(layers) {
                let (step, layer) = (step.to_string(), layer.to_string());
                let printed = replay(path, &["--print", &step, "--layer", &layer]).expect_code(0).stdout;
                assert_eq!(&grid(&printed), rows, "step {step} layer {layer} of {}", path.display());
            }
        }
    }
}

#[test]
fn recordings_of_the_toolkit_show_what_it_showed() {
    check_toolkit("recordings_of_the_toolkit_show_what_it_showed", &[]);
}

#[test]
fn recordings_of_the_toolkits_server_show_what_it_showed() {
    check_toolkit("recordings_of_the_toolkits_server_show_what_it_showed", &["--server"]);
}

/// A recording of five steps.
fn recorded(folder: &Path, compression: Compression) -> std::path::PathBuf {
    let name = RecordingName::Agents {
        game: "ab12-1".parse().expect("an id"),
        agent: "tester".to_owned(),
        max_actions: Some(9),
        play: "play-1".parse().expect("an id"),
    };
    let mut recorder = Recorder::create(folder, &name, compression).expect("a recording");
    for step in 0..5u8 {
        let seen = Observation {
            game: "ab12-1".parse().expect("an id"),
            play: "play-1".parse().expect("an id"),
            layers: vec![Grid::filled(64, 64, Color::of(step))],
            status: Status::NotFinished,
            levels_completed: u16::from(step > 2),
            win_levels: 3,
            available: ActionSet::ALL,
            full_reset: false,
        };
        let command = if step == 0 { Command::Reset } else { Action::Key(Key::Key1).into() };
        recorder.record(command, Some(&json!({ "why": "so" })), &seen).expect("there is room");
    }
    recorder.finish().expect("there is room")
}

/// The lines of a recording, to be bent.
fn lines(folder: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(recorded(folder, Compression::Plain)).expect("a recording");
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// How a recording can be broken: the lines it is made of become bytes, of which so many steps and so many problems
/// are left, and the first of these says so.
type Damage = (fn(Vec<Vec<u8>>) -> Vec<u8>, usize, usize, &'static str);

const DAMAGES: [Damage; 6] = [
    (|lines| lines.concat()[..lines.concat().len() - 50].to_vec(), 4, 1, "the file ends within this line"),
    (
        |lines| [&lines[..2].concat(), &b"garbage\xff\x00\n"[..], &lines[2..].concat()].concat(),
        5,
        1,
        "it begins: garbage",
    ),
    (|lines| replaced(&lines, "[[[1,1,", "[[[1,"), 4, 1, "64 cells where the first row has 63"),
    (|lines| replaced(&lines, r#""state":"NOT_FINISHED","#, ""), 4, 1, "missing field `state`"),
    (|_| Vec::new(), 0, 0, ""),
    (|_| (0..4000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 9) as u8 | 0x80).collect(), 0, 1, "the file ends"),
];

fn replaced(lines: &[Vec<u8>], old: &str, new: &str) -> Vec<u8> {
    let text = String::from_utf8(lines.concat()).expect("a recording is text");
    text.replacen(old, new, 1).into_bytes()
}

#[test]
fn broken_recordings_open_as_far_as_they_can_and_say_what_is_wrong_where() {
    for (number, (damage, steps, problems, says)) in DAMAGES.into_iter().enumerate() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("broken.jsonl");
        fs::write(&path, damage(lines(folder.path()))).expect("there is room");
        let summary = replay(&path, &["--json"]).expect_code(0).json();
        assert_eq!(summary["steps"], json!(steps), "{number}: {summary:#}");
        let told: &Vec<Value> = summary["problems"].as_array().expect("a list");
        assert_eq!(told.len(), problems, "{number}: {told:?}");
        assert!(told.iter().all(|problem| problem["line"].is_u64() && problem["byte"].is_u64()), "{told:?}");
        assert!(says.is_empty() || told[0]["problem"].as_str().is_some_and(|text| text.contains(says)), "{told:?}");
        let printed = replay(&path, &["--print", "0"]);
        assert_eq!(printed.code, Some(if steps == 0 { 2 } else { 0 }), "{}", printed.stderr);
        assert!(!printed.stderr.contains("panic") && !printed.stderr.contains("defect"), "{}", printed.stderr);
    }
}

#[test]
fn a_packed_recording_is_the_same_recording() {
    let (plain, packed) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let print = |path: &Path| grid(&replay(path, &["--print", "3"]).expect_code(0).stdout);
    let path = recorded(plain.path(), Compression::Plain);
    assert_eq!(print(&path), print(&recorded(packed.path(), Compression::Zstd)));
    assert_eq!(print(&path), vec!["3".repeat(64); 64]);
}

#[test]
fn pictures_are_made_without_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = recorded(folder.path(), Compression::Plain);
    let out = |name: &str| folder.path().join(name).display().to_string();
    for (name, options, begins) in [
        ("play.gif", &["--range", "1..4"][..], &b"GIF89a"[..]),
        ("step.png", &["--step", "2"], b"\x89PNG"),
        ("sheet.png", &[], b"\x89PNG"),
    ] {
        let name = out(name);
        let run = replay(&path, &[&["--export", &name], options].concat()).expect_code(0);
        assert_eq!(run.stdout.trim(), name);
        assert!(fs::read(&name).expect("a picture").starts_with(begins));
    }
    let run = replay(&path, &["--export", &out("pictures")]).expect_code(0);
    assert_eq!(run.stderr, "", "a second is not over");
    assert_eq!(fs::read_dir(out("pictures")).expect("a folder").count(), 5);
    let error = replay(&path, &["--export", &out("x.png"), "--step", "9"]).expect_code(2).stderr;
    assert!(error.contains("there is no step 9, expected 0 to 4"), "{error}");
}

#[test]
fn a_screen_needs_a_terminal_and_says_what_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = replay(&recorded(folder.path(), Compression::Plain), &[]).expect_code(2).stderr;
    assert!(error.contains("needs a terminal") && error.contains("--print"), "{error}");
}
