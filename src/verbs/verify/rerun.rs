//! `verify --rerun`: runs the checks of a passed run again, in a clean worktree of its final code, and records what was seen.
//!
//! The record is bound to the run and to no gate or task of it, under a producer of its own: no ruleset hears it, and least of
//! all does it stand for a person. It makes "recorded here" into "re-run by another party", or says that the tests are red.

use super::Coverage;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::{Evidence, Payload},
    ids::RunId,
    text::{Producer, Verb},
};
use crate::git::Oid;
use crate::registry::{Draft, Run};
use crate::verbs::{
    check::{self, CheckOutcome},
    rapid::Rapid,
};

/// A run whose checks were run again.
pub struct Again {
    /// The run.
    pub run_id: RunId,
    /// What was recorded.
    pub evidence: Evidence,
    /// How it went.
    pub outcome: CheckOutcome,
}

/// Runs the checks of every run again that covers a commit. Nothing of a ledger that was not proved may be run: the caller
/// asks only for what was.
pub fn rerun(rapid: &Rapid, coverage: &Coverage, live: &mut dyn FnMut(&[u8])) -> Result<Vec<Again>> {
    let mut done = Vec::new();
    for covering in coverage.runs.iter().filter(|run| run.verdict.is_pass()) {
        done.push(one(rapid, &covering.run_id, live)?);
    }
    match done.is_empty() {
        true => Err(Code::Rapid1449
            .because(format!("no passing run covers commit {}, so there is nothing to run again", coverage.id.short()))
            .hint("see 'git rapid verify --commit'")),
        false => Ok(done),
    }
}

fn one(rapid: &Rapid, id: &RunId, live: &mut dyn FnMut(&[u8])) -> Result<Again> {
    let (records, run) = rapid.run(Some(id))?;
    let tree = final_tree(&run).filter(|tree| rapid.repository().has(*tree)).ok_or_else(|| {
        Code::Rapid1449
            .because(format!("the final code of run '{id}' is not whole in this clone"))
            .hint("fetch the commit that was made of it")
    })?;
    let config = rapid.config_of(&records, id)?;
    let observation = check::observe_again(rapid.repository(), &config, &run.contract, tree, live)?;
    let outcome = observation.outcome();
    let (_, evidence) = rapid.registry().append(|records| {
        let run = records.run(id)?;
        let mut draft = Draft::new("verify", id, format!("verify {id}: re-run {}", outcome.as_str()));
        let unbound = (Vec::new(), Vec::new(), true);
        let evidence = check::record(&mut draft, &run, run.state()?, &observation, &unbound)?;
        Ok((draft, evidence))
    })?;
    Ok(Again { run_id: id.clone(), evidence, outcome })
}

/// The code that the newest record of `finish` names.
fn final_tree(run: &Run) -> Option<Oid> {
    let finished = run.evidence.iter().rev().find(|item| item.producer == Producer::Rapid(Verb::Finish))?;
    match &finished.payload {
        Payload::FileChange { finish, .. } | Payload::GitResult { finish, .. } => {
            finish.tree.as_ref().and_then(|id| Oid::try_from(id).ok())
        }
        _ => None,
    }
}
