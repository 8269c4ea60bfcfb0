//! Running a helper for its answer: what it wrote to standard output and standard error, apart and to a cap.
//!
//! Not here: live output (`run`) and what an answer means. An answer that is cut would be a wrong answer, so standard
//! output beyond its cap is an error; standard error is for people, so its beginning is enough.

use std::ops::ControlFlow;

use super::ending::Ended;
use super::invocation::Invocation;
use super::spawn::{self, Stream};
use super::{not_interrupted, supervise};
use crate::diagnostics::{Code, Result};
use crate::os::signals::{self, Interrupts};

/// How much of a helper's answer is kept, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Standard output; more is an error.
    pub stdout: usize,
    /// Standard error; more is left out.
    pub stderr: usize,
}

impl Default for Limits {
    /// 16 MiB of answer, 64 KiB of complaint.
    fn default() -> Limits {
        Limits { stdout: 16 << 20, stderr: 64 << 10 }
    }
}

/// A helper's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended; a deadline and an interruption are among these, not errors.
    pub ended: Ended,
    /// Its standard output, whole.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
}

impl Output {
    /// Standard error as text without the blanks around it, for messages.
    pub fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.stderr).trim().to_owned()
    }
}

/// Runs a helper, feeds it `input` (nothing to read when none), and returns what it wrote.
///
/// # Errors
/// `RAPID1307` when it could not be started, `RAPID004` when this process was asked to end before that, `RAPID1525`
/// when its standard output exceeds its limit.
pub fn output(invocation: &Invocation, input: Option<&[u8]>, limits: Limits) -> Result<Output> {
    signals::watch()?;
    match invocation.tidies_up {
        true => output_watching(invocation, input, limits, &Interrupts::default),
        false => output_watching(invocation, input, limits, &signals::interrupts),
    }
}

pub(super) fn output_watching(
    invocation: &Invocation,
    input: Option<&[u8]>,
    limits: Limits,
    interrupts: &dyn Fn() -> Interrupts,
) -> Result<Output> {
    not_interrupted(interrupts())?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let running = spawn::apart(invocation, input.map(<[u8]>::to_vec))?;
    let told = supervise::supervise(running, invocation, interrupts, &mut |stream, chunk| match stream {
        Stream::Out => keep(&mut stdout, chunk, limits.stdout),
        Stream::Err => {
            let _ = keep(&mut stderr, chunk, limits.stderr);
            ControlFlow::Continue(())
        }
    })?;
    if told.refused {
        let limit = limits.stdout;
        return Err(Code::Rapid1525.because(format!("'{}' wrote more than {limit} bytes", invocation.shown())));
    }
    Ok(Output { ended: told.ended, stdout, stderr })
}

/// Appends what fits; `Break` when not all did.
fn keep(kept: &mut Vec<u8>, chunk: &[u8], limit: usize) -> ControlFlow<()> {
    let room = limit.saturating_sub(kept.len());
    match chunk.get(..room) {
        Some(part) if part.len() < chunk.len() => {
            kept.extend_from_slice(part);
            ControlFlow::Break(())
        }
        _ => {
            kept.extend_from_slice(chunk);
            ControlFlow::Continue(())
        }
    }
}
