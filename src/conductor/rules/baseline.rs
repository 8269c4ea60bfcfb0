//! The tests were not shown green before the work (Q17): run them, after repairing what is red.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{
    gate::{GateKind, Phase},
    lifecycle::RunStatus,
    next_action::ActionKind,
    report::Status,
};
use crate::evaluator;

/// What to do where the tests are fine and the command is not: the run's terms are frozen, so no check mends it.
const WRONG_COMMAND: &str = "When the test command itself is wrong: git rapid abort, set test_command in .rapid/config.toml, commit it, \
                             and start again.";

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let state = situation.run.state;
    if state.status != RunStatus::Prepared {
        return Answer::no(format!("the run is {}", state.status));
    }
    let unbacked = situation.unbacked_machine_gates(Phase::PreExecution);
    let Some((gate, found)) = unbacked.into_iter().find(|(gate, _)| gate.kind == GateKind::BaselineCheck) else {
        return Answer::no("no baseline is asked for, or it is shown");
    };
    let saw = format!("{}: {}", gate.id, found.reason);
    let mut action = if found.status == Status::Fail && !situation.is_repairable() {
        let more = format!(
            "The baseline is contradicted for good: {}. Give the run up, and start another on green tests.",
            found.reason
        );
        situation.action(ActionKind::Blocked, &more).command(["git", "rapid", "abort"])
    } else {
        let newest = situation.case.items.iter().rev().find(|item| evaluator::is_own_check(item));
        let red = match newest.filter(|item| item.payload.fails()) {
            Some(item) => {
                format!(
                    "The newest check ({}) is red: make the tests green first, the run waits. {WRONG_COMMAND}",
                    item.id
                )
            }
            None => match newest.and_then(|item| evaluator::shortfall(item).map(|lack| (item, lack))) {
                Some((item, lack)) => {
                    format!("The newest check ({}) shows nothing: {lack}. Mend that first. {WRONG_COMMAND}", item.id)
                }
                None => String::new(),
            },
        };
        let more = [red.as_str(), situation.test_command_hint()].join(" ");
        situation.action(ActionKind::RunBaseline, more.trim()).command(situation.check(&["--gate", gate.id.as_str()]))
    };
    action.gate_ids = vec![gate.id.clone()];
    Answer::yes(saw, action)
}
