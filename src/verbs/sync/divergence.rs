//! Subjects that went on in two clones: what tells them, what is kept of both sides, and how a person's choice is read.

use super::place::{self, Place};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{ids::RunId, near::with_near};
use crate::git::{Oid, Repository};
use crate::ledger::{DIVERGED, Divergence, EXPUNGED, Joining, Ledger, Merged, Side, View, subject_of};
use crate::registry::{self, Scope};
use crate::verbs::rapid::Rapid;
use std::collections::{BTreeMap, BTreeSet};

/// How many subjects with decisions are named; nobody reads the next.
const MOST_REMARKS: usize = 1000;

/// A choice: which side of a subject stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// The side.
    pub side: Side,
    /// The id of a run or spec, or the path of its directory in the ledger.
    pub subject: String,
}

/// Joins a verified tip, with a person's choices where a subject diverged.
pub(super) fn merge(ledger: &Ledger<'_>, place: &Place, theirs: Oid, takes: &[Take]) -> Result<Merged> {
    let repository = ledger.repository();
    let broken = |ours, theirs, joined| broken(repository, ours, theirs, joined);
    let join = |chosen: &BTreeMap<String, Side>| ledger.merge(theirs, &Joining { chosen, broken: &broken });
    let mut merged = join(&BTreeMap::new())?;
    if let Merged::Diverged(divergence) = &merged
        && !takes.is_empty()
    {
        let chosen = chosen(ledger, theirs, divergence, takes)?;
        merged = join(&chosen)?;
    }
    match &merged {
        Merged::Diverged(divergence) => {
            let kept = place.kept(theirs);
            place::point(repository, &kept, theirs, "rapid: keep what diverged")?;
            Err(refusal(place, &kept, divergence))
        }
        Merged::Decided(_) => Ok(merged),
        _ => match takes.first() {
            None => Ok(merged),
            Some(take) => Err(nothing_to_decide(&take.subject, "it has not diverged")),
        },
    }
}

/// Forgets tips that were kept because they could not be joined, as soon as they are.
pub(super) fn forget_joined(ledger: &Ledger<'_>, place: &Place) -> Result<()> {
    let repository = ledger.repository();
    let Some(tip) = ledger.tip()? else { return Ok(()) };
    for (name, kept) in repository.refs_below(&place.kept_below())? {
        if ledger.is_ancestor(kept, tip)? {
            repository.remove_ref(&name, kept)?;
        }
    }
    Ok(())
}

/// The runs and specs that went on here and on a remote, as a sync that was refused found them, and that nobody decided about
/// since: their directories in the ledger.
pub fn undecided(rapid: &Rapid, remote: &str) -> Result<Vec<String>> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let ledger = registry.ledger();
    let Some(ours) = ledger.tip()? else { return Ok(Vec::new()) };
    let mut out = BTreeSet::new();
    for (_, kept) in repository.refs_below(&place::kept_of(remote))? {
        if ledger.is_ancestor(kept, ours)? {
            continue;
        }
        let Some(base) = repository.merge_bases(ours, kept)?.first().copied() else { continue };
        let since = |tip| -> Result<BTreeSet<String>> {
            Ok(differing(repository, base, tip)?.iter().map(|path| subject_of(path)).collect())
        };
        out.extend(since(ours)?.intersection(&since(kept)?).cloned());
    }
    out.retain(|subject| !subject.starts_with(DIVERGED) && !subject.starts_with(EXPUNGED));
    Ok(out.into_iter().collect())
}

/// What is to be said of a run that diverged: that nobody decided about it yet, or that a decision set records of it aside.
pub fn remarks_on(rapid: &Rapid, run: &RunId) -> Result<Vec<String>> {
    let mut out = Vec::new();
    for remote in rapid.repository().remote_names() {
        for subject in undecided(rapid, &remote)?.iter().filter(|subject| is_of(subject, run)) {
            out.push(format!(
                "this run went on here and on '{remote}', and nobody decided which side stands, so what is done here may be set \
                 aside: {}",
                ways_out(&remote, std::slice::from_ref(subject)).join(", or ")
            ));
        }
    }
    let decided = decided(rapid.registry().existing_records()?.view())?;
    let of_it = decided.into_iter().filter(|one| one.path.as_deref().is_some_and(|path| is_of(path, run)));
    out.extend(of_it.map(|one| format!("{} ({})", one.message, one.hints.join("; "))));
    Ok(out)
}

fn is_of(subject: &str, run: &RunId) -> bool {
    subject.contains("runs/") && subject.rsplit('/').next() == Some(run.as_str())
}

/// The commands of which one decides about subjects: for what is recorded here, and for what the remote has.
pub fn ways_out(remote: &str, subjects: &[String]) -> [String; 2] {
    let options: BTreeSet<String> =
        subjects.iter().map(|subject| format!("--subject {}", subject.rsplit('/').next().unwrap_or(subject))).collect();
    let options = options.into_iter().collect::<Vec<_>>().join(" ");
    ["ours", "theirs"].map(|side| format!("git rapid sync {remote} --take {side} {options}"))
}

/// The subjects that make no sense in a join, although no path of theirs holds two records. What was broken on either side
/// before has not diverged.
fn broken(repository: &Repository, ours: Oid, theirs: Oid, joined: Oid) -> Result<Divergence> {
    let scope = Scope::Touched(differing(repository, ours, theirs)?);
    let mut found = faults(repository, joined, &scope)?;
    if !found.is_empty() {
        for side in [ours, theirs] {
            let before = faults(repository, side, &scope)?;
            found.retain(|subject, _| !before.contains_key(subject));
        }
    }
    Ok(found)
}

fn faults(repository: &Repository, tip: Oid, scope: &Scope) -> Result<Divergence> {
    let mut out = Divergence::new();
    for path in
        registry::audit(repository, tip, None, scope, None)?.findings.into_iter().filter_map(|finding| finding.path)
    {
        out.entry(subject_of(&path)).or_default().insert(path);
    }
    Ok(out)
}

/// The paths in which two tips differ.
fn differing(repository: &Repository, ours: Oid, theirs: Oid) -> Result<BTreeSet<String>> {
    let changes = repository.tree_changes(repository.tree_of(ours)?, repository.tree_of(theirs)?)?;
    Ok(changes.into_iter().map(|change| change.path).collect())
}

/// The subjects that are meant: those that diverged, else any in which the two sides differ (RAPID1551).
fn chosen(ledger: &Ledger<'_>, theirs: Oid, divergence: &Divergence, takes: &[Take]) -> Result<BTreeMap<String, Side>> {
    let repository = ledger.repository();
    let ours = ledger.tip()?.unwrap_or(theirs);
    let mut differ: BTreeSet<String> =
        differing(repository, ours, theirs)?.iter().map(|path| subject_of(path)).collect();
    differ.retain(|subject| !subject.starts_with(DIVERGED) && !subject.starts_with(EXPUNGED));
    let mut out = BTreeMap::new();
    for take in takes {
        let meant =
            |subject: &&String| **subject == take.subject || subject.rsplit('/').next() == Some(take.subject.as_str());
        let mut found: Vec<&String> = divergence.keys().filter(meant).collect();
        if found.is_empty() {
            found = differ.iter().filter(meant).collect();
        }
        if found.is_empty() {
            let others: Vec<&str> = divergence.keys().filter_map(|subject| subject.rsplit('/').next()).collect();
            let nothing = nothing_to_decide(&take.subject, &format!("what diverged is {}", others.join(", ")));
            return Err(with_near(nothing, &take.subject, &others));
        }
        out.extend(found.into_iter().map(|subject| (subject.clone(), take.side)));
    }
    Ok(out)
}

fn nothing_to_decide(subject: &str, why: &str) -> Diagnostic {
    Code::Rapid1551
        .because(format!("there is nothing to decide about '{}': {why}", subject.escape_debug()))
        .hint("'git rapid sync' without --take names what diverged")
}

fn refusal(place: &Place, kept: &str, divergence: &Divergence) -> Diagnostic {
    let remote = &place.remote;
    let names: Vec<String> = divergence.keys().map(|subject| named(subject)).collect();
    let first = divergence.values().flatten().next().map_or("", String::as_str);
    let subjects: Vec<String> = divergence.keys().cloned().collect();
    let words = format!(
        "{} went on here and on '{remote}', each with records of its own ('{first}'): they have diverged",
        names.join(", ")
    );
    let [ours, theirs] = ways_out(&place.address, &subjects);
    Code::Rapid1534
        .because(words)
        .at(first)
        .hint(format!("both sides are kept, yours in refs/rapid/ledger, theirs in {kept}; nothing was overwritten"))
        .hint(format!("see what differs: git diff refs/rapid/ledger {kept}"))
        .hint(format!("let what is recorded here stand: {ours}"))
        .hint(format!("or let that of '{remote}' stand: {theirs}"))
}

/// A subject for people: `run x`.
pub fn named(subject: &str) -> String {
    let (kind, id) = (subject.split('/').next().unwrap_or_default(), subject.rsplit('/').next().unwrap_or_default());
    format!("{} '{id}'", kind.trim_end_matches('s'))
}

/// What decisions set aside in this ledger, one remark for each subject (RAPID1552).
pub fn decided(view: &View<'_>) -> Result<Vec<Diagnostic>> {
    let mut out = Vec::new();
    for kind in view.list(DIVERGED)? {
        for shard in view.list(&format!("{DIVERGED}/{kind}"))? {
            for id in view.list(&format!("{DIVERGED}/{kind}/{shard}"))? {
                let path = format!("{DIVERGED}/{kind}/{shard}/{id}");
                if out.len() >= MOST_REMARKS {
                    out.push(
                        Code::Rapid1552.because("there are decisions about more than are named here").at(DIVERGED),
                    );
                    return Ok(out);
                }
                let times = view.list(&path)?.len();
                let words = format!(
                    "{} diverged: {times} {} set records of it aside",
                    named(&format!("{kind}/{shard}/{id}")),
                    if times == 1 { "decision" } else { "decisions" }
                );
                let hint = format!("read all of it: git rapid cat {path}");
                out.push(Code::Rapid1552.because(words).at(path).hint(hint));
            }
        }
    }
    Ok(out)
}
