//! A refactoring lost tests: fewer passed after the work than before it.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{mode::Mode, next_action::ActionKind};
use crate::evaluator;

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    if situation.run.contract.mode != Mode::Refactor || !situation.work_is_done() {
        return Answer::no("no refactoring whose tasks are done");
    }
    let Some(drop) = evaluator::passed_drop(&situation.case, situation.tree) else {
        return Answer::no("no passed test is known to be lost");
    };
    let more = format!(
        "{drop}. Bring the lost tests back and check again; or a person accepts it: 'git rapid finish --accept-test-command'."
    );
    let action = situation.action(ActionKind::Blocked, &more);
    Answer::yes(drop, action.command(situation.check(&["--gate", "gate.tests"])))
}
