//! Buttons each of which flips the same cells whenever it is clicked, and how to make a picture of them.
//!
//! # Layout
//! - [`Toggles`] (here): watches clicks, knows what each button flips, and where others like it are. Start here.
//! - `solve`: the fewest buttons that flip just these cells, over the field of two elements.
//!
//! # The one decision
//! A button is an island: what touches on a ground of one colour. Two buttons that flip cells elsewhere, each cell between two
//! colours, are believed to be buttons until one flips other cells than before; presses add up whatever their order is. What a
//! button flips of its own island shows that it is pressed, and is no part of a picture; where it flips what is as large as itself, these are
//! lamps, which are left to boards.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Action, Color, Grid, Point};

use crate::{Bounds, InterfaceMask, Outcome, Scene, Start, Transition};

/// Buttons that were seen to flip something before the game is believed to have them.
const FEWEST: usize = 2;
/// As many more islands than buttons that flip nothing, though they are as large, are no accident. A guess.
const SILENT: usize = 1;
/// A button that is pressed is drawn so many times as large at most. A guess.
const GROWN: u16 = 3;
/// Free choices of buttons that are all tried for the fewest presses.
const FREE: usize = 12;

/// Cells, in the order of rows.
type Cells = BTreeSet<Point>;

/// One button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// Where it was clicked.
    pub at: Point,
    /// Its island.
    island: Bounds,
    /// The cells elsewhere that it flips; empty where it flips none.
    pub flips: Cells,
}

impl Button {
    /// Whether an island is this button, which may be drawn larger now.
    fn is_at(&self, island: Bounds) -> bool {
        self.island == island || island.contains(self.at.x(), self.at.y()) && has_grown(self.island, island)
    }
}

/// Learns what buttons flip.
#[derive(Clone, Debug, Default)]
pub struct Toggles {
    buttons: Vec<Button>,
    /// The two colours of every cell that was flipped in this level, the lower one first.
    colors: BTreeMap<Point, (Color, Color)>,
    /// Islands of buttons that are as large as these may be buttons, in this game.
    sizes: BTreeSet<(u8, u8)>,
    /// The most buttons that a level was seen to have.
    most: usize,
    /// Whether a button did not do again what it had done, in this game.
    is_refuted: bool,
}

impl Toggles {
    /// A level begins, or begins again, with this frame.
    pub fn begin(&mut self, start: Start) {
        if start == Start::Level {
            self.buttons.clear();
            self.colors.clear();
        }
    }

    /// Learns from one action.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) {
        let Action::Click(at) = step.action else { return };
        let Some(after) = step.after().filter(|_| step.outcome == Outcome::Continues && !self.is_refuted) else {
            return;
        };
        let Some(changed) = step.before.differences(after) else { return };
        let Some(island) = island(step.before, at) else { return };
        let pressed = self::island(after, at).filter(|it| has_grown(island, *it));
        let is_own = |it: &Point| [Some(island), pressed].iter().flatten().any(|own| own.contains(it.x(), it.y()));
        let flips = wide(&changed.filter(|it| !mask.hides(*it) && !is_own(it)).collect());
        if let Some(known) = self.buttons.iter().find(|it| it.is_at(island)) {
            self.is_refuted = known.flips != flips;
            return;
        }
        for it in &flips {
            let (Some(old), Some(new)) = (step.before.get(*it), after.get(*it)) else { continue };
            let pair = (old.min(new), old.max(new));
            self.is_refuted |= *self.colors.entry(*it).or_insert(pair) != pair;
        }
        if !flips.is_empty() {
            self.sizes.insert(size(island));
        }
        let like = islands(step.before, mask).into_iter().filter(|it| size(*it) == size(island));
        self.is_refuted |= like.into_iter().any(|it| flips.iter().any(|at| it.contains(at.x(), at.y())));
        self.buttons.push(Button { at, island, flips });
        self.most = self.most.max(self.effective().count());
    }

    /// The buttons of this level that flip something.
    pub fn effective(&self) -> impl Iterator<Item = &Button> {
        self.buttons.iter().filter(|it| !it.flips.is_empty())
    }

    /// Whether this game has such buttons.
    pub fn is_understood(&self) -> bool {
        !self.is_refuted && self.most >= FEWEST
    }

    /// Whether it may have: one flipped something.
    pub fn is_likely(&self) -> bool {
        !self.is_refuted && self.effective().count() > 0
    }

    /// Where to click what may be a button and was not clicked in this level: islands as large as those that are some, of which
    /// there are more than one; nothing where more than a few of those flipped nothing.
    pub fn unknown(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<Point> {
        let silent = self.buttons.iter().filter(|it| it.flips.is_empty() && self.sizes.contains(&size(it.island)));
        if silent.count() > self.effective().count() + SILENT {
            return Vec::new();
        }
        let islands = islands(frame, mask);
        let count = |it: &Bounds| islands.iter().filter(|other| size(**other) == size(*it)).count();
        let is_new = |it: &&Bounds| self.buttons.iter().all(|known| !known.is_at(**it));
        let like = islands.iter().filter(|it| self.sizes.contains(&size(**it)) && count(it) > 1);
        like.filter(is_new).filter_map(|it| middle(*it)).collect()
    }

    /// The pictures that may be wanted, likeliest first: the cells that have to be flipped for each. Every other island of the
    /// form of the one that is flipped, at any whole scale, is a drawing of it; and once all buttons are known, it may have to
    /// be all of one colour.
    pub fn wishes(&self, frame: &Grid, mask: &InterfaceMask) -> Vec<Cells> {
        let all: Cells = self.effective().flat_map(|it| it.flips.iter().copied()).collect();
        let pairs: BTreeSet<(Color, Color)> = self.colors.values().copied().collect();
        let (Some(first), true) = (all.first(), pairs.len() == 1) else { return Vec::new() };
        let Some((low, high)) = pairs.first().copied() else { return Vec::new() };
        let mut wishes = Vec::new();
        if let Some(board) = island(frame, *first).filter(|it| all.iter().all(|at| it.contains(at.x(), at.y()))) {
            let is_button = |it: &Bounds| self.sizes.contains(&size(*it));
            let drawings = islands(frame, mask).into_iter().filter(|it| *it != board && !is_button(it));
            wishes.extend(drawings.flat_map(|drawing| drawn(frame, board, drawing, (low, high))));
        }
        let alike = [high, low].into_iter().filter(|_| self.unknown(frame, mask).is_empty());
        for wanted in alike {
            wishes.push(all.iter().copied().filter(|it| frame.get(*it) != Some(wanted)).collect());
        }
        wishes
    }

    /// What tells apart what is seen of all that is flipped once these cells are, too.
    pub fn picture(&self, frame: &Grid, wish: &Cells) -> Vec<bool> {
        let is_high = |(at, (_, high)): (&Point, &(Color, Color))| (frame.get(*at) == Some(*high)) != wish.contains(at);
        self.colors.iter().map(is_high).collect()
    }

    /// The buttons that flip just these cells and no other one, the fewest that do.
    pub fn solve(&self, wish: &Cells) -> Option<Vec<Point>> {
        let buttons: Vec<&Button> = self.effective().take(64).collect();
        let all: Cells = buttons.iter().flat_map(|it| it.flips.iter().copied()).collect();
        if !wish.is_subset(&all) {
            return None;
        }
        let row = |at: &Point| {
            let bits = buttons.iter().zip(0..).filter(|(it, _)| it.flips.contains(at));
            (bits.fold(0u64, |bits, (_, place)| bits | 1 << place), wish.contains(at))
        };
        let rows: BTreeSet<(u64, bool)> = all.iter().map(row).collect();
        let pressed = solve(rows.into_iter().collect(), buttons.len())?;
        Some(buttons.iter().zip(0..).filter(|(_, place)| pressed >> place & 1 == 1).map(|(it, _)| it.at).collect())
    }
}

/// The smallest set of so many unknowns that fulfils all equations: the unknowns of each, and whether an odd number of them is
/// in the set.
fn solve(mut rows: Vec<(u64, bool)>, unknowns: usize) -> Option<u64> {
    let mut pivots: Vec<(usize, u64, bool)> = Vec::new();
    for place in 0..unknowns {
        let Some(index) = rows.iter().position(|it| it.0 >> place & 1 == 1) else { continue };
        let (bits, odd) = rows.swap_remove(index);
        let others = rows.iter_mut().map(|it| (&mut it.0, &mut it.1));
        let pivots_too = pivots.iter_mut().map(|it| (&mut it.1, &mut it.2));
        for (row, is_odd) in others.chain(pivots_too).filter(|it| *it.0 >> place & 1 == 1) {
            *row ^= bits;
            *is_odd ^= odd;
        }
        pivots.push((place, bits, odd));
    }
    if rows.iter().any(|it| it.1) {
        return None;
    }
    let free: Vec<usize> = (0..unknowns).filter(|it| pivots.iter().all(|pivot| pivot.0 != *it)).collect();
    let sets = (0u64..1 << free.len().min(FREE)).map(|choice| {
        let chosen =
            free.iter().zip(0..).filter(|(_, bit)| choice >> bit & 1 == 1).fold(0u64, |set, (it, _)| set | 1 << it);
        let is_in = |(_, bits, odd): &&(usize, u64, bool)| ((bits & chosen).count_ones() % 2 == 1) != *odd;
        pivots.iter().filter(is_in).fold(chosen, |set, pivot| set | 1 << pivot.0)
    });
    sets.min_by_key(|it| it.count_ones())
}

/// The cells of a board that differ from a drawing of it, for each way to read the drawing's two colours.
fn drawn(frame: &Grid, board: Bounds, drawing: Bounds, (low, high): (Color, Color)) -> Vec<Cells> {
    let scaled = |a: u8, b: u8| a.is_multiple_of(b) || b.is_multiple_of(a);
    let ((width, height), (drawn_width, drawn_height)) = (size(board), size(drawing));
    let is_like = u16::from(width) * u16::from(drawn_height) == u16::from(height) * u16::from(drawn_width);
    if !is_like || !scaled(width, drawn_width) {
        return Vec::new();
    }
    let image = |at: Point| {
        let along = |at: u8, from: u8, length: u8, to: u8, drawn: u8| {
            to + (u16::from(at - from) * u16::from(drawn) / u16::from(length)) as u8
        };
        let x = along(at.x(), board.left, width, drawing.left, drawn_width);
        let y = along(at.y(), board.top, height, drawing.top, drawn_height);
        Point::new(x, y).ok().and_then(|it| frame.get(it))
    };
    let is_part = |at: &Point| frame.get(*at).is_some_and(|it| it == low || it == high);
    let cells: Vec<Point> = board.points().filter(is_part).collect();
    let seen: BTreeSet<Color> = cells.iter().filter_map(|it| image(*it)).collect();
    let Some((a, b)) = seen.first().copied().zip(seen.last().copied()).filter(|_| seen.len() == 2) else {
        return Vec::new();
    };
    let readings: &[[Color; 2]] = if a == low || b == high {
        &[[a, b]]
    } else if a == high || b == low {
        &[[b, a]]
    } else {
        &[[a, b], [b, a]]
    };
    let differs = |at: &Point, reading: &[Color; 2]| (image(*at) == Some(reading[1])) != (frame.get(*at) == Some(high));
    readings.iter().map(|reading| cells.iter().copied().filter(|at| differs(at, reading)).collect()).collect()
}

/// These cells without those that are single or in a line by themselves, as gauges are that count what is done.
fn wide(cells: &Cells) -> Cells {
    let has = |at: &Point, dx: i8, dy: i8| at.offset(dx, dy).is_some_and(|it| cells.contains(&it));
    let is_wide = |at: &Point| (has(at, 1, 0) || has(at, -1, 0)) && (has(at, 0, 1) || has(at, 0, -1));
    cells.iter().copied().filter(is_wide).collect()
}

/// Whether an island may be a button that was drawn so before: no more than a few times as large.
fn has_grown(before: Bounds, after: Bounds) -> bool {
    let area = |it: Bounds| u16::from(it.width()) * u16::from(it.height());
    area(after) <= GROWN * area(before)
}

fn size(it: Bounds) -> (u8, u8) {
    (it.width(), it.height())
}

fn middle(it: Bounds) -> Option<Point> {
    Point::new(it.left + it.width() / 2, it.top + it.height() / 2).ok()
}

/// What lies on the ground and touches, whatever its colours, those aside that the interface hides: in a scene of two colours.
fn archipelago(frame: &Grid, mask: &InterfaceMask) -> (Scene, Color) {
    let ground = Scene::of(frame).background();
    let land = if Color::ALL[0] == ground { Color::ALL[1] } else { Color::ALL[0] };
    let mut flat = Grid::filled(frame.width(), frame.height(), ground);
    for at in frame.points().filter(|at| frame.get(*at) != Some(ground) && !mask.hides(*at)) {
        flat.set(at, land);
    }
    (Scene::of(&flat), land)
}

/// The bounds of each island.
fn islands(frame: &Grid, mask: &InterfaceMask) -> Vec<Bounds> {
    let (scene, land) = archipelago(frame, mask);
    scene.components().iter().filter(|it| it.color == land).map(|it| it.bounds).collect()
}

/// The island at a point.
fn island(frame: &Grid, at: Point) -> Option<Bounds> {
    let (scene, land) = archipelago(frame, &InterfaceMask::new());
    let it = &scene.components()[scene.component_at(at)?];
    (it.color == land).then_some(it.bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of three by two fields of four cells, a drawing of it at half the scale, and three buttons of five by three cells.
    struct Desk {
        lit: u8,
        wanted: u8,
    }

    const FLIPS: [u8; 3] = [0b00_0011, 0b01_0110, 0b11_0000];

    impl Desk {
        fn frame(&self) -> Grid {
            let mut frame = Grid::filled(40, 40, Color::of(5));
            let mut block = |(left, top): (u8, u8), (width, height): (u8, u8), color: u8| {
                for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (left + x, top + y))) {
                    frame.set(Point::new(x, y).unwrap(), Color::of(color));
                }
            };
            for field in 0..6 {
                let (x, y) = (field % 3, field / 3);
                block((2 + 4 * x, 2 + 4 * y), (4, 4), if self.lit >> field & 1 == 1 { 11 } else { 4 });
                block((20 + 2 * x, 2 + 2 * y), (2, 2), if self.wanted >> field & 1 == 1 { 8 } else { 4 });
            }
            for button in 0..3 {
                block((2 + 8 * button, 30), (5, 3), 9);
            }
            frame
        }

        fn press(&mut self, toggles: &mut Toggles, at: Point) {
            let before = self.frame();
            self.lit ^= FLIPS[usize::from(at.x() - 2) / 8];
            let layers = [self.frame()];
            let (action, outcome) = (Action::Click(at), Outcome::Continues);
            toggles.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
        }
    }

    fn button(index: u8) -> Point {
        Point::new(4 + 8 * index, 31).unwrap()
    }

    #[test]
    fn a_drawing_is_made_with_the_fewest_presses_once_all_buttons_are_known() {
        let mut desk = Desk { lit: 0, wanted: FLIPS[0] ^ FLIPS[2] };
        let (mut toggles, mask) = (Toggles::default(), InterfaceMask::new());
        toggles.begin(Start::Level);
        desk.press(&mut toggles, button(1));
        assert!(toggles.is_likely() && !toggles.is_understood());
        assert_eq!(toggles.unknown(&desk.frame(), &mask).len(), 2);
        desk.press(&mut toggles, button(0));
        assert!(toggles.is_understood());
        let wishes = toggles.wishes(&desk.frame(), &mask);
        assert_eq!((wishes.len(), toggles.solve(&wishes[0])), (1, None), "the third one is missing");
        desk.press(&mut toggles, button(2));
        let wishes = toggles.wishes(&desk.frame(), &mask);
        assert_eq!(toggles.solve(&wishes[0]), Some(vec![button(1)]));
        assert_eq!(wishes.len(), 3, "and all lit, and all dark");
        desk.press(&mut toggles, button(1));
        assert_eq!(desk.lit, desk.wanted);
    }

    #[test]
    fn what_flips_other_cells_than_before_is_no_such_button() {
        let (mut toggles, mut desk) = (Toggles::default(), Desk { lit: 0, wanted: 0 });
        desk.press(&mut toggles, button(0));
        desk.press(&mut toggles, button(1));
        let before = desk.frame();
        desk.lit ^= FLIPS[2];
        let layers = [desk.frame()];
        let (action, outcome) = (Action::Click(button(0)), Outcome::Continues);
        toggles.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
        assert!(!toggles.is_understood());
    }

    #[test]
    fn what_a_button_becomes_when_it_is_pressed_is_not_elsewhere() {
        let (mut toggles, mut desk, mut is_pressed) = (Toggles::default(), Desk { lit: 0, wanted: 0 }, false);
        let frame = |desk: &Desk, is_pressed: bool| {
            let mut frame = desk.frame();
            let grown = Bounds { left: 1, top: 29, right: 7, bottom: 33 };
            for at in grown.points().filter(|_| is_pressed) {
                frame.set(at, Color::of(9));
            }
            frame
        };
        for _ in 0..2 {
            let before = frame(&desk, is_pressed);
            desk.lit ^= FLIPS[0];
            is_pressed = !is_pressed;
            let layers = [frame(&desk, is_pressed)];
            let (action, outcome) = (Action::Click(button(0)), Outcome::Continues);
            toggles.observe(&Transition { before: &before, action, layers: &layers, outcome }, &InterfaceMask::new());
            let flips: Vec<usize> = toggles.effective().map(|it| it.flips.len()).collect();
            assert_eq!(flips, [32], "two fields, and the same button however it is drawn");
            assert!(toggles.is_likely());
        }
    }

    #[test]
    fn lamps_that_flip_their_like_are_no_such_buttons() {
        let mut toggles = Toggles::default();
        let lamps = |lit: [bool; 3]| {
            let mut frame = Grid::filled(40, 12, Color::of(5));
            for (place, is_lit) in (0..).zip(lit) {
                let (left, color) = (2 + 8 * place, Color::of(if is_lit { 11 } else { 4 }));
                for at in (0..16).map(|it| Point::new(left + it % 4, 2 + it / 4).unwrap()) {
                    frame.set(at, color);
                }
            }
            frame
        };
        let (action, layers) = (Action::Click(Point::new(3, 3).unwrap()), [lamps([true, true, false])]);
        let step = Transition { before: &lamps([false; 3]), action, layers: &layers, outcome: Outcome::Continues };
        toggles.observe(&step, &InterfaceMask::new());
        assert_eq!(toggles.effective().count(), 1);
        assert!(!toggles.is_understood() && !toggles.is_likely());
    }

    #[test]
    fn cells_in_a_line_are_a_gauge() {
        let at = |x, y| Point::new(x, y).unwrap();
        let cells = Cells::from([at(1, 1), at(2, 1), at(1, 2), at(2, 2), at(9, 9), at(10, 9)]);
        assert_eq!(wide(&cells).len(), 4);
    }

    #[test]
    fn equations_have_their_smallest_set() {
        assert_eq!(solve(vec![(0b011, true), (0b110, true)], 3), Some(0b010));
        assert_eq!(solve(vec![(0b011, true), (0b011, false)], 2), None);
        assert_eq!(solve(vec![(0b111, true)], 3).map(u64::count_ones), Some(1));
    }
}
