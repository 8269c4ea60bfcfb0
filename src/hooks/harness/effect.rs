//! What came of a tool call: what is protected is looked at before and after, whatever the tool was.
//!
//! One state is remembered for a working copy and compared at every firing, so that what a call left running in the
//! background is seen at the next one. Not here: refusing (`guard`). A finding is said to the agent at once and kept for the
//! person who approves.

use super::beat;
use super::catalogue::{Event, Harness};
use super::guard::ground::{HOME_SETTINGS, guarded};
use super::memory::{Finding, Memory, Protected, add, agrees, findings, has_findings, keep, recall};
use crate::diagnostics::Result;
use crate::domain::digest::Digest;
use crate::domain::evidence::Kind;
use crate::domain::text::Producer;
use crate::git::{Oid, Repository};
use crate::os::{clock, files};
use crate::verbs::rapid::Rapid;
use std::collections::BTreeSet;
use std::path::Path;

/// How the count of decisions in a run is named.
const DECISIONS: &str = "decisions of run ";

/// The most files below `.rapid/` and git's `hooks` that are looked at.
const FILES: usize = 2000;

/// How findings about our own notes are named.
const OWN_MEMORY: &str = "what the guard had remembered";
const OWN_FINDINGS: &str = "what the guard had found";

/// Remembers how things stand, when nothing was remembered yet.
pub fn remember(rapid: &Rapid) -> Result<()> {
    match recall(rapid.repository()) {
        Some(_) => Ok(()),
        None if was_at_work(rapid.repository()) => Ok(()),
        None => keep(rapid.repository(), &Memory { now: look(rapid, None)?, ..Memory::default() }),
    }
}

/// Whether there was something to remember: a tool ran under a guard, or something was found.
fn was_at_work(repository: &Repository) -> bool {
    let ran = |harness: Harness| {
        beat::beats(repository, harness).iter().any(|beat| beat.event == Event::PostTool && beat.at.is_some())
    };
    Harness::ALL.into_iter().any(ran) || has_findings(repository)
}

/// What is amiss now, for whoever is about to decide: our own notes, and what changed since they were written.
pub fn doubts(rapid: &Rapid) -> Result<Vec<String>> {
    let repository = rapid.repository();
    let Some(before) = recall(repository) else {
        let gone = was_at_work(repository).then(|| format!("{OWN_MEMORY} is gone"));
        return Ok(gone.into_iter().collect());
    };
    let now = look(rapid, Some(&before.now))?;
    let mut said = Vec::new();
    if !agrees(repository, &before) {
        said.push(format!("{OWN_FINDINGS} was altered"));
    }
    let changed = changes(rapid, &before.now, &now, &mut before.was.clone(), false)?;
    said.extend((!changed.is_empty()).then(|| format!("changed since the guard last looked: {}", changed.join(", "))));
    Ok(said)
}

/// Compares with what is remembered, and remembers how things stand now. `tool` is the tool that just ran; none before a call.
pub fn compare(rapid: &Rapid, harness: Harness, tool: Option<&str>) -> Result<Option<Finding>> {
    let repository = rapid.repository();
    let before = recall(repository);
    let now = look(rapid, before.as_ref().map(|before| &before.now))?;
    if before.as_ref().is_some_and(|before| before.now == now && agrees(repository, before)) {
        return Ok(None);
    }
    let found = findings(repository);
    let (what, was) = match before {
        Some(before) => {
            let as_written = agrees(repository, &before);
            let mut was = before.was;
            let mut what = changes(rapid, &before.now, &now, &mut was, tool.is_some())?;
            what.extend((!as_written).then(|| OWN_FINDINGS.to_owned()));
            (what, was)
        }
        // It was remembered before the call, or before an earlier one, and is gone.
        None if tool.is_some() || was_at_work(repository) => (vec![OWN_MEMORY.to_owned()], Protected::new()),
        None => Default::default(),
    };
    if what.is_empty() {
        keep(repository, &Memory { now, was, findings: found })?;
        return Ok(None);
    }
    let new = Finding {
        at: clock::now_seconds(),
        harness: harness.as_str().to_owned(),
        tool: tool.unwrap_or_default().to_owned(),
        what,
    };
    let findings = add(repository, found, &new)?;
    keep(repository, &Memory { now, was, findings })?;
    Ok(Some(new))
}

/// What differs. Moves of the ledger that only add are the tool's own; a decision of a person inside a tool call is none.
fn changes(
    rapid: &Rapid,
    before: &Protected,
    now: &Protected,
    was: &mut Protected,
    during: bool,
) -> Result<Vec<String>> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let mut what = Vec::new();
    for name in names {
        let (old, new) = (before.get(name), now.get(name));
        if old == new {
            continue;
        }
        if was.get(name) == Some(&new.cloned().unwrap_or_default()) {
            was.remove(name);
            continue;
        }
        let said = match name.strip_prefix("ref ") {
            Some(_) if only_grew(rapid, old, new)? => continue,
            Some(reference) => format!("{reference} (rewound, rewritten or deleted)"),
            None if name.starts_with(DECISIONS) => {
                if during && new.is_some() && old.is_some() {
                    what.push(format!("{name} (a person's decision was recorded while the tool ran)"));
                }
                continue;
            }
            None => name.clone(),
        };
        was.entry(name.clone()).or_insert_with(|| old.cloned().unwrap_or_default());
        what.push(said);
    }
    Ok(what)
}

fn only_grew(rapid: &Rapid, old: Option<&String>, new: Option<&String>) -> Result<bool> {
    match (old, new) {
        (None, _) => Ok(true),
        (Some(_), None) => Ok(false),
        (Some(old), Some(new)) => {
            let (old, new) = (Oid::from_hex(old)?, Oid::from_hex(new)?);
            Ok(rapid.registry().ledger().is_ancestor(old, new).unwrap_or(false))
        }
    }
}

/// How things stand. Decisions lie in the ledger: where that did not move, they are those of `before`.
fn look(rapid: &Rapid, before: Option<&Protected>) -> Result<Protected> {
    let repository = rapid.repository();
    let mut seen = Protected::new();
    if let Some(top) = repository.workdir() {
        let rules = top.join(".rapid");
        if rules.is_symlink() {
            seen.insert(".rapid".to_owned(), "a symbolic link".to_owned());
        }
        files_below(&mut seen, &rules, ".rapid")?;
        for harness in guarded(top) {
            for path in harness.settings() {
                file(&mut seen, &top.join(path), path);
            }
        }
    }
    if let Some(home) = repository.environment().path("HOME") {
        // Harnesses keep notes of their own in the others.
        for name in HOME_SETTINGS.iter().filter(|name| name.ends_with("settings.json")) {
            file(&mut seen, &home.join(name), &format!("~/{name}"));
        }
    }
    let common = repository.common_dir();
    file(&mut seen, &common.join("config"), "git's config");
    file(&mut seen, &repository.git_dir().join("config.worktree"), "git's config.worktree");
    files_below(&mut seen, &common.join("hooks"), "git's hooks")?;
    for (name, tip) in repository.refs_below("refs/rapid/")? {
        seen.insert(format!("ref {name}"), tip.to_string());
    }
    let ledger = format!("ref {}", crate::ledger::LEDGER_REF);
    match before.filter(|before| before.get(&ledger) == seen.get(&ledger)) {
        Some(before) => {
            let same = before.iter().filter(|(name, _)| name.starts_with(DECISIONS));
            seen.extend(same.map(|(name, count)| (name.clone(), count.clone())));
        }
        None => decisions(rapid, &mut seen),
    }
    Ok(seen)
}

fn files_below(seen: &mut Protected, directory: &Path, called: &str) -> Result<()> {
    for path in files::below(directory, "", FILES, 8)?.unwrap_or_default() {
        let name = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
        // Samples are git's and run by nobody.
        if !name.ends_with(".sample") {
            file(seen, &path, &format!("{called}/{name}"));
        }
    }
    Ok(())
}

fn file(seen: &mut Protected, path: &Path, name: &str) {
    let read = files::read_if_there(path, 16 << 20);
    let digest = match read {
        Ok(None) => return,
        Ok(Some(bytes)) => Digest::of(&what_counts(name, bytes)).to_string(),
        Err(_) => "cannot be read".to_owned(),
    };
    seen.insert(name.to_owned(), digest);
}

/// The part of a file that matters: harnesses and git write notes of their own into some.
fn what_counts(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if name.ends_with("settings.json") || name.ends_with("settings.local.json") {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return bytes };
        let part = |key: &str| value.get(key).map(ToString::to_string).unwrap_or_default();
        return ["hooks", "disableAllHooks", "hooksConfig", "env"].map(part).join("\n").into_bytes();
    }
    if name == "git's config" {
        // A branch that gets an upstream is everyday work.
        let text = String::from_utf8_lossy(&bytes);
        let mut keep = true;
        let lines = text.lines().filter(|line| {
            if line.trim_start().starts_with('[') {
                keep = !line.trim_start().starts_with("[branch ");
            }
            keep
        });
        return lines.collect::<Vec<_>>().join("\n").into_bytes();
    }
    bytes
}

/// How often a person decided in the active run.
fn decisions(rapid: &Rapid, seen: &mut Protected) {
    let Ok(Some(session)) = rapid.session() else { return };
    let Ok((_, run)) = rapid.run(Some(&session.active_run_id)) else { return };
    let of_person =
        run.evidence.iter().filter(|item| item.producer == Producer::User && item.payload.kind() == Kind::Review);
    seen.insert(format!("{DECISIONS}{}", run.id()), of_person.count().to_string());
}
