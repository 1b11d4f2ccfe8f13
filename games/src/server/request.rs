//! Bodies and headers of requests, checked once where they come in.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use env_client::{Action, ActionId, ApiKey, Command, Key, Point};
use serde::{Deserialize, de::DeserializeOwned, de::IgnoredAny};
use serde_json::{error::Category, value::RawValue};

use super::{Refusal, Shared};

/// The key of requests that carry none, as on the official server.
const DEFAULT_KEY: &str = "1234";

/// Longest accepted key, so that keys cannot fill the memory.
const MAX_KEY: usize = 256;

/// Most bytes of JSON in `opaque` and `reasoning` each (protocol).
const MAX_BLOB: usize = 16 * 1024;

/// Who asks.
pub(super) struct Caller(pub(super) ApiKey);

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Refusal> {
        let text = match parts.headers.get("x-api-key") {
            None => DEFAULT_KEY,
            Some(value) => value.to_str().map_err(|_| Refusal::Key(MAX_KEY))?,
        };
        let key = text.parse().ok().filter(|_| text.len() <= MAX_KEY);
        key.map(Caller).ok_or(Refusal::Key(MAX_KEY))
    }
}

/// A body that said it is JSON.
pub(super) struct Body(Bytes);

impl FromRequest<Shared> for Body {
    type Rejection = Refusal;

    async fn from_request(request: Request, server: &Shared) -> Result<Body, Refusal> {
        expect_json(request.headers())?;
        let body = Bytes::from_request(request, server).await;
        body.map(Body).map_err(|rejection| refused_body(&rejection, server.limits().body))
    }
}

fn refused_body(rejection: &BytesRejection, limit: usize) -> Refusal {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::BodyTooLarge(limit),
        _ => Refusal::BodyCut(rejection.body_text()),
    }
}

/// `application/json`, or `application/` anything `+json`.
fn expect_json(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Err(Refusal::ContentType("none".to_owned())) };
    let text = String::from_utf8_lossy(value.as_bytes());
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let json = essence.strip_prefix("application/").is_some_and(|kind| kind == "json" || kind.ends_with("+json"));
    json.then_some(()).ok_or_else(|| Refusal::ContentType(text.into_owned()))
}

impl Body {
    /// The object it holds.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let object = self.0.trim_ascii_start().starts_with(b"{");
        if !object {
            serde_json::from_slice::<IgnoredAny>(&self.0).map_err(|error| Refusal::Malformed(error.to_string()))?;
            return Err(Refusal::NotAnObject);
        }
        serde_json::from_slice(&self.0).map_err(|error| match error.classify() {
            Category::Data => Refusal::Invalid(error.to_string()),
            _ => Refusal::Malformed(error.to_string()),
        })
    }

    /// The same, where the official server says of anything but an object that this field is missing.
    pub(super) fn parse_with<T: DeserializeOwned>(&self, field: &'static str) -> Result<T, Refusal> {
        self.parse().map_err(|refusal| match refusal {
            Refusal::NotAnObject => Refusal::Missing(field),
            other => other,
        })
    }
}

/// The body of `POST /api/scorecard/open`.
#[derive(Debug, Deserialize)]
pub(super) struct OpenBody {
    #[serde(default)]
    pub(super) source_url: Option<String>,
    #[serde(default)]
    pub(super) tags: Option<Vec<String>>,
    #[serde(default)]
    opaque: Option<Box<RawValue>>,
    /// Any value but `null` asks for competition rules, even `false`: the official server looks no further.
    #[serde(default)]
    pub(super) competition_mode: Option<IgnoredAny>,
}

impl OpenBody {
    /// What the card is to carry along.
    pub(super) fn opaque(&self) -> Result<Option<serde_json::Value>, Refusal> {
        let Some(opaque) = &self.opaque else { return Ok(None) };
        expect_blob("opaque", opaque)?;
        serde_json::from_str(opaque.get()).map_err(|error| Refusal::Malformed(format!("opaque: {error}")))
    }
}

/// The body of `POST /api/scorecard/close`.
#[derive(Debug, Deserialize)]
pub(super) struct CloseBody {
    #[serde(default)]
    pub(super) card_id: Option<String>,
}

/// The body of `POST /api/cmd/…`.
#[derive(Debug, Deserialize)]
pub(super) struct CommandBody {
    #[serde(default)]
    game_id: Option<String>,
    #[serde(default)]
    pub(super) card_id: Option<String>,
    #[serde(default)]
    guid: Option<String>,
    #[serde(default)]
    x: Option<Box<RawValue>>,
    #[serde(default)]
    y: Option<Box<RawValue>>,
    #[serde(default)]
    reasoning: Option<Box<RawValue>>,
}

impl CommandBody {
    /// Which game, as the client names it.
    pub(super) fn game(&self) -> Result<&str, Refusal> {
        self.game_id.as_deref().ok_or(Refusal::Missing("game_id"))
    }

    /// Which play; an empty text is none.
    pub(super) fn guid(&self) -> Option<&str> {
        self.guid.as_deref().filter(|guid| !guid.is_empty())
    }

    /// What the agent thought.
    pub(super) fn reasoning(&self) -> Result<Option<&RawValue>, Refusal> {
        self.reasoning.as_deref().map(|reasoning| expect_blob("reasoning", reasoning)).transpose()
    }

    /// The command of the route `id` (RESET when there is none), with its point if it takes one.
    pub(super) fn command(&self, id: Option<ActionId>) -> Result<Command, Refusal> {
        let Some(id) = id else { return Ok(Command::Reset) };
        if let Some(key) = Key::from_id(id) {
            return Ok(Action::Key(key).into());
        }
        let (x, y) = (coordinate("x", self.x.as_deref())?, coordinate("y", self.y.as_deref())?);
        let point = Point::new(x, y).map_err(|error| Refusal::Invalid(error.to_string()))?;
        Ok(Action::Click(point).into())
    }
}

/// A whole number, perhaps written as `3.0`.
fn coordinate(name: &'static str, value: Option<&RawValue>) -> Result<i64, Refusal> {
    let Some(value) = value else { return Err(Refusal::Invalid(format!("ACTION6 needs `{name}`, 0 to 63"))) };
    let number: Option<f64> = serde_json::from_str(value.get()).ok();
    let whole = number.filter(|number| number.fract() == 0.0);
    let wrong = || Refusal::Invalid(format!("`{name}` is {}, expected a whole number, 0 to 63", excerpt(value.get())));
    whole.map(|number| number as i64).ok_or_else(wrong)
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A blob within the protocol's limit.
fn expect_blob<'a>(what: &'static str, blob: &'a RawValue) -> Result<&'a RawValue, Refusal> {
    let size = compact_size(blob.get());
    if size > MAX_BLOB { Err(Refusal::Oversized { what, size, most: MAX_BLOB }) } else { Ok(blob) }
}

/// The bytes of valid JSON as the official server counts them: no space between tokens, `\uXXXX` beyond ASCII.
fn compact_size(json: &str) -> usize {
    let (mut size, mut in_string, mut escaped) = (0, false, false);
    for c in json.chars() {
        if in_string || !c.is_ascii_whitespace() {
            size += if c.is_ascii() { 1 } else { 6 * c.len_utf16() };
        }
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    size
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blobs_are_measured_as_python_writes_them() {
        // len(json.dumps(json.loads(text), separators=(",", ":")))
        for (text, size) in [
            (r#" { "a" : [ 1 , 2 ] } "#, 11),
            (r#""a b\" c""#, 9),
            (r#""é""#, 8),
            (r#""😀""#, 14),
            (r#""\\" "#, 4),
            ("null", 4),
        ] {
            assert_eq!(compact_size(text), size, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_body_is_too_odd_to_be_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let body = Body(Bytes::from(bytes));
            if let Ok(body) = body.parse_with::<CommandBody>("game_id") {
                let _ = (body.game(), body.reasoning(), body.command(Some(ActionId::Action6)));
            }
        }

        #[test]
        fn only_points_of_the_frame_are_clicked(x in -100..200, y in any::<i64>()) {
            let body: CommandBody = serde_json::from_str(&format!(r#"{{"game_id":"a","x":{x}.0,"y":{y}}}"#)).unwrap();
            let inside = (0..64).contains(&x) && (0..64).contains(&y);
            prop_assert_eq!(body.command(Some(ActionId::Action6)).is_ok(), inside);
        }
    }
}
