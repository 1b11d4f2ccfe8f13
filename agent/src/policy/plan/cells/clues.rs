//! What clues between the cells may mean: each of their blocks says of one neighbour that it has the colour in the middle
//! of the clue, that it has another one, or nothing.
//!
//! Which colour of a block says what is not known. Cells that never change show it, where they lie around a clue: a
//! reading that they contradict is none. Of all others the one that they bear out most often comes first.

use std::collections::BTreeSet;

use env_client::Color;
use world_model::{Cells, cells::Clue};

/// Colours of blocks whose meaning is looked for: three ways to read each, 80 in all that say something.
const COLORS: usize = 4;

/// What the blocks of clues say, by their colours as sets of indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Reading {
    /// The neighbour has the colour in the middle.
    same: u16,
    /// It has another one.
    other: u16,
}

/// What clues say of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Demand {
    /// The colour it must have.
    pub(super) color: Option<Color>,
    /// The colours it must not have, as a set of indices.
    pub(super) banned: u16,
}

impl Demand {
    /// Whether a colour will do.
    pub(super) fn allows(self, color: Color) -> bool {
        self.color.is_none_or(|it| it == color) && self.banned & bit(color) == 0
    }
}

impl Reading {
    /// Every way to read the clues of a level that its unchanging cells do not contradict, best borne out first. `live`
    /// are the cells that change.
    pub(super) fn all(model: &Cells, now: &[Color], live: &[usize]) -> Vec<Reading> {
        let (clues, level) = (model.clues(), model.level());
        let colors: BTreeSet<Color> = clues.iter().flat_map(|it| it.around(level)).map(|(_, color)| color).collect();
        if colors.is_empty() || colors.len() > COLORS {
            return Vec::new();
        }
        let seen = || clues.iter().flat_map(|clue| clue.around(level).map(move |(cell, color)| (clue, cell, color)));
        let examples: Vec<(Color, bool)> = seen()
            .filter(|(_, cell, _)| !live.contains(cell))
            .map(|(clue, cell, color)| (color, now[cell] == clue.middle()))
            .collect();
        let mut readings: Vec<(usize, Reading)> = Vec::new();
        for number in 0..3usize.pow(colors.len() as u32) {
            let reading = Reading::numbered(number, &colors);
            let (right, wrong) =
                examples.iter().fold((0, 0), |(right, wrong), (color, same)| match reading.says(*color) {
                    Some(says) if says == *same => (right + 1, wrong),
                    Some(_) => (right, wrong + 1),
                    None => (right, wrong),
                });
            if wrong == 0 && reading != Reading::default() {
                readings.push((right, reading));
            }
        }
        readings.sort_by_key(|(right, reading)| std::cmp::Reverse((*right, reading.breadth(), *reading)));
        readings.into_iter().map(|(_, reading)| reading).collect()
    }

    /// What the clues of a level say of a cell.
    pub(super) fn demand(self, model: &Cells, cell: usize) -> Option<Demand> {
        let of_cell = |clue: &Clue| clue.around(model.level()).find(|(it, _)| *it == cell).map(|(_, color)| color);
        let mut demand = Demand::default();
        for (clue, color) in model.clues().iter().filter_map(|clue| Some((clue, of_cell(clue)?))) {
            match self.says(color) {
                Some(true) if demand.color.is_some_and(|it| it != clue.middle()) => return None,
                Some(true) => demand.color = Some(clue.middle()),
                Some(false) => demand.banned |= bit(clue.middle()),
                None => {}
            }
        }
        Some(demand)
    }

    /// Whether no colour says one thing here and the opposite there.
    pub(super) fn agrees(self, other: Reading) -> bool {
        self.same & other.other == 0 && self.other & other.same == 0
    }

    fn numbered(mut number: usize, colors: &BTreeSet<Color>) -> Reading {
        let mut reading = Reading::default();
        for color in colors {
            match number % 3 {
                1 => reading.same |= bit(*color),
                2 => reading.other |= bit(*color),
                _ => {}
            }
            number /= 3;
        }
        reading
    }

    /// Whether a block of this colour says that a neighbour is like the middle, or that it is not.
    fn says(self, color: Color) -> Option<bool> {
        match bit(color) {
            it if self.same & it != 0 => Some(true),
            it if self.other & it != 0 => Some(false),
            _ => None,
        }
    }

    /// How many colours say something, and whether they do not all say the same.
    fn breadth(self) -> (bool, u32) {
        (self.same != 0 && self.other != 0, (self.same | self.other).count_ones())
    }
}

fn bit(color: Color) -> u16 {
    1 << color.index()
}
