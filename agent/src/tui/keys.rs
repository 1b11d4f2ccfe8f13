//! From keys and mouse to what a person asks for.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{
    intent::{Ask, Direction, Intent},
    player::Player,
    screen::Places,
    timeline,
};
use crate::replay::Index;

/// What every key does, as the help shows it.
pub const HELP: &[(&str, &str)] = &[
    ("space", "play, pause"),
    ("← →  h l", "one step back, on"),
    ("↑ ↓  k j", "ten steps back, on (PgUp, PgDn: a hundred)"),
    ("[ ]", "previous, next layer of the animation"),
    ("a", "play the animation of this step"),
    ("n N", "next, previous level-up"),
    ("g G", "go to a step, to the end (Home: the start)"),
    ("/  . ,", "search the reasoning, next, previous hit"),
    ("+ -", "faster, slower"),
    ("o c z", "overlays, changes, zoom"),
    ("H J K L", "scroll a grid that is cut off"),
    ("mouse", "click the line below to seek; point at a cell to read it (right button: the lower of two)"),
    ("tab  1-9", "next play, a play by its number (when several are watched)"),
    ("? q", "this help, quit"),
];

/// Whether a key is Ctrl-C, which leaves whatever is going on.
pub fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Whether an event is the key that lets tests see what a panic leaves of the terminal.
pub fn asks_for_panic(event: &Event) -> bool {
    let is_asked = |key: &KeyEvent| key.code == KeyCode::Char('p') && key.modifiers.contains(KeyModifiers::CONTROL);
    cfg!(debug_assertions) && event.as_key_press_event().is_some_and(|key| is_asked(&key))
}

/// What a key asks for.
pub fn intent(key: KeyEvent, player: &Player) -> Option<Intent> {
    if player.prompt.is_some() {
        return typing(key);
    }
    Some(match key.code {
        KeyCode::Char(letter) => return letter_intent(letter),
        KeyCode::Left => Intent::Step(-1),
        KeyCode::Right => Intent::Step(1),
        KeyCode::Up => Intent::Step(-10),
        KeyCode::Down => Intent::Step(10),
        KeyCode::PageUp => Intent::Step(-100),
        KeyCode::PageDown => Intent::Step(100),
        KeyCode::Home => Intent::Seek(0),
        KeyCode::End => Intent::End,
        KeyCode::Esc => Intent::Escape,
        _ => return None,
    })
}

fn typing(key: KeyEvent) -> Option<Intent> {
    match key.code {
        KeyCode::Char(letter) => Some(Intent::Type(letter)),
        KeyCode::Backspace => Some(Intent::Erase),
        KeyCode::Enter => Some(Intent::Enter),
        KeyCode::Esc => Some(Intent::Escape),
        _ => None,
    }
}

fn letter_intent(letter: char) -> Option<Intent> {
    Some(match letter {
        ' ' => Intent::TogglePlay,
        'h' => Intent::Step(-1),
        'l' => Intent::Step(1),
        'k' => Intent::Step(-10),
        'j' => Intent::Step(10),
        '[' => Intent::Layer(Direction::Back),
        ']' => Intent::Layer(Direction::Forward),
        'a' => Intent::Animate,
        'n' => Intent::LevelUp(Direction::Forward),
        'N' => Intent::LevelUp(Direction::Back),
        'g' => Intent::Ask(Ask::Step),
        'G' => Intent::End,
        '/' => Intent::Ask(Ask::Text),
        '.' => Intent::SearchOn(Direction::Forward),
        ',' => Intent::SearchOn(Direction::Back),
        '+' | '=' => Intent::Speed(Direction::Forward),
        '-' => Intent::Speed(Direction::Back),
        'o' => Intent::Overlays,
        'c' => Intent::Changes,
        'z' => Intent::Zoom,
        'H' => Intent::Scroll(-4, 0),
        'L' => Intent::Scroll(4, 0),
        'K' => Intent::Scroll(0, -4),
        'J' => Intent::Scroll(0, 4),
        '?' => Intent::Help,
        'q' => Intent::Quit,
        _ => return None,
    })
}

/// What the mouse asks for.
pub fn mouse(event: MouseEvent, places: &Places, index: &Index) -> Option<Intent> {
    let (column, row) = (event.column, event.row);
    let half = match event.kind {
        MouseEventKind::ScrollUp => return Some(Intent::Step(-1)),
        MouseEventKind::ScrollDown => return Some(Intent::Step(1)),
        MouseEventKind::Down(MouseButton::Right) => 1,
        MouseEventKind::Down(_) | MouseEventKind::Drag(_) | MouseEventKind::Moved => 0,
        _ => return None,
    };
    let line = places.timeline;
    let pressed = matches!(event.kind, MouseEventKind::Down(_) | MouseEventKind::Drag(_));
    if pressed && row == line.y && (line.left()..line.right()).contains(&column) {
        let last = index.last_step().unwrap_or(0);
        return Some(Intent::Seek(timeline::step_at(column - line.x, last, line.width)));
    }
    Some(Intent::Hover(places.grid.and_then(|grid| grid.point_at(column, row, half))))
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use crate::tui::{
        geometry::{Geometry, Zoom},
        tests::index,
    };

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    #[test]
    fn keys_ask_for_what_the_help_says() {
        let player = Player::new();
        let intent = |letter| intent(key(KeyCode::Char(letter)), &player);
        assert_eq!(intent(' '), Some(Intent::TogglePlay));
        assert_eq!(intent('N'), Some(Intent::LevelUp(Direction::Back)));
        assert_eq!(intent('/'), Some(Intent::Ask(Ask::Text)));
        assert_eq!(intent('%'), None);
        for letter in HELP.iter().flat_map(|(keys, _)| keys.split_whitespace()).filter(|keys| keys.len() == 1) {
            assert!(intent(letter.chars().next().unwrap()).is_some(), "{letter}");
        }
    }

    #[test]
    fn while_a_question_is_typed_letters_are_letters() {
        let mut player = Player::new();
        player.act(Intent::Ask(Ask::Text), &index(3), 1);
        assert_eq!(intent(key(KeyCode::Char('q')), &player), Some(Intent::Type('q')));
        assert_eq!(intent(key(KeyCode::Enter), &player), Some(Intent::Enter));
        assert!(is_interrupt(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    }

    #[test]
    fn the_mouse_seeks_on_the_line_and_points_on_the_grid() {
        let grid = Geometry::new(Rect::new(1, 1, 64, 32), (64, 64), 2, Zoom::Fit, (0, 0));
        let places = Places { grid: Some(grid), timeline: Rect::new(0, 40, 101, 1) };
        let at = |kind, column, row| {
            mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }, &places, &index(201))
        };
        let left = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(at(left, 50, 40), Some(Intent::Seek(100)));
        assert_eq!(at(MouseEventKind::Moved, 50, 40), Some(Intent::Hover(None)));
        let point = |x: u8, y: u8| Some(Intent::Hover(env_client::Point::new(x, y).ok()));
        assert_eq!(at(left, 11, 6), point(10, 10));
        assert_eq!(at(MouseEventKind::Down(MouseButton::Right), 11, 6), point(10, 11));
    }
}
