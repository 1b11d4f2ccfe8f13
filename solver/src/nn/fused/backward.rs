//! The backward pass of a looped stack.

use rayon::prelude::*;

use super::{
    forward::{Kept, Net, Rooms, each_row, inject, room},
    weights::{Dims, Filter, WeightGradients, Weights},
};
use crate::nn::{
    RMS_EPS,
    kernel::{
        add,
        attention::Scratch,
        conv::{self, Taps},
        gate::{self, Act},
        gemm::{Cut, Mat, MatMut, Store, product},
        norm,
        rope::Turn,
        rows_per_task,
    },
};

/// Gradients of the three arguments.
pub(super) struct Gradients {
    pub(super) z: Vec<f32>,
    pub(super) injected: Vec<f32>,
    pub(super) weights: Vec<f32>,
}

impl Net<'_> {
    /// Gradients of all arguments from `grad`, that of `after`: both [loops, T, D].
    pub(super) fn backward(
        &self,
        [z, injected]: [&[f32]; 2],
        after: &[f32],
        grad: &[f32],
        kept: &[Kept],
        rooms: &mut Rooms,
    ) -> Gradients {
        let (len, layers) = (z.len(), self.dims.layers);
        let mut to = Gradients { z: vec![0.0; len], injected: vec![0.0; len], weights: vec![0.0; self.dims.count()] };
        for turn in (0..after.len() / len).rev() {
            sum(&mut to.z, &grad[turn * len..(turn + 1) * len]);
            for layer in (0..layers).rev() {
                let place = turn * layers + layer;
                if layer == 0 {
                    let before = if turn == 0 { z } else { &after[(turn - 1) * len..turn * len] };
                    inject(before, injected, &mut rooms.input);
                } else {
                    self.norm(&kept[place - 1].end, &mut rooms.input);
                }
                let into = WeightGradients::of(self.dims, &mut to.weights, layer);
                self.layer_backward(&self.weights[layer], &kept[place], into, &mut to.z, rooms);
            }
            sum(&mut to.injected, &to.z);
        }
        to
    }

    /// One layer back: `grad`, with respect to what it said, becomes that with respect to its input, which is
    /// `rooms.input`.
    fn layer_backward(
        &self,
        weights: &Weights<'_>,
        kept: &Kept,
        mut into: WeightGradients<'_>,
        grad: &mut [f32],
        rooms: &mut Rooms,
    ) {
        let hidden = self.dims.hidden;
        self.norm_backward(&kept.end, grad);
        self.feed(weights, &kept.gate_up, rooms);
        outer(into.down, grad, &rooms.inner, hidden);
        let to_inner = room(&mut rooms.to_inner, rooms.inner.len());
        back(to_inner, Store::Set, grad, weights.down, hidden);
        self.feed_backward(weights, &kept.gate_up, &mut into, rooms);
        self.norm(&kept.middle, &mut rooms.middle);
        outer(into.gate_up, &rooms.to_gate_up, &rooms.middle, 2 * self.dims.ffn);
        back(grad, Store::Add, &rooms.to_gate_up, weights.gate_up, 2 * self.dims.ffn);
        self.norm_backward(&kept.middle, grad);
        outer(into.out, grad, &kept.seen, hidden);
        back(room(&mut rooms.to_seen, grad.len()), Store::Set, grad, weights.out, hidden);
        self.attend_backward(&kept.qkv, rooms);
        outer(into.qkv, &rooms.to_qkv, &rooms.input, 3 * hidden);
        back(grad, Store::Add, &rooms.to_qkv, weights.qkv, 3 * hidden);
    }

    fn norm_backward(&self, x: &[f32], grad: &mut [f32]) {
        let width = self.dims.hidden;
        let task = rows_per_task(width) * width;
        let tasks = x.par_chunks(task).zip(grad.par_chunks_mut(task));
        tasks.for_each(|(x, grad)| norm::rms_backward(x, grad, width, RMS_EPS as f32));
    }

    /// `rooms.to_qkv` from `rooms.to_seen`.
    fn attend_backward(&self, qkv: &[f32], rooms: &mut Rooms) {
        let Dims { hidden, heads, .. } = self.dims;
        let (tokens, width) = (self.tokens, hidden / heads);
        let to_qkv = room(&mut rooms.to_qkv, qkv.len());
        let to_seen = &rooms.to_seen;
        // A sequence at a time in rows; in columns all queries, then all keys, then all values.
        let mut tiles: Vec<_> = MatMut::new(to_qkv, 3 * hidden).tiles(tokens, width).into_iter().map(Some).collect();
        let mut tile = |i: usize, part: usize| tiles[i / heads * 3 * heads + part * heads + i % heads].take();
        let tasks: Vec<_> = (0..to_seen.len() / tokens / width)
            .filter_map(|i| Some((i, [tile(i, 0)?, tile(i, 1)?, tile(i, 2)?])))
            .collect();
        tasks.into_par_iter().for_each_init(Scratch::default, |scratch, (i, to)| {
            let start = i / heads * tokens * hidden + i % heads * width;
            self.head(qkv, i).backward(&to_seen[start..], hidden, to, scratch);
        });
        self.turn(to_qkv, Turn::Back);
    }

    /// `rooms.to_gate_up` from `rooms.to_inner`, after [`Net::feed`].
    fn feed_backward(&self, weights: &Weights<'_>, gate_up: &[f32], into: &mut WeightGradients<'_>, rooms: &mut Rooms) {
        let width = self.dims.ffn;
        if !matches!(weights.filter, Filter::None) {
            let mixed = &rooms.mixed;
            each_row(&mut rooms.to_inner, width, |row, grad| {
                gate::silu_backward(&mixed[width * row..width * (row + 1)], grad);
            });
            self.mix_backward(&weights.filter, &rooms.glu, &rooms.to_inner, into, &mut rooms.mixed);
            std::mem::swap(&mut rooms.mixed, &mut rooms.to_inner);
        }
        let grad = &rooms.to_inner;
        each_row(room(&mut rooms.to_gate_up, gate_up.len()), 2 * width, |row, to| {
            let (gate, up) = gate_up[2 * width * row..2 * width * (row + 1)].split_at(width);
            let (to_gate, to_up) = to.split_at_mut(width);
            gate::backward(Act::Silu, gate, up, &grad[width * row..width * (row + 1)], to_gate, to_up);
        });
    }

    /// The gradient of gate times value, from that of what the convolution made of it; its weights' add up.
    fn mix_backward(
        &self,
        filter: &Filter<'_>,
        glu: &[f32],
        grad: &[f32],
        into: &mut WeightGradients<'_>,
        to: &mut Vec<f32>,
    ) {
        match filter {
            Filter::None => {}
            Filter::Pair { taps, .. } => {
                self.conv_weights(glu, grad, into);
                self.conv_backward(taps, grad, to);
            }
            Filter::Grid { grid, taps, .. } => {
                grid.weights(glu, grad, into);
                grid.backward(grad, taps, to);
            }
        }
    }

    fn conv_backward(&self, taps: &Taps, grad: &[f32], to: &mut Vec<f32>) {
        let width = self.dims.ffn;
        each_row(room(to, grad.len()), width, |row, to| {
            let last = (row + 1).is_multiple_of(self.tokens);
            let next = (!last).then(|| &grad[width * (row + 1)..width * (row + 2)]);
            conv::sequence_backward(&grad[width * row..width * (row + 1)], next, taps, to);
        });
    }

    /// Adds the gradients of taps and bias, rows together in tasks and tasks in their order.
    fn conv_weights(&self, glu: &[f32], grad: &[f32], into: &mut WeightGradients<'_>) {
        let width = self.dims.ffn;
        let task = 8 * rows_per_task(width);
        let part = |(i, grad): (usize, &[f32])| {
            let (mut taps, mut bias) = (Taps::zero(width), vec![0.0; width]);
            for (j, grad) in grad.chunks_exact(width).enumerate() {
                let row = i * task + j;
                let x = &glu[width * row..width * (row + 1)];
                conv::sequence_weights(self.previous(glu, row), x, grad, &mut taps, &mut bias);
            }
            (taps, bias)
        };
        let parts: Vec<(Taps, Vec<f32>)> = grad.par_chunks(task * width).enumerate().map(part).collect();
        for (taps, bias) in &parts {
            taps.add_to(into.taps);
            add(into.bias, bias);
        }
    }
}

/// `weight += gradᵀ·x`, for `grad` with rows of `outputs`.
fn outer(weight: &mut [f32], grad: &[f32], x: &[f32], outputs: usize) {
    let inputs = weight.len() / outputs;
    product(MatMut::new(weight, inputs), Store::Add, Mat::new(grad, outputs).t(), Mat::new(x, inputs), Cut::Rows);
}

/// `to = grad·weight` or `to += grad·weight`, for `grad` with rows of `outputs`.
fn back(to: &mut [f32], store: Store, grad: &[f32], weight: &[f32], outputs: usize) {
    let inputs = weight.len() / outputs;
    product(MatMut::new(to, inputs), store, Mat::new(grad, outputs), Mat::new(weight, inputs), Cut::Columns);
}

/// `into += from`, in parallel.
fn sum(into: &mut [f32], from: &[f32]) {
    let task = rows_per_task(1);
    into.par_chunks_mut(task).zip(from.par_chunks(task)).for_each(|(into, from)| add(into, from));
}
