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
}

impl Wall {
    /// All tiles that fit in a frame, if one of them begins at a point.
    fn through(frame: &Grid, (left, top): (u8, u8), side: u8, pitch: u8) -> Wall {
        let count = |start: u8, length: u8| (length - start).checked_sub(side).map_or(0, |rest| rest / pitch + 1);
        let (left, top) = (left % pitch, top % pitch);
        Wall { left, top, side, pitch, columns: count(left, frame.width()), rows: count(top, frame.height()) }
    }

    /// The tiles one of which turned: of all that may be, at any distance, those that take the fewest bits to write down,
    /// however each is turned.
    pub(super) fn around(frame: &Grid, turns: &[Turn]) -> Option<Wall> {
        let walls = turns.iter().flat_map(|turn| {
            let pitches = turn.side..=(turn.side * FARTHEST / 2 + 1);
            pitches.map(|pitch| Wall::through(frame, (turn.left, turn.top), turn.side, pitch))
        });
        let rated = walls.map(|wall| (wall.bits(frame), wall));
        rated.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, wall)| wall)
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
        let rated = walls.filter(|it| it.is_known(frame, forms)).map(|it| (it.bits(frame), it));
        rated.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, wall)| wall)
    }

    /// Whether enough of its tiles on which anything is drawn have known forms.
    fn is_known(&self, frame: &Grid, forms: &HashSet<u64>) -> bool {
        let tiles = (0..self.len()).filter_map(|index| self.tile(frame, index));
        let drawn: Vec<Stencil> = tiles.map(|it| it.stencil).filter(|it| !it.parts().is_empty()).collect();
        let known = drawn.iter().filter(|it| forms.contains(&it.form())).count();
        known > 0 && KNOWN * known >= drawn.len()
    }

    /// The bits that a frame takes as forms of tiles, and colours beside them.
    fn bits(&self, frame: &Grid) -> f32 {
        let forms = self.forms(frame);
        let kinds = forms.iter().collect::<HashSet<_>>().len();
        let area = usize::from(self.side) * usize::from(self.side);
        let mut beside = [0f32; Color::COUNT];
        let points = frame.points().filter(|at| self.at(*at).is_none());
        points.filter_map(|at| frame.get(at)).for_each(|color| beside[color.index()] += 1.0);
        let all: f32 = beside.iter().sum();
        let spent = beside.iter().filter(|count| **count > 0.0).map(|count| count * (all / count).log2());
        (kinds * area) as f32 + forms.len() as f32 * (kinds.max(2) as f32).log2() + spent.sum::<f32>()
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
        let (left, top) = self.corner(index);
        Tile::read(frame, left, top, self.side)
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
