//! Sign-SGD for the rows of a puzzle table: no momentum, no state, only rows of the batch move.

use std::collections::BTreeMap;

use candle_core::{Result, Tensor, bail};
use serde::{Deserialize, Serialize};

/// The rule `row ← row·(1 - lr·wd) - lr·sign(sum of the row's gradients)`.
///
/// A row that is not in the batch does not even decay. Since only signs count, the scale of the loss does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignSgd {
    /// Decay of the rows that are present.
    pub weight_decay: f64,
}

impl SignSgd {
    /// One step.
    ///
    /// # Shapes
    /// `table` `[N, D]`; `gradients` `[B, D]`, row `b` belonging to `table[ids[b]]`. Equal ids add up.
    pub fn step(self, table: &Tensor, ids: &[u32], gradients: &Tensor, lr: f64) -> Result<()> {
        let (rows, _) = table.dims2()?;
        for (id, sum) in sums(ids, gradients)? {
            if id as usize >= rows {
                bail!("the table has {rows} rows, none is number {id}");
            }
            let row = table.narrow(0, id as usize, 1)?;
            let moved = ((row * (1.0 - lr * self.weight_decay))? - (sum.sign()? * lr)?)?;
            table.slice_set(&moved, 0, id as usize)?;
        }
        Ok(())
    }
}

/// The gradients by id, in the order of ids.
fn sums(ids: &[u32], gradients: &Tensor) -> Result<BTreeMap<u32, Tensor>> {
    let mut sums: BTreeMap<u32, Tensor> = BTreeMap::new();
    for (index, id) in ids.iter().enumerate() {
        let gradient = gradients.narrow(0, index, 1)?;
        let sum = match sums.get(id) {
            Some(sum) => (sum + gradient)?,
            None => gradient,
        };
        sums.insert(*id, sum);
    }
    Ok(sums)
}
