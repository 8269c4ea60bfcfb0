//! The run is over: nothing more is to be done.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::next_action::ActionKind;

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let status = situation.run.state.status;
    if !status.is_terminal() {
        return Answer::no(format!("the run is {status}"));
    }
    let outcome = situation.outcome();
    let mut more = format!("The run is {status}; the outcome is {outcome}.");
    for open in situation.assertions.iter().filter(|a| a.required && !a.status.is_settled()).take(5) {
        more.push_str(&format!(" {}: {}.", open.id, open.reason));
    }
    Answer::yes(format!("the run is {status}"), situation.action(ActionKind::Done, &more))
}
