//! Frames as ARC grids: a cell for each tile, a colour for each kind of tile, without interface and plain rims.

use env_client::{Color, Grid, Point, SIDE};
use solver::COLORS;
use world_model::{
    Bounds, InterfaceMask,
    perception::{TileMap, Tiles},
};

/// An ARC task that asks how a level looks when it is solved.
#[derive(Debug)]
pub(super) struct Riddle {
    pub(super) examples: Vec<(Grid, Grid)>,
    pub(super) question: Grid,
    sheet: Sheet,
    numbers: Numbers,
}

impl Riddle {
    /// Asks about a level that begins with the frame `first`. Solved levels that are drawn of other tiles, do not fit or
    /// show no difference are no examples; `None` where none is left.
    pub(super) fn of(solved: &[(Grid, Grid)], first: &Grid, mask: &InterfaceMask, longest: u8) -> Option<Riddle> {
        let veiled = veil(first, mask);
        let solved: Vec<[Grid; 2]> = solved.iter().map(|(first, last)| [veil(first, mask), veil(last, mask)]).collect();
        let mut tiles = Tiles::of_all(solved.iter().map(|[first, _]| first).chain([&veiled]));
        tiles = Sheet::of(&veiled, &tiles, longest)?.tiles;
        let mut pairs = Vec::new();
        for [first, last] in &solved {
            let Some(mut sheet) = Sheet::of(first, &tiles, longest) else { continue };
            sheet.tiles.meet(last);
            pairs.push((sheet.read(first), sheet.read(last)));
            tiles = sheet.tiles;
        }
        let sheet = Sheet::of(&veiled, &tiles, longest)?;
        let question = sheet.read(&veiled);
        let mut numbers = Numbers(vec![commonest(&question)]);
        let question = numbers.take(&question)?;
        let pairs = pairs.into_iter().filter(|(first, last)| first != last);
        let examples: Vec<(Grid, Grid)> = pairs.filter_map(|pair| numbers.take_both(&pair)).collect();
        (!examples.is_empty()).then_some(Riddle { examples, question, sheet, numbers })
    }

    /// The frame `first` as an answer has it.
    pub(super) fn draw(&self, first: &Grid, answer: &Grid) -> Option<Grid> {
        let same_size = (answer.width(), answer.height()) == (self.question.width(), self.question.height());
        let kinds = self.numbers.give_back(answer).filter(|_| same_size)?;
        Some(self.sheet.paint(first, &self.numbers.give_back(&self.question)?, &kinds))
    }
}

/// Where a level lies in its frames.
#[derive(Debug)]
struct Sheet {
    tiles: Tiles,
    /// What is left without rims of one kind, in tiles.
    bounds: Bounds,
}

impl Sheet {
    /// Of a level that begins with this frame; `None` where it is too long or drawn of other tiles.
    fn of(frame: &Grid, tiles: &Tiles, longest: u8) -> Option<Sheet> {
        let mut tiles = tiles.over(frame)?;
        tiles.meet(frame);
        let bounds = inside(&tiles.read(frame));
        (bounds.width().max(bounds.height()) <= longest).then_some(Sheet { tiles, bounds })
    }

    /// The kinds of its tiles in a frame.
    fn read(&self, frame: &Grid) -> Grid {
        let map = self.tiles.read(frame);
        let mut cut = Grid::filled(self.bounds.width(), self.bounds.height(), Color::default());
        cut.cells_mut().iter_mut().zip(self.places()).for_each(|(cell, at)| *cell = map[at]);
        cut
    }

    /// A frame with those tiles exchanged that are of other kinds before and after.
    fn paint(&self, frame: &Grid, before: &Grid, after: &Grid) -> Grid {
        let map = self.tiles.read(frame);
        let mut next = map.clone();
        let changes = self.places().zip(before.cells().iter().zip(after.cells()));
        changes.filter(|(_, (before, after))| before != after).for_each(|(at, (_, after))| next.set(at, *after));
        self.tiles.paint(frame, &TileMap::of_cells(&map), &TileMap::of_cells(&next))
    }

    /// Where its tiles lie in the map of all, row after row.
    fn places(&self) -> impl Iterator<Item = Point> {
        self.bounds.points()
    }
}

/// The kinds of tiles that stand behind the colours of ARC.
#[derive(Clone, Debug)]
struct Numbers(Vec<Color>);

impl Numbers {
    /// A grid of kinds in the colours of ARC, where they are enough for those that are new.
    fn take(&mut self, kinds: &Grid) -> Option<Grid> {
        let mut grid = kinds.clone();
        for cell in grid.cells_mut() {
            let number = self.0.iter().position(|kind| kind == cell).unwrap_or_else(|| {
                self.0.push(*cell);
                self.0.len() - 1
            });
            *cell = *Color::ALL[..COLORS].get(number)?;
        }
        Some(grid)
    }

    /// Both or none.
    fn take_both(&mut self, (first, last): &(Grid, Grid)) -> Option<(Grid, Grid)> {
        let mut numbers = self.clone();
        let both = (numbers.take(first)?, numbers.take(last)?);
        *self = numbers;
        Some(both)
    }

    /// A grid in the colours of ARC as kinds; `None` where one stands for nothing.
    fn give_back(&self, grid: &Grid) -> Option<Grid> {
        let mut kinds = grid.clone();
        for cell in kinds.cells_mut() {
            *cell = *self.0.get(cell.index())?;
        }
        Some(kinds)
    }
}

/// What is left of a map when rows and columns of one kind are taken off all around.
fn inside(map: &Grid) -> Bounds {
    let mut bounds = Bounds { left: 0, top: 0, right: map.width() - 1, bottom: map.height() - 1 };
    loop {
        let Bounds { left, top, right, bottom } = bounds;
        let plain = |line: Bounds| {
            let mut kinds = line.points().map(|at| map[at]);
            kinds.next().is_some_and(|first| kinds.all(|kind| kind == first))
        };
        bounds = match () {
            () if top < bottom && plain(Bounds { bottom: top, ..bounds }) => Bounds { top: top + 1, ..bounds },
            () if top < bottom && plain(Bounds { top: bottom, ..bounds }) => Bounds { bottom: bottom - 1, ..bounds },
            () if left < right && plain(Bounds { right: left, ..bounds }) => Bounds { left: left + 1, ..bounds },
            () if left < right && plain(Bounds { left: right, ..bounds }) => Bounds { right: right - 1, ..bounds },
            () => return bounds,
        };
    }
}

/// Which kind there is most of.
fn commonest(map: &Grid) -> Color {
    let count = |kind: &Color| map.cells().iter().filter(|cell| *cell == kind).count();
    Color::ALL.into_iter().rev().max_by_key(count).unwrap_or_default()
}

/// A frame with its interface painted over in the colour of the nearest cell of the world.
fn veil(frame: &Grid, mask: &InterfaceMask) -> Grid {
    let mut veiled = frame.clone();
    for at in frame.points().filter(|at| mask.hides(*at)) {
        let around = (1..SIDE.cast_signed()).flat_map(|by| [(0, by), (0, -by), (by, 0), (-by, 0)]);
        let mut around = around.filter_map(|(dx, dy)| at.offset(dx, dy)).filter(|it| !mask.hides(*it));
        if let Some(color) = around.find_map(|it| frame.get(it)) {
            veiled.set(at, color);
        }
    }
    veiled
}
