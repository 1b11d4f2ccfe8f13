//! Every title has a transcript in `tests/golden/`: each level played by its shortest solution.
//!
//! `BLESS=1 cargo test -p tests --test golden` writes them anew; read what changed before you commit it.

use std::{collections::BTreeSet, fs, path::PathBuf};

use games::{Entry, catalog};

fn folder() -> PathBuf {
    tests::repository().join("tests/golden")
}

/// Compares a title with its transcript; the message names the title and the first line that differs.
fn compare(entry: &Entry) -> Result<(), String> {
    let stem = entry.about.stem;
    let proofs: Result<Vec<_>, _> = entry.prove().into_iter().collect();
    let played = entry.transcript(&proofs.map_err(|error| format!("{stem}: {error}"))?);
    let path = folder().join(format!("{stem}.txt"));
    if std::env::var_os("BLESS").is_some() {
        return fs::write(&path, played).map_err(|error| format!("{stem}: {error}"));
    }
    let golden = fs::read_to_string(&path).map_err(|error| format!("{stem}: no transcript: {error}"))?;
    let differs = golden.lines().zip(played.lines()).zip(1..).find(|((golden, played), _)| golden != played);
    match differs {
        Some(((golden, played), line)) => Err(format!("{stem}, line {line}:\n  golden {golden}\n  played {played}")),
        None if golden != played => Err(format!("{stem}: the transcript has another length")),
        None => Ok(()),
    }
}

#[test]
fn every_title_plays_as_its_transcript_says() {
    let failures: Vec<String> = catalog().iter().filter_map(|entry| compare(entry).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_transcript_belongs_to_a_title() {
    let titles: BTreeSet<String> = catalog().iter().map(|entry| format!("{}.txt", entry.about.stem)).collect();
    let files = fs::read_dir(folder()).expect("the folder of transcripts").filter_map(Result::ok);
    let strays: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    assert!(strays.iter().all(|name| titles.contains(name)), "transcripts without a title among {strays:?}");
}
