//! `status`: the active run, what is missing and why, what else is open in this clone, and how the ledger stands to its remotes.

mod elsewhere;

pub use elsewhere::{Elsewhere, OpenMission, OtherRun, RecordedRun};

use super::worktrees::{RunWorktree, worktrees};
use super::{next, rapid::Rapid, sync};
use crate::conductor::Advice;
use crate::diagnostics::Result;
use crate::domain::{ids::RunId, report::Report};
use crate::evaluator::evaluate;
use crate::git::Oid;
use crate::registry::Run;

/// What there is to say.
pub struct Outcome {
    /// The active run.
    pub active: Option<Active>,
    /// What else is open in this clone.
    pub elsewhere: Elsewhere,
    /// All runs, when asked for: id and where each stands.
    pub all: Vec<Run>,
    /// The worktrees of runs, when asked for.
    pub worktrees: Vec<RunWorktree>,
    /// The newest entry of the ledger.
    pub tip: Option<Oid>,
    /// How each remote's ledger stands to ours, as far as was fetched.
    pub remotes: Vec<sync::Standing>,
}

/// The active run.
pub struct Active {
    /// The run.
    pub run: Run,
    /// Its judgement now.
    pub report: Report,
    /// What to do now.
    pub advice: Advice,
}

/// Looks.
pub fn status(rapid: &Rapid, all: bool) -> Result<Outcome> {
    let registry = rapid.registry();
    let session = rapid.session()?;
    let active = match &session {
        None => None,
        Some(session) => {
            let (records, run) = rapid.run(None)?;
            let advice = next::advise(rapid, &records, &run, Some(session))?;
            let report = evaluate(&run.input()?)?;
            Some(Active { run, report, advice })
        }
    };
    let mut runs = Vec::new();
    if all {
        let records = registry.records()?;
        let ids: Vec<RunId> = records.run_ids()?;
        for id in ids {
            runs.push(records.run(&id)?);
        }
    }
    let worktrees = if all { worktrees(rapid)? } else { Vec::new() };
    let elsewhere = elsewhere::elsewhere(rapid)?;
    Ok(Outcome {
        active,
        elsewhere,
        all: runs,
        worktrees,
        tip: registry.ledger().tip()?,
        remotes: sync::standings(rapid)?,
    })
}
