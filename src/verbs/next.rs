//! `next`: what to do now. Reads; never writes, anywhere.

use super::{rapid::Rapid, sync, uncommitted, work::Work, worktrees};
use crate::conductor::{self, Advice, Playbook, Playbooks, RunView, View};
use crate::diagnostics::Result;
use crate::domain::{
    ids::RunId,
    lifecycle::RunStatus,
    next_action::{Action, ActionKind},
    session::Session,
};
use crate::git::Keep;
use crate::registry::{Place, Records, Run};

/// What is said where no run can begin.
pub const IN_A_BARE_ONE: &str = "This repository is bare, and a run needs a working copy: begin it in a clone, or in a worktree \
                                 of it (git worktree add). What only reads works here: git rapid log, run list, show, verify, export.";

/// What to do now: for the named run, else the session's, else how to begin.
pub fn next(rapid: &Rapid, named: Option<&RunId>) -> Result<Advice> {
    let session = rapid.session()?;
    if named.is_none() && session.is_none() {
        let playbooks = Playbooks::built_in();
        let mut advice = conductor::next(&View { run: None, mode: None, playbooks: &playbooks });
        if rapid.repository().workdir().is_none() {
            advice.action.action = Action::new(ActionKind::Blocked, IN_A_BARE_ONE);
        }
        return Ok(advice);
    }
    let (records, run) = rapid.run(named)?;
    let session = session.filter(|session| session.active_run_id == *run.id());
    let mut advice = advise(rapid, &records, &run, session.as_ref())?;
    if session.is_none() {
        for words in [&mut advice.action.action.command, &mut advice.action.action.after].into_iter().flatten() {
            name_the_run(words, run.id());
        }
    }
    Ok(advice)
}

/// Names the run in a command that would otherwise mean the session's: it must do what it was printed for.
fn name_the_run(words: &mut Vec<String>, run: &RunId) {
    let of_session = ["approve", "attach", "check", "finish", "task", "abort"];
    let verb = words.get(2).map(String::as_str).unwrap_or_default();
    if of_session.contains(&verb) && !words.iter().any(|word| word == "--run") {
        let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(at..at, ["--run".to_owned(), run.to_string()]);
    }
}

/// What to do now in a run that is loaded already.
pub fn advise(rapid: &Rapid, records: &Records<'_>, run: &Run, session: Option<&Session>) -> Result<Advice> {
    let state = run.state()?;
    let mut tree = None;
    let lost = session.is_some_and(worktrees::is_lost);
    if conductor::needs_tree(&run.contract, state) && rapid.repository().workdir().is_some() && !lost {
        let work = Work::of(rapid, session, rapid.config_of(records, run.id())?)?;
        tree = Some(work.snapshot(Keep::Nothing)?.tree.to_git_id());
    }
    let playbooks = playbooks(records, run)?;
    let view = RunView {
        contract: &run.contract,
        state,
        evidence: &run.evidence,
        signed: run.signed(),
        tree: tree.as_ref(),
        workspace_path: session.and_then(|session| session.workspace_path.as_deref()),
    };
    let mut advice = conductor::next(&View { run: Some(view), mode: Some(run.contract.mode), playbooks: &playbooks });
    match session {
        Some(_) if rapid.repository().workdir().is_none() => {}
        Some(session) if state.status == RunStatus::Finished => {
            // The run's own worktree may be gone: then there is nothing left to commit.
            if let Ok(work) = Work::of(rapid, Some(session), rapid.config_of(records, run.id())?) {
                let spec = records.spec(&run.contract.spec_id)?;
                let title = &spec.revision(run.contract.spec_revision)?.content.title;
                uncommitted::tell(run, title, &work, &mut advice.action.action)?;
            }
        }
        Some(session) if !state.status.is_terminal() => {
            worktrees::tell_lost(run.id(), session, &mut advice.action.action);
            if advice.action.action.kind == ActionKind::RunBaseline
                && let Ok(work) = Work::of(rapid, Some(session), rapid.config_of(records, run.id())?)
            {
                uncommitted::tell_written(run, &work, &mut advice.action.action)?;
            }
        }
        _ => {}
    }
    if !state.status.is_terminal() {
        for words in sync::remarks_on(rapid, run.id())? {
            advice.action.action.instructions.push_str(&format!(" Mind that {words}."));
        }
    }
    Ok(advice)
}

/// The texts: the built-in ones, with the run's own where its terms hold them.
fn playbooks(records: &Records<'_>, run: &Run) -> Result<Playbooks> {
    let place = Place::Term(run.id().clone(), "playbook.json".to_owned());
    let playbooks = Playbooks::built_in();
    match records.view().read(&place.path())? {
        None => Ok(playbooks),
        Some(bytes) => Ok(playbooks.with(Playbook::parse(&bytes).map_err(|error| error.at(place.path()))?)),
    }
}
