//! One clock for all plays of a client: requests are spaced evenly, and a service that asks for quiet gets it.

use std::{
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// How fast requests may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As fast as answers come.
    Unlimited,
    /// At most so many a minute, evenly spaced.
    PerMinute(NonZeroU32),
}

impl Pace {
    /// The limit of the live service: 600 requests a minute (its documentation).
    pub const LIVE: Pace = Pace::PerMinute(NonZeroU32::new(600).unwrap());

    fn interval(self) -> Duration {
        match self {
            Pace::Unlimited => Duration::ZERO,
            Pace::PerMinute(rate) => Duration::from_mins(1) / rate.get(),
        }
    }
}

/// Hands out the moments at which requests may start.
#[derive(Debug)]
pub(super) struct Pacer {
    interval: Duration,
    slots: Mutex<Slots>,
}

#[derive(Debug)]
struct Slots {
    /// The first moment not yet given away.
    next: Instant,
    /// Nothing starts before it.
    quiet_until: Instant,
}

impl Pacer {
    pub(super) fn new(pace: Pace) -> Pacer {
        let now = Instant::now();
        Pacer { interval: pace.interval(), slots: Mutex::new(Slots { next: now, quiet_until: now }) }
    }

    /// Waits for the caller's turn and says how long that took.
    ///
    /// Whoever was waiting when [`Pacer::hold`] was called queues again behind the quiet time.
    pub(super) async fn turn(&self) -> Duration {
        let asked = Instant::now();
        loop {
            let slot = self.reserve();
            if slot > Instant::now() {
                sleep_until(slot).await;
            }
            if !self.is_quiet() {
                return asked.elapsed();
            }
        }
    }

    /// Keeps everybody quiet for so long.
    pub(super) fn hold(&self, pause: Duration) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.quiet_until = slots.quiet_until.max(Instant::now() + pause);
        slots.next = slots.next.max(slots.quiet_until);
    }

    fn reserve(&self) -> Instant {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.next.max(Instant::now());
        slots.next = slot + self.interval;
        slot
    }

    fn is_quiet(&self) -> bool {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Instant::now() < slots.quiet_until
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[tokio::test(start_paused = true)]
    async fn six_hundred_a_minute_are_a_tenth_of_a_second_apart() {
        let pacer = Pacer::new(Pace::LIVE);
        let start = Instant::now();
        for _ in 0..601 {
            pacer.turn().await;
        }
        assert_eq!(start.elapsed(), Duration::from_mins(1));
    }

    #[tokio::test(start_paused = true)]
    async fn plays_share_the_slots() {
        let pacer = Arc::new(Pacer::new(Pace::LIVE));
        let start = Instant::now();
        let play = |pacer: Arc<Pacer>| async move {
            for _ in 0..10 {
                pacer.turn().await;
            }
        };
        tokio::join!(play(pacer.clone()), play(pacer.clone()), play(pacer.clone()));
        assert_eq!(start.elapsed(), 2900 * MS);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_time_is_not_saved_up() {
        let pacer = Pacer::new(Pace::LIVE);
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert_eq!(pacer.turn().await, Duration::ZERO);
        assert_eq!(pacer.turn().await, 100 * MS);
    }

    #[tokio::test(start_paused = true)]
    async fn no_limit_means_no_wait() {
        let pacer = Pacer::new(Pace::Unlimited);
        for _ in 0..1000 {
            assert_eq!(pacer.turn().await, Duration::ZERO);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_hold_keeps_back_those_who_wait_already() {
        let pacer = Arc::new(Pacer::new(Pace::LIVE));
        pacer.turn().await;
        let waiting = tokio::spawn({
            let pacer = pacer.clone();
            async move { pacer.turn().await }
        });
        tokio::time::sleep(10 * MS).await;
        pacer.hold(Duration::from_secs(5));
        assert_eq!(waiting.await.unwrap(), 5010 * MS);
        assert_eq!(pacer.turn().await, 100 * MS);
    }
}
