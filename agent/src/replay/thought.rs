//! What an agent thought: the `reasoning` of a command, in whatever form it was written.
//!
//! # The schema
//! Any JSON is shown. These fields of an object mean more to the viewer; each may be missing:
//! ```json
//! {
//!   "policy": "explore",
//!   "who": "search",
//!   "goal": "touch the door",
//!   "why": "the door is untried",
//!   "surprise": "the door did not open",
//!   "expected": {"changed": 8, "patches": [[10, 28, 4, 1, 9], [10, 32, 4, 1, 0]]},
//!   "confidence": 0.97,
//!   "looked_at": 64,
//!   "ms": 3.2,
//!   "plan": [1, 1, 4, [12, 30], 0],
//!   "objects": [{"box": [10, 28, 4, 4], "label": "door"}],
//!   "mask": [[0, 60, 64, 4]]
//! }
//! ```
//! - `who`: which part of the policy decided; `goal`: what for.
//! - `expected`: the next frame by what changes in it: how many cells, and rectangles `[x, y, width, height, colour]` that
//!   cover them (the first ones of a large change); `confidence`: how sure that is, from 0 to 1.
//! - `looked_at`: states that were searched; `ms`: milliseconds the decision took, the one field that is another every
//!   time.
//! - `surprise`: what came differed from what was expected; `true`, or a text that says how. It belongs to the command
//!   it stands with: what was seen *before* it was the surprise.
//! - `plan`: what is to come after this command: a number from 0 (RESET) to 7, or `[x, y]` for a click.
//! - `objects`: rectangles `[x, y, width, height]` in cells, with a label.
//! - `mask`: rectangles that the agent takes for interface (bars, counters) rather than world.
//!
//! A text that holds such an object, as the toolkit sends it, is read as the object.

use std::borrow::Cow;

use env_client::{Action, Color, Command, Grid, Key, Point};
use serde_json::Value;

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Leftmost column.
    pub x: u8,
    /// Topmost row.
    pub y: u8,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

/// Something an agent sees as one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Where it is.
    pub area: Area,
    /// What it is called; may be empty.
    pub label: String,
}

/// Cells that should all be of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Where they are.
    pub area: Area,
    /// Their colour.
    pub color: Color,
}

/// What should change in the next frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// How many cells.
    pub changed: u64,
    /// Those, or the first of them.
    pub patches: Vec<Patch>,
}

/// What was thought with one command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// Who thought.
    pub policy: Option<String>,
    /// Which part of it decided.
    pub who: Option<String>,
    /// What for.
    pub goal: Option<String>,
    /// Why the command was given: lines of text.
    pub why: String,
    /// How what was seen differed from what was expected; may be empty.
    pub surprise: Option<String>,
    /// What should come of it.
    pub expected: Option<Expected>,
    /// How sure that is, from 0 to 1.
    pub confidence: Option<f64>,
    /// States that were searched.
    pub looked_at: Option<u64>,
    /// Milliseconds it took.
    pub ms: Option<f64>,
    /// What is to follow.
    pub plan: Vec<Command>,
    /// What was made out.
    pub objects: Vec<Object>,
    /// What was taken for interface.
    pub mask: Vec<Area>,
}

impl Area {
    /// Whether it holds the cell at column `x`, row `y`.
    pub fn contains(self, x: u8, y: u8) -> bool {
        let inside = |at: u8, from: u8, length: u8| at >= from && at - from < length;
        inside(x, self.x, self.width) && inside(y, self.y, self.height)
    }

    /// Whether the cell is one of its outermost.
    pub fn is_edge(self, x: u8, y: u8) -> bool {
        let ends = |at: u8, from: u8, length: u8| at == from || at - from == length - 1;
        self.contains(x, y) && (ends(x, self.x, self.width) || ends(y, self.y, self.height))
    }

    fn read(value: &Value) -> Option<Area> {
        let number = |index| value.get(index).and_then(Value::as_u64).and_then(|number: u64| u8::try_from(number).ok());
        Some(Area { x: number(0)?, y: number(1)?, width: number(2)?, height: number(3)? })
    }
}

impl Expected {
    fn read(value: &Value) -> Option<Expected> {
        Some(Expected { changed: value.get("changed")?.as_u64()?, patches: list(value, "patches", Patch::read) })
    }

    /// How many cells of the patches are in a frame as they should be.
    pub fn right_in(&self, frame: &Grid) -> usize {
        let right = |patch: &Patch| {
            let inside = frame.points().filter(|at| patch.area.contains(at.x(), at.y()));
            inside.filter(|at| frame[*at] == patch.color).count()
        };
        self.patches.iter().map(right).sum()
    }
}

impl Patch {
    fn read(value: &Value) -> Option<Patch> {
        let color = Color::try_from(value.get(4)?.as_u64()?).ok()?;
        Some(Patch { area: Area::read(value)?, color })
    }
}

impl Thought {
    /// Reads a `reasoning` field.
    pub fn read(reasoning: Option<&Value>) -> Thought {
        let Some(value) = reasoning.filter(|value| !value.is_null()) else { return Thought::default() };
        let value = &*unwrapped(value);
        Thought {
            policy: text(value, "policy"),
            who: text(value, "who"),
            goal: text(value, "goal"),
            why: why(value),
            surprise: surprise(value),
            expected: value.get("expected").and_then(Expected::read),
            confidence: value.get("confidence").and_then(Value::as_f64),
            looked_at: value.get("looked_at").and_then(Value::as_u64),
            ms: value.get("ms").and_then(Value::as_f64),
            plan: list(value, "plan", command),
            objects: list(value, "objects", object),
            mask: list(value, "mask", Area::read),
        }
    }

    /// Everything that was said in words, for searching.
    pub fn words(&self) -> String {
        let named = [("who", &self.who), ("goal", &self.goal), ("surprise", &self.surprise)];
        let named = named.into_iter().filter_map(|(name, text)| Some(format!("\n{name} {}", text.as_deref()?)));
        self.why.clone() + &named.collect::<String>()
    }
}

/// Whether a `reasoning` field tells of a surprise.
pub(super) fn is_surprise(reasoning: Option<&Value>) -> bool {
    reasoning.is_some_and(|value| surprise(&unwrapped(value)).is_some())
}

/// The object in a text, where there is one.
fn unwrapped(value: &Value) -> Cow<'_, Value> {
    let inner = value.as_str().and_then(|text| serde_json::from_str(text).ok()).filter(Value::is_object);
    inner.map_or(Cow::Borrowed(value), Cow::Owned)
}

fn text(value: &Value, field: &str) -> Option<String> {
    value.get(field)?.as_str().map(str::to_owned)
}

/// The `why`, else every field on a line of its own, else the value as it is.
fn why(value: &Value) -> String {
    if let Some(why) = text(value, "why") {
        return why;
    }
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let lines = fields.iter().filter(|(name, _)| !DRAWN.contains(&name.as_str())).map(line);
            lines.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// Fields that are shown in other ways.
const DRAWN: [&str; 11] =
    ["policy", "who", "goal", "surprise", "expected", "confidence", "looked_at", "ms", "plan", "objects", "mask"];

fn line((name, value): (&String, &Value)) -> String {
    match value {
        Value::String(text) => format!("{name}: {text}"),
        value => format!("{name}: {value}"),
    }
}

fn surprise(value: &Value) -> Option<String> {
    match value.get("surprise")? {
        Value::Bool(true) => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn list<T>(value: &Value, field: &str, item: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    value.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(item).collect()
}

fn command(value: &Value) -> Option<Command> {
    let coordinate = |index| value.get(index).and_then(Value::as_i64);
    if let (Some(x), Some(y)) = (coordinate(0), coordinate(1)) {
        return Point::new(x, y).ok().map(|point| Action::Click(point).into());
    }
    match value.as_u64()? {
        0 => Some(Command::Reset),
        number => Key::ALL.into_iter().find(|key| *key as u64 == number).map(|key| Action::Key(key).into()),
    }
}

fn object(value: &Value) -> Option<Object> {
    Some(Object { area: Area::read(value.get("box")?)?, label: text(value, "label").unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: &Value) -> Thought {
        Thought::read(Some(value))
    }

    #[test]
    fn the_schema_is_read() {
        let value = json!({"policy": "p", "why": "w", "surprise": true, "plan": [1, [3, 4], 0, 6, "x"],
            "objects": [{"box": [1, 2, 3, 4], "label": "door"}, {"label": "nowhere"}], "mask": [[0, 60, 64, 4], [1]]});
        let thought = read(&value);
        assert_eq!((thought.policy.as_deref(), thought.why.as_str()), (Some("p"), "w"));
        assert_eq!(thought.surprise.as_deref(), Some(""));
        let click = Action::Click(Point::new(3, 4).unwrap()).into();
        assert_eq!(thought.plan, [Action::Key(Key::Key1).into(), click, Command::Reset]);
        let area = Area { x: 1, y: 2, width: 3, height: 4 };
        assert_eq!(thought.objects, [Object { area, label: "door".to_owned() }]);
        assert_eq!(thought.mask.len(), 1);
        assert!(is_surprise(Some(&value)) && thought.words() == "w\nsurprise ");
    }

    #[test]
    fn any_reasoning_reads_as_text() {
        assert_eq!(read(&json!("just words")).why, "just words");
        assert_eq!(read(&json!({"model": "m", "tokens": 3})).why, "model: m\ntokens: 3");
        assert_eq!(read(&json!("{\"why\": \"packed\"}")).why, "packed");
        assert_eq!(read(&json!([1, 2])).why, "[1,2]");
        assert_eq!(Thought::read(Some(&Value::Null)), Thought::default());
        assert_eq!(Thought::read(None), Thought::default());
    }

    #[test]
    fn an_area_knows_its_cells_and_its_edge() {
        let area = Area { x: 60, y: 1, width: 4, height: 3 };
        assert!(area.contains(63, 3) && !area.contains(59, 3) && !area.contains(63, 4));
        assert!(area.is_edge(60, 2) && !area.is_edge(61, 2));
        assert!(!Area { x: 0, y: 0, width: 0, height: 5 }.contains(0, 0));
    }
}
