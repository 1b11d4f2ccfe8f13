//! What was seen at each time of a level, over all attempts at it: what changes by turns shows when it will do so again.

use env_client::{Color, Grid};

use super::commonest;
use crate::rules::{
    cell_set::CellSet,
    sprite::{SIDES, Vector, color_at},
};

/// Times of a level that are remembered; each takes a frame. A guess.
const LONGEST: usize = 128;
/// The longest period, in actions. A guess.
const PERIOD: usize = 48;
/// Times seen beyond one period before it is believed: half of it, and at least so many. Guesses.
const BEYOND: usize = 4;
/// Changes of a region before its times are believed without a period. A guess.
const CHANGES: usize = 3;

/// A frame, but for what one's own pieces cover.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) frame: Grid,
    known: CellSet,
}

impl Moment {
    /// A frame, of which these cells cannot be told.
    pub(super) fn new(frame: &Grid, hidden: &CellSet) -> Moment {
        let known = cells(frame).filter(|at| !hidden.contains(*at)).collect();
        Moment { frame: frame.clone(), known }
    }

    /// The same, of which these cells cannot be told either.
    pub(super) fn hide(&mut self, hidden: &CellSet) {
        hidden.iter().for_each(|at| _ = self.known.remove(at));
    }

    /// What is seen in a cell, if it is.
    pub(super) fn get(&self, at: Vector) -> Option<Color> {
        color_at(&self.frame, at).filter(|_| self.known.contains(at))
    }
}

/// Cells that hang together and change by themselves.
#[derive(Clone, Debug)]
struct Region {
    cells: Vec<Vector>,
    /// After so many actions it is as it was; where that is not known, what was seen at a time is all that is.
    period: Option<usize>,
    /// Its cells, each with the colour that it has most often: a search asks for them in every state.
    quiet: Vec<(Vector, Color)>,
}

/// Everything seen of a level, by the number of actions since it began.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    moments: Vec<Moment>,
    /// Cells that were seen in more than one colour.
    restless: CellSet,
    /// Those that were not always the same at the same time.
    fickle: CellSet,
    regions: Vec<Region>,
    /// The cells of these.
    known: CellSet,
}

impl Timeline {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Timeline::default();
    }

    /// What was seen at a time.
    pub(super) fn see(&mut self, time: usize, moment: &Moment) {
        if time > self.moments.len() || time >= LONGEST {
            return;
        }
        match self.moments.get(time) {
            None => self.moments.push(moment.clone()),
            Some(_) => self.compare(time, moment),
        }
        self.note_changes(time);
        self.settle();
    }

    /// The same time again.
    fn compare(&mut self, time: usize, again: &Moment) {
        let moment = &mut self.moments[time];
        for at in again.known.iter() {
            match (again.get(at), moment.get(at)) {
                (Some(color), Some(known)) if known != color => _ = self.fickle.insert(at),
                (Some(color), None) => {
                    moment.known.insert(at);
                    let index = at.y as usize * usize::from(moment.frame.width()) + at.x as usize;
                    moment.frame.cells_mut()[index] = color;
                }
                _ => {}
            }
        }
    }

    /// Notes which cells changed since the time before.
    fn note_changes(&mut self, time: usize) {
        let Some((before, after)) = time.checked_sub(1).map(|earlier| (&self.moments[earlier], &self.moments[time]))
        else {
            return;
        };
        let changes = |at: &Vector| matches!((before.get(*at), after.get(*at)), (Some(a), Some(b)) if a != b);
        self.restless.extend(cells(&after.frame).filter(changes));
    }

    /// Reads everything again, of which more is known to be something else.
    pub(super) fn hide(&mut self, hidden: impl Fn(&Grid) -> CellSet) {
        self.moments.iter_mut().for_each(|it| it.hide(&hidden(&it.frame)));
        (self.restless, self.fickle) = (CellSet::EMPTY, CellSet::EMPTY);
        (1..self.moments.len()).for_each(|time| self.note_changes(time));
        self.settle();
    }

    /// Finds the regions again.
    fn settle(&mut self) {
        self.regions = self.gather();
        self.known = self.regions.iter().flat_map(|region| region.cells.iter().copied()).collect();
    }

    /// Whether a cell was seen to change.
    pub(super) fn is_restless(&self, at: Vector) -> bool {
        self.restless.contains(at)
    }

    /// Whether a cell is one of those that are known to change by themselves.
    pub(super) fn covers(&self, at: Vector) -> bool {
        self.known.contains(at)
    }

    /// What changes by itself, with the colour that each cell has most often.
    pub(super) fn quiet(&self) -> impl Iterator<Item = (Vector, Color)> {
        self.regions.iter().flat_map(|region| region.quiet.iter().copied())
    }

    /// What cells that change by themselves show at a time, where that is known.
    pub(super) fn at(&self, time: usize) -> Vec<(Vector, Color)> {
        let known = |region: &Region, at: Vector| {
            let seen = |time: usize| self.moments.get(time).and_then(|it| it.get(at));
            let again = |period: usize| (0..=time).rev().step_by(period).find_map(seen);
            seen(time).or_else(|| again(region.period?)).map(|color| (at, color))
        };
        let cells = self.regions.iter().flat_map(|region| region.cells.iter().map(move |at| (region, *at)));
        cells.filter_map(|(region, at)| known(region, at)).collect()
    }

    /// The regions that are always the same at the same time and come round again, or changed so often that they are taken
    /// to do at the next attempt what they did at the last.
    fn gather(&self) -> Vec<Region> {
        let mut left = self.restless;
        let mut regions = Vec::new();
        for first in self.restless.iter() {
            let cells = spread(first, &mut left);
            if cells.is_empty() || cells.iter().any(|at| self.fickle.contains(*at)) {
                continue;
            }
            let period = self.period(&cells);
            let changes = || {
                let differs = |pair: &&[Moment]| cells.iter().any(|at| pair[0].get(*at) != pair[1].get(*at));
                self.moments.windows(2).filter(differs).count()
            };
            if period.is_some() || changes() >= CHANGES {
                let seen = |at: Vector| self.moments.iter().filter_map(move |it| it.get(at));
                let quiet = cells.iter().filter_map(|at| Some((*at, commonest(seen(*at))?))).collect();
                regions.push(Region { cells, period, quiet });
            }
        }
        regions
    }

    /// The number of actions after which all these cells were as before, whenever they were seen again.
    fn period(&self, cells: &[Vector]) -> Option<usize> {
        let count = self.moments.len();
        let longest = PERIOD.min(count);
        let holds = |period: usize| {
            let pairs = self.moments[period..].iter().zip(&self.moments).rev();
            pairs.into_iter().all(|(later, earlier)| {
                let differ = |at: &Vector| matches!((later.get(*at), earlier.get(*at)), (Some(a), Some(b)) if a != b);
                !cells.iter().any(differ)
            })
        };
        (2..=longest).find(|period| count >= period + (period / 2).max(BEYOND) && holds(*period))
    }
}

fn cells(frame: &Grid) -> impl Iterator<Item = Vector> + use<> {
    let (width, height) = (i16::from(frame.width()), i16::from(frame.height()));
    (0..height).flat_map(move |y| (0..width).map(move |x| Vector::new(x, y)))
}

/// The restless cells that hang together with one, taken out of those that are left.
fn spread(first: Vector, left: &mut CellSet) -> Vec<Vector> {
    let (mut open, mut found) = (vec![first], Vec::new());
    while let Some(at) = open.pop() {
        if left.remove(at) {
            found.push(at);
            open.extend(SIDES.iter().map(|side| at.plus(*side)));
        }
    }
    found
}
