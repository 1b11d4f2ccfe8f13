//! All tasks in a table, and what they come to.

use std::fmt;

use solver::solve::{Score, Solved, TaskScore};

use super::how;
use crate::table::{Align, Table, percent};

/// As many candidates as are counted.
const DEPTHS: [usize; 3] = [1, 2, 10];

/// The score of several tasks, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The tasks, solved.
    pub solved: &'a [Solved],
    /// Their score; a task whose answers are unknown has none.
    pub score: &'a Score,
}

impl fmt::Display for Sheet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.tasks())?;
        write!(f, "{}", self.summary())?;
        match self.too_large() {
            0 => Ok(()),
            count => {
                writeln!(f, "\ntest inputs too large for the net, answered by themselves and counted as wrong: {count}")
            }
        }
    }
}

impl Sheet<'_> {
    fn tasks(&self) -> Table {
        let mut table = Table::new(&[
            ("task", Align::Left),
            ("tests", Align::Right),
            ("rank of truth", Align::Left),
            ("votes", Align::Right),
            ("sure", Align::Right),
            ("net", Align::Left),
            ("seconds", Align::Right),
        ]);
        for solved in self.solved {
            table.row(row(solved, self.score.tasks.iter().find(|scored| scored.task == solved.task)));
        }
        table
    }

    fn summary(&self) -> Table {
        let mut table = Table::new(&[("", Align::Left), ("%", Align::Right), ("exact", Align::Right)]);
        for depth in DEPTHS {
            let (right, inputs) = self.score.exact(depth);
            let pass = percent(100.0 * self.score.pass(depth));
            table.row([format!("pass@{depth}"), pass, format!("{right}/{inputs}")]);
        }
        table
    }

    fn too_large(&self) -> usize {
        self.solved.iter().flat_map(|solved| &solved.rankings).filter(|ranking| ranking.is_empty()).count()
    }
}

/// `-` where the truth is no candidate, `?` where it is not known.
fn row(solved: &Solved, scored: Option<&TaskScore>) -> [String; 7] {
    let rank = |rank: &Option<usize>| rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
    let ranks = scored.map(|scored| scored.ranks.iter().map(rank).collect::<Vec<_>>().join(" "));
    let best = solved.rankings.first().and_then(|ranking| ranking.first());
    let votes: u32 = solved.rankings.first().into_iter().flatten().map(|candidate| candidate.votes).sum();
    [
        solved.task.clone(),
        solved.rankings.len().to_string(),
        ranks.unwrap_or_else(|| "?".to_owned()),
        best.map_or_else(String::new, |best| format!("{}/{votes}", best.votes)),
        best.map_or_else(String::new, |best| format!("{:.2}", best.confidence)),
        how(solved.how),
        format!("{:.1}", solved.time.as_secs_f64()),
    ]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use solver::solve::{Ballot, How};

    use super::*;

    #[test]
    fn every_task_has_a_line_and_the_score_is_below() {
        let ballot: Ballot = ["1", "2", "1"].map(|text| (text.parse().ok(), 0.5)).into_iter().collect();
        let solved = |task: &str, rankings, how| Solved {
            task: task.to_owned(),
            rankings,
            how,
            time: Duration::from_millis(250),
        };
        let all = [
            solved("0a", vec![ballot.ranking(), ballot.ranking()], How::Known),
            solved("0b", vec![ballot.ranking()], How::Tuned { steps: 30 }),
            solved("0c", vec![Vec::new()], How::TooLarge),
        ];
        let scored = |task: &str, ranks: &[Option<usize>]| TaskScore { task: task.to_owned(), ranks: ranks.to_vec() };
        let score = Score { tasks: vec![scored("0a", &[Some(2), None]), scored("0c", &[None])] };
        insta::assert_snapshot!(Sheet { solved: &all, score: &score }, @r"
        task  tests  rank of truth  votes  sure  net        seconds
        0a        2  2 -              2/3  0.50  known          0.2
        0b        1  ?                2/3  0.50  tuned 30       0.2
        0c        1  -                           too large      0.2

                     %  exact
        pass@1       0    0/3
        pass@2   25.00    1/3
        pass@10  25.00    1/3

        test inputs too large for the net, answered by themselves and counted as wrong: 1
        ");
    }
}
