//! Refs through the git executable, for stores that gix does not know (reftable).

use super::{RefEdit, RefUpdate, symbolic};
use crate::diagnostics::{Code, Result};
use crate::git::{Oid, Repository};

pub(super) fn read(repository: &Repository, name: &str) -> Result<Option<Oid>> {
    let link = repository.git().arguments(["symbolic-ref", "--quiet", "--no-recurse", name]).try_run()?;
    if link.code == 0 {
        return Err(symbolic(name, link.text().trim()));
    }
    let found = repository.git().arguments(["rev-parse", "--verify", "--quiet", "--end-of-options", name]).try_run()?;
    match found.code {
        0 => Oid::from_hex(found.text().trim()).map(Some),
        _ => Ok(None),
    }
}

pub(super) fn below(repository: &Repository, prefix: &str) -> Result<Vec<(String, Oid)>> {
    let list = repository.git().arguments(["for-each-ref", "--format=%(objectname) %(refname)", prefix]).run()?;
    let text = list.text();
    let lines = text.lines().map(|line| {
        let (id, name) =
            line.split_once(' ').ok_or_else(|| Code::Rapid1503.because("git printed an odd list of refs"))?;
        Ok((name.to_owned(), Oid::from_hex(id)?))
    });
    lines.collect()
}

pub(super) fn update(
    repository: &Repository,
    edits: &[RefEdit],
    why: &str,
    step: &dyn Fn(&'static str),
) -> Result<RefUpdate> {
    let mut script = String::from("start\n");
    let null = Oid::null(repository.format());
    for edit in edits {
        let old = edit.old.unwrap_or(null);
        script.push_str(&format!("option no-deref\nupdate {} {} {old}\n", edit.name, edit.new));
    }
    script.push_str("prepare\ncommit\n");
    step("refs-locked");
    step("refs-flushed");
    let git = repository.git().arguments(["-c", "core.fsync=reference", "-c", "core.logAllRefUpdates=always"]);
    let done =
        git.arguments(["update-ref", "--create-reflog", "-m", why, "--stdin"]).input(script.as_bytes()).try_run()?;
    step("refs-moved");
    if done.code == 0 {
        return Ok(RefUpdate::Moved);
    }
    for edit in edits {
        if read(repository, &edit.name)? != edit.old {
            return Ok(RefUpdate::Lost);
        }
    }
    Err(Code::Rapid1504.because(format!("git could not move the refs: {}", done.complaint())))
}
