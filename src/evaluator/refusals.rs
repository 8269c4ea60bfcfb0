//! What stands between a run and its end, as diagnostics: checks that do not qualify (RAPID1432), code that changed after an
//! approval (1433) or that no check speaks of (1434), another test command than the baseline's (1435).
//!
//! The same questions under ruleset 3, whose verdict does not ask for the final tree, and under ruleset 4, whose verdict does.
//! Under rulesets 1 and 2 nothing here is asked.

use super::{
    Input,
    case::{Case, facts, tree_of_check},
    gate, kept,
    rulesets::Checks,
    weight::{Weight, Why},
};
use crate::diagnostics::{Code, Diagnostic};
use crate::domain::{
    evidence::{Evidence, Payload, Review, ReviewOutcome, Via},
    gate::{GateKind, Phase},
    git_id::GitId,
    ids::GateId,
    lifecycle::Disposition,
    report::Status,
    run::GateState,
    text::Producer,
};

/// Says when there are checks for a gate on tests, and none that qualifies (RAPID1432).
pub fn unqualified(input: &Input<'_>) -> Option<Diagnostic> {
    let case = Case::new(input);
    let gates = case.state.gates.iter().filter(|gate| is_about_tests(gate) && gate.disposition != Disposition::Waived);
    gates.filter(|gate| gate::if_acknowledged(&case, gate).status == Status::Unverified).find_map(|gate| {
        gate::weighed(&case, gate).into_iter().rev().find_map(|w| match w.weight {
            Weight::Void(Why::Unqualified(lack)) | Weight::Aside(Why::Unqualified(lack)) => Some(
                Code::Rapid1432
                    .because(format!("{} does not qualify for {}: {lack}", w.item.id, gate.id))
                    .hint(format!("run 'git rapid check --gate {}' with the test command", gate.id)),
            ),
            _ => None,
        })
    })
}

fn is_about_tests(gate: &GateState) -> bool {
    matches!(gate.kind, GateKind::BaselineCheck | GateKind::ImplementationTests) && gate.required
}

/// Why a gate may not be approved yet for the code of `tree` (`None`: it cannot be named): no qualified check speaks of that
/// code (RAPID1434, Q13). What is decided before the work is not about its result, so nothing is asked there.
pub fn approval_refusal(input: &Input<'_>, gate: &GateId, tree: Option<&GitId>) -> Option<Diagnostic> {
    let about_result = input.state.gate(gate).is_ok_and(gate::is_about_the_result);
    about_result.then(|| untested(&Case::new(input).about(tree), tree)).flatten()
}

/// Why a run may not be finished with the code of `tree` (`None`: it cannot be named), most basic reason first.
pub fn finish_refusals(input: &Input<'_>, tree: Option<&GitId>) -> Vec<Diagnostic> {
    let case = Case::new(input).about(tree);
    let stale = stale_approvals(&case, tree).into_iter().map(|(gate, item)| outdated(gate, item));
    untested(&case, tree).into_iter().chain(stale).chain(other_command(&case, tree)).collect()
}

/// The required gate on tests, where the ruleset asks whether checks qualify and nobody waived it.
fn tests_gate<'a>(case: &Case<'a>) -> Option<&'a GateState> {
    let asked = case.rules.checks == Checks::Qualified;
    case.state.gates.iter().find(|gate| {
        asked && gate.kind == GateKind::ImplementationTests && gate.required && gate.disposition != Disposition::Waived
    })
}

/// RAPID1434 unless the tests are shown green for `tree`.
pub(crate) fn untested(case: &Case<'_>, tree: Option<&GitId>) -> Option<Diagnostic> {
    let gate = tests_gate(case)?;
    let found = gate::if_acknowledged(case, gate);
    let check = kept::tests_check(case);
    let why = match (found.status, tree, check.and_then(tree_of_check), check) {
        (Status::Fail, ..) => format!("the tests are red: {}", found.reason),
        (_, Some(tree), Some(checked), _) if tree == checked => return None,
        (_, None, ..) => "the code cannot be named as a tree, so no check can speak of it".to_owned(),
        (_, Some(_), Some(checked), Some(check)) => {
            format!("the code changed after {}, the newest check that counts (tree {})", check.id, checked.short())
        }
        (_, Some(tree), ..) => format!("no qualified check speaks of this code (tree {})", tree.short()),
    };
    Some(Code::Rapid1434.because(why).hint(format!("run 'git rapid check --gate {}'", gate.id)))
}

/// The acknowledged human gates whose newest approval by a person is not of `tree`, with that approval.
pub(crate) fn stale_approvals<'a>(case: &Case<'a>, tree: Option<&GitId>) -> Vec<(&'a GateState, &'a Evidence)> {
    if case.rules.checks != Checks::Qualified {
        return Vec::new();
    }
    let decided = case.state.gates.iter().filter(|gate| {
        gate.kind.is_human() && gate.phase == Phase::PostExecution && gate.disposition == Disposition::Acknowledged
    });
    let newest = |gate: &GateState| {
        case.items.iter().rev().copied().find_map(|item| approval(item, gate).map(|review| (item, review)))
    };
    let with_approval = decided.filter_map(|gate| newest(gate).map(|(item, review)| (gate, item, review)));
    let stale = with_approval.filter(|(_, _, review)| tree.is_none() || review.tree.as_ref() != tree);
    stale.map(|(gate, item, _)| (gate, item)).collect()
}

fn approval<'a>(item: &'a Evidence, gate: &GateState) -> Option<&'a Review> {
    match &item.payload {
        Payload::Review(review)
            if item.producer == Producer::User
                && review.via == Some(Via::Approve)
                && review.outcome == ReviewOutcome::Approved
                && gate.kind.review() == Some(review.review_type)
                && item.gate_ids.contains(&gate.id) =>
        {
            Some(review)
        }
        _ => None,
    }
}

/// RAPID1433 for an approval that speaks of other code.
pub(crate) fn outdated(gate: &GateState, item: &Evidence) -> Diagnostic {
    Code::Rapid1433
        .because(format!("the code changed after {} was approved ({})", gate.id, item.id))
        .hint(format!("ask a person to look again: 'git rapid approve {}'", gate.id))
}

pub(crate) fn other_command(case: &Case<'_>, tree: Option<&GitId>) -> Option<Diagnostic> {
    tests_gate(case)?;
    let (before, now) = (kept::baseline_check(case)?, kept::tests_check(case)?);
    if !kept::commands_differ(before, now) || tree.is_some_and(|tree| kept::acceptance(case, tree).is_some()) {
        return None;
    }
    let words = |item| {
        facts(item).and_then(|facts| facts.command.as_ref()).map_or("another command".to_owned(), |c| c.join(" "))
    };
    Some(
        Code::Rapid1435
            .because(format!("{} ran '{}', the baseline {} ran '{}'", now.id, words(now), before.id, words(before)))
            .hint("run the baseline's command: 'git rapid check --gate gate.tests -- …'")
            .hint("or a person accepts the other one: 'git rapid finish --accept-test-command'"),
    )
}
