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

/// A stroke that may be made: what each cell of the canvas becomes by it, if it is painted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::policy::plan) struct Layer(pub(in crate::policy::plan) Vec<Option<Color>>);

impl Layer {
    /// A stroke in one colour over these cells.
    pub(super) fn plain(cells: &[bool], color: Color) -> Layer {
        Layer(cells.iter().map(|paints| paints.then_some(color)).collect())
    }

    /// Its colours, a set of indices.
    fn colors(&self) -> u16 {
        self.0.iter().flatten().fold(0, |set, it| set | 1 << it.index())
    }
}

/// How many strokes of each colour can be made.
pub(in crate::policy::plan) type Supply = [u32; Color::COUNT];
/// Where nothing is known to run out.
pub(in crate::policy::plan) const ENDLESS: Supply = [u32::MAX; Color::COUNT];

/// What still matters below some layers, how many those are, and the node above with the layer in between.
type Node = (u128, u32, Option<(usize, usize)>);

/// Cells in groups that are alike: sets of them are numbers.
struct Groups {
    all: u128,
    /// Groups that are not as they should be.
    wrong: u128,
    /// Groups that should have each colour.
    wanted: [u128; Color::COUNT],
    /// Groups that each layer paints, and those of them that get the colour they should have.
    painted: Vec<u128>,
    right: Vec<u128>,
    /// The most groups of each colour that one layer gets right.
    most: [u32; Color::COUNT],
    /// Whether every layer has one colour.
    is_plain: bool,
}

impl Groups {
    /// Cells that are, and those that should be, of these colours; `None` where there are too many kinds of them.
    fn of(now: &[Color], wanted: &[Option<Color>], layers: &[Layer]) -> Option<Groups> {
        let mut places: HashMap<(Color, Color, Vec<Option<Color>>), usize> = HashMap::new();
        for (index, (now, wanted)) in now.iter().zip(wanted).enumerate() {
            let Some(wanted) = *wanted else { continue };
            let layers = layers.iter().map(|it| it.0[index]).collect();
            let next = places.len();
            places.entry((*now, wanted, layers)).or_insert(next);
        }
        let is_plain = layers.iter().all(|it| it.colors().count_ones() < 2);
        let (none, sets) = ([0; Color::COUNT], vec![0; layers.len()]);
        let mut groups = Groups {
            all: 0,
            wrong: 0,
            wanted: none,
            painted: sets.clone(),
            right: sets,
            most: [0; Color::COUNT],
            is_plain,
        };
        if places.len() > GROUPS {
            return None;
        }
        for ((now, wanted, layers), place) in places {
            groups.add(now, wanted, &layers, 1 << place);
        }
        groups.most = groups.wanted.map(|wanted| {
            let most = groups.right.iter().map(|right| (right & wanted).count_ones()).max();
            most.unwrap_or_default().max(1)
        });
        Some(groups)
    }

    /// Adds a group, which has this bit.
    fn add(&mut self, now: Color, wanted: Color, layers: &[Option<Color>], bit: u128) {
        self.all |= bit;
        self.wrong |= if now == wanted { 0 } else { bit };
        self.wanted[wanted.index()] |= bit;
        for (index, color) in layers.iter().enumerate() {
            self.painted[index] |= color.map_or(0, |_| bit);
            self.right[index] |= color.filter(|it| *it == wanted).map_or(0, |_| bit);
        }
    }

    /// At least so many layers are missing while these groups matter: for each colour of what is wrong as many as one layer
    /// after another would take; where one may have several colours, for the colour that needs most.
    fn missing(&self, open: u128) -> u32 {
        let wrong = |wanted: u128| (wanted & open & self.wrong).count_ones();
        let needed = self.wanted.iter().zip(self.most).map(|(wanted, most)| wrong(*wanted).div_ceil(most));
        if self.is_plain { needed.sum() } else { needed.max().unwrap_or_default() }
    }

    /// What still matters below a layer, if it may lie on top.
    fn below(&self, open: u128, layer: usize) -> Option<u128> {
        let shown = self.painted[layer] & open;
        (shown != 0 && shown & !self.right[layer] == 0).then_some(open & !shown)
    }
}

/// The fewest layers that turn what is painted into what is wanted where anything is, by their indices, in the order in
/// which to paint them, no more of any colour than there are.
pub(in crate::policy::plan) fn order(
    now: &[Color],
    wanted: &[Option<Color>],
    layers: &[Layer],
    supply: &Supply,
) -> Option<Vec<usize>> {
    let groups = Groups::of(now, wanted, layers)?;
    let mut nodes: Vec<Node> = vec![(groups.all, 0, None)];
    let mut open = BinaryHeap::from([Reverse((groups.missing(groups.all), 0, 0))]);
    let mut known = HashSet::from([(groups.all, 0)]);
    let is_scarce = supply.iter().any(|it| *it != u32::MAX);
    let colors: Vec<u16> = layers.iter().map(Layer::colors).collect();
    while let Some(Reverse((_, _, node))) = open.pop().filter(|_| nodes.len() < MOST) {
        let (matters, depth, _) = nodes[node];
        if matters & groups.wrong == 0 {
            return Some(unwind(&nodes, node));
        }
        let used = if is_scarce { used(&nodes, node, &colors) } else { [0; Color::COUNT] };
        for (index, colors) in colors.iter().enumerate() {
            let takes = |it: usize| is_scarce && colors >> it & 1 == 1;
            let is_left = (0..Color::COUNT).all(|it| !takes(it) || used[it] < supply[it]);
            let Some(below) = groups.below(matters, index).filter(|_| is_left) else { continue };
            let spent = (0..Color::COUNT).map(|it| used[it] + u32::from(takes(it)));
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
fn used(nodes: &[Node], node: usize, colors: &[u16]) -> Supply {
    let mut used = [0; Color::COUNT];
    for layer in unwind(nodes, node) {
        used.iter_mut().enumerate().for_each(|(color, used)| *used += u32::from(colors[layer] >> color & 1));
    }
    used
}

/// The layers of an order, each of which may as well be painted first.
pub(in crate::policy::plan) fn first(order: &[usize], now: &[Color], layers: &[Layer]) -> Vec<usize> {
    let paint = |order: &mut dyn Iterator<Item = usize>| {
        let mut canvas = now.to_vec();
        for layer in order.map(|it| &layers[it]) {
            canvas.iter_mut().zip(&layer.0).for_each(|(cell, color)| *cell = color.unwrap_or(*cell));
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
        Layer::plain(&cells.bytes().map(|it| it == b'x').collect::<Vec<_>>(), Color::of(color))
    }

    #[test]
    fn what_covers_is_painted_last() {
        let layers = [layer("xx..", 1), layer(".xx.", 2), layer("..xx", 1), layer("xxx.", 3)];
        let found = order(&colors("0000"), &wanted("3221"), &layers, &ENDLESS).unwrap();
        let mut canvas = colors("0000");
        for it in &found {
            canvas.iter_mut().zip(&layers[*it].0).for_each(|(cell, color)| *cell = color.unwrap_or(*cell));
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
    fn a_stroke_may_have_several_colors() {
        let layers = [Layer(wanted("12.")), Layer(wanted(".13"))];
        assert_eq!(order(&colors("000"), &wanted("113"), &layers, &ENDLESS), Some(vec![0, 1]));
        assert_eq!(order(&colors("000"), &wanted("123"), &layers, &ENDLESS), Some(vec![1, 0]));
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
