//! What is in a file, and what is wrong with it.

use env_client::recording::{Ending, Reader};

use super::*;
use crate::replay::{Ended, EntryError, Summary, folder, print::Page};

#[test]
fn any_step_of_a_recording_is_the_one_the_reader_gives() {
    for compression in [Compression::Plain, Compression::Zstd] {
        let folder = tempfile::tempdir().unwrap();
        let path = record(folder.path(), 40, compression);
        let mut archive = read(&path);
        let entries: Vec<_> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(archive.index().marks.len(), 40);
        for step in [39, 0, 6, 7, 39, 20] {
            assert_eq!(*archive.entry(step).unwrap(), entries[step]);
        }
        let error = archive.entry(40).unwrap_err();
        assert!(matches!(error, EntryError::NoStep { step: 40, last: Some(39) }), "{error}");
    }
}

#[test]
fn a_summary_counts_as_a_scorecard_does() {
    let (_folder, path) = recorded(23);
    let summary = Summary::of(&mut read(&path));
    assert_eq!((summary.game.as_deref(), summary.policy.as_deref()), (Some("ab12-1"), Some("tester")));
    assert_eq!((summary.levels_completed, summary.win_levels, summary.state), (4, 7, Some(Status::GameOver)));
    assert_eq!((summary.steps, summary.actions, summary.resets), (23, 22, 0), "the opening RESET is free");
    assert_eq!((summary.unknown, summary.surprises, summary.ended), (1, 1, Ended::Clean));
    assert_eq!(summary.actions_by_level, [5, 5, 5, 5, 2]);
    assert_eq!(summary.problems, []);
}

#[test]
fn a_recording_that_grows_is_followed() {
    for compression in [Compression::Plain, Compression::Zstd] {
        let folder = tempfile::tempdir().unwrap();
        let bytes = fs::read(record(folder.path(), 30, compression)).unwrap();
        let path = folder.path().join("growing.jsonl");
        fs::write(&path, &bytes[..bytes.len() / 3]).unwrap();
        let mut archive = Archive::open(&path, Follow::Yes).unwrap();
        archive.wait();
        let known = archive.index().marks.len();
        assert!(known < 30);
        append(&path, &bytes[bytes.len() / 3..]);
        while archive.index().marks.len() < 30 {
            archive.pull();
            std::thread::yield_now();
        }
        assert_eq!(layers_at(&mut archive, 27), 3);
    }
}

#[test]
fn a_last_line_without_a_newline_counts_once_if_it_is_whole() {
    let (_folder, path) = recorded(3);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let mut archive = Archive::open(&path, Follow::Yes).unwrap();
    archive.wait();
    assert_eq!((archive.index().marks.len(), archive.index().ending), (3, Some(Ending::Clean)));
    append(&path, &[b"\n", &bytes[..]].concat());
    while archive.index().marks.len() < 6 {
        archive.pull();
        std::thread::yield_now();
    }
    assert_eq!(archive.index().marks[3].line, 4);
}

#[test]
fn a_cut_line_is_told_and_everything_before_it_opens() {
    let (_folder, path) = recorded(3);
    let bytes = fs::read(&path).unwrap();
    let (_folder, archive) = read_bytes(&bytes[..bytes.len() - 100]);
    assert_eq!(archive.index().marks.len(), 2);
    let summary = Summary::of_index(archive.path(), archive.index());
    assert_eq!((summary.ended, summary.problems[0].line), (Ended::Cut, 3));
    let before = bytes.split_inclusive(|byte| *byte == b'\n').take(2).map(<[u8]>::len).sum::<usize>();
    assert_eq!(summary.problems[0].byte, before as u64);
}

/// Text of a whole recording with `old` once replaced by `new`.
fn bent(old: &str, new: &str) -> Vec<u8> {
    let (_folder, path) = recorded(4);
    fs::read_to_string(path).unwrap().replacen(old, new, 1).into_bytes()
}

#[test]
fn every_kind_of_damage_is_named_by_line_and_byte_and_the_rest_opens() {
    let wrong: [(&str, &str, &str); 5] = [
        (r#""frame":[[[7"#, r#""frame":[[[16"#, "colour 16"),
        (r#""frame":[[[7,"#, r#""frame":[[["#, "row 1 has 64 cells where the first row has 63"),
        (r#""state":"NOT_FINISHED","#, "", "missing field `state`"),
        (r#""guid":"p-1","#, "", "field `guid` is missing"),
        (r#"{"timestamp""#, r#"\x00garbage{"timestamp""#, "it begins:"),
    ];
    for (old, new, says) in wrong {
        let (_folder, archive) = read_bytes(&bent(old, new));
        let index = archive.index();
        assert_eq!((index.marks.len(), index.problems.len()), (3, 1), "{new}: {:?}", index.problems);
        assert!(index.problems[0].problem.contains(says), "{says}: {}", index.problems[0]);
        assert_eq!((index.problems[0].line, index.problems[0].byte), (1, 0));
        assert_eq!(index.marks[0].line, 2);
    }
}

#[test]
fn an_empty_file_and_one_that_is_no_recording_open_with_nothing_to_show() {
    let (_folder, mut archive) = read_bytes(b"");
    assert_eq!(archive.index().ending, Some(Ending::Clean));
    assert_eq!(archive.entry(0).unwrap_err().to_string(), "there is no step 0, the recording has none");
    let binary: Vec<u8> = (0..50_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (_folder, archive) = read_bytes(&binary);
    let index = archive.index();
    assert_eq!(index.marks.len(), 0);
    assert!(!index.problems.is_empty() || index.ending_problem().is_some());
    assert!(index.problems.len() as u64 + index.more_problems > 100, "a problem a line");
    assert!(
        index.problems.iter().all(|problem| !problem.problem.contains(char::is_control)),
        "nothing that upsets a terminal"
    );
}

#[test]
fn damaged_packing_is_told_and_what_came_before_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), 30, Compression::Zstd);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].iter_mut().for_each(|byte| *byte = !*byte);
    let (_folder, mut archive) = read_bytes(&bytes);
    let known = archive.index().marks.len();
    assert!((1..30).contains(&known), "{known}");
    assert!(!Summary::of_index(archive.path(), archive.index()).problems.is_empty());
    assert_eq!(layers_at(&mut archive, 0), 1);
}

#[test]
fn a_page_is_a_step_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let line = r#"{"timestamp":"2026-01-10T17:25:09+00:00","data":{"game_id":"ab12-1","frame":[[[0,1],[14,15]],[[2,2],[3,3]]],"state":"NOT_FINISHED","score":1,"action_input":{"id":"ACTION6","data":{"x":1,"y":2},"reasoning":{"why":"so"}},"guid":"g"}}"#;
    let path = folder.path().join("x.jsonl");
    fs::write(&path, line).unwrap();
    let page = |layer| Page::new(&mut read(&path), 0, layer);
    let text = page(Some(1)).unwrap().to_string().replace(&path.display().to_string(), "FILE");
    insta::assert_snapshot!(text, @r#"
    file      FILE
    step      0 of 0
    line      1 (at byte 0)
    time      2026-01-10T17:25:09Z
    game      ab12-1
    play      g
    command   ACTION6 (1, 2)
    state     NOT_FINISHED
    levels    1/0
    layer     1 of 2, 2x2
    reasoning {"why":"so"}

    01
    ef
    "#);
    assert!(page(None).unwrap().to_string().ends_with("\n22\n33\n"));
    assert_eq!(page(Some(3)).unwrap_err().to_string(), "step 0 has no layer 3, expected 1 to 2");
    assert_eq!(page(Some(0)).unwrap_err().to_string(), "step 0 has no layer 0, expected 1 to 2");
}

#[test]
fn a_lost_answer_prints_without_a_grid() {
    let (_folder, path) = recorded(8);
    let text = Page::new(&mut read(&path), 6, None).unwrap().to_string();
    assert!(text.contains("command   ACTION6 (6, 3)\noutcome   unknown: timed out\n"), "{text}");
    assert_eq!(text.lines().count(), 9);
}

#[test]
fn a_folder_lists_both_customs_of_naming() {
    let folder = tempfile::tempdir().unwrap();
    let agents = record(folder.path(), 3, Compression::Plain);
    let card = folder.path().join("card-1");
    fs::create_dir(&card).unwrap();
    let toolkit = card.join("ab12-1-p-1.jsonl");
    fs::copy(&agents, &toolkit).unwrap();
    fs::write(folder.path().join("other.txt"), "x").unwrap();
    assert_eq!(folder::recordings(folder.path()).unwrap(), [agents, toolkit.clone()]);
    assert_eq!(folder::summarize(&toolkit).policy.as_deref(), Some("tester"), "from the reasoning");
    let gone = folder::summarize(&folder.path().join("gone.jsonl"));
    assert!(gone.problems[0].problem.contains("cannot read the recording"), "{:?}", gone.problems);
}
