//! One line as bytes.
//!
//! Written field by field, as grids are most of a recording; the tests compare with what `serde_json` writes.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::{
    Action, Command, Observation,
    wire::{self, ActionInput},
};

/// Appends the line of a command and what was seen after it.
pub(super) fn seen(out: &mut Vec<u8>, at: Timestamp, command: Command, reasoning: Option<&Value>, saw: &Observation) {
    begin(out, at);
    push(out, r#"{"game_id":""#);
    push(out, saw.game.as_str());
    push(out, r#"","guid":""#);
    push(out, saw.play.as_str());
    push(out, r#"","frame":"#);
    wire::write_layers(out, &saw.layers);
    push(out, r#","state":""#);
    push(out, saw.status.name());
    push(out, r#"","levels_completed":"#);
    json(out, &saw.levels_completed);
    push(out, r#","win_levels":"#);
    json(out, &saw.win_levels);
    push(out, r#","action_input":"#);
    input(out, command, reasoning);
    push(out, r#","full_reset":"#);
    json(out, &saw.full_reset);
    push(out, r#","available_actions":"#);
    json(out, &saw.available);
    push(out, "}");
    end(out);
}

/// The `data` of a command whose outcome is unknown.
#[derive(Serialize)]
pub(super) struct Unknown<'a> {
    pub(super) game_id: &'a str,
    pub(super) guid: &'a str,
    pub(super) outcome: &'static str,
    pub(super) command: ActionInput,
    pub(super) cause: &'a str,
}

/// Appends a line with any `data`.
pub(super) fn note(out: &mut Vec<u8>, at: Timestamp, data: &impl Serialize) {
    begin(out, at);
    json(out, data);
    end(out);
}

/// `+00:00` rather than `Z`, as the toolkit writes it: Python before 3.11 reads only the former.
fn begin(out: &mut Vec<u8>, at: Timestamp) {
    push(out, r#"{"timestamp":""#);
    push(out, at.to_string().trim_end_matches('Z'));
    push(out, r#"+00:00","data":"#);
}

fn end(out: &mut Vec<u8>) {
    push(out, "}\n");
}

fn input(out: &mut Vec<u8>, command: Command, reasoning: Option<&Value>) {
    push(out, r#"{"id":"#);
    json(out, &command.number());
    push(out, r#","data":"#);
    match command {
        Command::Act(Action::Click(point)) => json(out, &point),
        Command::Act(Action::Key(_)) | Command::Reset => push(out, "{}"),
    }
    push(out, r#","reasoning":"#);
    json(out, &reasoning);
    push(out, "}");
}

fn push(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// Writing into memory cannot fail; a value that `serde` cannot express (a map with keys that are no text) becomes null.
fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    let before = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(before);
        push(out, "null");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{ActionSet, Color, Grid, Key, Point, Status};

    fn observation(layers: Vec<Grid>) -> Observation {
        Observation {
            game: "ab12-1".parse().unwrap(),
            play: "p-1".parse().unwrap(),
            layers,
            status: Status::NotFinished,
            levels_completed: 1,
            win_levels: 7,
            available: ActionSet::ALL,
            full_reset: false,
        }
    }

    fn written(command: Command, reasoning: Option<&Value>, saw: &Observation) -> String {
        let mut out = Vec::new();
        seen(&mut out, "2025-07-01T12:00:00.25Z".parse().unwrap(), command, reasoning, saw);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_reads_like_this() {
        let click = Command::Act(Action::Click(Point::new(3, 4).unwrap()));
        let saw = observation(vec!["01\nef".parse().unwrap(), "2".parse().unwrap()]);
        insta::assert_snapshot!(
            written(click, Some(&serde_json::json!({"why": "a \"door\""})), &saw),
            @r#"{"timestamp":"2025-07-01T12:00:00.25+00:00","data":{"game_id":"ab12-1","guid":"p-1","frame":[[[0,1],[14,15]],[[2]]],"state":"NOT_FINISHED","levels_completed":1,"win_levels":7,"action_input":{"id":6,"data":{"x":3,"y":4},"reasoning":{"why":"a \"door\""}},"full_reset":false,"available_actions":[1,2,3,4,5,6,7]}}"#
        );
    }

    proptest! {
        #[test]
        fn a_line_says_what_serde_would_say(
            sides in prop::collection::vec((1u8..=64, 1u8..=64), 0..3), seed in any::<u8>(), key in 0usize..7,
        ) {
            let paint = |(width, height): (u8, u8)| {
                let mut grid = Grid::filled(width, height, Color::default());
                for (index, cell) in grid.cells_mut().iter_mut().enumerate() {
                    *cell = Color::ALL[(index * 7 + usize::from(seed)) % Color::COUNT];
                }
                grid
            };
            let saw = observation(sides.into_iter().map(paint).collect());
            let command = Key::ALL.get(key).map_or(Command::Reset, |key| Action::Key(*key).into());
            let line: Value = serde_json::from_str(&written(command, None, &saw)).unwrap();
            let frame = wire::Frame::new(&saw, ActionInput::new(command, None));
            prop_assert_eq!(&line["data"], &serde_json::to_value(frame).unwrap());
        }
    }
}
