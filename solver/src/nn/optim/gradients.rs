//! Gradients as plain tensors with names, apart from the graph they came from.

use candle_core::{Result, Tensor, backprop::GradStore};
use indexmap::IndexMap;

use super::slices::{read, sum_of_squares, write};
use crate::nn::Params;

/// Gradients by the name of what they belong to, in the order of [`Params`].
///
/// A tensor that took no part in the loss has none, and no optimiser touches it.
#[derive(Clone, Debug, Default)]
pub struct Gradients(IndexMap<String, Tensor>);

impl Gradients {
    /// What a backward pass left for the trained tensors.
    pub fn take(params: &Params, store: &mut GradStore) -> Gradients {
        let found = params.trained().filter_map(|(name, var)| Some((name.to_owned(), store.remove(var)?)));
        Gradients(found.collect())
    }

    /// All gradients with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, gradient)| (name.as_str(), gradient))
    }

    /// The gradient of that name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.0.get(name)
    }

    /// Adds the gradients of another part of the same batch.
    pub fn add(&mut self, other: Gradients) -> Result<()> {
        for (name, gradient) in other.0 {
            let sum = match self.0.get(&name) {
                Some(before) => (before + gradient)?,
                None => gradient,
            };
            self.0.insert(name, sum);
        }
        Ok(())
    }

    /// The Euclidean norm of all of them as one vector; if it is not finite, the first tensor with the blame.
    pub fn norm(&self) -> Result<Norm<'_>> {
        let mut total = 0.0;
        for (name, gradient) in self.iter() {
            let part = squares(gradient)?;
            if !part.is_finite() {
                return Ok(Norm::NotFinite { tensor: name });
            }
            total += part;
        }
        Ok(Norm::Finite(total.sqrt()))
    }

    /// Shrinks them, if `norm` is larger, to a norm of `limit`.
    pub fn clip(&mut self, norm: f64, limit: f64) -> Result<()> {
        if norm <= limit {
            return Ok(());
        }
        let factor = limit / norm;
        self.0.values_mut().try_for_each(|gradient| scale(gradient, factor))
    }
}

impl FromIterator<(String, Tensor)> for Gradients {
    fn from_iter<I: IntoIterator<Item = (String, Tensor)>>(named: I) -> Gradients {
        Gradients(named.into_iter().collect())
    }
}

/// How long the gradients are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Norm<'a> {
    /// So long.
    Finite(f64),
    /// There is a NaN or an infinity.
    NotFinite {
        /// Where first.
        tensor: &'a str,
    },
}

fn squares(tensor: &Tensor) -> Result<f64> {
    if tensor.device().is_cpu() {
        return read(tensor, sum_of_squares);
    }
    Ok(f64::from(tensor.sqr()?.sum_all()?.to_scalar::<f32>()?))
}

fn scale(tensor: &mut Tensor, factor: f64) -> Result<()> {
    if tensor.device().is_cpu() && tensor.is_contiguous() {
        return write(tensor, |values| values.iter_mut().for_each(|value| *value *= factor as f32));
    }
    *tensor = (&*tensor * factor)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    fn gradients(values: &[(&str, &[f32])]) -> Gradients {
        let tensor = |values: &[f32]| Tensor::new(values, &Device::Cpu).unwrap();
        values.iter().map(|(name, values)| ((*name).to_owned(), tensor(values))).collect()
    }

    #[test]
    fn the_norm_is_that_of_all_tensors_as_one_vector_and_clipping_reaches_it() {
        let mut some = gradients(&[("a", &[3.0]), ("b", &[0.0, 4.0])]);
        assert_eq!(some.norm().unwrap(), Norm::Finite(5.0));
        some.clip(5.0, 10.0).unwrap();
        assert_eq!(some.get("a").unwrap().to_vec1::<f32>().unwrap(), [3.0]);
        some.clip(5.0, 1.0).unwrap();
        assert_eq!(some.get("b").unwrap().to_vec1::<f32>().unwrap(), [0.0, 0.8]);
    }

    #[test]
    fn what_is_not_a_number_is_found_by_name() {
        let some = gradients(&[("a", &[3.0]), ("b", &[1.0, f32::NAN]), ("c", &[f32::INFINITY])]);
        assert_eq!(some.norm().unwrap(), Norm::NotFinite { tensor: "b" });
    }

    #[test]
    fn parts_of_a_batch_add_up() {
        let mut some = gradients(&[("a", &[1.0])]);
        some.add(gradients(&[("a", &[2.0]), ("b", &[5.0])])).unwrap();
        assert_eq!(some.get("a").unwrap().to_vec1::<f32>().unwrap(), [3.0]);
        assert_eq!(some.get("b").unwrap().to_vec1::<f32>().unwrap(), [5.0]);
    }
}
