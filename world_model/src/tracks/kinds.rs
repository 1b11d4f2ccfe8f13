//! Kinds of buttons: what was learned of one is expected of others that are drawn alike, in further levels too.
//!
//! The form of a button tells how it turns, and one of its colours which track, if that is the colour of the track's bed. So a
//! button drawn like a known one in other colours turns the track of its own colour, by as many places the same way round.

use env_client::{Color, Grid, Point};

use super::loops::Spin;
use crate::{Bounds, Scene, cells::Board};

/// The most kinds that are remembered; the oldest are forgotten.
const KINDS: usize = 32;
/// How many cells a picture's cell may be drawn with, along each side.
const SCALE: usize = 4;
/// The longest side of a button that is larger than a place of the lattice.
const SIDE: u8 = 20;

/// A picture in numbers that stand for colours, in the order in which they come, whatever its scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    width: usize,
    form: Vec<usize>,
    palette: Vec<Color>,
}

impl Look {
    /// What is seen within these bounds, if it is of at least two colours.
    pub(super) fn of(frame: &Grid, bounds: Bounds) -> Option<Look> {
        let cells: Vec<Color> = bounds.points().filter_map(|at| frame.get(at)).collect();
        let (width, cells) = reduced(cells, usize::from(bounds.width()));
        let mut palette: Vec<Color> = Vec::new();
        let number = |color: Color| {
            palette.iter().position(|it| *it == color).unwrap_or_else(|| {
                palette.push(color);
                palette.len() - 1
            })
        };
        let form: Vec<usize> = cells.into_iter().map(number).collect();
        (palette.len() > 1).then_some(Look { width, form, palette })
    }

    /// Whether both are drawn alike but for their colours.
    fn is_formed_like(&self, other: &Look) -> bool {
        (self.width, &self.form) == (other.width, &other.form)
    }
}

/// A picture of this width at the smallest scale.
fn reduced(cells: Vec<Color>, width: usize) -> (usize, Vec<Color>) {
    let height = cells.len() / width.max(1);
    for scale in (2..=SCALE).rev() {
        let first = |x: usize, y: usize| cells[y / scale * scale * width + x / scale * scale];
        let is_even = |(index, color): (usize, &Color)| first(index % width, index / width) == *color;
        if width.is_multiple_of(scale) && height.is_multiple_of(scale) && cells.iter().enumerate().all(is_even) {
            let places = (0..height / scale).flat_map(|y| (0..width / scale).map(move |x| (x, y)));
            return (width / scale, places.map(|(x, y)| first(x * scale, y * scale)).collect());
        }
    }
    (width, cells)
}

/// How the colour of a track is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bed {
    /// It is one of the button's own, by its number.
    Own(usize),
    /// It has nothing to do with the button.
    Fixed(Color),
}

/// What buttons of one look do: each track and how far it turns.
#[derive(Clone, Debug)]
struct Kind {
    look: Look,
    spins: Vec<(Bed, i8)>,
}

/// Every kind that was seen, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds(Vec<Kind>);

impl Kinds {
    /// Learns what a button of this look does.
    pub(super) fn learn(&mut self, look: Look, spins: &[Spin]) {
        let bed = |color: Color| look.palette.iter().position(|it| *it == color).map_or(Bed::Fixed(color), Bed::Own);
        let spins = spins.iter().map(|it| (bed(it.bed), it.by)).collect();
        self.0.retain(|it| it.look != look);
        if self.0.len() == KINDS {
            self.0.remove(0);
        }
        self.0.push(Kind { look, spins });
    }

    /// What a button of this look should do: what one of the same colours did, or else one of the same form.
    fn of(&self, look: &Look) -> Option<Vec<Spin>> {
        let newest = || self.0.iter().rev();
        let same = newest().find(|it| it.look == *look);
        let kind = same.or_else(|| newest().find(|it| it.look.is_formed_like(look)))?;
        let color = |bed: Bed| match bed {
            Bed::Own(number) => look.palette[number],
            Bed::Fixed(color) => color,
        };
        Some(kind.spins.iter().map(|(bed, by)| Spin { bed: color(*bed), by: *by }).collect())
    }

    /// The buttons in a frame that look like known ones, each with what it should do.
    pub(super) fn find(&self, board: &Board, frame: &Grid) -> Vec<(Bounds, Vec<Spin>)> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let known = |bounds: Bounds| Some((bounds, self.of(&Look::of(frame, bounds)?)?));
        places(board, frame).into_iter().filter_map(known).collect()
    }
}

/// Where a button is drawn that was clicked here: all of a thing larger than a place of the slots' lattice, or else the place.
pub(super) fn place(board: &Board, scene: &Scene, at: Point) -> Option<Bounds> {
    let bounds = scene.components()[scene.component_at(at)?].bounds;
    if is_large(board, bounds) { Some(bounds) } else { board.room_at(at) }
}

/// Where buttons may be drawn: every place of the lattice, if it went on in all directions, where there is no slot; and things
/// that are larger.
fn places(board: &Board, frame: &Grid) -> Vec<Bounds> {
    let mut places: Vec<Bounds> = Vec::new();
    for at in frame.points() {
        let is_slot = board.cell_at(at).is_some();
        if let Some(room) = board.room_at(at).filter(|room| !is_slot && (room.left, room.top) == (at.x(), at.y())) {
            places.push(room);
        }
    }
    places.retain(|room| !(0..board.len()).any(|slot| board.has(slot) && board.room(slot) == *room));
    let things = Scene::of(frame);
    let large = things.components().iter().map(|it| it.bounds).filter(|it| is_large(board, *it));
    places.extend(large);
    places
}

/// Whether something is too large for a place of the lattice, and small enough for a button.
fn is_large(board: &Board, it: Bounds) -> bool {
    let (across, down) = board.pitch();
    (it.width() > across || it.height() > down) && it.width().max(it.height()) <= SIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(picture: &str) -> Look {
        let frame: Grid = picture.parse().unwrap();
        Look::of(&frame, Bounds { left: 0, top: 0, right: frame.width() - 1, bottom: frame.height() - 1 }).unwrap()
    }

    #[test]
    fn what_is_drawn_alike_at_any_scale_turns_the_track_of_its_color() {
        let mut kinds = Kinds::default();
        kinds.learn(look("212\n222"), &[Spin { bed: Color::of(2), by: 3 }]);
        let other = kinds.of(&look("447744\n447744\n444444\n444444"));
        assert_eq!(other, Some(vec![Spin { bed: Color::of(4), by: 3 }]));
        assert_eq!(kinds.of(&look("222\n212")), None, "turned");
        kinds.learn(look("656\n666"), &[Spin { bed: Color::of(1), by: -1 }]);
        assert_eq!(kinds.of(&look("212\n222")), Some(vec![Spin { bed: Color::of(2), by: 3 }]), "its own colours first");
        assert_eq!(kinds.of(&look("434\n444")), Some(vec![Spin { bed: Color::of(1), by: -1 }]), "the newest");
    }
}
