//! Everything that has to be met before the work is met: let the run begin.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{gate::Phase, ids::GateId, lifecycle::RunStatus, next_action::ActionKind};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let state = situation.run.state;
    if state.status != RunStatus::Prepared {
        return Answer::no(format!("the run is {}", state.status));
    }
    let run = state.run_id.as_str();
    let acknowledge =
        |gate: &GateId| ["git", "rapid", "run", "gate", run, gate.as_str(), "acknowledged"].map(str::to_owned);
    let begin = ["git", "rapid", "run", "status", run, "active"];
    let open: Vec<GateId> = state.undecided(Phase::PreExecution).map(|gate| gate.id.clone()).collect();
    let action = situation.action(ActionKind::Activate, "");
    let mut action = match open.as_slice() {
        [] => action.command(begin),
        [only] => action.command(acknowledge(only)).after(begin),
        // One step after the other; the next answer goes on from there.
        [first, second, ..] => action.command(acknowledge(first)).after(acknowledge(second)),
    };
    action.gate_ids = open;
    Answer::yes("all that has to be met before the work is met", action)
}
