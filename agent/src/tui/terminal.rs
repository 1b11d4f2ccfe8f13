//! The terminal: taken for the screen, and given back whatever happens.

use std::{
    io::{self, IsTerminal, Stdout, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor::Show,
        event::{DisableMouseCapture, EnableMouseCapture},
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
};

use crate::exit::Failure;

/// Whether the screen has the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while the screen has it; dropping it, which a panic does as well, gives it back.
#[derive(Debug)]
pub struct Taken(Terminal<CrosstermBackend<Stdout>>);

impl Taken {
    /// Takes the terminal. `term` is what `TERM` says.
    ///
    /// # Errors
    /// There is none, or it can show nothing but lines.
    pub fn take(term: &str) -> Result<Taken, Failure> {
        require(term)?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        TAKEN.store(true, Ordering::SeqCst);
        let taken = Taken(terminal);
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(taken)
    }

    /// The terminal to draw on.
    pub fn terminal(&mut self) -> &mut Terminal<CrosstermBackend<Stdout>> {
        &mut self.0
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Whether the screen has the terminal, so that nothing else may write to it.
pub fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Gives the terminal back if the screen has it. For ends that drop nothing, such as a second Ctrl-C.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Where the terminal is gone there is nothing to give back.
        let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
        let _ = io::stdout().flush();
    }
}

/// Whether there is a terminal that can show a screen. `term` is what `TERM` says.
///
/// # Errors
/// There is none, or it can show nothing but lines.
pub fn require(term: &str) -> Result<(), Failure> {
    check(term, io::stdin().is_terminal() && io::stdout().is_terminal())
}

fn check(term: &str, interactive: bool) -> Result<(), Failure> {
    let what_else = "without a screen: `arc3 replay FILE --print 120`, `--json`, `--export OUT.gif`";
    if !interactive {
        return Err(Failure::new("the screen needs a terminal for input and output").hint(what_else));
    }
    if matches!(term, "" | "dumb") {
        let term = if term.is_empty() { "TERM is not set" } else { "TERM is 'dumb'" };
        return Err(Failure::new(format!("{term}: this terminal can show lines only")).hint(what_else));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_cannot_show_a_screen_is_told_so() {
        assert!(check("xterm", true).is_ok());
        let dumb = check("dumb", true).unwrap_err().to_string();
        assert!(
            dumb.starts_with("error: TERM is 'dumb': this terminal can show lines only\n  hint: without"),
            "{dumb}"
        );
        assert!(check("", true).is_err() && check("xterm", false).is_err());
    }
}
