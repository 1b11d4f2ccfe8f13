//! A recording in short.

use std::{fmt, path::Path};

use env_client::{
    Command, Status,
    recording::{Ending, RecordingName},
    score,
};
use jiff::Timestamp;
use serde::Serialize;

use super::{Archive, Index, Problem};
use crate::table::percent;

/// How a file ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// After a whole line.
    Clean,
    /// Within a line, which is lost.
    Cut,
    /// At a place from which nothing can be read.
    Broken,
}

/// What `arc3 replay --json` prints, and a row of the list of a folder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The file.
    pub file: String,
    /// The game; from the file's name where no line tells.
    pub game: Option<String>,
    /// The guid.
    pub play: Option<String>,
    /// Who played, from the file's name or the reasoning.
    pub policy: Option<String>,
    /// How the play stood at the end.
    pub state: Option<Status>,
    /// Levels solved at the end.
    pub levels_completed: u16,
    /// Levels of the game.
    pub win_levels: u16,
    /// Steps in the file, the opening RESET included.
    pub steps: usize,
    /// Actions as a scorecard counts them.
    pub actions: u32,
    /// RESETs among them.
    pub resets: usize,
    /// Actions whose answer was lost.
    pub unknown: usize,
    /// Actions before which the agent was surprised.
    pub surprises: usize,
    /// Actions on each level that was reached.
    pub actions_by_level: Vec<u32>,
    /// Human actions by level, where the recording tells.
    pub baselines: Vec<u32>,
    /// RHAE in percent, where the recording tells it or the baselines.
    pub score: Option<f64>,
    /// When it began.
    pub started: Option<Timestamp>,
    /// From the first step to the last.
    pub seconds: Option<f64>,
    /// How the file ended.
    pub ended: Ended,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub more_problems: u64,
}

impl Summary {
    /// The whole recording, for which it is read to its end.
    pub fn of(archive: &mut Archive) -> Summary {
        archive.wait();
        Summary::of_index(archive.path(), archive.index())
    }

    /// What an index tells.
    pub fn of_index(path: &Path, index: &Index) -> Summary {
        let name = RecordingName::parse(path);
        let last = index.marks.last();
        let actions = index.last_step().map_or(0, |step| index.actions(step));
        let completed_at = index.completed_at(index.marks.len());
        let opening = usize::from(index.actions(0) == 0 && last.is_some());
        let commands = index.marks.iter().skip(opening);
        let count = |test: fn(&&super::Mark) -> bool| commands.clone().filter(test).count();
        Summary {
            file: path.display().to_string(),
            game: index.about.game.clone().or_else(|| name.as_ref().map(game_of)),
            play: index.about.play.clone(),
            policy: name.as_ref().and_then(agent_of).or_else(|| index.about.policy.clone()),
            state: last.map(|mark| mark.status),
            levels_completed: last.map_or(0, |mark| mark.levels),
            win_levels: index.about.win_levels,
            steps: index.marks.len(),
            actions,
            resets: count(|mark| mark.command == Some(Command::Reset)),
            unknown: count(|mark| mark.is_unknown),
            surprises: count(|mark| mark.is_surprise),
            actions_by_level: spent(&completed_at, actions, index.about.win_levels),
            score: index.noted_score().or_else(|| score_of(index, &completed_at, actions)),
            baselines: index.baselines(),
            started: index.about.first,
            seconds: index.about.first.zip(index.about.last).map(|(first, last)| (last - first).total_seconds()),
            ended: ended(index),
            problems: problems(index),
            more_problems: index.more_problems,
        }
    }

    /// `3/7`, or `?` before anything is known.
    pub fn levels(&self) -> String {
        if self.steps == 0 { "?".to_owned() } else { format!("{}/{}", self.levels_completed, self.win_levels) }
    }
}

trait Seconds {
    fn total_seconds(self) -> f64;
}

impl Seconds for jiff::Span {
    fn total_seconds(self) -> f64 {
        self.total(jiff::Unit::Second).unwrap_or_default()
    }
}

fn game_of(name: &RecordingName) -> String {
    match name {
        RecordingName::Agents { game, .. } | RecordingName::Toolkit { game, .. } => game.to_string(),
    }
}

fn agent_of(name: &RecordingName) -> Option<String> {
    match name {
        RecordingName::Agents { agent, .. } => Some(agent.clone()),
        RecordingName::Toolkit { .. } => None,
    }
}

/// Actions on each solved level, then on the one that was being played.
fn spent(completed_at: &[u32], actions: u32, win_levels: u16) -> Vec<u32> {
    let mut before = 0;
    let ends = completed_at.iter().copied().chain((completed_at.len() < win_levels.into()).then_some(actions));
    ends.map(|end| end - std::mem::replace(&mut before, end)).collect()
}

fn score_of(index: &Index, completed_at: &[u32], actions: u32) -> Option<f64> {
    let baselines = index.baselines();
    let known = !baselines.is_empty() && baselines.len() >= completed_at.len();
    known.then(|| score::game(&score::levels(&baselines, completed_at, actions)))
}

fn ended(index: &Index) -> Ended {
    match index.ending {
        Some(Ending::Cut { .. }) => Ended::Cut,
        Some(Ending::Broken) => Ended::Broken,
        Some(Ending::Clean | Ending::Unfinished) | None => Ended::Clean,
    }
}

/// The problems of single lines, and that of the end.
fn problems(index: &Index) -> Vec<Problem> {
    let mut problems = index.problems.clone();
    if let Some(Ending::Cut { line, bytes }) = index.ending {
        let problem = format!("the file ends within this line, {bytes} bytes of it are there");
        let byte = index.progress.1.saturating_sub(bytes);
        problems.push(Problem { line, byte, problem });
    }
    problems
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unknown = || "?".to_owned();
        writeln!(f, "file      {}", self.file)?;
        writeln!(f, "game      {}", self.game.clone().unwrap_or_else(unknown))?;
        writeln!(f, "play      {}", self.play.clone().unwrap_or_else(unknown))?;
        writeln!(f, "policy    {}", self.policy.clone().unwrap_or_else(unknown))?;
        writeln!(f, "state     {}", self.state.map_or_else(unknown, |state| state.to_string()))?;
        writeln!(f, "levels    {}", self.levels())?;
        writeln!(f, "actions   {} ({} resets, {} unknown)", self.actions, self.resets, self.unknown)?;
        let by_level = self.actions_by_level.iter().map(ToString::to_string).collect::<Vec<_>>();
        writeln!(f, "by level  {}", by_level.join(" "))?;
        writeln!(f, "score %   {}", self.score.map_or_else(unknown, percent))?;
        writeln!(f, "started   {}", self.started.map_or_else(unknown, |at| at.to_string()))?;
        writeln!(f, "seconds   {}", self.seconds.map_or_else(unknown, |seconds| format!("{seconds:.1}")))?;
        self.problems.iter().try_for_each(|problem| writeln!(f, "problem   {problem}"))?;
        match self.more_problems {
            0 => Ok(()),
            more => writeln!(f, "problem   and {more} more"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} (at byte {}): {}", self.line, self.byte, self.problem)
    }
}
