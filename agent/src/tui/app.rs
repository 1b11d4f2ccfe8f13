//! The imperative shell: draws, waits for a key or for time to pass, and hands both to the state.

use std::{
    io,
    path::Path,
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use ratatui::{
    Frame, Terminal,
    backend::Backend,
    crossterm::event::{self, Event, KeyEvent, KeyEventKind},
    layout::Rect,
};

use super::{
    keys,
    list::{Chosen, List},
    player::Player,
    screen::Screen,
    terminal::Taken,
    view::View,
};
use crate::{
    interrupt::Interrupt,
    replay::{Archive, Follow, Summary, folder, palette::Depth},
};

/// Time between two pictures: at most 30 a second.
pub const FRAME: Duration = Duration::from_millis(33);

/// The keys to begin with.
pub const HINT: &str = "space play  ← → step  [ ] layer  n N level  g go  / search  ? keys  q quit";

/// How the screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// A person quit.
    Quit,
    /// Ctrl-C or a signal.
    Interrupted,
}

/// What a screen is made of, to the loop that drives it.
pub trait Show {
    /// Draws.
    fn draw(&self, frame: &mut Frame<'_>);
    /// A key was pressed, or the mouse was used.
    fn handle(&mut self, event: &Event, area: Rect);
    /// Time passed; whether there is anything new to draw.
    fn tick(&mut self, passed: Duration) -> bool;
    /// Whether it is over.
    fn is_done(&self) -> bool;
}

/// Shows until it is over.
pub fn drive<B: Backend<Error = io::Error>>(
    show: &mut impl Show,
    terminal: &mut Terminal<B>,
    interrupt: &Interrupt,
) -> io::Result<Left> {
    let mut before = Instant::now();
    let mut stale = true;
    while !show.is_done() {
        if interrupt.raised() {
            return Ok(Left::Interrupted);
        }
        let now = Instant::now();
        stale |= show.tick(now - std::mem::replace(&mut before, now));
        if stale {
            terminal.draw(|frame| show.draw(frame))?;
        }
        stale = false;
        let mut left = FRAME.saturating_sub(now.elapsed());
        while event::poll(left)? {
            let event = event::read()?;
            if matches!(event, Event::Key(key) if is_press(key) && keys::is_interrupt(key)) {
                return Ok(Left::Interrupted);
            }
            assert!(!keys::asks_for_panic(&event), "asked for by ctrl-p, which only debug builds know");
            let size = terminal.size()?;
            show.handle(&event, Rect::new(0, 0, size.width, size.height));
            stale = true;
            left = Duration::ZERO;
        }
    }
    Ok(Left::Quit)
}

/// Some terminals report releases too.
pub fn is_press(key: KeyEvent) -> bool {
    key.kind != KeyEventKind::Release
}

/// A recording on the screen.
#[derive(Debug)]
pub struct Replay {
    view: View,
    depth: Depth,
}

impl Replay {
    /// A recording at its beginning.
    pub fn new(archive: Archive, depth: Depth) -> Replay {
        let name = archive.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Replay { view: View::new(name, archive, Player::new()), depth }
    }

    fn screen(&self) -> Screen<'_> {
        Screen { hint: HINT, help: keys::HELP, ..self.view.screen(self.depth) }
    }
}

impl Show for Replay {
    fn draw(&self, frame: &mut Frame<'_>) {
        frame.render_widget(&self.screen(), frame.area());
    }

    fn handle(&mut self, event: &Event, area: Rect) {
        let intent = match event {
            Event::Key(key) if is_press(*key) => keys::intent(*key, &self.view.player),
            Event::Mouse(mouse) => keys::mouse(*mouse, &self.screen().places(area), self.view.source.index()),
            _ => None,
        };
        if let Some(intent) = intent {
            self.view.act(intent);
        }
    }

    fn tick(&mut self, passed: Duration) -> bool {
        self.view.tick(passed)
    }

    fn is_done(&self) -> bool {
        self.view.player.done
    }
}

/// The list of a folder on the screen.
#[derive(Debug)]
struct Listing {
    list: List,
    summaries: Receiver<Summary>,
    chosen: Chosen,
}

impl Show for Listing {
    fn draw(&self, frame: &mut Frame<'_>) {
        frame.render_widget(&self.list, frame.area());
    }

    fn handle(&mut self, event: &Event, _area: Rect) {
        if let Event::Key(key) = event
            && is_press(*key)
        {
            self.chosen = self.list.key(*key);
        }
    }

    fn tick(&mut self, _passed: Duration) -> bool {
        let mut any = false;
        for summary in self.summaries.try_iter() {
            self.list.add(summary);
            any = true;
        }
        any
    }

    fn is_done(&self) -> bool {
        self.chosen != Chosen::Nothing
    }
}

/// Shows a recording.
pub fn replay(archive: Archive, taken: &mut Taken, depth: Depth, interrupt: &Interrupt) -> io::Result<Left> {
    drive(&mut Replay::new(archive, depth), taken.terminal(), interrupt)
}

/// Shows the recordings of a folder, and those that are chosen from it.
pub fn browse(
    paths: Vec<std::path::PathBuf>,
    taken: &mut Taken,
    depth: Depth,
    interrupt: &Interrupt,
) -> Result<Left, crate::exit::Failure> {
    let (sender, summaries) = channel();
    let expected = paths.len();
    thread::spawn(move || paths.iter().map(|path| folder::summarize(path)).all(|summary| sender.send(summary).is_ok()));
    let mut listing = Listing { list: List::new(expected), summaries, chosen: Chosen::Nothing };
    loop {
        if drive(&mut listing, taken.terminal(), interrupt)? == Left::Interrupted {
            return Ok(Left::Interrupted);
        }
        let Chosen::Recording(path) = std::mem::replace(&mut listing.chosen, Chosen::Nothing) else {
            return Ok(Left::Quit);
        };
        if open(&path, taken, depth, interrupt)? == Left::Interrupted {
            return Ok(Left::Interrupted);
        }
        taken.terminal().clear()?;
    }
}

fn open(path: &Path, taken: &mut Taken, depth: Depth, interrupt: &Interrupt) -> Result<Left, crate::exit::Failure> {
    let archive = Archive::open(path, Follow::Yes)?;
    Ok(replay(archive, taken, depth, interrupt)?)
}
