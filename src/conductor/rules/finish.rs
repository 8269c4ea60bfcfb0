//! Nothing is left to be shown or decided: close the run.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::next_action::{Action, ActionKind};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    Answer::yes("nothing is left to be shown or decided", action(situation))
}

pub(in crate::conductor) fn action(situation: &Situation<'_>) -> Action {
    situation.action(ActionKind::Finish, "").command(["git", "rapid", "finish"])
}
