//! The tiles that a frame is drawn of: equal squares of few kinds.
//!
//! A lattice of cells ([`super::LatticeFinder`]) asks that colours change on its lines only, so figures drawn with details
//! hide it. Tiles are found by description length: few pictures, repeated, take few bits to write down.

use env_client::{Color, Grid, Point, SIDE};
use xxhash_rust::xxh3::xxh3_64;

use super::Lattice;

/// The largest tiles looked for: four across a frame.
pub(crate) const LARGEST: u8 = SIDE / 4;

/// Bits that a cell of a kind's picture takes, written down once.
const CELL: f32 = 4.0;

/// Bits that a cell beside the tiles takes: most are empty rims.
const BESIDE: f32 = 1.0;

/// The tiles that describe a frame in the fewest bits; `None` where every cell is its own.
pub(crate) fn tiling(frame: &Grid) -> Option<Lattice> {
    let laid = lattices().map(|lattice| (bits(frame, lattice), lattice));
    let best = laid.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, lattice)| lattice);
    best.filter(|lattice| lattice.scale > 1)
}

/// Every way to lay tiles.
pub(crate) fn lattices() -> impl Iterator<Item = Lattice> {
    let starts = |scale: u8| (0..scale).flat_map(move |top| (0..scale).map(move |left| (left, top)));
    (1..=LARGEST).flat_map(move |scale| starts(scale).map(move |(left, top)| Lattice { scale, left, top }))
}

/// The whole tiles of a frame, row by row.
pub(crate) fn places(frame: &Grid, lattice: Lattice) -> impl Iterator<Item = (u8, u8)> + use<> {
    let (columns, rows) = lattice.size(frame.width(), frame.height());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// The cells of a tile, row by row.
pub(crate) fn cells(lattice: Lattice, place: (u8, u8)) -> impl Iterator<Item = Point> {
    let bounds = lattice.bounds(place);
    let row = move |y: u8| (bounds.left..=bounds.right).filter_map(move |x| Point::new(x, y).ok());
    (bounds.top..=bounds.bottom).flat_map(row)
}

/// A frame as tiles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Described {
    /// The bits it takes to write it down as pictures of its kinds, then a kind for each tile.
    pub(crate) bits: f32,
    /// How many kinds it shows.
    pub(crate) kinds: usize,
}

/// The bits it takes to write a frame down as tiles.
pub(crate) fn bits(frame: &Grid, lattice: Lattice) -> f32 {
    described(frame, lattice).bits
}

/// A frame as tiles of this lattice.
pub(crate) fn described(frame: &Grid, lattice: Lattice) -> Described {
    let scale = usize::from(lattice.scale);
    let rows: Vec<&[Color]> = frame.rows().collect();
    let mut bytes = Vec::with_capacity(scale * scale);
    let mut hashes: Vec<u64> = places(frame, lattice)
        .map(|place| {
            let bounds = lattice.bounds(place);
            bytes.clear();
            for row in &rows[usize::from(bounds.top)..=usize::from(bounds.bottom)] {
                bytes.extend(
                    row[usize::from(bounds.left)..=usize::from(bounds.right)].iter().map(|cell| u8::from(*cell)),
                );
            }
            xxh3_64(&bytes)
        })
        .collect();
    let tiles = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    let (kinds, area) = (hashes.len(), scale * scale);
    let beside = frame.cells().len() - tiles * area;
    let bits = (kinds * area) as f32 * CELL + tiles as f32 * (kinds.max(2) as f32).log2() + beside as f32 * BESIDE;
    Described { bits, kinds }
}
