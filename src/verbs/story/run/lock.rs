//! One orchestrator per repository: a lock that the kernel gives back when its holder dies, with a note of who holds it.

use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Fields, Value};
use crate::git::Repository;
use crate::os::{clock, files, process};
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::Duration;

const MOMENT: Duration = Duration::from_millis(10);

/// Who is at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// When it was started, in the system's ticks: a later process of the same number is another.
    pub birth: u64,
    /// Since when, in seconds since 1970.
    pub since: i64,
    /// The project.
    pub project: String,
    /// The file that it writes its progress to, if it does.
    pub log: Option<String>,
}

/// Held until dropped.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The kernel gives the lock back; a note that stays is one of a process that is gone.
        let _ = files::remove(&self.path.with_extension("json"));
    }
}

/// The directory of the orchestrator's own files.
pub fn directory(repository: &Repository) -> PathBuf {
    repository.shared_dir().join("story")
}

/// Takes the lock (RAPID1723 when somebody holds it).
pub fn take(repository: &Repository, project: &str, log: Option<&str>) -> Result<Lock> {
    take_in(directory(repository), project, log, &refused)
}

/// Takes a lock in a directory of its own; `refused` says what it is when somebody holds it.
pub fn take_in(
    directory: PathBuf,
    project: &str,
    log: Option<&str>,
    refused: &dyn Fn(Option<Holder>) -> crate::diagnostics::Diagnostic,
) -> Result<Lock> {
    files::create_dir_all(&directory)?;
    let path = directory.join("lock");
    let denied = |error: &dyn std::fmt::Display| {
        Code::Rapid002.because(format!("cannot lock '{}': {error}", path.display())).at(path.display().to_string())
    };
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(|error| denied(&error))?;
    // Somebody who only asks who holds it has it for a moment.
    let mut tries = 0;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::Error(error)) => return Err(denied(&error)),
            Err(TryLockError::WouldBlock) if tries < 10 => tries += 1,
            Err(TryLockError::WouldBlock) => return Err(refused(holder_in(&directory)?)),
        }
        process::pause(MOMENT);
    }
    let pid = std::process::id();
    let note = Value::object([
        ("schema_version", 1.into()),
        ("pid", pid.into()),
        ("birth", process::born(pid).unwrap_or_default().into()),
        ("since", clock::now_seconds().into()),
        ("project", project.into()),
    ])
    .with_some("log", log);
    files::write_atomically(&path.with_extension("json"), note.pretty().as_bytes())?;
    Ok(Lock { path, _file: file })
}

/// Who holds the lock; `None` when nobody does.
pub fn holder(repository: &Repository) -> Result<Option<Holder>> {
    holder_in(&directory(repository))
}

fn holder_in(directory: &std::path::Path) -> Result<Option<Holder>> {
    let path = directory.join("lock");
    let Ok(file) = File::options().write(true).open(&path) else { return Ok(None) };
    if file.try_lock().is_ok() {
        return Ok(None);
    }
    let note = path.with_extension("json");
    let Some(bytes) = files::read_if_there(&note, 1 << 20)? else { return Ok(Some(unknown())) };
    let read = || -> Result<Holder> {
        let code = Code::Rapid1725;
        let value = json::parse(&bytes).map_err(|fault| code.because(fault.to_string()))?;
        let mut fields = Fields::of(value, code, "the note beside the lock")?;
        fields.version()?;
        let holder = Holder {
            pid: u32::try_from(fields.number("pid", 1)?).unwrap_or(0),
            birth: fields.number("birth", 0)?.unsigned_abs(),
            since: fields.number("since", 0)?,
            project: fields.text("project")?,
            log: fields.optional_text("log")?,
        };
        fields.end().map(|()| holder)
    };
    Ok(Some(read().unwrap_or_else(|_| unknown())))
}

/// Somebody who has not said yet who it is.
fn unknown() -> Holder {
    Holder { pid: 0, birth: 0, since: 0, project: String::new(), log: None }
}

pub(super) fn refused(holder: Option<Holder>) -> crate::diagnostics::Diagnostic {
    let who = match holder.filter(|holder| holder.pid > 0) {
        Some(holder) => format!("process {} works the stories of '{}' already", holder.pid, holder.project),
        None => "another process works the stories of this repository already".to_owned(),
    };
    Code::Rapid1723.because(who).hint("follow it with 'git rapid story follow', end it with 'git rapid story kill'")
}
