//! The work is done and something is contradicted for good.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{
    gate::{GateKind, Phase},
    next_action::ActionKind,
    report::{Assertion, Status},
};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    if !situation.work_is_done() {
        return Answer::no("the work is not done");
    }
    let machine = [Phase::PreExecution, Phase::PostExecution]
        .into_iter()
        .flat_map(|phase| situation.unbacked_machine_gates(phase));
    let gates: Vec<(GateKind, Assertion)> =
        machine.filter(|(_, found)| found.status == Status::Fail).map(|(gate, found)| (gate.kind, found)).collect();
    let lost = match situation.is_repairable() {
        // Where a newer item supersedes an older one, only where the run works is settled for good.
        true => gates.into_iter().find(|(kind, _)| *kind == GateKind::WorkspaceIsolation).map(|(_, found)| found),
        false => {
            let gate = gates.into_iter().map(|(_, found)| found).next();
            gate.or_else(|| situation.standing(Status::Fail).next().cloned())
        }
    };
    let Some(lost) = lost else { return Answer::no("nothing is contradicted for good") };
    let more = format!("In this run {} can no longer pass: {}. Give it up, and start another.", lost.id, lost.reason);
    let saw = format!("{}: {}", lost.id, lost.reason);
    Answer::yes(saw, situation.action(ActionKind::Blocked, &more).command(["git", "rapid", "abort"]))
}
