//! Every title, one file each.

mod crates;

use crate::Entry;

/// In the order of the stems; one line a title.
pub(crate) static ALL: [Entry; 1] = [
    Entry::of::<crates::Storehouse>(), // b210
];
