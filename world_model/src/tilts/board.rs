//! The seats of a level, and what stands on them.

use std::collections::{BTreeMap, VecDeque};

use env_client::{Grid, Point};

use super::{BARE, Kind, Stand, WALL, faces::Faces, law::Way};
use crate::{
    Bounds,
    perception::{Lattice, tiling::cells},
};

/// Which way tiles may go.
pub(super) const WAYS: [Way; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// What a picture is, if it is no fixed thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A seat on which nothing stands.
    Ground,
    Tile,
}

pub(super) type Roles = BTreeMap<Kind, Role>;

/// The seats of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) lattice: Lattice,
    /// How most seats look while nothing stands on them.
    pub(super) plain: Kind,
    /// The places of the lattice that it takes, row by row, and how each looks while nothing stands there.
    places: Vec<(u8, u8)>,
    ground: Vec<Kind>,
    /// For each way the seats in line, the foremost one first.
    lines: Vec<(Way, Vec<Vec<usize>>)>,
    /// Places in a row of the whole lattice.
    columns: usize,
}

impl Board {
    /// The board of what hangs together and is the liveliest. For each place of the lattice there is its ground, if it may be a
    /// seat, and whether it changes or has a tile.
    pub(super) fn lay(lattice: Lattice, plain: Kind, columns: usize, all: &[(Option<Kind>, bool)]) -> Option<Board> {
        let part = largest_part(columns, all);
        let bounds = part.iter().map(|it| {
            let (x, y) = ((it % columns) as u8, (it / columns) as u8);
            Bounds { left: x, top: y, right: x, bottom: y }
        });
        let Bounds { left, top, right, bottom } = bounds.reduce(Bounds::union)?;
        let places: Vec<(u8, u8)> = (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y))).collect();
        let ground = places.iter().map(|(x, y)| {
            let at = usize::from(*y) * columns + usize::from(*x);
            all[at].0.filter(|_| part.contains(&at)).unwrap_or(WALL)
        });
        let ground = ground.collect();
        let size = (usize::from(right - left) + 1, usize::from(bottom - top) + 1);
        let lines = WAYS.into_iter().map(|way| (way, lines(size, way))).collect();
        Some(Board { lattice, plain, places, ground, lines, columns })
    }

    /// The lines of seats along a way, the foremost one of each first.
    pub(super) fn lines(&self, way: Way) -> &[Vec<usize>] {
        self.lines.iter().find(|it| it.0 == way).map_or(&[], |it| &it.1)
    }

    /// What stands on the seats, by the pictures of the whole lattice.
    pub(super) fn read(&self, map: &[Kind], faces: &Faces, roles: &Roles) -> Stand {
        let seats = self.places.iter().zip(&self.ground);
        let kinds = seats.map(|((x, y), ground)| {
            let kind = map.get(usize::from(*y) * self.columns + usize::from(*x)).copied().unwrap_or(WALL);
            match roles.get(&kind) {
                _ if *ground == WALL => WALL,
                Some(Role::Ground) => BARE,
                Some(Role::Tile) => kind,
                None => self.tile_over(kind, *ground, faces, roles).unwrap_or(kind),
            }
        });
        kinds.collect()
    }

    /// The tile that looks so on an odd ground.
    fn tile_over(&self, seen: Kind, ground: Kind, faces: &Faces, roles: &Roles) -> Option<Kind> {
        let mut tiles = roles.iter().filter(|it| *it.1 == Role::Tile && ground != self.plain).map(|it| *it.0);
        tiles.find(|tile| faces.kind_over([*tile, self.plain, ground]) == Some(seen))
    }

    /// The frame with other tiles; `None` where one has no known picture.
    pub(super) fn painted(&self, frame: &Grid, faces: &Faces, stand: &[Kind]) -> Option<Grid> {
        let mut painted = frame.clone();
        for ((place, ground), kind) in self.places.iter().zip(&self.ground).zip(stand) {
            let picture = match *kind {
                WALL => continue,
                BARE => faces.picture(*ground)?.clone(),
                kind => faces.over([kind, self.plain, *ground])?,
            };
            cells(self.lattice, *place).zip(picture).for_each(|(at, color)| painted.set(at, color));
        }
        Some(painted)
    }

    /// Seats that look unlike most while nothing stands on them, each with how it looks.
    pub(super) fn odd(&self) -> impl Iterator<Item = (usize, Kind)> {
        let all = self.ground.iter().copied().enumerate();
        all.filter(|(_, ground)| *ground != WALL && *ground != self.plain)
    }

    /// Whether a cell of the frame belongs to a seat.
    pub(super) fn holds(&self, at: Point) -> bool {
        let place = self.lattice.cell_at(at);
        let index = place.and_then(|place| self.places.iter().position(|it| *it == place));
        index.is_some_and(|index| self.ground[index] != WALL)
    }

    /// Whether a place of the whole lattice is a seat or beside one.
    pub(super) fn reaches(&self, at: usize) -> bool {
        let (x, y) = ((at % self.columns) as i16, (at / self.columns) as i16);
        let mut seats = self.places.iter().zip(&self.ground).filter(|it| *it.1 != WALL);
        seats.any(|((column, row), _)| (i16::from(*column) - x).abs() + (i16::from(*row) - y).abs() <= 1)
    }
}

/// The places of a lattice that hang together, most of them lively.
fn largest_part(columns: usize, all: &[(Option<Kind>, bool)]) -> Vec<usize> {
    let (mut seen, mut best, mut most) = (vec![false; all.len()], Vec::new(), 0);
    for start in (0..all.len()).filter(|it| all[*it].1) {
        let (mut part, mut open) = (Vec::new(), VecDeque::from([start]));
        while let Some(at) = open.pop_front() {
            if all[at].0.is_none() || std::mem::replace(&mut seen[at], true) {
                continue;
            }
            part.push(at);
            let (x, above) = (at % columns, at.checked_sub(columns));
            let right = (x + 1 < columns).then_some(at + 1);
            let below = Some(at + columns).filter(|it| *it < all.len());
            open.extend([(x > 0).then(|| at - 1), right, above, below].into_iter().flatten());
        }
        let lively = part.iter().filter(|it| all[**it].1).count();
        if lively > most {
            (best, most) = (part, lively);
        }
    }
    best
}

fn lines((width, height): (usize, usize), way: Way) -> Vec<Vec<usize>> {
    let row = |y: usize| (0..width).map(move |x| y * width + x).collect::<Vec<usize>>();
    let column = |x: usize| (0..height).map(move |y| y * width + x).collect::<Vec<usize>>();
    let mut lines: Vec<Vec<usize>> =
        if way.0 == 0 { (0..width).map(column).collect() } else { (0..height).map(row).collect() };
    if way.0 + way.1 > 0 {
        for it in &mut lines {
            it.reverse();
        }
    }
    lines
}
