//! The shapes of the nets.

use serde::{Deserialize, Serialize};

/// Cells along the edge of a patch.
pub(super) const PATCH: usize = 4;

/// Which net, and how large.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NetConfig {
    /// Slots with a state-space memory each, painted over a convolutional skip.
    SlotMamba(SlotMambaConfig),
    /// Convolutions alone: what slot-Mamba has to beat.
    Cnn(CnnConfig),
}

/// The local baseline: residual 3×3 convolutions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CnnConfig {
    /// Rows and columns of the largest canvas, in tiles.
    pub side: usize,
    /// Numbers a cell.
    pub channels: usize,
    /// For each convolution the tiles between neighbouring taps.
    pub dilations: Vec<usize>,
    /// Numbers that stand for an action.
    pub width: usize,
}

/// Slot-Mamba.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotMambaConfig {
    /// Rows and columns of the canvas in tiles, a multiple of four; smaller maps stand in its top left corner.
    pub side: usize,
    /// Numbers a cell in the stem and its skip.
    pub channels: usize,
    /// For each convolution of the skip the tiles between neighbouring taps.
    pub dilations: Vec<usize>,
    /// Numbers of a slot.
    pub width: usize,
    /// Slots that hold a component each.
    pub components: usize,
    /// Slots that begin as learned vectors, for background and the rest.
    pub learned: usize,
    /// Blocks of attention, time mixing and slot mixing.
    pub blocks: usize,
    /// Heads of the attention among slots.
    pub heads: usize,
    /// States a channel of the selective scan.
    pub states: usize,
    /// Channels of the selective scan for each number of a slot.
    pub expand: usize,
    /// Steps that the convolution before the scan sees.
    pub taps: usize,
    /// Hidden numbers of the feed-forward part for each number of a slot.
    pub ffn: usize,
    /// Numbers a patch and slot while slots are painted.
    pub decoder: usize,
}

/// A net that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetConfigError {
    /// A number that must be larger.
    #[error("net.{0} must be at least 1")]
    Zero(&'static str),
    /// A canvas that is no canvas.
    #[error("net.side is {0}, expected a multiple of 4 up to 64")]
    Side(usize),
    /// Heads that do not divide the width.
    #[error("net.width is {width}, expected a multiple of net.heads, {heads}")]
    Heads {
        /// Numbers of a slot.
        width: usize,
        /// Heads.
        heads: usize,
    },
}

impl CnnConfig {
    /// The baseline of the specification: six convolutions of 32 channels. Their taps lie up to eight cells apart, since
    /// things move by whole tiles of up to eight cells; neighbours alone would see six cells far.
    pub fn s() -> CnnConfig {
        CnnConfig { side: 64, channels: 32, dilations: vec![1, 2, 4, 8, 2, 1], width: 32 }
    }

    /// For unit tests.
    pub fn xs() -> CnnConfig {
        CnnConfig { side: 16, channels: 16, dilations: vec![1, 2, 1], width: 16 }
    }
}

impl SlotMambaConfig {
    /// The configuration for two processor cores.
    pub fn s() -> SlotMambaConfig {
        SlotMambaConfig {
            side: 64,
            channels: 16,
            dilations: vec![1, 2, 4, 8],
            width: 96,
            components: 8,
            learned: 2,
            blocks: 2,
            heads: 4,
            states: 16,
            expand: 2,
            taps: 4,
            ffn: 2,
            decoder: 16,
        }
    }

    /// For unit tests.
    pub fn xs() -> SlotMambaConfig {
        SlotMambaConfig {
            side: 16,
            dilations: vec![1, 2],
            width: 32,
            components: 4,
            blocks: 1,
            heads: 2,
            states: 8,
            decoder: 8,
            ..SlotMambaConfig::s()
        }
    }

    /// Slots in all.
    pub fn slots(&self) -> usize {
        self.components + self.learned
    }

    /// Channels of the selective scan.
    pub fn inner(&self) -> usize {
        self.expand * self.width
    }

    /// Rank of the step lengths: a sixteenth of the width.
    pub fn rank(&self) -> usize {
        self.width.div_ceil(16)
    }

    /// Patches along an edge of the canvas.
    pub fn patches(&self) -> usize {
        self.side / PATCH
    }
}

impl NetConfig {
    /// The kinds that there are.
    pub const KINDS: [&str; 2] = ["slot_mamba", "cnn"];

    /// Rows and columns of the canvas.
    pub fn side(&self) -> usize {
        match self {
            NetConfig::SlotMamba(config) => config.side,
            NetConfig::Cnn(config) => config.side,
        }
    }

    /// Rows and columns of the canvas on which a map of so many tiles along its longer edge is read. Convolutions that
    /// see every place alike take no more than it needs.
    pub fn canvas(&self, length: usize) -> usize {
        match self {
            NetConfig::SlotMamba(config) => config.side,
            NetConfig::Cnn(config) => length.next_multiple_of(PATCH).min(config.side),
        }
    }

    /// Slots that hold a component each.
    pub fn components(&self) -> usize {
        match self {
            NetConfig::SlotMamba(config) => config.components,
            NetConfig::Cnn(_) => 0,
        }
    }

    /// An error that names the first setting that cannot be.
    pub fn check(&self) -> Result<(), NetConfigError> {
        let side = self.side();
        if side == 0 || side > usize::from(env_client::SIDE) || !side.is_multiple_of(PATCH) {
            return Err(NetConfigError::Side(side));
        }
        let (counts, heads) = match self {
            NetConfig::Cnn(CnnConfig { channels, width, .. }) => {
                (vec![("channels", *channels), ("width", *width)], None)
            }
            NetConfig::SlotMamba(config) => (config.counts(), Some((config.width, config.heads))),
        };
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(NetConfigError::Zero(name));
        }
        match heads {
            Some((width, heads)) if width % heads != 0 => Err(NetConfigError::Heads { width, heads }),
            _ => Ok(()),
        }
    }
}

impl SlotMambaConfig {
    /// What must not be zero.
    fn counts(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("channels", self.channels),
            ("width", self.width),
            ("learned", self.learned),
            ("blocks", self.blocks),
            ("heads", self.heads),
            ("states", self.states),
            ("expand", self.expand),
            ("taps", self.taps),
            ("ffn", self.ffn),
            ("decoder", self.decoder),
        ]
    }
}
