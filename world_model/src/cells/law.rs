//! What a click does to the cells around: offsets that answer, and the colour that comes after each.
//!
//! Clicks that have something in common (nothing at all, the mark of the clicked cell, its colour, its panel, its place)
//! share one stencil of offsets; every cell under the stencil goes from its colour to the next. The fewest distinctions
//! that explain the clicks seen are taken, and of what is left the fewest offsets.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use env_client::Color;

use super::Mark;

/// Offsets a stencil may have: more is a mechanism of another kind.
const OFFSETS: usize = 40;
/// The share of cells a law must explain.
const EXPLAINED: f32 = 0.98;
/// So many cells explained make up for one that is not.
const FORGIVEN: usize = 8;

/// What does not change while a level lasts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Tells levels apart.
    pub number: u32,
    /// Cells across.
    pub columns: u8,
    /// Cells down.
    pub rows: u8,
    /// The colours in which it began.
    pub start: Vec<Color>,
    /// What the cells showed beside their colour then.
    pub marks: Vec<Mark>,
    /// Which cells are there.
    pub present: Vec<bool>,
    /// Cells that hang together, by number; 0 where nothing ever changes.
    pub panels: Vec<u32>,
}

impl Level {
    /// Whether two cells looked alike when it began.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        let look = |cell: usize| (self.present[cell], self.start[cell], self.marks[cell]);
        look(one) == look(other)
    }

    /// The places beside one, whether there are cells or not.
    pub fn beside(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, count) = (usize::from(self.columns), self.start.len());
        let left = (!place.is_multiple_of(columns)).then(|| place - 1);
        let right = (place % columns + 1 < columns).then_some(place + 1);
        let below = (place + columns < count).then_some(place + columns);
        [left, right, place.checked_sub(columns), below].into_iter().flatten()
    }

    /// The groups of places of some kind that hang together along their sides, by their first place.
    pub fn groups(&self, belongs: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.start.len()];
        let mut groups = Vec::new();
        for first in 0..seen.len() {
            let (mut open, mut group) = (vec![first], Vec::new());
            while let Some(place) = open.pop() {
                if belongs(place) && !std::mem::replace(&mut seen[place], true) {
                    group.push(place);
                    open.extend(self.beside(place));
                }
            }
            groups.extend((!group.is_empty()).then_some(group));
        }
        groups
    }
}

/// One click and what it did.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) level: Arc<Level>,
    pub(super) clicked: usize,
    pub(super) before: Vec<Color>,
    pub(super) after: Vec<Color>,
}

impl Sample {
    pub(super) fn is_effective(&self) -> bool {
        self.before != self.after
    }
}

/// What clicks with one stencil have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keying {
    /// All clicks.
    All,
    /// Those on cells whose marks are alike but for colours that cells take.
    Sign,
    /// Those on cells with one mark.
    Mark,
    /// Those on cells of one colour.
    Color,
    /// Those in one panel.
    Panel,
    /// Those in one panel on cells with one mark.
    PanelMark,
    /// Those on one cell.
    Place,
}

/// A distinction and, for each of its cases, the offsets that answer: none where clicks do nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    keying: Keying,
    /// Whether what leaves the board on one side comes back on the other.
    wrap: bool,
    /// Whether the next colour depends on the one in which the level began.
    by_start: bool,
    /// Whether all cells answer that looked like the clicked one when the level began, wherever they are. A stencil then only
    /// tells whether they do.
    alike: bool,
    stencils: BTreeMap<u64, BTreeSet<(i8, i8)>>,
    next: BTreeMap<(Option<Color>, Color), Color>,
}

impl Law {
    /// The simplest law that explains the clicks.
    pub(super) fn fit(samples: &[Sample]) -> Option<Law> {
        if samples.iter().filter(|it| it.is_effective()).count() < 2 {
            return None;
        }
        let keyings =
            [Keying::All, Keying::Sign, Keying::Mark, Keying::Color, Keying::Panel, Keying::PanelMark, Keying::Place];
        keyings.into_iter().find_map(|keying| {
            let bends = [(false, false, false), (true, false, false), (false, true, false), (false, false, true)];
            let laws = bends.into_iter().filter_map(|(wrap, by_start, alike)| {
                let mut law = Law { keying, wrap, by_start, alike, stencils: BTreeMap::new(), next: BTreeMap::new() };
                let samples: Vec<&Sample> = law.pertinent(samples);
                (law.gather(&samples) && law.explains(&samples)).then_some(law)
            });
            let mut simplest = laws.min_by_key(|law| law.stencils.values().map(BTreeSet::len).sum::<usize>())?;
            if !simplest.alike {
                simplest.mirror(samples);
            }
            Some(simplest)
        })
    }

    /// The samples that speak of this level's cases: panels and places mean nothing in another level.
    fn pertinent<'a>(&self, samples: &'a [Sample]) -> Vec<&'a Sample> {
        let last = samples.last().map_or(0, |it| it.level.number);
        let local = matches!(self.keying, Keying::Panel | Keying::PanelMark | Keying::Place);
        samples.iter().filter(|it| !local || it.level.number == last).collect()
    }

    /// Takes stencils and colours from the clicks; whether they stay within bounds.
    fn gather(&mut self, samples: &[&Sample]) -> bool {
        for sample in samples {
            let key = self.key(&sample.level, &sample.before, sample.clicked);
            let stencil = self.stencils.entry(key).or_default();
            if self.alike {
                stencil.extend(sample.is_effective().then_some((0, 0)));
                continue;
            }
            let changed = (0..sample.before.len()).filter(|cell| sample.before[*cell] != sample.after[*cell]);
            stencil.extend(changed.map(|cell| offset(&sample.level, sample.clicked, cell, self.wrap)));
        }
        if self.stencils.values().any(|stencil| stencil.len() > OFFSETS) {
            return false;
        }
        let mut counts: HashMap<(Option<Color>, Color), [u32; Color::COUNT]> = HashMap::new();
        for sample in samples {
            for cell in self.reach(&sample.level, &sample.before, sample.clicked).into_iter().flatten() {
                let from = self.state(&sample.level, cell, sample.before[cell]);
                counts.entry(from).or_default()[sample.after[cell].index()] += 1;
            }
        }
        let most = |counts: [u32; Color::COUNT]| (0..Color::COUNT).max_by_key(|index| counts[*index]);
        let next = counts.into_iter().filter_map(|(from, counts)| Some((from, Color::ALL[most(counts)?])));
        self.next = next.collect();
        true
    }

    /// What answers on one side will answer on the other, where no click showed that it does not: at an edge half of a
    /// stencil is missing.
    fn mirror(&mut self, samples: &[Sample]) {
        let mut seen: HashMap<u64, BTreeSet<(i8, i8)>> = HashMap::new();
        for sample in self.pertinent(samples) {
            let key = self.key(&sample.level, &sample.before, sample.clicked);
            let across = self.stencils[&key].iter().map(|(dx, dy)| (-dx, -dy));
            let there = across.filter(|offset| target(&sample.level, sample.clicked, *offset, self.wrap).is_some());
            seen.entry(key).or_default().extend(there);
        }
        for (key, stencil) in &mut self.stencils {
            let unseen = stencil.iter().map(|(dx, dy)| (-dx, -dy)).filter(|offset| !seen[key].contains(offset));
            let unseen: Vec<(i8, i8)> = unseen.collect();
            stencil.extend(unseen);
        }
    }

    fn explains(&self, samples: &[&Sample]) -> bool {
        let (mut right, mut wrong) = (0, 0);
        for sample in samples {
            let Some(after) = self.apply(&sample.level, &sample.before, sample.clicked) else { return false };
            for ((foreseen, seen), before) in after.iter().zip(&sample.after).zip(&sample.before) {
                let touched = before != seen || before != foreseen;
                wrong += usize::from(touched && foreseen != seen);
                right += usize::from(touched && foreseen == seen);
            }
        }
        let share = right as f32 / (right + wrong).max(1) as f32;
        wrong == 0 || share >= EXPLAINED || (wrong == 1 && right >= FORGIVEN)
    }

    /// The colours after a click; `None` where nobody knows.
    pub fn apply(&self, level: &Level, now: &[Color], clicked: usize) -> Option<Vec<Color>> {
        let mut after = now.to_vec();
        for cell in self.reach(level, now, clicked)? {
            after[cell] = self.next(level, cell, now[cell])?;
        }
        Some(after)
    }

    /// The cells that a click reaches; `None` where that is not known.
    pub fn reach(&self, level: &Level, now: &[Color], clicked: usize) -> Option<Vec<usize>> {
        let stencil = self.stencils.get(&self.key(level, now, clicked))?;
        if self.alike {
            let is_alike = |cell: &usize| !stencil.is_empty() && level.are_alike(*cell, clicked);
            return Some((0..now.len()).filter(is_alike).collect());
        }
        Some(stencil.iter().filter_map(|offset| target(level, clicked, *offset, self.wrap)).collect())
    }

    /// The colour after this one.
    pub fn next(&self, level: &Level, cell: usize, color: Color) -> Option<Color> {
        self.next.get(&self.state(level, cell, color)).copied()
    }

    /// What clicks with one stencil have in common.
    pub fn keying(&self) -> Keying {
        self.keying
    }

    fn state(&self, level: &Level, cell: usize, color: Color) -> (Option<Color>, Color) {
        (self.by_start.then(|| level.start[cell]), color)
    }

    fn key(&self, level: &Level, now: &[Color], cell: usize) -> u64 {
        match self.keying {
            Keying::All => 0,
            Keying::Sign => level.marks[cell].sign,
            Keying::Mark => level.marks[cell].shape,
            Keying::Color => now[cell].index() as u64,
            Keying::Panel => u64::from(level.panels[cell]),
            Keying::PanelMark => level.marks[cell].shape.rotate_left(32) ^ u64::from(level.panels[cell]),
            Keying::Place => cell as u64,
        }
    }
}

fn place(level: &Level, cell: usize) -> (i16, i16) {
    ((cell % usize::from(level.columns)) as i16, (cell / usize::from(level.columns)) as i16)
}

/// From one cell to another; the shorter way round on a board without edges.
fn offset(level: &Level, from: usize, to: usize, wrap: bool) -> (i8, i8) {
    let (a, b) = (place(level, from), place(level, to));
    let along = |by: i16, length: u8| {
        let length = i16::from(length);
        let by = if wrap { (by + length / 2).rem_euclid(length) - length / 2 } else { by };
        by as i8
    };
    (along(b.0 - a.0, level.columns), along(b.1 - a.1, level.rows))
}

fn target(level: &Level, from: usize, (dx, dy): (i8, i8), wrap: bool) -> Option<usize> {
    let (x, y) = place(level, from);
    let along = |at: i16, length: u8| {
        let at = if wrap { at.rem_euclid(i16::from(length)) } else { at };
        (0..i16::from(length)).contains(&at).then_some(at as usize)
    };
    let (x, y) = (along(x + i16::from(dx), level.columns)?, along(y + i16::from(dy), level.rows)?);
    Some(y * usize::from(level.columns) + x).filter(|cell| level.present[*cell])
}
