//! What a training would need, found out without training.

use std::{collections::BTreeMap, fs, time::Instant};

use serde::Serialize;

use super::{Begun, Job, Observer, Start, TrainError, setup::Setup, trainer::build};
use crate::{
    data::{Batch, Counts, load::Kind},
    nets::{Carry, Net, Run},
    nn::{Params, on_deep_stack, optim::Gradients, stream},
};

/// A weight, its gradient, two numbers of the optimiser and the average.
const COPIES: u64 = 5;

/// A first step also pays for what is only done once; from so many seconds on that does not matter.
const WARM_UP: f64 = 5.0;

const BYTES: u64 = size_of::<f32>() as u64;

/// What a training would need.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Survey {
    /// What it would start from.
    pub begun: Begun,
    /// What became of the pairs of each source.
    pub sources: BTreeMap<Kind, Counts>,
    /// Size of the puzzle table.
    pub table_bytes: u64,
    /// Memory of a step: the weights with all that belongs to them, the table, and what one sequence needed on its way
    /// times the batch. Nothing where the system does not say what a program needed.
    pub memory_bytes: Option<u64>,
    /// Time of a step: that of one sequence times all of a step.
    pub seconds_per_step: f64,
}

/// Reads the data, builds the net without a table, and measures a step of one sequence.
pub fn survey(job: &Job, observer: &mut dyn Observer) -> Result<Survey, TrainError> {
    if matches!(job.start, Start::Resume) {
        return Err(TrainError::Nothing { folder: job.out.clone() });
    }
    let measure = || {
        let device = job.compute.device()?;
        let setup = Setup::read(job, None, observer)?;
        let (net, params) = build(&setup, &device, setup.puzzles.rows().min(2))?;
        let (bytes, mut seconds) = try_step(&setup, &net, &params)?;
        if seconds < WARM_UP {
            (_, seconds) = try_step(&setup, &net, &params)?;
        }
        Ok(scaled(&setup, &params, bytes, seconds))
    };
    on_deep_stack(measure).map_err(TrainError::Thread)?
}

/// A step of one sequence: the bytes it needed, if the system says so, and the seconds it took.
fn try_step(setup: &Setup, net: &Net, params: &Params) -> Result<(Option<u64>, f64), TrainError> {
    let batch = Batch::blank(1, setup.paper.places());
    let (before, begun) = (memory("VmRSS:"), Instant::now());
    let mut rng = stream(setup.seed, "survey");
    let step = net.step(&Carry::empty(1, batch.len), &batch, Run::Train(&mut rng))?;
    let mut store = net.loss(&step)?.total.backward()?;
    Gradients::take(params, &mut store).norm()?;
    let seconds = begun.elapsed().as_secs_f64();
    let needed = memory("VmHWM:").zip(before).map(|(most, before)| most.saturating_sub(before));
    Ok((needed, seconds))
}

fn scaled(setup: &Setup, params: &Params, bytes: Option<u64>, seconds: f64) -> Survey {
    let training = &setup.config.training;
    let table = setup.puzzles.rows() as u64 * setup.config.net.tokens().hidden as u64 * BYTES;
    let weights = COPIES * params.count() as u64 * BYTES;
    Survey {
        begun: setup.begun(0, params.count()),
        sources: setup.sources.clone(),
        table_bytes: table,
        memory_bytes: bytes.map(|bytes| bytes * training.batch as u64 + weights + table),
        seconds_per_step: seconds * (training.batch * training.accumulate) as f64,
    }
}

/// What Linux says of this program's memory, in bytes.
fn memory(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}
