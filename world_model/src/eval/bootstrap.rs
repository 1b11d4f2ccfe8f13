//! Intervals over games, by resampling them.

/// Resamples drawn: enough for two digits of a 95 % interval.
const RESAMPLES: usize = 2000;

/// A mean over games and where 95 % of its resamples lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean of the values.
    pub mean: f64,
    /// 2.5 % of resampled means are lower.
    pub low: f64,
    /// 2.5 % of resampled means are higher.
    pub high: f64,
}

/// The mean of one value a game with its interval (Efron's percentile bootstrap); `None` of no values. The same
/// values in the same order give the same interval.
pub fn interval(values: &[f64]) -> Option<Interval> {
    let mean = |sum: f64| sum / values.len() as f64;
    let mut dice = SplitMix(0x5eed);
    let mut resample = || mean((0..values.len()).map(|_| values[dice.below(values.len())]).sum());
    let mut means: Vec<f64> = (0..RESAMPLES).filter(|_| !values.is_empty()).map(|_| resample()).collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means.get((share * (RESAMPLES - 1) as f64).round() as usize).copied();
    Some(Interval { mean: mean(values.iter().sum()), low: at(0.025)?, high: at(0.975)? })
}

/// Splitmix64 (Steele, Lea and Flood 2014): small, and good enough to draw games.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0; with a handful of games the bias of the remainder is nothing.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_leave_no_doubt() {
        assert_eq!(interval(&[0.5; 4]), Some(Interval { mean: 0.5, low: 0.5, high: 0.5 }));
        assert_eq!(interval(&[]), None);
    }

    /// For ten games, five at 0 and five at 1, the resampled mean is binomial: 10 draws at 1/2. Its 2.5 % and 97.5 %
    /// points are 0.2 and 0.8.
    #[test]
    fn the_interval_is_that_of_the_binomial() {
        let values: Vec<f64> = (0..10).map(|game| f64::from(game % 2)).collect();
        assert_eq!(interval(&values), Some(Interval { mean: 0.5, low: 0.2, high: 0.8 }));
    }
}
