//! What was seen of one world, and where the view is.

use std::{cmp::Reverse, collections::BTreeMap};

use env_client::Grid;

use super::{
    At,
    lens::{Lens, Tile},
};

/// The share of tiles that must be the same where the view is, in hundredths.
const FOUND: usize = 60;

/// Tiles by their places; the first one of the first view is at the origin.
pub(super) type Tiles = BTreeMap<At, Tile>;

/// A world larger than its view.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// The first tile in view.
    pub(super) camera: At,
    /// What was seen last of each place since the level began (again), and what was seen first in all.
    now: Tiles,
    pub(super) first: Tiles,
}

impl Chart {
    /// A chart of which this is known beforehand.
    pub(super) fn knowing(first: Tiles) -> Chart {
        Chart { first, ..Chart::default() }
    }

    /// What lies at a place, as far as is known.
    pub(super) fn at(&self, at: At) -> Option<&Tile> {
        self.now.get(&at).or_else(|| self.first.get(&at))
    }

    /// The level begins again.
    pub(super) fn restart(&mut self) {
        self.camera = (0, 0);
        self.now.clear();
    }

    /// Where the view is that shows a frame: near a camera, or else anywhere in what is known.
    pub(super) fn find(&self, lens: &Lens, frame: &Grid, near: At) -> Option<At> {
        let tiles = lens.read(frame)?;
        let around = (lens.tiles.0 / 2, lens.tiles.1 / 2);
        let local = square((near.0 - around.0, near.1 - around.1), (near.0 + around.0, near.1 + around.1));
        self.best(lens, &tiles, near, local).or_else(|| {
            let (low, high) = self.extent()?;
            self.best(lens, &tiles, near, square(low, high))
        })
    }

    fn best(&self, lens: &Lens, tiles: &[Tile], near: At, cameras: impl Iterator<Item = At>) -> Option<At> {
        let rated = cameras.filter_map(|camera| Some((self.likeness(lens, tiles, camera)?, camera)));
        let far = |at: At| (at.0 - near.0).abs() + (at.1 - near.1).abs();
        rated.max_by_key(|(same, camera)| (*same, Reverse(far(*camera)))).map(|(_, camera)| camera)
    }

    /// How many of a thousand tiles are known to lie where a camera would have them, if at least half of them are known.
    fn likeness(&self, lens: &Lens, tiles: &[Tile], camera: At) -> Option<usize> {
        let places = square((0, 0), (lens.tiles.0 - 1, lens.tiles.1 - 1));
        let known = places.zip(tiles).filter_map(|(at, tile)| Some((self.at(plus(camera, at))?, tile)));
        let (same, of) = known.fold((0, 0), |(same, of), (known, tile)| (same + usize::from(known == tile), of + 1));
        (of * 2 >= tiles.len() && same * 100 >= of * FOUND).then(|| same * 1000 / of)
    }

    /// Notes what a view shows that was never seen before.
    pub(super) fn discover(&mut self, lens: &Lens, frame: &Grid, camera: At) {
        let tiles = lens.read(frame).into_iter().flatten();
        for (at, tile) in square((0, 0), (lens.tiles.0 - 1, lens.tiles.1 - 1)).zip(tiles) {
            self.first.entry(plus(camera, at)).or_insert(tile);
        }
    }

    /// The view is here and shows this.
    pub(super) fn look(&mut self, lens: &Lens, frame: &Grid, camera: At) {
        let tiles = lens.read(frame).into_iter().flatten();
        let places = square((0, 0), (lens.tiles.0 - 1, lens.tiles.1 - 1)).map(|at| plus(camera, at));
        self.now.extend(places.zip(tiles));
        self.camera = camera;
    }

    /// The first and the last column and row of what is known.
    pub(super) fn extent(&self) -> Option<(At, At)> {
        let corner = |at: &At| (*at, *at);
        let both =
            |a: (At, At), b: (At, At)| ((a.0.0.min(b.0.0), a.0.1.min(b.0.1)), (a.1.0.max(b.1.0), a.1.1.max(b.1.1)));
        self.first.keys().map(corner).reduce(both)
    }
}

/// All places of a rectangle, both corners included, row after row.
fn square(from: At, to: At) -> impl Iterator<Item = At> {
    (from.1..=to.1).flat_map(move |y| (from.0..=to.0).map(move |x| (x, y)))
}

pub(super) fn plus(a: At, b: At) -> At {
    (a.0 + b.0, a.1 + b.1)
}
