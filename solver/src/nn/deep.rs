//! Room for recursion.

use std::{io, panic, thread};

/// Bytes of stack of threads that train: candle walks its graph by recursion, and a looped net makes deep graphs.
pub(crate) const STACK_SIZE: usize = 64 << 20;

/// Runs some work on a thread that can recurse deeply. An error means that there was no thread to be had.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("deep".to_owned()).stack_size(STACK_SIZE);
        let worker = builder.spawn_scoped(scope, work)?;
        Ok(worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}
