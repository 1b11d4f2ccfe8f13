//! The `[net]` table of a configuration: sizes and choices, no weights.

use serde::{Deserialize, Serialize};

use super::loop_vit::LoopVitConfig;
use crate::{
    data::{Canvas, Paper, image::Image},
    nn::{
        Mixer, StackConfig, TokenLoss,
        halting::{Halting, HaltingError},
    },
};

/// What the `factored` prefix holds: the task's row and the symmetry's row.
pub const FACTORED_PREFIX: usize = 2;

/// Which net, and how large.
///
/// # Examples
/// ```
/// use solver::nets::NetConfig;
///
/// let text = r#"
/// kind = "urm"
/// loss = "cross_entropy"
/// steps = 4
/// tokens = { canvas = 12, hidden = 64, prefix = 1, positions = "flat", rows = "augmentation" }
/// stack = { layers = 2, heads = 4, ffn = 128, conv = "pair" }
/// loops = { free = 2, grad = 6, loss_at = "each" }
/// halting = { rule = "fixed" }
/// "#;
/// let config: NetConfig = toml::from_str(text)?;
/// config.check()?;
/// assert_eq!(config.tokens().cells(), 144);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NetConfig {
    /// The Universal Reasoning Model.
    Urm(UrmConfig),
    /// The Tiny Recursive Model.
    Trm(TrmConfig),
    /// The looped vision transformer, which works on images instead of tokens.
    LoopVit(LoopVitConfig),
}

/// The Universal Reasoning Model: one latent state, one stack of layers applied again and again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UrmConfig {
    /// What goes in.
    pub tokens: TokenConfig,
    /// The shared block.
    pub stack: StackConfig,
    /// How often it is applied in one step.
    pub loops: LoopConfig,
    /// How an answer is compared with the truth.
    pub loss: TokenLoss,
    /// Steps after which a puzzle is given up, or answered.
    pub steps: u32,
    /// When a puzzle is answered before that.
    pub halting: Halting,
}

/// The Tiny Recursive Model: an answer `z_H` and a scratchpad `z_L`, refined by the same stack. One loop is
/// `low_passes` updates of `z_L` and one of `z_H`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrmConfig {
    /// What goes in.
    pub tokens: TokenConfig,
    /// The block that serves both levels.
    pub stack: StackConfig,
    /// How many loops make a step.
    pub loops: LoopConfig,
    /// Updates of the scratchpad in one loop (`L_cycles` of the published code).
    pub low_passes: usize,
    /// Whether answer and scratchpad are one.
    pub latents: Latents,
    /// How an answer is compared with the truth.
    pub loss: TokenLoss,
    /// Steps after which a puzzle is given up, or answered.
    pub steps: u32,
    /// When a puzzle is answered before that.
    pub halting: Halting,
}

/// The states of a [`TrmConfig`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Latents {
    /// `z_H` and `z_L`.
    Two,
    /// `z_L` alone: `low_passes` updates that see the input, then one that does not.
    One,
}

/// What goes into a net of tokens: a canvas of cells behind a prefix that says which puzzle it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenConfig {
    /// Side of the square canvas in cells; 30 holds every ARC grid.
    pub canvas: usize,
    /// Width D of every token.
    pub hidden: usize,
    /// Tokens before the cells.
    pub prefix: usize,
    /// How a token knows where it is.
    pub positions: Positions,
    /// Slowest wave of rotary positions.
    #[serde(default = "published_theta")]
    pub theta: f64,
    /// What has a row of its own in the puzzle table.
    pub rows: Rows,
    /// Deviation of a fresh row; the published nets begin at zero.
    #[serde(default)]
    pub row_std: f64,
    /// Whether what the rows say is added to every cell too, so that no attention is needed to hear it.
    #[serde(default)]
    pub spread: bool,
    /// Whether a trained row for its row and one for its column of the canvas are added to every cell.
    #[serde(default)]
    pub places: bool,
    /// What trains the puzzle table.
    #[serde(default)]
    pub table: Table,
}

/// What trains the puzzle table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// Sign-SGD, only the rows of a batch: for tables with a row for each of many augmentations. (HRM, TRM, URM)
    #[default]
    Sparse,
    /// The optimiser of the weights, whose averages calm what a small batch says of a task.
    Dense,
}

impl TokenConfig {
    /// Cells L of a canvas.
    pub fn cells(&self) -> usize {
        self.canvas * self.canvas
    }

    /// Positions S of a sequence: prefix and cells.
    pub fn positions(&self) -> usize {
        self.prefix + self.cells()
    }
}

/// What has a row in the puzzle table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// A task.
    Task,
    /// A task in one augmentation, as published: the row is the only thing that tells the two apart.
    Augmentation,
    /// A task; the symmetry it is seen in is told by one of eight rows that all tasks share, so that what one task
    /// teaches about rotations helps the others.
    Factored,
}

/// How a token knows where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Positions {
    /// Rotary, one count over prefix and cells in reading order, as published.
    Flat,
    /// Rotary, half the channels by row and half by column; the prefix stands still.
    Grid,
    /// A trained row for each position.
    Learned,
    /// Not at all.
    None,
}

impl Positions {
    /// What the width of a head must be a multiple of.
    fn part(self) -> usize {
        match self {
            Positions::Flat => 2,
            Positions::Grid => 4,
            Positions::Learned | Positions::None => 1,
        }
    }
}

/// How often the block is applied in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopConfig {
    /// Loops without gradient, first.
    pub free: usize,
    /// Loops with gradient, last.
    pub grad: usize,
    /// After which of them the loss is taken.
    pub loss_at: LossAt,
}

impl LoopConfig {
    /// Loops of one step.
    pub fn total(&self) -> usize {
        self.free + self.grad
    }
}

/// After which gradient loops the loss is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossAt {
    /// The last one, as the published code does.
    Last,
    /// Each one, summed, as the URM paper writes.
    Each,
}

/// A configuration that no net can be built from.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// A size of zero.
    #[error("net.{0} must be at least 1")]
    Zero(&'static str),
    /// Heads do not share the width evenly.
    #[error("net.tokens.hidden is {hidden}, which {heads} heads cannot share in parts divisible by {part}")]
    Heads {
        /// Width of a token.
        hidden: usize,
        /// Attention heads.
        heads: usize,
        /// 2 where rotary positions turn pairs, 4 where rows and columns each have theirs.
        part: usize,
    },
    /// The prefix has no room for what it must hold.
    #[error("net.tokens.prefix is {found}, at least {needed} are needed for these rows")]
    Prefix {
        /// Tokens that the rows need.
        needed: usize,
        /// Tokens there are.
        found: usize,
    },
    /// No canvas has this side, or no image.
    #[error("net.tokens.canvas is {0}, expected 1 to 64, from 3 in a Loop-ViT")]
    Canvas(usize),
    /// An image that patches do not fill.
    #[error("net.tokens.canvas is {side}, which patches of side {patch} do not fill")]
    Patch {
        /// Side of the image.
        side: usize,
        /// Side of a patch.
        patch: usize,
    },
    /// A setting that other nets can have.
    #[error("net.{setting} of a Loop-ViT must be {expected}")]
    LoopVit {
        /// Which one.
        setting: &'static str,
        /// What it may be.
        expected: &'static str,
    },
    /// A rule that never halts, or always.
    #[error("net.{0}")]
    Halting(#[from] HaltingError),
}

/// The slowest wave of all published nets.
fn published_theta() -> f64 {
    10_000.0
}

/// The feed-forward width that the published code derives: two thirds of `expansion * hidden`, up to a multiple of 256.
pub fn published_ffn(hidden: usize, expansion: f64) -> usize {
    let wanted = (expansion * hidden as f64 * 2.0 / 3.0).round() as usize;
    wanted.div_ceil(256) * 256
}

impl NetConfig {
    /// What goes in.
    pub fn tokens(&self) -> &TokenConfig {
        match self {
            NetConfig::Urm(config) => &config.tokens,
            NetConfig::Trm(config) => &config.tokens,
            NetConfig::LoopVit(config) => &config.tokens,
        }
    }

    /// What grids are written on: a canvas of tokens, or an image for a Loop-ViT.
    pub fn paper(&self) -> Result<Paper, ConfigError> {
        let side = self.tokens().canvas;
        let paper = u8::try_from(side).ok().and_then(|side| match self {
            NetConfig::Urm(_) | NetConfig::Trm(_) => Canvas::new(side).ok().map(Paper::from),
            NetConfig::LoopVit(_) => Image::new(side).ok().map(Paper::from),
        });
        paper.ok_or(ConfigError::Canvas(side))
    }

    /// Whether sign-SGD moves the rows of the puzzle table, instead of the optimiser of the weights.
    pub fn sparse_table(&self) -> bool {
        match self {
            NetConfig::Urm(_) | NetConfig::Trm(_) => self.tokens().table == Table::Sparse,
            NetConfig::LoopVit(_) => false,
        }
    }

    /// The shared block.
    pub fn stack(&self) -> &StackConfig {
        match self {
            NetConfig::Urm(config) => &config.stack,
            NetConfig::Trm(config) => &config.stack,
            NetConfig::LoopVit(config) => &config.stack,
        }
    }

    /// How many loops make a step.
    pub fn loops(&self) -> &LoopConfig {
        match self {
            NetConfig::Urm(config) => &config.loops,
            NetConfig::Trm(config) => &config.loops,
            NetConfig::LoopVit(config) => &config.loops,
        }
    }

    /// How an answer is compared with the truth.
    pub fn loss(&self) -> TokenLoss {
        match self {
            NetConfig::Urm(config) => config.loss,
            NetConfig::Trm(config) => config.loss,
            NetConfig::LoopVit(_) => TokenLoss::CrossEntropy,
        }
    }

    /// Steps after which a puzzle is given up, or answered.
    pub fn steps(&self) -> u32 {
        match self {
            NetConfig::Urm(config) => config.steps,
            NetConfig::Trm(config) => config.steps,
            NetConfig::LoopVit(_) => 1,
        }
    }

    /// When a puzzle is answered before that.
    pub fn halting(&self) -> &Halting {
        match self {
            NetConfig::Urm(config) => &config.halting,
            NetConfig::Trm(config) => &config.halting,
            NetConfig::LoopVit(config) => &config.halting,
        }
    }

    /// An error that names the first setting no net can have.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.tokens().check()?;
        check_stack(self.stack(), self.tokens())?;
        nonzero("loops.grad", self.loops().grad)?;
        nonzero("steps", self.steps() as usize)?;
        self.halting().check()?;
        self.paper()?;
        match self {
            NetConfig::Urm(_) => Ok(()),
            NetConfig::Trm(config) => nonzero("low_passes", config.low_passes),
            NetConfig::LoopVit(config) => config.check(),
        }
    }
}

impl TokenConfig {
    fn check(&self) -> Result<(), ConfigError> {
        nonzero("tokens.canvas", self.canvas)?;
        nonzero("tokens.hidden", self.hidden)?;
        let needed = if self.rows == Rows::Factored { FACTORED_PREFIX } else { 1 };
        if self.prefix < needed {
            return Err(ConfigError::Prefix { needed, found: self.prefix });
        }
        Ok(())
    }
}

fn check_stack(stack: &StackConfig, tokens: &TokenConfig) -> Result<(), ConfigError> {
    let (hidden, heads) = (tokens.hidden, stack.heads);
    nonzero("stack.layers", stack.layers)?;
    nonzero("stack.heads", heads)?;
    nonzero("stack.ffn", stack.ffn)?;
    if let Mixer::MlpT(width) = stack.mixer {
        nonzero("stack.mixer.mlp_t", width)?;
    }
    let part = tokens.positions.part();
    if hidden.is_multiple_of(heads * part) { Ok(()) } else { Err(ConfigError::Heads { hidden, heads, part }) }
}

fn nonzero(name: &'static str, size: usize) -> Result<(), ConfigError> {
    if size == 0 { Err(ConfigError::Zero(name)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRM: &str = r#"
        kind = "trm"
        loss = "stablemax"
        steps = 16
        low_passes = 4
        latents = "two"
        tokens = { canvas = 30, hidden = 512, prefix = 16, positions = "flat", rows = "augmentation" }
        stack = { layers = 2, heads = 8, ffn = 1536, conv = "none", mixer = { mlp_t = 2560 } }
        loops = { free = 2, grad = 1, loss_at = "last" }
        halting = { rule = "q_head" }
    "#;

    fn check(text: &str) -> String {
        match toml::from_str::<NetConfig>(text) {
            Ok(config) => config.check().map_or_else(|error| error.to_string(), |()| "fine".to_owned()),
            Err(error) => error.message().to_owned(),
        }
    }

    #[test]
    fn a_configuration_survives_being_written() {
        let config: NetConfig = toml::from_str(TRM).unwrap();
        assert_eq!(config.stack().mixer, Mixer::MlpT(2560));
        assert_eq!(toml::from_str::<NetConfig>(&toml::to_string(&config).unwrap()).unwrap(), config);
        assert_eq!(check(TRM), "fine");
    }

    #[test]
    fn what_no_net_can_have_is_named() {
        assert!(check(&TRM.replace("loss_at", "loss_when")).contains("unknown field `loss_when`"));
        assert!(check(&TRM.replace("low_passes", "high_passes")).contains("unknown field `high_passes`"));
        assert_eq!(check(&TRM.replace("grad = 1", "grad = 0")), "net.loops.grad must be at least 1");
        assert_eq!(check(&TRM.replace("low_passes = 4", "low_passes = 0")), "net.low_passes must be at least 1");
        let crowded = TRM.replace("prefix = 16", "prefix = 1").replace("augmentation", "factored");
        assert_eq!(check(&crowded), "net.tokens.prefix is 1, at least 2 are needed for these rows");
        let uneven = "net.tokens.hidden is 512, which 3 heads cannot share in parts divisible by 2";
        assert_eq!(check(&TRM.replace("heads = 8", "heads = 3")), uneven);
        let rule = r#"rule = "q_head", exploration = 2.0"#;
        let found = check(&TRM.replace(r#"rule = "q_head""#, rule));
        assert_eq!(found, "net.halting: exploration is 2, expected a number from 0 to 1");
    }

    #[test]
    fn the_published_width_is_a_multiple_of_256() {
        assert_eq!(published_ffn(512, 4.0), 1536);
        assert_eq!(published_ffn(64, 4.0), 256);
        assert_eq!(published_ffn(97, 4.0), 512);
    }
}
