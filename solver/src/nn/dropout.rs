//! Numbers left out at random in training.

use candle_core::{Result, Tensor};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Mode, kernel::sieve::Sieve};

/// Leaves out numbers with a probability and scales the others up, so that the expectation stays.
#[derive(Debug)]
pub struct Dropout<'a> {
    rate: f32,
    rng: &'a mut ChaCha8Rng,
}

impl Dropout<'_> {
    /// Active in training, where `rate` is not 0.
    pub fn new(rate: f32, mode: Mode, rng: &mut ChaCha8Rng) -> Dropout<'_> {
        Dropout { rate: if mode == Mode::Train { rate } else { 0.0 }, rng }
    }

    /// Whether it leaves everything as it is.
    fn is_off(&self) -> bool {
        self.rate == 0.0
    }

    /// What leaves out attention, none when this is off.
    pub(crate) fn sieve(&mut self) -> Option<Sieve> {
        (!self.is_off()).then(|| Sieve::new(self.rate, self.rng.random()))
    }

    /// A tensor of the same shape.
    pub fn apply(&mut self, x: &Tensor) -> Result<Tensor> {
        let Some(sieve) = self.sieve() else { return Ok(x.clone()) };
        let mut factors = vec![1.0; x.elem_count()];
        sieve.apply(0, &mut factors);
        x * Tensor::from_vec(factors, x.shape(), x.device())?.to_dtype(x.dtype())?
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{DType, Device};

    use super::*;
    use crate::nn::stream;

    #[test]
    fn what_stays_is_scaled_and_evaluation_is_spared() {
        let x = Tensor::ones(10_000, DType::F32, &Device::Cpu).unwrap();
        let dropped = |mode, rate| {
            let mut rng = stream(3, "dropout");
            Dropout::new(rate, mode, &mut rng).apply(&x).unwrap().to_vec1::<f32>().unwrap()
        };
        let found = dropped(Mode::Train, 0.2);
        assert_eq!(found, dropped(Mode::Train, 0.2));
        assert!(found.iter().all(|value| [0.0, 1.25].contains(value)));
        let zeros = found.iter().filter(|value| **value == 0.0).count();
        assert!((1900..2100).contains(&zeros), "{zeros}");
        assert_eq!(dropped(Mode::Eval, 0.2), vec![1.0; 10_000]);
        assert_eq!(dropped(Mode::Train, 0.0), vec![1.0; 10_000]);
    }
}
