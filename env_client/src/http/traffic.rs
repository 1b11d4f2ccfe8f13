//! What talking to a service cost.

use std::{ops::AddAssign, time::Duration};

/// Counts of a client or of one play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests that were tried, repetitions included.
    pub requests: u64,
    /// Repetitions among them.
    pub retries: u64,
    /// Commands whose outcome stayed unknown.
    pub unknown: u64,
    /// Time spent waiting for a slot under the request limit.
    pub paced: Duration,
    /// Time spent waiting between repetitions, and after unknown outcomes.
    pub backed_off: Duration,
    /// Bytes of request bodies.
    pub sent_bytes: u64,
    /// Bytes of answer bodies.
    pub received_bytes: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.requests += other.requests;
        self.retries += other.retries;
        self.unknown += other.unknown;
        self.paced += other.paced;
        self.backed_off += other.backed_off;
        self.sent_bytes += other.sent_bytes;
        self.received_bytes += other.received_bytes;
    }
}
