//! Recordings as they are found: whole, packed, growing, broken.

mod files;
mod pictures;

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use env_client::{
    Action, ActionSet, Color, Command, Grid, Key, Observation, Point, Status,
    recording::{Compression, Recorder, RecordingName},
};
use serde_json::json;
use tempfile::TempDir;

use super::{Archive, Follow, layers};

/// What a test recording shows after so many steps: a level is solved by every fifth step, every seventh has an
/// animation, the last one loses.
pub(crate) fn observation(step: usize, last: usize) -> Observation {
    let layer = |number: usize| {
        let mut grid = Grid::filled(64, 64, Color::of((step % 16) as u8));
        grid.set(Point::new((step % 64) as u8, number as u8).unwrap(), Color::of(((step + 7) % 16) as u8));
        grid
    };
    Observation {
        game: "ab12-1".parse().unwrap(),
        play: "p-1".parse().unwrap(),
        layers: (0..if step % 7 == 6 { 3 } else { 1 }).map(layer).collect(),
        status: if step == last { Status::GameOver } else { Status::NotFinished },
        levels_completed: (step / 5) as u16,
        win_levels: 7,
        available: ActionSet::ALL,
        full_reset: step == 0,
    }
}

/// What was sent: a RESET, then keys and clicks.
pub(crate) fn command(step: usize) -> Command {
    match step {
        0 => Command::Reset,
        step if step % 2 == 0 => Action::Click(Point::new((step % 64) as u8, 3).unwrap()).into(),
        _ => Action::Key(Key::Key1).into(),
    }
}

/// A recording of `steps` steps; the sixth answer is lost, the eighth was a surprise.
pub(crate) fn record(folder: &Path, steps: usize, compression: Compression) -> PathBuf {
    let game = "ab12-1".parse().unwrap();
    let play = "p-1".parse().unwrap();
    let name = RecordingName::Agents { game, agent: "tester".to_owned(), max_actions: None, play };
    let mut recorder = Recorder::create(folder, &name, compression).unwrap();
    for step in 0..steps {
        let mut thought = json!({ "policy": "tester", "why": format!("step {step}") });
        if step == 8 {
            thought["surprise"] = true.into();
        }
        if step == 9 {
            let expected = json!({ "changed": 3, "patches": [[0, 0, 3, 1, 9]] });
            thought["expected"] = expected;
            (thought["who"], thought["goal"]) = ("search".into(), "touch the door".into());
            (thought["confidence"], thought["looked_at"], thought["ms"]) = (0.97.into(), 64.into(), 3.24.into());
        }
        if step == 6 {
            let (game, play) = ("ab12-1".parse().unwrap(), "p-1".parse().unwrap());
            recorder.record_unknown(&game, &play, command(step), Some(&thought), "timed out").unwrap();
        } else {
            recorder.record(command(step), Some(&thought), &observation(step, steps - 1)).unwrap();
        }
    }
    recorder.finish().unwrap()
}

/// A recording of so many steps in a folder of its own.
pub(crate) fn recorded(steps: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), steps, Compression::Plain);
    (folder, path)
}

/// The recording read to its end.
fn read(path: &Path) -> Archive {
    let mut archive = Archive::open(path, Follow::No).unwrap();
    archive.wait();
    archive
}

/// A file of these bytes, read to its end.
fn read_bytes(bytes: &[u8]) -> (TempDir, Archive) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.recording.jsonl");
    fs::write(&path, bytes).unwrap();
    (folder, read(&path))
}

/// Adds to a file.
fn append(path: &Path, bytes: &[u8]) {
    fs::File::options().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

/// The number of layers at a step.
fn layers_at(archive: &mut Archive, step: usize) -> usize {
    layers(&archive.entry(step).unwrap()).len()
}
