//! The forward pass of a looped stack.

use rayon::prelude::*;

use super::weights::{Dims, Filter, Weights};
use crate::nn::{
    RMS_EPS,
    kernel::{
        add,
        attention::{Head, Scratch},
        conv,
        gate::{self, Act},
        gemm::{Cut, Mat, MatMut, Store, product},
        norm,
        rope::{Turn, rotate},
        rows_per_task,
    },
};

/// What the backward pass of one layer needs of its forward pass.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Queries, keys (both turned) and values, [T, 3D].
    pub(super) qkv: Vec<f32>,
    /// What the heads saw, [T, D].
    pub(super) seen: Vec<f32>,
    /// Input and attention, before the norm, [T, D].
    pub(super) middle: Vec<f32>,
    /// Gate and value, [T, 2F].
    pub(super) gate_up: Vec<f32>,
    /// Normed middle and feed-forward part, before the norm, [T, D].
    pub(super) end: Vec<f32>,
}

/// Room for what no layer keeps.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    /// A layer's input, [T, D].
    pub(super) input: Vec<f32>,
    /// The normed middle, [T, D].
    pub(super) middle: Vec<f32>,
    /// Gate times value, [T, F].
    pub(super) glu: Vec<f32>,
    /// What the convolution makes of it, [T, F].
    pub(super) mixed: Vec<f32>,
    /// What goes down, [T, F].
    pub(super) inner: Vec<f32>,
    /// Gradients on the way back: [T, D], [T, 3D], [T, F] and [T, 2F].
    pub(super) to_seen: Vec<f32>,
    pub(super) to_qkv: Vec<f32>,
    pub(super) to_inner: Vec<f32>,
    pub(super) to_gate_up: Vec<f32>,
}

/// A stack with its weights at hand.
pub(super) struct Net<'a> {
    pub(super) dims: Dims,
    /// Positions of a sequence S.
    pub(super) tokens: usize,
    /// Cosines and sines, [S, d/2].
    pub(super) turns: Option<[&'a [f32]; 2]>,
    pub(super) weights: Vec<Weights<'a>>,
}

impl Net<'_> {
    /// `z` after each loop, [loops, T, D]. `kept` has a place for every layer of every loop, or one for all.
    pub(super) fn forward(
        &self,
        [z, injected]: [&[f32]; 2],
        loops: usize,
        kept: &mut [Kept],
        rooms: &mut Rooms,
    ) -> Vec<f32> {
        let mut after: Vec<f32> = Vec::with_capacity(loops * z.len());
        let places = kept.len();
        for turn in 0..loops {
            let before = if turn == 0 { z } else { &after[after.len() - z.len()..] };
            inject(before, injected, &mut rooms.input);
            for (layer, weights) in self.weights.iter().enumerate() {
                let kept = &mut kept[(turn * self.dims.layers + layer) % places];
                self.layer(weights, kept, rooms);
                self.norm(&kept.end, &mut rooms.input);
            }
            after.extend_from_slice(&rooms.input);
        }
        after
    }

    /// `y` becomes the norm of `x`.
    pub(super) fn norm(&self, x: &[f32], y: &mut Vec<f32>) {
        let width = self.dims.hidden;
        let task = rows_per_task(width) * width;
        let tasks = x.par_chunks(task).zip(room(y, x.len()).par_chunks_mut(task));
        tasks.for_each(|(x, y)| norm::rms(x, y, width, RMS_EPS as f32));
    }

    /// One layer on `rooms.input`; what it says before the last norm is `kept.end`.
    fn layer(&self, weights: &Weights<'_>, kept: &mut Kept, rooms: &mut Rooms) {
        let hidden = self.dims.hidden;
        self.linear(&rooms.input, weights.qkv, &mut kept.qkv);
        self.turn(&mut kept.qkv, Turn::Forward);
        self.attend(&kept.qkv, &mut kept.seen);
        copy(&rooms.input, &mut kept.middle);
        grow(&mut kept.middle, &kept.seen, weights.out, hidden);
        self.norm(&kept.middle, &mut rooms.middle);
        self.linear(&rooms.middle, weights.gate_up, &mut kept.gate_up);
        self.feed(weights, &kept.gate_up, rooms);
        copy(&rooms.middle, &mut kept.end);
        grow(&mut kept.end, &rooms.inner, weights.down, self.dims.ffn);
    }

    /// `y = x·weightᵀ` for `x` of the width of a token.
    fn linear(&self, x: &[f32], weight: &[f32], y: &mut Vec<f32>) {
        let (inputs, outputs) = (self.dims.hidden, weight.len() / self.dims.hidden);
        let y = MatMut::new(room(y, x.len() / inputs * outputs), outputs);
        product(y, Store::Set, Mat::new(x, inputs), Mat::new(weight, inputs).t(), Cut::Columns);
    }

    /// Turns queries and keys by their positions.
    pub(super) fn turn(&self, qkv: &mut [f32], turn: Turn) {
        let Some([cos, sin]) = self.turns else { return };
        let (hidden, head) = (self.dims.hidden, self.dims.hidden / self.dims.heads);
        each_row(qkv, 3 * hidden, |token, row| {
            let at = token % self.tokens * head / 2;
            rotate(&mut row[..2 * hidden], head, &cos[at..at + head / 2], &sin[at..at + head / 2], turn);
        });
    }

    /// The head that is `index`-th in the batch.
    pub(super) fn head<'a>(&self, qkv: &'a [f32], index: usize) -> Head<'a> {
        let Dims { hidden, heads, .. } = self.dims;
        let (tokens, width, stride) = (self.tokens, hidden / heads, 3 * hidden);
        let qkv = &qkv[index / heads * tokens * stride + index % heads * width..];
        Head { q: qkv, k: &qkv[hidden..], v: &qkv[2 * hidden..], tokens, width, stride, mask: None, sieve: None }
    }

    fn attend(&self, qkv: &[f32], seen: &mut Vec<f32>) {
        let Dims { hidden, heads, .. } = self.dims;
        let tiles = MatMut::new(room(seen, qkv.len() / 3), hidden).tiles(self.tokens, hidden / heads);
        let heads = tiles.into_par_iter().enumerate();
        heads.for_each_init(Scratch::default, |scratch, (i, seen)| self.head(qkv, i).forward(seen, scratch));
    }

    /// What goes down, from gate and value: `rooms.glu`, `rooms.mixed` and `rooms.inner`.
    pub(super) fn feed(&self, weights: &Weights<'_>, gate_up: &[f32], rooms: &mut Rooms) {
        let width = self.dims.ffn;
        let glu = |row: usize, y: &mut [f32]| {
            let (gate, up) = gate_up[2 * width * row..2 * width * (row + 1)].split_at(width);
            gate::forward(Act::Silu, gate, up, y);
        };
        if let Filter::None = weights.filter {
            return each_row(room(&mut rooms.inner, gate_up.len() / 2), width, glu);
        }
        each_row(room(&mut rooms.glu, gate_up.len() / 2), width, glu);
        self.mix(&weights.filter, &rooms.glu, &mut rooms.mixed);
        let mixed = &rooms.mixed;
        each_row(room(&mut rooms.inner, mixed.len()), width, |row, y| {
            gate::silu_forward(&mixed[width * row..width * (row + 1)], y);
        });
    }

    /// What the convolution makes of gate times value.
    fn mix(&self, filter: &Filter<'_>, glu: &[f32], mixed: &mut Vec<f32>) {
        let width = self.dims.ffn;
        match filter {
            Filter::None => copy(glu, mixed),
            Filter::Pair { taps, bias } => each_row(room(mixed, glu.len()), width, |row, y| {
                conv::sequence(self.previous(glu, row), &glu[width * row..width * (row + 1)], taps, bias, y);
            }),
            Filter::Grid { grid, taps, bias } => grid.forward(glu, taps, bias, mixed),
        }
    }

    /// The row of the position before, in the same sequence.
    pub(super) fn previous<'a>(&self, rows: &'a [f32], row: usize) -> Option<&'a [f32]> {
        let width = self.dims.ffn;
        (!row.is_multiple_of(self.tokens)).then(|| &rows[width * (row - 1)..width * row])
    }
}

/// `sum = z + injected`.
pub(super) fn inject(z: &[f32], injected: &[f32], sum: &mut Vec<f32>) {
    copy(z, sum);
    let task = rows_per_task(1);
    sum.par_chunks_mut(task).zip(injected.par_chunks(task)).for_each(|(sum, injected)| add(sum, injected));
}

/// `y += x·weightᵀ`, for `x` with rows of `inputs`.
fn grow(y: &mut [f32], x: &[f32], weight: &[f32], inputs: usize) {
    let outputs = weight.len() / inputs;
    product(MatMut::new(y, outputs), Store::Add, Mat::new(x, inputs), Mat::new(weight, inputs).t(), Cut::Columns);
}

/// Runs `work` on each row of `width` numbers, in parallel, with the number of the row.
pub(super) fn each_row(rows: &mut [f32], width: usize, work: impl Fn(usize, &mut [f32]) + Sync) {
    let task = rows_per_task(width);
    rows.par_chunks_mut(task * width).enumerate().for_each(|(i, rows)| {
        for (j, row) in rows.chunks_exact_mut(width).enumerate() {
            work(i * task + j, row);
        }
    });
}

/// A buffer with room for `len` numbers, whatever stood there.
pub(super) fn room(buffer: &mut Vec<f32>, len: usize) -> &mut [f32] {
    buffer.resize(len, 0.0);
    buffer
}

/// `to` becomes a copy of `from`.
fn copy(from: &[f32], to: &mut Vec<f32>) {
    let task = rows_per_task(1);
    room(to, from.len())
        .par_chunks_mut(task)
        .zip(from.par_chunks(task))
        .for_each(|(to, from)| to.copy_from_slice(from));
}
