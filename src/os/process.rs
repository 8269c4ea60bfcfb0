//! Running other programs: [`run`] for a command whose output is watched live, [`output()`] for a helper whose answer is
//! read.
//!
//! Not here: keeping, redacting or understanding output (`check/`), and which program to run. Both run under the same
//! supervision: an own process group that is ended as a whole, a deadline, an answer to Ctrl-C, and a bound on how long
//! a program left in the background can hold us.

mod attached;
mod background;
mod ending;
mod holders;
mod invocation;
mod marked;
mod output;
mod spawn;
mod supervise;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::diagnostics::{Code, Result};
use crate::os::signals::{self, Interrupts};

pub use attached::attached;
pub use background::{Background, background};
pub use ending::Ended;
pub use holders::holders;
pub use invocation::Invocation;
pub use marked::{born, end_marked, end_politely, leave_session, pause};
pub use output::{Limits, Output, output};

/// What is known of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// Whether a program that it left behind still held its output open when we stopped listening: what such a program
    /// printed later is not in the output.
    pub left_behind: bool,
}

/// Runs a command to its end and hands its output, standard output and error merged in the order they were written, to
/// `sink` as it comes. An empty piece says that nothing came for a moment.
///
/// The command gets its own process group, a standard input that ends, and exactly the environment of `invocation`. At its
/// deadline, or when this process is asked to end (Ctrl-C), or when it waits for input from the terminal, its group gets
/// SIGTERM, and after the grace SIGKILL; a second Ctrl-C shortens the grace.
///
/// # Errors
/// `RAPID1307` when it could not be started, `RAPID004` when this process was asked to end before that.
pub fn run(invocation: &Invocation, sink: &mut dyn FnMut(&[u8])) -> Result<Finished> {
    signals::watch()?;
    run_watching(invocation, sink, &signals::interrupts)
}

/// [`run`] with the source of interruptions as a parameter, so that a test needs no signal of its own.
fn run_watching(
    invocation: &Invocation,
    sink: &mut dyn FnMut(&[u8]),
    interrupts: &dyn Fn() -> Interrupts,
) -> Result<Finished> {
    not_interrupted(interrupts())?;
    let running = spawn::merged(invocation)?;
    let told = supervise::supervise(running, invocation, interrupts, &mut |_, chunk| {
        sink(chunk);
        ControlFlow::Continue(())
    })?;
    Ok(Finished { ended: told.ended, left_behind: told.left_behind })
}

/// Refuses to start anything in a process that is asked to end.
fn not_interrupted(seen: Interrupts) -> Result<()> {
    match seen.count {
        0 => Ok(()),
        _ => Err(Code::Rapid004.because(format!("interrupted by signal {} before it was started", seen.last))),
    }
}
