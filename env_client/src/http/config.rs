//! How a client is set up.

use std::time::Duration;

use url::{Host, Url};

use super::{Pace, RetryBudget};
use crate::ApiKey;

/// Everything a [`Client`](super::Client) needs to know.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// Where the service is; routes are appended to its path, with or without a slash at the end.
    pub base_url: Url,
    /// Sent as `X-API-Key` with every request. Services on loopback do without.
    pub key: Option<ApiKey>,
    /// How fast requests may follow each other, over all plays.
    pub pace: Pace,
    /// For one request from connecting to the last byte of its answer. A third of it may go into connecting.
    pub timeout: Duration,
    /// How often and how long a request is repeated.
    pub retry: RetryBudget,
}

impl ClientConfig {
    /// Long enough to sit out the stalls of ten seconds that services are known for.
    const TIMEOUT: Duration = Duration::from_secs(30);

    /// The usual settings for a service: paced unless it is on this machine.
    pub fn new(base_url: Url) -> ClientConfig {
        let pace = if is_loopback(&base_url) { Pace::Unlimited } else { Pace::LIVE };
        ClientConfig { base_url, key: None, pace, timeout: Self::TIMEOUT, retry: RetryBudget::default() }
    }
}

/// Whether a URL names this machine: `localhost`, `127.0.0.0/8` or `::1`.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn this_machine_is_known_by_all_its_names() {
        for text in [
            "http://localhost:8001",
            "http://LOCALHOST.",
            "http://127.0.0.1",
            "http://127.9.9.9:1",
            "http://[::1]:80",
            "http://[::ffff:127.0.0.1]",
        ] {
            assert!(is_loopback(&url(text)), "{text}");
        }
        for text in ["https://three.arcprize.org", "http://localhost.example.org", "http://10.0.0.1", "http://[::2]"] {
            assert!(!is_loopback(&url(text)), "{text}");
        }
    }

    #[test]
    fn only_other_machines_are_paced() {
        assert_eq!(ClientConfig::new(url("https://three.arcprize.org")).pace, Pace::LIVE);
        assert_eq!(ClientConfig::new(url("http://127.0.0.1:8001")).pace, Pace::Unlimited);
    }
}
