//! In which order to paint so that a canvas becomes a picture: found backwards, by taking off again and again a topmost
//! layer whose cells all have its colour (the painter's algorithm, reversed).

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
};

use env_client::Color;

/// Orders looked at. A guess that bounds a decision.
const MOST: usize = 4_000;
/// Groups of cells that are alike to all layers, a bit each.
const GROUPS: usize = u128::BITS as usize;

/// A stroke that may be made: the cells of the canvas that it paints, and their colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) cells: Vec<bool>,
    pub(super) color: Color,
}

/// How many strokes of each colour can be made.
pub(super) type Supply = [u32; Color::COUNT];
/// Where nothing is known to run out.
pub(super) const ENDLESS: Supply = [u32::MAX; Color::COUNT];

/// What still matters below some layers, how many those are, and the node above with the layer in between.
type Node = (u128, u32, Option<(usize, usize)>);

/// Cells in groups that are alike: sets of them are numbers.
struct Groups {
    all: u128,
    /// Groups that are not as they should be.
    wrong: u128,
    /// Groups that should have each colour.
    wanted: [u128; Color::COUNT],
    /// Groups that each layer paints.
    painted: Vec<u128>,
}

impl Groups {
    /// Cells that are, and those that should be, of these colours; `None` where there are too many kinds of them.
    fn of(now: &[Color], wanted: &[Option<Color>], layers: &[Layer]) -> Option<Groups> {
        let mut places: HashMap<(Color, Color, Vec<bool>), usize> = HashMap::new();
        for (index, (now, wanted)) in now.iter().zip(wanted).enumerate() {
            let Some(wanted) = *wanted else { continue };
            let layers = layers.iter().map(|it| it.cells[index]).collect();
            let next = places.len();
            places.entry((*now, wanted, layers)).or_insert(next);
        }
        let mut groups = Groups { all: 0, wrong: 0, wanted: [0; Color::COUNT], painted: vec![0; layers.len()] };
        if places.len() > GROUPS {
            return None;
        }
        for ((now, wanted, layers), place) in places {
            let bit = 1 << place;
            groups.all |= bit;
            groups.wrong |= if now == wanted { 0 } else { bit };
            groups.wanted[wanted.index()] |= bit;
            layers.iter().zip(&mut groups.painted).filter(|(paints, _)| **paints).for_each(|(_, set)| *set |= bit);
        }
        Some(groups)
    }

    /// At least so many layers are missing while these groups matter: one for each colour of what is wrong.
    fn missing(&self, open: u128) -> u32 {
        self.wanted.iter().filter(|wanted| *wanted & open & self.wrong != 0).count() as u32
    }

    /// What still matters below a layer, if it may lie on top.
    fn below(&self, open: u128, layer: usize, color: Color) -> Option<u128> {
        let shown = self.painted[layer] & open;
        (shown != 0 && shown & !self.wanted[color.index()] == 0).then_some(open & !shown)
    }
}

/// The fewest layers that turn what is painted into what is wanted where anything is, by their indices, in the order in
/// which to paint them, no more of any colour than there are.
pub(super) fn order(now: &[Color], wanted: &[Option<Color>], layers: &[Layer], supply: &Supply) -> Option<Vec<usize>> {
    let groups = Groups::of(now, wanted, layers)?;
    let mut nodes: Vec<Node> = vec![(groups.all, 0, None)];
    let mut open = BinaryHeap::from([Reverse((groups.missing(groups.all), 0, 0))]);
    let mut known = HashSet::from([(groups.all, 0)]);
    let is_scarce = supply.iter().any(|it| *it != u32::MAX);
    while let Some(Reverse((_, _, node))) = open.pop().filter(|_| nodes.len() < MOST) {
        let (matters, depth, _) = nodes[node];
        if matters & groups.wrong == 0 {
            return Some(unwind(&nodes, node));
        }
        let used = if is_scarce { used(&nodes, node, layers) } else { [0; Color::COUNT] };
        for (index, layer) in layers.iter().enumerate() {
            let color = layer.color.index();
            let Some(below) = groups.below(matters, index, layer.color).filter(|_| used[color] < supply[color]) else {
                continue;
            };
            let spent = (0..Color::COUNT).map(|it| used[it] + u32::from(it == color && is_scarce));
            if !known.insert((below, spent.fold(0, |sum, it| sum << 4 | u64::from(it.min(15))))) {
                continue;
            }
            let missing = groups.missing(below);
            open.push(Reverse((depth + 1 + missing, missing, nodes.len())));
            nodes.push((below, depth + 1, Some((node, index))));
        }
    }
    None
}

/// How many layers of each colour lie above a node.
fn used(nodes: &[Node], node: usize, layers: &[Layer]) -> Supply {
    let mut used = [0; Color::COUNT];
    for it in unwind(nodes, node) {
        used[layers[it].color.index()] += 1;
    }
    used
}

/// The layers of an order, each of which may as well be painted first.
pub(super) fn first(order: &[usize], now: &[Color], layers: &[Layer]) -> Vec<usize> {
    let paint = |order: &mut dyn Iterator<Item = usize>| {
        let mut canvas = now.to_vec();
        for layer in order.map(|it| &layers[it]) {
            let cells = canvas.iter_mut().zip(&layer.cells).filter(|(_, paints)| **paints);
            cells.for_each(|(cell, _)| *cell = layer.color);
        }
        canvas
    };
    let whole = paint(&mut order.iter().copied());
    let is_free = |at: &usize| {
        let others = order.iter().enumerate().filter(|(other, _)| other != at).map(|(_, layer)| *layer);
        paint(&mut std::iter::once(order[*at]).chain(others)) == whole
    };
    (0..order.len()).filter(is_free).map(|at| order[at]).collect()
}

/// The layers from the lowest one, which was taken off last.
fn unwind(nodes: &[Node], mut node: usize) -> Vec<usize> {
    let mut order = Vec::new();
    while let Some((parent, layer)) = nodes[node].2 {
        order.push(layer);
        node = parent;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(text: &str) -> Vec<Color> {
        text.bytes().map(|it| Color::of(it - b'0')).collect()
    }

    fn wanted(text: &str) -> Vec<Option<Color>> {
        text.bytes().map(|it| (it != b'.').then(|| Color::of(it - b'0'))).collect()
    }

    fn layer(cells: &str, color: u8) -> Layer {
        Layer { cells: cells.bytes().map(|it| it == b'x').collect(), color: Color::of(color) }
    }

    #[test]
    fn what_covers_is_painted_last() {
        let layers = [layer("xx..", 1), layer(".xx.", 2), layer("..xx", 1), layer("xxx.", 3)];
        let found = order(&colors("0000"), &wanted("3221"), &layers, &ENDLESS).unwrap();
        let mut canvas = colors("0000");
        for it in &found {
            let cells = layers[*it].cells.iter().enumerate().filter(|(_, paints)| **paints);
            cells.for_each(|(index, _)| canvas[index] = layers[*it].color);
        }
        assert_eq!((canvas, found.len()), (colors("3221"), 3));
    }

    #[test]
    fn what_nothing_covers_in_between_may_come_first() {
        let layers = [layer("xx..", 1), layer(".x..", 2), layer("...x", 1)];
        assert_eq!(first(&[0, 1, 2], &colors("0000"), &layers), [0, 2]);
    }

    #[test]
    fn what_is_right_already_may_have_to_be_painted_again() {
        let layers = [layer("xxx", 1), layer("..x", 2)];
        assert_eq!(order(&colors("002"), &wanted("112"), &layers, &ENDLESS), Some(vec![0, 1]));
        assert_eq!(order(&colors("112"), &wanted("112"), &layers, &ENDLESS), Some(vec![]));
        assert_eq!(order(&colors("000"), &wanted("112"), &layers[..1], &ENDLESS), None);
        assert_eq!(
            order(&colors("000"), &wanted("11."), &layers[..1], &ENDLESS),
            Some(vec![0]),
            "whatever the last one is"
        );
    }

    #[test]
    fn where_a_color_runs_out_one_stroke_has_to_do() {
        let layers = [layer("xx..", 1), layer("..xx", 1), layer("xxxx", 1), layer(".x..", 2)];
        let strokes = |ones| {
            let supply = std::array::from_fn(|it| if it == 1 { ones } else { u32::MAX });
            order(&colors("0000"), &wanted("1211"), &layers, &supply)
        };
        assert_eq!(strokes(1), Some(vec![2, 3]));
        assert_eq!(strokes(0), None);
    }
}
