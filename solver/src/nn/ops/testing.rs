//! How operations are tested: against their reference, and by finite differences.

use candle_core::{Device, Result, Shape, Tensor, Var};

use crate::nn::Init;

/// Largest difference of values and gradients from the reference, as a share of the largest number among them.
const TOLERANCE: f64 = 1e-5;

/// Step of the finite differences: large enough for the rounding of f32.
const STEP: f64 = 1e-2;

/// A variable of standard normal numbers, the same for the same name.
pub(crate) fn draw(name: &str, shape: impl Into<Shape>) -> Tensor {
    let values = Init::Normal { std: 1.0 }.draw(7, name, &shape.into(), &Device::Cpu).unwrap();
    Var::from_tensor(&values).unwrap().as_tensor().clone()
}

/// Panics unless `op` and `reference` agree in value and in the gradient of every input, and the gradients of `op` with
/// its own finite differences.
pub(crate) fn agree(
    inputs: &[Tensor],
    op: impl Fn(&[Tensor]) -> Result<Tensor>,
    reference: impl Fn(&[Tensor]) -> Result<Tensor>,
) {
    let (found, expected) = (op(inputs).unwrap(), reference(inputs).unwrap());
    assert_close(&found, &expected, "value");
    let toward = draw("toward", found.shape()).detach();
    let loss = |y: Tensor| (y * &toward).unwrap().sum_all().unwrap();
    let (found, expected) = (loss(found).backward().unwrap(), loss(expected).backward().unwrap());
    for (i, input) in inputs.iter().enumerate() {
        let grad = found.get(input).unwrap_or_else(|| panic!("input {i} has no gradient"));
        assert_close(grad, expected.get(input).unwrap(), &format!("gradient of input {i}"));
        assert_slope(inputs, i, grad, |inputs| dot(&op(inputs).unwrap(), &toward));
    }
}

/// Panics unless the two agree but for rounding.
pub(crate) fn assert_close(found: &Tensor, expected: &Tensor, what: &str) {
    assert_eq!(found.shape(), expected.shape(), "shape of the {what}");
    let (error, size) = (largest(&(found - expected).unwrap()), largest(expected));
    assert!(error <= TOLERANCE * size.max(1e-3), "{what}: {error} off, of {size}");
}

/// Compares the gradient along one direction with the difference of the loss on both sides.
fn assert_slope(inputs: &[Tensor], which: usize, grad: &Tensor, loss: impl Fn(&[Tensor]) -> f64) {
    let direction = draw("direction", grad.shape()).detach();
    let length = dot(&direction, &direction).sqrt();
    let at = |step: f64| {
        let mut moved: Vec<Tensor> = inputs.iter().map(Tensor::detach).collect();
        moved[which] = (&moved[which] + (&direction * (step / length)).unwrap()).unwrap();
        loss(&moved)
    };
    let (found, expected) = (dot(grad, &direction) / length, (at(STEP) - at(-STEP)) / (2.0 * STEP));
    let scale = dot(grad, grad).sqrt().max(1e-2);
    assert!((found - expected).abs() < 0.01 * scale, "slope of input {which}: {found}, by differences {expected}");
}

fn largest(tensor: &Tensor) -> f64 {
    f64::from(tensor.abs().unwrap().max_all().unwrap().to_scalar::<f32>().unwrap())
}

fn dot(a: &Tensor, b: &Tensor) -> f64 {
    let numbers = |x: &Tensor| x.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| f64::from(a) * f64::from(b)).sum()
}
