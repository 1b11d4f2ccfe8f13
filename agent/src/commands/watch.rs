//! The screens of `arc3 play`: watching, and playing oneself.

use std::{io, thread};

use crate::{
    events::{Bus, Listener, Log},
    exit::Failure,
    interrupt::Interrupt,
    progress::{Detail, Progress},
    replay::palette::Depth,
    settings::Environment,
    tui::{
        app::{Left, drive},
        human::Table,
        live::{Behind, Tap},
        terminal::{self, Taken},
        watch::{Watch, Wish},
    },
};

/// What a screen needs to know of the terminal.
#[derive(Clone, Debug)]
pub(super) struct Place {
    term: String,
    depth: Depth,
}

/// A screen in a thread of its own.
pub(super) struct Screen {
    thread: thread::JoinHandle<Result<(), Failure>>,
}

impl Place {
    /// The terminal of this process.
    ///
    /// # Errors
    /// It can show no screen.
    pub(super) fn find(environment: &Environment) -> Result<Place, Failure> {
        let term = environment.get("TERM").unwrap_or_default().to_owned();
        terminal::require(&term)?;
        Ok(Place { term, depth: Depth::detect(|name| environment.get(name)) })
    }

    /// How colours are shown.
    pub(super) fn depth(&self) -> Depth {
        self.depth
    }

    /// Shows the plays that `tap` hears of. Leaving the screen lets them go on, unless that is not wished.
    pub(super) fn watch(self, tap: Tap, interrupt: Interrupt) -> Screen {
        let mut watch = Watch::new(tap.clone(), self.depth);
        self.show(tap, interrupt, move |taken, interrupt| {
            let left = drive(&mut watch, taken.terminal(), interrupt)?;
            Ok(left == Left::Interrupted || watch.wish == Some(Wish::Stop))
        })
    }

    /// Shows the play of a person, which ends when they leave.
    pub(super) fn play(self, mut table: Table, tap: Tap, interrupt: Interrupt) -> Screen {
        self.show(tap, interrupt, move |taken, interrupt| {
            drive(&mut table, taken.terminal(), interrupt)?;
            interrupt.raise();
            drop(table);
            Ok(true)
        })
    }

    /// Runs a screen; `run` says whether the plays are to end with it.
    fn show(
        self,
        tap: Tap,
        interrupt: Interrupt,
        run: impl FnOnce(&mut Taken, &Interrupt) -> io::Result<bool> + Send + 'static,
    ) -> Screen {
        let thread = thread::spawn(move || {
            let _closing = Closing(tap);
            let mut taken = Taken::take(&self.term)?;
            if run(&mut taken, &interrupt)? {
                interrupt.raise();
            }
            Ok(())
        });
        Screen { thread }
    }
}

/// However a screen ends, nothing is kept for it after that.
struct Closing(Tap);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Screen {
    /// Waits until the screen is left.
    pub(super) async fn left(self) -> Result<(), Failure> {
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await;
        match joined {
            Ok(Ok(left)) => left,
            _ => Err(Failure::new("the screen ran into a defect of its own").hint("logs/arc3.log says where")),
        }
    }
}

/// Who follows the plays while there is a screen: it, the log, and the bars once it is left.
pub(super) fn bus(tap: &Tap) -> Bus {
    let progress = Behind { tap: tap.clone(), listener: Progress::new(Detail::Normal) };
    let listeners: Vec<Box<dyn Listener>> = vec![Box::new(Log), Box::new(tap.clone()), Box::new(progress)];
    Bus::new(listeners)
}
