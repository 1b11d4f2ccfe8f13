//! From symbols to numbers and back: a convolution that looks symbols up, slots painted into one picture, and the loss
//! of a picture that is mostly a copy.

use std::sync::Arc;

use candle_core::{Result, Shape, Tensor};
use rayon::prelude::*;

use super::{
    custom::{Kernel, apply1, apply2, apply3, check, native},
    reference,
};
pub use crate::nn::kernel::edit::{Edit, NO_SOURCE};
use crate::nn::kernel::{
    add,
    blend::{Blend, Gradients},
    dense::passed,
    edit::Choices,
    lookup::Lookup,
};

/// The 3×3 convolution of an image of symbols, each standing for some numbers, and the rectifier after it: every tap looks up
/// what the symbol it sees contributes, nothing beyond the border.
///
/// # Shapes
/// `symbols`: images · height · width. `table`: [9, symbols, outputs], the products of the taps with what symbols stand
/// for. `place`: [height, width, outputs], what is added at each place. Result: [images, height, width, outputs].
pub fn lookup_conv(symbols: &Arc<[u8]>, table: &Tensor, place: &Tensor) -> Result<Tensor> {
    let (height, width, outputs) = place.dims3()?;
    let count = table.dim(1)?;
    check(Symbols::NAME, table, (9, count, outputs))?;
    if let Some(symbol) = symbols.iter().find(|symbol| usize::from(**symbol) >= count) {
        candle_core::bail!("symbol {symbol} in a table of {count}");
    }
    if !symbols.len().is_multiple_of(height * width) {
        candle_core::bail!("{} symbols in images of {height}x{width}", symbols.len());
    }
    if !native(&[table, place]) {
        return reference::lookup_conv(symbols, table, place);
    }
    apply2(
        Symbols { lookup: Lookup { height, width, symbols: count, outputs }, symbols: symbols.clone() },
        table,
        place,
    )
}

/// Slots painted into one picture: a linear layer says for every cell of a patch how much the slot has to say there, which
/// a softmax over the slots turns into shares, and what, which is summed by shares.
///
/// # Shapes
/// `hidden`: [frames, slots, rows, columns, channels]. `weight`: [channels, said] with said = side² · (1 + values), for
/// each cell of a patch of `side`² the first part, then for each all values. `bias`: [said]. Result:
/// [frames, rows · side, columns · side, values].
pub fn blend_slots(hidden: &Tensor, weight: &Tensor, bias: &Tensor, side: usize) -> Result<Tensor> {
    let (frames, slots, rows, columns, channels) = hidden.dims5()?;
    let said = bias.dim(0)?;
    let cells = side * side;
    check(Blended::NAME, weight, (channels, said))?;
    if cells == 0 || said % cells != 0 || said <= cells {
        candle_core::bail!("{said} numbers for patches of {side}x{side} cells");
    }
    if !native(&[hidden, weight, bias]) {
        return reference::blend_slots(hidden, weight, bias, side);
    }
    let blend = Blend { slots, rows, columns, side, values: said / cells - 1, channels };
    apply3(Blended { blend, frames }, hidden, weight, bias)
}

/// `Σ weight·-ln p(new)` over cells, where `p(v) = (1 - σ(c))·[v = old] + σ(c)·Σ softmax(e, s)` of the logits `c, e…, s…`: the
/// softmax is over numbers and sources, the sum over what is `v` among them: the number itself (if it is one of those that
/// have logits) and the sources that show it. Sources that are [`NO_SOURCE`] are not there.
///
/// # Shapes
/// `logits`: [cells, 1 + numbers + sources]. `sources`: cells · sources. Result: a scalar.
pub fn edit_loss(logits: &Tensor, sources: &Arc<[u8]>, cells: &Arc<[Edit]>) -> Result<Tensor> {
    let (count, width) = logits.dims2()?;
    let each = sources.len() / count.max(1);
    let beyond = |cell: &&Edit| cell.new.max(cell.old) == NO_SOURCE;
    let fits = cells.len() == count && sources.len() == count * each && width > 1 + each && each > 0;
    if !fits || cells.iter().any(|cell| beyond(&cell)) {
        candle_core::bail!(
            "{} cells, {} sources, or a number, for logits of shape {:?}",
            cells.len(),
            sources.len(),
            logits.shape()
        );
    }
    if !native(&[logits]) {
        return reference::edit_loss(logits, sources, cells);
    }
    apply1(EditLoss { width, each, sources: sources.clone(), cells: cells.clone() }, logits)
}

struct Symbols {
    lookup: Lookup,
    symbols: Arc<[u8]>,
}

impl Kernel<2> for Symbols {
    const NAME: &'static str = "lookup-conv";

    fn shape(&self) -> Shape {
        let Lookup { height, width, outputs, .. } = self.lookup;
        Shape::from((self.symbols.len() / self.lookup.cells(), height, width, outputs))
    }

    fn forward(&self, [table, place]: [&[f32]; 2]) -> Vec<f32> {
        let mut y = vec![0.0; self.shape().elem_count()];
        let images = y.par_chunks_mut(place.len()).zip(self.symbols.par_chunks(self.lookup.cells()));
        images.for_each(|(y, symbols)| {
            y.copy_from_slice(place);
            self.lookup.forward(symbols, table, y);
        });
        y
    }

    fn backward(&self, [table, place]: [&[f32]; 2], result: &[f32], grad: &[f32]) -> [Vec<f32>; 2] {
        let images = result.par_chunks(place.len()).zip(grad.par_chunks(place.len()));
        let one = |((y, grad), symbols): ((&[f32], &[f32]), &[u8])| {
            let mut to_table = vec![0.0; table.len()];
            let passed = passed(y, grad);
            self.lookup.backward(symbols, &passed, &mut to_table);
            (to_table, passed)
        };
        let parts: Vec<_> = images.zip(self.symbols.par_chunks(self.lookup.cells())).map(one).collect();
        let (mut to_table, mut to_place) = (vec![0.0; table.len()], vec![0.0; place.len()]);
        for (table, place) in &parts {
            add(&mut to_table, table);
            add(&mut to_place, place);
        }
        [to_table, to_place]
    }
}

struct Blended {
    blend: Blend,
    frames: usize,
}

impl Kernel<3> for Blended {
    const NAME: &'static str = "blend-slots";

    fn shape(&self) -> Shape {
        let Blend { rows, columns, side, values, .. } = self.blend;
        Shape::from((self.frames, rows * side, columns * side, values))
    }

    fn forward(&self, [hidden, weight, bias]: [&[f32]; 3]) -> Vec<f32> {
        let mut y = vec![0.0; self.frames * self.blend.len()];
        let frames = hidden.par_chunks(self.blend.hidden_len()).zip(y.par_chunks_mut(self.blend.len()));
        frames.for_each(|(hidden, y)| self.blend.forward(hidden, weight, bias, y));
        y
    }

    fn backward(&self, [hidden, weight, bias]: [&[f32]; 3], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 3] {
        let mut to_hidden = vec![0.0; hidden.len()];
        let frames = hidden.par_chunks(self.blend.hidden_len()).zip(grad.par_chunks(self.blend.len()));
        let one = |((hidden, grad), to_hidden): ((&[f32], &[f32]), &mut [f32])| {
            let (mut to_weight, mut to_bias) = (vec![0.0; weight.len()], vec![0.0; bias.len()]);
            let mut to = Gradients { hidden: to_hidden, weight: &mut to_weight, bias: &mut to_bias };
            self.blend.backward(hidden, weight, bias, grad, &mut to);
            (to_weight, to_bias)
        };
        let parts: Vec<_> = frames.zip(to_hidden.par_chunks_mut(self.blend.hidden_len())).map(one).collect();
        let (mut to_weight, mut to_bias) = (vec![0.0; weight.len()], vec![0.0; bias.len()]);
        for (weight, bias) in &parts {
            add(&mut to_weight, weight);
            add(&mut to_bias, bias);
        }
        [to_hidden, to_weight, to_bias]
    }
}

struct EditLoss {
    width: usize,
    /// Sources of a cell.
    each: usize,
    sources: Arc<[u8]>,
    cells: Arc<[Edit]>,
}

impl EditLoss {
    /// Cells of one task.
    const TASK: usize = 1 << 10;

    /// Some cells for each task: what they can become, their logits and truths.
    fn tasks<'a>(
        &'a self,
        logits: &'a [f32],
    ) -> impl IndexedParallelIterator<Item = (Choices<'a>, &'a [f32], &'a [Edit])> {
        let sources = self.sources.par_chunks(Self::TASK * self.each);
        let parts = logits.par_chunks(Self::TASK * self.width).zip(self.cells.par_chunks(Self::TASK)).zip(sources);
        let numbers = self.width - 1 - self.each;
        parts.map(move |((logits, cells), sources)| (Choices { numbers, sources, count: self.each }, logits, cells))
    }
}

impl Kernel<1> for EditLoss {
    const NAME: &'static str = "edit-loss";

    fn shape(&self) -> Shape {
        Shape::from(())
    }

    fn forward(&self, [logits]: [&[f32]; 1]) -> Vec<f32> {
        let parts: Vec<f64> =
            self.tasks(logits).map(|(choices, logits, cells)| choices.forward(logits, cells)).collect();
        vec![parts.iter().sum::<f64>() as f32]
    }

    fn backward(&self, [logits]: [&[f32]; 1], _result: &[f32], grad: &[f32]) -> [Vec<f32>; 1] {
        let scale = grad.first().copied().unwrap_or_default();
        let mut to = vec![0.0; logits.len()];
        let parts = self.tasks(logits).zip(to.par_chunks_mut(Self::TASK * self.width));
        parts.for_each(|((choices, logits, cells), to)| choices.backward(logits, cells, scale, to));
        [to]
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use crate::nn::ops::testing::{agree, draw};

    #[test]
    fn looking_symbols_up_agrees_with_its_reference_and_with_differences() {
        for (images, height, width, outputs) in [(1, 1, 1, 2), (3, 4, 5, 6)] {
            let symbols: Arc<[u8]> = (0..images * height * width).map(|cell| (cell * 7 % 4) as u8).collect();
            let inputs = [draw("table", (9, 4, outputs)), draw("place", (height, width, outputs))];
            let op = |x: &[Tensor]| lookup_conv(&symbols, &x[0], &x[1]);
            agree(&inputs, op, |x| reference::lookup_conv(&symbols, &x[0], &x[1]));
        }
    }

    #[test]
    fn a_symbol_beyond_the_table_is_refused() {
        let refused = lookup_conv(&Arc::from([3u8]), &draw("table", (9, 3, 1)), &draw("place", (1, 1, 1)));
        assert!(refused.unwrap_err().to_string().contains("symbol 3 in a table of 3"));
    }

    #[test]
    fn blended_slots_agree_with_their_reference_and_with_differences() {
        for (frames, slots, rows, columns, channels, side, values) in [(1, 1, 1, 1, 1, 1, 1), (2, 3, 2, 3, 4, 2, 5)] {
            let said = side * side * (1 + values);
            let inputs = [
                draw("hidden", (frames, slots, rows, columns, channels)),
                draw("weight", (channels, said)),
                draw("bias", said),
            ];
            let op = |x: &[Tensor]| blend_slots(&x[0], &x[1], &x[2], side);
            agree(&inputs, op, |x| reference::blend_slots(&x[0], &x[1], &x[2], side));
        }
    }

    #[test]
    fn the_edit_loss_agrees_with_its_reference_and_with_differences() {
        let edit = |cell: usize| {
            let old = (cell * 5 % 7) as u8;
            let new = if cell.is_multiple_of(3) { old } else { (cell * 2 % 9) as u8 };
            Edit { old, new, weight: 0.5 + cell as f32 }
        };
        let cells: Arc<[Edit]> = (0..9).map(edit).collect();
        // Every cell whose number has no logit has a source that shows it, and one source in five is not there.
        let source = |at: usize| match (at % 4, at % 5) {
            (0, _) => cells[at / 4].new,
            (_, 0) => NO_SOURCE,
            _ => (at * 3 % 9) as u8,
        };
        let sources: Arc<[u8]> = (0..36).map(source).collect();
        agree(
            &[draw("logits", (9, 12))],
            |x| edit_loss(&x[0], &sources, &cells),
            |x| reference::edit_loss(&x[0], &sources, &cells),
        );
    }

    #[test]
    fn the_edit_loss_of_three_cells_by_hand() {
        // σ(0) = 1/2. Of two numbers and two sources, one of them not there, each is 1/3. A kept cell: 1/2 + 1/2 · 1/3; one
        // that becomes what its source shows as well: 1/2 · 2/3; one that becomes what only its source shows: 1/2 · 1/3.
        let logits = Tensor::zeros((3, 5), candle_core::DType::F32, &Device::Cpu).unwrap();
        let sources = Arc::from([NO_SOURCE, 0, 0, NO_SOURCE, NO_SOURCE, 7]);
        let [kept, both, shown] =
            [(1, 1, 1.0), (1, 0, 2.0), (1, 7, 1.0)].map(|(old, new, weight)| Edit { old, new, weight });
        let loss = edit_loss(&logits, &sources, &Arc::from([kept, both, shown])).unwrap().to_scalar::<f32>().unwrap();
        let expected = -((2.0f32 / 3.0).ln() + 2.0 * (1.0f32 / 3.0).ln() + (1.0f32 / 6.0).ln());
        assert!((loss - expected).abs() < 1e-5, "{loss}, not {expected}");
    }
}
