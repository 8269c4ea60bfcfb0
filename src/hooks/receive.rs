//! pre-receive and post-receive, for a bare repository that others push to: the ledger only grows and verifies, and a
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
use crate::domain::config::{Config, PrePush, PushRules};
use crate::git::{Oid, Repository};
use crate::ledger::{ATTACHMENTS_REF, LEDGER_REF, Ledger};
use crate::verbs::{
    rapid::{CONFIG_PATH, Rapid, parse_config},
    verify::{self, Proof},
};

/// The key that names what a server protects, whatever the branches say.
pub(super) const PROTECT: &str = "rapid.protect";

/// Judges what was sent.
pub fn pre_receive(rapid: &Rapid, input: &[u8]) -> Result<Answer> {
    let repository = rapid.repository();
    let updates = update::moved(input, "pre-receive")?;
    let mut answer = Answer::quiet();
    let sent = updates.iter().find(|update| update.reference == LEDGER_REF);
    if let Some(fault) = sent.map(|update| refused_ledger(repository, update)).transpose()?.flatten() {
        answer.say(fault);
        return Ok(answer);
    }
    let tip = sent.map_or_else(|| Ledger::of(repository).tip(), |update| Ok(update.new))?;
    let protected = PushRules::patterns(&repository.config_texts(PROTECT), PrePush::Require)?;
    let mut judge = None;
    for update in updates.iter().filter(|update| !update.reference.starts_with("refs/rapid/")) {
        let before = commit_before(repository, update)?;
        let config = before.map_or_else(|| Ok(Config::default()), |commit| config_of(repository, commit))?;
        let word = protected.of(&update.reference).max(config.pre_push.of(&update.reference));
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
            judge = Some(Judge::by(repository, tip, |tip| prove(repository, tip))?);
        }
        let Some(judge) = &judge else { continue };
        match judge.fault(update, before, &config)? {
            None => {}
            Some(fault) if word == PrePush::Require => {
                answer.say(fault.hint("send the ledger first, or with it: git rapid push"));
            }
            Some(fault) => answer.say(Diagnostic { code: Code::Rapid1611, ..fault }),
        }
    }
    Ok(answer)
}

/// What is said against the ledger that was sent.
fn refused_ledger(repository: &Repository, update: &Update) -> Result<Option<Diagnostic>> {
    if let Some(fault) = shrinks(&Ledger::of(repository), update)? {
        return Ok(Some(fault));
    }
    let Some(tip) = update.new else { return Ok(None) };
    Ok(prove(repository, tip)?.findings.into_iter().find(|finding| !finding.is_remark()).map(|finding| {
        let mut fault = finding.diagnostic;
        fault.message = format!("the ledger that was sent does not verify: {}", fault.message);
        fault.hint("see all findings in the clone that sent it: git rapid verify")
    }))
}

/// Proves the ledger at `tip`, as far as it was not proved before. Nothing is remembered of what may yet be refused.
fn prove(repository: &Repository, tip: Oid) -> Result<Proof> {
    verify::prove(repository, tip, repository.read_ref(ATTACHMENTS_REF)?, verify::recall(repository).as_ref(), None)
}

/// What is said against a protected branch that is deleted, or that would lose commits.
fn rewinds(repository: &Repository, update: &Update) -> Result<Option<Diagnostic>> {
    let branch = update.short();
    Ok(match (update.old, update.new) {
        (_, None) => Some(Code::Rapid1613.because(format!("'{branch}' is protected and would be deleted"))),
        (Some(old), Some(new)) if !repository.descends(new, old)? => Some(
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

fn config_of(repository: &Repository, commit: Oid) -> Result<Config> {
    match repository.lookup(repository.tree_of(commit)?, CONFIG_PATH)? {
        None => Ok(Config::default()),
        Some(file) => parse_config(&repository.read(file.id, 1 << 20)?.data).map_err(|error| error.at(CONFIG_PATH)),
    }
}

/// Remembers what was proved of a ledger that came, so that the next push pays for its own entries only.
pub fn post_receive(rapid: &Rapid, input: &[u8]) -> Result<Answer> {
    let repository = rapid.repository();
    let updates = update::moved(input, "post-receive")?;
    let Some(tip) = updates.iter().find(|update| update.reference == LEDGER_REF).and_then(|update| update.new) else {
        return Ok(Answer::quiet());
    };
    let proof = prove(repository, tip)?;
    if proof.findings.is_empty() {
        verify::remember(repository, tip, repository.read_ref(ATTACHMENTS_REF)?, &proof);
    }
    Ok(Answer::note(format!("the ledger has {} entries now, newest {}", proof.entries, tip.short())))
}
