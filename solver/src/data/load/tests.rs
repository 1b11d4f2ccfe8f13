use std::{
    fs::{self, File},
    io::Write as _,
    path::PathBuf,
};

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

const TASK: &str = r#"{"train":[{"input":[[1]],"output":[[2]]}],"test":[{"input":[[3]]}]}"#;

#[test]
fn a_kaggle_file_takes_its_answers_from_the_file_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let challenges = write(&folder, "x_challenges.json", &format!(r#"{{"b":{TASK},"a":{TASK}}}"#));
    assert_eq!(tasks(&challenges).unwrap()[0].test[0].output, None);
    write(&folder, "x_solutions.json", r#"{"a":[[[4]]],"b":[[[5]]]}"#);
    let read = tasks(&challenges).unwrap();
    let outputs = read.iter().map(|task| task.test[0].output.clone().unwrap().to_string());
    assert_eq!(outputs.collect::<Vec<_>>(), ["4\n", "5\n"]);
}

#[test]
fn a_folder_names_its_tasks_after_their_files() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "b.json", TASK);
    write(&folder, "a.json", TASK);
    let ids = tasks(folder.path()).unwrap().into_iter().map(|task| task.id);
    assert_eq!(ids.collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let error = |text: &str| tasks(&write(&folder, "bad_challenges.json", text)).unwrap_err().to_string();
    let tall = serde_json::to_string(&vec![[1]; 31]).unwrap();
    let large = error(&format!(r#"{{"t":{{"train":[{{"input":{tall},"output":[[1]]}}],"test":[]}}}}"#));
    assert!(large.contains("task t: train[0].input is 1x31"), "{large}");
    let colour = error(r#"{"t":{"train":[{"input":[[1]],"output":[[10]]}],"test":[]}}"#);
    assert!(colour.contains("train[0].output holds colour a"), "{colour}");
    assert!(error(r#"{"t":{"train":[{"input":[[1]]}],"test":[]}}"#).contains("train[0].output is missing"));
    assert!(error(r#"{"t":{"train":[],"test":[]}}"#).contains("no train pairs"));
    assert!(error("[1]").contains("is no ARC data"));
    let missing = tasks(&folder.path().join("none.json")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read"), "{missing}");
}

/// The number of faults and `<kind> <task>:<pairs>+<test pairs>` of everything below a folder.
fn all(root: &Path, rule: OnFault) -> Result<(usize, Vec<String>), LoadError> {
    let mut faults = Faults::new(rule);
    let mut seen = Vec::new();
    for (kind, file) in find(root, &mut faults)? {
        let record = |it: Record| seen.push(format!("{kind:?} {}:{}+{}", it.id, it.train.len(), it.test.len()));
        read(kind, &file, &mut faults, record)?;
    }
    Ok((faults.count(), seen))
}

fn skipping(folder: &TempDir) -> (usize, Vec<String>) {
    all(folder.path(), OnFault::Skip).unwrap()
}

fn zipped(folder: &TempDir, name: &str, files: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(File::create(folder.path().join(name)).unwrap());
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

const GENERATED: &str = r#"[{"input":[[1]],"output":[[2]]},{"input":[[3]],"output":[[4]]}]"#;

#[test]
fn a_file_with_one_task_is_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let read = tasks(&write(&folder, "abc.json", TASK)).unwrap();
    assert_eq!((read.len(), read[0].id.as_str()), (1, "abc"));
}

#[test]
fn every_layout_is_known_by_its_names_zipped_or_not() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["ARC/data/training", "ARC/data/evaluation", "ConceptARC/corpus/Above", "re_arc/tasks"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    write(&folder, "ARC/data/training/a.json", TASK);
    write(&folder, "ARC/data/evaluation/b.json", &TASK.replace("[[3]]", r#"[[3]],"output":[[4]]"#));
    write(&folder, "ConceptARC/corpus/Above/c.json", TASK);
    write(&folder, "re_arc/tasks/d.json", GENERATED);
    write(&folder, "re_arc/metadata.json", "{}");
    zipped(&folder, "re_arc.zip", &[("re_arc/tasks/e.json", GENERATED), ("re_arc/metadata.json", "{}")]);
    let kaggle = [("arc-agi_concept_challenges.json", format!(r#"{{"f":{TASK}}}"#))];
    zipped(
        &folder,
        "kaggle.zip",
        &[(kaggle[0].0, &kaggle[0].1), ("arc-agi_concept_solutions.json", r#"{"f":[[[4]]]}"#)],
    );
    let expected =
        ["Training a:1+0", "Evaluation b:1+1", "Concept c:1+0", "Concept f:1+1", "ReArc d:2+0", "ReArc e:2+0"];
    let (faults, mut seen) = skipping(&folder);
    seen.sort_by_key(|line| expected.iter().position(|it| it == line));
    assert_eq!((faults, seen), (0, expected.map(str::to_owned).to_vec()));
}

#[test]
fn lines_of_problems_are_read_in_both_forms_plain_or_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let program = r#"{"source":"def main(x): pass","examples":[[[[1]],[[2]]]],"seeds":[1]}"#;
    let annotated = format!(r#"{{"source":"abc","annotations":{{}},"examples":{GENERATED}}}"#);
    let text = format!("{program}\n\n{annotated}");
    write(&folder, "plain.jsonl", &text);
    let mut packed = GzEncoder::new(File::create(folder.path().join("packed.jsonl.gz")).unwrap(), Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap();
    let expected = ["Barc packed:1:1+0", "Barc abc:2+0", "Barc plain:1:1+0", "Barc abc:2+0"];
    assert_eq!(skipping(&folder), (0, expected.map(str::to_owned).to_vec()));
}

#[test]
fn a_bad_pair_or_line_is_skipped_and_told_or_fatal() {
    let folder = tempfile::tempdir().unwrap();
    let lines =
        [r#"{"examples":[[[[1]],[[2]]],[[[1]],[[1],[]]],{"input":[[1]]}]}"#, "{", r#"{"examples":[[[[1]],[[77]]]]}"#];
    let path = write(&folder, "x.jsonl", &lines.join("\n"));
    let mut faults = Faults::new(OnFault::Skip);
    let mut seen = 0;
    read(Kind::Barc, &path.as_path().into(), &mut faults, |record| seen += record.train.len()).unwrap();
    assert_eq!((seen, faults.count()), (1, 4));
    let expected = [
        "x.jsonl, line 1, pair 1 is no ARC data: row 1 has 0 cells",
        "x.jsonl, line 1: pair 2.output is missing",
        "x.jsonl, line 2 is no ARC data: EOF while parsing an object at line 1 column 1",
        "x.jsonl, line 3, pair 0 is no ARC data: row 0: colour 77 does not exist",
    ];
    for (error, expected) in faults.first().iter().zip(expected) {
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = all(folder.path(), OnFault::Fail).unwrap_err().to_string();
    assert!(error.contains(expected[0]), "{error}");
}

#[test]
fn a_generated_pair_that_is_too_large_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let pair = |side: usize| serde_json::json!({"input": [[1]], "output": vec![vec![2; side]; side]});
    let text = serde_json::json!({"source": "a", "examples": [pair(31), pair(30), pair(70)]}).to_string();
    let path = write(&folder, "x.jsonl", &text);
    let mut seen = Vec::new();
    let record = |record: Record| seen.push((record.train.len(), record.too_large));
    read(Kind::Barc, &path.as_path().into(), &mut Faults::new(OnFault::Fail), record).unwrap();
    assert_eq!(seen, [(1, 2)]);
}

#[test]
fn one_bad_task_does_not_cost_the_others() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "x_training_challenges.json", &format!(r#"{{"a":{TASK},"b":{{"train":7,"test":[]}},"c":{TASK}}}"#));
    let kept = ["Training a:1+0", "Training c:1+0"].map(str::to_owned).to_vec();
    assert_eq!(skipping(&folder), (1, kept));
    let error = all(folder.path(), OnFault::Fail).unwrap_err().to_string();
    assert!(error.contains("x_training_challenges.json, task b is no ARC data: invalid type"), "{error}");
}

#[test]
fn a_damaged_archive_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "re_arc.zip", "PK");
    write(&folder, "x.jsonl.gz", "no gzip");
    let error = all(folder.path(), OnFault::Fail).unwrap_err().to_string();
    assert!(error.starts_with("cannot read") && error.contains("re_arc.zip"), "{error}");
    assert_eq!(skipping(&folder), (2, Vec::new()));
}

#[test]
fn a_folder_without_data_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "notes.txt", "");
    assert!(all(folder.path(), OnFault::Skip).unwrap_err().to_string().ends_with("holds no ARC data"));
    let missing = all(&folder.path().join("none"), OnFault::Skip).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read"), "{missing}");
}

/// Bytes, and pieces of JSON in a random order: what a broken file may look like.
fn broken() -> impl Strategy<Value = Vec<u8>> {
    let pieces = ["{", "}", "[", "]", ",", ":", "1", "99", "-3", "1.5", "null", r#""train""#, r#""test""#, "\n"];
    let more = [r#""input""#, r#""output""#, r#""examples""#, r#""source""#, "[[1]]", r#""a""#];
    let pieces = [&pieces[..], &more[..]].concat();
    let text = prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|it| it.concat().into_bytes());
    prop_oneof![text, prop::collection::vec(any::<u8>(), 0..200)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_are_read_or_refused(bytes in broken()) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tasks")).unwrap();
        for name in ["tasks/a.json", "a_training_challenges.json", "a_training_solutions.json", "a.jsonl", "b.jsonl.gz", "c.zip"] {
            fs::write(folder.path().join(name), &bytes).unwrap();
        }
        let all_read = all(folder.path(), OnFault::Skip);
        prop_assert!(all_read.is_ok(), "{:?}", all_read);
        drop(all(folder.path(), OnFault::Fail));
        drop(tasks(&folder.path().join("a_training_challenges.json")));
    }
}
