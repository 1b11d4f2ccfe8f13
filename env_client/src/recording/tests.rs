//! What is written reads back, and what happened to a file in between costs no more than it must.

use std::{
    cell::RefCell,
    fs,
    io::{self, Cursor, Write},
    path::{Path, PathBuf},
    rc::Rc,
};

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{Action, ActionSet, Color, Command, Grid, Key, Observation, Point, Status, wire::ActionInput};

const BOTH: [Compression; 2] = [Compression::Plain, Compression::Zstd];

fn observation(step: u8) -> Observation {
    Observation {
        game: "ab12-1".parse().unwrap(),
        play: "p-1".parse().unwrap(),
        layers: vec![Grid::filled(5, 3, Color::of(step % 16)); usize::from(step % 3)],
        status: Status::NotFinished,
        levels_completed: step.into(),
        win_levels: 7,
        available: ActionSet::ALL,
        full_reset: step == 0,
    }
}

fn command(step: u8) -> Command {
    match step % 3 {
        0 => Command::Reset,
        1 => Action::Key(Key::Key7).into(),
        _ => Action::Click(Point::new(step % 64, 63).unwrap()).into(),
    }
}

/// Memory with room for so many bytes, as a disk has; several handles look at one.
#[derive(Clone, Default)]
struct Disk {
    bytes: Rc<RefCell<Vec<u8>>>,
    room: Option<usize>,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.bytes.borrow_mut();
        let room = self.room.map_or(bytes.len(), |room| room - kept.len()).min(bytes.len());
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        kept.extend_from_slice(&bytes[..room]);
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Medium for Disk {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.bytes.borrow_mut().truncate(length as usize);
        Ok(())
    }
}

/// What a recording left on a disk.
struct Left {
    bytes: Vec<u8>,
    /// Length of the file after each acknowledged line.
    ends: Vec<usize>,
    error: Option<RecordError>,
}

/// Records so many steps, or until the disk is full.
fn record(steps: u8, compression: Compression, room: Option<usize>) -> Left {
    let disk = Disk { room, ..Disk::default() };
    let (mut ends, mut error) = (Vec::new(), None);
    match Recorder::over(disk.clone(), PathBuf::from("disk"), compression) {
        Ok(mut recorder) => {
            for step in 0..steps {
                match recorder.record(command(step), Some(&json!({"step": step})), &observation(step)) {
                    Ok(()) => ends.push(disk.bytes.borrow().len()),
                    Err(failed) => error = error.or(Some(failed)),
                }
            }
            assert_eq!(recorder.lines(), ends.len() as u64);
        }
        Err(failed) => error = Some(failed),
    }
    Left { bytes: disk.bytes.take(), ends, error }
}

/// Where each line of a text begins.
fn line_starts(text: &[u8]) -> Vec<usize> {
    let after_newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(after_newlines).collect()
}

fn read(bytes: &[u8]) -> (Vec<Entry>, Vec<LineError>, Ending) {
    let mut reader = Reader::unpacking(Cursor::new(bytes.to_vec())).unwrap();
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    for item in &mut reader {
        match item {
            Ok(entry) => entries.push(entry),
            Err(error) => errors.push(error),
        }
    }
    assert!(reader.next().is_none(), "the end is the end");
    (entries, errors, reader.ending().unwrap())
}

fn is_step(entry: &Entry, step: u8) -> bool {
    let input = ActionInput::new(command(step), Some(json!({"step": step})));
    entry.event == Event::Seen { input, observation: observation(step) }
}

#[test]
fn what_was_recorded_reads_back() {
    for compression in BOTH {
        let folder = tempfile::tempdir().unwrap();
        let (card, game, play) = ("c".parse().unwrap(), "ab12-1".parse().unwrap(), "p-1".parse().unwrap());
        let name = RecordingName::Toolkit { card, game, play };
        let mut recorder = Recorder::create(folder.path(), &name, compression).unwrap();
        for step in 0..20 {
            recorder.record(command(step), Some(&json!({"step": step})), &observation(step)).unwrap();
        }
        let (game, play) = ("ab12-1".parse().unwrap(), "p-1".parse().unwrap());
        recorder.record_unknown(&game, &play, command(2), None, "timed out").unwrap();
        recorder.note(&json!({"won": 1})).unwrap();
        assert_eq!(recorder.lines(), 22);
        let path = recorder.finish().unwrap();

        let mut reader = Reader::open(&path).unwrap();
        let entries: Vec<Entry> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(reader.ending(), Some(Ending::Clean));
        assert_eq!(entries.len(), 22);
        assert!((0..20).all(|step| is_step(&entries[usize::from(step)], step)));
        assert!(entries.iter().all(|entry| entry.at.is_some()));
        assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), (1..=22).collect::<Vec<_>>());
        let Event::Unknown(unknown) = &entries[20].event else { panic!("{:?}", entries[20]) };
        assert_eq!((unknown.command.command(), unknown.cause.as_str()), (Some(command(2)), "timed out"));
        assert_eq!(entries[21].event, Event::Note(json!({"won": 1})));
    }
}

#[test]
fn a_recording_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let (card, game, play) = ("c".parse().unwrap(), "ab12-1".parse().unwrap(), "p-1".parse().unwrap());
    let name = RecordingName::Toolkit { card, game, play };
    let create = || Recorder::create(folder.path(), &name, Compression::Plain);
    create().unwrap().note(&1).unwrap();
    let error = create().unwrap_err();
    assert_eq!(error.source.kind(), io::ErrorKind::AlreadyExists);
    assert!(error.to_string().contains("c/ab12-1-p-1.jsonl"), "{error}");
}

#[test]
fn every_cut_costs_the_cut_line_only() {
    let bytes = record(6, Compression::Plain, None).bytes;
    for length in 0..=bytes.len() {
        let cut = &bytes[..length];
        let starts = line_starts(cut);
        let whole = starts.len() - 1;
        let rest = length - starts[whole];
        let (entries, errors, ending) = read(cut);
        assert!(errors.is_empty());
        if bytes[length..].first() == Some(&b'\n') {
            assert_eq!((entries.len(), ending), (whole + 1, Ending::Clean), "only the newline is missing");
        } else {
            assert_eq!(entries.len(), whole);
            let line = whole as u64 + 1;
            assert_eq!(ending, if rest == 0 { Ending::Clean } else { Ending::Cut { line, bytes: rest as u64 } });
        }
    }
}

#[test]
fn every_cut_of_a_packed_recording_keeps_the_lines_whose_blocks_are_whole() {
    let Left { bytes, ends, .. } = record(6, Compression::Zstd, None);
    // Fewer than four bytes do not tell that they are packed.
    for length in 4..=bytes.len() {
        let safe = ends.iter().filter(|end| **end <= length).count();
        let (entries, errors, ending) = read(&bytes[..length]);
        assert!(errors.is_empty(), "{errors:?}");
        assert!(entries.len() >= safe, "{} of {safe} lines from {length} bytes", entries.len());
        assert!(entries.iter().zip(0..).all(|(entry, step)| is_step(entry, step)));
        assert!(matches!(ending, Ending::Unfinished | Ending::Cut { .. }), "{ending:?}");
    }
}

#[test]
fn a_full_disk_stops_the_recording_and_keeps_every_line_before() {
    for compression in BOTH {
        // Timestamps make the length differ by a few bytes from run to run.
        for room in 0..record(8, compression, None).bytes.len() - 100 {
            let Left { bytes, ends, error } = record(8, compression, Some(room));
            let (error, lines) = (error.unwrap(), ends.len() as u64);
            assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
            assert_eq!(error.lines, lines);
            assert!(error.to_string().starts_with("cannot record to disk: "), "{error}");
            let (entries, errors, ending) = read(&bytes);
            assert!(errors.is_empty() && !matches!(ending, Ending::Cut { .. }), "{ending:?} with room for {room}");
            assert_eq!(entries.len() as u64, lines, "with room for {room}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_full_device_is_reported_by_name() {
    for compression in BOTH {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut recorder = Recorder::over(full, PathBuf::from("/dev/full"), compression).unwrap();
        let error = recorder.record(Command::Reset, None, &observation(1)).unwrap_err();
        assert!(error.to_string().starts_with("cannot record to /dev/full: No space left on device"), "{error}");
        let again = recorder.record(Command::Reset, None, &observation(1)).unwrap_err();
        assert!(again.to_string().contains("stopped at an earlier error"), "{again}");
        assert!(recorder.finish().is_err());
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let occupied = folder.path().join("file");
    fs::write(&occupied, "x").unwrap();
    let (card, game, play) = ("c".parse().unwrap(), "ab12-1".parse().unwrap(), "p-1".parse().unwrap());
    let name = RecordingName::Toolkit { card, game, play };
    let error = Recorder::create(&occupied, &name, Compression::Plain).unwrap_err();
    assert!(error.to_string().contains("file/c/ab12-1-p-1.jsonl"), "{error}");
    assert!(Reader::open(Path::new("/no/such/file")).unwrap_err().to_string().contains("/no/such/file"));
}

#[test]
fn garbage_is_named_by_place_and_passed_over() {
    let bytes = record(2, Compression::Plain, None).bytes;
    let newline = line_starts(&bytes)[1];
    let garbage: [&[u8]; 4] = [b"{\"timestamp\": \"now\", \"data\"\n", b"\xff\x00\x1b\n", b"[1]\n", b"\n"];
    let text = [&bytes[..newline], &garbage.concat(), &bytes[newline..]].concat();
    let (entries, errors, ending) = read(&text);
    assert!(is_step(&entries[0], 0) && is_step(&entries[1], 1) && entries.len() == 2);
    assert_eq!(entries[1].line, 6);
    assert_eq!(entries[1].offset as usize, newline + garbage.concat().len());
    assert_eq!(ending, Ending::Clean);
    let places: Vec<_> = errors.iter().map(|error| (error.line, error.offset as usize)).collect();
    assert_eq!(places, [(2, newline), (3, newline + garbage[0].len()), (4, newline + garbage[..2].concat().len())]);
    insta::assert_snapshot!(
        errors[2].problem,
        @"expected a JSON object with `timestamp` and `data`: invalid length 1, expected struct Line with 2 elements at line 1 column 3; it begins: [1]\\n"
    );
}

#[test]
fn a_frame_that_breaks_the_protocol_says_where() {
    let line = br#"{"timestamp":"x","data":{"game_id":"a","guid":"g","state":"WIN","frame":[[[1]],[[16]]],"action_input":null}}"#;
    let (_, errors, _) = read(&[line.as_slice(), b"\n"].concat());
    let text = errors[0].to_string();
    assert!(
        text.starts_with("line 1 (at byte 0)") && text.contains("frame[1]") && text.contains("colour 16"),
        "{text}"
    );
}

#[test]
fn recordings_of_the_official_agents_and_of_the_toolkit_are_read() {
    let agents = r#"{"timestamp":"2025-07-10T17:25:09.123456+00:00","data":{"game_id":"ab12-1","frame":[[[0]]],"state":"NOT_FINISHED","score":1,"action_input":{"id":"ACTION6","data":{"x":1,"y":2,"game_id":"ab12-1"},"reasoning":null},"guid":"g","full_reset":false}}"#;
    let toolkit = r#"{"timestamp": "2026-01-10T17:25:09.123456+00:00", "data": {"game_id": "ab12-1", "state": "WIN", "levels_completed": 2, "win_levels": 7, "action_input": {"id": "ACTION1", "data": {}, "reasoning": "{}"}, "guid": "g", "full_reset": false, "available_actions": [1, 2]}}"#;
    let card = r#"{"timestamp":"2025-07-10T17:25:10+00:00","data":{"won":0,"played":1,"total_actions":80,"score":1,"cards":{}}}"#;
    let (entries, errors, _) = read([agents, toolkit, card].join("\n").as_bytes());
    assert!(errors.is_empty(), "{errors:?}");
    let Event::Seen { input, observation } = &entries[0].event else { panic!() };
    assert_eq!(input.command(), Some(Action::Click(Point::new(1, 2).unwrap()).into()));
    assert_eq!(observation.levels_completed, 1);
    let Event::Seen { observation, .. } = &entries[1].event else { panic!() };
    assert_eq!((observation.win_levels, observation.layers.len()), (7, 0), "the toolkit may leave frames out");
    assert!(matches!(entries[2].event, Event::Note(_)));
    assert!(entries.iter().all(|entry| entry.at.is_some()));
}

#[test]
fn a_damaged_packed_recording_is_read_in_order_and_its_end_is_told() {
    let Left { mut bytes, ends, .. } = record(6, Compression::Zstd, None);
    for byte in &mut bytes[ends[1]..] {
        *byte = !*byte;
    }
    let (entries, errors, ending) = read(&bytes);
    assert!(entries.iter().zip(0..).all(|(entry, step)| is_step(entry, step)));
    assert!(
        (errors.len() == 1 && ending == Ending::Broken) || matches!(ending, Ending::Cut { .. } | Ending::Unfinished),
        "{errors:?} {ending:?}"
    );
}

#[test]
fn an_endless_line_costs_no_memory_and_is_skipped() {
    let good = record(1, Compression::Plain, None).bytes;
    let text = [vec![b'x'; 3000], b"\n".to_vec(), good.clone(), vec![0; 5000]].concat();
    let mut reader = Reader::with_limit(text.as_slice(), 2000);
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error.problem, LineProblem::TooLong), "{error}");
    let entry = reader.next().unwrap().unwrap();
    assert_eq!((entry.line, entry.offset), (2, 3001));
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..400), packed in any::<bool>()) {
        let bytes = if packed { zstd::encode_all(bytes.as_slice(), 1).unwrap() } else { bytes };
        let (_, errors, _) = read(&bytes);
        prop_assert!(errors.iter().all(|error| error.line > 0 && !error.to_string().is_empty()));
    }

    #[test]
    fn damage_to_some_bytes_costs_the_lines_they_are_in(damage in prop::collection::btree_map(0usize..100_000, any::<u8>(), 0..4)) {
        let mut bytes = record(12, Compression::Plain, None).bytes;
        let whole = bytes.clone();
        let length = bytes.len();
        let mut hit = std::collections::BTreeSet::new();
        for (at, byte) in damage {
            let at = at % length;
            // A lost newline joins two lines, a new one parts one; both touch only the lines at that place.
            let line = line_starts(&whole[..at]).len() - 1;
            hit.extend([line, line + usize::from(whole[at] == b'\n')]);
            bytes[at] = byte;
        }
        let (entries, ..) = read(&bytes);
        for step in (0..12u8).filter(|step| !hit.contains(&usize::from(*step))) {
            prop_assert!(entries.iter().any(|entry| is_step(entry, step)), "line {step} is lost");
        }
    }
}
