//! What is known of a recording without its pictures.

use env_client::{
    Command, Status,
    recording::{Ending, Entry, Event},
    wire::ActionInput,
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::thought::{Thought, is_surprise};

/// Problems that are kept word for word; a file that is no recording has one a line.
const PROBLEMS_KEPT: usize = 200;

/// Notes that are kept; a play leaves one or two.
const NOTES_KEPT: usize = 100;

/// One step in 32 bytes: a command, and how the play stood after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where its line begins, in bytes of the unpacked text.
    pub offset: u64,
    /// Which line, from 1.
    pub line: u32,
    /// Bytes of the line.
    pub length: u32,
    /// Grids of its answer.
    pub layers: u16,
    /// Levels solved after it; of an unknown outcome, before it.
    pub levels: u16,
    /// The command; `None` where it makes no sense.
    pub command: Option<Command>,
    /// How the play stood after it; of an unknown outcome, before it.
    pub status: Status,
    /// Whether the answer was lost.
    pub is_unknown: bool,
    /// Whether the agent was surprised by what it saw before.
    pub is_surprise: bool,
}

/// A part of the file that is no entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Which line, from 1.
    pub line: u64,
    /// Where it begins, in bytes of the unpacked text.
    pub byte: u64,
    /// What is wrong.
    pub problem: String,
}

/// Whose play it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The game.
    pub game: Option<String>,
    /// The guid.
    pub play: Option<String>,
    /// Who played, as the reasoning tells.
    pub policy: Option<String>,
    /// Levels of the game.
    pub win_levels: u16,
    /// Time of the first step.
    pub first: Option<Timestamp>,
    /// Time of the last step.
    pub last: Option<Timestamp>,
}

/// A recording without its pictures, as far as it was read.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The steps; the first is the RESET that opens the play.
    pub marks: Vec<Mark>,
    /// Whose play it is.
    pub about: About,
    /// Lines that are no step, such as the counters of a closed scorecard.
    pub notes: Vec<Value>,
    /// What could not be read; the first of them.
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub more_problems: u64,
    /// Bytes of the file that were read, and all it has.
    pub progress: (u64, u64),
    /// How it ended, once its end was reached. A recording that is still being written can grow past it.
    pub ending: Option<Ending>,
}

impl Mark {
    /// The step at an entry; `None` for a note. `before` is the step before it.
    pub(super) fn of(entry: &Entry, length: usize, before: Option<&Mark>) -> Option<Mark> {
        let (input, observation) = match &entry.event {
            Event::Seen { input, observation } => (input, Some(observation)),
            Event::Unknown(unknown) => (&unknown.command, None),
            Event::Note(_) => return None,
        };
        let stood = before.map_or((0, Status::NotPlayed), |before| (before.levels, before.status));
        let (levels, status) = observation.map_or(stood, |seen| (seen.levels_completed, seen.status));
        Some(Mark {
            offset: entry.offset,
            line: u32::try_from(entry.line).unwrap_or(u32::MAX),
            length: u32::try_from(length).unwrap_or(u32::MAX),
            layers: observation.map_or(0, |seen| u16::try_from(seen.layers.len()).unwrap_or(u16::MAX)),
            levels,
            command: input.command(),
            status,
            is_unknown: observation.is_none(),
            is_surprise: is_surprise(input.reasoning.as_ref()),
        })
    }
}

impl About {
    /// Learns from an entry.
    pub(crate) fn look(&mut self, entry: &Entry) {
        let Event::Seen { input, observation } = &entry.event else { return };
        if self.game.is_none() {
            self.game = Some(observation.game.to_string());
            self.play = Some(observation.play.to_string());
        }
        if self.policy.is_none() {
            self.policy = policy(input);
        }
        self.win_levels = observation.win_levels.max(self.win_levels);
        self.first = self.first.or(entry.at);
        self.last = entry.at.or(self.last);
    }
}

fn policy(input: &ActionInput) -> Option<String> {
    Thought::read(input.reasoning.as_ref()).policy
}

impl Index {
    /// Takes in what was found since.
    pub(crate) fn take(&mut self, batch: Index) {
        self.marks.extend(batch.marks);
        self.notes.extend(batch.notes);
        self.notes.truncate(NOTES_KEPT);
        for problem in batch.problems {
            self.add_problem(problem);
        }
        self.more_problems += batch.more_problems;
        self.about = batch.about;
        self.progress = batch.progress;
        self.ending = batch.ending;
    }

    /// Keeps a problem, or counts it where there are too many.
    pub(super) fn add_problem(&mut self, problem: Problem) {
        if self.problems.len() < PROBLEMS_KEPT {
            self.problems.push(problem);
        } else {
            self.more_problems += 1;
        }
    }

    /// The last step.
    pub fn last_step(&self) -> Option<usize> {
        self.marks.len().checked_sub(1)
    }

    /// Whether `step` solved a level.
    pub fn is_level_up(&self, step: usize) -> bool {
        step > 0 && self.marks.get(step).is_some_and(|mark| mark.levels > self.marks[step - 1].levels)
    }

    /// The steps that solved a level.
    pub fn level_ups(&self) -> impl DoubleEndedIterator<Item = usize> {
        (1..self.marks.len()).filter(|step| self.is_level_up(*step))
    }

    /// Actions up to and with `step`, as a scorecard counts them: the RESET that opens a play is free.
    pub fn actions(&self, step: usize) -> u32 {
        let opens = self.marks.first().is_some_and(|mark| mark.command == Some(Command::Reset));
        (step + usize::from(!opens)) as u32
    }

    /// The running action count at each rise of the level counter up to and with `step`, as a scorecard keeps it: a
    /// restart of the whole game begins it anew.
    pub fn completed_at(&self, step: usize) -> Vec<u32> {
        let mut completed_at = Vec::new();
        let upto = self.marks.len().min(step + 1);
        for (step, pair) in (1..).zip(self.marks[..upto].windows(2)) {
            if pair[1].levels > pair[0].levels {
                completed_at.push(self.actions(step));
            } else if pair[1].levels < pair[0].levels {
                completed_at.truncate(pair[1].levels.into());
            }
        }
        completed_at
    }

    /// What went wrong at the end, in words.
    pub fn ending_problem(&self) -> Option<String> {
        match self.ending? {
            Ending::Cut { line, bytes } => Some(format!("line {line} is cut: {bytes} bytes without an end")),
            Ending::Broken => Some("the rest of the file cannot be read".to_owned()),
            Ending::Clean | Ending::Unfinished => None,
        }
    }

    /// Human actions by level, where a note tells.
    pub fn baselines(&self) -> Vec<u32> {
        let numbers = |list: &Value| list.as_array()?.iter().map(|n| n.as_u64()?.try_into().ok()).collect();
        let known = self.notes.iter().rev().find_map(|note| find(note, "level_baseline_actions").and_then(numbers));
        known.unwrap_or_default()
    }

    /// What a scorecard made of the play in percent, where a note tells.
    pub fn noted_score(&self) -> Option<f64> {
        let scored = |note: &&Value| find(note, "level_scores").is_some() || find(note, "environments").is_some();
        self.notes.iter().rev().find(scored).and_then(|note| note.get("score")?.as_f64())
    }
}

/// The first field of this name, at any depth.
fn find<'a>(value: &'a Value, field: &str) -> Option<&'a Value> {
    match value {
        Value::Object(fields) => fields.get(field).or_else(|| fields.values().find_map(|inner| find(inner, field))),
        Value::Array(items) => items.iter().find_map(|inner| find(inner, field)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(levels: &[u16]) -> Index {
        let mark = |(line, levels): (u32, &u16)| Mark {
            offset: 0,
            line,
            length: 0,
            layers: 1,
            levels: *levels,
            command: Some(Command::Reset),
            status: Status::NotFinished,
            is_unknown: false,
            is_surprise: false,
        };
        Index { marks: (1..).zip(levels).map(mark).collect(), ..Index::default() }
    }

    #[test]
    fn a_mark_stays_small() {
        assert!(size_of::<Mark>() <= 32, "{}", size_of::<Mark>());
    }

    #[test]
    fn levels_are_counted_as_a_scorecard_does() {
        let index = marked(&[0, 0, 1, 1, 3, 0, 1]);
        assert_eq!(index.level_ups().collect::<Vec<_>>(), [2, 4, 6]);
        assert_eq!(index.completed_at(4), [2, 4]);
        assert_eq!(index.completed_at(6), [6], "a restart begins anew");
        assert_eq!(index.completed_at(99), [6]);
    }

    #[test]
    fn baselines_and_score_come_from_the_note_of_a_card() {
        let mut index = marked(&[0]);
        assert_eq!((index.baselines(), index.noted_score()), (vec![], None));
        index.notes.push(serde_json::json!({"won": 0, "score": 3}));
        assert_eq!(index.noted_score(), None, "levels are no score");
        index
            .notes
            .push(serde_json::json!({"score": 12.5, "runs": [{"level_baseline_actions": [3, 4], "level_scores": []}]}));
        assert_eq!((index.baselines(), index.noted_score()), (vec![3, 4], Some(12.5)));
    }
}
