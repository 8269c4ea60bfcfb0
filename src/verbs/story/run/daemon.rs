//! A run in the background: who is at work, what it says, and ending it.

use super::lock::{self, Holder};
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::os::process;
use std::time::Duration;

/// How long a run may take to end itself: its agent has a grace, and its entry is written.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who is at work (RAPID1726 when nobody is).
pub fn at_work(repository: &Repository) -> Result<Holder> {
    lock::holder(repository)?.ok_or_else(|| {
        Code::Rapid1726
            .because("no run of the stories is at work in this repository")
            .hint("start one with 'git rapid story run', or 'git rapid story run --detach'")
    })
}

/// Asks the run to end and waits until it has: its agent's group is gone, its entry written.
pub fn kill(repository: &Repository) -> Result<Holder> {
    let holder = at_work(repository)?;
    let gone = holder.pid > 0 && process::end_politely(holder.pid, holder.birth, PATIENCE);
    match gone {
        true => Ok(holder),
        false => Err(Code::Rapid1723
            .because(format!("process {} was asked to end and is still at work", holder.pid))
            .hint("it puts back what its agent did; ask again, or end it with 'kill -9': the next start cleans up")),
    }
}
