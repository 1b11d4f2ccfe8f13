//! Every title, one file each.

mod crates;
mod lamps;
mod range;
mod rings;
mod tints;
mod twins;

use crate::Entry;

/// In the order of the stems; one line a title.
pub(crate) static ALL: &[Entry] = &[
    Entry::of::<crates::Storehouse>(), // b210
    Entry::of::<range::Range>(),       // f346
    Entry::of::<lamps::Lamps>(),       // l340
    Entry::of::<rings::Rings>(),       // r704
    Entry::of::<twins::Rooms>(),       // t220
    Entry::of::<tints::Tints>(),       // t316
];
