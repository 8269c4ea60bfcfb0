//! Starting a program that outlives us: nothing to read, its output into a file, no group of ours.
//!
//! Not here: leaving our session, which the program does by itself, and knowing it again.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Stdio};

use super::invocation::Invocation;
use super::spawn;
use crate::diagnostics::{Code, Result};

/// A program in the background.
#[derive(Debug)]
pub struct Background {
    child: Child,
}

/// Starts it; what it prints goes to the end of this file.
///
/// # Errors
/// `RAPID1307` when it could not be started, `RAPID002` when the file can't be written.
pub fn background(invocation: &Invocation, output: &Path) -> Result<Background> {
    let shown = output.display();
    let file = File::options().create(true).append(true).open(output);
    let file = file.and_then(|file| Ok((file.try_clone()?, file)));
    let (out, err) = file.map_err(|error| Code::Rapid002.because(format!("cannot write '{shown}': {error}")))?;
    let mut command = spawn::command(invocation);
    let started = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn();
    let child = started.map_err(|error| {
        Code::Rapid1307.because(format!("'{}' cannot be started: {error}", invocation.program().to_string_lossy()))
    })?;
    Ok(Background { child })
}

impl Background {
    /// Its number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it is over, and its exit status; 255 when a signal ended it.
    pub fn over(&mut self) -> Option<i32> {
        let status = self.child.try_wait().ok().flatten()?;
        Some(status.code().unwrap_or(255))
    }
}
