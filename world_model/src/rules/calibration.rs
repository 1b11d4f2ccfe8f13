//! How often predictions like this one were right.

use rustc_hash::FxHashMap;

/// Observations that the estimate of the wider circumstances counts for in the narrower ones.
const PRIOR: f32 = 2.0;

/// Counts of right and wrong predictions by circumstances, three levels of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Calibration {
    cases: FxHashMap<u64, (u32, u32)>,
}

impl Calibration {
    /// The chance to be right, circumstances from wide to narrow.
    pub(super) fn chance(&self, circumstances: &[u64]) -> f32 {
        circumstances.iter().fold(0.5, |prior, key| {
            let (right, total) = self.cases.get(key).copied().unwrap_or_default();
            (right as f32 + PRIOR * prior) / (total as f32 + PRIOR)
        })
    }

    /// Learns how a prediction turned out.
    pub(super) fn learn(&mut self, circumstances: &[u64], right: bool) {
        for key in circumstances {
            let (hits, total) = self.cases.entry(*key).or_default();
            *hits += u32::from(right);
            *total += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_circumstances_outweigh_wide_ones_when_they_were_met() {
        let mut calibration = Calibration::default();
        for _ in 0..200 {
            calibration.learn(&[0, 1], true);
        }
        (0..20).for_each(|_| calibration.learn(&[0, 2], false));
        assert!(calibration.chance(&[0, 1]) > 0.99);
        assert!(calibration.chance(&[0, 2]) < 0.1);
        let unseen = calibration.chance(&[0, 3]);
        assert!((0.85..0.95).contains(&unseen), "200 of 220: {unseen}");
    }
}
