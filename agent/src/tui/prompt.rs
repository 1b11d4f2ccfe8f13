//! A line that is being typed.

/// Longest text that can be typed.
const LIMIT: usize = 100;

/// What was typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt(String);

impl Prompt {
    /// Adds a letter, while there is room.
    pub fn push(&mut self, letter: char) {
        if self.0.chars().count() < LIMIT && !letter.is_control() {
            self.0.push(letter);
        }
    }

    /// Takes back the last letter.
    pub fn erase(&mut self) {
        self.0.pop();
    }

    /// Takes back everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.0
    }
}
