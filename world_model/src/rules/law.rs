//! A law: which of a few discrete features decide a discrete outcome.
//!
//! Every conjunction of at most three features is a hypothesis. Each codes every outcome before it learns it, and the
//! sum of those code lengths plus the bits that name its features is its description length: the shortest one that has
//! met this case before answers. A contradiction makes a hypothesis expensive at once, so that one with a further
//! condition takes its place; nothing is refitted.

use rustc_hash::FxHashMap;

/// Weight of the escape to an outcome not seen in this case, in observations. Small: what a mechanism does once it
/// nearly always does again.
const ESCAPE: f32 = 0.15;

/// Bits that one more feature in a hypothesis costs.
const FEATURE_BITS: f32 = 4.0;

/// Bits more that a feature costs which matters in few games.
const RARE_BITS: f32 = 8.0;

/// What is mistaken in one of so many answers of a case is often mistaken; what was seen so often in one and nothing else is
/// firm. Guesses.
const MIXED: u32 = 4;
const FIRM: u32 = 2;

/// What a law answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    /// The outcome expected.
    pub(super) outcome: u64,
    /// How often it was seen in this case.
    pub(super) seen: u32,
    /// How often another one was seen.
    pub(super) refuted: u32,
    /// Which hypothesis answers, as a set of features.
    pub(super) features: u16,
    /// How many shorter hypotheses had not met this case.
    pub(super) rank: u8,
}

/// Counts of outcomes in one case of one hypothesis.
#[derive(Clone, Debug, Default)]
struct Counts(Vec<(u64, u32)>);

impl Counts {
    fn total(&self) -> u32 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    fn of(&self, outcome: u64) -> u32 {
        self.0.iter().find(|(it, _)| *it == outcome).map_or(0, |(_, count)| *count)
    }

    /// The commonest outcome of those that may be; of equals the one seen last, which stands last.
    fn best(&self, may_be: impl Fn(u64) -> bool) -> Option<(u64, u32)> {
        self.0.iter().copied().filter(|it| may_be(it.0)).max_by_key(|(_, count)| *count)
    }

    fn add(&mut self, outcome: u64) {
        let count = match self.0.iter().position(|(it, _)| *it == outcome) {
            Some(at) => self.0.remove(at).1,
            None => 0,
        };
        self.0.push((outcome, count + 1));
    }
}

#[derive(Clone, Debug)]
struct Hypothesis {
    features: u16,
    bits: f32,
    cases: FxHashMap<u64, Counts>,
}

/// Hypotheses about what decides an outcome. `F` is the number of features.
#[derive(Clone, Debug)]
pub(super) struct Law<const F: usize> {
    /// Shortest first.
    hypotheses: Vec<Hypothesis>,
    outcomes: Vec<u64>,
}

impl<const F: usize> Law<F> {
    /// Knows nothing; hypotheses have at most `atoms` features.
    pub(super) fn new(atoms: u32) -> Law<F> {
        Law::with_rare(atoms, 0)
    }

    /// Knows nothing but that some features, one bit each, rarely matter.
    pub(super) fn with_rare(atoms: u32, rare: u16) -> Law<F> {
        let sets = (0..1u16 << F).filter(|set| set.count_ones() <= atoms);
        let bits = |features: u16| {
            FEATURE_BITS * features.count_ones() as f32 + RARE_BITS * (features & rare).count_ones() as f32
        };
        let mut hypotheses: Vec<Hypothesis> =
            sets.map(|features| Hypothesis { features, bits: bits(features), cases: FxHashMap::default() }).collect();
        hypotheses.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        Law { hypotheses, outcomes: Vec::new() }
    }

    /// What to expect of a case, whose features are only computed when a hypothesis asks for them; nothing before the
    /// first observation. The shortest hypothesis that has met the case answers.
    pub(super) fn ask(&self, case: impl Fn(usize) -> u64) -> Option<Verdict> {
        self.ask_among(case, |_| true)
    }

    /// The same, but where what answers was often mistaken in this case the first one with further conditions does that never
    /// was.
    pub(super) fn ask_firm(&self, case: impl Fn(usize) -> u64) -> Option<Verdict> {
        let first = self.ask(&case)?;
        if first.refuted * MIXED < first.seen + first.refuted {
            return Some(first);
        }
        let mut known = [None; F];
        let mut shades = |index: usize| *known[index].get_or_insert_with(|| shade(index, case(index)));
        let is_finer = |it: &Hypothesis| it.features & first.features == first.features;
        let mut finer = self.hypotheses.iter().enumerate().filter(|(_, it)| is_finer(it));
        let firm = finer.find_map(|(rank, it)| match it.cases.get(&key(it.features, &mut shades))?.0[..] {
            [(outcome, seen)] if seen >= FIRM => {
                Some(Verdict { outcome, seen, refuted: 0, features: it.features, rank: rank.min(255) as u8 })
            }
            _ => None,
        });
        firm.or(Some(first))
    }

    /// The same where not every outcome may be.
    pub(super) fn ask_among(
        &self,
        case: impl Fn(usize) -> u64,
        may_be: impl Fn(u64) -> bool + Copy,
    ) -> Option<Verdict> {
        let mut known = [None; F];
        let mut shades = |index: usize| *known[index].get_or_insert_with(|| shade(index, case(index)));
        self.hypotheses.iter().enumerate().find_map(|(rank, it)| {
            let counts = it.cases.get(&key(it.features, &mut shades))?;
            let (outcome, seen) = counts.best(may_be)?;
            let refuted = counts.total() - seen;
            Some(Verdict { outcome, seen, refuted, features: it.features, rank: rank.min(255) as u8 })
        })
    }

    /// The features of the shortest hypothesis.
    pub(super) fn features(&self) -> u16 {
        self.hypotheses.first().map_or(0, |it| it.features)
    }

    /// Learns what came of this case.
    pub(super) fn learn(&mut self, case: &[u64; F], outcome: u64) {
        let alphabet = self.outcomes.len() as f32 + 1.0;
        let shades: [u64; F] = std::array::from_fn(|index| shade(index, case[index]));
        for hypothesis in &mut self.hypotheses {
            let counts = hypothesis.cases.entry(key(hypothesis.features, &mut |index| shades[index])).or_default();
            let (seen, total) = (counts.of(outcome) as f32, counts.total() as f32);
            hypothesis.bits -= ((seen + ESCAPE) / (total + ESCAPE * alphabet)).log2();
            counts.add(outcome);
        }
        if !self.outcomes.contains(&outcome) {
            self.outcomes.push(outcome);
        }
        self.sort();
    }

    /// What it says, as hearsay for another: every outcome of a case counts once, so that a single contradiction is
    /// believed. Which features decide stays as it is.
    pub(super) fn hearsay(mut self) -> Law<F> {
        let cases = self.hypotheses.iter_mut().flat_map(|it| it.cases.values_mut());
        cases.flat_map(|counts| &mut counts.0).for_each(|(_, count)| *count = 1);
        self
    }

    /// Keeps the shortest hypothesis first; the order was nearly right before, which a stable sort uses.
    fn sort(&mut self) {
        self.hypotheses.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    }
}

/// The values of some features of a case, in one number, from what [`shade`] makes of each.
fn key(mut features: u16, shade: &mut impl FnMut(usize) -> u64) -> u64 {
    let mut hash = 0;
    while features != 0 {
        hash = mix(hash ^ shade(features.trailing_zeros() as usize));
        features &= features - 1;
    }
    hash
}

/// What the value of one feature adds to a key.
const fn shade(index: usize, value: u64) -> u64 {
    mix(value ^ (index as u64 + 1) << 56)
}

/// Scrambles 64 bits (the finaliser of `SplitMix64`).
pub(super) const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_that_decides_is_found_among_others() {
        let mut law = Law::<3>::new(2);
        for step in 0..40u64 {
            law.learn(&[step % 2, step % 3, 7], step % 3 / 2);
        }
        let verdict = law.ask(|index| [0, 2, 7][index]).unwrap();
        assert_eq!((verdict.outcome, verdict.features, verdict.refuted), (1, 0b010, 0));
    }

    #[test]
    fn a_contradiction_brings_in_a_second_condition() {
        let mut law = Law::<2>::new(2);
        for step in 0..12u64 {
            law.learn(&[0, step % 2], 0);
            law.learn(&[1, 0], 1);
        }
        assert_eq!(
            law.ask(|index| [1, 1][index]).unwrap().outcome,
            1,
            "not met yet, so the first feature alone answers"
        );
        for _ in 0..4 {
            law.learn(&[1, 1], 0);
        }
        let verdict = law.ask(|index| [1, 1][index]).unwrap();
        assert_eq!((verdict.outcome, verdict.features), (0, 0b11));
        assert_eq!(law.ask(|index| [1, 0][index]).unwrap().outcome, 1);
    }

    #[test]
    fn a_case_in_which_the_shortest_hypothesis_is_often_mistaken_is_left_to_a_firm_one() {
        let mut law = Law::<2>::new(2);
        // The first feature tells nearly everything; where it is 5, only the second one does.
        for step in 0..40u64 {
            law.learn(&[step % 5, 100 + step], u64::from(step % 5 == 0));
        }
        for second in [7, 8, 7, 8, 7, 8, 8, 8] {
            law.learn(&[5, second], u64::from(second == 8));
        }
        for _ in 0..FIRM {
            law.learn(&[1, 9], 0);
        }
        let case = |second: u64| move |index: usize| [5, second][index];
        assert_eq!(law.ask(case(7)).map(|it| (it.outcome, it.refuted)), Some((1, 3)), "by most of its answers");
        assert_eq!(law.ask_firm(case(7)).map(|it| (it.outcome, it.refuted)), Some((0, 0)));
        assert_eq!(law.ask_firm(case(9)), law.ask(case(9)), "what is firm elsewhere says nothing here");
        assert_eq!(law.ask_firm(|index| [0, 1][index]), law.ask(|index| [0, 1][index]));
    }

    #[test]
    fn hearsay_gives_way_to_one_contradiction() {
        let mut law = Law::<1>::new(1);
        (0..9).for_each(|_| law.learn(&[3], 1));
        let mut hearsay = law.clone().hearsay();
        assert_eq!(hearsay.ask(|_| 3).map(|it| (it.outcome, it.seen)), Some((1, 1)));
        for law in [&mut law, &mut hearsay] {
            law.learn(&[3], 0);
        }
        assert_eq!([law, hearsay].map(|law| law.ask(|_| 3).unwrap().outcome), [1, 0]);
    }

    #[test]
    fn what_cannot_be_is_not_expected() {
        let mut law = Law::<2>::new(2);
        (0..3).for_each(|_| law.learn(&[0, 1], 1));
        law.learn(&[0, 2], 2);
        assert_eq!(law.ask_among(|index| [0, 3][index], |outcome| outcome != 1).map(|it| it.outcome), Some(2));
        assert_eq!(law.ask_among(|_| 0, |outcome| outcome == 3), None);
    }

    #[test]
    fn nothing_is_expected_before_the_first_observation() {
        assert_eq!(Law::<2>::new(2).ask(|_| 0), None);
    }
}
