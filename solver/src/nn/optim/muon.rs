//! Muon: momentum turned into the nearest orthogonal matrix.

use candle_core::{DType, Result, Tensor, Var};
use indexmap::IndexMap;

use super::{Step, missing};

/// Momentum of the matrices, and its weight in the Nesterov look-ahead.
const MOMENTUM: f64 = 0.95;

/// The share of an orthogonal matrix's size that gives steps like Adam's (Moonlight, 2502.16982).
const SCALE: f64 = 0.2;

/// Coefficients of the five Newton-Schulz iterations, each tuned for what the one before leaves (URM, `models/muon.py`).
const ITERATIONS: [(f64, f64, f64); 5] = [
    (7.2086, -15.5131, 9.0178),
    (3.9623, -2.5813, 0.4542),
    (3.9466, -2.5765, 0.4544),
    (3.8991, -2.5671, 0.4566),
    (3.7186, -2.5308, 0.4653),
];

/// Momentum by name.
#[derive(Clone, Debug)]
pub(super) struct Muon(IndexMap<String, Tensor>);

impl Muon {
    pub(super) fn new<'a>(vars: impl Iterator<Item = (&'a str, &'a Var)>) -> Result<Muon> {
        vars.map(|(name, var)| Ok((name.to_owned(), var.zeros_like()?))).collect::<Result<_>>().map(Muon)
    }

    pub(super) fn state(&self) -> impl Iterator<Item = (String, &Tensor)> {
        self.0.iter().map(|(name, momentum)| (format!("momentum.{name}"), momentum))
    }

    /// `buf ← 0.95·buf + g`, `p ← p·(1 - lr·wd) - lr·0.2·sqrt(max side)·msign(g + 0.95·buf)`, the last for each of so many
    /// parts of the rows by itself.
    pub(super) fn step(
        &self,
        name: &str,
        (var, parts): (&Tensor, usize),
        gradient: &Tensor,
        decay: f64,
        at: Step,
    ) -> Result<()> {
        let momentum = self.0.get(name).ok_or_else(|| missing(name))?;
        let moved = ((momentum * MOMENTUM)? + gradient)?;
        let ahead = (gradient + (&moved * MOMENTUM)?)?.to_dtype(DType::BF16)?.to_dtype(DType::F32)?;
        let (rows, columns) = (var.dim(0)? / parts, var.dim(1)?);
        let rate = at.lr * SCALE * (rows.max(columns) as f64).sqrt();
        let turned: Vec<Tensor> = ahead.chunk(parts, 0)?.iter().map(msign).collect::<Result<_>>()?;
        let stepped = ((var * (1.0 - at.lr * decay))? - (Tensor::cat(&turned, 0)? * rate)?)?;
        momentum.slice_set(&moved, 0, 0)?;
        var.slice_set(&stepped, 0, 0)
    }
}

/// The orthogonal factor of a matrix, roughly: its singular values become about 1.
///
/// # Shapes
/// `[rows, columns]` to the same.
pub fn msign(matrix: &Tensor) -> Result<Tensor> {
    let (rows, columns) = matrix.dims2()?;
    let tall = rows > columns;
    let wide = if tall { matrix.t()?.contiguous()? } else { matrix.clone() };
    let norm = f64::from(wide.sqr()?.sum_all()?.sqrt()?.to_scalar::<f32>()?).max(1e-7);
    let mut x = (wide / norm)?;
    for (a, b, c) in ITERATIONS {
        let square = x.matmul(&x.t()?)?;
        let polynomial = ((&square * b)? + (square.matmul(&square)? * c)?)?;
        x = ((&x * a)? + polynomial.matmul(&x)?)?;
    }
    if tall { x.t()?.contiguous() } else { Ok(x) }
}
