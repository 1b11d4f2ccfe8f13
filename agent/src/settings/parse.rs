//! Values that are written as text in a file as on the command line.

use std::{fmt, str::FromStr};

use env_client::http::Url;
use serde::{Deserialize, Deserializer, de::Error};

/// Where a service is: `http://` or `https://` and a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// A text that says nothing about where a service is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no base URL, expected http:// or https:// and a host, such as http://127.0.0.1:8001")]
pub struct BaseUrlError(String);

impl FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<BaseUrl, BaseUrlError> {
        let url = text.parse::<Url>().ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        url.map(BaseUrl).ok_or_else(|| BaseUrlError(text.to_owned()))
    }
}

impl From<BaseUrl> for Url {
    fn from(url: BaseUrl) -> Url {
        url.0
    }
}

/// A number or a text, whichever TOML has; both are read by [`FromStr`].
#[derive(Deserialize)]
#[serde(untagged, expecting = "a text or a number")]
enum Scalar {
    Number(u64),
    Text(String),
}

/// Reads a value by the same [`FromStr`] that the command line uses.
pub(crate) fn from_text<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    let text = match Scalar::deserialize(deserializer)? {
        Scalar::Number(number) => number.to_string(),
        Scalar::Text(text) => text,
    };
    text.parse().map(Some).map_err(D::Error::custom)
}
