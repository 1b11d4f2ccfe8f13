//! Every way the server says no: what went wrong, as a status and a JSON body.
//!
//! Codes and phrases follow the official server; where that one answers an HTML page or a 500 there is JSON with the
//! status it should have had.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use env_client::wire;

/// A request that is not served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("expected the header Content-Type: application/json, got {0}")]
    ContentType(String),
    #[error("the request body is larger than {0} bytes")]
    BodyTooLarge(usize),
    #[error("the request body did not arrive: {0}")]
    BodyCut(String),
    #[error("malformed JSON: {0}")]
    Malformed(String),
    #[error("request body must be a JSON object")]
    NotAnObject,
    #[error("missing `{0}` in action data")]
    Missing(&'static str),
    #[error("missing `guid` for any action other than RESET")]
    MissingGuid,
    #[error("{0}")]
    Invalid(String),
    #[error("{what} is {size} bytes of JSON, at most {most} are allowed")]
    Oversized { what: &'static str, size: usize, most: usize },
    #[error("the X-API-Key header holds no key: expected 1 to {0} printable ASCII characters without spaces")]
    Key(usize),
    #[error("game {0} not found")]
    NoSuchGame(String),
    #[error("game {game} not found: {why}")]
    GameNotFound { game: String, why: &'static str },
    #[error("game {game} with guid {guid} does not match the API key")]
    ForeignPlay { game: String, guid: String },
    #[error("game {0} is over and accepts no action, send RESET to begin playing")]
    NotStarted(String),
    #[error("game {0} failed while it was stepped; this play is lost, start a new one")]
    Broken(String),
    #[error("card_id `{0}` not found")]
    CardNotFound(String),
    #[error("scorecard {0} not found")]
    CardNotOpen(String),
    #[error("cannot get scorecard that is in competition mode")]
    CompetitionCard,
    #[error("cannot open multiple scorecards in competition mode")]
    SecondCard,
    #[error("this key holds {limit} open {what} already, close a scorecard first")]
    KeyLimit { what: &'static str, limit: usize },
    #[error("the server holds {limit} open {what} already, try again later")]
    ServerLimit { what: &'static str, limit: usize },
    #[error("{0} is no route of this server")]
    NoRoute(String),
    #[error("{route} does not take {method}")]
    Method { route: String, method: String },
}

impl Refusal {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Refusal::ContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::BodyTooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::NoSuchGame(_) | Refusal::CardNotFound(_) | Refusal::CardNotOpen(_) | Refusal::NoRoute(_) => {
                StatusCode::NOT_FOUND
            }
            Refusal::CompetitionCard => StatusCode::FORBIDDEN,
            Refusal::SecondCard => StatusCode::CONFLICT,
            Refusal::KeyLimit { .. } => StatusCode::TOO_MANY_REQUESTS,
            Refusal::ServerLimit { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The short code of the official server.
    fn code(&self) -> &'static str {
        match self {
            Refusal::NoSuchGame(_)
            | Refusal::GameNotFound { .. }
            | Refusal::CardNotFound(_)
            | Refusal::CompetitionCard
            | Refusal::SecondCard
            | Refusal::Broken(_)
            | Refusal::KeyLimit { .. }
            | Refusal::ServerLimit { .. }
            | Refusal::NoRoute(_)
            | Refusal::Method { .. } => "SERVER_ERROR",
            Refusal::NotStarted(_) => "GAME_NOT_STARTED_ERROR",
            _ => "VALIDATION_ERROR",
        }
    }

    fn body(&self) -> wire::Refusal {
        match self {
            // The official server says this one in a single field.
            Refusal::NotAnObject => wire::Refusal { error: self.to_string(), message: None },
            _ => wire::Refusal { error: self.code().to_owned(), message: Some(self.to_string()) },
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let response = (self.status(), Json(self.body())).into_response();
        match self {
            // The client has not sent the rest of that body; the connection cannot be used again.
            Refusal::BodyTooLarge(_) => ([(header::CONNECTION, "close")], response).into_response(),
            _ => response,
        }
    }
}
