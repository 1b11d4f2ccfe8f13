//! What is swept: cells of colours that pieces leave as something else, and of which levels were solved with none left.
//!
//! Tiles fall behind whoever steps off them, bare floor is painted, pearls are gathered. Where a level was solved when none of
//! that was left, the next one may want the same: its cells are [`super::litter`], to be swept before anything else. A thick tile
//! that becomes a thin one is to be left twice.

use std::collections::{BTreeMap, BTreeSet};

use env_client::{Color, Grid, Point};
use world_model::Advance;

use super::{
    arrange::{Arrangement, Level},
    litter::{Litter, Weights},
    names::Name,
};

/// Levels that were solved with none of a colour left, from which on that is taken to be needed; before, it merely may be. A
/// guess.
pub(super) const CERTAIN: u32 = 2;
/// Steps of a level that left cells of a colour as something else, at least, for it to be swept at all: one is a key, or a
/// door. A guess.
const SEVERAL: u32 = 2;
/// At least every so manieth cell that a level began with was seen to be swept: more are gone for another reason. A guess.
const SHARE: usize = 4;
/// How often something is to be left until nothing is left of it, at most. A guess.
const DEEPEST: u8 = 4;

/// What pieces swept of a colour since the level last began.
#[derive(Clone, Copy, Debug, Default)]
struct Swept {
    steps: u32,
    cells: usize,
}

/// What is known of colours that pieces sweep.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    /// What was last seen of each cell when no piece lay there, since the level last began.
    bare: Option<Grid>,
    swept: BTreeMap<Color, Swept>,
    /// How many cells of a colour were seen to be of another, or the same, when pieces left them.
    fates: BTreeMap<(Color, Color), u32>,
    /// How many levels were solved with none of a colour left that pieces swept there; `None` where one was solved with some left.
    gone: BTreeMap<Color, Option<u32>>,
    /// What was at first where the steps went that solved such levels.
    exits: BTreeSet<Color>,
}

impl Sweeps {
    /// A level begins, or begins again.
    pub(super) fn begin(&mut self, frame: &Grid) {
        self.bare = Some(frame.clone());
        self.swept.clear();
    }

    /// Pieces left these cells for those, and this is seen now.
    pub(super) fn stepped(&mut self, now: &Grid, left: &BTreeSet<Point>, on: &BTreeSet<Point>) {
        let Some(bare) = self.bare.as_mut().filter(|it| it.cells().len() == now.cells().len()) else { return };
        let mut steps = BTreeSet::new();
        for at in left - on {
            let (was, is) = (bare[at], now[at]);
            *self.fates.entry((was, is)).or_default() += 1;
            if was != is {
                self.swept.entry(was).or_default().cells += 1;
                steps.insert(was);
            }
        }
        for color in steps {
            self.swept.entry(color).or_default().steps += 1;
        }
        now.points().filter(|at| !on.contains(at)).for_each(|at| bare.set(at, now[at]));
    }

    /// A level that began with the frame `first` was solved by a step from `last`, in which pieces came onto these cells. What
    /// is not of the world, and the pieces, are no part of it.
    pub(super) fn solved(
        &mut self,
        (first, last): (&Grid, &Grid),
        onto: &BTreeSet<Point>,
        is_world: impl Fn(Point) -> bool,
    ) {
        let (began, left) = (count(first, &is_world), count(last, |at| is_world(at) && !onto.contains(&at)));
        let is_swept = |color: Color| {
            let swept = self.swept.get(&color).copied().unwrap_or_default();
            swept.steps >= SEVERAL && SHARE * swept.cells >= began[color.index()]
        };
        let (mut any, swept): (bool, Vec<Color>) = (false, Color::ALL.into_iter().filter(|it| is_swept(*it)).collect());
        for color in Color::ALL {
            if left[color.index()] > 0 {
                self.gone.insert(color, None);
            } else if began[color.index()] > 0 && swept.contains(&color) {
                let levels = self.gone.entry(color).or_insert(Some(0));
                *levels = levels.map(|it| it + 1);
                any |= levels.is_some();
            }
        }
        if any {
            self.exits.extend(onto.iter().filter_map(|at| first.get(*at)).filter(|it| !swept.contains(it)));
        }
    }

    /// Whether so many levels were solved with none of some colour left that this is taken to be needed.
    pub(super) fn are_certain(&self) -> bool {
        self.levels() >= CERTAIN
    }

    /// In how many levels it held at most for a colour.
    fn levels(&self) -> u32 {
        self.gone.values().flatten().copied().max().unwrap_or_default()
    }

    /// How often pieces have to leave each colour until none of it is left; 0 where it may stay.
    fn weights(&self) -> Weights {
        let (mut weights, needed) = ([0; Color::COUNT], self.levels().clamp(1, CERTAIN));
        let wanted = self.gone.iter().filter(|(_, levels)| levels.is_some_and(|it| it >= needed));
        wanted.for_each(|(color, _)| weights[color.index()] = 1);
        for depth in 1..DEEPEST {
            for color in Color::ALL {
                let becomes = self.fate(color).map(|it| weights[it.index()]);
                let may_stay = self.gone.get(&color).is_some_and(Option::is_none);
                if weights[color.index()] == 0 && !may_stay && becomes == Some(depth) {
                    weights[color.index()] = depth + 1;
                }
            }
        }
        weights
    }

    /// What a colour mostly becomes when pieces leave it.
    fn fate(&self, color: Color) -> Option<Color> {
        let own = self.fates.iter().filter(|((was, _), _)| *was == color);
        own.max_by_key(|(_, cells)| **cells).map(|((_, is), _)| *is)
    }

    /// To sweep all that a level began with: with pieces beside where a step solved others, and else wherever they are then.
    pub(super) fn wanted(&self, level: &Level<'_>) -> Vec<Arrangement> {
        let weights = self.weights();
        let colors: u16 =
            Color::ALL.iter().filter(|it| weights[it.index()] > 0).fold(0, |set, it| set | 1 << it.index());
        let litter = (colors != 0).then(|| Litter::of(level, weights)).flatten();
        let arrangement = |(litter, ends): (Litter, bool)| {
            let name = Name::sweep(colors, ends);
            Arrangement { name, pairs: Vec::new(), litter: Some(litter), is_exact: true, misfit: 0 }
        };
        let ending = litter.as_ref().and_then(|it| it.clone().ending_beside(&self.exits, level));
        ending.map(|it| (it, true)).into_iter().chain(litter.map(|it| (it, false))).map(arrangement).collect()
    }
}

/// How many such cells there are of each colour.
fn count(frame: &Grid, is: impl Fn(Point) -> bool) -> [usize; Color::COUNT] {
    let mut counts = [0; Color::COUNT];
    frame.points().filter(|at| is(*at)).for_each(|at| counts[frame[at].index()] += 1);
    counts
}

/// All cells of these pieces.
pub(super) fn cells<'a>(pieces: impl IntoIterator<Item = &'a Advance>) -> BTreeSet<Point> {
    pieces.into_iter().flat_map(|it| it.from.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use world_model::InterfaceMask;

    use super::*;
    use crate::policy::plan::{
        pairs::Role,
        picture::Middle,
        things::{Things, Under},
    };

    /// Tiles 2 and thick ones 3, ground 0, the piece 5, the exit 7.
    const FIRST: &str = "00000000\n05222370\n00000000";

    fn grid(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    fn cell(x: u8) -> BTreeSet<Point> {
        [Point::new(x, 1).unwrap()].into()
    }

    /// A level that was solved from this frame by a step onto the exit, after a piece walked over some tiles.
    fn solve(sweeps: &mut Sweeps, last: &str) {
        sweeps.begin(&grid(FIRST));
        let steps = ["00000000\n00522370\n00000000", "00000000\n00052370\n00000000", "00000000\n00005370\n00000000"];
        for (x, now) in (1..).zip(steps) {
            sweeps.stepped(&grid(now), &cell(x), &cell(x + 1));
        }
        sweeps.solved((&grid(FIRST), &grid(last)), &cell(6), |_| true);
    }

    fn wanted(sweeps: &Sweeps, first: &str) -> Vec<Arrangement> {
        let (first, mask) = (grid(first), InterfaceMask::new());
        let from = first.points().filter(|at| first[*at].index() == 5).collect();
        let advances = [Advance { from, by: (0, -1), ..Advance::default() }];
        let now = Things::of(&first, &mask, &advances, Under::default());
        let advances = &advances;
        sweeps.wanted(&Level { advances, cast: advances, ..Level::still(&first, &now, &mask) })
    }

    const SOLVED: &str = "00000000\n00000570\n00000000";

    #[test]
    fn what_was_gone_when_a_level_was_solved_is_swept_until_one_is_solved_with_some_left() {
        let mut sweeps = Sweeps::default();
        assert!(wanted(&sweeps, FIRST).is_empty());
        solve(&mut sweeps, SOLVED);
        let names: Vec<String> = wanted(&sweeps, FIRST).iter().map(|it| it.name.to_string()).collect();
        assert_eq!(names, ["nothing left of 2, and beside the exit", "nothing left of 2"]);
        assert!(!sweeps.are_certain(), "once may be by chance");
        solve(&mut sweeps, SOLVED);
        assert!(sweeps.are_certain());
        solve(&mut sweeps, "00000000\n00020570\n00000000");
        assert!(wanted(&sweeps, FIRST).is_empty() && !sweeps.are_certain(), "not needed after all");
    }

    #[test]
    fn what_is_gone_for_another_reason_is_not_swept() {
        let mut sweeps = Sweeps::default();
        sweeps.begin(&grid(FIRST));
        sweeps.stepped(&grid("00000000\n00522370\n00000000"), &cell(1), &cell(2));
        sweeps.stepped(&grid("00000000\n00052370\n00000000"), &cell(2), &cell(3));
        sweeps.solved((&grid(FIRST), &grid(SOLVED)), &cell(6), |_| true);
        assert!(wanted(&sweeps, FIRST).is_empty(), "one step is not several");
        let mut sweeps = Sweeps::default();
        sweeps.begin(&grid(FIRST));
        sweeps.solved((&grid(FIRST), &grid(SOLVED)), &cell(6), |_| true);
        assert!(wanted(&sweeps, FIRST).is_empty());
    }

    fn distance(it: &Arrangement, (before, now): (&str, &str), x: u8) -> u32 {
        let role = Role { class: 0, at: Middle::of(x, 1, 1, 1) };
        it.toil((&grid(before), &grid(now)), &[role]).unwrap()
    }

    #[test]
    fn a_thick_tile_counts_twice_and_once_while_a_piece_is_on_it() {
        let mut sweeps = Sweeps::default();
        solve(&mut sweeps, SOLVED);
        sweeps.begin(&grid(FIRST));
        sweeps.stepped(&grid("00000000\n00000570\n00000000"), &cell(4), &cell(5));
        sweeps.stepped(&grid("00000000\n00005270\n00000000"), &cell(5), &cell(4));
        let both = &wanted(&sweeps, FIRST)[0];
        assert_eq!(both.name.to_string(), "nothing left of 2 3, and beside the exit");
        let thick = "00000000\n00005370\n00000000";
        assert_eq!(distance(both, (thick, thick), 4), 2);
        assert_eq!(distance(both, (thick, "00000000\n00000570\n00000000"), 5), 1, "a thin one is below it");
        let thin = "00000000\n00005270\n00000000";
        assert_eq!(distance(both, (thin, "00000000\n00000570\n00000000"), 5), 0);
    }

    #[test]
    fn regions_apart_count_and_so_does_the_way_to_the_exit_in_the_end() {
        let mut sweeps = Sweeps::default();
        solve(&mut sweeps, SOLVED);
        let wanted = wanted(&sweeps, FIRST);
        let far = |picture, x| distance(&wanted[0], (picture, picture), x);
        assert_eq!(far("00000000\n50220070\n00000000", 0), 2);
        assert_eq!(far("00000000\n50202070\n00000000", 0), 4, "two regions");
        assert_eq!(far("00000000\n00050070\n00000000", 3), 2, "two steps to beside it");
        assert_eq!(far("00000000\n00000570\n00000000", 5), 0);
        let gone = "00000000\n00050070\n00000000";
        assert_eq!(distance(&wanted[1], (gone, gone), 3), 0, "anywhere");
    }
}
