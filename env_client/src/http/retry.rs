//! How often a request is repeated, and after which pauses.

use std::time::Duration;

use jiff::Timestamp;
use rand::RngExt;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use tokio::time::Instant;

/// The patience of a client, for each request anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryBudget {
    /// Tries of one request, the first included.
    pub attempts: u32,
    /// Time from the first try to the start of the last one. A `Retry-After` beyond it ends the request at once.
    pub total: Duration,
    /// Pause before the first repetition. It doubles with each one; up to half of it is left away at random, so that
    /// plays which failed together do not return together.
    pub first_pause: Duration,
    /// Where the doubling ends.
    pub longest_pause: Duration,
    /// Unknown outcomes in a row after which a play gives up.
    pub lost_in_row: u32,
}

/// Eight tries are about a minute of pauses, the time a service takes to restart; `total` leaves room for a
/// `Retry-After` of one rate window (a minute) twice.
impl Default for RetryBudget {
    fn default() -> RetryBudget {
        RetryBudget {
            attempts: 8,
            total: Duration::from_mins(3),
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            lost_in_row: 8,
        }
    }
}

impl RetryBudget {
    /// One try, no repetition.
    pub(super) const ONCE: RetryBudget = RetryBudget {
        attempts: 1,
        total: Duration::ZERO,
        first_pause: Duration::ZERO,
        longest_pause: Duration::ZERO,
        lost_in_row: 1,
    };

    /// The pause after so many failures in a row.
    pub(super) fn pause_after(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(16);
        let full = self.first_pause.saturating_mul(1 << doublings).min(self.longest_pause);
        full.mul_f64(rand::rng().random_range(0.5..=1.0))
    }
}

/// The tries of one request.
#[derive(Debug)]
pub(super) struct Tries<'a> {
    budget: &'a RetryBudget,
    started: Instant,
    failures: u32,
}

impl<'a> Tries<'a> {
    pub(super) fn new(budget: &'a RetryBudget) -> Tries<'a> {
        Tries { budget, started: Instant::now(), failures: 0 }
    }

    /// Counts a failure and gives the pause before the next try, or `None` when the budget is spent.
    pub(super) fn failed(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.failures += 1;
        let pause = asked.unwrap_or_else(|| self.budget.pause_after(self.failures));
        let in_time = self.started.elapsed().saturating_add(pause) <= self.budget.total;
        (self.failures < self.budget.attempts && in_time).then_some(pause)
    }

    pub(super) fn failures(&self) -> u32 {
        self.failures
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The pause a service asks for, in seconds or as a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: RetryBudget = RetryBudget {
        attempts: 4,
        total: Duration::from_secs(10),
        first_pause: Duration::from_secs(1),
        longest_pause: Duration::from_secs(2),
        lost_in_row: 3,
    };

    #[tokio::test(start_paused = true)]
    async fn pauses_double_up_to_a_bound_and_end() {
        let mut tries = Tries::new(&BUDGET);
        for longest in [1, 2, 2] {
            let pause = tries.failed(None).unwrap();
            let longest = Duration::from_secs(longest);
            assert!(longest / 2 <= pause && pause <= longest, "{pause:?}");
        }
        assert_eq!(tries.failed(None), None);
        assert_eq!(tries.failures(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn the_budget_is_also_one_of_time() {
        let mut tries = Tries::new(&BUDGET);
        tokio::time::sleep(Duration::from_secs(8)).await;
        assert_eq!(tries.failed(Some(Duration::from_secs(2))), Some(Duration::from_secs(2)));
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(tries.failed(Some(Duration::from_secs(1))), None);
        assert_eq!(Tries::new(&BUDGET).failed(Some(Duration::from_hours(1))), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "1994-11-06T08:49:07Z".parse().unwrap();
        let asked = |text: &'static str| {
            let headers = [(RETRY_AFTER, text.parse().unwrap())].into_iter().collect();
            retry_after(&headers, now)
        };
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(asked("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(asked("soon"), None);
        assert_eq!(asked("-1"), None);
        assert_eq!(asked("99999999999999999999"), None);
    }
}
