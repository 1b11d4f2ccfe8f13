//! The layouts of the ARC-AGI repositories and of Kaggle.

use std::collections::BTreeMap;

use env_client::Grid;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{DataFile, Faults, LoadError};
use crate::data::{
    Task, TaskError,
    task::{RawPair, RawTask},
};

/// All tasks of a file, of whichever of the two layouts, in the order of their names.
pub(super) fn read(file: &DataFile, faults: &mut Faults) -> Result<Vec<Task>, LoadError> {
    let text = faults.pass(file.bytes())?.unwrap_or_default();
    let entries: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_slice(&text);
    let entries = entries.map_err(|error| LoadError::Json { place: file.to_string(), error });
    let Some(entries) = faults.pass(entries)? else { return Ok(Vec::new()) };
    if entries.contains_key("train") && entries.contains_key("test") {
        let task = parsed(&text, || file.to_string()).and_then(|raw| task(file, file.stem(), raw, None));
        return Ok(faults.pass(task)?.into_iter().collect());
    }
    let mut solutions = solutions(file, faults)?;
    let mut tasks = Vec::with_capacity(entries.len());
    for (id, entry) in entries {
        let answers = solutions.remove(&id);
        let raw = parsed(entry.get().as_bytes(), || place(file, &id));
        tasks.extend(faults.pass(raw.and_then(|raw| task(file, id, raw, answers)))?);
    }
    Ok(tasks)
}

/// The answers in the file beside it, if there is one.
fn solutions(file: &DataFile, faults: &mut Faults) -> Result<BTreeMap<String, Vec<Grid>>, LoadError> {
    let Some(file) = file.beside("challenges", "solutions").filter(DataFile::exists) else {
        return Ok(BTreeMap::new());
    };
    let read = file.bytes().and_then(|text| parsed(&text, || file.to_string()));
    Ok(faults.pass(read)?.unwrap_or_default())
}

fn task(file: &DataFile, id: String, mut raw: RawTask, answers: Option<Vec<Grid>>) -> Result<Task, LoadError> {
    let answered = answers.map_or(Ok(()), |answers| answer(&mut raw.test, answers));
    let place = place(file, &id);
    answered.and_then(|()| Task::new(id, raw)).map_err(|error| LoadError::Task { place, error })
}

fn answer(queries: &mut [RawPair], answers: Vec<Grid>) -> Result<(), TaskError> {
    if queries.len() != answers.len() {
        return Err(TaskError::Solutions { answers: answers.len(), queries: queries.len() });
    }
    for (query, answer) in queries.iter_mut().zip(answers) {
        query.output = Some(answer);
    }
    Ok(())
}

fn place(file: &DataFile, id: &str) -> String {
    format!("{file}, task {id}")
}

fn parsed<T: DeserializeOwned>(text: &[u8], place: impl Fn() -> String) -> Result<T, LoadError> {
    serde_json::from_slice(text).map_err(|error| LoadError::Json { place: place(), error })
}
