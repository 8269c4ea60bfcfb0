//! A person has to let the work begin (Q8).

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{gate::Phase, ids::GateId, lifecycle::RunStatus, next_action::ActionKind};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let state = situation.run.state;
    if state.status != RunStatus::Prepared {
        return Answer::no(format!("the run is {}", state.status));
    }
    let open: Vec<GateId> =
        state.undecided(Phase::PreExecution).filter(|gate| gate.kind.is_human()).map(|gate| gate.id.clone()).collect();
    let Some(first) = open.first() else { return Answer::no("no person has to let the work begin") };
    let more = format!("A person has to decide {first} before the work begins.");
    let mut action =
        situation.action(ActionKind::AwaitHumanApproval, &more).command(["git", "rapid", "approve", first.as_str()]);
    let saw = format!("{first} is undecided");
    action.gate_ids = open;
    Answer::yes(saw, action)
}
