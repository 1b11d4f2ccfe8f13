//! What confidence is worth: how often a model is right when it says how sure it is.

/// A prediction as far as its confidence goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// How sure the model said to be; 0 where it predicted nothing.
    pub confidence: f32,
    /// Whether it was right in every cell.
    pub right: bool,
}

/// Lower ends of the bins, the last one reaching to 1 inclusive. Finer towards 1, where a planner decides.
pub const BINS: [f32; 7] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99];

/// From here on a claim is what a planner may build on.
pub const HIGH: f32 = 0.99;

/// The claims of one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many there are.
    pub claims: u64,
    /// How many of them were right.
    pub right: u64,
    /// The sum of what they said.
    confidence: f64,
}

impl Bin {
    /// How often they were right.
    pub fn rate(&self) -> Option<f64> {
        (self.claims > 0).then(|| self.right as f64 / self.claims as f64)
    }

    /// How often they said they would be.
    pub fn said(&self) -> Option<f64> {
        (self.claims > 0).then(|| self.confidence / self.claims as f64)
    }
}

/// Sorts claims into the bins. What was not predicted is in none.
pub fn bins(claims: impl IntoIterator<Item = Claim>) -> [Bin; BINS.len()] {
    let mut bins = [Bin::default(); BINS.len()];
    for claim in claims.into_iter().filter(|claim| claim.confidence > 0.0) {
        let index = BINS.iter().rposition(|low| claim.confidence >= *low).unwrap_or(0);
        bins[index].claims += 1;
        bins[index].right += u64::from(claim.right);
        bins[index].confidence += f64::from(claim.confidence);
    }
    bins
}

/// The largest share of all claims, taken from the most confident down, of which at least `precision` are right.
/// Claims of one confidence stay together, as no threshold parts them.
pub fn coverage(claims: impl IntoIterator<Item = Claim>, precision: f64) -> f64 {
    let mut claims: Vec<Claim> = claims.into_iter().collect();
    claims.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let (mut right, mut covered) = (0u32, 0);
    for (index, claim) in claims.iter().enumerate().take_while(|(_, claim)| claim.confidence > 0.0) {
        right += u32::from(claim.right);
        let is_step = claims.get(index + 1).is_none_or(|next| next.confidence < claim.confidence);
        if is_step && f64::from(right) >= precision * (index + 1) as f64 {
            covered = index + 1;
        }
    }
    covered as f64 / claims.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(of: &[(f32, bool)]) -> Vec<Claim> {
        of.iter().map(|(confidence, right)| Claim { confidence: *confidence, right: *right }).collect()
    }

    #[test]
    fn bins_hold_what_was_said_and_what_was_right() {
        let bins = bins(claims(&[(0.0, true), (0.3, false), (0.99, true), (1.0, true), (0.995, false), (0.9, true)]));
        let counts: Vec<(u64, u64)> = bins.iter().map(|bin| (bin.claims, bin.right)).collect();
        assert_eq!(counts, [(1, 0), (0, 0), (0, 0), (1, 1), (0, 0), (0, 0), (3, 2)]);
        assert!((bins[6].said().unwrap() - 0.995).abs() < 1e-6);
        assert_eq!(bins[1].rate(), None);
    }

    /// By hand: of the three at 0.9 or more two are right (0.67); of the five at 0.5 or more four are (0.8).
    #[test]
    fn coverage_is_the_largest_share_that_is_right_often_enough() {
        let claims =
            claims(&[(0.95, true), (0.9, true), (0.9, false), (0.5, true), (0.5, true), (0.1, false), (0.0, true)]);
        assert!((coverage(claims.clone(), 0.99) - 1.0 / 7.0).abs() < 1e-12);
        assert!((coverage(claims.clone(), 0.8) - 5.0 / 7.0).abs() < 1e-12);
        assert!((coverage(claims.clone(), 0.6) - 6.0 / 7.0).abs() < 1e-12);
        assert!(coverage([], 0.5).abs() < 1e-12);
    }
}
