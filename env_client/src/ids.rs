//! Names the service hands out: of games, plays and scorecards, and the key that opens it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Longest accepted identifier; the longest one seen in the wild is a 36-character guid.
const MAX_LENGTH: usize = 128;

/// A text that cannot be an identifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no {kind}, expected 1 to {MAX_LENGTH} letters, digits, '-', '_' or '.', not starting with '.'")]
pub struct IdError {
    /// What was to be named.
    pub kind: &'static str,
    /// What came.
    pub found: String,
}

/// Identifiers become parts of file names and routes, so they hold no separators.
fn validate(kind: &'static str, text: &str) -> Result<(), IdError> {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = !text.is_empty() && text.len() <= MAX_LENGTH && !text.starts_with('.');
    if fits && text.chars().all(legal) {
        Ok(())
    } else {
        Err(IdError { kind, found: text.chars().take(MAX_LENGTH).collect() })
    }
}

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The identifier as the protocol writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                validate($kind, text).map(|()| $name(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                validate($kind, &text).map(|()| $name(text))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

identifier! {
    /// A game: a stem and, after the first `-`, the version that is served (`ls20-9607627b`).
    GameId, "game id"
}

identifier! {
    /// One play of a game, the `guid` of the protocol.
    PlayId, "play id (guid)"
}

identifier! {
    /// A scorecard.
    CardId, "scorecard id"
}

impl GameId {
    /// The name without its version.
    pub fn stem(&self) -> &str {
        self.0.split_once('-').map_or(self.0.as_str(), |(stem, _)| stem)
    }

    /// What follows the first `-`, if anything does.
    pub fn version(&self) -> Option<&str> {
        self.0.split_once('-').map(|(_, version)| version)
    }
}

/// The secret sent with every request. It is never printed: neither `Debug` nor an error shows it.
#[derive(Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ApiKey(String);

/// A text that cannot be sent as a key. It does not quote the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the API key is empty or holds characters that no HTTP header can carry")]
pub struct ApiKeyError;

impl ApiKey {
    /// The secret itself, for the request header and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for ApiKey {
    type Err = ApiKeyError;

    fn from_str(text: &str) -> Result<Self, ApiKeyError> {
        let text = text.trim();
        let legal = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
        legal.then(|| ApiKey(text.to_owned())).ok_or(ApiKeyError)
    }
}

impl TryFrom<String> for ApiKey {
    type Error = ApiKeyError;

    fn try_from(text: String) -> Result<Self, ApiKeyError> {
        text.parse()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_id_has_a_stem_and_perhaps_a_version() {
        let id: GameId = "ab12-9607627b".parse().unwrap();
        assert_eq!((id.stem(), id.version()), ("ab12", Some("9607627b")));
        let bare: GameId = "ab12".parse().unwrap();
        assert_eq!((bare.stem(), bare.version()), ("ab12", None));
    }

    #[test]
    fn an_identifier_cannot_leave_its_folder() {
        for text in ["", "..", ".hidden", "a/b", "a\\b", "a b", "a\n", "ä", &"x".repeat(129)] {
            assert!(text.parse::<PlayId>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_key_is_never_shown() {
        let key: ApiKey = "sk-very-secret".parse().unwrap();
        assert!(!format!("{key:?}").contains("secret"));
        let error = "sk-very-secret\u{7}".parse::<ApiKey>().unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }
}
