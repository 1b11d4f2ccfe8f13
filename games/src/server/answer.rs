//! The JSON of a frame response, the bulk of what the server writes.

use env_client::{Action, ActionSet, Command, Point, Status, wire::write_layers};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::Shown;

/// A frame response less its frame.
#[derive(Debug, Serialize)]
struct Head<'a> {
    game_id: &'a str,
    guid: &'a str,
    state: Status,
    levels_completed: u32,
    win_levels: u32,
    available_actions: ActionSet,
    action_input: Echo<'a>,
    /// The toolkit's own server forgets to copy it and always says `false`; here it is true when it is.
    full_reset: bool,
}

/// The command a frame answers, as [`env_client::wire::ActionInput`] reads it.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Echo<'a> {
    id: u8,
    data: EchoData<'a>,
    /// Byte for byte what the client sent.
    reasoning: Option<&'a RawValue>,
}

/// What a command carries; the toolkit adds the game. The answer to a start carries nothing.
#[derive(Clone, Debug, Default, Serialize)]
struct EchoData<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<u8>,
}

impl<'a> Echo<'a> {
    /// The echo of a command to a running play.
    pub(super) fn new(game: &'a str, command: Command, reasoning: Option<&'a RawValue>) -> Echo<'a> {
        let point = match command {
            Command::Act(Action::Click(point)) => Some(point),
            _ => None,
        };
        let (x, y) = (point.map(Point::x), point.map(Point::y));
        Echo { id: command.number(), data: EchoData { game_id: Some(game), x, y }, reasoning }
    }
}

/// A frame response: `game` as the client named it, the play, what the engine showed, the command.
pub(super) fn encode(game: &str, guid: &str, shown: &Shown, echo: Echo<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let head = Head {
        game_id: game,
        guid,
        state: shown.status,
        levels_completed: shown.levels_completed.into(),
        win_levels: shown.win_levels.into(),
        available_actions: shown.available,
        action_input: echo,
        full_reset: shown.full_reset,
    };
    let mut json = serde_json::to_vec(&head)?;
    json.pop();
    json.extend_from_slice(br#","frame":"#);
    write_layers(&mut json, &shown.layers);
    json.push(b'}');
    Ok(json)
}

#[cfg(test)]
mod tests {
    use env_client::{Color, Grid, Observation, wire::Frame};

    use super::*;

    #[test]
    fn what_is_written_is_what_a_client_reads() {
        let mut rainbow = Grid::filled(16, 3, Color::of(0));
        for (index, cell) in rainbow.cells_mut().iter_mut().enumerate() {
            *cell = Color::ALL[index % Color::COUNT];
        }
        let shown = Shown {
            layers: vec![Grid::filled(1, 1, Color::of(10)), rainbow],
            status: Status::Win,
            levels_completed: 6,
            win_levels: 6,
            available: ActionSet::ALL,
            full_reset: true,
        };
        let click = Action::Click(Point::new(3, 63).unwrap()).into();
        let reasoning: Box<RawValue> = serde_json::from_str(r#"{ "big": 123456789012345678901234567890 }"#).unwrap();
        let json = encode("ab12-1", "g", &shown, Echo::new("ab12-1", click, Some(&reasoning))).unwrap();
        assert!(String::from_utf8_lossy(&json).contains(reasoning.get()), "reasoning comes back byte for byte");
        let frame: Frame = serde_json::from_slice(&json).unwrap();
        assert_eq!(frame.action_input.command(), Some(click));
        let Observation { layers, status, levels_completed, win_levels, available, full_reset, .. } =
            frame.try_into().unwrap();
        assert_eq!(Shown { layers, status, levels_completed, win_levels, available, full_reset }, shown);
    }
}
