//! Dense 3×3 convolutions over images of channels, with zeros beyond the border and taps any distance apart.
//!
//! Sixteen outputs of eight pixels stand in registers while the taps and inputs are run through. Images are padded once,
//! so that the innermost loops know no border.

use super::{conv::WINDOW, simd};

/// Outputs side by side: one register of AVX-512.
const LANES: usize = 16;

/// Pixels side by side: as many registers of sums, so that a sum need not wait for the one before.
const BLOCK: usize = 8;

/// Shapes of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dense {
    /// Rows of an image.
    pub(crate) height: usize,
    /// Columns of an image.
    pub(crate) width: usize,
    /// Numbers a pixel, before.
    pub(crate) inputs: usize,
    /// Numbers a pixel, after.
    pub(crate) outputs: usize,
    /// Pixels between neighbouring taps.
    pub(crate) dilation: usize,
}

/// An image with its border, and channels and columns filled up with zeros.
#[derive(Debug)]
pub(crate) struct Padded {
    values: Vec<f32>,
    columns: usize,
    channels: usize,
}

impl Dense {
    /// The convolution that the gradient goes through on its way to the input.
    pub(crate) fn turned(self) -> Dense {
        Dense { inputs: self.outputs, outputs: self.inputs, ..self }
    }

    /// Numbers of an image before.
    pub(crate) fn input_len(self) -> usize {
        self.height * self.width * self.inputs
    }

    /// Numbers of an image after.
    pub(crate) fn output_len(self) -> usize {
        self.height * self.width * self.outputs
    }

    /// Numbers of the weight [9, inputs, outputs].
    pub(crate) fn weight_len(self) -> usize {
        WINDOW * self.inputs * self.outputs
    }

    /// An image [height, width, inputs] with its border.
    pub(crate) fn pad(self, image: &[f32]) -> Padded {
        let columns = self.width.next_multiple_of(BLOCK) + 2 * self.dilation;
        let channels = self.inputs.next_multiple_of(BLOCK);
        let mut values = vec![0.0; (self.height + 2 * self.dilation) * columns * channels];
        for (row, line) in image.chunks_exact(self.width * self.inputs).enumerate() {
            let first = ((row + self.dilation) * columns + self.dilation) * channels;
            let into = values[first..].chunks_exact_mut(channels);
            for (into, pixel) in into.zip(line.chunks_exact(self.inputs)) {
                into[..self.inputs].copy_from_slice(pixel);
            }
        }
        Padded { values, columns, channels }
    }

    /// A weight [9, inputs, outputs] as the kernel reads it: lanes of outputs, filled up with zeros, by tap and input.
    pub(crate) fn lanes(self, weight: &[f32]) -> Vec<[f32; LANES]> {
        let channels = self.inputs.next_multiple_of(BLOCK);
        let chunks = self.outputs.div_ceil(LANES);
        let mut lanes = vec![[0.0; LANES]; chunks * WINDOW * channels];
        for (at, value) in weight.iter().enumerate() {
            let (output, rest) = (at % self.outputs, at / self.outputs);
            let (input, tap) = (rest % self.inputs, rest / self.inputs);
            lanes[(output / LANES * WINDOW + tap) * channels + input][output % LANES] = *value;
        }
        lanes
    }

    /// The weight of the [`turned`](Dense::turned) convolution: taps in reverse, inputs and outputs exchanged.
    pub(crate) fn turn(self, weight: &[f32]) -> Vec<f32> {
        let Dense { inputs, outputs, .. } = self;
        let at = |tap: usize, input: usize, output: usize| weight[(tap * inputs + input) * outputs + output];
        let turned = |index: usize| {
            let (input, rest) = (index % inputs, index / inputs);
            at(WINDOW - 1 - rest / outputs, input, rest % outputs)
        };
        (0..weight.len()).map(turned).collect()
    }

    /// Where the pixels of a block begin that a tap sees.
    #[inline(always)]
    fn seen(self, padded: &Padded, row: usize, column: usize, tap: usize) -> usize {
        let (down, right) = (tap / 3 * self.dilation, tap % 3 * self.dilation);
        ((row + down) * padded.columns + column + right) * padded.channels
    }

    /// The convolution of one image: `y` is [height, width, outputs].
    pub(crate) fn forward(self, padded: &Padded, lanes: &[[f32; LANES]], y: &mut [f32]) {
        let per_chunk = WINDOW * padded.channels;
        simd(
            #[inline(always)]
            || {
                for (row, y) in y.chunks_exact_mut(self.width * self.outputs).enumerate() {
                    for (block, y) in y.chunks_mut(BLOCK * self.outputs).enumerate() {
                        for (lanes, first) in lanes.chunks_exact(per_chunk).zip((0..).step_by(LANES)) {
                            let sums = self.block(padded, lanes, row, block * BLOCK);
                            for (y, sums) in y.chunks_exact_mut(self.outputs).zip(&sums) {
                                let y = &mut y[first..];
                                let width = y.len().min(LANES);
                                y[..width].copy_from_slice(&sums[..width]);
                            }
                        }
                    }
                }
            },
        );
    }

    /// Sixteen outputs of eight pixels.
    #[inline(always)]
    fn block(self, padded: &Padded, lanes: &[[f32; LANES]], row: usize, column: usize) -> [[f32; LANES]; BLOCK] {
        let channels = padded.channels;
        let mut sums = [[0.0; LANES]; BLOCK];
        for (tap, lanes) in lanes.chunks_exact(channels).enumerate() {
            let first = self.seen(padded, row, column, tap);
            let pixels: [&[f32]; BLOCK] =
                std::array::from_fn(|pixel| &padded.values[first + pixel * channels..][..channels]);
            for (input, weights) in lanes.iter().enumerate() {
                for (sums, pixel) in sums.iter_mut().zip(pixels) {
                    let x = pixel[input];
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = x.mul_add(*weight, *sum);
                    }
                }
            }
        }
        sums
    }

    /// The gradient of the weight of one image, [9, inputs, outputs], from `grad` [height, width, outputs].
    pub(crate) fn weights(self, padded: &Padded, grad: &[f32]) -> Vec<f32> {
        let mut lanes = self.lanes(&vec![0.0; self.weight_len()]);
        let per_chunk = WINDOW * padded.channels;
        simd(
            #[inline(always)]
            || {
                for (row, grad) in grad.chunks_exact(self.width * self.outputs).enumerate() {
                    for (lanes, first) in lanes.chunks_exact_mut(per_chunk).zip((0..).step_by(LANES)) {
                        self.weights_of_row(padded, &self.lane(grad, first), row, lanes);
                    }
                }
            },
        );
        self.unlane(&lanes)
    }

    /// The lane of outputs that begins at `first`, for every pixel of a row.
    #[inline(always)]
    fn lane(self, row: &[f32], first: usize) -> Vec<[f32; LANES]> {
        let mut lane = vec![[0.0; LANES]; self.width];
        for (lane, pixel) in lane.iter_mut().zip(row.chunks_exact(self.outputs)) {
            let pixel = &pixel[first..];
            let width = pixel.len().min(LANES);
            lane[..width].copy_from_slice(&pixel[..width]);
        }
        lane
    }

    /// Adds what one row of pixels has to say about one lane of outputs.
    #[inline(always)]
    fn weights_of_row(self, padded: &Padded, grad: &[[f32; LANES]], row: usize, lanes: &mut [[f32; LANES]]) {
        let channels = padded.channels;
        for (tap, lanes) in lanes.chunks_exact_mut(channels).enumerate() {
            let first = self.seen(padded, row, 0, tap);
            let pixels = &padded.values[first..][..self.width * channels];
            for (block, lanes) in lanes.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
                let mut sums = *lanes;
                for (grad, pixel) in grad.iter().zip(pixels.chunks_exact(channels)) {
                    add_outer(&mut sums, &pixel.as_chunks().0[block], grad);
                }
                *lanes = sums;
            }
        }
    }

    /// The reverse of [`Dense::lanes`].
    fn unlane(self, lanes: &[[f32; LANES]]) -> Vec<f32> {
        let channels = self.inputs.next_multiple_of(BLOCK);
        let at = |index: usize| {
            let (output, rest) = (index % self.outputs, index / self.outputs);
            let (input, tap) = (rest % self.inputs, rest / self.inputs);
            lanes[(output / LANES * WINDOW + tap) * channels + input][output % LANES]
        };
        (0..self.weight_len()).map(at).collect()
    }
}

/// Adds the products of eight inputs with a lane to eight lanes.
///
/// Line by line: of a loop over the inputs the compiler makes vectors of inputs, whose sums lie scattered in memory.
#[inline(always)]
fn add_outer(sums: &mut [[f32; LANES]; BLOCK], inputs: &[f32; BLOCK], lane: &[f32; LANES]) {
    let [first, second, third, fourth, fifth, sixth, seventh, eighth] = sums;
    add_scaled(first, inputs[0], lane);
    add_scaled(second, inputs[1], lane);
    add_scaled(third, inputs[2], lane);
    add_scaled(fourth, inputs[3], lane);
    add_scaled(fifth, inputs[4], lane);
    add_scaled(sixth, inputs[5], lane);
    add_scaled(seventh, inputs[6], lane);
    add_scaled(eighth, inputs[7], lane);
}

#[inline(always)]
fn add_scaled(sums: &mut [f32; LANES], by: f32, lane: &[f32; LANES]) {
    for (sum, x) in sums.iter_mut().zip(lane) {
        *sum = by.mul_add(*x, *sum);
    }
}

/// The gradient behind the rectifier of a result `y`.
pub(crate) fn passed(y: &[f32], grad: &[f32]) -> Vec<f32> {
    y.iter().zip(grad).map(|(y, grad)| if *y > 0.0 { *grad } else { 0.0 }).collect()
}
