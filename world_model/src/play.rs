//! A recording as what a world model can learn from: levels that begin, actions and what came of them, gaps.
//!
//! - [`Play`]: the events of a recording, one by one; memory holds one line. Start here.
//! - [`Event`]: what happened. A [`Step`] owns its grids and lends them as a [`Transition`].
//!
//! A lost answer, an unreadable line or a frame that belongs to no action is a gap: the action after it starts from a
//! frame that nobody saw, so nothing is learned from it either.

use std::{collections::VecDeque, io::BufRead, path::Path};

use env_client::{
    Action, Command, GameId, Grid, Observation, PlayId, Status,
    recording::{self, Ending, LineError, OpenError, Reader},
};

use crate::{Outcome, Start, Transition, WorldModel};

/// What happened in a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A level begins, or begins again.
    Begin {
        /// Levels solved before it in this play.
        level: u16,
        /// Its first frame.
        frame: Grid,
        /// How the play came to it.
        start: Start,
    },
    /// An action was taken and its outcome seen.
    Acted(Step),
    /// Something happened that nobody saw the whole of; the next action starts from a frame not shown before.
    Gap,
}

/// One action of a recording and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Levels solved before it in this play.
    pub level: u16,
    /// The settled frame it was taken on.
    pub before: Grid,
    /// What was done.
    pub action: Action,
    /// What was shown after it, at least one grid; see [`Transition::layers`].
    pub layers: Vec<Grid>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Step {
    /// The step as models learn from it.
    pub fn transition(&self) -> Transition<'_> {
        Transition { before: &self.before, action: self.action, layers: &self.layers, outcome: self.outcome }
    }
}

impl Event {
    /// Lets a model learn from it; a gap teaches nothing.
    pub fn teach(&self, model: &mut (impl WorldModel + ?Sized)) {
        match self {
            Event::Begin { frame, start, .. } => model.begin(frame, *start),
            Event::Acted(step) => model.observe(&step.transition()),
            Event::Gap => {}
        }
    }
}

/// The events of a recording.
#[derive(Debug)]
pub struct Play<R = Box<dyn BufRead + Send>> {
    reader: Reader<R>,
    game: Option<GameId>,
    guid: Option<PlayId>,
    place: Place,
    pending: VecDeque<Event>,
}

/// Where the play stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    /// Levels solved, once anything was seen.
    level: Option<u16>,
    /// The settled frame, unless it was not seen or the level is lost.
    frame: Option<Grid>,
    /// Whether only a RESET goes on from here.
    over: bool,
}

impl Play {
    /// Opens a recording, plain or zstd.
    pub fn open(path: &Path) -> Result<Play, OpenError> {
        Reader::open(path).map(Play::new)
    }
}

impl<R: BufRead> Play<R> {
    /// Reads from a recording that is open.
    pub fn new(reader: Reader<R>) -> Play<R> {
        Play { reader, game: None, guid: None, place: Place::default(), pending: VecDeque::new() }
    }

    /// The game, once an event was given.
    pub fn game(&self) -> Option<&GameId> {
        self.game.as_ref()
    }

    /// How the recording ended, once the iterator did.
    pub fn ending(&self) -> Option<Ending> {
        self.reader.ending()
    }

    fn take(&mut self, event: recording::Event) {
        match event {
            recording::Event::Seen { input, observation } => self.seen(input.command(), observation),
            recording::Event::Unknown(_) => self.gap(),
            recording::Event::Note(_) => {}
        }
    }

    fn gap(&mut self) {
        self.place.frame = None;
        self.pending.push_back(Event::Gap);
    }

    fn seen(&mut self, command: Option<Command>, seen: Observation) {
        if self.guid.as_ref() != Some(&seen.play) {
            (self.guid, self.place) = (Some(seen.play.clone()), Place::default());
        }
        self.game = Some(seen.game.clone());
        match command {
            Some(Command::Reset) => self.reset(seen),
            Some(Command::Act(action)) => self.acted(action, seen),
            None => self.gap(),
        }
    }

    fn reset(&mut self, mut seen: Observation) {
        let level = seen.levels_completed;
        let start = if self.place.level == Some(level) { Start::Again } else { Start::Level };
        match seen.layers.pop() {
            Some(frame) => self.begin(level, frame, start, seen.status),
            None => self.gap(),
        }
    }

    fn begin(&mut self, level: u16, frame: Grid, start: Start, status: Status) {
        let over = status != Status::NotFinished;
        self.place = Place { level: Some(level), frame: Some(frame.clone()), over };
        self.pending.push_back(Event::Begin { level, frame, start });
    }

    fn acted(&mut self, action: Action, seen: Observation) {
        let (level, before) = (self.place.level, self.place.frame.take());
        let Some(settled) = seen.layers.last().cloned() else { return self.gap() };
        // What is sent after the end of a level has no effect.
        if self.place.over {
            return;
        }
        let next = seen.levels_completed;
        match before.zip(level).filter(|(_, level)| next >= *level) {
            Some((before, level)) => {
                let outcome = outcome(level, &seen);
                self.pending.push_back(Event::Acted(Step { level, before, action, layers: seen.layers, outcome }));
            }
            None => self.pending.push_back(Event::Gap),
        }
        if level == Some(next) || seen.status == Status::Win {
            let over = seen.status != Status::NotFinished;
            self.place = Place { level: Some(next), frame: (!over).then_some(settled), over };
        } else {
            self.begin(next, settled, Start::Level, seen.status);
        }
    }
}

fn outcome(level: u16, seen: &Observation) -> Outcome {
    if seen.levels_completed > level || seen.status == Status::Win {
        Outcome::Solved
    } else if seen.status == Status::GameOver {
        Outcome::Lost
    } else {
        Outcome::Continues
    }
}

impl<R: BufRead> Iterator for Play<R> {
    type Item = Result<Event, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Some(Ok(event));
            }
            match self.reader.next()? {
                Ok(entry) => self.take(entry.event),
                Err(error) => {
                    self.gap();
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use env_client::Point;

    use super::*;

    /// A line in the recording's format: command number, state, levels solved and the one cell shown per layer.
    fn line(command: &str, state: &str, levels: u16, layers: &[u8]) -> String {
        let layers: Vec<String> = layers.iter().map(|cell| format!("[[{cell}]]")).collect();
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:00Z","data":{{"game_id":"ab12-1","guid":"g","frame":[{}],"state":"{state}","levels_completed":{levels},"win_levels":3,"action_input":{{"id":{command}}}}}}}"#,
            layers.join(",")
        )
    }

    fn told(lines: &[String]) -> Vec<String> {
        let text = lines.join("\n");
        let play = Play::new(Reader::new(text.as_bytes()));
        play.map(|event| event.map_or_else(|error| format!("line {}", error.line), |event| tell(&event))).collect()
    }

    fn tell(event: &Event) -> String {
        match event {
            Event::Begin { level, frame, start } => format!("begin {level} {start:?} {}", cell(frame)),
            Event::Acted(Step { level, before, action, layers, outcome }) => {
                let layers: Vec<String> = layers.iter().map(cell).collect();
                format!("{level}: {} {action} {} {outcome:?}", cell(before), layers.join(">"))
            }
            Event::Gap => "gap".to_owned(),
        }
    }

    fn cell(grid: &Grid) -> String {
        grid.to_string().trim_end().to_owned()
    }

    const GO: &str = "NOT_FINISHED";

    #[test]
    fn levels_are_solved_lost_and_begun_again() {
        let lines = [
            line("0", GO, 0, &[1]),
            line(r#"6,"data":{"x":5,"y":6}"#, GO, 0, &[2, 3]),
            line("1", GO, 1, &[4, 5]),
            line("2", "GAME_OVER", 1, &[6]),
            line("3", "GAME_OVER", 1, &[6]),
            line("0", GO, 1, &[5]),
            line("0", GO, 0, &[1]),
            line("4", "WIN", 3, &[7]),
        ];
        insta::assert_snapshot!(told(&lines).join("\n"), @r"
        begin 0 Level 1
        0: 1 ACTION6 (5, 6) 2>3 Continues
        0: 3 ACTION1 4>5 Solved
        begin 1 Level 5
        1: 5 ACTION2 6 Lost
        begin 1 Again 5
        begin 0 Level 1
        0: 1 ACTION4 7 Solved
        ");
    }

    #[test]
    fn nothing_is_learned_across_a_gap() {
        let unknown = r#"{"data":{"game_id":"a","guid":"g","outcome":"unknown","command":{"id":1},"cause":"cut"}}"#;
        let lines = [
            line("0", GO, 0, &[1]),
            unknown.to_owned(),
            line("1", GO, 0, &[2]),
            line("2", GO, 0, &[3]),
            "broken".to_owned(),
            line("3", GO, 1, &[4]),
            line("4", GO, 1, &[]),
            line("5", GO, 1, &[5]),
        ];
        let told = told(&lines);
        assert_eq!(told[0], "begin 0 Level 1");
        assert_eq!(told[1..4], ["gap", "gap", "0: 2 ACTION2 3 Continues"]);
        assert_eq!(told[4..], ["line 5", "gap", "gap", "begin 1 Level 4", "gap", "gap"]);
    }

    #[test]
    fn clicks_keep_their_column_and_row() {
        let lines = [line("0", GO, 0, &[1]), line(r#"6,"data":{"x":5,"y":60}"#, GO, 0, &[2])];
        let text = lines.join("\n");
        let steps = Play::new(Reader::new(text.as_bytes())).filter_map(|event| match event {
            Ok(Event::Acted(step)) => step.action.point(),
            _ => None,
        });
        assert_eq!(steps.collect::<Vec<_>>(), [Point::new(5, 60).unwrap()]);
    }
}
