//! Grids side by side.

use std::path::Path;

use env_client::{Grid, Point};

use super::{ExportError, Film, canvas::Canvas, png};

/// What a GIF shows each pair for, in hundredths of a second.
const DELAY: u16 = 80;

/// Two grids to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// What stands below them.
    pub caption: &'a str,
    /// The left one.
    pub left: Option<&'a Grid>,
    /// The right one.
    pub right: Option<&'a Grid>,
    /// A cell to mark in both.
    pub click: Option<Point>,
}

/// Draws pairs: one after the other in a .gif, below each other in any other file, which becomes a PNG.
///
/// # Errors
/// The file cannot be written.
pub fn pairs(path: &Path, pairs: &[Pair<'_>], scale: usize) -> Result<(), ExportError> {
    let drawn: Vec<Canvas> = pairs.iter().map(|pair| draw(pair, scale)).collect();
    let is_gif = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gif"));
    let Some(first) = drawn.first() else { return Err(ExportError::Nothing { steps: 0..0, all: 0 }) };
    if is_gif {
        let failed = |source| ExportError::Write { path: path.to_owned(), source };
        let mut film = Film::create(path, first).map_err(failed)?;
        for canvas in drawn {
            film.show(canvas, DELAY).map_err(failed)?;
        }
        return film.finish().map_err(failed);
    }
    let mut sheet = Canvas::new(first.width, first.height * drawn.len());
    for (number, canvas) in drawn.iter().enumerate() {
        sheet.put(canvas, 0, number * canvas.height);
    }
    png(path, &sheet)
}

fn draw(pair: &Pair<'_>, scale: usize) -> Canvas {
    let half = Canvas::of_frame(scale);
    let mut both = Canvas::new(2 * half.width + scale, half.height);
    for (number, grid) in [pair.left, pair.right].into_iter().enumerate() {
        let mut side = half.clone();
        if let Some(grid) = grid {
            side.grid(grid, pair.click);
        }
        both.put(&side, number * (half.width + scale), 0);
    }
    both.caption(pair.caption, scale);
    both
}
