//! A person said no (or not yet) at a gate.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{lifecycle::Disposition, next_action::ActionKind, report::Status};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let gates = situation.run.state.gates.iter();
    let mut human =
        gates.filter(|gate| gate.required && gate.kind.is_human() && gate.disposition != Disposition::Waived);
    let rejected = human.find_map(|gate| {
        let found = situation.if_acknowledged(gate);
        (found.status == Status::Fail).then_some((gate, found))
    });
    let Some((gate, found)) = rejected else { return Answer::no("no review asks for changes") };
    let what = match situation.is_repairable() {
        true => format!(
            "Give the run up; or repair what was asked for, and a person runs 'git rapid approve {}' again.",
            gate.id
        ),
        false => "In this run the gate can no longer pass: give it up, and start another.".to_owned(),
    };
    let more = format!("A review asks for changes at {}: {}. {what}", gate.id, found.reason);
    let mut action = situation.action(ActionKind::Blocked, &more).command(["git", "rapid", "abort"]);
    action.gate_ids = vec![gate.id.clone()];
    Answer::yes(format!("{}: {}", gate.id, found.reason), action)
}
