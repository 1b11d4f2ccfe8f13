//! The Universal Reasoning Model: one state, one stack, the input added before every pass.

use candle_core::{Result, Tensor};

use super::{act::Looped, config::UrmConfig, frame::Frame};
use crate::nn::{BuildResult, Init, Layout, Scope, Stack};

/// Weights of the Universal Reasoning Model.
///
/// # Shapes
/// The state is one tensor `h` `[B, S, D]`.
#[derive(Clone, Debug)]
pub(super) struct Urm {
    frame: Frame,
    stack: Stack,
    init_hidden: Tensor, // [D]
}

impl Urm {
    pub(super) fn new(config: &UrmConfig, puzzles: usize, scope: &mut Scope) -> BuildResult<Urm> {
        let (tokens, hidden) = (&config.tokens, config.tokens.hidden);
        let head = hidden / config.stack.heads;
        Ok(Urm {
            frame: Frame::new(tokens, head, puzzles, config.halting.initial_bias(), scope)?,
            stack: Stack::new(&config.stack, hidden, tokens.positions(), scope)?,
            init_hidden: scope.constant("init_hidden", hidden, Init::TruncatedNormal { std: 1.0 })?,
        })
    }
}

impl Looped for Urm {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn stack(&self) -> &Stack {
        &self.stack
    }

    fn initial(&self) -> Vec<Tensor> {
        vec![self.init_hidden.detach()]
    }

    fn cycles(
        &self,
        stack: &Stack,
        state: Vec<Tensor>,
        input: &Tensor,
        layout: &Layout,
        loops: usize,
    ) -> Result<Vec<Vec<Tensor>>> {
        let after = stack.repeat(&state[0], input, layout, loops)?;
        Ok(after.into_iter().map(|h| vec![h]).collect())
    }
}
