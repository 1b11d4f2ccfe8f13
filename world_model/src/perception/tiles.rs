//! A frame as a map of tiles: games draw the same few square pictures over and over.
//!
//! A net that reads cells has to learn for every size of tile anew that a figure moves by its own size, from a canvas
//! most of which says nothing. A net that reads tiles sees it move to the next place. So a frame is cut into equal
//! squares, and each kind of square gets a number. The price: what lies beside the tiles is never foretold to change.

use std::cmp::Reverse;

use env_client::{Action, Color, Grid, Point, SIDE};

use super::{
    Lattice, TileMap,
    tiling::{Described, LARGEST, bits, cells, described, lattices, places},
};

/// Tiles of more kinds than this are laid only where no others fit: a frame that shows so many is rather drawn of larger ones,
/// each of which is one thing. (Between the garden of our titles, whose tiles are of some twenty kinds, and lamps, which are
/// seven kinds of large tiles and 31 of small ones.)
const MANY: usize = 24;

/// The number of every kind that has none of its own, as soon as a play has shown so many.
const UNNUMBERED: u8 = 200;

/// New tiles are laid when the old ones would take so many times their bits to describe the frame.
const PATIENCE: f32 = 1.25;

/// The cells of a tile, row by row.
type Picture = Vec<Color>;

/// Where the tiles of a play lie and which kinds of them there are.
#[derive(Clone, Debug)]
pub struct Tiles {
    /// Tiles across a frame that can be read.
    most: usize,
    lattice: Lattice,
    /// The picture of each kind, in the order of their numbers.
    kinds: Vec<Picture>,
}

/// Every cell its own tile.
const CELLS: Lattice = Lattice { scale: 1, left: 0, top: 0 };

impl Tiles {
    /// Cells as tiles, until the first frame of a level was seen; then at most `most` across.
    pub fn new(most: usize) -> Tiles {
        Tiles { most, lattice: CELLS, kinds: Vec::new() }
    }

    /// A level begins with this frame: where that describes it much better, the tiles are laid elsewhere, as wide rooms begin
    /// at other cells than narrow ones, or else anew, commonest kinds first. Whether the numbers of kinds mean something else
    /// from now on.
    pub fn begin(&mut self, frame: &Grid) -> bool {
        let fitting = lattices().filter(|it| self.fits(frame, *it)).map(|it| (described(frame, it), it));
        let rank = |it: &Described| (it.kinds > MANY, it.bits);
        let shortest = fitting.min_by(|a, b| {
            let (a, b) = (rank(&a.0), rank(&b.0));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let Some((least, best)) = shortest else { return false };
        let is_outgrown = self.kinds.is_empty() || self.is_outgrown(frame, self.lattice, &least);
        let elsewhere = if is_outgrown { self.elsewhere(frame, &least) } else { Some(self.lattice) };
        let lays = elsewhere.is_none();
        if lays {
            self.kinds.clear();
        }
        self.lattice = elsewhere.unwrap_or(best);
        self.meet(frame);
        lays
    }

    /// Whether tiles that lie so describe a frame much worse than others, or with kinds too many.
    fn is_outgrown(&self, frame: &Grid, lattice: Lattice, least: &Described) -> bool {
        let now = described(frame, lattice);
        let has_too_many = now.kinds > MANY && least.kinds <= MANY;
        !self.fits(frame, lattice) || has_too_many || now.bits > PATIENCE * least.bits
    }

    /// Where the same tiles lie in a frame: where it shows the fewest that are new. `None` where others describe it better.
    fn elsewhere(&self, frame: &Grid, least: &Described) -> Option<Lattice> {
        if self.kinds.is_empty() {
            return None;
        }
        let of_one_size = lattices().filter(|lattice| lattice.scale == self.lattice.scale);
        let fitting = of_one_size.filter(|lattice| !self.is_outgrown(frame, *lattice, least));
        let fresh = |lattice: Lattice| {
            let pictures = places(frame, lattice).map(|place| picture(frame, lattice, place));
            pictures.filter(|picture| self.kind(picture) == UNNUMBERED).count()
        };
        let counted = fitting.map(|lattice| (fresh(lattice), bits(frame, lattice), lattice));
        counted.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(.., lattice)| lattice)
    }

    /// No kinds yet, of the size that describes all these frames together in the fewest bits.
    pub fn of_all<'a>(frames: impl Iterator<Item = &'a Grid>) -> Tiles {
        let mut sums = [0.0; LARGEST as usize];
        for frame in frames {
            for (sum, (length, _)) in sums.iter_mut().zip(shortest(frame)) {
                *sum += length;
            }
        }
        let scales = (1..=LARGEST).zip(sums);
        let scale = scales.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(CELLS.scale, |(scale, _)| scale);
        Tiles { most: SIDE.into(), lattice: Lattice { scale, ..CELLS }, kinds: Vec::new() }
    }

    /// The same kinds laid where they describe this frame best; `None` where tiles of another size do that much better.
    pub fn over(&self, frame: &Grid) -> Option<Tiles> {
        let all = shortest(frame);
        let least = all.iter().map(|(length, _)| *length).min_by(f32::total_cmp)?;
        let (length, lattice) = all[usize::from(self.lattice.scale) - 1];
        (length <= PATIENCE * least).then(|| Tiles { lattice, ..self.clone() })
    }

    fn fits(&self, frame: &Grid, lattice: Lattice) -> bool {
        let (columns, rows) = lattice.size(frame.width(), frame.height());
        usize::from(columns.max(rows)) <= self.most && columns.min(rows) > 0
    }

    /// Gives numbers to the kinds that a frame shows for the first time, as long as there are any.
    pub fn meet(&mut self, frame: &Grid) {
        if self.lattice == CELLS {
            return;
        }
        let mut fresh: Vec<(Picture, usize)> = Vec::new();
        for picture in places(frame, self.lattice).map(|place| picture(frame, self.lattice, place)) {
            match fresh.iter_mut().find(|(seen, _)| *seen == picture) {
                Some((_, count)) => *count += 1,
                None if self.kinds.contains(&picture) => {}
                None => fresh.push((picture, 1)),
            }
        }
        fresh.sort_by_key(|(_, count)| Reverse(*count));
        let free = usize::from(UNNUMBERED) - self.kinds.len();
        self.kinds.extend(fresh.into_iter().map(|(picture, _)| picture).take(free));
    }

    /// A frame as a map of its tiles.
    pub fn map(&self, frame: &Grid) -> TileMap {
        let (columns, rows) = self.lattice.size(frame.width(), frame.height());
        if self.lattice == CELLS || columns.min(rows) == 0 {
            return TileMap::of_cells(frame);
        }
        let mut map = TileMap::filled(columns, rows, UNNUMBERED);
        let kinds = places(frame, self.lattice).map(|place| self.kind(&picture(frame, self.lattice, place)));
        map.kinds_mut().iter_mut().zip(kinds).for_each(|(tile, kind)| *tile = kind);
        map
    }

    /// A frame as a grid with a cell for each tile: fifteen kinds have a colour of their own.
    pub fn read(&self, frame: &Grid) -> Grid {
        if self.lattice == CELLS { frame.clone() } else { self.map(frame).drawn() }
    }

    fn kind(&self, picture: &[Color]) -> u8 {
        let number = self.kinds.iter().position(|kind| kind == picture);
        number.map_or(UNNUMBERED, |number| number as u8)
    }

    /// What is seen where a thing comes to stand on a tile: the picture `top` where it differs from the ground it stood
    /// on, else the picture `base`. `None` of kinds that have none.
    fn overlay(&self, [top, ground, base]: [u8; 3]) -> Option<Picture> {
        let picture = |kind: u8| self.kinds.get(usize::from(kind));
        let drawn = picture(top)?.iter().zip(picture(ground)?).zip(picture(base)?);
        Some(drawn.map(|((top, ground), base)| if top == ground { *base } else { *top }).collect())
    }

    /// The number of what is seen where the thing of the kind `top`, which stood on `ground`, comes to stand on `base`.
    pub(crate) fn overlaid(&self, kinds: [u8; 3]) -> u8 {
        self.overlay(kinds).map_or(kinds[0], |picture| self.kind(&picture))
    }

    /// Gives a number to what would be seen then, if there is one left.
    pub(crate) fn meet_overlaid(&mut self, kinds: [u8; 3]) {
        let Some(picture) = self.overlay(kinds) else { return };
        if self.kind(&picture) == UNNUMBERED && self.kinds.len() < UNNUMBERED.into() {
            self.kinds.push(picture);
        }
    }

    /// The frame with those tiles exchanged that two maps of it tell apart.
    pub fn paint(&self, frame: &Grid, map: &TileMap, next: &TileMap) -> Grid {
        if self.lattice == CELLS {
            return next.drawn();
        }
        let mut painted = frame.clone();
        for at in map.differences(next).into_iter().flatten() {
            let Some(picture) = self.kinds.get(usize::from(next.kinds()[at])) else { continue };
            let (x, y) = next.place(at);
            for (cell, color) in cells(self.lattice, (x as u8, y as u8)).zip(picture) {
                painted.set(cell, *color);
            }
        }
        painted
    }

    /// An action on the map: a click beside the tiles is one on the nearest.
    pub fn aim(&self, action: Action, map: &TileMap) -> Action {
        let Lattice { scale, left, top } = self.lattice;
        let along = |at: u8, start: u8, count: u8| (at.saturating_sub(start) / scale).min(count.saturating_sub(1));
        let aimed = action.point().and_then(|point| {
            Point::new(along(point.x(), left, map.width()), along(point.y(), top, map.height())).ok()
        });
        aimed.map_or(action, Action::Click)
    }
}

/// For each size of tiles, from 1, the way to lay them that describes a frame in the fewest bits, and how many.
fn shortest(frame: &Grid) -> Vec<(f32, Lattice)> {
    let mut best = vec![(f32::INFINITY, CELLS); LARGEST.into()];
    for it in lattices() {
        let (length, least) = (bits(frame, it), &mut best[usize::from(it.scale) - 1]);
        if length < least.0 {
            *least = (length, it);
        }
    }
    best
}

fn picture(frame: &Grid, lattice: Lattice, place: (u8, u8)) -> Picture {
    cells(lattice, place).filter_map(|cell| frame.get(cell)).collect()
}

#[cfg(test)]
mod tests {
    use env_client::Key;

    use super::*;

    /// A map with each character drawn as a picture of three cells squared, a column and two rows in from the corner.
    fn drawn(map: &str) -> Grid {
        let rows: Vec<&str> = map.lines().collect();
        let (columns, lines) = (rows[0].len(), rows.len());
        let mut frame = Grid::filled(3 * columns as u8 + 2, 3 * lines as u8 + 2, Color::ALL[0]);
        for (y, row) in rows.iter().enumerate() {
            for (x, tile) in row.chars().enumerate() {
                let picture = match tile {
                    '#' => [5; 9],
                    '@' => [1, 9, 1, 9, 9, 1, 1, 9, 2],
                    _ => [1; 9],
                };
                for (at, color) in picture.into_iter().enumerate() {
                    let (x, y) = (3 * x + at % 3 + 1, 3 * y + at / 3 + 2);
                    frame.set(Point::new(x as i64, y as i64).unwrap(), Color::ALL[color]);
                }
            }
        }
        frame
    }

    const ROOM: &str = "########\n#......#\n#.@.#..#\n#...#..#\n#......#\n########";

    fn begun(map: &str) -> Tiles {
        let mut tiles = Tiles::new(16);
        tiles.begin(&drawn(map));
        tiles
    }

    #[test]
    fn a_frame_is_read_as_the_tiles_it_is_drawn_of() {
        let tiles = begun(ROOM);
        assert_eq!(tiles.lattice, Lattice { scale: 3, left: 1, top: 2 });
        let map = tiles.read(&drawn(ROOM)).to_string();
        assert_eq!(map.trim_end(), ROOM.replace('#', "0").replace('.', "1").replace('@', "2"));
    }

    #[test]
    fn what_is_foretold_of_tiles_is_painted_in_cells() {
        let (tiles, moved) = (begun(ROOM), ROOM.replace("#.@.#", "#..@#"));
        let (before, after) = (drawn(ROOM), drawn(&moved));
        assert_eq!(tiles.paint(&before, &tiles.map(&before), &tiles.map(&after)), after);
    }

    /// Four lamps by four, each of seven pixels squared with one of three signs, bright or dark; one is missing.
    fn lamps() -> Grid {
        let bulb = |x: usize, y: usize| x < 6 && y < 6 && !(x.is_multiple_of(5) && y.is_multiple_of(5));
        let signs = [[0u8, 0, 0, 0, 0, 0], [0, 0, 12, 30, 30, 12], [0, 18, 12, 12, 18, 0]];
        let mut frame = Grid::filled(64, 64, Color::ALL[5]);
        for (x, y) in (0..56).flat_map(|y| (0..56).map(move |x| (x, y))) {
            let (lamp, left, top) = (x / 14 + y / 14 * 4, x % 14 / 2, y % 14 / 2);
            let is_sign = top < 6 && (signs[lamp * 5 % 3][top] >> left) & 1 == 1;
            if bulb(left, top) && !is_sign && lamp != 2 {
                let shine = if lamp * 7 % 5 < 2 { 11 } else { 13 };
                frame.set(Point::new((x + 4) as i64, (y + 4) as i64).unwrap(), Color::ALL[shine]);
            }
        }
        frame
    }

    #[test]
    fn tiles_of_very_many_kinds_are_not_laid_where_larger_ones_fit() {
        let mut tiles = Tiles::new(24);
        assert!(tiles.begin(&lamps()));
        assert_eq!((tiles.lattice.scale, tiles.kinds.len()), (14, 7), "a tile a lamp: three signs, two shines, a hole");
        assert!(!tiles.begin(&lamps()), "they lie already");
    }

    #[test]
    fn a_kind_never_met_has_no_number_until_it_is() {
        let mut tiles = begun(&ROOM.replace('@', "."));
        assert_eq!(tiles.read(&drawn(ROOM))[Point::new(2, 2).unwrap()], Color::ALL[15]);
        tiles.meet(&drawn(ROOM));
        assert_eq!(tiles.read(&drawn(ROOM))[Point::new(2, 2).unwrap()], Color::ALL[2]);
    }

    #[test]
    fn a_click_is_aimed_at_its_tile() {
        let (tiles, frame) = (begun(ROOM), drawn(ROOM));
        let aimed = |x: i64, y: i64| tiles.aim(Action::Click(Point::new(x, y).unwrap()), &tiles.map(&frame)).point();
        assert_eq!([aimed(0, 0), aimed(9, 9)], [Point::new(0, 0).ok(), Point::new(2, 2).ok()]);
        assert_eq!(tiles.aim(Action::Key(Key::Key1), &tiles.map(&frame)), Action::Key(Key::Key1));
    }

    #[test]
    fn tiles_that_lie_elsewhere_keep_their_numbers() {
        let (room, moved) = (drawn(ROOM), ROOM.replace("#.@.#", "#..@#"));
        let shifted = Grid::from_rows(drawn(&moved).rows().map(|row| row[1..].to_vec())).unwrap();
        let mut tiles = Tiles::of_all([&room, &shifted].into_iter()).over(&room).unwrap();
        tiles.meet(&room);
        let map = tiles.over(&shifted).unwrap().read(&shifted).to_string();
        assert_eq!(map.trim_end(), moved.replace('#', "0").replace('.', "1").replace('@', "2"));
        let halves =
            Grid::from_rows(room.rows().step_by(2).map(|row| row.iter().step_by(2).copied().collect::<Vec<_>>()));
        assert!(tiles.over(&halves.unwrap()).is_none(), "at another scale it is drawn of other tiles");
    }

    #[test]
    fn the_next_level_keeps_the_tiles_unless_it_is_drawn_otherwise() {
        let mut tiles = begun(ROOM);
        tiles.begin(&drawn(&ROOM.replace("#......#", "#.....##")));
        assert_eq!((tiles.lattice.scale, tiles.kinds.len()), (3, 3));
        let shifted = Grid::from_rows(drawn(ROOM).rows().map(|row| row[1..].to_vec())).unwrap();
        assert!(!tiles.begin(&shifted));
        assert_eq!(tiles.lattice, Lattice { scale: 3, left: 0, top: 2 });
        let map = tiles.read(&shifted).to_string();
        assert_eq!(map.trim_end(), ROOM.replace('#', "0").replace('.', "1").replace('@', "2"), "and their numbers");
        assert!(tiles.begin(&lamps()), "that is drawn of others");
    }
}
