//! Tests of the conductor: each rule beside the one before it (`early`, `late`), whole runs driven by nothing but the advice (`play`),
//! every state of small runs (`reach`), playbooks (`books`).

mod books;
mod early;
mod late;
mod play;
mod reach;

use super::*;
use crate::domain::next_action::ActionKind;
use crate::evaluator::fixture::{Run, tree};
use std::sync::LazyLock;

/// The advice for a run whose code is this tree, twice the same.
fn advice(run: &Run, on: Option<char>) -> Advice {
    static PLAYBOOKS: LazyLock<Playbooks> = LazyLock::new(Playbooks::built_in);
    let on = on.map(tree);
    let view = View {
        run: Some(RunView {
            contract: &run.contract,
            state: run.state(),
            evidence: &run.evidence,
            signed: &run.signed,
            tree: on.as_ref(),
            workspace_path: None,
        }),
        mode: None,
        playbooks: &PLAYBOOKS,
    };
    let advice = next(&view);
    assert_eq!(next(&view), advice, "the same view, the same answer");
    advice
}

/// The rule that decided.
fn decided(advice: &Advice) -> &'static str {
    advice.because.iter().find(|trace| trace.applies).map_or("none", |trace| trace.rule)
}

/// A command as one text.
fn line(command: &Option<Vec<String>>) -> String {
    command.as_ref().map_or(String::new(), |words| words.join(" "))
}

/// The decision, as a test compares it.
#[track_caller]
fn expect(advice: &Advice, rule: &str, kind: ActionKind, command: &str, after: &str) {
    let action = &advice.action.action;
    assert_eq!((decided(advice), action.kind), (rule, kind), "{advice:#?}");
    assert_eq!(line(&action.command), command, "{}", action.instructions);
    assert_eq!(line(&action.after), after, "{}", action.instructions);
}

/// The rulesets that compare trees.
const TREES: [Ruleset; 2] = [Ruleset::V3, Ruleset::V4];
