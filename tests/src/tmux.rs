//! A terminal that a test can type into and look at: tmux, started for it alone.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::arc3_path;

/// How long a screen may take to show what is waited for. Only a failing test waits as long.
const PATIENCE: Duration = Duration::from_mins(1);

/// Tells the servers of one test process apart.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A shell in a terminal; dropping it ends both.
#[derive(Debug)]
pub struct Tmux {
    socket: String,
}

impl Tmux {
    /// A terminal of `size` characters with a shell in `folder`, or `None` after a visible line that `test` is skipped.
    ///
    /// # Panics
    /// When tmux is there but does not start.
    pub fn start(test: &str, folder: &Path, (width, height): (u16, u16)) -> Option<Tmux> {
        if Command::new("tmux").arg("-V").output().is_err() {
            // Straight to the handle: the test runner would swallow what the print macros write.
            let _ = writeln!(std::io::stderr(), "SKIPPED {test}: there is no tmux; .ci/run installs it");
            return None;
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let tmux = Tmux { socket: format!("arc3-{}-{number}", std::process::id()) };
        let (width, height) = (width.to_string(), height.to_string());
        let folder = folder.to_str().expect("a path that is text");
        let shell = "env -u NO_COLOR -u ARC_API_KEY PS1='ready> ' sh";
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, "-c", folder, shell]);
        tmux.wait_for("ready>");
        Some(tmux)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let command = Command::new("tmux").args(["-L", &self.socket]).args(arguments).output();
        let Output { status, stdout, stderr } = command.expect("tmux runs");
        assert!(status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8_lossy(&stdout).into_owned()
    }

    /// Types `arc3` with these arguments, and enter.
    pub fn arc3(&self, arguments: &str) {
        self.line(&format!("{} {arguments}", arc3_path().display()));
    }

    /// Types a line, and enter.
    pub fn line(&self, text: &str) {
        self.run(&["send-keys", "-l", text]);
        self.keys(&["Enter"]);
    }

    /// Presses keys, by the names that tmux gives them.
    pub fn keys(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    /// Waits until the screen shows a text, and gives the screen.
    ///
    /// # Panics
    /// When it never does.
    pub fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contains(text))
    }

    /// Waits until all of these are on the screen: a redraw can be caught half-way.
    pub fn wait_for_all(&self, texts: &[&str]) -> String {
        self.wait_until(&texts.join(" and "), |screen| texts.iter().all(|text| screen.contains(text)))
    }

    /// Waits until the screen is as it should be, and gives it.
    ///
    /// # Panics
    /// When it never is.
    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < PATIENCE, "never showed {what}:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether the terminal is as a shell leaves it: its own screen, a cursor, no mouse, echo and lines.
    pub fn is_restored(&self) -> bool {
        let flags = "#{alternate_on} #{cursor_flag} #{mouse_any_flag}";
        if self.run(&["display-message", "-p", flags]).trim() != "0 1 0" {
            return false;
        }
        // What is typed must not look like what it prints.
        self.line("clear; stty -a | grep -c -e ' -echo ' -e '-icanon' | sed 's/^/un''set: /'");
        self.wait_for("unset: ").contains("unset: 0")
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}
