//! What opens a scorecard, and the summary that closing it returns.

use serde::{Deserialize, Serialize};

use crate::Status;

/// The body of `POST /api/scorecard/open`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenScorecard {
    /// Where the agent's code lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// Free labels; the service adds `agent` when neither `agent` nor `human` is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Anything, at most 16 KiB of JSON, echoed back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<serde_json::Value>,
    /// Whether competition rules apply. The official service takes any value, even `false`, for yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub competition_mode: Option<bool>,
}

/// A scored summary: the card, its games, their plays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scorecard {
    /// Which card.
    pub card_id: String,
    /// Mean RHAE over its games, in percent.
    #[serde(default)]
    pub score: f64,
    /// As opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// As opened, perhaps with `agent` added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// As opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<serde_json::Value>,
    /// Whether competition rules applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub competition_mode: Option<bool>,
    /// Games won.
    #[serde(default)]
    pub total_environments_completed: u32,
    /// Games on the card; in competition mode every game of the service.
    #[serde(default)]
    pub total_environments: u32,
    /// Levels solved, each game's best play.
    #[serde(default)]
    pub total_levels_completed: u32,
    /// Levels of all games.
    #[serde(default)]
    pub total_levels: u32,
    /// Actions of all plays, RESETs included.
    #[serde(default)]
    pub total_actions: u32,
    /// By game.
    #[serde(default)]
    pub environments: Vec<EnvironmentScore>,
    /// By tag of the games.
    #[serde(default)]
    pub tags_scores: Vec<TagScore>,
}

/// One game of a card: the best of its plays counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentScore {
    /// The game.
    pub id: String,
    /// RHAE of its best play.
    #[serde(default)]
    pub score: f64,
    /// Actions of all its plays.
    #[serde(default)]
    pub actions: u32,
    /// Levels of its furthest play.
    #[serde(default)]
    pub levels_completed: u32,
    /// Whether any play won.
    #[serde(default)]
    pub completed: bool,
    /// Levels of the game, as far as the service knows.
    #[serde(default)]
    pub level_count: u32,
    /// RESETs of all its plays.
    #[serde(default)]
    pub resets: u32,
    /// Its plays.
    #[serde(default)]
    pub runs: Vec<RunScore>,
}

/// One play of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunScore {
    /// The game, where the service says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// RHAE of this play.
    #[serde(default)]
    pub score: f64,
    /// Levels solved.
    #[serde(default)]
    pub levels_completed: u32,
    /// Actions, RESETs included.
    #[serde(default)]
    pub actions: u32,
    /// RESETs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets: Option<u32>,
    /// Where it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Status>,
    /// Whether it won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<bool>,
    /// Score by level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_scores: Option<Vec<f64>>,
    /// Actions by level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_actions: Option<Vec<u32>>,
    /// Human actions by level, `-1` where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_baseline_actions: Option<Vec<i64>>,
    /// Always 0 in a play's score; the toolkit writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_of_environments: Option<u32>,
    /// Why the score is 0 although levels were solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// All games with one tag, as if their levels made one game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TagScore {
    /// The tag.
    pub id: String,
    /// RHAE over all their levels.
    #[serde(default)]
    pub score: f64,
    /// Levels solved.
    #[serde(default)]
    pub levels_completed: u32,
    /// Actions on these levels.
    #[serde(default)]
    pub actions: u32,
    /// Levels counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_of_levels: Option<u32>,
    /// Games counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_of_environments: Option<u32>,
}
