//! Pictures by number, and lattices on which few of them change.

use std::ops::RangeInclusive;

use env_client::{Color, Grid, Point, SIDE};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{BARE, Kind, Press};
use crate::{
    InterfaceMask,
    perception::{
        Lattice,
        tiling::{cells, places},
    },
};

/// Cells along the side of a seat: at least three seats across a frame.
const SCALES: RangeInclusive<u8> = 3..=SIDE / 3;
/// Presses by which lattices are told apart, pictures that change in them at most, and lattices of one scale that are
/// looked at. Guesses.
const FEW: usize = 4;
const KINDS: usize = 16;
const BEST: usize = 3;
/// A lattice has at most one in so many of all cells that change beside its outermost lines. A guess.
const BESIDE: usize = 4;

/// The cells of a seat, row by row.
pub(super) type Picture = Vec<Color>;

/// Numbers for pictures, from 1 on.
#[derive(Clone, Debug, Default)]
pub(super) struct Faces {
    pictures: Vec<Picture>,
    numbers: FxHashMap<Picture, Kind>,
}

impl Faces {
    fn number(&mut self, picture: Picture) -> Kind {
        if let Some(known) = self.numbers.get(&picture) {
            return *known;
        }
        self.pictures.push(picture.clone());
        let kind = self.pictures.len() as Kind;
        self.numbers.insert(picture, kind);
        kind
    }

    /// The number of every place of a lattice; new pictures get one.
    pub(super) fn meet(&mut self, frame: &Grid, lattice: Lattice) -> Vec<Kind> {
        places(frame, lattice).map(|place| self.number(picture(frame, lattice, place))).collect()
    }

    /// The same without new numbers; `None` where one would be needed.
    pub(super) fn read(&self, frame: &Grid, lattice: Lattice) -> Vec<Option<Kind>> {
        places(frame, lattice).map(|place| self.numbers.get(&picture(frame, lattice, place)).copied()).collect()
    }

    pub(super) fn picture(&self, kind: Kind) -> Option<&Picture> {
        self.pictures.get(usize::from(kind).checked_sub(1)?)
    }

    /// What is seen where a tile stands on another ground than the plain one.
    pub(super) fn over(&self, [tile, plain, ground]: [Kind; 3]) -> Option<Picture> {
        let drawn = self.picture(tile)?.iter().zip(self.picture(plain)?).zip(self.picture(ground)?);
        Some(drawn.map(|((tile, plain), ground)| if tile == plain { *ground } else { *tile }).collect())
    }

    /// The number of what is seen then, if it was ever seen.
    pub(super) fn kind_over(&self, kinds: [Kind; 3]) -> Option<Kind> {
        self.numbers.get(&self.over(kinds)?).copied()
    }

    /// Whether a picture shows a colour where it is unlike the plain ground.
    pub(super) fn shows(&self, kind: Kind, plain: Kind, color: Color) -> bool {
        let drawn = self.picture(kind).zip(self.picture(plain));
        drawn.is_some_and(|(a, b)| a.iter().zip(b).any(|(a, b)| a != b && *a == color))
    }

    /// The commonest colour of a picture where it is unlike the plain ground.
    pub(super) fn color(&self, kind: Kind, plain: Kind) -> Option<Color> {
        let unlike = self.picture(kind)?.iter().zip(self.picture(plain)?).filter(|(a, b)| a != b);
        let mut counts = [0usize; Color::COUNT];
        unlike.for_each(|(color, _)| counts[color.index()] += 1);
        let most = (0..Color::COUNT).max_by_key(|index| counts[*index]).filter(|index| counts[*index] > 0)?;
        Some(Color::ALL[most])
    }
}

fn picture(frame: &Grid, lattice: Lattice, place: (u8, u8)) -> Picture {
    cells(lattice, place).filter_map(|cell| frame.get(cell)).collect()
}

/// Sums over a frame that tell equal squares in it, wherever they lie.
struct Sums {
    width: usize,
    table: Vec<u64>,
}

/// Odd numbers without a pattern: the weight of a cell doubles as the power of each of its coordinates.
const ACROSS: u64 = 0x9e37_79b9_7f4a_7c15;
const DOWN: u64 = 0xc2b2_ae3d_27d4_eb4f;

impl Sums {
    fn of(frame: &Grid, mask: &InterfaceMask) -> Sums {
        let (width, height) = (usize::from(frame.width()) + 1, usize::from(frame.height()) + 1);
        let mut table = vec![0u64; width * height];
        let mut down = 1u64;
        for y in 1..height {
            let (mut weight, mut row) = (down, 0u64);
            for x in 1..width {
                let at = Point::new(x as i64 - 1, y as i64 - 1).ok().filter(|at| !mask.hides(*at));
                let color = at.and_then(|at| frame.get(at)).map_or(0, |it| it.index() as u64 + 1);
                row = row.wrapping_add(color.wrapping_mul(weight));
                table[y * width + x] = table[(y - 1) * width + x].wrapping_add(row);
                weight = weight.wrapping_mul(ACROSS);
            }
            down = down.wrapping_mul(DOWN);
        }
        Sums { width, table }
    }

    fn square(&self, left: usize, top: usize, side: usize, powers: &[[u64; SIDE as usize + 1]; 2]) -> u64 {
        let at = |x: usize, y: usize| self.table[y * self.width + x];
        let (right, bottom) = (left + side, top + side);
        let sum = at(right, bottom).wrapping_sub(at(left, bottom)).wrapping_sub(at(right, top));
        let shift = powers[0][usize::from(SIDE) - left].wrapping_mul(powers[1][usize::from(SIDE) - top]);
        sum.wrapping_add(at(left, top)).wrapping_mul(shift)
    }
}

/// The lattices on which the fewest different pictures change, the largest first.
pub(super) fn lattices<'a>(presses: impl Iterator<Item = &'a Press>, mask: &InterfaceMask) -> Vec<Lattice> {
    let presses: Vec<&Press> = presses.filter(|it| it.before != it.after).take(FEW).collect();
    let Some(size) = presses.first().map(|it| (it.before.width(), it.before.height())) else { return Vec::new() };
    let sums: Vec<[Sums; 2]> =
        presses.iter().map(|it| [&it.before, &it.after].map(|frame| Sums::of(frame, mask))).collect();
    let changed = presses.iter().flat_map(|it| it.before.differences(&it.after).into_iter().flatten());
    let changed = Spread::of(changed.filter(|at| !mask.hides(*at)));
    let powers = [ACROSS, DOWN].map(|base| {
        let mut powers = [1u64; SIDE as usize + 1];
        (1..powers.len()).for_each(|at| powers[at] = powers[at - 1].wrapping_mul(base));
        powers
    });
    let scales = SCALES.rev().flat_map(|scale| {
        let starts = (0..scale).flat_map(|top| (0..scale).map(move |left| Lattice { scale, left, top }));
        let covering = starts.filter(|it| covers(*it, size, &changed));
        let counted = covering.filter_map(|it| Some((changing(it, size, &sums, &powers)?, it)));
        let mut counted: Vec<((usize, usize), Lattice)> = counted.collect();
        counted.sort_by_key(|it| it.0);
        counted.truncate(BEST);
        counted
    });
    scales.map(|it| it.1).collect()
}

/// How many cells lie before each column, and before each row.
struct Spread([[usize; SIDE as usize + 1]; 2]);

impl Spread {
    fn of(cells: impl Iterator<Item = Point>) -> Spread {
        let mut counts = [[0; SIDE as usize + 1]; 2];
        for at in cells {
            counts[0][usize::from(at.x()) + 1] += 1;
            counts[1][usize::from(at.y()) + 1] += 1;
        }
        for count in &mut counts {
            (1..count.len()).for_each(|at| count[at] += count[at - 1]);
        }
        Spread(counts)
    }

    fn outside(&self, axis: usize, start: u8, end: u8) -> usize {
        let before = &self.0[axis];
        before[usize::from(start)] + before[usize::from(SIDE)] - before[usize::from(end)]
    }
}

/// Whether nearly all of these cells lie within the outermost lines of a lattice.
fn covers(lattice: Lattice, (width, height): (u8, u8), changed: &Spread) -> bool {
    let (columns, rows) = lattice.size(width, height);
    let beside = changed.outside(0, lattice.left, lattice.left + columns * lattice.scale)
        + changed.outside(1, lattice.top, lattice.top + rows * lattice.scale);
    columns > 1 && rows > 1 && beside * BESIDE <= changed.0[0][usize::from(SIDE)]
}

/// How many different pictures change on a lattice, and how many there are at first; `None` where too many change.
fn changing(
    lattice: Lattice,
    (width, height): (u8, u8),
    sums: &[[Sums; 2]],
    powers: &[[u64; SIDE as usize + 1]; 2],
) -> Option<(usize, usize)> {
    let (columns, rows) = lattice.size(width, height);
    let scale = usize::from(lattice.scale);
    let (mut kinds, mut all) = (FxHashSet::default(), FxHashSet::default());
    for (index, [before, after]) in sums.iter().enumerate() {
        for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
            let left = usize::from(lattice.left) + usize::from(column) * scale;
            let top = usize::from(lattice.top) + usize::from(row) * scale;
            let [old, new] = [before, after].map(|it| it.square(left, top, scale, powers));
            if old != new {
                kinds.extend([old, new]);
            }
            if index == 0 {
                all.insert(old);
            }
        }
        if kinds.len() > KINDS {
            return None;
        }
    }
    Some((kinds.len(), all.len()))
}

/// Pictures that change most often in these maps of a lattice, the commonest first.
pub(super) fn commonest<'a>(maps: impl Iterator<Item = [&'a [Kind]; 2]>) -> Vec<Kind> {
    let mut counts: Vec<usize> = Vec::new();
    for [before, after] in maps {
        for kind in before.iter().zip(after).filter(|(a, b)| a != b).flat_map(|(a, b)| [*a, *b]) {
            let index = usize::from(kind);
            counts.resize(counts.len().max(index + 1), 0);
            counts[index] += 1;
        }
    }
    let mut kinds: Vec<Kind> = (BARE + 1..counts.len() as Kind).filter(|it| counts[usize::from(*it)] > 0).collect();
    kinds.sort_by_key(|it| usize::MAX - counts[usize::from(*it)]);
    kinds
}
