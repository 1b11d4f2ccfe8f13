//! One tile: what is drawn on it, where that meets its sides, and how it looks turned.

use std::hash::{DefaultHasher, Hash, Hasher};

use env_client::{Color, Grid};

/// Where something meets the four sides of a tile, clockwise from the upper one: a bit for each cell along it, from the left
/// or from above.
pub type Openings = [u32; 4];

/// The cells of a square that are drawn on, row after row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stencil {
    side: u8,
    cells: Vec<bool>,
}

/// A tile as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// What most of its rim shows, or all tiles do.
    pub ground: Color,
    /// Its cells of any other colour but that.
    pub stencil: Stencil,
    colors: Vec<Color>,
}

impl Stencil {
    /// Cells along it.
    pub(super) fn side(&self) -> u8 {
        self.side
    }

    /// Whether a cell is drawn on.
    pub(super) fn get(&self, x: u8, y: u8) -> bool {
        self.cells[usize::from(y) * usize::from(self.side) + usize::from(x)]
    }

    fn of(side: u8, cell: impl Fn(u8, u8) -> bool) -> Stencil {
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        Stencil { side, cells: cells.map(|(x, y)| cell(x, y)).collect() }
    }

    /// After a quarter turn clockwise.
    #[must_use]
    pub fn turned(&self) -> Stencil {
        Stencil::of(self.side, |x, y| self.get(y, self.side - 1 - x))
    }

    /// As it is, and after one, two and three quarter turns clockwise.
    pub fn poses(&self) -> [Stencil; 4] {
        let one = self.turned();
        let two = one.turned();
        let three = two.turned();
        [self.clone(), one, two, three]
    }

    /// Whether nothing is drawn.
    pub fn is_blank(&self) -> bool {
        !self.cells.contains(&true)
    }

    /// The same at the smallest scale that shows all of it.
    fn reduced(&self) -> Stencil {
        let is_drawn_at = |scale: u8| {
            self.side.is_multiple_of(scale)
                && *self == Stencil::of(self.side, |x, y| self.get(x / scale * scale, y / scale * scale))
        };
        let scale = (1..=self.side).rev().find(|scale| is_drawn_at(*scale)).unwrap_or(1);
        Stencil::of(self.side / scale, |x, y| self.get(x * scale, y * scale))
    }

    /// Equal for those that are drawn alike at any scale and however they are turned, and hardly for others.
    pub(super) fn form(&self) -> u64 {
        let hashes = self.reduced().poses().map(|it| {
            let mut hasher = DefaultHasher::new();
            it.hash(&mut hasher);
            hasher.finish()
        });
        hashes.into_iter().min().unwrap_or_default()
    }

    /// The cells from which all cells of one colour around are reached, by number of their part.
    fn connected(&self) -> (Vec<Option<usize>>, usize) {
        let side = usize::from(self.side);
        let mut parts = vec![None; self.cells.len()];
        let mut count = 0;
        for start in 0..self.cells.len() {
            if !self.cells[start] || parts[start].is_some() {
                continue;
            }
            let mut open = vec![start];
            parts[start] = Some(count);
            while let Some(at) = open.pop() {
                let beside = [
                    (at >= side).then(|| at - side),
                    (at % side + 1 < side).then_some(at + 1),
                    (at + side < self.cells.len()).then_some(at + side),
                    (!at.is_multiple_of(side)).then(|| at - 1),
                ];
                for next in beside.into_iter().flatten().filter(|it| self.cells[*it]) {
                    if parts[next].is_none() {
                        parts[next] = Some(count);
                        open.push(next);
                    }
                }
            }
            count += 1;
        }
        (parts, count)
    }

    /// The cells along one of the four sides.
    fn rim(&self, side: usize) -> impl Iterator<Item = usize> + use<> {
        let (length, last) = (usize::from(self.side), usize::from(self.side) - 1);
        (0..length).map(move |at| match side {
            0 => at,
            1 => at * length + last,
            2 => last * length + at,
            _ => at * length,
        })
    }

    /// Whether anything reaches its sides.
    pub fn touches_rim(&self) -> bool {
        (0..4).flat_map(|side| self.rim(side)).any(|at| self.cells[at])
    }

    /// What meets the sides, connected part by connected part: what reaches a corner is decoration.
    pub fn parts(&self) -> Vec<Openings> {
        let (parts, count) = self.connected();
        let mut openings = vec![[0; 4]; count];
        for side in [0, 1, 2, 3] {
            let along: Vec<Option<usize>> = self.rim(side).map(|at| parts[at]).collect();
            let mut from = 0;
            for run in along.chunk_by(|a, b| a == b) {
                let to = from + run.len();
                let reaches_corner = from == 0 || to == along.len();
                if let Some(part) = run[0].filter(|_| !reaches_corner) {
                    openings[part][side] |= (from..to).fold(0, |bits, at| bits | 1 << at);
                }
                from = to;
            }
        }
        openings.retain(|it| it.iter().any(|bits| *bits != 0));
        openings
    }
}

/// A square of a frame that lies in it.
#[derive(Clone, Copy)]
pub(super) struct Square<'a> {
    frame: &'a Grid,
    left: usize,
    top: usize,
    side: u8,
}

impl<'a> Square<'a> {
    /// The one with this corner, if it lies in the frame.
    pub(super) fn of(frame: &'a Grid, (left, top): (u8, u8), side: u8) -> Option<Square<'a>> {
        let fits = |start: u8, length: u8| u16::from(start) + u16::from(side) <= u16::from(length);
        let is_inside = fits(left, frame.width()) && fits(top, frame.height());
        is_inside.then_some(Square { frame, left: left.into(), top: top.into(), side })
    }

    /// The colours of one of its rows.
    fn row(self, y: u8) -> &'a [Color] {
        let start = (self.top + usize::from(y)) * usize::from(self.frame.width()) + self.left;
        &self.frame.cells()[start..start + usize::from(self.side)]
    }

    /// The colour of one of its cells.
    pub(super) fn get(self, x: u8, y: u8) -> Color {
        self.row(y)[usize::from(x)]
    }

    /// The cells along its sides, those in its corners twice.
    fn rim(self) -> impl Iterator<Item = Color> {
        let last = self.side - 1;
        let sides = (0..self.side).flat_map(move |at| [self.get(0, at), self.get(last, at)]);
        self.row(0).iter().chain(self.row(last)).copied().chain(sides)
    }

    /// What most of its rim shows.
    pub(super) fn ground(self) -> Color {
        let mut counts = [0u16; Color::COUNT];
        self.rim().for_each(|color| counts[color.index()] += 1);
        Color::ALL.into_iter().max_by_key(|color| counts[color.index()]).unwrap_or_default()
    }
}

impl Tile {
    /// Reads a square of a frame that lies in it. Where its rim shows the ground that other tiles have as well, what most of it
    /// shows is a mark in its corners.
    pub(super) fn read(frame: &Grid, (left, top): (u8, u8), side: u8, usual: Option<Color>) -> Option<Tile> {
        let square = Square::of(frame, (left, top), side)?;
        let most = square.ground();
        let ground = usual.filter(|usual| square.rim().any(|it| it == *usual)).unwrap_or(most);
        let colors: Vec<Color> = (0..side).flat_map(|y| square.row(y)).copied().collect();
        let stencil = Stencil { side, cells: colors.iter().map(|it| *it != ground && *it != most).collect() };
        Some(Tile { ground, stencil, colors })
    }

    /// The colours at its openings, as a set of indices.
    pub fn arms(&self) -> u16 {
        let meets = |side: usize| self.stencil.parts().iter().fold(0, |bits, part| bits | part[side]);
        (0..4).fold(0, |set, side| {
            let bits = meets(side);
            let open = self.stencil.rim(side).enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            open.fold(set, |set, (_, at)| set | 1 << self.colors[at].index())
        })
    }

    /// Its colours but for the ground, as a set of indices.
    pub fn colors(&self) -> u16 {
        self.colors.iter().filter(|color| **color != self.ground).fold(0, |set, color| set | 1 << color.index())
    }

    /// Its ground, and what is drawn on it in other colours than these, however it is turned: tiles that differ there may
    /// answer differently.
    pub(super) fn sign(&self, plain: u16) -> (Color, u64) {
        let side = self.stencil.side;
        let cells = self.colors.iter().map(|color| *color != self.ground && plain >> color.index() & 1 == 0);
        (self.ground, Stencil { side, cells: cells.collect() }.form())
    }
}
