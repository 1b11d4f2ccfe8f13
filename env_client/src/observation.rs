//! One answer of an environment, checked.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{ActionId, ActionSet, GameId, Grid, IdError, PlayId, wire};

/// Where a play stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Nothing was sent yet. The documentation also calls it `NOT_STARTED`.
    #[default]
    #[serde(alias = "NOT_STARTED")]
    NotPlayed,
    /// Being played.
    NotFinished,
    /// Every level is solved.
    Win,
    /// Lost; only RESET is accepted.
    GameOver,
}

impl Status {
    /// As the protocol writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::NotPlayed => "NOT_PLAYED",
            Status::NotFinished => "NOT_FINISHED",
            Status::Win => "WIN",
            Status::GameOver => "GAME_OVER",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no state, expected NOT_PLAYED, NOT_FINISHED, WIN or GAME_OVER")]
pub struct StatusError(pub String);

impl FromStr for Status {
    type Err = StatusError;

    fn from_str(text: &str) -> Result<Self, StatusError> {
        match text {
            "NOT_PLAYED" | "NOT_STARTED" => Ok(Status::NotPlayed),
            "NOT_FINISHED" => Ok(Status::NotFinished),
            "WIN" => Ok(Status::Win),
            "GAME_OVER" => Ok(Status::GameOver),
            _ => Err(StatusError(text.to_owned())),
        }
    }
}

/// What an environment showed after one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The game that answers.
    pub game: GameId,
    /// The play it belongs to.
    pub play: PlayId,
    /// The animation of this one command, first to last; the last one is the settled view. Empty when the game
    /// accepted nothing.
    pub layers: Vec<Grid>,
    /// Where the play stands after it.
    pub status: Status,
    /// Levels solved so far in this play.
    pub levels_completed: u16,
    /// Levels the game has.
    pub win_levels: u16,
    /// What the game says it listens to. RESET is not in it and always allowed.
    pub available: ActionSet,
    /// Whether the command restarted the whole game. Not every service says so.
    pub full_reset: bool,
}

/// What a play can be told next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Only RESET is accepted: the play was lost or never begun.
    MustReset,
    /// One of these, or a RESET.
    Play(ActionSet),
    /// Every level is solved; there is nothing to do.
    Won,
}

impl Observation {
    /// The settled view: what stands still when the animation is over.
    pub fn settled(&self) -> Option<&Grid> {
        self.layers.last()
    }

    /// What the play can be told next. A game that lists no action leaves the choice open.
    pub fn turn(&self) -> Turn {
        match self.status {
            Status::Win => Turn::Won,
            Status::GameOver | Status::NotPlayed => Turn::MustReset,
            Status::NotFinished if self.available.is_empty() => Turn::Play(ActionSet::ALL),
            Status::NotFinished => Turn::Play(self.available),
        }
    }
}

/// A frame response that reads as JSON but is no observation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObservationError {
    /// A field is not there.
    #[error("field `{0}` is missing")]
    Missing(&'static str),
    /// An identifier that is none.
    #[error("field `{field}`: {error}")]
    Id {
        /// Which field.
        field: &'static str,
        /// What is wrong with it.
        error: IdError,
    },
    /// A state nobody knows.
    #[error("field `state`: {0}")]
    Status(#[from] StatusError),
    /// An action nobody knows.
    #[error("field `available_actions`: {0} is no action, expected 1 to 7")]
    Action(i64),
    /// A level counter that is no small number.
    #[error("field `{field}`: {found} is no number of levels, expected 0 to 65535")]
    Levels {
        /// Which counter.
        field: &'static str,
        /// What came.
        found: i64,
    },
}

impl TryFrom<wire::Frame> for Observation {
    type Error = ObservationError;

    fn try_from(frame: wire::Frame) -> Result<Self, ObservationError> {
        let levels = |field, found: i64| u16::try_from(found).map_err(|_| ObservationError::Levels { field, found });
        let play = frame.guid.ok_or(ObservationError::Missing("guid"))?;
        Ok(Observation {
            game: frame.game_id.parse().map_err(|error| ObservationError::Id { field: "game_id", error })?,
            play: play.parse().map_err(|error| ObservationError::Id { field: "guid", error })?,
            layers: frame.frame,
            status: frame.state.parse()?,
            levels_completed: levels("levels_completed", frame.levels_completed)?,
            win_levels: levels("win_levels", frame.win_levels)?,
            available: available(&frame.available_actions)?,
            full_reset: frame.full_reset,
        })
    }
}

/// The listed actions as a set. RESET (0) is always allowed and not kept.
fn available(numbers: &[i64]) -> Result<ActionSet, ObservationError> {
    let mut set = ActionSet::EMPTY;
    for &number in numbers.iter().filter(|number| **number != 0) {
        let id = u64::try_from(number).ok().and_then(|number| ActionId::try_from(number).ok());
        set.insert(id.ok_or(ObservationError::Action(number))?);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(json: &str) -> Result<Observation, String> {
        let frame: wire::Frame = serde_json::from_str(json).map_err(|error| error.to_string())?;
        Observation::try_from(frame).map_err(|error| error.to_string())
    }

    #[test]
    fn old_and_new_names_read_the_same() {
        let new = r#"{"game_id":"ab12-1","guid":"g","frame":[[[1]]],"state":"NOT_FINISHED","levels_completed":2,"win_levels":7,
            "available_actions":[1,6],"action_input":{"id":6,"data":{"x":3,"y":4}},"full_reset":false}"#;
        let old = r#"{"game_id":"ab12-1","guid":"g","frame":[[[1]]],"state":"NOT_FINISHED","score":2,"win_score":7,
            "available_actions":["ACTION1","ACTION6"],"action_input":{"id":"ACTION6","data":{"x":3,"y":4}}}"#;
        let (new, old) = (frame(new).unwrap(), frame(old).unwrap());
        assert_eq!(new, old);
        assert_eq!((new.levels_completed, new.win_levels), (2, 7));
        assert_eq!(new.turn(), Turn::Play(new.available));
    }

    #[test]
    fn the_turn_follows_the_status() {
        let with = |state: &str| {
            frame(&format!(r#"{{"game_id":"a","guid":"g","state":"{state}","frame":[]}}"#)).map(|it| it.turn())
        };
        assert_eq!(with("GAME_OVER"), Ok(Turn::MustReset));
        assert_eq!(with("NOT_STARTED"), Ok(Turn::MustReset));
        assert_eq!(with("WIN"), Ok(Turn::Won));
        assert_eq!(with("NOT_FINISHED"), Ok(Turn::Play(ActionSet::ALL)));
        assert!(with("LOST").unwrap_err().contains("'LOST' is no state"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |json: &str| frame(json).unwrap_err();
        assert!(error(r#"{"game_id":"a","state":"WIN"}"#).contains("`guid` is missing"));
        assert!(error(r#"{"guid":"a","state":"WIN"}"#).contains("game_id"));
        assert!(error(r#"{"game_id":"../a","guid":"g","state":"WIN"}"#).contains("`game_id`"));
        let action = error(r#"{"game_id":"a","guid":"g","state":"WIN","available_actions":[9]}"#);
        assert!(action.contains("9 is no action"), "{action}");
        let colour = error(r#"{"game_id":"a","guid":"g","state":"WIN","frame":[[[1]],[[99]]]}"#);
        assert!(colour.contains("frame[1]") && colour.contains("colour 99"), "{colour}");
    }
}
