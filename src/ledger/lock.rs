//! The lock around an append: keeps the writers of one machine from starving each other. The truth is the compare-and-swap
//! of the refs; the kernel gives the lock back when its holder dies.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::Repository;
use crate::os::{clock::Stopwatch, files, signals};
use std::fs::{File, TryLockError};
use std::time::Duration;

/// How long another writer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often the lock is asked for again.
const TICK: Duration = Duration::from_millis(2);

/// Held until dropped.
pub(super) struct Lock(#[expect(dead_code, reason = "the lock lives as long as the open file")] File);

/// Takes the lock, waiting for whoever holds it. RAPID1504 when the repository cannot be written.
pub(super) fn take(repository: &Repository) -> Result<Lock> {
    let directory = repository.shared_dir();
    let path = directory.join("ledger.lock");
    let denied = |error: &dyn std::fmt::Display| {
        Code::Rapid1504
            .because(format!("the ledger cannot be locked at '{}': {error}", path.display()))
            .at(path.display().to_string())
            .hint("check that the repository's git directory can be written to")
    };
    files::create_dir_all(&directory).map_err(|error: Diagnostic| denied(&error.message))?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(|error| denied(&error))?;
    let watch = Stopwatch::start();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock(file)),
            Err(TryLockError::Error(error)) => return Err(denied(&error)),
            Err(TryLockError::WouldBlock) => {}
        }
        if let Some(signal) = signals::interrupted() {
            return Err(Code::Rapid004.because(format!(
                "interrupted by signal {signal} while waiting for the ledger: nothing was recorded"
            )));
        }
        if watch.elapsed() > PATIENCE {
            return Err(Code::Rapid1512
                .because(format!("another process has held '{}' for {} seconds", path.display(), PATIENCE.as_secs()))
                .at(path.display().to_string())
                .hint("wait for it, or end it; the lock goes with the process that holds it"));
        }
        std::thread::sleep(TICK);
    }
}
