//! What came back, and turning it into something typed or into an explanation.

use reqwest::StatusCode;
use serde::de::DeserializeOwned;

use super::{ClientError, Endpoint, Refused, Unreadable, error::Loss};
use crate::{ApiKey, wire::Refusal};

/// Bytes of a body that an error shows.
const EXCERPT: usize = 160;

/// A complete answer.
pub(super) struct Answer {
    pub(super) endpoint: Endpoint,
    pub(super) status: StatusCode,
    pub(super) location: Option<String>,
    pub(super) body: Vec<u8>,
    /// Taken out of everything that is shown.
    pub(super) key: Option<ApiKey>,
    /// How the answer to an earlier try of the same request was lost, if it was.
    pub(super) lost_before: Option<Loss>,
}

impl Answer {
    /// The body as JSON, or why not.
    pub(super) fn json<T: DeserializeOwned>(self, expected: &'static str) -> Result<T, ClientError> {
        let read = match self.refusal() {
            Some(refused) => Err(ClientError::Refused(refused)),
            None => self.read(expected).map_err(|unreadable| ClientError::Unreadable(unreadable.into())),
        };
        read.map_err(|error| match self.lost_before {
            Some(lost) => ClientError::AfterLoss { lost, then: error.into() },
            None => error,
        })
    }

    /// The body of an answer that is no refusal.
    pub(super) fn read<T: DeserializeOwned>(&self, expected: &'static str) -> Result<T, Unreadable> {
        serde_json::from_slice(&self.body).map_err(|error| self.unreadable(expected, &error))
    }

    /// What the answer refuses, if it does: any status but 2xx, or an object with an `error`.
    pub(super) fn refusal(&self) -> Option<Box<Refused>> {
        let told = serde_json::from_slice::<Refusal>(&self.body).ok();
        if self.status.is_success() && told.is_none() {
            return None;
        }
        let (code, message) = match (told, &self.location) {
            (Some(Refusal { error, message: Some(message) }), _) => (Some(error), message),
            (Some(Refusal { error, message: None }), _) => (None, error),
            (None, Some(target)) => {
                (None, format!("redirected to {target}; if that is the service, name it as the base URL"))
            }
            (None, None) => (None, format!("its body begins: {}", self.excerpt())),
        };
        let message = self.masked(message);
        Some(Refused { endpoint: self.endpoint.clone(), status: self.status, code, message }.into())
    }

    /// The complaint about a body.
    pub(super) fn unreadable(&self, expected: &'static str, problem: &impl ToString) -> Unreadable {
        Unreadable {
            endpoint: self.endpoint.clone(),
            status: self.status,
            expected,
            problem: self.masked(problem.to_string()),
            bytes: self.body.len(),
            excerpt: self.excerpt(),
        }
    }

    /// The first bytes of the body, escaped.
    pub(super) fn excerpt(&self) -> String {
        excerpt(&self.body, self.key.as_ref())
    }

    fn masked(&self, text: String) -> String {
        masked(text, self.key.as_ref())
    }
}

/// The first bytes of a body as one line of printable text, without the key.
pub(super) fn excerpt(body: &[u8], key: Option<&ApiKey>) -> String {
    if body.is_empty() {
        return "(nothing)".to_owned();
    }
    let key_length = key.map_or(0, |key| key.expose().len());
    let text = String::from_utf8_lossy(&body[..body.len().min(EXCERPT + key_length)]);
    let text = masked(text.into_owned(), key);
    let shown: String = text.chars().take(EXCERPT).flat_map(char::escape_debug).collect();
    if body.len() > EXCERPT { format!("{shown}…") } else { shown }
}

/// A text with the key replaced, should a service repeat it.
pub(super) fn masked(text: String, key: Option<&ApiKey>) -> String {
    match key {
        Some(key) if text.contains(key.expose()) => text.replace(key.expose(), "(the API key)"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &[u8]) -> Answer {
        Answer {
            endpoint: Endpoint { method: "GET", route: "/api/games".to_owned() },
            status: StatusCode::from_u16(status).unwrap(),
            location: None,
            body: body.to_vec(),
            key: Some("sk-secret".parse().unwrap()),
            lost_before: None,
        }
    }

    fn error(status: u16, body: &[u8]) -> ClientError {
        answer(status, body).json::<Vec<u32>>("a list of numbers").unwrap_err()
    }

    #[test]
    fn an_unreadable_body_is_told_with_all_there_is_to_know() {
        insta::assert_snapshot!(
            error(200, b"<!doctype html>\n<title>hi</title>"),
            @r"GET /api/games: expected a list of numbers, got 200 OK with 33 bytes that are not: expected value at line 1 column 1; it begins: <!doctype html>\n<title>hi</title>"
        );
        insta::assert_snapshot!(
            error(200, b""),
            @"GET /api/games: expected a list of numbers, got 200 OK with 0 bytes that are not: EOF while parsing a value at line 1 column 0; it begins: (nothing)"
        );
        let text = error(200, &[b"[1,\xff\x00\x1b[31m".as_slice(), &[b'x'; 5000]].concat()).to_string();
        assert!(text.len() < 700 && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_refusal_keeps_status_code_and_message() {
        insta::assert_snapshot!(
            error(400, br#"{"error":"SERVER_ERROR","message":"game x not found"}"#),
            @"GET /api/games was refused: 400 Bad Request SERVER_ERROR: game x not found"
        );
        insta::assert_snapshot!(
            error(200, br#"{"error":"opaque exceeds 8 KB limit"}"#),
            @"GET /api/games was refused: 200 OK: opaque exceeds 8 KB limit"
        );
        insta::assert_snapshot!(
            error(415, b"<html>"),
            @"GET /api/games was refused: 415 Unsupported Media Type: its body begins: <html>"
        );
    }

    #[test]
    fn the_key_is_taken_out_even_where_the_excerpt_ends_in_it() {
        let long = [&[b'x'; EXCERPT - 3], b"sk-secret".as_slice(), &[b'y'; 99]].concat();
        let errors = [
            error(400, br#"{"error":"E","message":"does not match API key sk-secret"}"#),
            error(200, br#""sk-secret""#),
            error(200, &long),
            error(500, &long),
        ];
        for error in errors {
            let text = format!("{error} {error:?}");
            assert!(!text.contains("sk-s"), "{text}");
        }
    }

    #[test]
    fn refusals_are_told_apart() {
        let refused = |status, body: &[u8]| *answer(status, body).refusal().unwrap();
        assert!(refused(401, b"").is_about_the_key());
        assert!(refused(403, b"").is_about_the_key());
        let competition = refused(403, br#"{"error":"E","message":"card is in competition mode"}"#);
        assert!(competition.is_competition() && !competition.is_about_the_key());
        assert!(refused(400, br#"{"error":"E","message":"game a not found"}"#).is_gone());
        assert!(refused(404, b"<html>").is_gone());
        assert!(!refused(400, br#"{"error":"E","message":"x is too big"}"#).is_gone());
        assert!(refused(400, br#"{"error":"GAME_NOT_STARTED_ERROR","message":""}"#).needs_reset());
        assert!(refused(409, b"").is_second_card());
    }
}
