//! The `arc3` binary as a person runs it.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// The path of the binary, built once per test process with the profile the tests have.
///
/// Cargo hands the binary of a package only to that package's own tests, so this asks it to build: together with a test of
/// the workspace, as only then all members have the features that `cargo test --workspace` built them with, and none is
/// compiled again.
pub fn arc3_path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--locked", "--workspace", "--bin", "arc3", "--test", "boundaries"])
            .args(["--profile", profile])
            .current_dir(crate::repository())
            .status()
            .expect("cargo runs");
        assert!(status.success(), "arc3 does not build");
        let folder = if cfg!(debug_assertions) { "debug" } else { "release" };
        target_folder().join(folder).join("arc3")
    })
}

/// Where this test binary was built: `target/<profile>/deps/<test>`.
fn target_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    test.ancestors().nth(3).expect("tests are built in target/<profile>/deps").to_owned()
}

/// A run of `arc3` to be: a folder of its own, and an environment without keys and settings.
#[derive(Debug)]
pub struct Arc3 {
    folder: TempDir,
    command: Command,
}

/// What a finished run left.
#[derive(Debug)]
pub struct Run {
    /// The folder it ran in, removed when this is dropped.
    pub folder: TempDir,
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Its standard output: data.
    pub stdout: String,
    /// Its standard error: talk.
    pub stderr: String,
}

impl Arc3 {
    /// `arc3` with these arguments.
    pub fn new<Argument: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = Argument>) -> Arc3 {
        Arc3::within(tempfile::tempdir().expect("a temporary folder"), arguments)
    }

    /// `arc3` with these arguments, in the folder that another run left.
    pub fn within<Argument: AsRef<std::ffi::OsStr>>(
        folder: TempDir,
        arguments: impl IntoIterator<Item = Argument>,
    ) -> Arc3 {
        let mut command = Command::new(arc3_path());
        command.args(arguments).current_dir(folder.path()).stdin(Stdio::null());
        for name in ["ARC_API_KEY", "ARC_BASE_URL", "ARC3_LOG", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
            command.env_remove(name);
        }
        Arc3 { folder, command }
    }

    /// `arc3` with these arguments behind a shell's limits, such as `ulimit -f 100`.
    pub fn limited<'a>(limit: &str, arguments: impl IntoIterator<Item = &'a str>) -> Arc3 {
        let mut run = Arc3::new::<&str>([]);
        let (folder, program) = (run.folder.path().to_owned(), arc3_path().display().to_string());
        run.command = Command::new("bash");
        run.command.args(["-c", &format!("trap '' XFSZ; {limit}; exec \"$@\""), "bash", &program]).args(arguments);
        run.command.current_dir(folder).stdin(Stdio::null());
        run
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Arc3 {
        self.command.env(name, value);
        self
    }

    /// The folder it will run in, to put files there.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Run {
        let output = self.command.output().expect("arc3 starts");
        Run::new(self.folder, &output)
    }

    /// Starts it, for tests that disturb it on the way.
    pub fn start(mut self) -> Running {
        let child = self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("arc3 starts");
        Running { folder: self.folder, child }
    }
}

/// A run of `arc3` under way.
#[derive(Debug)]
pub struct Running {
    folder: TempDir,
    child: Child,
}

impl Running {
    /// The folder it runs in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Waits until something holds of its folder.
    ///
    /// # Panics
    /// When it does not within a minute.
    pub fn wait_until(&self, what: &str, holds: impl Fn(&Path) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while !holds(self.folder()) {
            assert!(Instant::now() < deadline, "waited a minute until {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends it a signal by name, such as `INT`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "the signal {name} is sent");
    }

    /// Its first line on standard output.
    pub fn first_line(&mut self) -> String {
        let output = self.child.stdout.as_mut().expect("standard output is piped");
        let mut line = Vec::new();
        let mut byte = [0];
        while output.read(&mut byte).expect("standard output can be read") == 1 && byte != *b"\n" {
            line.extend(byte);
        }
        String::from_utf8(line).expect("arc3 prints UTF-8")
    }

    /// Waits for its end.
    pub fn finish(self) -> Run {
        let output = self.child.wait_with_output().expect("arc3 ends");
        Run::new(self.folder, &output)
    }
}

impl Run {
    fn new(folder: TempDir, output: &Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run { folder, code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// The run itself, if it ended with this code.
    ///
    /// # Panics
    /// When it did not; the message holds all it printed.
    #[must_use]
    pub fn expect_code(self, code: i32) -> Run {
        let Run { stdout, stderr, .. } = &self;
        assert_eq!(self.code, Some(code), "\n-- stdout\n{stdout}\n-- stderr\n{stderr}");
        self
    }

    /// Its standard output as JSON.
    ///
    /// # Panics
    /// When it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n-- stdout\n{}", self.stdout))
    }
}
