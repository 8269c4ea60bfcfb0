//! pre-receive and post-receive, for a bare repository that others push to: the ledger and its material only grow and verify, and a
//! protected branch gets nothing that no passing run covers.
//!
//! What is protected is what this server says (`rapid.protect` in its git configuration) and what the branch's own
//! configuration said before the push: a push does not change the rules that it is judged by. While objects are in
//! quarantine nothing is written; what was proved is remembered afterwards.

use super::answer::Answer;
use super::judge::Judge;
use super::push::shrinks;
use super::update::{self, Update};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    config::{Config, PrePush, PushRules},
    quantity::counted,
};
use crate::git::{Oid, Repository};
use crate::ledger::{ATTACHMENTS_REF, EXPUNGED, LEDGER_REF, Ledger, View};
use crate::registry::gone;
use crate::verbs::{
    rapid::{Rapid, config_at},
    verify,
};

/// Where refs are ours.
const OURS: &str = "refs/rapid/";

/// The key that names what a server protects, whatever the branches say.
pub(super) const PROTECT: &str = "rapid.protect";

/// Judges what was sent.
pub fn pre_receive(rapid: &Rapid, input: &[u8]) -> Result<Answer> {
    let repository = rapid.repository();
    let updates = update::moved(input, "pre-receive")?;
    let mut answer = Answer::quiet();
    let records: Vec<&Update> = updates.iter().filter(|update| update.reference.starts_with(OURS)).collect();
    let stands = |name: &str| {
        let sent = records.iter().find(|update| update.reference == name);
        sent.map_or_else(|| repository.read_ref(name), |update| Ok(update.new))
    };
    let (tip, material) = (stands(LEDGER_REF)?, stands(ATTACHMENTS_REF)?);
    for update in &records {
        if let Some(fault) = refused(repository, update, tip)? {
            answer.say(fault);
        }
    }
    if answer.refuses() {
        return Ok(answer);
    }
    let prove = |tip| verify::prove(repository, tip, material, verify::recall(repository).as_ref(), None);
    if let Some(tip) = tip.filter(|_| !records.is_empty())
        && let Some(finding) = prove(tip)?.findings.into_iter().find(|finding| !finding.is_remark())
    {
        let mut fault = finding.diagnostic;
        fault.message = format!("the ledger that was sent does not verify: {}", fault.message);
        answer.say(fault.hint("see all findings, in the clone that sent it: git rapid verify"));
        return Ok(answer);
    }
    let protected = PushRules::patterns(&repository.config_texts(PROTECT), PrePush::Require)?;
    let mut judge = None;
    for update in updates.iter().filter(|update| !update.reference.starts_with(OURS)) {
        let before = commit_before(repository, update)?;
        let config = before.map_or_else(|| Ok(Config::default()), |commit| config_at(repository, commit))?;
        // A name that stands for another branch is that branch.
        let target = repository.target_of(&update.reference)?;
        let names = [Some(&update.reference), target.as_ref()].into_iter().flatten();
        let words = names.map(|name| protected.of(name).max(config.pre_push.of(name)));
        let word = words.max().unwrap_or(PrePush::Off);
        if word == PrePush::Off {
            continue;
        }
        if word == PrePush::Require
            && let Some(fault) = rewinds(repository, update)?
        {
            answer.say(fault);
            continue;
        }
        if judge.is_none() {
            judge = Some(Judge::by(repository, tip, prove)?);
        }
        let Some(judge) = &judge else { continue };
        let judged = judge.judge(update, before, &config, None)?;
        match judged.fault {
            None => {}
            // The run is in the ledger; what is asked for is its code.
            Some(fault) if word == PrePush::Require && judged.waits_for_code => answer.say(fault),
            Some(fault) if word == PrePush::Require => {
                answer.say(fault.hint("send the ledger first, or with it: git rapid push"));
            }
            Some(fault) => answer.say(Diagnostic { code: Code::Rapid1611, ..fault }),
        }
    }
    Ok(answer)
}

/// What is said against a move of one of our own refs: both only grow, and nothing else is kept beside them. `tip` is where the
/// ledger will stand.
fn refused(repository: &Repository, update: &Update, tip: Option<Oid>) -> Result<Option<Diagnostic>> {
    let ledger = Ledger::of(repository);
    match update.reference.as_str() {
        LEDGER_REF => shrinks(&ledger, update),
        ATTACHMENTS_REF => {
            let Some(fault) = shrinks(&ledger, update)? else { return loses_material(repository, update, tip) };
            let (Some(old), Some(new)) = (update.old, update.new) else { return Ok(Some(fault)) };
            // A tip that cannot be looked at begins nothing.
            match View::at(repository, tip).and_then(|said| ledger.begins_anew(&said, old, new)).unwrap_or(false) {
                true => loses_material(repository, update, tip),
                false => Ok(Some(fault)),
            }
        }
        other => Ok(update.new.map(|_| {
            Code::Rapid1612
                .because(format!("a server keeps {LEDGER_REF} and {ATTACHMENTS_REF} below {OURS}, and nothing else"))
                .at(other)
        })),
    }
}

/// What is said against material that would lose a file, or have another one in its place. What the ledger says was removed is
/// let go, and never let in again.
fn loses_material(repository: &Repository, update: &Update, tip: Option<Oid>) -> Result<Option<Diagnostic>> {
    let (Some(old), Some(new)) = (update.old, update.new) else { return Ok(None) };
    let (said, before) = (View::at(repository, tip)?, View::at(repository, Some(old))?);
    let removed = gone(&said, &before)?;
    let may_go = |path: &str| {
        path == EXPUNGED && !removed.is_empty()
            || removed.iter().any(|gone| {
                path.strip_prefix(gone.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    };
    let changes = repository.tree_changes(repository.tree_of(old)?, repository.tree_of(new)?)?;
    let lost = changes.iter().find(|change| change.letter() != 'A' && !may_go(&change.path.to_string()));
    if lost.is_none()
        && let Some(back) = gone(&said, &View::at(repository, Some(new))?)?.first()
    {
        let words = format!("{ATTACHMENTS_REF} would bring back what was expunged: {back}");
        return Ok(Some(Code::Rapid1612.because(words).at(ATTACHMENTS_REF).hint("take it out: git rapid sync")));
    }
    Ok(lost.map(|change| {
        Code::Rapid1612
            .because(format!("{ATTACHMENTS_REF} would lose material: {} {}", change.letter(), change.path))
            .at(ATTACHMENTS_REF)
    }))
}

/// What is said against a protected branch that is deleted, or that would lose commits.
fn rewinds(repository: &Repository, update: &Update) -> Result<Option<Diagnostic>> {
    let branch = update.short();
    let commit = |id: Oid| repository.resolve_commit(&id.to_string()).unwrap_or(id);
    Ok(match (update.old.map(commit), update.new.map(commit)) {
        (_, None) => Some(Code::Rapid1613.because(format!("'{branch}' is protected and would be deleted"))),
        (Some(old), Some(new)) if !repository.descends(new, old).unwrap_or(false) => Some(
            Code::Rapid1613
                .because(format!(
                    "'{branch}' is protected and would lose commits: {} does not contain {}",
                    new.short(),
                    old.short()
                ))
                .hint("bring the new commits on top of it: git pull --rebase"),
        ),
        _ => None,
    })
}

/// The commit whose configuration and terms held before the push: the ref's own, else that of the repository's `HEAD`.
fn commit_before(repository: &Repository, update: &Update) -> Result<Option<Oid>> {
    match update.old.and_then(|old| repository.resolve_commit(&old.to_string()).ok()) {
        Some(commit) => Ok(Some(commit)),
        None => Ok(repository.head()?.commit),
    }
}

/// Remembers what was proved of a ledger that came, so that the next push pays for its own entries only.
pub fn post_receive(rapid: &Rapid, input: &[u8]) -> Result<Answer> {
    let repository = rapid.repository();
    let updates = update::moved(input, "post-receive")?;
    let Some(tip) = updates.iter().find(|update| update.reference == LEDGER_REF).and_then(|update| update.new) else {
        return Ok(Answer::quiet());
    };
    let material = repository.read_ref(ATTACHMENTS_REF)?;
    let proof = verify::prove(repository, tip, material, verify::recall(repository).as_ref(), None)?;
    if proof.findings.is_empty() {
        verify::remember(repository, tip, material, &proof);
    }
    let entries = counted(proof.entries, "entry", "entries");
    Ok(Answer::note(format!("the ledger has {entries} now, newest {}", tip.short())))
}
