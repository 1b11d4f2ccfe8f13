//! Which prints lead from what a canvas shows to what its card does.
//!
//! Where each print covers what lies below it the order is found backwards, see [`layers`]. A stamp that washes out what it
//! prints where that lies already has to be looked for forwards: what it leaves depends on what was there.

use env_client::{Action, Color};

use crate::policy::plan::{
    paint::layers::{self, ENDLESS, Layer},
    shortest::{Branch, cheapest},
};

/// Canvases that one search looks at. A guess that bounds a decision.
const CANVASES: usize = 20_000;

/// One print, and what leads to it.
pub(super) struct Stroke {
    pub(super) layer: Layer,
    /// What it leaves where its colour lies already, if it washes that out.
    pub(super) washed: Option<Color>,
    pub(super) actions: Vec<Action>,
}

impl Stroke {
    /// The canvas after it.
    fn print(&self, canvas: &[Color]) -> Vec<Color> {
        let tile = |(now, print): (&Color, &Option<Color>)| match print {
            Some(color) if color == now => self.washed.unwrap_or(*color),
            Some(color) => *color,
            None => *now,
        };
        canvas.iter().zip(&self.layer.0).map(tile).collect()
    }

    fn tiles(&self) -> usize {
        self.layer.0.iter().flatten().count()
    }
}

/// The strokes of which any may come first on the way to what is wanted, and how many there are in all.
pub(super) fn next(now: &[Color], wanted: &[Color], strokes: &[Stroke]) -> Option<(Vec<usize>, usize)> {
    if strokes.iter().all(|it| it.washed.is_none()) {
        let layers: Vec<Layer> = strokes.iter().map(|it| it.layer.clone()).collect();
        let wanted: Vec<Option<Color>> = wanted.iter().copied().map(Some).collect();
        let order = layers::order(now, &wanted, &layers, &ENDLESS)?;
        return Some((layers::first(&order, now, &layers), order.len()));
    }
    let most = strokes.iter().map(Stroke::tiles).max()?.max(1);
    let after = |canvas: &Vec<Color>| {
        let prints = strokes.iter().enumerate().map(|(by, it)| (by, it.print(canvas)));
        prints.filter(|(_, leads)| leads != canvas).map(|(by, leads)| Branch { by, cost: 1, leads }).collect()
    };
    let left = |canvas: &Vec<Color>| canvas.iter().zip(wanted).filter(|(now, it)| now != it).count().div_ceil(most);
    let order = cheapest(now.to_vec(), after, left, 1, CANVASES)?;
    Some((vec![*order.first()?], order.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(tiles: &str) -> Vec<Color> {
        tiles.bytes().map(|it| Color::of(it - b'0')).collect()
    }

    fn stroke(print: &str, washed: Option<u8>) -> Stroke {
        let print = print.bytes().map(|it| (it != b'.').then(|| Color::of(it - b'0'))).collect();
        Stroke { layer: Layer(print), washed: washed.map(Color::of), actions: Vec::new() }
    }

    #[test]
    fn what_is_washed_out_where_it_lies_already_is_printed_for_the_gap_it_leaves() {
        let strokes = [stroke("888..", Some(0)), stroke("..888", Some(0)), stroke("9....", None)];
        let (first, count) = next(&colors("00000"), &colors("98088"), &strokes).unwrap();
        assert_eq!((first.len(), count), (1, 3));
        assert!(next(&colors("00000"), &colors("98888"), &strokes).is_none());
    }
}
