//! A pass as the step of a net: every batch is taken, answered and done with.

use candle_core::{Error, Result, Tensor};

use super::{LoopVit, LoopVitConfig, Pass, Plan, Question};
use crate::{
    data::{Batch, image::BACKGROUND},
    nets::{Answer, Carry, Loss, LossAt, Run, Step},
    nn::{Mode, halting::Slot, stream},
};

/// One pass over the incoming batch, which is one of images.
pub(in crate::nets) fn step(net: &LoopVit, batch: &Batch, run: Run) -> Result<Step> {
    let inside: Vec<u8> = batch.inputs.iter().map(|pixel| u8::from(*pixel != BACKGROUND)).collect();
    let question = Question { pixels: &batch.inputs, inside: &inside, tasks: &batch.puzzles };
    let pass = match run {
        Run::Train(rng) => net.forward(&question, net.config().plan(Mode::Train), rng)?,
        Run::Eval(depth) => {
            let every = net.config().loops.loss_at == LossAt::Each;
            let plan = Plan { loops: depth.loops as u32, every, ..net.config().plan(Mode::Eval) };
            net.forward(&question, plan, &mut stream(0, "evaluation draws nothing"))?
        }
    };
    let slots = vec![Slot { steps: 1, halted: true, ..Slot::FRESH }; batch.rows];
    Ok(Step {
        carry: Carry { state: Vec::new(), slots, data: batch.clone() },
        before: vec![Slot::FRESH; batch.rows],
        answers: answers(&pass)?,
        rows: None,
        shares: vec![1.0; batch.rows],
        pass: Some(pass),
    })
}

/// What the loops said, in place of the last the answer of the pass.
fn answers(pass: &Pass) -> Result<Vec<Answer>> {
    let Some((last, earlier)) = pass.loops.split_last() else { return Ok(Vec::new()) };
    let answer = |logits: Tensor, gate: &Tensor| -> Result<Answer> {
        Ok(Answer { logits, halt: gate.clone(), go_on: gate.zeros_like()? })
    };
    let said = earlier.iter().filter_map(|step| Some((step.logits.clone()?, &step.gate)));
    let mut answers = said.map(|(logits, gate)| answer(logits, gate)).collect::<Result<Vec<_>>>()?;
    answers.push(answer(pass.answer()?, &last.gate)?);
    Ok(answers)
}

/// The loss of such a step: the mean over the batch times its rows, as the others are sums over rows.
pub(in crate::nets) fn loss(step: &Step, config: &LoopVitConfig) -> Result<Loss> {
    let missing = || Error::Msg("this step was made by another net".to_owned());
    let (data, pass) = (&step.carry.data, step.pass.as_ref().ok_or_else(missing)?);
    let parts = pass.loss(&data.labels, config)?;
    let sum = |mean: Tensor| mean * data.rows as f64;
    Ok(Loss {
        total: sum(parts.total()?)?,
        tokens: sum(parts.pixels)?,
        halting: sum(parts.halting)?,
        exact: step.last()?.exact(data)?,
    })
}
