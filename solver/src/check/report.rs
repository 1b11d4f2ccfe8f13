//! What was compared, and how far apart it was.

use std::fmt::{Display, Formatter};

use candle_core::{DType, Tensor};

use super::CheckError;

/// The largest difference among numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What kind.
    pub what: &'static str,
    /// The largest difference found.
    pub difference: f64,
    /// The largest difference allowed.
    pub allowed: f64,
}

impl Finding {
    /// Whether no number is farther off than allowed. (Not a number is.)
    pub fn holds(&self) -> bool {
        self.difference <= self.allowed
    }
}

/// What a file of reference numbers came to.
#[derive(Debug)]
pub struct FileReport {
    /// Its name within the folder.
    pub file: String,
    /// What was compared; or why nothing could be.
    pub outcome: Result<Vec<Finding>, CheckError>,
}

impl FileReport {
    /// Whether the file could be checked and everything in it agrees.
    pub fn holds(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|findings| !findings.is_empty() && findings.iter().all(Finding::holds))
    }
}

/// What a folder of reference numbers came to.
#[derive(Debug)]
pub struct Report {
    /// One entry a file, by name.
    pub files: Vec<FileReport>,
}

impl Report {
    /// Whether all files agree.
    pub fn holds(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(FileReport::holds)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.files.iter().try_for_each(|file| write!(f, "{file}"))
    }
}

impl Display for FileReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let verdict = if self.holds() { "agrees" } else { "FAILS" };
        writeln!(f, "{verdict:<7}{}", self.file)?;
        match &self.outcome {
            Ok(findings) => findings.iter().try_for_each(|finding| writeln!(f, "       {finding}")),
            Err(reason) => writeln!(f, "       {reason}"),
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let mark = if self.holds() { "" } else { "   too far" };
        write!(f, "{:<44} {:8.1e}   allowed {:.0e}{mark}", self.what, self.difference, self.allowed)
    }
}

/// Findings of a file, gathered number by number: one for each kind.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Notes a difference.
    pub(super) fn add(&mut self, what: &'static str, difference: f64, allowed: f64) {
        match self.0.iter_mut().find(|finding| finding.what == what) {
            // `max` would lose what is not a number.
            Some(finding) if difference > finding.difference || difference.is_nan() => finding.difference = difference,
            Some(_) => {}
            None => self.0.push(Finding { what, difference, allowed }),
        }
    }

    /// Notes that something must be the same.
    pub(super) fn same(&mut self, what: &'static str, same: bool) {
        self.add(what, if same { 0.0 } else { 1.0 }, 0.0);
    }

    /// Compares the largest absolute difference.
    pub(super) fn absolute(
        &mut self,
        what: &'static str,
        found: &Tensor,
        expected: &Tensor,
        allowed: f64,
    ) -> Result<(), CheckError> {
        self.add(what, distance(found, expected)?, allowed);
        Ok(())
    }

    /// Compares the largest difference in parts of the largest number expected.
    pub(super) fn relative(
        &mut self,
        what: &'static str,
        found: &Tensor,
        expected: &Tensor,
        allowed: f64,
    ) -> Result<(), CheckError> {
        let size = distance(expected, &expected.zeros_like()?)?;
        let difference = distance(found, expected)?;
        self.add(what, if size > 0.0 { difference / size } else { difference }, allowed);
        Ok(())
    }

    /// All findings.
    pub(super) fn into_vec(self) -> Vec<Finding> {
        self.0
    }
}

/// The largest absolute difference of two tensors; an error if their shapes differ.
fn distance(found: &Tensor, expected: &Tensor) -> Result<f64, CheckError> {
    let (found, expected) = (found.to_dtype(DType::F64)?, expected.to_dtype(DType::F64)?);
    let differences = (found - expected)?.abs()?.flatten_all()?.to_vec1::<f64>()?;
    let worst = |worst: f64, next: &f64| if next.is_nan() || worst.is_nan() { f64::NAN } else { worst.max(*next) };
    Ok(differences.iter().fold(0.0, worst))
}
