//! `arc3`: everything is in the library, see `agent::run`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Nets come and go with large tensors, and the system's allocator gives each back at once: its pages are then cleared
/// again and again. (Measured: a training step takes a third longer with it.)
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    agent::run(std::env::args_os())
}
