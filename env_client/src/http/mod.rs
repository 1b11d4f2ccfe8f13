//! The client: the whole protocol over HTTP.
//!
//! # Layout
//! - [`Client`]: games, keys and scorecards. Start here, then [`Client::play`].
//! - [`Play`]: RESET and the seven actions of one play, with its own cookies; what came back is a [`Reply`].
//! - [`ClientConfig`], [`Pace`], [`RetryBudget`]: how fast, how patient.
//! - [`ClientError`], [`Refused`], [`LostAnswer`], [`Unreadable`]: what can go wrong, by what it means for the caller.
//! - [`Traffic`]: what it cost in requests, retries, seconds and bytes.
//!
//! # What is sent again
//! A repeated read costs nothing, a repeated action is a second move. So the question is never only "was that a
//! transient fault?" but also "may the service have acted on it?":
//!
//! | fault | may it have been acted on? | read | open, close a card | RESET, action |
//! |---|---|---|---|---|
//! | no connection | no, nothing was sent | again | again | again |
//! | 429 | no, refused at the door | again | again | again |
//! | 503 | no, nobody was there to take it | again | again | again |
//! | 502, 504 | yes: a gateway passed it on and lost the answer | again | again | **unknown** |
//! | timeout, reset, body cut short | yes | again | again | **unknown** |
//! | 500 and other 5xx | yes, half-way | error | error | **unknown** |
//! | 2xx with an unreadable body | yes | error | error | **unknown** |
//! | 2xx or 4xx with an error object, 3xx | no, it says so | error | error | error |
//!
//! *Again* happens within a [`RetryBudget`] of attempts and of time, with growing pauses, or after exactly the pause
//! that `Retry-After` asks for; a 429 holds back every play of the client. *Unknown* is [`Reply::Unknown`]: the command is
//! not repeated, the play goes on, and nothing may be learned from the step. Several unknown outcomes in a row
//! ([`RetryBudget::lost_in_row`]) end the play with [`ClientError::Silent`].
//!
//! - *First RESET*: it opens the play, and a lost answer loses the guid with it. It is not repeated either, because in
//!   competition a game may be opened once and elsewhere a second play would appear on the card:
//!   [`ClientError::Lost`]. Sending RESET again then is the caller's decision.
//! - *Opening a card*: a lost answer may leave a card open that nobody knows; it closes by itself when stale. A
//!   competition server has one card only and answers the repetition with 409.
//! - *Closing a card*: a lost answer may mean that it is closed, and the repetition is answered 404. Both come as
//!   [`ClientError::AfterLoss`], which tells of the loss and of the refusal.
//!
//! # Cookies
//! The live service routes by cookie to the machine that holds a card and its games. Requests about cards share the
//! client's jar. A new play starts with a copy of it, so that it reaches the machine that opened the card, and keeps
//! its own from then on: two plays never see each other's cookies, and a play never changes where the card is closed.
//!
//! # Redirects
//! None is followed: it would turn a POST into a GET and carry the key to another host. The error names the target.

mod answer;
mod client;
mod config;
mod cookies;
mod error;
mod pace;
mod play;
mod retry;
mod traffic;
mod transport;

pub use client::{Client, GameCounters};
pub use config::{ClientConfig, is_loopback};
pub use error::{ClientError, Endpoint, Loss, LostAnswer, Refused, Setback, Unreadable};
pub use pace::Pace;
pub use play::{Play, Reply};
pub use retry::RetryBudget;
pub use traffic::Traffic;
pub use url::Url;
