//! Data sets in the layouts their authors publish, zipped or not.
//!
//! - Kaggle: `{task: {train: [{input, output}], test: [{input}]}}` with the answers in a second file
//!   `{task: [output, …]}`, named like the first with `solutions` for `challenges` (ARC-AGI, ConceptARC).
//! - Per file: `<task>.json`, each `{train: […], test: [{input, output}]}` (the ARC-AGI repositories).
//! - RE-ARC: `tasks/<task>.json`, each `[{input, output}, …]`.
//! - BARC: lines of `{source, examples: [[input, output], …]}` or `{source, examples: [{input, output}, …]}`.
//!
//! [`tasks`] reads what is to be solved, [`find`] and [`read`] everything there is to train on.

mod arc;
mod fault;
mod files;
mod generated;

use std::{ffi::OsStr, fmt, path::Path};

use serde::{Deserialize, Serialize};

pub use fault::{Faults, LoadError, OnFault};
pub use files::DataFile;

use super::{Pair, Query, Task};

/// What a file holds, as its name and its folders tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// ARC tasks to learn from.
    Training,
    /// ARC tasks whose test pairs measure what was learned.
    Evaluation,
    /// ConceptARC.
    Concept,
    /// RE-ARC: pairs generated for tasks of [`Kind::Training`].
    ReArc,
    /// BARC: generated tasks.
    Barc,
}

/// As a configuration writes it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Training => "training",
            Kind::Evaluation => "evaluation",
            Kind::Concept => "concept",
            Kind::ReArc => "re_arc",
            Kind::Barc => "barc",
        })
    }
}

impl Kind {
    /// Whether people made the pairs, or a program made as many as were wanted.
    pub fn is_generated(self) -> bool {
        matches!(self, Kind::ReArc | Kind::Barc)
    }

    /// The kind of a file, by its name and the folders it lies in.
    fn of(path: &Path) -> Option<Kind> {
        let packed = path.extension()? == "gz";
        let path = if packed { path.with_extension("") } else { path.to_owned() };
        match path.extension()?.to_str()? {
            "jsonl" => Some(Kind::Barc),
            "json" => Kind::of_json(&path),
            _ => None,
        }
    }

    fn of_json(path: &Path) -> Option<Kind> {
        let above = |levels| path.ancestors().nth(levels).and_then(Path::file_name).and_then(OsStr::to_str);
        let name = above(0)?;
        match (above(1), above(2)) {
            _ if name.contains("challenges") => Kind::of_kaggle(name),
            (Some("training"), _) => Some(Kind::Training),
            (Some("evaluation"), _) => Some(Kind::Evaluation),
            (Some("tasks"), _) => Some(Kind::ReArc),
            (_, Some("corpus")) => Some(Kind::Concept),
            _ => None,
        }
    }

    fn of_kaggle(name: &str) -> Option<Kind> {
        let named = [("training", Kind::Training), ("evaluation", Kind::Evaluation), ("concept", Kind::Concept)];
        named.into_iter().find(|(part, _)| name.contains(part)).map(|(_, kind)| kind)
    }
}

/// What a file says of one task: pairs to learn from, and pairs that ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The data set's name of the task.
    pub id: String,
    /// Demonstrations, or all pairs of a generated task.
    pub train: Vec<Pair>,
    /// Test pairs, as far as their answers are known.
    pub test: Vec<Pair>,
    /// Generated pairs that are larger than ARC allows, left out here.
    pub too_large: usize,
}

impl From<Task> for Record {
    fn from(task: Task) -> Record {
        let answered = |query: Query| Some(Pair { input: query.input, output: query.output? });
        let test = task.test.into_iter().filter_map(answered).collect();
        Record { id: task.id, train: task.train, test, too_large: 0 }
    }
}

/// Everything to train on or measure with in a folder, in a zip file, or one such file alone: by kind, then by name.
pub fn find(root: &Path, faults: &mut Faults) -> Result<Vec<(Kind, DataFile)>, LoadError> {
    let files = files::under(root, faults)?.into_iter();
    let mut found: Vec<_> = files.filter_map(|file| Some((Kind::of(&file.full_path())?, file))).collect();
    found.sort();
    if found.is_empty() { Err(LoadError::Empty(root.to_owned())) } else { Ok(found) }
}

/// Hands on what a file holds, task by task; a generated task may come in several parts.
pub fn read(kind: Kind, file: &DataFile, faults: &mut Faults, mut each: impl FnMut(Record)) -> Result<(), LoadError> {
    match kind {
        Kind::Training | Kind::Evaluation | Kind::Concept => {
            arc::read(file, faults)?.into_iter().for_each(|task| each(task.into()));
            Ok(())
        }
        Kind::ReArc => generated::re_arc(file, faults, each),
        Kind::Barc => generated::barc(file, faults, each),
    }
}

/// All tasks of a Kaggle file, of a file with one task, or of a folder of such files, in the order of their names.
///
/// # Errors
/// Whatever is wrong with any of them.
pub fn tasks(path: &Path) -> Result<Vec<Task>, LoadError> {
    let mut faults = Faults::new(OnFault::Fail);
    let mut tasks = Vec::new();
    for file in files::json_in(path)? {
        tasks.append(&mut arc::read(&file, &mut faults)?);
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests;
