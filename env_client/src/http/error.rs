//! What can go wrong, told by what it means for the caller.

use std::{fmt, time::Duration};

use reqwest::StatusCode;

/// A request by method and route, as errors name it: `POST /api/cmd/RESET`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The route below the base URL.
    pub route: String,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.route)
    }
}

/// A request that led to nothing. The key never appears in it, even where the service repeats it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ClientError {
    /// The base URL cannot be one.
    #[error("'{found}' is no base URL, expected http:// or https:// and a host")]
    BaseUrl {
        /// What came.
        found: String,
    },
    /// The HTTP machinery could not be set up.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
    /// The service said no.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// The service answered with something else than the protocol.
    #[error(transparent)]
    Unreadable(Box<Unreadable>),
    /// A transient fault outlasted the budget. If this was a command, it was not acted on.
    #[error("{endpoint}: gave up after {attempts} tries in {:.1} s: {last}", elapsed.as_secs_f64())]
    GaveUp {
        /// Which request.
        endpoint: Endpoint,
        /// Tries made.
        attempts: u32,
        /// Time since the first of them.
        elapsed: Duration,
        /// What the last one met.
        last: Setback,
    },
    /// A card request was repeated because an answer was lost, and then refused: the lost one may have done its work.
    #[error("{then}; an earlier try may have succeeded, its answer was lost ({lost})")]
    AfterLoss {
        /// What happened to the earlier answer.
        lost: Loss,
        /// What the repetition led to.
        then: Box<ClientError>,
    },
    /// The answer to the RESET that opens a play was lost, and the play's guid with it. Later commands whose answer is
    /// lost are no errors but [`Reply::Unknown`](super::Reply::Unknown).
    #[error("{0}; a command is not sent twice, and the play's guid was in the lost answer")]
    Lost(Box<LostAnswer>),
    /// Too many unknown outcomes in a row. None of the commands was sent again.
    #[error("{count} commands in a row have an unknown outcome, the last one: {last}")]
    Silent {
        /// How many.
        count: u32,
        /// The last one.
        last: Box<LostAnswer>,
    },
    /// An action before the first RESET.
    #[error("{command} before the play was started, expected RESET first")]
    NotStarted {
        /// What was to be sent.
        command: String,
    },
}

impl ClientError {
    /// The refusal behind it, directly or after a loss.
    pub fn refusal(&self) -> Option<&Refused> {
        match self {
            ClientError::Refused(refused) => Some(refused),
            ClientError::AfterLoss { then, .. } => then.refusal(),
            _ => None,
        }
    }
}

/// A readable answer that says no. What was asked for did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{endpoint} was refused: {status}{}: {message}", code.as_ref().map(|code| format!(" {code}")).unwrap_or_default())]
pub struct Refused {
    /// Which request.
    pub endpoint: Endpoint,
    /// HTTP status.
    pub status: StatusCode,
    /// The service's short code, such as `VALIDATION_ERROR`, where the body has one.
    pub code: Option<String>,
    /// The service's explanation, or the first bytes of a body that has none.
    pub message: String,
}

impl Refused {
    /// The key is missing, wrong, or not the one the card or play belongs to.
    pub fn is_about_the_key(&self) -> bool {
        let barred = self.status == StatusCode::FORBIDDEN && !self.message.contains("competition");
        self.status == StatusCode::UNAUTHORIZED || barred || self.message.contains("API key")
    }

    /// The game, play or card does not exist for this service (any more): never known, closed, stale, or forgotten in
    /// a restart. Services answer all of these alike.
    pub fn is_gone(&self) -> bool {
        let told = self.message.contains("not found");
        self.status == StatusCode::NOT_FOUND || (self.status == StatusCode::BAD_REQUEST && told)
    }

    /// The play accepts nothing but RESET.
    pub fn needs_reset(&self) -> bool {
        self.code.as_deref().is_some_and(|code| code.starts_with("GAME_NOT_STARTED"))
    }

    /// The service has one card only, and it is taken.
    pub fn is_second_card(&self) -> bool {
        self.status == StatusCode::CONFLICT
    }

    /// An open card cannot be read because competition rules apply to it.
    pub fn is_competition(&self) -> bool {
        self.status == StatusCode::FORBIDDEN && self.message.contains("competition")
    }
}

/// A body that is not what the protocol says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{endpoint}: expected {expected}, got {status} with {bytes} bytes that are not: {problem}; it begins: {excerpt}"
)]
pub struct Unreadable {
    /// Which request.
    pub endpoint: Endpoint,
    /// HTTP status.
    pub status: StatusCode,
    /// What the body should have been.
    pub expected: &'static str,
    /// What is wrong with it, and where.
    pub problem: String,
    /// Length of the body, as far as it was read.
    pub bytes: usize,
    /// Its first bytes, escaped.
    pub excerpt: String,
}

/// A command that was sent and may have been carried out, without an answer that tells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{endpoint}: {loss}")]
pub struct LostAnswer {
    /// Which command.
    pub endpoint: Endpoint,
    /// How its answer was lost.
    pub loss: Loss,
}

/// How an answer can be lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    /// It did not come in time.
    #[error("no complete answer within {:.1} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The connection ended first.
    #[error("the connection broke before the answer was complete: {0}")]
    Disconnected(String),
    /// A gateway or the service failed while working on it.
    #[error("the service failed while working on it: {status}; its body begins: {excerpt}")]
    Failed {
        /// HTTP status, 5xx.
        status: StatusCode,
        /// The first bytes of the body, escaped.
        excerpt: String,
    },
    /// It came but cannot be read.
    #[error("{0}")]
    Unreadable(Box<Unreadable>),
}

/// A fault after which a request may be sent again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Setback {
    /// No connection; nothing was sent.
    #[error("no connection: {0}")]
    NoConnection(String),
    /// Refused for now.
    #[error("the service answered {status}{}", asks(*.retry_after))]
    Busy {
        /// 429, 502, 503 or 504.
        status: StatusCode,
        /// The pause it asks for.
        retry_after: Option<Duration>,
    },
    /// The answer was lost, which does no harm to this request.
    #[error("{0}")]
    Lost(Loss),
}

fn asks(retry_after: Option<Duration>) -> String {
    retry_after.map(|pause| format!(" and asks for a pause of {} s", pause.as_secs())).unwrap_or_default()
}
