//! The assertions on gates: first what was decided about a gate, then what the evidence bound to it shows (§4).
//!
//! One file per kind of gate says what an item weighs: `checks` (baseline and tests), `architecture`, `isolation`, `review`.

mod architecture;
mod checks;
mod isolation;
mod review;

use super::{
    approvers,
    assertion::Finding,
    case::Case,
    rulesets::Together,
    weight::{Weighed, Weight, together},
};
use crate::domain::{
    evidence::Evidence,
    gate::{GateKind, Phase},
    ids::AssertionId,
    lifecycle::Disposition,
    report::{Assertion, Category, Status},
    run::GateState,
};

/// `gate.<gate-id>.evidence`, for each required gate in contract order.
pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    case.state.gates.iter().filter(|gate| gate.required).map(|gate| assertion(case, gate, gate.disposition)).collect()
}

/// The assertion on a gate, were it acknowledged.
pub(crate) fn if_acknowledged(case: &Case<'_>, gate: &GateState) -> Assertion {
    let disposition = match gate.disposition {
        Disposition::Pending | Disposition::Acknowledged => Disposition::Acknowledged,
        Disposition::Waived => Disposition::Waived,
    };
    assertion(case, gate, disposition)
}

fn assertion(case: &Case<'_>, gate: &GateState, disposition: Disposition) -> Assertion {
    let found = shown(case, gate);
    let finding = match disposition {
        Disposition::Acknowledged => found,
        Disposition::Pending => {
            let reason = format!("nobody has decided the gate; {}", found.reason);
            Finding { status: Status::Unverified, reason, ids: found.ids }
        }
        Disposition::Waived if approvers::waiver_is_unsigned(case, gate) => {
            let reason = "it was waived without a valid signature by an allowed key".to_owned();
            Finding { status: Status::Unverified, reason, ids: found.ids }
        }
        Disposition::Waived => {
            Finding { status: Status::Waived, reason: format!("waived: {}", gate.reason), ids: found.ids }
        }
    };
    finding.about(AssertionId::gate(&gate.id), Category::Gate, &gate.id, gate.required)
}

fn shown(case: &Case<'_>, gate: &GateState) -> Finding {
    // Where a run works is a fact, not a check that a newer one could supersede.
    let how = match gate.kind {
        GateKind::WorkspaceIsolation => Together::RedWins,
        _ => case.rules.together,
    };
    let weighed = weighed(case, gate);
    approvers::enough(case, gate, &weighed, together(how, &weighed))
}

/// The items bound to a gate that its kind can be shown by, with what they weigh, by ordinal.
pub(super) fn weighed<'a>(case: &Case<'a>, gate: &GateState) -> Vec<Weighed<'a>> {
    let bound = case.items.iter().copied().filter(|item| item.gate_ids.contains(&gate.id));
    bound.filter_map(|item| weight(case, gate, item).map(|weight| Weighed { item, weight })).collect()
}

/// What an item weighs for a gate; `None` when it cannot speak of it.
fn weight<'a>(case: &Case<'a>, gate: &GateState, item: &'a Evidence) -> Option<Weight<'a>> {
    match gate.kind {
        GateKind::WorkspaceIsolation => isolation::weight(item),
        GateKind::BaselineCheck | GateKind::ImplementationTests => checks::weight(case, gate, item),
        GateKind::ArchitectureCheck => architecture::weight(case, gate, item),
        GateKind::ManualApproval
        | GateKind::PeerReview
        | GateKind::SecurityReview
        | GateKind::MigrationReview
        | GateKind::FinalVerification => review::weight(case, gate, item),
    }
}

/// Whether a gate is about the final tree. What is decided before the work is not.
pub(super) fn is_about_the_result(gate: &GateState) -> bool {
    match gate.phase {
        Phase::PreExecution => false,
        Phase::PostExecution => true,
    }
}
