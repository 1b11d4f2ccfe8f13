//! Steps of the nets that loop over tokens: the carry from one to the next, the loops within one.

use candle_core::{DType, Error, Result, Tensor, Var, bail};
use rand_chacha::ChaCha8Rng;

use super::{
    Answer, Depth, Run,
    config::{LoopConfig, LossAt},
    frame::Frame,
    loop_vit::Pass,
};
use crate::{
    data::Batch,
    nn::{
        Layout, Mode, Stack,
        halting::{Halting, Slot},
        stream,
    },
};

/// A net of tokens around a stack.
pub(super) trait Looped {
    /// Embeddings and heads.
    fn frame(&self) -> &Frame;

    /// The shared block.
    fn stack(&self) -> &Stack;

    /// The first state of every position, `[D]` a tensor; answers are read from the first.
    fn initial(&self) -> Vec<Tensor>;

    /// The state after each of so many loops: all tensors `[B, S, D]`.
    fn cycles(
        &self,
        stack: &Stack,
        state: Vec<Tensor>,
        input: &Tensor,
        layout: &Layout,
        loops: usize,
    ) -> Result<Vec<Vec<Tensor>>>;
}

/// What goes from one step to the next.
#[derive(Clone, Debug)]
pub struct Carry {
    /// The net's state, without gradient: `[B, S, D]` a tensor. Empty before the first step.
    pub state: Vec<Tensor>,
    /// How far each row has come.
    pub slots: Vec<Slot>,
    /// What the slots work on: a slot that has not halted keeps its row, whatever the next batch brings.
    pub data: Batch,
}

impl Carry {
    /// All slots are free: the first batch is taken as it is.
    pub fn empty(rows: usize, len: usize) -> Carry {
        let free = Slot { halted: true, ..Slot::FRESH };
        Carry { state: Vec::new(), slots: vec![free; rows], data: Batch::blank(rows, len) }
    }

    /// Whether no slot holds a row any more: the next batch may have rows of another length.
    fn is_free(&self) -> bool {
        self.slots.iter().all(|slot| slot.halted)
    }

    /// Every slot that halted takes its row of `incoming` and starts anew.
    fn refill(&self, incoming: &Batch) -> (Vec<Slot>, Batch) {
        if self.is_free() {
            return (vec![Slot::FRESH; self.slots.len()], incoming.clone());
        }
        let mut data = self.data.clone();
        let free = self.slots.iter().enumerate().filter(|(_, slot)| slot.halted);
        free.for_each(|(row, _)| data.copy_row(incoming, row));
        let start = |slot: &Slot| if slot.halted { Slot::FRESH } else { *slot };
        (self.slots.iter().map(start).collect(), data)
    }
}

/// What a step comes to.
#[derive(Debug)]
pub struct Step {
    /// For the next step.
    pub carry: Carry,
    /// The slots as they were before the step, those that were free started anew.
    pub before: Vec<Slot>,
    /// In training one after each loop at which the loss is taken; in evaluation one after each loop. (A Loop-ViT answers
    /// there too only where its loss is taken.)
    pub answers: Vec<Answer>,
    /// In training with a sparse puzzle table its rows that were used, `[B, D]`, as a leaf that gets a gradient; their ids
    /// are `carry.data.puzzles`.
    pub rows: Option<Var>,
    /// How much the last answer counts in what each slot finally answers.
    pub shares: Vec<f32>,
    /// The whole pass of a Loop-ViT.
    pub(super) pass: Option<Pass>,
}

impl Step {
    /// The answer after the last loop.
    pub fn last(&self) -> Result<&Answer> {
        self.answers.last().ok_or_else(|| Error::Msg("a step of no loops answers nothing".to_owned()))
    }
}

/// How steps are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) loops: LoopConfig,
    pub(super) steps: u32,
    pub(super) halting: Halting,
    pub(super) dtype: DType,
}

impl Pace {
    /// One step of a net: refill, loop, answer, halt.
    pub(super) fn step(&self, net: &dyn Looped, carry: &Carry, incoming: &Batch, run: Run) -> Result<Step> {
        let len = if carry.is_free() { incoming.len } else { carry.data.len };
        let (held, brought) = ((carry.data.rows, len), (incoming.rows, incoming.len));
        if held != brought {
            bail!("the slots hold [rows, tokens] {held:?}, the batch brings {brought:?}");
        }
        let (before, data) = carry.refill(incoming);
        let state = begin(net, carry, data.rows, data.len, self.dtype)?;
        match run {
            Run::Train(rng) => {
                let leaf = net.frame().leaf(&data.puzzles)?;
                let rows = leaf.as_deref().map_or_else(|| net.frame().rows(&data.puzzles), |rows| Ok(rows.clone()))?;
                let looped = self.train(net, state, &data, &rows)?;
                self.finish(looped, before, data, leaf, (self.steps, Mode::Train, rng))
            }
            Run::Eval(depth) => {
                let looped = self.eval(net, state, &data, depth)?;
                let mut undrawn = stream(0, "evaluation draws nothing");
                self.finish(looped, before, data, None, (depth.steps, Mode::Eval, &mut undrawn))
            }
        }
    }

    /// The loops without gradient, then those with.
    fn train(&self, net: &dyn Looped, state: Vec<Tensor>, data: &Batch, rows: &Tensor) -> Result<Looping> {
        let stack = net.stack().cast(self.dtype)?;
        let input = net.frame().embed(data, rows)?.to_dtype(self.dtype)?;
        let layout = net.frame().layout(data.len)?;
        let free = net.cycles(&stack.detached()?, state.clone(), &input.detach(), &layout, self.loops.free)?;
        let state = free.into_iter().last().unwrap_or(state);
        let states = net.cycles(&stack, state, &input, &layout, self.loops.grad)?;
        Looping::read(states, net.frame(), self.loops.loss_at)
    }

    /// All loops without gradient.
    fn eval(&self, net: &dyn Looped, state: Vec<Tensor>, data: &Batch, depth: Depth) -> Result<Looping> {
        let (frame, stack) = (net.frame().detached(), net.stack().detached()?.cast(self.dtype)?);
        let input = frame.embed(data, &frame.rows(&data.puzzles)?)?.to_dtype(self.dtype)?;
        let states = net.cycles(&stack, state, &input, &frame.layout(data.len)?, depth.loops)?;
        Looping::read(states, &frame, LossAt::Each)
    }

    fn finish(
        &self,
        looping: Looping,
        before: Vec<Slot>,
        data: Batch,
        rows: Option<Var>,
        (limit, mode, rng): (u32, Mode, &mut ChaCha8Rng),
    ) -> Result<Step> {
        let state = looping.state.iter().map(Tensor::detach).collect();
        let carry = Carry { state, slots: Vec::new(), data };
        let mut step = Step { carry, before, answers: looping.answers, rows, shares: Vec::new(), pass: None };
        let signals = self.halting.signals(&step.last()?.logits, &step.last()?.halt)?;
        let observed = step.before.iter().zip(signals);
        let observed = observed.map(|(slot, signal)| self.halting.observe(slot, signal, limit, mode, rng));
        (step.carry.slots, step.shares) = observed.unzip();
        Ok(step)
    }
}

/// Where the loops of a step end, and what was answered on the way.
struct Looping {
    state: Vec<Tensor>,
    answers: Vec<Answer>,
}

impl Looping {
    /// Reads the last state, or every one.
    fn read(mut states: Vec<Vec<Tensor>>, frame: &Frame, at: LossAt) -> Result<Looping> {
        if at == LossAt::Last {
            states.drain(..states.len().saturating_sub(1));
        }
        let answers = states.iter().map(|state| frame.answer(&state[0])).collect::<Result<_>>()?;
        Ok(Looping { answers, state: states.pop().unwrap_or_default() })
    }
}

/// The carried state, the initial one in free slots: `[B, S, D]` a tensor.
fn begin(net: &dyn Looped, carry: &Carry, rows: usize, len: usize, dtype: DType) -> Result<Vec<Tensor>> {
    let initial = net.initial();
    if carry.is_free() {
        let positions = net.frame().prefix_len() + len;
        let spread = |first: &Tensor| first.to_dtype(dtype)?.broadcast_as((rows, positions, first.dim(0)?));
        return initial.iter().map(|first| spread(first)?.contiguous()).collect();
    }
    let free = carry.slots.iter().map(|slot| u8::from(slot.halted));
    let free = Tensor::from_iter(free, net.frame().device())?.reshape((rows, 1, 1))?;
    let restart = |(first, state): (&Tensor, &Tensor)| {
        let first = first.to_dtype(dtype)?.broadcast_as(state.shape())?;
        free.broadcast_as(state.shape())?.where_cond(&first, state)
    };
    initial.iter().zip(&carry.state).map(restart).collect()
}

/// What a batch answers in the end, gathered step by step.
#[derive(Debug)]
pub(super) struct Tally {
    open: Vec<bool>,
    sum: Option<Answer>,
}

impl Tally {
    pub(super) fn new(rows: usize) -> Tally {
        Tally { open: vec![true; rows], sum: None }
    }

    /// Whether a row has not halted yet.
    pub(super) fn is_open(&self) -> bool {
        self.open.contains(&true)
    }

    /// Adds the share that a step has in the answer of every open row.
    pub(super) fn add(&mut self, step: &Step) -> Result<()> {
        let open = self.open.iter().zip(&step.shares);
        let shares: Vec<f32> = open.map(|(open, share)| if *open { *share } else { 0.0 }).collect();
        let part = step.last()?.scaled(&shares)?;
        self.sum = Some(match self.sum.take() {
            Some(sum) => sum.plus(&part)?,
            None => part,
        });
        self.open.iter_mut().zip(&step.carry.slots).for_each(|(open, slot)| *open &= !slot.halted);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Answer> {
        self.sum.ok_or_else(|| Error::Msg("a batch of no rows answers nothing".to_owned()))
    }
}
