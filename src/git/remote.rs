//! Talking to remotes, through the git executable: it has the user's transports, credentials and hooks.

use super::{Oid, Repository, executable::Git};
use crate::diagnostics::{Code, Diagnostic, Result};
use std::time::Duration;

/// How often a fetch that meets another one is tried again.
const LOCKED: usize = 20;

/// A ref that a remote shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteRef {
    /// Its full name there.
    pub name: String,
    /// Where it points.
    pub id: Oid,
}

/// How a push ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// The remote took everything.
    Accepted,
    /// Somebody else was first: the remote's ref is not an ancestor of ours.
    NotFastForward,
    /// The remote said no, with these words.
    Refused(String),
    /// The remote cannot take several refs at once; nothing was sent.
    NotAtomic,
}

impl Repository {
    /// Whether git takes this as the full name of a ref.
    pub fn is_ref_name(&self, name: &str) -> Result<bool> {
        let known = name.starts_with("refs/") && !name.contains(['*', ':', '+']);
        Ok(known && self.git().arguments(["check-ref-format", name]).try_run()?.code == 0)
    }

    /// The refs of these names that a remote shows.
    pub fn remote_refs(&self, remote: &str, names: &[&str]) -> Result<Vec<RemoteRef>> {
        let list = self.git().arguments(["ls-remote", "--quiet", "--", remote]).arguments(names).try_run()?;
        if list.code != 0 {
            return Err(unreachable(remote, &list.complaint()));
        }
        let mut out = Vec::new();
        for line in list.text().lines() {
            if let Some((id, name)) = line.split_once('\t')
                && names.contains(&name)
            {
                out.push(RemoteRef { name: name.to_owned(), id: Oid::from_hex(id)? });
            }
        }
        Ok(out)
    }

    /// The URLs that a push to this remote goes to, where they are not the one that it is fetched from.
    pub fn push_urls(&self, remote: &str) -> Result<Vec<String>> {
        if !self.remote_names().iter().any(|name| name == remote) {
            return Ok(Vec::new());
        }
        let urls = |kind: &[&str]| -> Result<Vec<String>> {
            let list =
                self.git().arguments(["remote", "get-url"]).arguments(kind).arguments(["--", remote]).try_run()?;
            Ok(list.text().lines().map(str::to_owned).collect())
        };
        let (pushed, fetched) = (urls(&["--push", "--all"])?, urls(&[])?);
        Ok(if pushed == fetched { Vec::new() } else { pushed })
    }

    /// Brings refs of a remote into this repository by these refspecs; never tags, never maintenance, never depth.
    pub fn fetch(&self, remote: &str, refspecs: &[String]) -> Result<()> {
        let fetch = || {
            // What arrives is on the disk before a ref of ours names it; by itself git flushes no loose object.
            let git = self.git().arguments(["-c", "core.fsync=objects", "fetch", "--quiet", "--no-tags"]);
            let git = git.arguments(["--no-auto-maintenance", "--no-write-fetch-head", "--no-recurse-submodules"]);
            git.arguments(["--refmap=", "--", remote]).arguments(refspecs).try_run()
        };
        let mut done = fetch()?;
        for _ in 0..LOCKED {
            // Another fetch of this repository is moving the same tracker.
            if done.code == 0 || !done.complaint().contains("cannot lock ref") {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
            done = fetch()?;
        }
        match done.code {
            0 => Ok(()),
            _ => Err(unreachable(remote, &done.complaint())),
        }
    }

    /// Sends refs to a remote by these refspecs, all or none, running no hook of this repository; never forced, but for a ref
    /// that may be `replaced` there while it still points where it did.
    pub fn push(
        &self,
        remote: &str,
        refspecs: &[String],
        replaced: Option<(&str, Oid)>,
        atomic: bool,
    ) -> Result<Pushed> {
        let git =
            self.git().arguments(["push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no"]);
        let git = if atomic { git.argument("--atomic") } else { git };
        let lease = replaced.map(|(name, old)| format!("--force-with-lease={name}:{old}"));
        let git = lease.into_iter().fold(git, Git::argument);
        let done = git.arguments(["--", remote]).arguments(refspecs).try_run()?;
        if done.code == 0 {
            return Ok(Pushed::Accepted);
        }
        let text = done.text().into_owned();
        if atomic && done.complaint().contains("does not support --atomic") {
            return Ok(Pushed::NotAtomic);
        }
        let rejected: Vec<&str> = text.lines().filter(|line| line.starts_with('!')).collect();
        if rejected.is_empty() {
            return Err(unreachable(remote, &done.complaint()));
        }
        let race = |line: &&&str| {
            [
                "non-fast-forward",
                "fetch first",
                "stale info",
                "failed to update ref",
                "cannot lock ref",
                "incorrect old value",
            ]
            .iter()
            .any(|word| line.contains(word))
                // A server that takes nothing but fast-forwards says it in the words of a race.
                && !(line.contains("[remote rejected]") && line.contains("non-fast-forward"))
        };
        match rejected.iter().any(|line| race(&line)) {
            true => Ok(Pushed::NotFastForward),
            false => {
                let why = rejected.iter().filter_map(|line| line.rsplit('\t').next()).collect::<Vec<_>>().join("; ");
                let more = done.complaint();
                Ok(Pushed::Refused(if more.is_empty() { why } else { format!("{why}: {more}") }))
            }
        }
    }
}

pub(super) fn unreachable(remote: &str, why: &str) -> Diagnostic {
    Code::Rapid1531
        .because(format!("the remote '{}' does not answer: {why}", remote.escape_debug()))
        .hint("see 'git remote -v' for the remotes of this repository")
}
