//! Where the tiles of a level lie.

use std::collections::HashSet;

use env_client::{Color, Grid, Point};

use super::{
    tile::{Stencil, Tile},
    turn::Turn,
};

/// Tiles as far apart as this, in halves of their side, at most. A guess.
const FARTHEST: u8 = 3;
/// Other scales of the same tiles are as many times as large, or as many, or a ratio of such. A guess.
const SCALES: u8 = 4;
/// Cells from tile to tile at another scale.
const SMALLEST: u8 = 4;
const LARGEST: u8 = 24;

/// What it takes to name a colour.
const COLOR_BITS: f32 = 4.0;

/// Of so many tiles on which anything is drawn one has a form that is known from other levels. A guess.
const KNOWN: usize = 5;

/// Equal square tiles at equal distances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    left: u8,
    top: u8,
    /// Cells along a tile, and from one to the next.
    side: u8,
    pitch: u8,
    columns: u8,
    rows: u8,
    /// What most tiles lie on, once these are known to be the tiles.
    ground: Option<Color>,
}

impl Wall {
    /// All tiles that fit in a frame, if one of them begins at a point.
    fn through(frame: &Grid, (left, top): (u8, u8), side: u8, pitch: u8) -> Wall {
        let count = |start: u8, length: u8| (length - start).checked_sub(side).map_or(0, |rest| rest / pitch + 1);
        let (left, top) = (left % pitch, top % pitch);
        Wall {
            left,
            top,
            side,
            pitch,
            columns: count(left, frame.width()),
            rows: count(top, frame.height()),
            ground: None,
        }
    }

    /// The tiles one of which turned: of all that may be, at any distance, those that take the fewest bits to write down,
    /// however each is turned.
    pub(super) fn around(frame: &Grid, turns: &[Turn]) -> Option<Wall> {
        let walls = turns.iter().flat_map(|turn| {
            let pitches = turn.side..=(turn.side * FARTHEST / 2 + 1);
            pitches.map(|pitch| Wall::through(frame, (turn.left, turn.top), turn.side, pitch))
        });
        let edges = Edges::of(frame);
        let rated = walls.map(|wall| (wall.bits(frame, &edges), wall));
        rated.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, wall)| wall.grounded(frame))
    }

    /// Tiles like these in another level, at the same scale or another one: those that take the fewest bits of all on which
    /// known forms are drawn.
    pub(super) fn like(&self, frame: &Grid, forms: &HashSet<u64>) -> Option<Wall> {
        let is_multiple = |pitch: &u8| (1..=SCALES).any(|a| (1..=SCALES).any(|b| a * self.pitch == b * *pitch));
        let sizes = (SMALLEST..=LARGEST).filter(is_multiple).filter_map(|pitch| {
            let side = u16::from(pitch) * u16::from(self.side);
            let side = side.is_multiple_of(u16::from(self.pitch)).then(|| side / u16::from(self.pitch))?;
            Some((side as u8, pitch))
        });
        let walls = sizes.flat_map(|(side, pitch)| {
            let starts = (0..pitch).flat_map(move |top| (0..pitch).map(move |left| (left, top)));
            starts.map(move |start| Wall::through(frame, start, side, pitch))
        });
        let edges = Edges::of(frame);
        let rated = walls.filter(|it| it.is_known(frame, forms)).map(|it| (it.bits(frame, &edges), it));
        rated.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, wall)| wall.grounded(frame))
    }

    /// The same, with what most of its tiles lie on.
    fn grounded(self, frame: &Grid) -> Wall {
        let mut counts = [0u16; Color::COUNT];
        let tiles = (0..self.len()).filter_map(|index| self.tile(frame, index));
        tiles.filter(|it| !it.stencil.parts().is_empty()).for_each(|it| counts[it.ground.index()] += 1);
        let ground = Color::ALL.into_iter().max_by_key(|color| counts[color.index()]);
        Wall { ground, ..self }
    }

    /// Whether enough of its tiles on which anything is drawn have known forms.
    fn is_known(&self, frame: &Grid, forms: &HashSet<u64>) -> bool {
        let tiles = (0..self.len()).filter_map(|index| self.tile(frame, index));
        let drawn: Vec<Stencil> = tiles.map(|it| it.stencil).filter(|it| !it.parts().is_empty()).collect();
        let known = drawn.iter().filter(|it| forms.contains(&it.form())).count();
        known > 0 && KNOWN * known >= drawn.len()
    }

    /// The bits that a frame takes as forms of tiles, and what lies beside them.
    fn bits(&self, frame: &Grid, edges: &Edges) -> f32 {
        let forms = self.forms(frame);
        let kinds = forms.iter().collect::<HashSet<_>>().len();
        let area = usize::from(self.side) * usize::from(self.side);
        (kinds * area) as f32 + forms.len() as f32 * (kinds.max(2) as f32).log2() + self.bits_beside(edges)
    }

    /// The bits that what lies beside the tiles takes, where most cells look like one before them.
    fn bits_beside(&self, edges: &Edges) -> f32 {
        let tiles = (0..self.len()).map(|index| edges.within(self.corner(index), self.side));
        let [cells, new, choices] = tiles.fold(edges.all(), |left, tile| [0, 1, 2].map(|it| left[it] - tile[it]));
        let (new, cells) = (new as f32, cells.max(1) as f32);
        let entropy = |part: f32| if part == 0.0 { 0.0 } else { part * (cells / part).log2() };
        entropy(new) + entropy(cells - new) + COLOR_BITS * new + choices as f32
    }

    /// The forms of all tiles.
    pub(super) fn forms(&self, frame: &Grid) -> Vec<u64> {
        (0..self.len()).filter_map(|index| Some(self.tile(frame, index)?.stencil.form())).collect()
    }

    /// How many tiles there are, row after row.
    pub fn len(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Cells from one tile to the next, and along one.
    pub fn size(&self) -> (u8, u8) {
        (self.pitch, self.side)
    }

    fn corner(&self, index: usize) -> (u8, u8) {
        let (column, row) = ((index % usize::from(self.columns)) as u8, (index / usize::from(self.columns)) as u8);
        (self.left + column * self.pitch, self.top + row * self.pitch)
    }

    /// A tile as a frame shows it.
    pub fn tile(&self, frame: &Grid, index: usize) -> Option<Tile> {
        Tile::read(frame, self.corner(index), self.side, self.ground)
    }

    /// The tile that a point lies on.
    pub fn at(&self, point: Point) -> Option<usize> {
        let along = |at: u8, start: u8, count: u8| {
            let at = at.checked_sub(start)?;
            (at / self.pitch < count && at % self.pitch < self.side).then_some(usize::from(at / self.pitch))
        };
        let (column, row) = (along(point.x(), self.left, self.columns)?, along(point.y(), self.top, self.rows)?);
        Some(row * usize::from(self.columns) + column)
    }

    /// Where to click a tile.
    pub fn middle(&self, index: usize) -> Point {
        let (left, top) = self.corner(index);
        Point::new(left + self.side / 2, top + self.side / 2).unwrap_or_default()
    }

    /// The tile beyond one of the four sides, clockwise from the upper one.
    pub fn beyond(&self, index: usize, side: usize) -> Option<usize> {
        let columns = usize::from(self.columns);
        match side {
            0 => index.checked_sub(columns),
            1 => (index % columns + 1 < columns).then_some(index + 1),
            2 => Some(index + columns).filter(|it| *it < self.len()),
            _ => (!index.is_multiple_of(columns)).then(|| index - 1),
        }
    }

    /// The frame with a tile turned clockwise by so many quarters.
    pub fn turn(&self, frame: &Grid, index: usize, quarters: usize) -> Grid {
        let ((left, top), last) = (self.corner(index), self.side - 1);
        let mut turned = frame.clone();
        for (x, y) in (0..self.side).flat_map(|y| (0..self.side).map(move |x| (x, y))) {
            let (to_x, to_y) = (0..quarters % 4).fold((x, y), |(x, y), _| (last - y, x));
            let points = [(x, y), (to_x, to_y)].map(|(x, y)| Point::new(left + x, top + y));
            if let [Ok(from), Ok(to)] = points
                && let Some(color) = frame.get(from)
            {
                turned.set(to, color);
            }
        }
        turned
    }
}

/// Counts of the cells left of and above each corner of a frame: all of them, those that look like neither the left nor the
/// upper cell beside them, and those beside which these two differ.
struct Edges {
    width: usize,
    sums: Vec<[u32; 3]>,
}

impl Edges {
    fn of(frame: &Grid) -> Edges {
        let width = usize::from(frame.width()) + 1;
        let mut sums = vec![[0; 3]; width * (usize::from(frame.height()) + 1)];
        for at in frame.points() {
            let [left, upper] = [(-1, 0), (0, -1)].map(|(dx, dy)| frame.get(at.offset(dx, dy)?));
            let color = frame.get(at);
            let own = [1, u32::from(left != color && upper != color), u32::from(left != upper)];
            let corner = usize::from(at.y()) * width + usize::from(at.x());
            let [before, right, below] = [corner, corner + 1, corner + width].map(|it| sums[it]);
            sums[corner + width + 1] = [0, 1, 2].map(|it| own[it] + right[it] + below[it] - before[it]);
        }
        Edges { width, sums }
    }

    fn all(&self) -> [u32; 3] {
        self.sums.last().copied().unwrap_or_default()
    }

    /// The counts of a square.
    fn within(&self, (left, top): (u8, u8), side: u8) -> [u32; 3] {
        let at = |x: u8, y: u8| self.sums[usize::from(y) * self.width + usize::from(x)];
        let corners = [at(left, top), at(left + side, top), at(left, top + side), at(left + side, top + side)];
        [0, 1, 2].map(|it| corners[3][it] + corners[0][it] - corners[1][it] - corners[2][it])
    }
}
