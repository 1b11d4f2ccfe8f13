//! The learning rate of each step.

use serde::{Deserialize, Serialize};

/// A linear warm-up, then what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Steps until the full rate is reached.
    pub warm_up: u64,
    /// Where the warm-up begins.
    #[serde(default)]
    pub first: FirstStep,
    /// What comes after the warm-up.
    #[serde(default)]
    pub then: Then,
}

/// The published codes differ by one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstStep {
    /// The first step has the rate 1/`warm_up` (TRM).
    #[default]
    One,
    /// The first step has the rate 0 (URM).
    Zero,
}

/// What comes after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Then {
    /// The full rate to the end (TRM, URM).
    #[default]
    Constant,
    /// Half a cosine down to this share of the full rate at the last step (Loop-ViT: 0).
    Cosine {
        /// The share that is left.
        floor: f64,
    },
    /// The full rate up to a share of all steps, then straight down to a share of the rate at the last step.
    Linear {
        /// Share of all steps before the rate falls.
        hold: f64,
        /// The share of the rate that is left.
        floor: f64,
    },
}

impl Schedule {
    /// The share of the full rate at a step counted from 0, of `total`.
    pub fn factor(&self, step: u64, total: u64) -> f64 {
        let step = match self.first {
            FirstStep::One => step + 1,
            FirstStep::Zero => step,
        };
        if step < self.warm_up {
            return step as f64 / self.warm_up as f64;
        }
        match self.then {
            Then::Constant => 1.0,
            Then::Cosine { floor } => {
                let down = done(step, self.warm_up as f64, total);
                floor + (1.0 - floor) * 0.5 * (1.0 + (std::f64::consts::PI * down).cos())
            }
            Then::Linear { hold, floor } => 1.0 - (1.0 - floor) * done(step, hold * total as f64, total),
        }
    }
}

/// Which share of the way from step `from` to the last one lies behind.
fn done(step: u64, from: f64, total: u64) -> f64 {
    ((step as f64 - from) / (total as f64 - from).max(1.0)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(schedule: Schedule, steps: &[u64]) -> Vec<f64> {
        steps.iter().map(|step| schedule.factor(*step, 12)).collect()
    }

    #[test]
    fn warm_up_is_linear_and_begins_where_the_published_codes_do() {
        let trm = Schedule { warm_up: 4, first: FirstStep::One, then: Then::Constant };
        assert_eq!(factors(trm, &[0, 1, 2, 3, 4, 11]), [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]);
        let urm = Schedule { first: FirstStep::Zero, ..trm };
        assert_eq!(factors(urm, &[0, 1, 2, 3, 4, 11]), [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn the_cosine_ends_at_its_floor() {
        let schedule = Schedule { warm_up: 4, first: FirstStep::Zero, then: Then::Cosine { floor: 0.2 } };
        let found = factors(schedule, &[4, 8, 12, 20]);
        for (expected, found) in [1.0, 0.6, 0.2, 0.2].into_iter().zip(found) {
            assert!((expected - found).abs() < 1e-12, "{expected} {found}");
        }
    }

    #[test]
    fn the_straight_way_down_begins_where_the_rate_was_held_to() {
        let then = Then::Linear { hold: 0.5, floor: 0.1 };
        let schedule = Schedule { warm_up: 2, first: FirstStep::Zero, then };
        let found = factors(schedule, &[1, 2, 6, 8, 12, 20]);
        for (expected, found) in [0.5, 1.0, 1.0, 0.7, 0.1, 0.1].into_iter().zip(found) {
            assert!((expected - found).abs() < 1e-12, "{expected} {found}");
        }
    }
}
