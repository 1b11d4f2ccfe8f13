//! Every title, one file each.

mod crates;
mod rings;
mod tints;

use crate::Entry;

/// In the order of the stems; one line a title.
pub(crate) static ALL: [Entry; 3] = [
    Entry::of::<crates::Storehouse>(), // b210
    Entry::of::<rings::Rings>(),       // r704
    Entry::of::<tints::Tints>(),       // t316
];
