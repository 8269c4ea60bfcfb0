//! Refs in loose files and `packed-refs`, in process.
//!
//! gix flushes nothing: the locks are flushed between taking them and moving the refs, and the directory after that.

use super::{RefEdit, RefUpdate, symbolic};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Identity, Oid, Repository, objects};
use gix::refs::{
    Target,
    transaction::{Change, LogChange, PreviousValue, RefLog},
};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) fn read(repository: &Repository, name: &str) -> Result<Option<Oid>> {
    let found = repository.gix.refs.try_find(name).map_err(|error| broken(repository, name, &error))?;
    match found.map(|found| found.target) {
        None => Ok(None),
        Some(Target::Object(id)) => Ok(Some(Oid(id))),
        Some(Target::Symbolic(target)) => Err(symbolic(name, &target.to_string())),
    }
}

pub(super) fn below(repository: &Repository, prefix: &str) -> Result<Vec<(String, Oid)>> {
    let failed = |error: &dyn std::fmt::Display| {
        Code::Rapid1505.because(format!("the refs below '{prefix}' cannot be read: {error}"))
    };
    let platform = repository.gix.references().map_err(|error| failed(&error))?;
    let mut out = Vec::new();
    for found in platform.prefixed(prefix).map_err(|error| failed(&error))? {
        let found = found.map_err(|error| failed(&error))?;
        if let Target::Object(id) = found.inner.target {
            out.push((found.inner.name.as_bstr().to_string(), Oid(id)));
        }
    }
    out.sort();
    Ok(out)
}

pub(super) fn update(
    repository: &Repository,
    edits: &[RefEdit],
    why: &str,
    who: &Identity,
    seconds: i64,
    step: &dyn Fn(&'static str),
) -> Result<RefUpdate> {
    let time = format!("{seconds} +0000");
    let signature =
        gix::actor::SignatureRef { name: who.name.as_str().into(), email: who.email.as_str().into(), time: &time };
    let mut moves = Vec::new();
    for edit in edits {
        moves.push(gix::refs::transaction::RefEdit {
            change: Change::Update {
                log: LogChange { mode: RefLog::AndReference, force_create_reflog: true, message: why.into() },
                expected: match edit.old {
                    Some(old) => PreviousValue::MustExistAndMatch(Target::Object(old.0)),
                    None => PreviousValue::MustNotExist,
                },
                new: Target::Object(edit.new.0),
            },
            name: edit
                .name
                .as_str()
                .try_into()
                .map_err(|_| Code::Rapid003.because(format!("'{}' is not a ref name", edit.name)))?,
            deref: false,
        });
    }
    let patience = gix::lock::acquire::Fail::AfterDurationWithBackoff(Duration::from_secs(2));
    let prepared = repository.gix.refs.transaction().prepare(moves, patience, patience);
    let transaction = match prepared {
        Ok(transaction) => transaction,
        Err(error) if error.is_conflict() => return Ok(RefUpdate::Lost),
        Err(error) => return Err(not_moved(repository, edits, &error)),
    };
    step("refs-locked");
    for edit in edits {
        let lock = lock_of(&path_of(repository, &edit.name));
        if lock.exists() {
            objects::flush(&lock)?;
        }
    }
    step("refs-flushed");
    transaction.commit(signature).map_err(|error| not_moved(repository, edits, &error))?;
    step("refs-moved");
    let mut directories: Vec<PathBuf> =
        edits.iter().filter_map(|edit| path_of(repository, &edit.name).parent().map(Path::to_owned)).collect();
    directories.dedup();
    directories.iter().try_for_each(|directory| objects::flush(directory))?;
    Ok(RefUpdate::Moved)
}

fn path_of(repository: &Repository, name: &str) -> PathBuf {
    repository.common_dir().join(name)
}

fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

fn not_moved(repository: &Repository, edits: &[RefEdit], error: &gix::Error) -> Diagnostic {
    let mut locks: Vec<PathBuf> = edits.iter().map(|edit| lock_of(&path_of(repository, &edit.name))).collect();
    locks.push(repository.common_dir().join("packed-refs.lock"));
    if error.is_retryable() || error.to_string().contains("lock") {
        for lock in locks {
            let age = std::fs::symlink_metadata(&lock)
                .and_then(|data| data.modified())
                .ok()
                .and_then(|time| time.elapsed().ok());
            if let Some(age) = age {
                let age = age.as_secs();
                return Code::Rapid1512
                    .because(format!("'{}' has been held for {age} seconds by another process", lock.display()))
                    .at(lock.display().to_string())
                    .hint("wait for the process that holds it; if it has died: git rapid doctor --repair, which removes old locks");
            }
        }
    }
    let names: Vec<&str> = edits.iter().map(|edit| edit.name.as_str()).collect();
    Code::Rapid1504
        .because(format!("{} cannot be moved: {}", names.join(" and "), chain(error)))
        .hint("check that the repository can be written to and that the disk has room")
}

fn broken(repository: &Repository, name: &str, error: &dyn std::error::Error) -> Diagnostic {
    let broken =
        Code::Rapid1511
            .because(format!("'{name}' cannot be read: {}", chain(error)))
            .at(path_of(repository, name).display().to_string());
    let broken = match repository.is_ref_empty(name) {
        true => broken.hint("its file holds nothing, as after a power cut: git rapid doctor --repair"),
        false => broken,
    };
    broken.hint(format!(
        "see where it pointed with 'git reflog {name}', and put that back with 'git update-ref {name} <id>'"
    ))
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    text.replace('\n', "; ")
}
