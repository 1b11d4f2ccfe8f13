//! Rules with two moving averages: [`AdamAtan2`] and [`AdamW`].

use candle_core::{Result, Tensor, Var};
use indexmap::IndexMap;
use rayon::prelude::*;

use super::{
    Step, missing,
    slices::{CHUNK, read, write},
};

/// The moving averages of gradients and of their squares, by name.
#[derive(Clone, Debug)]
pub(super) struct Moments(IndexMap<String, [Tensor; 2]>);

impl Moments {
    pub(super) fn zeros<'a>(vars: impl Iterator<Item = (&'a str, &'a Var)>) -> Result<Moments> {
        let zeros = |(name, var): (&str, &Var)| Ok((name.to_owned(), [var.zeros_like()?, var.zeros_like()?]));
        vars.map(zeros).collect::<Result<_>>().map(Moments)
    }

    pub(super) fn state(&self) -> impl Iterator<Item = (String, &Tensor)> {
        self.0
            .iter()
            .flat_map(|(name, [first, second])| [(format!("first.{name}"), first), (format!("second.{name}"), second)])
    }

    pub(super) fn of(&self, name: &str) -> Result<&[Tensor; 2]> {
        self.0.get(name).ok_or_else(|| missing(name))
    }
}

/// What both rules share: decay rates of the averages and of the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Adam {
    pub(super) betas: (f64, f64),
    pub(super) weight_decay: f64,
}

/// How the averages become a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Direction {
    /// `atan2(m, sqrt(v)/sqrt(1-b2^t))`: no epsilon, indifferent to the scale of the loss.
    Atan2,
    /// `sqrt(1-b2^t)·m / (sqrt(v) + eps)`.
    Quotient { eps: f64 },
}

impl Adam {
    /// One step of one tensor. `p ← p·(1 - lr·wd)`, the averages move, then `p ← p - lr/(1-b1^t)·direction`.
    pub(super) fn step(
        self,
        var: &Tensor,
        [first, second]: &[Tensor; 2],
        gradient: &Tensor,
        at: Step,
        direction: Direction,
    ) -> Result<()> {
        let rule = Rule::new(self, at, direction);
        if !var.device().is_cpu() {
            return rule.on_device(var, first, second, gradient);
        }
        let gradient = gradient.contiguous()?;
        let mut done = Ok(());
        write(var, |p| {
            done = write(first, |m| {
                done = write(second, |v| done = read(&gradient, |g| rule.on_slices(p, m, v, g)));
            });
        })?;
        done
    }
}

/// A step with all its factors worked out.
#[derive(Clone, Copy, Debug)]
struct Rule {
    keep: f64,
    first: f64,
    second: f64,
    rate: f64,
    /// `sqrt(1-b2^t)`
    correction: f64,
    direction: Direction,
}

impl Rule {
    fn new(adam: Adam, at: Step, direction: Direction) -> Rule {
        let Adam { betas: (b1, b2), weight_decay } = adam;
        let steps = at.number as f64;
        Rule {
            keep: 1.0 - at.lr * weight_decay,
            first: 1.0 - b1,
            second: 1.0 - b2,
            rate: at.lr / (1.0 - b1.powf(steps)),
            correction: (1.0 - b2.powf(steps)).sqrt(),
            direction,
        }
    }

    fn on_slices(self, p: &mut [f32], m: &mut [f32], v: &mut [f32], g: &[f32]) {
        let correction = self.correction as f32;
        match self.direction {
            Direction::Atan2 => self.sweep(p, m, v, g, |m, root| atan2(m, root / correction)),
            Direction::Quotient { eps } => self.sweep(p, m, v, g, |m, root| correction * m / (root + eps as f32)),
        }
    }

    fn sweep(self, p: &mut [f32], m: &mut [f32], v: &mut [f32], g: &[f32], direction: impl Fn(f32, f32) -> f32 + Sync) {
        let [keep, first, second, rate] = [self.keep, self.first, self.second, self.rate].map(|factor| factor as f32);
        let chunks = p.par_chunks_mut(CHUNK).zip(m.par_chunks_mut(CHUNK)).zip(v.par_chunks_mut(CHUNK));
        chunks.zip(g.par_chunks(CHUNK)).for_each(|(((p, m), v), g)| {
            for (((p, m), v), g) in p.iter_mut().zip(m).zip(v).zip(g) {
                *m += first * (g - *m);
                *v += second * (g * g - *v);
                *p = *p * keep - rate * direction(*m, v.sqrt());
            }
        });
    }

    /// The same in whole tensors, for devices whose memory is not ours to walk.
    fn on_device(self, p: &Tensor, m: &Tensor, v: &Tensor, g: &Tensor) -> Result<()> {
        let mean = (m + ((g - m)? * self.first)?)?;
        let square = (v + ((g.sqr()? - v)? * self.second)?)?;
        let direction = match self.direction {
            Direction::Atan2 => atan2_of_tensors(&mean, &(square.sqrt()? / self.correction)?)?,
            Direction::Quotient { eps } => ((&mean * self.correction)? / (square.sqrt()? + eps)?)?,
        };
        let moved = ((p * self.keep)? - (direction * self.rate)?)?;
        for (tensor, value) in [(p, moved), (m, mean), (v, square)] {
            tensor.slice_set(&value, 0, 0)?;
        }
        Ok(())
    }
}

/// Coefficients of `(atan(t)/t - 1)/t²` in `t²` for `|t| ≤ tan(π/8)`, as in the Cephes library: error below 2e-7.
const ATAN: [f32; 4] = [-3.333_295e-1, 1.997_771_1e-1, -1.387_768_5e-1, 8.053_745e-2];

/// `atan2(y, x)` for `x ≥ 0`, 0 at the origin; without a branch, so that compilers make vectors of it.
fn atan2(y: f32, x: f32) -> f32 {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};
    let (small, large) = (y.abs().min(x), y.abs().max(x));
    // tan(π/8) = 0.41421: above it, atan(t) = π/4 + atan((t-1)/(t+1)).
    let far = small > 0.414_213_56 * large;
    let top = if far { small - large } else { small };
    let bottom = if far { small + large } else { large };
    let t = top / bottom.max(f32::MIN_POSITIVE);
    let z = t * t;
    let series = ((ATAN[3] * z + ATAN[2]) * z + ATAN[1]) * z + ATAN[0];
    let angle = t + t * z * series + if far { FRAC_PI_4 } else { 0.0 };
    let angle = if y.abs() > x { FRAC_PI_2 - angle } else { angle };
    angle.copysign(y)
}

/// [`atan2`] in whole tensors, with the same reductions.
fn atan2_of_tensors(y: &Tensor, x: &Tensor) -> Result<Tensor> {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
    let (small, large) = (y.abs()?.minimum(x)?, y.abs()?.maximum(x)?);
    let far = small.gt(&(&large * 0.414_213_562_373)?)?;
    let top = far.where_cond(&(&small - &large)?, &small)?;
    let bottom = far.where_cond(&(&small + &large)?, &large)?;
    let t = (top / bottom.maximum(f64::from(f32::MIN_POSITIVE))?)?;
    let z = t.sqr()?;
    let [c0, c1, c2, c3] = ATAN.map(f64::from);
    let series = ((((((&z * c3)? + c2)? * &z)? + c1)? * &z)? + c0)?;
    let angle = ((&t + (&t * (z * series)?)?)? + (far.to_dtype(t.dtype())? * FRAC_PI_4)?)?;
    let steep = y.abs()?.gt(x)?;
    let angle = steep.where_cond(&(&angle * -1.0)?.affine(1.0, FRAC_PI_2)?, &angle)?;
    y.lt(0.0)?.where_cond(&angle.neg()?, &angle)
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn atan2_is_that_of_the_library() {
        let axis = [0.0f32, 1e-30, 1e-12, 3e-5, 0.1, 0.414, 0.4143, 0.9, 1.0, 1.1, 2.4, 7.0, 1e4, 1e20];
        for y in axis.iter().flat_map(|y| [*y, -*y]) {
            for x in axis {
                let (expected, found) = (y.atan2(x), atan2(y, x));
                assert!((expected - found).abs() <= 3e-7 * expected.abs(), "{y} {x}: {expected} {found}");
            }
        }
    }

    #[test]
    fn slices_and_whole_tensors_agree() {
        let tensor = |scale: f32, shift: f32| {
            let values: Vec<f32> = (0..40).map(|index| scale * ((index * 7 % 13) as f32 - 6.0) + shift).collect();
            Tensor::from_vec(values, (5, 8), &Device::Cpu).unwrap()
        };
        let adam = Adam { betas: (0.9, 0.95), weight_decay: 0.1 };
        let at = Step { number: 3, lr: 0.01 };
        for direction in [Direction::Atan2, Direction::Quotient { eps: 1e-8 }] {
            let run = |whole: bool| {
                let state = [tensor(0.3, 1.0), tensor(0.1, 0.01), tensor(0.2, 3.0)];
                let [p, m, v] = &state;
                if whole {
                    Rule::new(adam, at, direction).on_device(p, m, v, &tensor(1.0, -0.5)).unwrap();
                } else {
                    adam.step(p, &[m.clone(), v.clone()], &tensor(1.0, -0.5), at, direction).unwrap();
                }
                state.map(|tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap()).concat()
            };
            for (a, b) in run(true).iter().zip(run(false)) {
                assert!((a - b).abs() <= 1e-6, "{direction:?}: {a} {b}");
            }
        }
    }
}
