//! `verify --rerun`: runs the checks of the runs that cover a commit again, in a clean worktree of exactly the commit's code, and
//! records what was seen. A merge, or a commit that leaves a bystander out, is other code than the runs ended with.
//!
//! The record is bound to the run and to no gate or task of it, under a producer of its own: no ruleset hears it, and least of
//! all does it stand for a person. It makes "recorded here" into "re-run by another party", or says that the tests are red.

use super::Coverage;
use crate::diagnostics::{Code, Result};
use crate::domain::{contract::Contract, evidence::Evidence, ids::RunId};
use crate::registry::Draft;
use crate::verbs::{
    check::{self, CheckOutcome, Observation},
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
    let (mut done, mut seen): (Vec<Again>, Vec<(Contract, Observation)>) = (Vec::new(), Vec::new());
    for covering in coverage.runs.iter().filter(|run| run.verdict.is_pass()) {
        let (records, run) = rapid.run(Some(&covering.run_id))?;
        // The same command under the same terms says the same: runs of one merge share it.
        let alike = |(contract, _): &(Contract, Observation)| {
            contract.test_command == run.contract.test_command && contract.terms == run.contract.terms
        };
        if !seen.iter().any(alike) {
            let config = rapid.config_of(&records, run.id())?;
            let observed = check::observe_again(rapid.repository(), &config, &run.contract, coverage.tree, live);
            let observation = observed.map_err(|error| match error.code {
                Code::Rapid1309 => Code::Rapid1449
                    .because(format!("the code of commit {} is not whole in this clone", coverage.id.short()))
                    .hint("bring what is missing of it: git fetch"),
                _ => error,
            })?;
            seen.push((run.contract.clone(), observation));
        }
        if let Some((_, observation)) = seen.iter().find(|one| alike(one)) {
            done.push(record(rapid, &covering.run_id, observation)?);
        }
    }
    match done.is_empty() {
        true => Err(Code::Rapid1449
            .because(format!("no passing run covers commit {}, so there is nothing to run again", coverage.id.short()))
            .hint("see 'git rapid verify --commit'")),
        false => Ok(done),
    }
}

fn record(rapid: &Rapid, id: &RunId, observation: &Observation) -> Result<Again> {
    let outcome = observation.outcome();
    let (_, evidence) = rapid.registry().append(|records| {
        let run = records.run(id)?;
        let mut draft = Draft::new("verify", id, format!("verify {id}: re-run {}", outcome.as_str()));
        let unbound = (Vec::new(), Vec::new(), true);
        let evidence = check::record(&mut draft, &run, run.state()?, observation, &unbound)?;
        Ok((draft, evidence))
    })?;
    Ok(Again { run_id: id.clone(), evidence, outcome })
}
