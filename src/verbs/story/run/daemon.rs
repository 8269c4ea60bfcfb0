//! A run in the background: who is at work, what it says, and ending it.

use super::lock::{self, Holder};
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::os::clock::Stopwatch;
use crate::os::environment::Environment;
use crate::os::{files, process};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a run may take to end itself: its agent has a grace, and its entry is written.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a run in the background may take until it is at work.
const START: Duration = Duration::from_secs(30);
const TICK: Duration = Duration::from_millis(50);

/// What became of a start in the background.
pub enum Started {
    /// It is at work.
    AtWork(u32),
    /// It was over before we looked, with this exit status.
    Over(i32),
}

/// Starts a run in the background: this program again, with these arguments, in a session of its own (RAPID1727).
pub fn detach(repository: &Repository, environment: &Environment, arguments: &[String], log: &Path) -> Result<Started> {
    if let Some(holder) = lock::holder(repository)? {
        return Err(lock::refused(Some(holder)));
    }
    let program =
        Environment::program().ok_or_else(|| Code::Rapid1727.because("this program does not know its own path"))?;
    if let Some(parent) = log.parent() {
        files::create_dir_all(parent)?;
    }
    let invocation = process::Invocation::new(program, environment.clone()).arguments(arguments).sharing_terminal();
    let mut background = process::background(&invocation, log)?;
    let watch = Stopwatch::start();
    let said = || format!("read '{}'", log.display());
    while watch.elapsed() < START {
        if lock::holder(repository)?.is_some_and(|holder| holder.pid == background.pid()) {
            return Ok(Started::AtWork(background.pid()));
        }
        match background.over() {
            Some(code @ (0 | 2 | 3)) => return Ok(Started::Over(code)),
            Some(code) => {
                let why = format!("the run in the background ended with status {code} before it was at work");
                return Err(Code::Rapid1727.because(why).hint(said()));
            }
            None => drop(process::pause(TICK)),
        }
    }
    Err(Code::Rapid1727.because("the run in the background is not at work after 30 seconds").hint(said()))
}

/// Shows what the run at work says, from the beginning, until it is over, or somebody has seen enough, or `show` says that
/// nobody looks any more. It never ends the run; says whose it was.
pub fn follow(repository: &Repository, show: &mut dyn FnMut(&[u8]) -> bool) -> Result<Holder> {
    let holder = at_work(repository)?;
    let Some(log) = holder.log.clone().map(PathBuf::from) else {
        return Err(Code::Rapid1726
            .because(format!("process {} is at work and writes no log", holder.pid))
            .hint("start it with --log-file FILE or --detach to be able to follow it"));
    };
    crate::os::signals::watch()?;
    let mut file = None;
    loop {
        let over = process::born(holder.pid) != Some(holder.birth);
        if file.is_none() {
            file = File::open(&log).ok();
        }
        let mut new = Vec::new();
        if let Some(file) = &mut file {
            // A log that cannot be read any more says nothing more.
            let _ = file.read_to_end(&mut new);
        }
        if !show(&new) || over || !process::pause(TICK) {
            return Ok(holder);
        }
    }
}

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
