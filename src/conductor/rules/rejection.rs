//! A person said no (or not yet) at a gate.
//!
//! Not here: what was asked for once the code is another than the one that was turned down. Then it is checked and shown to the
//! person again, as any other code is (`verify`, `approval`).

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{
    evidence::{Payload, Review, ReviewOutcome},
    lifecycle::Disposition,
    next_action::ActionKind,
    report::Status,
    run::GateState,
};

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let gates = situation.run.state.gates.iter();
    let mut human =
        gates.filter(|gate| gate.required && gate.kind.is_human() && gate.disposition != Disposition::Waived);
    let rejected = human.find_map(|gate| {
        let found = situation.if_acknowledged(gate);
        (found.status == Status::Fail).then_some((gate, found))
    });
    let Some((gate, found)) = rejected else { return Answer::no("no review asks for changes") };
    let said = words(situation, gate);
    if situation.is_repairable() && is_other_code(situation, gate) {
        return Answer::no(format!("{}: {}, and the code is another now", gate.id, found.reason));
    }
    let about = format!("A review asks for changes at {}: {}.", gate.id, said.as_deref().unwrap_or(&found.reason));
    let mut action = match situation.is_repairable() {
        // Nothing that could be run here is right before somebody has read what was asked for.
        true => situation.action(
            ActionKind::Blocked,
            &format!(
                "{about} Repair what was asked for and check it; then a person runs 'git rapid approve {}' again.",
                gate.id
            ),
        ),
        false => situation
            .action(
                ActionKind::Blocked,
                &format!("{about} In this run the gate can no longer pass: give it up, and start another."),
            )
            .command(["git", "rapid", "abort"]),
    };
    action.gate_ids = vec![gate.id.clone()];
    Answer::yes(format!("{}: {}", gate.id, found.reason), action)
}

/// The newest review of a gate that asks for changes.
fn turned_down<'a>(situation: &'a Situation<'_>, gate: &GateState) -> Option<&'a Review> {
    let reviews = situation.case.items.iter().rev().filter(|item| item.gate_ids.contains(&gate.id));
    let mut asked = reviews.filter_map(|item| match &item.payload {
        Payload::Review(review) => Some(review),
        _ => None,
    });
    asked.find(|review| matches!(review.outcome, ReviewOutcome::ChangesRequested | ReviewOutcome::Rejected))
}

/// What the newest review asks for, and who.
pub(super) fn words(situation: &Situation<'_>, gate: &GateState) -> Option<String> {
    let review = turned_down(situation, gate)?;
    review.comment.as_ref().map(|comment| format!("'{comment}' ({})", review.reviewer))
}

/// Whether the code is known to be another than the one that was turned down.
fn is_other_code(situation: &Situation<'_>, gate: &GateState) -> bool {
    let was = turned_down(situation, gate).and_then(|review| review.tree.as_ref());
    was.is_some_and(|was| situation.tree.is_some_and(|now| now != was))
}
