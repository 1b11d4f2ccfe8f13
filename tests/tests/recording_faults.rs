//! What the disk or a killed process does to a recording costs no line that was written.

use std::{fs, path::PathBuf, process, time::Duration};

use env_client::recording::{Compression, Ending, Event, Reader, Recorder, RecordingName};
use serde_json::json;

const MS: Duration = Duration::from_millis(1);

/// The file of this test's play.
fn name() -> RecordingName {
    let play = "play-1".parse().expect("an id");
    let game = "ab12-1".parse().expect("an id");
    RecordingName::Agents { game, agent: "faults".to_owned(), max_actions: Some(9), play }
}

#[test]
fn a_full_disk_stops_the_recording_with_a_clear_message() {
    let full = fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
    let mut recorder = Recorder::over(full, PathBuf::from("/dev/full"), Compression::Plain).expect("no byte yet");
    let error = recorder.note(&json!({})).expect_err("no space");
    assert!(error.to_string().starts_with("cannot record to /dev/full: No space left on device"), "{error}");
}

/// Set in the process that is killed: where it records.
const VICTIM: &str = "ARC3_TEST_RECORD_UNTIL_KILLED";

/// No test of its own: what the killed process runs. It tells every line that is safe.
#[test]
#[ignore = "runs until it is killed"]
fn record_until_killed() {
    let folder = PathBuf::from(std::env::var_os(VICTIM).expect("started by the test below"));
    let compression = if folder.ends_with("zstd") { Compression::Zstd } else { Compression::Plain };
    let mut recorder = Recorder::create(&folder, &name(), compression).expect("a recording");
    for number in 0u64.. {
        recorder.note(&json!({ "number": number, "ballast": vec![number % 16; 4096] })).expect("there is room");
        fs::write(folder.join("safe"), recorder.lines().to_string()).expect("there is room");
    }
}

#[test]
fn kill_9_in_the_middle_of_a_recording_loses_no_line_that_was_written() {
    for (packing, compression) in [("plain", Compression::Plain), ("zstd", Compression::Zstd)] {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join(packing);
        fs::create_dir(&folder).expect("a folder");
        let mut victim = process::Command::new(std::env::current_exe().expect("this test"))
            .args(["record_until_killed", "--exact", "--ignored"])
            .env(VICTIM, &folder)
            .stdout(process::Stdio::null())
            .spawn()
            .expect("a process to kill");
        let safe = || fs::read_to_string(folder.join("safe")).ok().and_then(|text| text.parse::<u64>().ok());
        while safe().is_none_or(|lines| lines < 30) {
            assert!(victim.try_wait().expect("a state").is_none(), "it records until it is killed");
            std::thread::sleep(MS);
        }
        victim.kill().expect("SIGKILL");
        victim.wait().expect("its end");

        let mut reader = Reader::open(&folder.join(name().path(compression))).expect("a recording");
        let numbers: Vec<u64> = reader
            .by_ref()
            .map(|entry| match entry.expect("whole lines only").event {
                Event::Note(note) => note["number"].as_u64().expect("a number"),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
        // The counter may have been cut off by the kill itself; the line it tells of was written before.
        assert!(numbers.len() as u64 >= safe().unwrap_or(30), "{} of {:?}", numbers.len(), safe());
        assert_ne!(reader.ending(), Some(Ending::Broken));
    }
}
