//! `brief`: what an agent that lost its context has to know of a run.

use super::{next, rapid::Rapid};
use crate::conductor::Advice;
use crate::diagnostics::Result;
use crate::domain::{ids::RunId, report::Report, spec::SpecRevision};
use crate::evaluator::evaluate;
use crate::registry::Run;

/// A run in short.
pub struct Brief {
    /// The run.
    pub run: Run,
    /// The spec it was opened on.
    pub spec: SpecRevision,
    /// Its judgement now.
    pub report: Report,
    /// What to do now.
    pub advice: Advice,
    /// The run's own worktree, when it has one.
    pub workspace_path: Option<String>,
}

/// Gathers it.
pub fn brief(rapid: &Rapid, named: Option<&RunId>) -> Result<Brief> {
    let (records, run) = rapid.run(named)?;
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let advice = next::advise(rapid, &records, &run, session.as_ref())?;
    let report = evaluate(&run.input()?)?;
    let spec = records.spec(&run.contract.spec_id)?.revision(run.contract.spec_revision)?.clone();
    Ok(Brief { run, spec, report, advice, workspace_path: session.and_then(|session| session.workspace_path) })
}
