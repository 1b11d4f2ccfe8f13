//! How often something was right, counted on the stream itself.

/// A rate with a memory of what it was believed to be before anything was counted: the mean of a Beta distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reliability {
    right: f32,
    total: f32,
}

impl Reliability {
    /// Believed to be `rate`, as firmly as if it had been counted `weight` times.
    pub(crate) const fn believed(rate: f32, weight: f32) -> Reliability {
        Reliability { right: rate * weight, total: weight }
    }

    /// One more prediction came true, or did not.
    pub(crate) fn count(&mut self, right: bool) {
        self.right += f32::from(u8::from(right));
        self.total += 1.0;
    }

    /// So many predictions came true out of `total`.
    pub(crate) fn add(&mut self, right: u32, total: u32) {
        self.right += right as f32;
        self.total += total as f32;
    }

    /// How often to expect it to be right, from 0 to 1.
    pub(crate) fn rate(self) -> f32 {
        self.right / self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_believed_gives_way_to_what_is_counted() {
        let mut reliability = Reliability::believed(0.5, 2.0);
        assert!((reliability.rate() - 0.5).abs() < 1e-6);
        (0..8).for_each(|_| reliability.count(true));
        // (1 + 8) right of 2 + 8.
        assert!((reliability.rate() - 0.9).abs() < 1e-6);
        reliability.count(false);
        assert!((reliability.rate() - 9.0 / 11.0).abs() < 1e-6);
    }
}
