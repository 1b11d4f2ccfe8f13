//! What was compared, and how far apart it was.

use std::fmt::{Display, Formatter};

use candle_core::{DType, Tensor};

use super::CheckError;

/// How many times as far may a number be off as a change of every weight in its last bit moves it. (Measured: two
/// libraries differ by at most 1.5 times as much. It matters for `mlp_t`, where fresh weights make rounding grow
/// 25-fold a step: after four steps no two of them agree in any digit.)
const ROUNDINGS: f64 = 4.0;

/// The largest difference among numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What kind.
    pub what: &'static str,
    /// The largest difference found.
    pub difference: f64,
    /// The largest difference allowed.
    pub allowed: f64,
    /// Where numbers are farther off than allowed: how far rounding alone moves them, if that was tried.
    pub rounding: Option<f64>,
    /// Whether no number is farther off than allowed, or than rounding explains. (What is not a number is.)
    pub holds: bool,
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
        self.outcome.as_ref().is_ok_and(|findings| !findings.is_empty() && findings.iter().all(|finding| finding.holds))
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
        write!(f, "{:<44} {:8.1e}   allowed {:.0e}", self.what, self.difference, self.allowed)?;
        if let Some(rounding) = self.rounding {
            write!(f, "   a last bit in every weight makes {rounding:.1e}")?;
        }
        f.write_str(if self.holds { "" } else { "   too far" })
    }
}

/// Differences one by one.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Difference>);

/// One tensor's.
#[derive(Clone, Copy, Debug)]
struct Difference {
    what: &'static str,
    found: f64,
    allowed: f64,
    /// How far rounding alone moves it; flags and whole numbers are never excused.
    rounding: f64,
}

impl Difference {
    fn is_strict(&self) -> bool {
        self.found <= self.allowed
    }

    fn holds(&self) -> bool {
        self.is_strict() || (self.allowed > 0.0 && self.found <= ROUNDINGS * self.rounding)
    }
}

impl Findings {
    /// Notes a difference.
    pub(super) fn add(&mut self, what: &'static str, found: f64, allowed: f64) {
        self.0.push(Difference { what, found, allowed, rounding: 0.0 });
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

    /// Whether nothing is farther off than allowed.
    pub(super) fn is_strict(&self) -> bool {
        self.0.iter().all(Difference::is_strict)
    }

    /// Notes what the same comparisons gave for a net that differs by rounding alone.
    pub(super) fn explain(&mut self, roundings: &Findings) {
        self.0.iter_mut().zip(&roundings.0).for_each(|(difference, rounding)| difference.rounding = rounding.found);
    }

    /// One finding for each kind, in the order in which kinds first came.
    pub(super) fn into_vec(self) -> Vec<Finding> {
        let mut kinds: Vec<&'static str> = Vec::new();
        for difference in &self.0 {
            if !kinds.contains(&difference.what) {
                kinds.push(difference.what);
            }
        }
        kinds.into_iter().filter_map(|what| self.summary(what)).collect()
    }

    /// The worst of a kind: among those that do not hold, if there are any, the farthest off.
    fn summary(&self, what: &str) -> Option<Finding> {
        let rank = |difference: &Difference| (!difference.holds(), difference.found);
        let farther = |a: &&Difference, b: &&Difference| {
            let ((a_fails, a), (b_fails, b)) = (rank(a), rank(b));
            a_fails.cmp(&b_fails).then(a.total_cmp(&b))
        };
        let worst = self.0.iter().filter(|difference| difference.what == what).max_by(farther)?;
        Some(Finding {
            what: worst.what,
            difference: worst.found,
            allowed: worst.allowed,
            rounding: (!worst.is_strict() && worst.rounding > 0.0).then_some(worst.rounding),
            holds: worst.holds(),
        })
    }
}

/// The largest absolute difference of two tensors; an error if their shapes differ.
fn distance(found: &Tensor, expected: &Tensor) -> Result<f64, CheckError> {
    let (found, expected) = (found.to_dtype(DType::F64)?, expected.to_dtype(DType::F64)?);
    let differences = (found - expected)?.abs()?.flatten_all()?.to_vec1::<f64>()?;
    let worst = |worst: f64, next: &f64| if next.is_nan() || worst.is_nan() { f64::NAN } else { worst.max(*next) };
    Ok(differences.iter().fold(0.0, worst))
}
