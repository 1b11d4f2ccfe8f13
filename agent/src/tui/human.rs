//! A person at the keys.

use std::{
    sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    time::Duration,
};

use env_client::{Action, ActionSet, Command, Key, Observation};
use ratatui::{
    Frame,
    crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind},
    layout::Rect,
};

use super::{
    app::{Show, is_press},
    intent::Intent,
    keys,
    live::{Reel, Tap},
    player::Player,
    screen::Screen,
    view::View,
};
use crate::{
    policy::{Decision, Outcome, Policy, Who},
    replay::palette::Depth,
};

/// The name in recordings, and the tag of the scorecard.
pub const NAME: &str = "human";

/// The keys to begin with.
const HINT: &str = "WASD arrows move  space act  click  ctrl-z undo  R reset  ? keys  q quit";

/// What every key does: the map of the official player, and what is left of the screen's own.
const HELP: &[(&str, &str)] = &[
    ("W ↑", "ACTION1, usually up"),
    ("S ↓", "ACTION2, usually down"),
    ("A ←", "ACTION3, usually left"),
    ("D →", "ACTION4, usually right"),
    ("space F", "ACTION5"),
    ("mouse", "ACTION6 at the cell (right button: the lower of the two of a character)"),
    ("ctrl-z", "ACTION7, undo"),
    ("R", "RESET"),
    ("[ ]", "previous, next layer of the animation"),
    ("c z", "changes, zoom"),
    ("? q", "this help, quit; a lost game is reset by itself"),
];

/// Decides as a person does at the screen. It waits for as long as they think.
#[derive(Debug)]
pub struct Human(Receiver<Command>);

impl Policy for Human {
    fn name(&self) -> &'static str {
        NAME
    }

    fn decide(&mut self, _now: &Observation, _actions: ActionSet) -> Decision {
        // Who leaves raises the interrupt first, so this RESET is never sent.
        let command = self.0.recv().unwrap_or(Command::Reset);
        Decision::new(command, Who::Person, "")
    }

    fn observe(&mut self, _before: Option<&Observation>, _command: Command, _outcome: Outcome<'_>) {}
}

/// The screen a person plays on.
#[derive(Debug)]
pub struct Table {
    view: View,
    depth: Depth,
    commands: SyncSender<Command>,
    /// Steps when the newest was shown.
    steps: usize,
}

/// A screen, and who decides at it.
pub fn table(game: &str, tap: Tap, depth: Depth) -> (Table, Human) {
    let (commands, decisions) = sync_channel(1);
    let view = View::new(game.to_owned(), Reel::new(tap, 0), Player::live());
    (Table { view, depth, commands, steps: 0 }, Human(decisions))
}

impl Table {
    fn screen(&self) -> Screen<'_> {
        Screen { hint: HINT, help: HELP, ..self.view.screen(self.depth) }
    }

    fn send(&mut self, command: Command) {
        self.view.act(Intent::End);
        match self.commands.try_send(command) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => self.view.player.message = Some("the answer is still awaited".to_owned()),
            Err(TrySendError::Disconnected(_)) => {
                self.view.player.message = Some("the play is over, q leaves".to_owned());
            }
        }
    }

    fn key(&mut self, key: KeyEvent) {
        if let Some(command) = command(key) {
            self.send(command);
        } else if let KeyCode::Char('[' | ']' | 'c' | 'z' | '?' | 'q' | 'H' | 'J' | 'K' | 'L') | KeyCode::Esc = key.code
            && let Some(intent) = keys::intent(key, &self.view.player)
        {
            self.view.act(intent);
        }
    }

    fn mouse(&mut self, event: MouseEvent, area: Rect) {
        let places = self.screen().places(area);
        let half = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => 0,
            MouseEventKind::Down(MouseButton::Right) => 1,
            _ => {
                if let Some(intent @ Intent::Hover(_)) = keys::mouse(event, &places, self.view.source.index()) {
                    self.view.act(intent);
                }
                return;
            }
        };
        if let Some(point) = places.grid.and_then(|grid| grid.point_at(event.column, event.row, half)) {
            self.send(Action::Click(point).into());
        }
    }
}

/// The key map of the official player.
fn command(key: KeyEvent) -> Option<Command> {
    let control = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::SUPER);
    let key = match key.code {
        KeyCode::Char('z') if control => Key::Key7,
        _ if control => return None,
        KeyCode::Char('r' | 'R') => return Some(Command::Reset),
        KeyCode::Char('w' | 'W') | KeyCode::Up => Key::Key1,
        KeyCode::Char('s' | 'S') | KeyCode::Down => Key::Key2,
        KeyCode::Char('a' | 'A') | KeyCode::Left => Key::Key3,
        KeyCode::Char('d' | 'D') | KeyCode::Right => Key::Key4,
        KeyCode::Char(' ' | 'f' | 'F') => Key::Key5,
        _ => return None,
    };
    Some(Action::Key(key).into())
}

impl Show for Table {
    fn draw(&self, frame: &mut Frame<'_>) {
        frame.render_widget(&self.screen(), frame.area());
    }

    fn handle(&mut self, event: &Event, area: Rect) {
        match event {
            Event::Key(key) if is_press(*key) => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse, area),
            _ => {}
        }
    }

    fn tick(&mut self, passed: Duration) -> bool {
        let changed = self.view.tick(passed);
        let steps = self.view.source.index().marks.len();
        if steps != std::mem::replace(&mut self.steps, steps) {
            self.view.act(Intent::Animate);
        }
        changed
    }

    fn is_done(&self) -> bool {
        self.view.player.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_official_player() {
        let pressed = |code| command(KeyEvent::new(code, KeyModifiers::NONE)).map(Command::number);
        let letters: Vec<_> = "wsad f".chars().map(|letter| pressed(KeyCode::Char(letter))).collect();
        assert_eq!(letters, [1, 2, 3, 4, 5, 5].map(Some));
        let arrows = [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right].map(pressed);
        assert_eq!(arrows, [1, 2, 3, 4].map(Some));
        assert_eq!((pressed(KeyCode::Char('R')), pressed(KeyCode::Char('z'))), (Some(0), None));
        let undo = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
        assert_eq!(command(undo).map(Command::number), Some(7));
        assert_eq!(command(KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL)), None);
    }
}
