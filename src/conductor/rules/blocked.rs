//! Somebody stopped the run.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{lifecycle::RunStatus, next_action::ActionKind};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let state = situation.run.state;
    if state.status != RunStatus::Blocked {
        return Answer::no(format!("the run is {}", state.status));
    }
    let more = format!(
        "The run was stopped: {}. When the cause is gone, let it go on; or give it up with 'git rapid abort'.",
        state.reason
    );
    let action = situation.action(ActionKind::Blocked, &more);
    Answer::yes(
        "the run is blocked",
        action.command(["git", "rapid", "run", "status", state.run_id.as_str(), "active"]),
    )
}
