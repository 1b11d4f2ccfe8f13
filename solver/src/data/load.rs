//! Data sets in the layouts their authors publish.
//!
//! - Kaggle: `{task: {train: [{input, output}], test: [{input}]}}` with the answers in a second file
//!   `{task: [output, …]}`, named like the first with `solutions` for `challenges`.
//! - Per file: a folder of `<task>.json`, each `{train: […], test: [{input, output}]}` (the ARC-AGI repositories).

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use env_client::Grid;
use serde::de::DeserializeOwned;

use super::{
    Task, TaskError,
    task::{RawPair, RawTask},
};

/// A data set that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file or folder cannot be opened.
    #[error("cannot read {path}: {error}")]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{path} is no ARC data: {error}")]
    Json {
        /// Which file.
        path: PathBuf,
        /// What was expected and where.
        error: serde_json::Error,
    },
    /// One of its tasks is malformed.
    #[error("{path}, task {id}: {error}")]
    Task {
        /// Which file.
        path: PathBuf,
        /// Which task.
        id: String,
        /// What is wrong with it.
        error: TaskError,
    },
    /// A folder without a single task.
    #[error("{0} holds no *.json file")]
    Empty(PathBuf),
}

/// All tasks of a Kaggle file or of a folder of task files, in the order of their names.
pub fn tasks(path: &Path) -> Result<Vec<Task>, LoadError> {
    if path.is_dir() { folder(path) } else { kaggle(path) }
}

fn folder(path: &Path) -> Result<Vec<Task>, LoadError> {
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| LoadError::Io { path: path.to_owned(), error })?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "json"));
    files.sort();
    if files.is_empty() {
        return Err(LoadError::Empty(path.to_owned()));
    }
    files.iter().map(|file| one(file)).collect()
}

/// A file that holds a single task and is named after it.
fn one(path: &Path) -> Result<Task, LoadError> {
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    named(path, id, read(path)?)
}

fn kaggle(path: &Path) -> Result<Vec<Task>, LoadError> {
    let mut challenges: BTreeMap<String, RawTask> = read(path)?;
    if let Some(solutions) = solutions_of(path).filter(|file| file.exists()) {
        let answers: BTreeMap<String, Vec<Grid>> = read(&solutions)?;
        for (id, answers) in answers {
            if let Some(task) = challenges.get_mut(&id) {
                answer(&mut task.test, answers).map_err(|error| LoadError::Task {
                    path: solutions.clone(),
                    id,
                    error,
                })?;
            }
        }
    }
    challenges.into_iter().map(|(id, raw)| named(path, id, raw)).collect()
}

/// `…solutions….json` beside `…challenges….json`.
fn solutions_of(challenges: &Path) -> Option<PathBuf> {
    let name = challenges.file_name()?.to_str()?;
    name.contains("challenges").then(|| challenges.with_file_name(name.replace("challenges", "solutions")))
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

fn named(path: &Path, id: String, raw: RawTask) -> Result<Task, LoadError> {
    Task::new(id.clone(), raw).map_err(|error| LoadError::Task { path: path.to_owned(), id, error })
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, LoadError> {
    let text = fs::read(path).map_err(|error| LoadError::Io { path: path.to_owned(), error })?;
    serde_json::from_slice(&text).map_err(|error| LoadError::Json { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

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
}
