//! What a model thinks would happen, next to what did.

use std::{fmt, str::FromStr};

use env_client::{Action, ActionId, Grid, Key, Point};
use world_model::{Outcome, Prediction, Source, State, WorldModel};

use super::lesson::Lesson;

/// Cells shown around those that matter.
const MARGIN: u8 = 2;

/// An action as a person writes it: `1` to `7`, a click as `6@12:30`, its column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedAction(pub Action);

/// A text that is no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no action, expected 1 to 5, 7, or a click such as 6@12:30 (column 12, row 30)")]
pub struct TypedActionError(String);

impl FromStr for TypedAction {
    type Err = TypedActionError;

    fn from_str(text: &str) -> Result<TypedAction, TypedActionError> {
        let (id, place) = text.split_once('@').map_or((text, None), |(id, place)| (id, Some(place)));
        let point = |place: &str| {
            let (x, y) = place.split_once(':')?;
            Point::new(x.parse::<i64>().ok()?, y.parse::<i64>().ok()?).ok()
        };
        let action = match (id.parse::<ActionId>().ok(), place) {
            (Some(ActionId::Action6), Some(place)) => point(place).map(Action::Click),
            (Some(id), None) => Key::from_id(id).map(Action::Key),
            _ => None,
        };
        action.map(TypedAction).ok_or_else(|| TypedActionError(text.to_owned()))
    }
}

/// One dreamed step.
#[derive(Clone, Debug)]
pub struct Dreamed {
    /// The action.
    pub action: Action,
    /// The frame it was dreamed from.
    pub before: Grid,
    /// What the model expects.
    pub prediction: Prediction,
    /// What really came, as long as the same actions were really taken.
    pub real: Option<(Grid, Outcome)>,
}

/// Dreams on from where a lesson ended, until the model has nothing more to say.
pub fn dream(lesson: &Lesson, start: &Grid, actions: &[Action]) -> Vec<Dreamed> {
    let mut state = lesson.model.state(start);
    let mut dreamed: Vec<Dreamed> = Vec::with_capacity(actions.len());
    let mut taken = lesson.coming.iter();
    for action in actions {
        let real = taken.next().filter(|step| step.action == *action);
        if real.is_none() {
            taken = [].iter();
        }
        let prediction = lesson.model.predict(&state, *action);
        let next = prediction.next.clone().filter(|_| prediction.outcome == Outcome::Continues);
        let real = real.and_then(|step| step.layers.last().cloned().map(|frame| (frame, step.outcome)));
        dreamed.push(Dreamed { action: *action, before: state.frame.clone(), prediction, real });
        let Some(next) = next else { break };
        state = next;
    }
    dreamed
}

impl Dreamed {
    /// The frame the model expects.
    pub fn expected(&self) -> Option<&Grid> {
        self.prediction.next.as_ref().map(|State { frame, .. }| frame)
    }

    /// The real frame, where the level went on.
    pub fn came(&self) -> Option<&Grid> {
        self.real.as_ref().filter(|(_, outcome)| *outcome == Outcome::Continues).map(|(frame, _)| frame)
    }

    /// Whether it came as expected, and how far from it otherwise.
    fn verdict(&self) -> String {
        match (self.expected(), &self.real) {
            (None, _) => "nothing is known".to_owned(),
            (Some(_), None) => "nobody did this".to_owned(),
            (Some(_), Some((_, real))) if *real != self.prediction.outcome => {
                format!("wrong: the level {}", tell(*real))
            }
            (Some(_), Some((_, Outcome::Solved | Outcome::Lost))) => "right".to_owned(),
            (Some(expected), Some((real, Outcome::Continues))) => match expected.differences(real).map(Iterator::count)
            {
                Some(0) => "right in every cell".to_owned(),
                Some(1) => "1 cell is wrong".to_owned(),
                Some(wrong) => format!("{wrong} cells are wrong"),
                None => "wrong: the frame has another size".to_owned(),
            },
        }
    }

    /// The part of the frame where anything changes or is wrong, predicted and real side by side.
    fn picture(&self) -> Vec<String> {
        let (Some(expected), before) = (self.expected(), &self.before) else { return Vec::new() };
        let shown: Vec<&Grid> = [Some(expected), self.came()].into_iter().flatten().collect();
        let matters = |at: &Point| shown.iter().any(|grid| grid.get(*at) != before.get(*at));
        let points: Vec<Point> = before.points().filter(matters).collect();
        let range = |pick: fn(&Point) -> u8, side: u8| {
            let (low, high) = (points.iter().map(pick).min()?, points.iter().map(pick).max()?);
            Some((low.saturating_sub(MARGIN), (high + MARGIN).min(side - 1)))
        };
        let columns = range(|at| at.x(), before.width());
        let Some(((left, right), (top, bottom))) = columns.zip(range(|at| at.y(), before.height())) else {
            return Vec::new();
        };
        let row = |grid: &Grid, y: u8| -> String {
            let cell = |x: u8| Point::new(x, y).ok().and_then(|at| grid.get(at));
            (left..=right).map(|x| cell(x).map_or_else(|| " ".to_owned(), |cell| cell.to_string())).collect()
        };
        let heading = format!("columns {left}-{right}, rows {top}-{bottom}");
        let rows = (top..=bottom).map(|y| shown.iter().map(|grid| row(grid, y)).collect::<Vec<_>>().join("  |  "));
        std::iter::once(heading).chain(rows).collect()
    }
}

fn tell(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Continues => "goes on",
        Outcome::Solved => "is solved",
        Outcome::Lost => "is lost",
    }
}

fn speaker(source: Source) -> &'static str {
    match source {
        Source::Memory => "memory",
        Source::Simulator => "simulator",
        Source::Rules => "rules",
        Source::Net => "net",
        Source::Nobody => "nobody",
    }
}

impl fmt::Display for Dreamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.action, self.verdict())?;
        if self.prediction.next.is_some() {
            let Prediction { source, confidence, outcome, .. } = &self.prediction;
            write!(f, " ({}, confidence {confidence:.2})", speaker(*source))?;
            if *outcome != Outcome::Continues {
                write!(f, "; it expects that the level {}", tell(*outcome))?;
            }
        }
        writeln!(f)?;
        self.picture().iter().try_for_each(|row| writeln!(f, "    {row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_read_as_a_person_writes_them() {
        let read = |text: &str| text.parse::<TypedAction>().map(|typed| typed.0.to_string());
        assert_eq!(read("4").unwrap(), "ACTION4");
        assert_eq!(read("6@12:30").unwrap(), "ACTION6 (12, 30)");
        for text in ["", "6", "8", "0", "4@1:1", "6@64:0", "6@1", "x"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_step_shows_what_was_expected_next_to_what_came() {
        let grid = |picture: &str| picture.parse::<Grid>().unwrap();
        let prediction = Prediction {
            next: Some(State::seen(grid("00000000\n00000010"))),
            outcome: Outcome::Continues,
            confidence: 0.5,
            source: Source::Rules,
        };
        let step = Dreamed {
            action: Action::Key(Key::Key4),
            before: grid("00000000\n00000100"),
            prediction,
            real: Some((grid("00000000\n00000100"), Outcome::Continues)),
        };
        insta::assert_snapshot!(step, @r"
        ACTION4: 2 cells are wrong (rules, confidence 0.50)
            columns 3-7, rows 0-1
            00000  |  00000
            00010  |  00100
        ");
    }
}
