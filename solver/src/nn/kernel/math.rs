//! Functions of one number, written so that a loop over them becomes vector instructions, and sums over lanes.

use std::f32::consts::{FRAC_1_SQRT_2, LOG2_E};

/// Numbers that are summed side by side: one register of AVX-512.
const LANES: usize = 16;

/// Adding and subtracting it rounds to an integer, which is left in the low bits: 1.5·2²³.
const ROUNDING: f32 = 12_582_912.0;

/// Below it, [`exp`] is zero: the smallest normal number is `exp(-87.34)`.
const EXP_MIN: f32 = -87.0;

/// Above it, [`exp`] grows no more: the largest finite number is `exp(88.72)`.
const EXP_MAX: f32 = 88.0;

/// `ln 2` in two parts, the first with few enough bits that its multiples by small integers are exact.
const LN2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// `exp(x)` within 2 units in the last place, 0 under -87 and constant over 88.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let bounded = x.clamp(EXP_MIN, EXP_MAX);
    let shifted = bounded.mul_add(LOG2_E, ROUNDING);
    let whole = shifted - ROUNDING;
    let rest = whole.mul_add(-LN2[1], whole.mul_add(-LN2[0], bounded));
    let power = exp_near_zero(rest);
    // The exponent is the integer in the low bits of `shifted`; all that stands above it is shifted out.
    let scaled = f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23));
    if x < EXP_MIN { 0.0 } else { scaled }
}

/// Taylor series of `exp` to the seventh power, for |x| ≤ ln 2 / 2, where the next term is under 6e-9.
#[inline(always)]
fn exp_near_zero(x: f32) -> f32 {
    let sum = x.mul_add(1.0 / 5040.0, 1.0 / 720.0);
    let sum = x.mul_add(sum, 1.0 / 120.0);
    let sum = x.mul_add(sum, 1.0 / 24.0);
    let sum = x.mul_add(sum, 1.0 / 6.0);
    let sum = x.mul_add(sum, 0.5);
    let sum = x.mul_add(sum, 1.0);
    x.mul_add(sum, 1.0)
}

/// `1 / (1 + exp(-x))`.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `x·sigmoid(x)` and its derivative.
#[inline(always)]
pub(crate) fn silu(x: f32) -> (f32, f32) {
    let gate = sigmoid(x);
    let value = x * gate;
    (value, gate + value * (1.0 - gate))
}

/// `x·Φ(x)` and its derivative `Φ(x) + x·φ(x)`: GELU in the form with the error function.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> (f32, f32) {
    /// `1 / sqrt(2π)`.
    const DENSITY: f32 = 0.398_942_3;
    let below = 0.5 * (1.0 + erf(x * FRAC_1_SQRT_2));
    (x * below, below + x * DENSITY * exp(-0.5 * x * x))
}

/// The error function, off by at most 1.5e-7: formula 7.1.26 of Abramowitz and Stegun.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / size.mul_add(0.327_591_1, 1.0);
    let sum = t.mul_add(1.061_405_4, -1.453_152_1);
    let sum = t.mul_add(sum, 1.421_413_8);
    let sum = t.mul_add(sum, -0.284_496_72);
    let sum = t.mul_add(sum, 0.254_829_6);
    (1.0 - t * sum * exp(-size * size)).copysign(x)
}

/// `Σ term(a, b)` over pairs, in a fixed order.
#[inline(always)]
pub(crate) fn sum_of(a: &[f32], b: &[f32], term: impl Fn(f32, f32) -> f32) -> f32 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += term(*a, *b);
        }
    }
    let mut total = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        total += term(*a, *b);
    }
    for lane in lanes {
        total += lane;
    }
    total
}

/// `Σ a·b`.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    sum_of(a, b, |a, b| a * b)
}

/// The largest of `values`, `-∞` of none; a NaN is passed over.
#[inline(always)]
pub(crate) fn max(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *value);
        }
    }
    let mut most = f32::NEG_INFINITY;
    for lane in lanes {
        most = larger(most, lane);
    }
    for value in rest {
        most = larger(most, *value);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::{super::simd, *};

    fn grid() -> impl Iterator<Item = f32> {
        (-8700..=8800).map(|i| i as f32 * 0.01)
    }

    #[test]
    fn exp_is_right_to_two_units_in_the_last_place() {
        for x in grid() {
            let (found, expected) = (f64::from(simd(|| exp(x))), f64::from(x).exp());
            assert!((found / expected - 1.0).abs() < 2.4e-7, "exp({x}) = {found}, expected {expected}");
        }
        assert_eq!((exp(f32::NEG_INFINITY), exp(0.0)), (0.0, 1.0));
        assert!(exp(f32::NAN).is_nan() && exp(f32::INFINITY).is_finite());
    }

    #[test]
    fn erf_agrees_with_known_values() {
        // Digits of erf from Abramowitz and Stegun, table 7.1.
        for (x, expected) in
            [(0.0, 0.0), (0.1, 0.112_462_92), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3)]
        {
            assert!((erf(x) - expected).abs() < 2e-7, "erf({x}) = {}", erf(x));
            assert!((erf(-x) + expected).abs() < 2e-7);
        }
        assert!(gelu(f32::NAN).0.is_nan() && silu(f32::NAN).0.is_nan());
    }

    #[test]
    fn sums_cover_what_is_left_over_of_the_lanes() {
        for len in [0, 1, 15, 16, 17, 50] {
            let values: Vec<f32> = (0..len).map(|i| i as f32).collect();
            let squares: f32 = values.iter().map(|v| v * v).sum();
            assert!((dot(&values, &values) - squares).abs() < 1e-3);
            assert_eq!(Some(max(&values)), values.last().copied().or(Some(f32::NEG_INFINITY)));
        }
    }
}
