//! The official toolkit, run by a Python that has it.
//!
//! `ARC3_TOOLKIT_PYTHON` names that Python; without it `.sdk/bin/python` of the repository is taken, where `.ci/run`
//! installs it. Where neither exists the tests that need it say so and pass, unless `ARC3_REQUIRE_TOOLKIT` is set.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// A Python with the official toolkit.
#[derive(Clone, Debug)]
pub struct Toolkit {
    python: PathBuf,
}

impl Toolkit {
    /// The toolkit, or `None` after a visible line that `test` is skipped.
    ///
    /// # Panics
    /// When it is not there although `ARC3_REQUIRE_TOOLKIT` asks for it.
    pub fn find(test: &str) -> Option<Toolkit> {
        let named = std::env::var_os("ARC3_TOOLKIT_PYTHON").map(PathBuf::from);
        let python = named.unwrap_or_else(|| crate::repository().join(".sdk/bin/python"));
        if has_toolkit(&python) {
            return Some(Toolkit { python });
        }
        let why = format!("SKIPPED {test}: {} has no official toolkit; .ci/run installs it", python.display());
        assert!(std::env::var_os("ARC3_REQUIRE_TOOLKIT").is_none(), "{why}");
        // Straight to the handle: the test runner would swallow what the print macros write.
        let _ = writeln!(std::io::stderr(), "{why}");
        None
    }

    /// A script of `tests/toolkit/`, ready for arguments.
    pub fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(crate::repository().join("tests/toolkit").join(name));
        for name in ["ARC_API_KEY", "ARC_BASE_URL", "OPERATION_MODE", "ENVIRONMENTS_DIR", "RECORDINGS_DIR"] {
            command.env_remove(name);
        }
        command
    }

    /// The official server over a folder of game packages.
    ///
    /// # Panics
    /// When it does not come up.
    pub fn serve(&self, games: &Path, competition: bool) -> OfficialServer {
        let mut command = self.script("serve.py");
        command.arg(games).stdout(Stdio::piped()).stderr(Stdio::null());
        if competition {
            command.arg("--competition");
        }
        let mut child = command.spawn().expect("the toolkit's server starts");
        let output = child.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(output).lines();
        let url = lines.find_map(|line| line.ok()?.strip_prefix("listening ").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        OfficialServer { child, url: url.expect("the toolkit's server listens") }
    }
}

fn has_toolkit(python: &Path) -> bool {
    let probe =
        Command::new(python).args(["-c", "import arc_agi"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// A running official server; dropping it stops it.
#[derive(Debug)]
pub struct OfficialServer {
    child: Child,
    url: String,
}

impl OfficialServer {
    /// Its base URL.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for OfficialServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
