//! Which clicks bring the cells of a board into wanted colours.
//!
//! Where clicks only reach their own cell each is clicked as often as it takes. Where every cell goes round one cycle, how
//! often each is clicked is a system of linear equations modulo the length of the cycle; of all its solutions the one with the
//! fewest clicks is taken. Anything else is tried greedily.

use std::collections::BTreeMap;

use env_client::{Color, Key};
use world_model::{Cells, cells::Keying};

use super::shifts::walks;

/// Unknowns that are solved for: the elimination is cubic.
const UNKNOWNS: usize = 256;
/// Solutions among which the lightest is looked for.
const SOLUTIONS: usize = 512;
/// Clicks in one plan, and in one that is looked for greedily.
const CLICKS: usize = 200;
const GREEDY: usize = 60;
/// Wishes that are tried greedily, in one thought.
const DESPERATE: usize = 4;
/// Colours passed on the way to a wanted one.
pub(super) const TURNS: usize = 16;

/// A board as it is.
pub(super) struct Task<'a> {
    pub(super) model: &'a Cells,
    pub(super) now: &'a [Color],
}

/// The colour wanted in each cell, where one is.
pub(super) type Wanted = [Option<Color>];

/// One action on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A click on a cell.
    Click(usize),
    /// A key that moves all colours.
    Key(Key),
}

impl Task<'_> {
    /// For each wish the actions that lead there, where some do.
    pub(super) fn solve(&self, wishes: &[&Wanted]) -> Vec<Option<Vec<Turn>>> {
        let walks = walks(self.model);
        let clicked = self.clicks(wishes).into_iter().map(|clicks| clicks.as_deref().map(turns_of));
        let shifted = |(plan, wanted): (Option<Vec<Turn>>, &&Wanted)| {
            let shorter = self.along(&walks, wanted, plan.as_ref().map_or(CLICKS, Vec::len));
            shorter.filter(|turns| self.leads_there(turns, wanted)).or(plan)
        };
        clicked.zip(wishes).map(shifted).collect()
    }

    /// The colours after an action.
    pub(super) fn foresee(&self, now: &[Color], turn: Turn) -> Option<Vec<Color>> {
        match turn {
            Turn::Click(cell) => self.model.foresee(now, cell),
            Turn::Key(key) => self.model.shift(now, key),
        }
    }

    /// For each wish the cells to click, one after the other, where some lead there.
    fn clicks(&self, wishes: &[&Wanted]) -> Vec<Option<Vec<usize>>> {
        let mut plans: Vec<Option<Vec<usize>>> = wishes.iter().map(|wanted| self.each_for_itself(wanted)).collect();
        self.linear(wishes, &mut plans);
        let open = plans.iter_mut().zip(wishes).filter(|(plan, _)| plan.is_none());
        open.take(DESPERATE).for_each(|(plan, wanted)| *plan = self.greedy(wanted));
        let fits = |clicks: &Vec<usize>, wanted| clicks.len() <= CLICKS && self.leads_there(&turns_of(clicks), wanted);
        plans.into_iter().zip(wishes).map(|(plan, wanted)| plan.filter(|clicks| fits(clicks, wanted))).collect()
    }

    fn leads_there(&self, turns: &[Turn], wanted: &Wanted) -> bool {
        let end = turns.iter().try_fold(self.now.to_vec(), |now, turn| self.foresee(&now, *turn));
        end.is_some_and(|end| misses(wanted, &end) == 0)
    }

    /// How often a cell has to go on to its next colour.
    fn turns(&self, cell: usize, wanted: &Wanted) -> Option<usize> {
        let (law, wanted) = (self.model.law()?, wanted[cell]?);
        let mut color = self.now[cell];
        for turns in 0..TURNS {
            if color == wanted {
                return Some(turns);
            }
            color = law.next(self.model.level(), cell, color)?;
        }
        None
    }

    fn each_for_itself(&self, wanted: &Wanted) -> Option<Vec<usize>> {
        let mut now = self.now.to_vec();
        let mut clicks = Vec::new();
        for cell in (0..now.len()).filter(|cell| wanted[*cell].is_some()) {
            for _ in 0..self.turns(cell, wanted)? {
                let after = self.model.foresee(&now, cell)?;
                let alone = (0..now.len()).all(|other| other == cell || after[other] == now[other]);
                if !alone || after[cell] == now[cell] {
                    return None;
                }
                now = after;
                clicks.push(cell);
            }
        }
        Some(clicks)
    }

    /// The length of the cycle in which a cell goes round.
    fn cycle(&self, cell: usize) -> Option<usize> {
        let law = self.model.law()?;
        let mut color = self.now[cell];
        for length in 1..=TURNS {
            color = law.next(self.model.level(), cell, color)?;
            if color == self.now[cell] {
                return Some(length);
            }
        }
        None
    }

    /// Solves for all wishes that concern the same cells at once.
    fn linear(&self, wishes: &[&Wanted], plans: &mut [Option<Vec<usize>>]) {
        let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (index, wanted) in wishes.iter().enumerate().filter(|(index, _)| plans[*index].is_none()) {
            let concerned =
                (0..self.now.len()).filter(|cell| wanted[*cell].is_some_and(|_| self.cycle(*cell) != Some(1)));
            groups.entry(concerned.collect()).or_default().push(index);
        }
        for (cells, members) in groups {
            let wanted: Vec<&Wanted> = members.iter().map(|member| wishes[*member]).collect();
            for (member, plan) in members.iter().zip(self.linear_in(&cells, &wanted).unwrap_or_default()) {
                plans[*member] = plan;
            }
        }
    }

    fn linear_in(&self, cells: &[usize], wishes: &[&Wanted]) -> Option<Vec<Option<Vec<usize>>>> {
        let (law, level) = (self.model.law()?, self.model.level());
        let reaches = (0..self.now.len()).filter(|cell| level.present[*cell] && law.keying() != Keying::Color);
        let reaches = reaches.filter_map(|cell| Some((cell, law.reach(level, self.now, cell)?)));
        let columns: Vec<(usize, Vec<usize>)> = reaches.filter(|(_, reach)| !reach.is_empty()).collect();
        let modulus = self.cycle(*cells.first()?)?;
        if columns.len() > UNKNOWNS || cells.iter().any(|cell| self.cycle(*cell) != Some(modulus)) {
            return None;
        }
        let equation = |cell: &usize| {
            let terms = columns.iter().map(|(_, reach)| u8::from(reach.contains(cell)));
            // A colour that is never reached shows when the plan is checked.
            let turns = wishes.iter().map(|wanted| self.turns(*cell, wanted).unwrap_or_default() as u8);
            terms.chain(turns).collect()
        };
        let system: Vec<Vec<u8>> = cells.iter().map(equation).collect();
        let clicks = |counts: Vec<u8>| {
            let clicks = columns.iter().zip(counts);
            clicks.flat_map(|((cell, _), count)| std::iter::repeat_n(*cell, count.into())).collect()
        };
        Some(lightest(system, columns.len(), modulus as u8).into_iter().map(|it| it.map(clicks)).collect())
    }

    /// Always the click after which the fewest cells miss their colour.
    fn greedy(&self, wanted: &Wanted) -> Option<Vec<usize>> {
        if self.now.len() > UNKNOWNS {
            return None;
        }
        let (mut now, mut clicks) = (self.now.to_vec(), Vec::new());
        let mut left = misses(wanted, &now);
        while left > 0 && clicks.len() < GREEDY {
            let tries = (0..now.len()).filter_map(|cell| Some((cell, self.model.foresee(&now, cell)?)));
            let (cell, after) = tries.min_by_key(|(_, after)| misses(wanted, after))?;
            if misses(wanted, &after) >= left {
                return None;
            }
            left = misses(wanted, &after);
            now = after;
            clicks.push(cell);
        }
        Some(clicks)
    }
}

fn turns_of(clicks: &[usize]) -> Vec<Turn> {
    clicks.iter().copied().map(Turn::Click).collect()
}

fn misses(wanted: &Wanted, colors: &[Color]) -> usize {
    wanted.iter().zip(colors).filter(|(wanted, color)| wanted.is_some_and(|it| it != **color)).count()
}

/// The solutions of linear systems modulo `k` with the smallest sums, where they can be had by pivots that have an
/// inverse. Each row has one coefficient an unknown, and then the right side of each system.
fn lightest(mut rows: Vec<Vec<u8>>, unknowns: usize, k: u8) -> Vec<Option<Vec<u8>>> {
    let pivots = eliminate(&mut rows, unknowns, k);
    let free: Vec<usize> = (0..unknowns).filter(|column| !pivots.contains(column)).collect();
    let count = usize::from(k).checked_pow(free.len() as u32).filter(|count| *count <= SOLUTIONS).unwrap_or(1);
    let systems = unknowns..rows.first().map_or(unknowns, Vec::len);
    let solve = |system: usize| {
        let is_solvable =
            rows[pivots.len()..].iter().all(|row| row[system] == 0 && row[..unknowns].iter().all(|it| *it == 0));
        let solutions = (0..count).map(|number| {
            let mut values = numbered(number, &free, unknowns, k);
            for (row, pivot) in rows.iter().zip(&pivots) {
                let known: u32 = free.iter().map(|it| u32::from(row[*it]) * u32::from(values[*it])).sum();
                let k = u32::from(k);
                values[*pivot] = ((u32::from(row[system]) + k - known % k) % k) as u8;
            }
            values
        });
        solutions.filter(|_| is_solvable).min_by_key(|values| values.iter().map(|it| u32::from(*it)).sum::<u32>())
    };
    systems.map(solve).collect()
}

/// Values of the free unknowns, one combination for each number; all others 0.
fn numbered(mut number: usize, free: &[usize], unknowns: usize, k: u8) -> Vec<u8> {
    let mut values = vec![0; unknowns];
    for column in free {
        values[*column] = (number % usize::from(k)) as u8;
        number /= usize::from(k);
    }
    values
}

/// Brings the rows into reduced echelon form; the pivot column of each of the first rows.
fn eliminate(rows: &mut [Vec<u8>], unknowns: usize, k: u8) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..unknowns {
        let done = pivots.len();
        let found = (done..rows.len()).find_map(|row| Some((row, inverse(rows[row][column], k)?)));
        let Some((row, factor)) = found else { continue };
        rows.swap(done, row);
        rows[done].iter_mut().for_each(|it| *it = times(*it, factor, k));
        let pivot = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, row)| *index != done && row[column] != 0) {
            let factor = k - row[column];
            row.iter_mut().zip(&pivot).for_each(|(it, pivot)| *it = (*it + times(*pivot, factor, k)) % k);
        }
        pivots.push(column);
    }
    pivots
}

fn times(a: u8, b: u8, k: u8) -> u8 {
    (u16::from(a) * u16::from(b) % u16::from(k)) as u8
}

fn inverse(a: u8, k: u8) -> Option<u8> {
    (1..k).find(|it| times(a, *it, k) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lightest_of_several_solutions_is_found() {
        // x + y = 1 and nothing else: one of them once, modulo 3.
        let solution = lightest(vec![vec![1, 1, 1]], 2, 3).remove(0).unwrap();
        assert_eq!(solution.iter().sum::<u8>(), 1);
        // x + y = 2, y + z = 2 modulo 3: y twice.
        assert_eq!(lightest(vec![vec![1, 1, 0, 2], vec![0, 1, 1, 2]], 3, 3), [Some(vec![0, 2, 0])]);
    }

    #[test]
    fn of_several_right_sides_some_may_have_no_solution() {
        let solutions = lightest(vec![vec![1, 1, 1, 1], vec![1, 1, 0, 1]], 2, 2);
        assert_eq!(solutions[0], None);
        assert_eq!(solutions[1].as_ref().map(|it| it.iter().sum()), Some(1u8));
    }
}
