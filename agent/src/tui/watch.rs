//! The screen of plays that go on: one tab a play.

use std::time::Duration;

use ratatui::{
    Frame,
    crossterm::event::{Event, KeyCode, KeyEvent},
    layout::Rect,
};

use super::{
    app::{Show, is_press},
    keys,
    live::{Reel, Tap},
    player::Player,
    screen::{Places, Screen, tab_title},
    view::View,
};
use crate::replay::palette::Depth;

/// The keys to begin with.
const HINT: &str = "tab next play  ← → step  G live  ? keys  q close, plays go on  Q stop them";

/// How a person left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The plays go on.
    Close,
    /// The plays are to end.
    Stop,
}

/// The state of the screen.
#[derive(Debug)]
pub struct Watch {
    tap: Tap,
    views: Vec<View>,
    selected: usize,
    depth: Depth,
    /// What was wished for on leaving.
    pub wish: Option<Wish>,
}

impl Watch {
    /// A screen that waits for the first play.
    pub fn new(tap: Tap, depth: Depth) -> Watch {
        Watch { tap, views: Vec::new(), selected: 0, depth, wish: None }
    }

    /// Tabs for plays that began since.
    fn open_tabs(&mut self) -> bool {
        let names = self.tap.plays();
        let known = self.views.len();
        for (number, name) in names.into_iter().enumerate().skip(known) {
            self.views.push(View::new(name, Reel::new(self.tap.clone(), number), Player::live()));
        }
        self.views.len() > known
    }

    fn title(&self) -> String {
        let title = |(number, view): (usize, &View)| {
            let title = tab_title(view.source.index(), &view.name);
            if number == self.selected {
                format!("[{} {title}]", number + 1)
            } else {
                format!(" {} {title} ", number + 1)
            }
        };
        // Those before the one that is shown make room for it.
        let first = self.selected.saturating_sub(2);
        self.views.iter().enumerate().skip(first).map(title).collect()
    }

    fn places(&self, area: Rect) -> Places {
        self.views.get(self.selected).map_or_else(Places::default, |view| self.screen(view, "").places(area))
    }

    fn screen<'a>(&self, view: &'a View, title: &'a str) -> Screen<'a> {
        let hint = HINT;
        Screen { title, hint, help: keys::HELP, ..view.screen(self.depth) }
    }

    fn key(&mut self, key: KeyEvent) {
        let Some(view) = self.views.get(self.selected) else {
            if key.code == KeyCode::Char('q') {
                self.wish = Some(Wish::Close);
            }
            return;
        };
        let is_typing = view.player.prompt.is_some();
        match key.code {
            KeyCode::Tab => self.selected = (self.selected + 1) % self.views.len(),
            KeyCode::BackTab => self.selected = (self.selected + self.views.len() - 1) % self.views.len(),
            KeyCode::Char('Q') if !is_typing => self.wish = Some(Wish::Stop),
            KeyCode::Char(digit @ '1'..='9') if !is_typing => self.select(digit),
            _ => {
                if let Some(intent) = keys::intent(key, &view.player) {
                    self.views[self.selected].act(intent);
                }
            }
        }
    }

    fn select(&mut self, digit: char) {
        let number = digit.to_digit(10).unwrap_or(1) as usize - 1;
        self.selected = number.min(self.views.len() - 1);
    }
}

impl Show for Watch {
    fn draw(&self, frame: &mut Frame<'_>) {
        match self.views.get(self.selected) {
            Some(view) => frame.render_widget(&self.screen(view, &self.title()), frame.area()),
            None => frame.render_widget("waiting for the first play", frame.area()),
        }
    }

    fn handle(&mut self, event: &Event, area: Rect) {
        match event {
            Event::Key(key) if is_press(*key) => self.key(*key),
            Event::Mouse(mouse) => {
                let places = self.places(area);
                let Some(view) = self.views.get_mut(self.selected) else { return };
                if let Some(intent) = keys::mouse(*mouse, &places, view.source.index()) {
                    view.act(intent);
                }
            }
            _ => {}
        }
    }

    fn tick(&mut self, passed: Duration) -> bool {
        let opened = self.open_tabs();
        let changes: Vec<bool> = self.views.iter_mut().map(|view| view.tick(passed)).collect();
        opened || changes.contains(&true)
    }

    fn is_done(&self) -> bool {
        let quit = self.views.get(self.selected).is_some_and(|view| view.player.done);
        self.wish.is_some() || quit
    }
}
