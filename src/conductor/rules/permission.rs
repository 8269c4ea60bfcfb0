//! A person has to let the work begin (Q8).

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{gate::Phase, lifecycle::RunStatus, next_action::ActionKind, run::GateState};
use crate::evaluator;

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let state = situation.run.state;
    if state.status != RunStatus::Prepared {
        return Answer::no(format!("the run is {}", state.status));
    }
    let open: Vec<&GateState> = state.undecided(Phase::PreExecution).filter(|gate| gate.kind.is_human()).collect();
    let Some(first) = open.first() else { return Answer::no("no person has to let the work begin") };
    let so_far = evaluator::asked_of_people(&situation.case, first).unwrap_or_default();
    let first = &first.id;
    let more = format!("A person has to decide {first} before the work begins. {so_far}");
    let mut action = situation.action(ActionKind::AwaitHumanApproval, more.trim()).command([
        "git",
        "rapid",
        "approve",
        first.as_str(),
    ]);
    let saw = format!("{first} is undecided");
    action.gate_ids = open.iter().map(|gate| gate.id.clone()).collect();
    Answer::yes(saw, action)
}
