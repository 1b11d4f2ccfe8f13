//! A moving average of the weights, which evaluates better than the weights themselves.

use candle_core::{Result, Tensor};
use indexmap::IndexMap;
use rayon::prelude::*;

use super::{
    missing,
    slices::{CHUNK, read, write},
};
use crate::nn::Params;

/// The average of all trained tensors, started as a copy and without bias correction. Tables are not averaged.
#[derive(Clone, Debug)]
pub struct Ema {
    decay: f64,
    shadow: IndexMap<String, Tensor>,
}

impl Ema {
    /// A copy of the weights as they are.
    pub fn new(decay: f64, params: &Params) -> Result<Ema> {
        let copies = params.trained().map(|(name, var)| Ok((name.to_owned(), var.as_tensor().copy()?)));
        Ok(Ema { decay, shadow: copies.collect::<Result<_>>()? })
    }

    /// `shadow ← decay·shadow + (1-decay)·weights`, after a step.
    pub fn update(&mut self, params: &Params) -> Result<()> {
        let share = 1.0 - self.decay;
        for (name, shadow) in &mut self.shadow {
            let var = params.get(name).ok_or_else(|| missing(name))?.as_tensor();
            if var.device().is_cpu() {
                let mut done = Ok(());
                write(shadow, |shadow| done = read(var, |weights| approach(shadow, weights, share as f32)))?;
                done?;
            } else {
                *shadow = (&*shadow + ((var - &*shadow)? * share)?)?;
            }
        }
        Ok(())
    }

    /// Exchanges the average with the weights; a second time puts both back, to the bit.
    pub fn swap(&mut self, params: &Params) -> Result<()> {
        for (name, shadow) in &mut self.shadow {
            let var = params.get(name).ok_or_else(|| missing(name))?;
            let weights = var.as_tensor().copy()?;
            var.set(shadow)?;
            *shadow = weights;
        }
        Ok(())
    }

    /// The averages by name.
    pub fn state(&self) -> impl Iterator<Item = (String, &Tensor)> {
        self.shadow.iter().map(|(name, tensor)| (name.clone(), tensor))
    }
}

fn approach(shadow: &mut [f32], weights: &[f32], share: f32) {
    shadow.par_chunks_mut(CHUNK).zip(weights.par_chunks(CHUNK)).for_each(|(shadow, weights)| {
        for (shadow, weight) in shadow.iter_mut().zip(weights) {
            *shadow += share * (weight - *shadow);
        }
    });
}
