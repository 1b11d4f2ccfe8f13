//! Operations that candle lacks, or computes slowly: attention, norms, gates, depthwise convolutions, rotary positions.
//!
//! On the CPU in f32 each is one operation with a backward pass written by hand over the [`kernel`](super::kernel)s;
//! elsewhere (a card, bf16, f64) it is composed of candle's own, by the function of the same name in [`reference`]. The
//! gradients of all inputs come out either way, except those of rotary tables and masks, which are constants.
//!
//! # Layout
//! - [`attention`](attention()), [`rope`](rope()), [`softmax`](softmax())
//! - [`rms_norm`], [`add_rms_norm`], [`gain_rms_norm`], [`layer_norm`]
//! - [`swiglu`], [`conv_swiglu`], [`gelu_gate`]
//! - [`conv1d`], [`conv2d`]: depthwise; [`film_conv`]: dense
//! - [`selective_scan`], [`causal_conv`]: the time mixing of Mamba-1
//! - [`lookup_conv`], [`blend_slots`], [`edit_loss`]: pictures of symbols
//! - [`cumsum`]
//! - [`reference`]: all of them, composed

mod attention;
mod conv;
mod custom;
mod dense;
mod gate;
mod norm;
mod picture;
pub mod reference;
mod rope;
mod rows;
mod selective;
#[cfg(test)]
pub(crate) mod testing;

pub(super) use custom::{Floats, stored};

pub use attention::attention;
pub use conv::{conv1d, conv2d};
pub use dense::{FilmConv, film_conv};
pub use gate::{conv_swiglu, gelu_gate, swiglu};
pub use norm::{add_rms_norm, gain_rms_norm, layer_norm, rms_norm};
pub use picture::{Edit, NO_SOURCE, blend_slots, edit_loss, lookup_conv};
pub use rope::rope;
pub use rows::{cumsum, softmax};
pub use selective::{Selection, causal_conv, selective_scan};
