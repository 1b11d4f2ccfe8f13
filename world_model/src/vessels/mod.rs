//! Vessels that hold layers of liquids, and presses that pour from one into another.
//!
//! - [`Vessels`]: watches presses, and says what a press would lead to. Start here.
//! - `shape`: where a vessel is, told from what changed in it.
//!
//! What went in last comes out first; a press pours until the one is empty or the other full, or so many units and no more.
//! What a vessel should hold may be drawn along it.

mod shape;

use std::collections::BTreeMap;

use env_client::{Action, Color, Grid, Point};

use self::shape::{Axis, Vessel};
use crate::{Bounds, InterfaceMask, Scene, Transition};

/// What lies in a vessel, the deepest unit first.
pub type Stack = Vec<Color>;

/// What a press does: it pours from one vessel into another, at most so many units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pour {
    from: usize,
    to: usize,
    most: Option<usize>,
}

/// Learns what presses pour.
#[derive(Clone, Debug, Default)]
pub struct Vessels {
    /// The colour of what is empty.
    bed: Option<Color>,
    all: Vec<Vessel>,
    /// Cells of a unit along a vessel.
    unit: usize,
    /// Whether the deepest unit is the last one, to the right or at the bottom.
    is_reversed: Option<bool>,
    buttons: BTreeMap<Point, (Bounds, Pour)>,
}

impl Vessels {
    /// A level begins: the vessels are others, but what is empty looks the same and they are filled from the same side.
    pub fn begin(&mut self) {
        *self = Vessels { bed: self.bed, is_reversed: self.is_reversed, ..Vessels::default() };
    }

    /// Learns from a click; whether it poured.
    pub fn observe(&mut self, step: &Transition<'_>, mask: &InterfaceMask) -> bool {
        let (Action::Click(at), Some(after)) = (step.action, step.after()) else { return false };
        let Some([lost, gained]) = shape::exchanged(step.before, after, mask) else { return false };
        if [lost, gained].iter().any(|it| it.contains(at.x(), at.y())) {
            return false; // What is clicked and moves is a piece.
        }
        let Some((bed, poured)) = self.find([step.before, after], [lost, gained]) else { return false };
        let scene = Scene::of(step.before);
        let Some(index) = scene.component_at(at) else { return false };
        self.bed = Some(bed);
        self.refine(step.before);
        let [before, now] = [step.before, after].map(|frame| self.read(frame));
        let moved = now[poured.to].len().saturating_sub(before[poured.to].len());
        let whole = before[poured.from].len().min(self.room(poured.to) - before[poured.to].len());
        let known = self.button_at(at).map(|at| self.buttons[&at].1);
        let most = if moved < whole { Some(moved) } else { known.and_then(|it| it.most) };
        let pour = Pour { most, ..poured };
        if moved == 0 || self.poured(pour, &before) != now {
            return false;
        }
        let place = self.button_at(at).unwrap_or(at);
        self.buttons.insert(place, (scene.components()[index].bounds, pour));
        true
    }

    /// The colour of what is empty, and which vessel poured into which; new ones are added.
    fn find(&mut self, frames: [&Grid; 2], [a, b]: [Bounds; 2]) -> Option<(Color, Pour)> {
        let [before, after] = frames;
        let middle = |it: Bounds| Point::new(it.left.midpoint(it.right), it.top.midpoint(it.bottom)).ok();
        let (a_at, b_at) = (middle(a)?, middle(b)?);
        // What was poured is where the bed is afterwards, and came where it was before.
        let is_from = |from: Point, to: Point| after.get(from) == before.get(to);
        let known = self.bed.filter(|bed| after.get(a_at) == Some(*bed) || after.get(b_at) == Some(*bed));
        let (lost, gained) = match known {
            Some(bed) if after.get(b_at) == Some(bed) => (b, a),
            None if is_from(b_at, a_at) && !is_from(a_at, b_at) => (b, a),
            _ => (a, b),
        };
        let bed = after.get(middle(lost)?)?;
        if !shape::is_all(after, lost, bed) || !shape::is_all(before, gained, bed) {
            return None;
        }
        let [from, to] = [lost, gained].map(|it| self.vessel(before, it, bed));
        Some((bed, Pour { from: from?, to: to?, most: None }))
    }

    /// The vessel that a changed rectangle lies in.
    fn vessel(&mut self, frame: &Grid, changed: Bounds, bed: Color) -> Option<usize> {
        let inside = |it: &Vessel| {
            it.bounds.contains(changed.left, changed.top) && it.bounds.contains(changed.right, changed.bottom)
        };
        if let Some(known) = self.all.iter().position(inside) {
            self.unit = gcd(self.unit, self.all[known].axis.length(changed));
            return Some(known);
        }
        let vessel = Vessel::around(frame, changed, self.all.first().map(|it| it.axis))?;
        self.unit = gcd(gcd(self.unit, vessel.axis.length(changed)), vessel.axis.length(vessel.bounds));
        self.is_reversed = self.is_reversed.or_else(|| vessel.is_reversed(frame, bed));
        self.all.push(vessel);
        Some(self.all.len() - 1)
    }

    /// A unit is no longer than what is drawn along a vessel in one colour.
    fn refine(&mut self, frame: &Grid) {
        let liquids = self.liquids(frame);
        for drawn in self.all.iter().filter_map(|it| it.reference(frame, liquids)) {
            let runs = drawn.chunk_by(|a, b| a == b).map(<[Color]>::len);
            self.unit = runs.fold(self.unit, gcd);
        }
    }

    /// What the vessels hold, as a set of indices.
    fn liquids(&self, frame: &Grid) -> u16 {
        self.read(frame).into_iter().flatten().fold(0, |set, color| set | 1 << color.index())
    }

    fn room(&self, vessel: usize) -> usize {
        let it = &self.all[vessel];
        it.axis.length(it.bounds) / self.unit.max(1)
    }

    /// The vessels' stacks after a press.
    fn poured(&self, pour: Pour, stacks: &[Stack]) -> Vec<Stack> {
        let mut after = stacks.to_vec();
        let room = self.room(pour.to) - after[pour.to].len();
        for _ in 0..pour.most.unwrap_or(usize::MAX).min(room).min(after[pour.from].len()) {
            let unit = after[pour.from].pop();
            after[pour.to].extend(unit);
        }
        after
    }

    /// Where to click each button, and what its drawing covers.
    pub fn buttons(&self) -> impl Iterator<Item = (Point, Bounds)> {
        self.buttons.iter().map(|(at, (bounds, _))| (*at, *bounds))
    }

    /// The button whose drawing covers a point.
    fn button_at(&self, at: Point) -> Option<Point> {
        self.buttons().find(|(_, bounds)| bounds.contains(at.x(), at.y())).map(|(at, _)| at)
    }

    /// The stacks after a press of the button to be clicked here.
    pub fn press(&self, at: Point, stacks: &[Stack]) -> Option<Vec<Stack>> {
        Some(self.poured(self.buttons.get(&at)?.1, stacks))
    }

    /// Whether two drawings lie one beside the other across the vessels: on one way from vessel to vessel.
    pub fn is_one_way(&self, a: Bounds, b: Bounds) -> bool {
        match self.all.first().map(|it| it.axis) {
            Some(Axis::Across) => (a.left, a.right) == (b.left, b.right),
            Some(Axis::Down) => (a.top, a.bottom) == (b.top, b.bottom),
            None => false,
        }
    }

    /// What every vessel holds in a frame.
    pub fn read(&self, frame: &Grid) -> Vec<Stack> {
        self.all.iter().map(|it| self.units(&it.line(frame)).take_while(|it| Some(*it) != self.bed).collect()).collect()
    }

    /// A line of cells along a vessel, one a unit, from the bottom.
    fn units(&self, line: &[Color]) -> impl Iterator<Item = Color> {
        let units: Vec<Color> = line.chunks(self.unit.max(1)).map(|unit| unit[0]).collect();
        let count = units.len();
        let is_reversed = self.is_reversed.unwrap_or_default();
        (0..count).map(move |at| units[if is_reversed { count - 1 - at } else { at }])
    }

    /// What is drawn along every vessel that it should hold, if anything is.
    pub fn wanted(&self, frame: &Grid) -> Vec<Option<Stack>> {
        let liquids = self.liquids(frame);
        let drawn: Vec<Option<Vec<Color>>> = self.all.iter().map(|it| it.reference(frame, liquids)).collect();
        let lines = drawn.into_iter().map(|line| line.map(|line| self.units(&line).collect::<Vec<_>>()));
        let is_liquid = |color: &Color| liquids & 1 << color.index() != 0;
        lines.map(|line| line.map(|line| line.into_iter().take_while(is_liquid).collect())).collect()
    }

    /// The frame with these stacks in the vessels.
    pub fn draw(&self, frame: &Grid, stacks: &[Stack]) -> Grid {
        let mut drawn = frame.clone();
        for (vessel, stack) in self.all.iter().zip(stacks) {
            let count = vessel.axis.length(vessel.bounds);
            for at in 0..count {
                let from = if self.is_reversed.unwrap_or_default() { count - 1 - at } else { at };
                let color = stack.get(from / self.unit.max(1)).copied().or(self.bed).unwrap_or_default();
                vessel.slice(at).for_each(|cell| drawn.set(cell, color));
            }
        }
        drawn
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    /// Three vessels of two cells a unit, framed in 2, bed 1, what they should hold in a row below, of which 5 is nothing;
    /// two arrows of 9.
    fn frame(stacks: [&str; 3]) -> Grid {
        let mut rows = vec![vec![4u8; 24]; 21];
        for (index, (stack, (room, wanted))) in stacks.iter().zip([(4, "55"), (3, "5"), (4, "6655")]).enumerate() {
            let top = 1 + 6 * index;
            let mut row = |y: usize, from: usize, to: usize, color: u8| rows[y][from..to].fill(color);
            (0..4).for_each(|y| row(top + y, 1, 3 + 2 * room, 2));
            for unit in 0..room {
                let color = stack.as_bytes().get(unit).map_or(1, |it| it - b'0');
                let shown = wanted.as_bytes().get(unit).map_or(5, |it| it - b'0');
                (1..3).for_each(|y| row(top + y, 2 + 2 * unit, 4 + 2 * unit, color));
                if index != 1 {
                    row(top + 4, 2 + 2 * unit, 4 + 2 * unit, shown);
                }
            }
        }
        for (x, y) in [(16, 5), (19, 11)] {
            (0..2).for_each(|dy| rows[y + dy][x..x + 2].fill(9));
        }
        Grid::from_rows(rows.into_iter().map(|row| row.into_iter().map(Color::of).collect::<Vec<_>>())).unwrap()
    }

    fn click(vessels: &mut Vessels, at: (u8, u8), before: [&str; 3], after: [&str; 3]) -> bool {
        let (before, layers) = (frame(before), [frame(after)]);
        let action = Action::Click(Point::new(at.0, at.1).unwrap());
        vessels.observe(
            &Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues },
            &InterfaceMask::new(),
        )
    }

    fn stacks(frame: [&str; 3]) -> Vec<Stack> {
        frame.map(|it| it.bytes().map(|it| Color::of(it - b'0')).collect()).to_vec()
    }

    #[test]
    fn two_presses_tell_of_three_vessels() {
        let mut vessels = Vessels::default();
        assert!(click(&mut vessels, (16, 5), ["666", "", ""], ["", "666", ""]));
        assert!(click(&mut vessels, (19, 11), ["", "666", ""], ["", "6", "66"]));
        assert_eq!(vessels.read(&frame(["6", "", "66"])), stacks(["6", "", "66"]));
        let wanted = vessels.wanted(&frame(["6", "", "66"]));
        assert_eq!(wanted, [Some(vec![]), None, Some(vec![Color::of(6); 2])]);
        let all = vessels.press(Point::new(16, 5).unwrap(), &stacks(["666", "6", ""])).unwrap();
        assert_eq!(all, stacks(["6", "666", ""]), "until it is full");
        let two = vessels.press(Point::new(19, 11).unwrap(), &stacks(["", "666", ""])).unwrap();
        assert_eq!(two, stacks(["", "6", "66"]), "two and no more");
        assert_eq!(vessels.draw(&frame(["666", "", ""]), &stacks(["", "666", ""])), frame(["", "666", ""]));
    }

    #[test]
    fn what_is_empty_is_known_from_the_level_before() {
        let mut vessels = Vessels::default();
        assert!(click(&mut vessels, (16, 5), ["666", "", ""], ["", "666", ""]));
        vessels.begin();
        assert!(click(&mut vessels, (16, 5), ["", "666", ""], ["666", "", ""]), "upwards");
        assert_eq!(vessels.read(&frame(["666", "", ""])), stacks(["", "666", ""])[..2]);
    }

    #[test]
    fn what_moves_when_it_is_clicked_is_not_poured() {
        let mut vessels = Vessels::default();
        assert!(!click(&mut vessels, (4, 2), ["666", "", ""], ["", "666", ""]));
        assert!(click(&mut vessels, (16, 5), ["666", "", ""], ["", "666", ""]));
    }

    #[test]
    fn what_changes_in_one_place_only_pours_nothing() {
        assert!(!click(&mut Vessels::default(), (16, 5), ["666", "", ""], ["66", "", ""]));
    }
}
