//! The JSON shapes of the protocol.
//!
//! Older services and recordings say `score` and `win_score` where newer ones say `levels_completed` and
//! `win_levels`, and write actions by name where responses carry numbers. Both are read, the newer is written.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, SeqAccess, Visitor},
};

use crate::{ActionId, Command, Grid, Observation};

/// A frame response as it travels. [`Observation::try_from`] checks it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The game that answers.
    pub game_id: String,
    /// The play; a service that refuses to start one leaves it out.
    #[serde(default)]
    pub guid: Option<String>,
    /// The animation of this command.
    #[serde(default, deserialize_with = "layers")]
    pub frame: Vec<Grid>,
    /// The state's name.
    pub state: String,
    /// Levels solved so far.
    #[serde(default, alias = "score")]
    pub levels_completed: i64,
    /// Levels of the game.
    #[serde(default, alias = "win_score")]
    pub win_levels: i64,
    /// The command this answers.
    #[serde(default)]
    pub action_input: ActionInput,
    /// Whether the whole game was restarted.
    #[serde(default)]
    pub full_reset: bool,
    /// What the game listens to.
    #[serde(default, deserialize_with = "action_numbers")]
    pub available_actions: Vec<i64>,
}

/// The command a frame answers, with what the agent thought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActionInput {
    /// `0` for RESET, else the number of the action.
    #[serde(default, deserialize_with = "action_number")]
    pub id: i64,
    /// A click's `x` and `y`; services add fields of their own, such as `game_id`.
    #[serde(default)]
    pub data: serde_json::Map<String, serde_json::Value>,
    /// Opaque to the service, at most 16 KiB of JSON.
    #[serde(default)]
    pub reasoning: Option<serde_json::Value>,
}

impl ActionInput {
    /// The echo of a command.
    pub fn new(command: Command, reasoning: Option<serde_json::Value>) -> ActionInput {
        let point = match command {
            Command::Reset => None,
            Command::Act(action) => action.point(),
        };
        let data = point.map(|point| [("x".to_owned(), point.x().into()), ("y".to_owned(), point.y().into())]);
        ActionInput { id: command.number().into(), data: data.into_iter().flatten().collect(), reasoning }
    }

    /// The command it echoes, if it is one: a click needs a point.
    pub fn command(&self) -> Option<Command> {
        use crate::{Action, Key, Point};
        let id = match u64::try_from(self.id).ok()? {
            0 => return Some(Command::Reset),
            number => ActionId::try_from(number).ok()?,
        };
        if let Some(key) = Key::from_id(id) {
            return Some(Action::Key(key).into());
        }
        let coordinate = |name| self.data.get(name).and_then(serde_json::Value::as_i64);
        Point::new(coordinate("x")?, coordinate("y")?).ok().map(|point| Action::Click(point).into())
    }
}

impl Frame {
    /// The frame response that shows an observation as the answer to a command.
    pub fn new(observation: &Observation, input: ActionInput) -> Frame {
        Frame {
            game_id: observation.game.to_string(),
            guid: Some(observation.play.to_string()),
            frame: observation.layers.clone(),
            state: observation.status.name().to_owned(),
            levels_completed: observation.levels_completed.into(),
            win_levels: observation.win_levels.into(),
            action_input: input,
            full_reset: observation.full_reset,
            available_actions: observation.available.iter().map(|id| id.number().into()).collect(),
        }
    }
}

/// What the service tells about a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameInfo {
    /// Stem and version.
    pub game_id: String,
    /// For people.
    #[serde(default)]
    pub title: Option<String>,
    /// Speed of the official player in frames a second.
    #[serde(default)]
    pub default_fps: Option<u32>,
    /// How it is played, such as `keyboard` or `click`. Known to mislead.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// Human actions by level; few services tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_actions: Option<Vec<u32>>,
    /// Name of the class that implements it, in the toolkit's custom.
    #[serde(default)]
    pub class_name: Option<String>,
    /// When the toolkit fetched it.
    #[serde(default)]
    pub date_downloaded: Option<String>,
}

/// An answer that says no.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// A short code, such as `VALIDATION_ERROR`.
    pub error: String,
    /// For people.
    #[serde(default)]
    pub message: Option<String>,
}

/// Grids one by one, so that an error names the layer.
fn layers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Grid>, D::Error> {
    struct Layers;
    impl<'de> Visitor<'de> for Layers {
        type Value = Vec<Grid>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of grids")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Grid>, A::Error> {
            let mut layers = Vec::new();
            loop {
                match seq.next_element() {
                    Ok(Some(grid)) => layers.push(grid),
                    Ok(None) => return Ok(layers),
                    Err(error) => return Err(A::Error::custom(format!("frame[{}]: {error}", layers.len()))),
                }
            }
        }

        fn visit_unit<E>(self) -> Result<Vec<Grid>, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(Layers)
}

/// An action as a number or by name.
#[derive(Deserialize)]
#[serde(untagged)]
enum ActionNumber {
    Number(i64),
    Name(String),
}

impl ActionNumber {
    fn number<E: serde::de::Error>(self) -> Result<i64, E> {
        match self {
            ActionNumber::Number(number) => Ok(number),
            ActionNumber::Name(name) if name == "RESET" => Ok(0),
            ActionNumber::Name(name) => name.parse::<ActionId>().map(|id| id.number().into()).map_err(E::custom),
        }
    }
}

fn action_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    ActionNumber::deserialize(deserializer)?.number()
}

fn action_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let actions = Option::<Vec<ActionNumber>>::deserialize(deserializer)?.unwrap_or_default();
    actions.into_iter().map(ActionNumber::number).collect()
}
