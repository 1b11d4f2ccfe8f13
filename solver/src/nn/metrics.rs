//! What is measured while a net learns, one JSON object a line, and the same for TensorBoard.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};

use super::tensorboard;

/// Numbers with their names, at a step.
///
/// There is no time in it: the same training, however often it is stopped, leaves the same lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Steps done.
    pub step: u64,
    /// The numbers, such as `train/loss`.
    #[serde(flatten)]
    pub values: BTreeMap<String, f64>,
}

/// The two files of a training.
#[derive(Debug)]
pub struct Metrics {
    lines: File,
    events: tensorboard::Events,
}

/// The file of lines in a folder.
pub const LINES: &str = "metrics.jsonl";

impl Metrics {
    /// Goes on in a folder after `step` steps; what was measured later, before the training was stopped, is forgotten.
    pub fn open(folder: &Path, step: u64) -> io::Result<Metrics> {
        let path = folder.join(LINES);
        let kept = read(&path)?.into_iter().filter(|measured| measured.step <= step);
        let kept: String = kept.map(|measured| line(&measured)).collect::<io::Result<_>>()?;
        fs::write(&path, kept)?;
        Ok(Metrics {
            lines: OpenOptions::new().append(true).open(&path)?,
            events: tensorboard::Events::open(folder, step)?,
        })
    }

    /// Writes what was measured.
    pub fn write(&mut self, measured: &Measured) -> io::Result<()> {
        self.lines.write_all(line(measured)?.as_bytes())?;
        self.events.write(measured.step, &measured.values)
    }
}

/// The whole lines of a file that may not exist.
pub fn read(path: &Path) -> io::Result<Vec<Measured>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let lines: Vec<String> = BufReader::new(file).lines().collect::<io::Result<_>>()?;
    // A run that was killed may have left half a line.
    Ok(lines.iter().map_while(|line| serde_json::from_str(line).ok()).collect())
}

fn line(measured: &Measured) -> io::Result<String> {
    Ok(format!("{}\n", serde_json::to_string(measured)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(step: u64) -> Measured {
        let values = [("train/loss".to_owned(), step as f64 / 3.0), ("lr".to_owned(), 0.1)];
        Measured { step, values: values.into_iter().collect() }
    }

    #[test]
    fn a_training_that_goes_on_leaves_the_lines_of_one_that_never_stopped() {
        let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut metrics = Metrics::open(whole.path(), 0).unwrap();
        (1..=4).for_each(|step| metrics.write(&measured(step)).unwrap());
        let mut metrics = Metrics::open(parts.path(), 0).unwrap();
        (1..=3).for_each(|step| metrics.write(&measured(step)).unwrap());
        let half = OpenOptions::new().append(true).open(parts.path().join(LINES)).unwrap().write_all(b"{\"step\":");
        half.unwrap();
        let mut metrics = Metrics::open(parts.path(), 2).unwrap();
        (3..=4).for_each(|step| metrics.write(&measured(step)).unwrap());
        let text = |folder: &Path| fs::read_to_string(folder.join(LINES)).unwrap();
        assert_eq!(text(whole.path()), text(parts.path()));
        let steps = |folder: &Path| -> Vec<u64> {
            let path = folder.join(tensorboard::FILE);
            tensorboard::records(&fs::read(path).unwrap()).filter_map(tensorboard::step_of).collect()
        };
        assert_eq!(steps(whole.path()), steps(parts.path()));
        assert_eq!(steps(parts.path()), [0, 1, 2, 3, 4]);
    }
}
