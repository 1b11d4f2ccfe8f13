//! How a play ends.

use std::fmt;

use env_client::{http::ClientError, recording::RecordError};
use serde::{Deserialize, Serialize};

/// Why a play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// Every level is solved.
    Won,
    /// The action budget is spent.
    Budget,
    /// RESET no longer leads out of a lost game.
    Stalled,
    /// Somebody asked to stop.
    Interrupted,
    /// The service restarted the whole game although competition rules forbid it.
    Restarted,
    /// The service could not be reached (any more), or answers got lost again and again.
    Lost,
    /// The service said no: unknown game or card, wrong key, a play it has forgotten.
    Refused,
    /// The recording could not be written.
    Recording,
    /// The policy failed.
    Policy,
}

impl Stop {
    /// As tables and results name it.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Won => "won",
            Stop::Budget => "budget",
            Stop::Stalled => "stalled",
            Stop::Interrupted => "interrupted",
            Stop::Restarted => "restarted",
            Stop::Lost => "lost",
            Stop::Refused => "refused",
            Stop::Recording => "recording",
            Stop::Policy => "policy",
        }
    }

    /// Whether the play came to its own end, so that playing it again would show nothing new.
    pub const fn is_regular(self) -> bool {
        matches!(self, Stop::Won | Stop::Budget | Stop::Stalled)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What can be done about a policy that fails.
pub(super) const DEFECT: &str = "this is a defect of the policy; the log has the place, the recording what led to it";

/// The end of a play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Why.
    pub stop: Stop,
    /// What exactly went wrong, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What can be done about it.
    #[serde(skip)]
    pub hint: Option<&'static str>,
}

impl Ended {
    /// An end that needs no explanation.
    pub fn plain(stop: Stop) -> Ended {
        Ended { stop, detail: None, hint: None }
    }

    /// An end that needs one.
    pub fn because(stop: Stop, detail: impl fmt::Display) -> Ended {
        Ended { stop, detail: Some(detail.to_string()), hint: None }
    }

    /// The same, after parts of the policy failed so often and it went on without them.
    pub fn after(self, defects: u32) -> Ended {
        let detail = format!("parts of the policy failed {defects} times, and it went on without them");
        Ended { detail: Some(detail), hint: Some(DEFECT), ..self }
    }

    /// Adds what can be done about it.
    pub fn hint(self, hint: &'static str) -> Ended {
        Ended { hint: Some(hint), ..self }
    }
}

impl From<ClientError> for Ended {
    fn from(error: ClientError) -> Ended {
        match error.refusal() {
            Some(refused) if refused.is_about_the_key() => Ended::because(Stop::Refused, refused)
                .hint("ARC_API_KEY must be the key that opened the scorecard, and may not open every game"),
            Some(refused) if refused.is_gone() => Ended::because(Stop::Refused, refused).hint(
                "the service no longer knows the play: it was restarted, or the scorecard was closed or went stale",
            ),
            Some(refused) => Ended::because(Stop::Refused, refused),
            None => Ended::because(Stop::Lost, error).hint("see whether the service is up, then play the game again"),
        }
    }
}

impl From<RecordError> for Ended {
    fn from(error: RecordError) -> Ended {
        Ended::because(Stop::Recording, error)
            .hint("make room, or name another folder with --recordings; what was recorded so far is kept")
    }
}
