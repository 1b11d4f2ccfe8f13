//! The Tiny Recursive Model: an answer and a scratchpad, refined by the same stack.

use candle_core::{Result, Tensor};

use super::{
    act::Looped,
    config::{Latents, TrmConfig},
    frame::Frame,
};
use crate::nn::{BuildResult, Init, Layout, Scope, Stack};

/// Weights of the Tiny Recursive Model.
///
/// # Shapes
/// The state is `z_H` and `z_L`, or `z_L` alone, `[B, S, D]` each; answers are read from the first.
#[derive(Clone, Debug)]
pub(super) struct Trm {
    frame: Frame,
    stack: Stack,
    initial: Vec<Tensor>, // [D] each
    low_passes: usize,
}

impl Trm {
    pub(super) fn new(config: &TrmConfig, puzzles: usize, scope: &mut Scope) -> BuildResult<Trm> {
        let (tokens, hidden) = (&config.tokens, config.tokens.hidden);
        let head = hidden / config.stack.heads;
        let names: &[&str] = match config.latents {
            Latents::Two => &["H_init", "L_init"],
            Latents::One => &["L_init"],
        };
        let mut initial = |name: &&str| scope.constant(name, hidden, Init::TruncatedNormal { std: 1.0 });
        Ok(Trm {
            initial: names.iter().map(&mut initial).collect::<BuildResult<_>>()?,
            frame: Frame::new(tokens, head, puzzles, config.halting.initial_bias(), scope)?,
            stack: Stack::new(&config.stack, hidden, tokens.positions(), &mut scope.at("L_level"))?,
            low_passes: config.low_passes,
        })
    }

    /// Updates of the scratchpad, which sees `input`.
    fn think(&self, stack: &Stack, z: &Tensor, input: &Tensor, layout: &Layout) -> Result<Tensor> {
        let after = stack.repeat(z, input, layout, self.low_passes)?;
        Ok(after.into_iter().last().unwrap_or_else(|| z.clone()))
    }

    /// One loop.
    fn cycle(&self, stack: &Stack, state: &[Tensor], input: &Tensor, layout: &Layout) -> Result<Vec<Tensor>> {
        if let [high, low] = state {
            let low = self.think(stack, low, &(high + input)?, layout)?;
            return Ok(vec![stack.pass(high, &low, layout)?, low]);
        }
        let thought = self.think(stack, &state[0], input, layout)?;
        Ok(vec![stack.pass(&thought, &thought.zeros_like()?, layout)?])
    }
}

impl Looped for Trm {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn stack(&self) -> &Stack {
        &self.stack
    }

    fn initial(&self) -> Vec<Tensor> {
        self.initial.iter().map(Tensor::detach).collect()
    }

    fn cycles(
        &self,
        stack: &Stack,
        mut state: Vec<Tensor>,
        input: &Tensor,
        layout: &Layout,
        loops: usize,
    ) -> Result<Vec<Vec<Tensor>>> {
        let mut after = Vec::with_capacity(loops);
        for _ in 0..loops {
            state = self.cycle(stack, &state, input, layout)?;
            after.push(state.clone());
        }
        Ok(after)
    }
}
