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
#[serde(from = "AnyFrame")]
pub struct Frame {
    /// The game that answers.
    pub game_id: String,
    /// The play; a service that refuses to start one leaves it out.
    pub guid: Option<String>,
    /// The animation of this command.
    pub frame: Vec<Grid>,
    /// The state's name.
    pub state: String,
    /// Levels solved so far.
    pub levels_completed: i64,
    /// Levels of the game.
    pub win_levels: i64,
    /// The command this answers.
    pub action_input: ActionInput,
    /// Whether the whole game was restarted.
    pub full_reset: bool,
    /// What the game listens to.
    pub available_actions: Vec<i64>,
}

/// A frame response in any spelling. Services on their way from one to the other send both; the newer one counts.
#[derive(Deserialize)]
struct AnyFrame {
    game_id: String,
    guid: Option<String>,
    #[serde(default, deserialize_with = "layers")]
    frame: Vec<Grid>,
    state: String,
    levels_completed: Option<i64>,
    score: Option<i64>,
    win_levels: Option<i64>,
    win_score: Option<i64>,
    action_input: Option<ActionInput>,
    full_reset: Option<bool>,
    #[serde(default, deserialize_with = "action_numbers")]
    available_actions: Vec<i64>,
}

impl From<AnyFrame> for Frame {
    fn from(any: AnyFrame) -> Frame {
        Frame {
            game_id: any.game_id,
            guid: any.guid,
            frame: any.frame,
            state: any.state,
            levels_completed: any.levels_completed.or(any.score).unwrap_or_default(),
            win_levels: any.win_levels.or(any.win_score).unwrap_or_default(),
            action_input: any.action_input.unwrap_or_default(),
            full_reset: any.full_reset.unwrap_or_default(),
            available_actions: any.available_actions,
        }
    }
}

/// The command a frame answers, with what the agent thought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActionInput {
    /// `0` for RESET, else the number of the action.
    #[serde(default, deserialize_with = "action_number")]
    pub id: i64,
    /// A click's `x` and `y`; services add fields of their own, such as `game_id`.
    #[serde(default, deserialize_with = "object_or_null")]
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

/// Appends a list of grids as JSON text, the value of [`Frame::frame`], many times faster than by `serde`.
pub fn write_layers(json: &mut Vec<u8>, layers: &[Grid]) {
    crate::digits::write_layers(json, layers);
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

fn object_or_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<serde_json::Map<String, serde_json::Value>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

fn action_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    ActionNumber::deserialize(deserializer)?.number()
}

fn action_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i64>, D::Error> {
    let actions = Option::<Vec<ActionNumber>>::deserialize(deserializer)?.unwrap_or_default();
    actions.into_iter().map(ActionNumber::number).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (0..20i64).prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[A-Z_0-9a-z\u{e4}]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("[a-z_]{1,8}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// A frame response in which any one field was replaced.
    fn bent_frame() -> impl Strategy<Value = Value> {
        const FIELDS: [&str; 12] = [
            "game_id",
            "guid",
            "frame",
            "state",
            "levels_completed",
            "score",
            "win_levels",
            "win_score",
            "action_input",
            "full_reset",
            "available_actions",
            "other",
        ];
        (prop::sample::select(&FIELDS), any_json()).prop_map(|(field, value)| {
            let mut frame = json!({"game_id": "ab12-1", "guid": "g", "frame": [[[1, 2]]], "state": "NOT_FINISHED",
                "levels_completed": 1, "win_levels": 3, "action_input": {"id": 1, "data": {}, "reasoning": null},
                "full_reset": false, "available_actions": [1, 6]});
            frame[field] = value;
            frame
        })
    }

    proptest! {
        #[test]
        fn a_bent_frame_is_read_or_explained(frame in bent_frame()) {
            match serde_json::from_str::<Frame>(&frame.to_string()) {
                Ok(read) => {
                    let again: Frame = serde_json::from_value(serde_json::to_value(&read).unwrap()).unwrap();
                    prop_assert_eq!(&again, &read);
                    let _ = Observation::try_from(read);
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }

        #[test]
        fn a_cut_frame_is_never_read(frame in bent_frame(), at in 0.0..1.0f64) {
            let text = frame.to_string();
            let cut = text.floor_char_boundary((text.len() as f64 * at) as usize);
            prop_assert!(serde_json::from_str::<Frame>(&text[..cut]).is_err());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(serde_json::from_slice::<Frame>(&bytes).is_err());
            prop_assert!(serde_json::from_slice::<GameInfo>(&bytes).is_err());
            let _ = serde_json::from_slice::<ActionInput>(&bytes);
            let _ = serde_json::from_slice::<Refusal>(&bytes);
        }

        #[test]
        fn any_json_is_read_or_refused(value in any_json()) {
            let _ = serde_json::from_value::<GameInfo>(value.clone());
            let _ = serde_json::from_value::<Refusal>(value.clone());
            let _ = serde_json::from_value::<crate::scorecard::Scorecard>(value.clone());
            if let Ok(input) = serde_json::from_value::<ActionInput>(value) {
                let _ = input.command();
            }
        }
    }

    #[test]
    fn nulls_and_both_spellings_are_survived() {
        let frame: Frame = serde_json::from_value(json!({"game_id": "a", "guid": null, "frame": null, "state": "WIN",
            "score": 1, "levels_completed": 2, "win_score": 3, "win_levels": null, "action_input": null,
            "full_reset": null, "available_actions": null}))
        .unwrap();
        assert_eq!((frame.levels_completed, frame.win_levels), (2, 3));
        assert_eq!(frame.action_input, ActionInput::default());
        let input: ActionInput = serde_json::from_value(json!({"id": "ACTION6", "data": null})).unwrap();
        assert_eq!((input.id, input.command()), (6, None));
    }
}
