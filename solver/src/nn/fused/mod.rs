//! The loops of a [`Stack`](super::Stack) as one operation, forward and backward, on the CPU in f32.
//!
//! Composed of operations, a pass over the layers writes dozens of tensors, and every loop adds a gradient of the size
//! of the net to that of the loop before. Here a loop keeps five matrices a layer, everything else is computed anew or
//! lives in buffers that are used again, and gradients of weights add up in place over layers and loops.
//!
//! # Layout
//! - [`repeat`]: the operation. Start here.
//! - [`weights`]: where each weight stands in the one tensor of all weights.
//! - `forward`, `backward`: one layer, then all loops. `grid`: the convolution over cells.
//!
//! In shapes, T = B·S is the number of tokens, D the width, F the feed-forward width.

mod backward;
mod forward;
mod grid;
mod weights;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor};

use self::{
    backward::Gradients,
    forward::{Kept, Net, Rooms},
};
pub(super) use self::{
    grid::Grid,
    weights::{Dims, Mix, Weights},
};
use super::{
    Rope,
    ops::{Floats, stored},
};

/// Buffers that wait for the next loop: they are large, and memory fresh from the system is slow.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool(Arc<Mutex<Buffers>>);

#[derive(Debug, Default)]
struct Buffers {
    kept: Vec<Kept>,
    rooms: Vec<Rooms>,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Buffers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `z` after each of `loops` passes of all layers, each on the sum of what it is given and `injected`.
///
/// # Shapes
/// `z`, `injected` and each result: [B, S, D]. `weights`: all of them in one, see [`Weights`].
pub(super) fn repeat(
    dims: Dims,
    weights: &Tensor,
    rope: Option<&Rope>,
    [z, injected]: [&Tensor; 2],
    loops: usize,
    pool: &Pool,
) -> Result<Vec<Tensor>> {
    let (batch, tokens, _) = z.dims3()?;
    let turns = rope.map(|rope| Ok::<_, candle_core::Error>([numbers(&rope.cos)?, numbers(&rope.sin)?])).transpose()?;
    let tracked = z.track_op() || injected.track_op() || weights.track_op();
    let op = Repeat { dims, batch, tokens, loops, turns, tracked, pool: pool.clone(), kept: Mutex::default() };
    let after = z.contiguous()?.apply_op3(&injected.contiguous()?, weights, op)?;
    (0..loops).map(|i| after.get(i)).collect()
}

fn numbers(table: &Tensor) -> Result<Vec<f32>> {
    table.flatten_all()?.to_vec1()
}

/// The operation: `[B, S, D]` twice and the weights to `[loops, B, S, D]`.
struct Repeat {
    dims: Dims,
    batch: usize,
    tokens: usize,
    loops: usize,
    /// Cosines and sines, [S, d/2].
    turns: Option<[Vec<f32>; 2]>,
    /// Whether a backward pass may follow.
    tracked: bool,
    pool: Pool,
    /// What it needs: the layers of the first loop, then those of the next.
    kept: Mutex<Vec<Kept>>,
}

impl Repeat {
    fn net<'a>(&'a self, weights: &'a [f32]) -> Net<'a> {
        let turns = self.turns.as_ref().map(|[cos, sin]| [&cos[..], &sin[..]]);
        Net { dims: self.dims, tokens: self.tokens, turns, weights: Weights::layers(self.dims, weights) }
    }

    /// Buffers for as many layers as are kept at once.
    fn borrow(&self) -> (Vec<Kept>, Rooms) {
        let count = if self.tracked { self.loops * self.dims.layers } else { 1 };
        let mut buffers = self.pool.lock();
        let waiting = buffers.kept.len().saturating_sub(count);
        let mut kept = buffers.kept.split_off(waiting);
        kept.resize_with(count, Kept::default);
        (kept, buffers.rooms.pop().unwrap_or_default())
    }

    fn hand_back(&self, kept: Vec<Kept>, rooms: Rooms) {
        let mut buffers = self.pool.lock();
        buffers.kept.extend(kept);
        buffers.rooms.push(rooms);
    }
}

impl CustomOp3 for Repeat {
    fn name(&self) -> &'static str {
        "looped-stack"
    }

    fn cpu_fwd(
        &self,
        z: &CpuStorage,
        at_z: &Layout,
        injected: &CpuStorage,
        at_injected: &Layout,
        weights: &CpuStorage,
        at_weights: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let net = self.net(stored(weights, at_weights)?);
        let (mut kept, mut rooms) = self.borrow();
        let inputs = [stored(z, at_z)?, stored(injected, at_injected)?];
        let after = net.forward(inputs, self.loops, &mut kept, &mut rooms);
        let shape = Shape::from((self.loops, self.batch, self.tokens, self.dims.hidden));
        if self.tracked {
            self.hand_back(Vec::new(), rooms);
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        } else {
            self.hand_back(kept, rooms);
        }
        Ok((CpuStorage::F32(after), shape))
    }

    fn bwd(
        &self,
        z: &Tensor,
        injected: &Tensor,
        weights: &Tensor,
        after: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let grad = grad.contiguous()?;
        let kept = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        let mut rooms = self.pool.lock().rooms.pop().unwrap_or_default();
        let numbers = Floats::of(weights)?;
        let inputs = [&*Floats::of(z)?, &*Floats::of(injected)?];
        let net = self.net(&numbers);
        let gradients = net.backward(inputs, &Floats::of(after)?, &Floats::of(&grad)?, &kept, &mut rooms);
        self.hand_back(kept, rooms);
        let Gradients { z: to_z, injected: to_injected, weights: to_weights } = gradients;
        let like = |values: Vec<f32>, tensor: &Tensor| Tensor::from_vec(values, tensor.shape(), tensor.device());
        Ok((Some(like(to_z, z)?), Some(like(to_injected, injected)?), Some(like(to_weights, weights)?)))
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Tensor};

    use crate::nn::{
        Builder, Conv, Layout, Mixer, Params, Rope, Stack, StackConfig,
        ops::testing::{assert_close, draw},
    };

    /// Sizes that no lane, tile or task divides evenly.
    fn stack(conv: Conv, hidden: usize, heads: usize, ffn: usize) -> (Stack, Params) {
        let config = StackConfig { layers: 2, heads, ffn, mixer: Mixer::Attention, conv };
        let mut builder = Builder::fresh(5, &Device::Cpu);
        let stack = Stack::new(&config, hidden, 0, &mut builder.root()).unwrap();
        (stack, builder.finish().unwrap())
    }

    fn layout(tokens: usize, head: usize) -> Layout {
        let rope = Rope::flat(tokens, head, 10_000.0, &Device::Cpu).unwrap();
        Layout { prefix: 0, height: 1, width: tokens, rope: Some(rope) }
    }

    /// A loss that weighs every number of every loop.
    fn loss(after: &[Tensor]) -> Tensor {
        let term = |(i, z): (usize, &Tensor)| (z * draw(&format!("loss {i}"), z.shape()).detach()).unwrap();
        let terms: Vec<Tensor> = after.iter().enumerate().map(term).collect();
        Tensor::stack(&terms, 0).unwrap().sum_all().unwrap()
    }

    fn assert_same(conv: Conv, sizes @ [_, tokens, hidden, heads, _]: [usize; 5]) {
        assert_same_on(conv, &layout(tokens, hidden / heads), sizes);
    }

    fn assert_same_on(conv: Conv, layout: &Layout, [batch, tokens, hidden, heads, ffn]: [usize; 5]) {
        let (stack, params) = stack(conv, hidden, heads, ffn);
        let inputs = [draw("z", (batch, tokens, hidden)), draw("injected", (batch, tokens, hidden))];
        let found = stack.repeat(&inputs[0], &inputs[1], layout, 3).unwrap();
        let expected = stack.composed(&inputs[0], &inputs[1], layout, 3).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            assert_close(found, expected, "state");
        }
        let (found, expected) = (loss(&found).backward().unwrap(), loss(&expected).backward().unwrap());
        let weights = params.trained().map(|(name, var)| (name, var.as_tensor()));
        for (name, tensor) in weights.chain([("z", &inputs[0]), ("injected", &inputs[1])]) {
            assert_close(found.get(tensor).unwrap(), expected.get(tensor).unwrap(), name);
        }
    }

    #[test]
    fn the_form_of_urm_equals_the_composed_block_in_value_and_gradients() {
        assert_same(Conv::Pair, [2, 37, 24, 2, 40]);
        assert_same(Conv::Pair, [1, 300, 64, 4, 72]);
    }

    #[test]
    fn the_form_of_trm_equals_the_composed_block_in_value_and_gradients() {
        assert_same(Conv::None, [3, 5, 12, 3, 7]);
        assert_same(Conv::None, [1, 1, 4, 1, 1]);
    }

    #[test]
    fn a_convolution_over_cells_equals_the_composed_one_in_value_and_gradients() {
        let layout = |prefix, height, width| Layout { prefix, height, width, rope: None };
        assert_same_on(Conv::Grid, &layout(2, 3, 5), [2, 17, 24, 2, 40]);
        assert_same_on(Conv::Grid, &layout(0, 1, 1), [1, 1, 4, 1, 3]);
    }

    #[test]
    fn loops_without_gradient_and_buffers_used_again_change_nothing() {
        let (stack, _) = stack(Conv::Pair, 24, 2, 40);
        let layout = layout(9, 12);
        let [z, injected] = ["z", "injected"].map(|name| draw(name, (2, 9, 24)));
        let numbers = |stack: &Stack| -> Vec<f32> {
            let after = stack.repeat(&z.detach(), &injected.detach(), &layout, 3).unwrap();
            after[2].flatten_all().unwrap().to_vec1().unwrap()
        };
        let tracked = numbers(&stack);
        let free = numbers(&stack.detached().unwrap());
        let larger = draw("larger", (4, 9, 24));
        stack.pass(&larger, &larger, &layout).unwrap();
        assert_eq!(tracked, free);
        assert_eq!(tracked, numbers(&stack));
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let run = |threads: usize| -> Vec<Vec<f32>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (stack, params) = stack(Conv::Pair, 64, 4, 96);
                let (z, layout) = (draw("z", (3, 70, 64)), layout(70, 16));
                let grads = loss(&stack.repeat(&z, &z, &layout, 2).unwrap()).backward().unwrap();
                let grad = |(_, var): (&str, &candle_core::Var)| grads.get(var).unwrap().flatten_all()?.to_vec1();
                params.trained().map(|weight| grad(weight).unwrap()).collect()
            })
        };
        assert_eq!(run(1), run(3));
    }
}
