//! Pictures of a recording, drawn without a terminal.
//!
//! - [`Target`]: a GIF of many steps, a PNG of one step or of the start of every level, or a folder of PNGs. Start here.
//! - [`pairs`]: grids side by side, for what was expected and what came.
//! - `canvas` draws, `font` has the letters.
//!
//! Pictures have a palette of the game's sixteen colours and two more, so nothing is lost in either format.

mod canvas;
mod font;
mod pairs;

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, BufWriter, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use env_client::{Command, Grid};

use self::canvas::{Canvas, palette};
pub use self::pairs::{Pair, pairs};
use super::{Archive, EntryError, Index, layers};

/// Hundredths of a second that a layer within an animation is shown.
const LAYER_DELAY: u16 = 4;

/// What is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An animation of the steps.
    Gif(PathBuf),
    /// A picture of one step.
    Png(PathBuf, usize),
    /// A picture of the start of every level.
    Sheet(PathBuf),
    /// A picture of each step, named by its number.
    Folder(PathBuf),
}

/// How it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The steps of a GIF or folder.
    pub steps: Range<usize>,
    /// Pixels a cell.
    pub scale: usize,
    /// Steps a second of a GIF.
    pub speed: u16,
}

/// A picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The recording has no such step.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// No step of the range has a picture.
    #[error("steps {}..{} of the recording show nothing, it has {all} steps", steps.start, steps.end)]
    Nothing {
        /// What was asked for.
        steps: Range<usize>,
        /// How many steps there are.
        all: usize,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system or the encoder says.
        source: io::Error,
    },
}

/// Makes pictures. `done` is told after each step.
///
/// # Errors
/// A step cannot be read, there is none to be seen, or a file cannot be written.
pub fn export(
    archive: &mut Archive,
    target: &Target,
    manner: &Manner,
    done: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    archive.wait();
    let end = manner.steps.end.min(archive.index().marks.len());
    let steps = manner.steps.start.min(end)..end;
    match target {
        Target::Gif(path) => gif(archive, path, &steps, manner, done),
        Target::Png(path, step) => png(path, &picture(archive, *step, manner.scale)?),
        Target::Sheet(path) => sheet(archive, path, manner, done),
        Target::Folder(folder) => pictures(archive, folder, &steps, manner, done),
    }
}

/// The settled view of a step, with its click and its caption.
fn picture(archive: &mut Archive, step: usize, scale: usize) -> Result<Canvas, ExportError> {
    let entry = archive.entry(step)?;
    let grid = match layers(&entry).last() {
        Some(grid) => Some(grid.clone()),
        None => archive.settled_before(step),
    };
    Ok(draw(archive.index(), step, grid.as_ref(), scale))
}

fn draw(index: &Index, step: usize, grid: Option<&Grid>, scale: usize) -> Canvas {
    let mut canvas = Canvas::of_frame(scale);
    if let Some(grid) = grid {
        canvas.grid(grid, click(index, step));
    }
    canvas.caption(&caption(index, step), scale);
    canvas
}

fn click(index: &Index, step: usize) -> Option<env_client::Point> {
    match index.marks.get(step)?.command? {
        Command::Act(action) => action.point(),
        Command::Reset => None,
    }
}

/// `120 ACTION6 (3, 4)  LEVEL 2/7`
fn caption(index: &Index, step: usize) -> String {
    let Some(mark) = index.marks.get(step) else { return String::new() };
    let command = mark.command.map_or_else(|| "?".to_owned(), |command| command.to_string());
    let lost = if mark.is_unknown { " UNKNOWN" } else { "" };
    format!("{step} {command}{lost}  {}/{} {}", mark.levels, index.about.win_levels, mark.status)
}

fn gif(
    archive: &mut Archive,
    path: &Path,
    steps: &Range<usize>,
    manner: &Manner,
    done: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    let failed = |source: io::Error| ExportError::Write { path: path.to_owned(), source };
    let mut film = Film::create(path, &Canvas::of_frame(manner.scale)).map_err(failed)?;
    for step in steps.clone() {
        let entry = archive.entry(step)?;
        let shown = layers(&entry);
        for (number, grid) in (1..).zip(shown) {
            let delay = if number == shown.len() { 100 / manner.speed.max(1) } else { LAYER_DELAY };
            film.show(draw(archive.index(), step, Some(grid), manner.scale), delay).map_err(failed)?;
        }
        done();
    }
    if film.shown.is_none() {
        return Err(ExportError::Nothing { steps: steps.clone(), all: archive.index().marks.len() });
    }
    film.finish().map_err(failed)
}

/// A GIF that is being written. A picture waits for the next one, so that equal ones become one that stays longer.
struct Film {
    encoder: gif::Encoder<BufWriter<File>>,
    /// What a viewer has on the screen once everything is written.
    shown: Option<Canvas>,
    waiting: Option<gif::Frame<'static>>,
}

impl Film {
    fn create(path: &Path, size: &Canvas) -> io::Result<Film> {
        let Canvas { width, height, .. } = *size;
        let file = BufWriter::new(File::create(path)?);
        let encoder = gif::Encoder::new(file, width as u16, height as u16, &palette());
        let mut encoder = encoder.map_err(io::Error::other)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
        Ok(Film { encoder, shown: None, waiting: None })
    }

    /// Shows a picture for so many hundredths of a second; only what changed is written.
    fn show(&mut self, canvas: Canvas, delay: u16) -> io::Result<()> {
        let whole = canvas::Part { left: 0, top: 0, width: canvas.width, height: canvas.height };
        let part = self.shown.as_ref().map_or(Some(whole), |shown| canvas.changed(shown));
        match (part, &mut self.waiting) {
            (None, Some(waiting)) => waiting.delay = waiting.delay.saturating_add(delay),
            (part, _) => {
                self.flush()?;
                self.waiting = Some(frame(&canvas, part.unwrap_or(whole), delay));
            }
        }
        self.shown = Some(canvas);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.waiting.take().map_or(Ok(()), |frame| self.encoder.write_frame(&frame).map_err(io::Error::other))
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let mut file = self.encoder.into_inner().map_err(io::Error::other)?;
        file.flush()
    }
}

fn frame(canvas: &Canvas, part: canvas::Part, delay: u16) -> gif::Frame<'static> {
    let Canvas { width, height, pixels } = canvas.part(part);
    gif::Frame {
        delay,
        left: part.left as u16,
        top: part.top as u16,
        width: width as u16,
        height: height as u16,
        buffer: Cow::Owned(pixels),
        ..gif::Frame::default()
    }
}

fn pictures(
    archive: &mut Archive,
    folder: &Path,
    steps: &Range<usize>,
    manner: &Manner,
    done: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    if steps.is_empty() {
        return Err(ExportError::Nothing { steps: steps.clone(), all: archive.index().marks.len() });
    }
    let failed = |source| ExportError::Write { path: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(failed)?;
    for step in steps.clone() {
        png(&folder.join(format!("{step:06}.png")), &picture(archive, step, manner.scale)?)?;
        done();
    }
    Ok(())
}

/// The first view of each level, in rows that make the sheet about square.
fn sheet(archive: &mut Archive, path: &Path, manner: &Manner, done: &mut dyn FnMut()) -> Result<(), ExportError> {
    let starts: Vec<usize> = [0].into_iter().chain(archive.index().level_ups()).collect();
    let columns = (1..starts.len()).find(|columns| columns * columns >= starts.len()).unwrap_or(1);
    let Canvas { width, height, .. } = Canvas::of_frame(manner.scale);
    let gap = manner.scale;
    let along = |count: usize, length: usize| count * (length + gap) + gap;
    let mut sheet = Canvas::new(along(columns, width), along(starts.len().div_ceil(columns), height));
    for (number, step) in starts.into_iter().enumerate() {
        let tile = picture(archive, step, manner.scale)?;
        sheet.put(&tile, along(number % columns, width), along(number / columns, height));
        done();
    }
    png(path, &sheet)
}

fn png(path: &Path, canvas: &Canvas) -> Result<(), ExportError> {
    let write = || -> Result<(), io::Error> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(&mut file, canvas.width as u32, canvas.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette());
        encoder.write_header()?.write_image_data(&canvas.pixels)?;
        file.flush()
    };
    write().map_err(|source| ExportError::Write { path: path.to_owned(), source })
}
