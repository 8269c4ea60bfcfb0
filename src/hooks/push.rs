//! pre-push: is every branch and tag that is sent covered by a passing run, and does the ledger go first.
//!
//! Only looks at records: no test is run while a connection to the server is open.

use super::answer::Answer;
use super::first_rules;
use super::judge::Judge;
use super::update::{self, Update};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::config::{Config, PrePush, PushAttachments, PushLedger};
use crate::git::{Oid, Repository};
use crate::ledger::{LEDGER_REF, Ledger};
use crate::verbs::{
    next,
    rapid::Rapid,
    sync,
    verify::{self, Lean},
};

/// How to get past.
const PAST: &str = "to push all the same: git push --no-verify";

/// Judges a push to `remote` (its name, or its URL when it has none).
pub fn pre_push(rapid: &Rapid, remote: &str, input: &[u8]) -> Result<Answer> {
    let updates = update::pushed(input)?;
    let mut answer = Answer::quiet();
    if updates.is_empty() {
        return Ok(answer);
    }
    let config = rapid.working_config().map_err(|error| error.hint(PAST))?;
    let word = |update: &Update| match update.new {
        None => PrePush::Off,
        Some(_) => config.pre_push.of(&update.reference),
    };
    for update in updates.iter().filter(|update| update.reference == LEDGER_REF) {
        if let Some(fault) = shrinks(&Ledger::of(rapid.repository()), update)? {
            answer.say(fault.hint(PAST));
        }
    }
    if updates.iter().any(|update| word(update) != PrePush::Off) {
        match judge(rapid, &config, remote, &updates, &word, &mut answer) {
            Ok(()) => {}
            Err(error) if updates.iter().any(|update| word(update) == PrePush::Require) => return Err(error.hint(PAST)),
            // A warning stops nobody, and neither does what keeps it from being said.
            Err(error) => answer.say(
                Code::Rapid1611
                    .because(format!("what is pushed could not be judged: {}", error.message))
                    .hint("see what is wrong: git rapid verify"),
            ),
        }
    }
    let sends_code = updates.iter().any(|update| update.new.is_some() && !update.reference.starts_with("refs/rapid/"));
    if sends_code && !answer.refuses() && config.push_ledger != PushLedger::Off {
        send_ledger(rapid, &config, remote, &mut answer)?;
    }
    Ok(answer)
}

fn judge(
    rapid: &Rapid,
    config: &Config,
    remote: &str,
    updates: &[Update],
    word: &dyn Fn(&Update) -> PrePush,
    answer: &mut Answer,
) -> Result<()> {
    let repository = rapid.repository();
    // What waits may be what covers this push. What cannot be folded in is for the next recording command to say: here the
    // ledger decides as it is.
    let _ = rapid.registry().fold();
    // Exactly what `git rapid verify` proves, which remembers it: the next push pays for what is new.
    let whole = verify::Request::default();
    let prove = |_| verify::verify(rapid, &whole).map(|seen| seen.proof);
    let judge = Judge::by(repository, Ledger::of(repository).tip()?, prove)?;
    let head = repository.head()?.commit;
    let mut leans = Vec::new();
    for update in updates.iter().filter(|update| word(update) != PrePush::Off) {
        if let Some(commit) = first_rules(repository, update)? {
            let (branch, commit) = (update.short(), commit.short());
            answer.notes.push(format!(
                "'{branch}' gets its first rules with commit {commit}: no run can cover them, so they are simply pushed"
            ));
            continue;
        }
        let going_on = if update.new == head { next_step(rapid) } else { None };
        let judged = judge.judge(update, update.old, config, going_on)?;
        leans.extend(judged.leans);
        let Some(fault) = judged.fault else { continue };
        match word(update) {
            PrePush::Require => answer.say(fault.hint(PAST)),
            // Said the same way, but it goes.
            _ => answer.say(Diagnostic { code: Code::Rapid1611, ..fault }),
        }
    }
    // With all material go the trees of the checks.
    if !leans.is_empty() && config.push_attachments != PushAttachments::All {
        lacks(repository, remote, updates, &leans, answer)?;
    }
    Ok(())
}

/// The commit that brings a branch its first rules, and nothing else.
fn first_rules(repository: &Repository, update: &Update) -> Result<Option<Oid>> {
    let Some(new) = update.new else { return Ok(None) };
    let Ok(commit) = repository.resolve_commit(&new.to_string()) else { return Ok(None) };
    Ok(first_rules::brings_only_them(repository, commit, update.old)?.then_some(commit))
}

/// Says which runs' final code `remote` will not have, and how it is sent: without it nobody else can tell that what they made is
/// covered.
fn lacks(repository: &Repository, remote: &str, updates: &[Update], leans: &[Lean], answer: &mut Answer) -> Result<()> {
    let known = repository.refs_below(&format!("refs/remotes/{remote}/"))?;
    let sent = updates.iter().filter_map(|update| repository.resolve_commit(&update.new?.to_string()).ok());
    let tips: Vec<Oid> = known.into_iter().map(|(_, tip)| tip).chain(sent).collect();
    for lean in verify::lacking(repository, leans, &tips)? {
        let words = format!(
            "what is pushed was made of the work of run {}, and '{remote}' does not have the code that it ended with, tree {}: a \
             server, CI and every other clone cannot tell that it is covered",
            lean.run_id,
            lean.tree.short()
        );
        let send = verify::sending(repository, &lean, remote)?;
        answer.say(Code::Rapid1617.because(words).hint(format!("send it before, or with it: {send}")));
    }
    Ok(())
}

/// The next step of the run that is active in this worktree. Not knowing it is no reason to say less.
fn next_step(rapid: &Rapid) -> Option<String> {
    let session = rapid.session().ok().flatten()?;
    let advice = next::next(rapid, None).ok()?.action;
    // A run that is over is about what it ended with, and this is something else.
    if advice.outcome.is_some() {
        return None;
    }
    let command = advice.action.command.map_or_else(|| "git rapid next".to_owned(), |words| words.join(" "));
    let waiting: Vec<String> = advice.awaiting_human.iter().map(ToString::to_string).collect();
    let waiting = if waiting.is_empty() { String::new() } else { format!(" for {}", waiting.join(", ")) };
    Some(format!(
        "run {} is active here and waits at {}{waiting}: {command}",
        session.active_run_id, advice.action.kind
    ))
}

/// What is said against a move of the ledger, or of its material, that would lose entries.
pub(super) fn shrinks(ledger: &Ledger<'_>, update: &Update) -> Result<Option<Diagnostic>> {
    let refusal = |words: String| Some(Code::Rapid1612.because(words).at(&update.reference));
    let what = if update.reference == LEDGER_REF { "the ledger" } else { update.reference.as_str() };
    Ok(match (update.old, update.new) {
        (_, None) => refusal(format!("{what} would be deleted")),
        (Some(old), Some(new)) if !ledger.repository().has(old) => {
            let words =
                format!("{} would replace {what} there, {}, which is not in this clone", new.short(), old.short());
            refusal(words).map(|fault| fault.hint("join it first: git rapid fetch"))
        }
        (Some(old), Some(new)) if !ledger.is_ancestor(old, new)? => {
            let words = format!("{what} would lose entries: {} does not contain {}", new.short(), old.short());
            refusal(words).map(|fault| fault.hint("join both and send the join: git rapid push"))
        }
        _ => None,
    })
}

/// The ledger goes before the code. The nested push runs no hook, so this cannot call itself.
fn send_ledger(rapid: &Rapid, config: &Config, remote: &str, answer: &mut Answer) -> Result<()> {
    if Ledger::of(rapid.repository()).tip()?.is_none() {
        return Ok(());
    }
    let named = rapid.repository().config_text("rapid.remote").unwrap_or_else(|| remote.to_owned());
    match sync::push(rapid, Some(&named), false) {
        Ok(sent) if sent.up_to_date => {}
        Ok(sent) => answer.notes.push(format!("sent {} to '{}' first", sent.refs.join(" and "), sent.remote)),
        Err(error) if config.push_ledger == PushLedger::Require => {
            answer.say(error.hint("hooks.push_ledger asks for the ledger to go first").hint(PAST));
        }
        Err(error) => answer.say(
            Code::Rapid1616
                .because(format!("the ledger was not sent to '{named}': {}", error.message))
                .hint("send it yourself: git rapid push"),
        ),
    }
    Ok(())
}
