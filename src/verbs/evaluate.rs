//! `eval`: judges a run by a ruleset, and keeps the report when asked.

use super::rapid::Rapid;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    capability::Capability,
    contract::Ruleset,
    ids::{AssertionId, RunId},
    report::{Report, Verdict},
};
use crate::evaluator;
use crate::registry::{Draft, Run};

/// What is asked.
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// By which rules; `None`: the contract's.
    pub ruleset: Option<Ruleset>,
    /// Capabilities asked for beyond the contract's.
    pub extra: Vec<Capability>,
    /// Keep the report.
    pub write: bool,
}

/// What came of it.
pub struct Outcome {
    /// The report.
    pub report: Report,
    /// Its number, when it was kept.
    pub stored: Option<u32>,
    /// Test evidence that does not qualify.
    pub warning: Option<Diagnostic>,
}

/// Judges.
pub fn run(rapid: &Rapid, request: &Request) -> Result<Outcome> {
    let (_, run) = rapid.run(request.run.as_ref())?;
    let judge = |run: &Run| -> Result<Report> {
        let mut extra = request.extra.clone();
        extra.sort_by_key(|capability| capability.as_str());
        extra.dedup();
        let input = run.input()?;
        evaluator::evaluate(&input.by(request.ruleset.unwrap_or(run.contract.ruleset)).requiring(&extra))
    };
    let report = judge(&run)?;
    let warning = evaluator::unqualified(&run.input()?);
    if !request.write {
        return Ok(Outcome { report, stored: None, warning });
    }
    let (_, (report, ordinal)) = rapid.registry().append(|records| {
        let run = records.run(run.id())?;
        let report = judge(&run)?;
        let ordinal = u32::try_from(run.reports.len()).unwrap_or(u32::MAX).saturating_add(1);
        let mut draft = Draft::new("eval", run.id(), format!("eval {}: {}", run.id(), report.verdict()));
        draft.report(ordinal, &report)?;
        Ok((draft, (report, ordinal)))
    })?;
    Ok(Outcome { report, stored: Some(ordinal), warning })
}

/// The refusal of a verdict that does not pass (RAPID1225, RAPID1226).
pub fn require_pass(report: &Report) -> Result<()> {
    let code = match report.verdict() {
        Verdict::Pass | Verdict::PassWithWaivers => return Ok(()),
        Verdict::Unverified => Code::Rapid1225,
        Verdict::Fail => Code::Rapid1226,
    };
    let mut missing: Vec<String> = report.missing().iter().map(ToString::to_string).collect();
    // That the run is not over follows from anything else that is missing.
    if missing.len() > 1 {
        missing.retain(|id| *id != AssertionId::lifecycle().to_string());
    }
    Err(code
        .because(format!("the verdict on run '{}' is {}", report.run_id, report.verdict()))
        .hint(format!("not shown: {}", missing.join(", "))))
}

/// A stored report with what is to be said about it now.
pub struct Stored {
    /// Its number.
    pub ordinal: u32,
    /// The report, replayed.
    pub report: Report,
    /// Why it is no longer the newest word (RAPID1227).
    pub stale: Option<Diagnostic>,
}

/// The stored reports of a run, each replayed (RAPID1223).
pub fn stored(rapid: &Rapid, named: Option<&RunId>) -> Result<(RunId, Vec<Stored>)> {
    let (_, run) = rapid.run(named)?;
    let mut out = Vec::new();
    for (report, ordinal) in run.reports.iter().zip(1..) {
        evaluator::replay(report, &run.contract, &run.states, &run.evidence, run.signed())?;
        let stale = evaluator::staleness(report, &run.contract, run.state()?, &run.evidence);
        out.push(Stored { ordinal, report: report.clone(), stale });
    }
    Ok((run.id().clone(), out))
}
