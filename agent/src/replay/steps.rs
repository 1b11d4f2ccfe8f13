//! A range of steps, as a person writes it.

use std::{ops::Range, str::FromStr};

/// `100..200`, `100..=199`, `100..`, `..200` or `..`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    start: usize,
    /// Behind the last; `None` for the end of the recording.
    end: Option<usize>,
}

/// A text that is no range of steps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no range of steps, expected such as 100..200, 100..=200, 100.. or ..200")]
pub struct StepsError(String);

impl Steps {
    /// The steps of a recording that has `count`.
    pub fn within(self, count: usize) -> Range<usize> {
        let end = self.end.map_or(count, |end| end.min(count));
        self.start.min(end)..end
    }
}

impl FromStr for Steps {
    type Err = StepsError;

    fn from_str(text: &str) -> Result<Steps, StepsError> {
        let number = |text: &str| match text {
            "" => Some(None),
            digits => digits.parse::<usize>().ok().map(Some),
        };
        let read = || {
            let (start, end) = text.split_once("..")?;
            let start = number(start)?.unwrap_or(0);
            let end = match end.strip_prefix('=') {
                Some(last) => Some(number(last)??.checked_add(1)?),
                None => number(end)?,
            };
            end.is_none_or(|end| start < end).then_some(Steps { start, end })
        };
        read().ok_or_else(|| StepsError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_as_rust_writes_them() {
        let within = |text: &str| text.parse::<Steps>().unwrap().within(150);
        assert_eq!([within("100..120"), within("100..=120"), within("100..")], [100..120, 100..121, 100..150]);
        assert_eq!(
            [within("..7"), within(".."), within("100..200"), within("200..300")],
            [0..7, 0..150, 100..150, 150..150]
        );
        for text in ["", "7", "7..7", "9..3", "a..b", "1..=", "..=x", "1...3", "0..=18446744073709551615"] {
            assert!(text.parse::<Steps>().is_err(), "{text}");
        }
    }
}
