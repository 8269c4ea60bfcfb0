//! Running a program in our own place: with our terminal and streams, in our process group, as a shell would.
//!
//! Not here: anything watched or kept. Ctrl-C reaches the program and us alike, so we only wait.

use super::ending::Ended;
use super::invocation::Invocation;
use super::spawn;
use crate::diagnostics::Result;
use crate::os::signals;
use std::process::Stdio;

/// Runs a program with our standard streams and waits for its end.
///
/// # Errors
/// `RAPID1307` when it could not be started.
pub fn attached(invocation: &Invocation) -> Result<Ended> {
    signals::watch()?;
    let mut command = spawn::command(invocation);
    command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let status = command.status().map_err(|error| spawn::not_started(invocation, &error))?;
    match signals::interrupted() {
        Some(signal) if !status.success() => Ok(Ended::Interrupted(signal)),
        _ => Ok(Ended::by_itself(status)),
    }
}
