//! Judging reports that were stored (§5.6): a report is true when the same question gives the same answer again.

use super::{Case, Input, preconditions, rule_list::ruleset_digest};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{contract::Contract, evidence::Evidence, report::Report, run::RunState, signer::Signed};

/// Asks the report's question again and refuses any other answer (RAPID1223). The report may be older than the run: it must
/// speak of one of its states and of a beginning of its evidence, which is in order.
pub fn replay(
    report: &Report,
    contract: &Contract,
    states: &[RunState],
    evidence: &[Evidence],
    signed: &Signed,
) -> Result<()> {
    if report.run_id != contract.run_id || report.contract_digest != contract.digest() {
        return Err(untrue("it is of another run or contract"));
    }
    if report.ruleset_digest != ruleset_digest(report.ruleset) {
        return Err(untrue(format!("its rules are not those of ruleset {}", report.ruleset.number())));
    }
    let state = states.iter().find(|state| state.revision == report.state_revision);
    let Some(state) = state.filter(|state| state.digest() == report.state_digest) else {
        return Err(untrue(format!("the run has no such state {}", report.state_revision)));
    };
    let judged = Evidence::prefix_with_digest(&contract.run_id, evidence, report.evidence_set_digest);
    let Some(judged) = judged else { return Err(untrue("its evidence is no beginning of the run's")) };
    if let Some(later) = judged.iter().find(|item| item.state_revision > state.revision) {
        return Err(untrue(format!("{} is bound to a later state than the report", later.id)));
    }
    let input =
        Input::new(contract, state, judged).by(report.ruleset).requiring(&report.extra_capability_ids).signed(signed);
    preconditions::check(&input)?;
    // That its evidence is what it says was just found out, digest by digest.
    match super::report(&input, &Case::new(&input), report.evidence_set_digest) == *report {
        true => Ok(()),
        false => Err(untrue("the same question has another answer")),
    }
}

fn untrue(why: impl std::fmt::Display) -> Diagnostic {
    Code::Rapid1223.because(format!("the report does not follow from its run: {why}"))
}

/// Says when a report speaks of less than there is now, or by other rules than the run's (RAPID1227).
pub fn staleness(
    report: &Report,
    contract: &Contract,
    current: &RunState,
    evidence: &[Evidence],
) -> Option<Diagnostic> {
    let stale = |why: String| Some(Code::Rapid1227.because(why).hint("run 'git rapid eval run' to ask again"));
    if report.state_digest != current.digest() {
        return stale(format!(
            "the report speaks of state {}, the run is in state {}",
            report.state_revision, current.revision
        ));
    }
    if report.evidence_set_digest != Evidence::set_digest(&contract.run_id, evidence) {
        return stale("evidence was added after the report".to_owned());
    }
    if report.ruleset_digest != ruleset_digest(contract.ruleset) {
        return stale(format!(
            "the report is by ruleset {}, the run by {}",
            report.ruleset.number(),
            contract.ruleset.number()
        ));
    }
    None
}
