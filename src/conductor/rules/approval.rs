//! A person has to decide: gates that nobody decided, approvals of other code, tests that are not what they were.

use super::{Answer, rejection};
use crate::conductor::situation::Situation;
use crate::domain::{
    gate::Phase,
    ids::{AssertionId, GateId},
    lifecycle::Disposition,
    next_action::ActionKind,
    report::Status,
    run::GateState,
};
use crate::evaluator;

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    if !situation.work_is_done() {
        return Answer::no("the work is not done");
    }
    let open = open_gates(situation);
    if let Some((first, why)) = open.first() {
        let also = open_consent(situation).map_or_else(String::new, |why| {
            format!(" After that they are asked about the tests, too (git rapid finish --accept-test-command): {why}.")
        });
        let more = format!("Stop here: a person has to decide {first}. {}{also}", why.trim());
        let command = ["git", "rapid", "approve", first.as_str()];
        let mut action = situation.action(ActionKind::AwaitHumanApproval, more.trim()).command(command);
        let saw = if why.is_empty() { format!("{first} is undecided") } else { format!("{first}: {why}") };
        action.gate_ids = open.iter().map(|(gate, _)| gate.clone()).collect();
        return Answer::yes(saw, action);
    }
    let Some(why) = open_consent(situation) else { return Answer::no("no person has to decide anything") };
    let more = format!("Stop here: {why}. Bring the tests back and check again; or a person accepts it.");
    let command = ["git", "rapid", "finish", "--accept-test-command"];
    Answer::yes(why, situation.action(ActionKind::AwaitHumanApproval, &more).command(command))
}

/// The human gates to be decided, or to be decided again, and why again.
fn open_gates(situation: &Situation<'_>) -> Vec<(GateId, String)> {
    let state = situation.run.state;
    let undecided = state.undecided(Phase::PostExecution).filter(|gate| gate.kind.is_human());
    let so_far = |gate: &GateState| match situation.if_acknowledged(gate).status {
        Status::Fail => again(situation, gate),
        _ => evaluator::asked_of_people(&situation.case, gate).unwrap_or_default(),
    };
    let mut open: Vec<(GateId, String)> = undecided.map(|gate| (gate.id.clone(), so_far(gate))).collect();
    for (gate, item) in evaluator::stale_approvals(&situation.case, situation.tree) {
        let outdated = evaluator::outdated(gate, item);
        open.push((gate.id.clone(), format!("{}: {}.", outdated.code, outdated.message)));
    }
    for gate in state.gates.iter().filter(|gate| gate.kind.is_human() && gate.disposition == Disposition::Acknowledged)
    {
        let found = situation.if_acknowledged(gate);
        if open.iter().any(|(id, _)| *id == gate.id) {
            continue;
        }
        match found.status {
            Status::Fail => open.push((gate.id.clone(), again(situation, gate))),
            Status::Unverified => {
                open.push((gate.id.clone(), format!("It was acknowledged, and no review backs it: {}.", found.reason)));
            }
            Status::Pass | Status::Waived | Status::NotApplicable => {}
        }
    }
    open
}

/// Why a gate at which changes were asked for is shown again: the code is another by now, or `rejection` would have stopped.
fn again(situation: &Situation<'_>, gate: &GateState) -> String {
    let asked = rejection::words(situation, gate).map_or_else(String::new, |words| format!(": {words}"));
    format!("Changes were asked for{asked}, and the code was changed since.")
}

/// What a person has to accept about the tests.
fn open_consent(situation: &Situation<'_>) -> Option<String> {
    let kept = AssertionId::tests_kept();
    let lost = situation.standing(Status::Unverified).find(|assertion| assertion.id == kept);
    let other = || evaluator::other_command(&situation.case, situation.tree);
    lost.map(|assertion| assertion.reason.clone()).or_else(|| other().map(|d| format!("{}: {}", d.code, d.message)))
}
