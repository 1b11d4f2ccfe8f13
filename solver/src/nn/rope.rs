//! Rotary positions: each pair of a head's channels is turned by an angle that grows with the position.

use candle_core::{D, DType, Device, Result, Tensor};

/// Sines and cosines of every position, `[S, d/2]` each, for heads of d channels.
///
/// Channel `i` is paired with channel `i + d/2`.
#[derive(Clone, Debug)]
pub struct Rope {
    /// Cosines, `[S, d/2]`.
    pub cos: Tensor,
    /// Sines, `[S, d/2]`.
    pub sin: Tensor,
}

impl Rope {
    /// Positions `0..len` in reading order; pair `i` turns by `theta^(-2i/d)` a position.
    pub fn flat(len: usize, head: usize, theta: f64, device: &Device) -> Result<Rope> {
        let waves = waves(head / 2, theta);
        let angles = (0..len).flat_map(|place| waves.iter().map(move |wave| place as f32 * wave)).collect();
        Rope::from_angles(angles, (len, head / 2), device)
    }

    /// `prefix` positions that stand still, then the cells of a canvas: the first half of the pairs turns with the
    /// row, the second with the column.
    pub fn grid(prefix: usize, sides: (usize, usize), head: usize, theta: f64, device: &Device) -> Result<Rope> {
        let (height, width) = sides;
        let waves = waves(head / 4, theta);
        let mut angles = vec![0.0; prefix * head / 2];
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            angles.extend(waves.iter().map(|wave| row as f32 * wave));
            angles.extend(waves.iter().map(|wave| column as f32 * wave));
        }
        Rope::from_angles(angles, (prefix + height * width, head / 2), device)
    }

    fn from_angles(angles: Vec<f32>, shape: (usize, usize), device: &Device) -> Result<Rope> {
        let angles = Tensor::from_vec(angles, shape, device)?;
        Ok(Rope { cos: angles.cos()?, sin: angles.sin()? })
    }

    /// Turns the channels of every head.
    ///
    /// # Shapes
    /// `x` and the result: `[B, H, S, d]`, computed in f32 whatever the type of `x`.
    pub fn turn(&self, x: &Tensor) -> Result<Tensor> {
        let half = x.dim(D::Minus1)? / 2;
        let wide = x.to_dtype(DType::F32)?;
        let (a, b) = (wide.narrow(D::Minus1, 0, half)?, wide.narrow(D::Minus1, half, half)?);
        let turned_a = (a.broadcast_mul(&self.cos)? - b.broadcast_mul(&self.sin)?)?;
        let turned_b = (b.broadcast_mul(&self.cos)? + a.broadcast_mul(&self.sin)?)?;
        Tensor::cat(&[turned_a, turned_b], D::Minus1)?.to_dtype(x.dtype())
    }
}

/// Angles a step of `count` waves, in f32 as the published tables are.
fn waves(count: usize, theta: f64) -> Vec<f32> {
    (0..count).map(|i| 1.0 / theta.powf(i as f64 / count as f64) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(table: &Tensor, position: usize) -> Vec<f32> {
        table.get(position).unwrap().to_vec1().unwrap()
    }

    #[test]
    fn a_turn_keeps_lengths_and_the_angle_between_neighbours() {
        let rope = Rope::flat(4, 4, 10_000.0, &Device::Cpu).unwrap();
        let x = Tensor::new(&[3f32, 1.0, 4.0, 1.0], &Device::Cpu).unwrap().broadcast_as((1, 1, 4, 4)).unwrap();
        let turned = rope.turn(&x).unwrap();
        let at = |position: usize| -> Vec<f32> {
            turned.get(0).unwrap().get(0).unwrap().get(position).unwrap().to_vec1().unwrap()
        };
        let dot = |a: usize, b: usize| at(a).iter().zip(at(b)).map(|(x, y)| x * y).sum::<f32>();
        assert_eq!(at(0), [3.0, 1.0, 4.0, 1.0]);
        assert!((dot(2, 2) - 27.0).abs() < 1e-5);
        assert!((dot(0, 1) - dot(2, 3)).abs() < 1e-5);
        // Pairs (3, 4) and (1, 1) turned by 1 and by 0.01.
        assert!((dot(0, 1) - (25.0 * 1f32.cos() + 2.0 * 0.01f32.cos())).abs() < 1e-5);
    }

    #[test]
    fn on_a_grid_rows_and_columns_turn_apart_and_the_prefix_not_at_all() {
        let rope = Rope::grid(2, (2, 3), 8, 10_000.0, &Device::Cpu).unwrap();
        assert_eq!(rope.sin.dims(), [8, 4]);
        assert_eq!(row(&rope.sin, 1), [0.0; 4]);
        let at = 2 + 3 + 2; // row 1, column 2
        assert_eq!(row(&rope.sin, at), [1f32.sin(), 0.01f32.sin(), 2f32.sin(), 0.02f32.sin()]);
    }
}
