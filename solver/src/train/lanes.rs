//! The parts of a batch, learned side by side.
//!
//! Small nets leave threads that share every product waiting for each other; threads that share the rows of a batch meet
//! once a step. How rows are dealt out is a matter of the configuration, and gradients are added in the order of the
//! parts: the same lanes give the same bits on any number of processors.

use std::{panic, thread};

use candle_core::{DType, Tensor};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::{TrainError, trainer::not_finite};
use crate::{
    data::Batch,
    nets::{Carry, Loss, Net, Run, Step},
    nn::{
        Params, STACK_SIZE,
        optim::{self, Gradients},
        stream,
    },
};

/// Groups of threads that share the processors evenly.
#[derive(Debug)]
pub(super) struct Lanes(Vec<ThreadPool>);

impl Lanes {
    /// So many lanes.
    pub(super) fn new(count: usize) -> Result<Lanes, ThreadPoolBuildError> {
        let threads = (rayon::current_num_threads() / count).max(1);
        let lane = |_| ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_SIZE).build();
        (0..count).map(lane).collect::<Result<_, _>>().map(Lanes)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// What each lane makes of its task, in their order.
    pub(super) fn each<T: Send>(&self, tasks: impl Iterator<Item = impl FnOnce() -> T + Send>) -> Vec<T> {
        thread::scope(|scope| {
            let started = self.0.iter().zip(tasks).map(|(lane, task)| scope.spawn(|| lane.install(task)));
            let started: Vec<_> = started.collect();
            started.into_iter().map(|task| task.join().unwrap_or_else(|cause| panic::resume_unwind(cause))).collect()
        })
    }
}

/// What all parts of a step are learned with.
pub(super) struct Work<'a> {
    pub(super) net: &'a Net,
    pub(super) params: &'a Params,
    pub(super) seed: u64,
    pub(super) at: optim::Step,
    /// Weight of a row in the loss of the step.
    pub(super) share: f64,
}

/// What a part of a step comes to.
pub(super) struct Part {
    pub(super) step: Step,
    pub(super) loss: Loss,
    pub(super) gradients: Gradients,
    pub(super) rows: Option<Rows>,
}

/// The table rows that a part used.
pub(super) struct Rows {
    pub(super) ids: Vec<u32>,
    pub(super) gradients: Tensor, // [B, D]
}

impl Work<'_> {
    /// The loss of some slots and its gradients; `part` is its place among the parts of the step.
    pub(super) fn learn(&self, part: usize, carry: &Carry, batch: &Batch) -> Result<Part, TrainError> {
        let mut rng = stream(self.seed, &format!("step {} part {part}", self.at.number));
        let step = self.net.step(carry, batch, Run::Train(&mut rng))?;
        let loss = self.net.loss(&step)?;
        let total = (&loss.total * self.share)?;
        if !total.to_dtype(DType::F32)?.to_scalar::<f32>()?.is_finite() {
            return Err(not_finite(self.at, "the loss".to_owned()));
        }
        let mut store = total.backward()?;
        let rows = step.rows.as_ref().and_then(|rows| store.remove(rows));
        let gradients = Gradients::take(self.params, &mut store);
        let rows = rows.map(|gradients| Rows { ids: step.carry.data.puzzles.clone(), gradients });
        Ok(Part { step, loss, gradients, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_has_its_task_and_the_results_keep_their_order() {
        let lanes = Lanes::new(3).unwrap();
        let tasks = (0..3).map(|task| move || (task, rayon::current_thread_index().is_some()));
        assert_eq!(lanes.each(tasks), [(0, true), (1, true), (2, true)]);
    }
}
