//! Many answers to one test input, ranked as the published evaluations do.
//!
//! Every augmentation of a task gives one vote. Candidates are ordered by the number of their votes; how sure the net was
//! (mean, then largest `sigmoid(q_halt)`) only decides between equally many, and what was voted for first between the
//! rest. An answer without a single cell is a candidate like any other: it takes votes and a rank.

use env_client::Grid;
use indexmap::IndexMap;

/// A grid, or nothing where the net drew none.
pub type Answer = Option<Grid>;

/// The votes of one test input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ballot(IndexMap<Answer, Votes>);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Votes {
    count: u32,
    sum: f64,
    largest: f64,
}

/// An answer and what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The answer.
    pub answer: Answer,
    /// Augmentations that gave it.
    pub votes: u32,
    /// How sure the net was of it, 0 to 1, on the average.
    pub confidence: f64,
    largest: f64,
}

impl Ballot {
    /// Adds a vote; `confidence` is how sure the net was, 0 to 1.
    pub fn vote(&mut self, answer: Answer, confidence: f64) {
        let votes = self.0.entry(answer).or_default();
        votes.count += 1;
        votes.sum += confidence;
        votes.largest = votes.largest.max(confidence);
    }

    /// Votes so far.
    pub fn votes(&self) -> u32 {
        self.0.values().map(|votes| votes.count).sum()
    }

    /// The candidates, best first.
    pub fn ranking(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = self.0.iter().map(|(answer, votes)| candidate(answer, votes)).collect();
        candidates.sort_by(|first, second| {
            let votes = second.votes.cmp(&first.votes);
            let mean = second.confidence.total_cmp(&first.confidence);
            votes.then(mean).then(second.largest.total_cmp(&first.largest))
        });
        candidates
    }
}

impl FromIterator<(Answer, f64)> for Ballot {
    fn from_iter<I: IntoIterator<Item = (Answer, f64)>>(votes: I) -> Ballot {
        let mut ballot = Ballot::default();
        votes.into_iter().for_each(|(answer, confidence)| ballot.vote(answer, confidence));
        ballot
    }
}

fn candidate(answer: &Answer, votes: &Votes) -> Candidate {
    let confidence = votes.sum / f64::from(votes.count);
    Candidate { answer: answer.clone(), votes: votes.count, confidence, largest: votes.largest }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Votes for one-row grids, `-` for the empty answer; the order in which they come out.
    fn ranked(votes: &[(&str, f64)]) -> Vec<String> {
        let ballot: Ballot = votes.iter().map(|(text, confidence)| (text.parse().ok(), *confidence)).collect();
        let text = |candidate: &Candidate| {
            candidate.answer.as_ref().map_or_else(|| "-".to_owned(), |grid| grid.to_string().trim().to_owned())
        };
        ballot.ranking().iter().map(text).collect()
    }

    #[test]
    fn more_votes_win_however_sure_the_others_were() {
        assert_eq!(ranked(&[("1", 0.99), ("2", 0.01), ("2", 0.01)]), ["2", "1"]);
    }

    #[test]
    fn equal_counts_are_decided_by_the_mean_then_the_largest_confidence_then_the_first_vote() {
        assert_eq!(ranked(&[("1", 0.2), ("2", 0.3), ("1", 0.3), ("2", 0.4)]), ["2", "1"]);
        assert_eq!(ranked(&[("1", 0.5), ("2", 0.25), ("1", 0.5), ("2", 0.75)]), ["2", "1"]);
        assert_eq!(ranked(&[("3", 0.5), ("1", 0.5), ("2", 0.5)]), ["3", "1", "2"]);
    }

    #[test]
    fn an_empty_answer_takes_a_rank() {
        assert_eq!(ranked(&[("-", 0.1), ("5", 0.9), ("-", 0.1)]), ["-", "5"]);
    }

    #[test]
    fn a_candidate_knows_its_votes_and_its_mean() {
        let ballot: Ballot = [0.25, 0.75, 0.5].map(|confidence| (None, confidence)).into_iter().collect();
        let [best] = &ballot.ranking()[..] else { panic!("one candidate") };
        assert_eq!((best.votes, ballot.votes()), (3, 3));
        assert!((best.confidence - 0.5).abs() < 1e-12);
    }
}
