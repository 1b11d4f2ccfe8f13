//! Ctrl-C and SIGTERM: the first asks everything to end in good order, the second quits.

use tokio::sync::watch;

use crate::{exit::Exit, talk::say, tui::terminal};

/// Whether somebody asked to stop. Clones hear of it together.
#[derive(Clone, Debug)]
pub struct Interrupt {
    sender: watch::Sender<bool>,
    receiver: watch::Receiver<bool>,
}

impl Interrupt {
    /// Listens to the signals of this process from now on, while games are played.
    pub fn of_process() -> Interrupt {
        Interrupt::announced("finishing the action in flight, then closing")
    }

    /// Listens to the signals of this process from now on. The first says what is done about it.
    pub fn announced(what: &'static str) -> Interrupt {
        let (sender, interrupt) = Interrupt::manual();
        tokio::spawn(async move {
            signal().await;
            if !terminal::is_taken() {
                say(format_args!("interrupted: {what}; once more quits at once"));
            }
            // Nobody may be waiting any more, which is fine.
            let _ = sender.send(true);
            signal().await;
            terminal::give_back();
            std::process::exit(i32::from(Exit::Interrupted.code()));
        });
        interrupt
    }

    /// An interrupt that is raised by hand.
    pub fn manual() -> (watch::Sender<bool>, Interrupt) {
        let (sender, receiver) = watch::channel(false);
        (sender.clone(), Interrupt { sender, receiver })
    }

    /// Asks to stop, as the first Ctrl-C does.
    pub fn raise(&self) {
        self.sender.send_replace(true);
    }

    /// Whether to stop now.
    pub fn raised(&self) -> bool {
        *self.receiver.borrow()
    }

    /// The outcome of some work, unless the interrupt comes first and the work is dropped.
    pub async fn unless<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = work => Some(done),
            () = self.wait() => None,
        }
    }

    /// Waits until it is raised.
    pub async fn wait(&mut self) {
        // It cannot fail: the other end is held right here.
        let _ = self.receiver.wait_for(|raised| *raised).await;
    }
}

/// The next Ctrl-C or SIGTERM. Where one of them cannot be heard, the other still can.
async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
