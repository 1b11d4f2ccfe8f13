//! What a fresh weight is drawn from.
//!
//! Every tensor has a stream of its own, split from the seed by the tensor's name: the order in which a net is built
//! changes nothing, and the same seed gives the same bytes. (candle cannot seed its CPU generator.)

use candle_core::{Device, Result, Shape, Tensor};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Where the normal distribution of [`Init::TruncatedNormal`] is cut, in its own deviations.
const CUT: f64 = 2.0;

/// Standard deviation of a standard normal cut at ±2.
const CUT_DEVIATION: f64 = 0.879_625_661_034_240_2;

/// A distribution of initial values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// The same number everywhere.
    Constant(f32),
    /// Normal around 0.
    Normal {
        /// Standard deviation.
        std: f64,
    },
    /// Normal around 0, cut at twice the deviation and widened so that `std` is what remains: no value is beyond
    /// 2.2737 `std`. (HRM, TRM and URM draw all their weights so; the library function of the same name does not widen.)
    TruncatedNormal {
        /// Standard deviation of the result.
        std: f64,
    },
    /// `ln 1, ln 2, …, ln period`, again and again: the logarithms of Mamba-1's decay rates.
    LogCount {
        /// States a channel.
        period: usize,
    },
    /// What a softplus turns into numbers whose logarithms are uniform in `least..most`: Mamba-1's step lengths.
    InverseSoftplus {
        /// Smallest result.
        least: f64,
        /// Largest result.
        most: f64,
    },
    /// Uniform in `-bound..bound`.
    Uniform {
        /// Largest absolute value.
        bound: f64,
    },
}

impl Init {
    /// All zero.
    pub const ZERO: Init = Init::Constant(0.0);

    /// The truncated normal of a linear layer: deviation `1/sqrt(inputs)`.
    pub fn linear(inputs: usize) -> Init {
        Init::TruncatedNormal { std: 1.0 / (inputs as f64).sqrt() }
    }

    /// What PyTorch gives linear and convolution layers, weights and biases alike: uniform within `1/sqrt(fan_in)`.
    pub fn torch(fan_in: usize) -> Init {
        Init::Uniform { bound: 1.0 / (fan_in as f64).sqrt() }
    }

    /// A tensor of f32 drawn from the stream of `name`.
    pub fn draw(self, seed: u64, name: &str, shape: &Shape, device: &Device) -> Result<Tensor> {
        let mut rng = stream(seed, name);
        let mut normal = || -> f64 { rng.sample(StandardNormal) };
        let count = shape.elem_count();
        let values: Vec<f32> = match self {
            Init::Constant(value) => vec![value; count],
            Init::Normal { std } => (0..count).map(|_| (std * normal()) as f32).collect(),
            Init::TruncatedNormal { std } => {
                let scale = std / CUT_DEVIATION;
                let mut cut = || std::iter::repeat_with(&mut normal).find(|z| z.abs() <= CUT).unwrap_or_default();
                (0..count).map(|_| (scale * cut()) as f32).collect()
            }
            Init::LogCount { period } => (0..count).map(|i| ((i % period + 1) as f32).ln()).collect(),
            Init::InverseSoftplus { least, most } => {
                let mut length = || rng.random_range(least.ln()..=most.ln()).exp();
                (0..count).map(|_| inverse_softplus(length()) as f32).collect()
            }
            Init::Uniform { bound } => (0..count).map(|_| rng.random_range(-bound..=bound) as f32).collect(),
        };
        Tensor::from_vec(values, shape, device)
    }
}

/// `x` with `ln(1 + exp(x)) = y`, for `y > 0`.
fn inverse_softplus(y: f64) -> f64 {
    y + (-(-y).exp_m1()).ln()
}

/// A generator of its own for everything that has a name.
pub fn stream(seed: u64, name: &str) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(xxh3_64_with_seed(name.as_bytes(), seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(init: Init, seed: u64, name: &str) -> Vec<f32> {
        init.draw(seed, name, &Shape::from(20_000), &Device::Cpu).unwrap().to_vec1().unwrap()
    }

    fn deviation(values: &[f32]) -> f64 {
        let squares = values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>();
        (squares / values.len() as f64).sqrt()
    }

    #[test]
    fn the_truncated_normal_keeps_its_deviation_and_its_bound() {
        // E[z² | |z| ≤ 2] = 1 - 2·2·φ(2)/(Φ(2) - Φ(-2)) = 0.773741 = 0.879626².
        let values = draw(Init::TruncatedNormal { std: 0.5 }, 1, "w");
        assert!((deviation(&values) - 0.5).abs() < 0.01, "{}", deviation(&values));
        let largest = values.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        assert!(largest <= 0.5 * 2.2738 && largest > 0.5 * 2.2, "{largest}");
    }

    #[test]
    fn every_name_has_its_own_stream_and_every_seed_its_own_values() {
        let init = Init::Normal { std: 1.0 };
        assert_eq!(draw(init, 1, "a"), draw(init, 1, "a"));
        assert_ne!(draw(init, 1, "a"), draw(init, 1, "b"));
        assert_ne!(draw(init, 1, "a"), draw(init, 2, "a"));
    }

    #[test]
    fn step_lengths_are_drawn_in_their_range() {
        // softplus(-6.90726) = 0.001, softplus(-4.60017) = 0.01, softplus(-2.25217) = 0.1.
        for (length, expected) in [(0.001, -6.907_26), (0.01, -4.600_17), (0.1, -2.252_17)] {
            assert!((inverse_softplus(length) - expected).abs() < 1e-5);
        }
        let values = draw(Init::InverseSoftplus { least: 1e-3, most: 0.1 }, 1, "dt");
        assert!(values.iter().all(|value| (-6.907_27..=-2.252_16).contains(value)));
        assert_eq!(draw(Init::LogCount { period: 2 }, 1, "a")[..3], [0.0, 2f32.ln(), 0.0]);
    }

    #[test]
    fn uniform_values_fill_their_bound() {
        let values = draw(Init::torch(4), 3, "w");
        // A uniform distribution within ±b has deviation b/sqrt(3).
        assert!((deviation(&values) - 0.5 / 3f64.sqrt()).abs() < 0.005);
        assert!(values.iter().all(|value| value.abs() <= 0.5));
        assert!(draw(Init::ZERO, 3, "w").iter().all(|value| *value == 0.0));
    }
}
