//! What lies under the pieces that move: the last colour seen at each cell while nothing covered it.

use env_client::{Color, Grid, SIDE};

use super::{
    cell_set::{self, CellSet, Patch},
    sprite::{SIDES, Sprite, Vector, color_at},
};

const WIDTH: usize = SIDE as usize;

/// The ground of the present level.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    cells: Vec<Option<Color>>,
    /// What things became that pieces cover in part, as the rest of them tells.
    turned: Vec<(Vector, Color)>,
}

impl Default for Canvas {
    fn default() -> Self {
        Canvas::new()
    }
}

impl Canvas {
    pub(super) fn new() -> Canvas {
        Canvas { cells: vec![None; WIDTH * WIDTH], turned: Vec::new() }
    }

    /// What was last seen here.
    pub(super) fn get(&self, at: Vector) -> Option<Color> {
        place(at).and_then(|place| self.cells[place])
    }

    /// What things became that lie under pieces, as the rest of them tells.
    pub(super) fn turned(&self) -> &[(Vector, Color)] {
        &self.turned
    }

    /// These cells, which pieces cover, were seen to become so, as the rest of what lies there tells.
    pub(super) fn turn(&mut self, cells: &[(Vector, Color)]) {
        self.turned.retain(|(at, _)| !cells.iter().any(|(it, _)| it == at));
        self.turned.extend_from_slice(cells);
    }

    /// The component of the ground at one cell: of the frame where nobody saw what is covered there.
    pub(super) fn patch(&self, frame: &Grid, at: Vector, limit: usize) -> Option<Patch> {
        let shown = color_at(frame, at)?;
        let color = self.get(at).unwrap_or(shown);
        let row = |y: usize| {
            let ground = &self.cells[y * WIDTH..(y + 1) * WIDTH];
            cell_set::bits(frame, y, |x, cell| ground[x].unwrap_or(cell) == color)
        };
        Some(Patch::fill((at, color), frame.height(), limit, row))
    }

    /// Takes over a frame, but for the cells that pieces cover.
    pub(super) fn see(&mut self, frame: &Grid, covered: &CellSet) {
        self.turned.retain(|(at, _)| covered.contains(*at));
        for (y, row) in frame.rows().enumerate() {
            for (x, color) in row.iter().enumerate() {
                if !covered.contains(Vector::new(x as i16, y as i16)) {
                    self.cells[y * WIDTH + x] = Some(*color);
                }
            }
        }
    }

    /// What was taken for ground here was a piece.
    pub(super) fn forget(&mut self, sprite: &Sprite, corner: Vector) {
        for (at, color) in sprite.cells() {
            if let Some(place) = place(corner.plus(*at)) {
                self.cells[place] = self.cells[place].filter(|it| it != color);
            }
        }
    }

    /// The commonest colour right around a piece: what probably lies under it.
    pub(super) fn around(&self, frame: &Grid, sprite: &Sprite, corner: Vector) -> Option<Color> {
        let mut counts = [0u16; Color::COUNT];
        for cell in sprite.footprint(corner) {
            for side in SIDES.map(|side| cell.plus(side)) {
                if let Some(color) = color_at(frame, side).filter(|_| !sprite.covers(corner, side)) {
                    counts[self.get(side).unwrap_or(color).index()] += 1;
                }
            }
        }
        let commonest = (0..Color::COUNT).max_by_key(|index| (counts[*index], Color::COUNT - index))?;
        (counts[commonest] > 0).then_some(Color::ALL[commonest])
    }
}

fn place(at: Vector) -> Option<usize> {
    let inside = (0..WIDTH as i16).contains(&at.x) && (0..WIDTH as i16).contains(&at.y);
    inside.then(|| at.y as usize * WIDTH + at.x as usize)
}
