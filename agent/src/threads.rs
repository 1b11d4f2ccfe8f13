//! The threads of candle, which are turned off.
//!
//! Our kernels share their work by rayon. candle has threads of its own for what is left, which wait for each other in
//! busy loops, and without `RAYON_NUM_THREADS` it counts the processors anew for every matrix product by reading
//! `/proc/cpuinfo`. Both are settled by the environment alone. (candle 0.11.1, `utils.rs`; measured: a third of the
//! processor time of `tiny.toml`, more where other programs run.)

use std::{env, process::Command, thread};

/// How many threads candle starts.
const CANDLE: &str = "CANDLE_NUM_THREADS";

/// How many threads rayon starts, and candle believes there are.
const RAYON: &str = "RAYON_NUM_THREADS";

/// Starts the program anew, in its own place, with candle's threads off; whoever sets these variables is obeyed.
///
/// Returns where that is not possible, or done.
pub fn settle() {
    if env::var_os(CANDLE).is_some() {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let threads = thread::available_parallelism().map_or(1, usize::from).to_string();
    let threads = env::var(RAYON).unwrap_or(threads);
    become_it(Command::new(program).args(env::args_os().skip(1)).env(CANDLE, "1").env(RAYON, threads));
}

/// The process goes on as this program, with its own number and streams.
#[cfg(unix)]
fn become_it(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    tracing::warn!("cannot turn candle's threads off: {}", command.exec());
}

/// Elsewhere a process cannot become another program.
#[cfg(not(unix))]
fn become_it(_: &mut Command) {}
