//! Who approves (ruleset 4 with signed approvals): one person or several, not an author of the change, only those whom the
//! contract names. And that a gate is let go by somebody who signs.
//!
//! Not here: whether a signature holds. A rule can only say no to an approval that counted otherwise.

use super::{
    Input,
    assertion::Finding,
    case::Case,
    gate,
    weight::{Weighed, Weight, Why},
};
use crate::diagnostics::{Code, Diagnostic};
use crate::domain::{
    approvers::Approving,
    evidence::{Evidence, Payload, ReviewOutcome, Via},
    git_id::GitId,
    ids::GateId,
    report::Status,
    run::GateState,
    signer::{Signer, people},
    text::Producer,
};
use std::collections::BTreeSet;

/// What the contract asks of those who approve a gate, where it asks anything that can be seen.
fn rule<'a>(case: &Case<'a>, gate: &GateId) -> Option<&'a Approving> {
    let approvers = case.contract.approvers.as_ref().filter(|_| case.asks_for_signatures())?;
    Some(approvers.of_gate(gate))
}

/// Why a signed approval does not count for a gate.
pub(super) fn unfit<'a>(case: &Case<'a>, gate: &GateState, item: &Evidence) -> Option<Why<'a>> {
    unfit_signer(case, rule(case, &gate.id)?, case.signer(item)?)
}

fn unfit_signer<'a>(case: &Case<'_>, rule: &Approving, signer: &'a Signer) -> Option<Why<'a>> {
    if !rule.from.is_empty() && !rule.from.iter().any(|pattern| signer.fits(pattern)) {
        return Some(Why::NotAsked(signer.name()));
    }
    let authors = if rule.not_author { authors(case) } else { BTreeSet::new() };
    authors.iter().any(|author| signer.may_be(author)).then(|| Why::TheAuthors(signer.name()))
}

/// Everybody whom a record names as an author of the change: who began the run, and whose commits were seen since.
fn authors<'a>(case: &Case<'a>) -> BTreeSet<&'a str> {
    let named = case.items.iter().filter(|item| matches!(item.producer, Producer::Rapid(_) | Producer::User));
    let named = named.flat_map(|item| match &item.payload {
        Payload::Workspace { start: record, .. }
        | Payload::FileChange { finish: record, .. }
        | Payload::GitResult { finish: record, .. } => record.authors.as_slice(),
        Payload::Review(review) => review.authors.as_slice(),
        _ => &[],
    });
    named.map(String::as_str).collect()
}

/// Turns a pass by fewer people than the contract asks for into one that waits for the others.
pub(super) fn enough(case: &Case<'_>, gate: &GateState, weighed: &[Weighed<'_>], found: Finding) -> Finding {
    let Some(rule) = rule(case, &gate.id).filter(|_| gate.kind.is_human() && found.status == Status::Pass) else {
        return found;
    };
    // Who approved before somebody asked for changes has to look again.
    let from = weighed.iter().rposition(|w| w.weight == Weight::Against).map_or(0, |at| at + 1);
    let counted = weighed.iter().skip(from).filter(|w| w.weight == Weight::For);
    let approved = people(counted.filter_map(|w| case.signer(w.item)));
    if approved.len() >= usize::try_from(rule.need).unwrap_or(usize::MAX) {
        return found;
    }
    let names: Vec<&str> = approved.iter().map(|signer| signer.name()).collect();
    let reason = format!("{} of {} approved so far: {}", approved.len(), rule.words(), names.join(", "));
    Finding { status: Status::Unverified, reason, ids: found.ids }
}

/// Whether a gate was let go by nobody who may and signed, where the contract asks for signatures.
pub(super) fn waiver_is_unsigned(case: &Case<'_>, gate: &GateState) -> bool {
    let waives = |item: &&Evidence| match &item.payload {
        Payload::Review(review) => {
            item.producer == Producer::User
                && review.via == Some(Via::Approve)
                && review.outcome == ReviewOutcome::Waived
                && item.gate_ids.contains(&gate.id)
                && !case.lacks_signature(item)
                && unfit(case, gate, item).is_none()
        }
        _ => false,
    };
    case.asks_for_signatures() && !case.items.iter().copied().any(|item| waives(&item))
}

/// Whether a gate may be acknowledged for the code of `tree`: the people whom the contract asks for have approved.
pub fn approval_is_enough(input: &Input<'_>, gate: &GateId, tree: &GitId) -> bool {
    let case = Case::new(input).about(Some(tree));
    match case.state.gate(gate) {
        Ok(state) if rule(&case, gate).is_some() => gate::if_acknowledged(&case, state).status == Status::Pass,
        _ => true,
    }
}

/// What the contract asks of those who approve a gate that is open, and how far that is met; `None` where it asks for nothing
/// but a person.
pub(crate) fn asked_of_people(case: &Case<'_>, gate: &GateState) -> Option<String> {
    if !case.asks_for_signatures() {
        return None;
    }
    let rule = rule(case, &gate.id).map_or_else(|| Approving::default().words(), Approving::words);
    let found = gate::if_acknowledged(case, gate);
    Some(match found.status {
        Status::Pass => format!("Signed approval by {rule}."),
        _ => format!("Signed approval by {rule}; {}.", found.reason),
    })
}

/// The same, for whoever is about to approve.
pub fn approvals_asked(input: &Input<'_>, gate: &GateId) -> Option<String> {
    let case = Case::new(input);
    case.state.gate(gate).ok().filter(|gate| gate.kind.is_human()).and_then(|gate| asked_of_people(&case, gate))
}

/// Why somebody who signs may not approve a gate (RAPID1447).
pub fn cannot_approve(input: &Input<'_>, gate: &GateId, signer: &Signer) -> Option<Diagnostic> {
    let case = Case::new(input);
    let why = unfit_signer(&case, rule(&case, gate)?, signer)?.to_string();
    Some(Code::Rapid1447.because(why).hint("ask somebody else to run this command"))
}
