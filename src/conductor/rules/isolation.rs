//! The run needs a worktree of its own and has none (Q9). That cannot be made good in the same run.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{
    gate::{GateKind, Phase},
    lifecycle::RunStatus,
    next_action::ActionKind,
};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let (contract, state) = (situation.run.contract, situation.run.state);
    if state.status != RunStatus::Prepared {
        return Answer::no(format!("the run is {}", state.status));
    }
    let unbacked = situation.unbacked_machine_gates(Phase::PreExecution);
    let Some((gate, found)) = unbacked.into_iter().find(|(gate, _)| gate.kind == GateKind::WorkspaceIsolation) else {
        return Answer::no("no isolation is asked for, or it is shown");
    };
    let more = format!(
        "{} is not met: {}. Give this run up with 'git rapid abort', then start it in a worktree of its own.",
        gate.id, found.reason
    );
    let restart = ["git", "rapid", "start", contract.mode.as_str(), "--spec", contract.spec_id.as_str(), "--worktree"];
    let mut action = situation.action(ActionKind::Blocked, &more).command(restart);
    action.gate_ids = vec![gate.id.clone()];
    Answer::yes(format!("{}: {}", gate.id, found.reason), action)
}
