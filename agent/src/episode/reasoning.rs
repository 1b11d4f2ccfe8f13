//! What a decision takes along in the `reasoning` field: to the service, into the recording, and from there to the
//! viewer, which reads it by the schema of [`Thought`](crate::replay::Thought).
//!
//! The service takes 16 KiB; texts and patches are cut so that they stay below it, however escaped.

use std::time::Duration;

use env_client::{Command, Grid};
use serde::Serialize;
use serde_json::Value;

use crate::policy::{Decision, Forecast, Who};

/// Most characters of a sentence, and of a goal.
pub(super) const WHY_LIMIT: usize = 1000;
const GOAL_LIMIT: usize = 200;
/// Most patches of an expected change: at most 20 bytes each.
const PATCHES: usize = 128;

/// What is sent next.
#[derive(Clone, Debug)]
pub(super) struct Next {
    pub(super) command: Command,
    pub(super) why: String,
    pub(super) reasoning: Value,
}

impl Next {
    /// A RESET of the loop's own.
    pub(super) fn reset(policy: &str, why: &str) -> Next {
        Next::new(policy, Decision::new(Command::Reset, Who::Loop, why), None, None)
    }

    /// What a policy decided on seeing `before`, and how long it took.
    pub(super) fn decided(policy: &str, decision: Decision, before: Option<&Grid>, took: Duration) -> Next {
        Next::new(policy, decision, before, Some(took))
    }

    fn new(policy: &str, decision: Decision, before: Option<&Grid>, took: Option<Duration>) -> Next {
        let forecast = decision.forecast.as_ref();
        let expected = forecast.zip(before).and_then(|(it, before)| Expected::new(before, &it.frame));
        let reasoning = Reasoning {
            policy,
            who: decision.who.name(),
            goal: decision.goal.as_deref().map(|goal| cut(goal, GOAL_LIMIT)),
            why: cut(&decision.why, WHY_LIMIT),
            surprise: decision.surprise.as_deref().map(|surprise| cut(surprise, GOAL_LIMIT)),
            confidence: forecast.filter(|_| expected.is_some()).and_then(confidence),
            expected,
            looked_at: decision.looked_at,
            ms: took.map(|took| rounded(1000.0 * took.as_secs_f64())),
        };
        // Strings and numbers alone cannot fail to be JSON.
        let reasoning = serde_json::to_value(reasoning).unwrap_or_default();
        Next { command: decision.command, why: decision.why, reasoning }
    }
}

#[derive(Serialize)]
struct Reasoning<'a> {
    policy: &'a str,
    who: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    surprise: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Expected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "is_zero")]
    looked_at: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
}

/// The next frame by what changes in it.
#[derive(Serialize)]
struct Expected {
    /// Cells that change.
    changed: usize,
    /// Rectangles of one colour that cover them, `[x, y, width, height, colour]`; a large change has only the first.
    patches: Vec<[u8; 5]>,
}

impl Expected {
    /// `None` where the frames differ in size.
    fn new(before: &Grid, after: &Grid) -> Option<Expected> {
        let mut patches: Vec<[u8; 5]> = Vec::new();
        let mut changed = 0;
        for at in after.differences(before)? {
            changed += 1;
            let (x, y, color) = (at.x(), at.y(), u8::from(after[at]));
            match patches.last_mut() {
                Some([left, top, width, 1, it]) if (*top, *left + *width, *it) == (y, x, color) => *width += 1,
                _ => patches.push([x, y, 1, 1, color]),
            }
        }
        let mut patches = stacked(patches);
        patches.truncate(PATCHES);
        Some(Expected { changed, patches })
    }
}

/// Joins rows of cells that lie right below one another.
fn stacked(rows: Vec<[u8; 5]>) -> Vec<[u8; 5]> {
    let mut patches: Vec<[u8; 5]> = Vec::new();
    for [x, y, width, height, color] in rows {
        let above = patches.iter_mut().rev().find(|it| (it[0], it[1] + it[3], it[2], it[4]) == (x, y, width, color));
        match above {
            Some(above) => above[3] += height,
            None => patches.push([x, y, width, height, color]),
        }
    }
    patches
}

fn cut(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}

fn confidence(forecast: &Forecast) -> Option<f64> {
    forecast.confidence.map(|it| rounded(it.into()))
}

/// To two digits: more would only make recordings longer.
fn rounded(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use env_client::{Action, Key};

    use super::*;
    use crate::replay::Thought;

    fn grid(picture: &str) -> Grid {
        picture.parse().unwrap()
    }

    fn decision(after: &str) -> Decision {
        let decision = Decision::new(Action::Key(Key::Key1), Who::Skill("board"), "so").with_goal("all alike");
        let forecast = Some(Forecast { frame: grid(after), confidence: Some(0.8) });
        Decision { forecast, looked_at: 7, surprise: Some("2 cells".to_owned()), ..decision }
    }

    #[test]
    fn what_was_thought_can_be_read_again() {
        let took = Duration::from_micros(12_345);
        let next = Next::decided("plan", decision("0220\n0220\n0001"), Some(&grid("0000\n0000\n0000")), took);
        insta::assert_snapshot!(next.reasoning, @r#"{"confidence":0.8,"expected":{"changed":5,"patches":[[1,0,2,2,2],[3,2,1,1,1]]},"goal":"all alike","looked_at":7,"ms":12.35,"policy":"plan","surprise":"2 cells","who":"board","why":"so"}"#);
        let thought = Thought::read(Some(&next.reasoning));
        assert_eq!((thought.policy.as_deref(), thought.who.as_deref()), (Some("plan"), Some("board")));
        assert_eq!((thought.goal.as_deref(), thought.why.as_str()), (Some("all alike"), "so"));
        assert_eq!((thought.looked_at, thought.ms, thought.confidence), (Some(7), Some(12.35), Some(0.8)));
        let expected = thought.expected.unwrap();
        assert_eq!((expected.changed, expected.patches.len()), (5, 2));
        assert_eq!(expected.right_in(&grid("0220\n0200\n0001")), 4);
    }

    #[test]
    fn a_frame_of_another_size_is_not_told_as_a_change() {
        let next = Next::decided("plan", decision("00"), Some(&grid("0")), Duration::ZERO);
        assert!(next.reasoning["expected"].is_null() && next.reasoning["confidence"].is_null());
    }

    #[test]
    fn the_longest_thought_fits_the_service() {
        let mut after = Grid::filled(64, 64, env_client::Color::of(15));
        let odd = after.points().filter(|at| (at.x() + at.y()) % 2 == 1).collect::<Vec<_>>();
        for at in odd {
            after.set(at, env_client::Color::of(14));
        }
        let long = "\u{1}".repeat(10_000);
        let decision = Decision { why: long.clone(), goal: Some(long.clone()), surprise: Some(long), ..decision("0") };
        let decision = Decision { forecast: Some(Forecast { frame: after, confidence: None }), ..decision };
        let before = Grid::filled(64, 64, env_client::Color::of(0));
        let next = Next::decided("plan", decision, Some(&before), Duration::MAX);
        assert!(next.reasoning.to_string().len() < 16 * 1024);
    }
}
