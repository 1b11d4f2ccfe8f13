//! Whole screens, on a terminal of the tests.

use env_client::Point;
use ratatui::{Terminal, backend::TestBackend, buffer::Buffer, layout::Rect, widgets::Widget};

use super::{
    app::HINT,
    intent::{Ask, Direction, Intent},
    keys,
    player::Player,
    screen::Screen,
    view::View,
};
use crate::replay::{Archive, Follow, Index, palette::Depth, tests::recorded};

/// The index of a test recording of so many steps.
pub(crate) fn index(steps: usize) -> Index {
    opened(steps).index().clone()
}

fn opened(steps: usize) -> Archive {
    let (_folder, path) = recorded(steps);
    let mut archive = Archive::open(&path, Follow::No).unwrap();
    archive.wait();
    archive
}

/// A widget as text.
pub(crate) fn text(widget: impl Widget, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    widget.render(buffer.area, &mut buffer);
    lines(&buffer)
}

fn lines(buffer: &Buffer) -> String {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..buffer.area.height).map(row).collect::<Vec<_>>().join("\n")
}

/// A screen of a test recording after some intents.
fn draw(steps: usize, intents: &[Intent], (width, height): (u16, u16)) -> String {
    let mut view = View::new("play.jsonl".to_owned(), opened(steps), Player::new());
    view.tick(std::time::Duration::ZERO);
    for intent in intents {
        view.act(*intent);
        view.tick(std::time::Duration::ZERO);
    }
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let screen = Screen {
        player: &view.player,
        index: view.source.index(),
        shown: view.shown.as_ref(),
        failed: None,
        title: &view.name,
        baselines: &[4, 9],
        hint: HINT,
        help: keys::HELP,
        depth: Depth::None,
    };
    terminal.draw(|frame| frame.render_widget(&screen, frame.area())).unwrap();
    // The time between two steps is the machine's.
    let text = lines(terminal.backend().buffer());
    text.lines().filter(|line| !line.contains("  time ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_step_on_80_by_24() {
    let hover = Intent::Hover(Point::new(6, 0).ok());
    insta::assert_snapshot!(draw(13, &[Intent::Seek(8), hover], (80, 24)), @r"
    play.jsonl
    88888888888888888888888888888888  step     8 of 12
    88888888888888888888888888888888  action   ACTION6 (8, 3)
    88888888888888888888888888888888  state    NOT_FINISHED
    88888888888888888888888888888888  levels   1/7
    88888888888888888888888888888888  actions  3 of 9 on level, 8 in all
    88888888888888888888888888888888  layer    1 of 1
    88888888888888888888888888888888  changed  4096 cells
    88888888888888888888888888888888  cell     (6, 0) is 8 #F93C31
    88888888888888888888888888888888
    88888888888888888888888888888888  surprise
    88888888888888888888888888888888  step 8
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    88888888888888888888888888888888
    ────────────────────────────────▲──────?────────────!────────────▲─────────────x
    space play  ← → step  [ ] layer  n N level  g go  / search  ? keys  q quit
    ");
}

#[test]
fn every_size_shows_the_step_its_state_and_the_line_of_the_play() {
    for size in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        let text = draw(13, &[Intent::Seek(5)], size);
        for word in ["play.jsonl", "5 of 12", "ACTION1", "NOT_FINISHED", "1/7", "▲"] {
            assert!(text.contains(word), "{word} at {size:?}:\n{text}");
        }
    }
    assert!(draw(3, &[], (30, 5)).contains("30x5 is too small"));
}

#[test]
fn actions_stand_against_those_of_people() {
    let text = draw(13, &[Intent::Seek(7)], (120, 40));
    assert!(text.contains("2 of 9 on level, 7 in all"), "{text}");
}

#[test]
fn a_lost_answer_a_surprise_and_the_end_are_told() {
    assert!(draw(13, &[Intent::Seek(6)], (120, 40)).contains("outcome unknown: timed out"));
    assert!(draw(13, &[Intent::Seek(8)], (120, 40)).contains("surprise"));
    assert!(draw(13, &[Intent::Seek(12)], (120, 40)).contains("GAME_OVER"));
}

#[test]
fn who_decided_is_told_and_what_came_of_it() {
    let text = draw(13, &[Intent::Seek(9)], (80, 24));
    let from = text.lines().skip_while(|line| !line.contains("  who "));
    let side: Vec<&str> = from.take(5).filter_map(|line| Some(line.split_once("  ")?.1)).collect();
    insta::assert_snapshot!(side.join("\n"), @r"
    who      search
    goal     touch the door
    expects  3 cells, 3 came, 97 % sure
    cost     3.2 ms, 64 states
    step 9
    ");
}

#[test]
fn layers_are_counted_and_compared() {
    assert!(
        draw(20, &[Intent::Seek(13)], (120, 40)).contains("changed  2 cells"),
        "the settled view against the layer before"
    );
    // Step 13 has three layers, each with one cell of another place in the second colour.
    let text = draw(20, &[Intent::Seek(13), Intent::Layer(Direction::Back)], (120, 40));
    assert!(text.contains("layer    2 of 3") && text.contains("changed  2 cells"), "{text}");
}

#[test]
fn questions_and_help_cover_the_screen_as_long_as_they_are_asked() {
    let ask = [Intent::Ask(Ask::Text), Intent::Type('x')];
    assert!(draw(3, &ask, (80, 24)).contains("search: x"));
    assert!(draw(3, &[Intent::Help], (120, 40)).contains("next, previous level-up"));
    assert!(!draw(3, &[Intent::Help, Intent::Escape], (120, 40)).contains("next, previous level-up"));
}

#[test]
fn a_search_ends_at_the_step_that_says_it() {
    let mut view = View::new(String::new(), opened(13), Player::new());
    view.tick(std::time::Duration::ZERO);
    view.act(Intent::Ask(Ask::Text));
    "step 11".chars().for_each(|letter| view.act(Intent::Type(letter)));
    view.act(Intent::Enter);
    while view.player.search.is_some() {
        view.tick(std::time::Duration::ZERO);
    }
    assert_eq!(view.shown.map(|shown| shown.step), Some(11));
    assert_eq!(view.source.thought(3).unwrap().why, "step 3");
}

#[test]
fn an_empty_recording_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.jsonl");
    std::fs::write(&path, "garbage\n").unwrap();
    let mut archive = Archive::open(&path, Follow::No).unwrap();
    archive.wait();
    let player = Player::new();
    let screen = Screen {
        player: &player,
        index: archive.index(),
        shown: None,
        failed: None,
        title: "empty",
        baselines: &[],
        hint: "",
        help: &[],
        depth: Depth::True,
    };
    let text = text(&screen, 80, 24);
    assert!(text.contains("nothing to show") && text.contains("line 1 (at byte 0)"), "{text}");
}
