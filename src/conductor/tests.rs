//! Tests of the conductor: each rule beside the one before it (`each`), whole runs driven by nothing but the advice (`play`),
//! every state of small runs (`reach`), playbooks (`books`).

mod books;
mod each;
mod play;
mod reach;

use super::*;
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
