//! `arc3`: everything is in the library, see `agent::run`.

use std::process::ExitCode;

fn main() -> ExitCode {
    agent::run(std::env::args_os())
}
