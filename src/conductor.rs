//! The conductor: what to do next in a run. A pure function over a view of the run; asked twice, it says the same twice, and
//! it changes nothing.
//!
//! Not here: any rule of governance. The conductor asks the `evaluator` what is shown and what is not, and only decides the
//! order in which a worker is told. An ordered list of rules, one file each, first match wins (the specification §5.7, with
//! its §10: Q8 human gates before the work, Q9 missing isolation, Q17 red baseline). Texts come from the mode's playbook.
//!
//! Under ruleset 4 nothing counts before a final tree is recorded. So the conductor judges as if `finish` had just recorded
//! the code as it is ([`RunView::tree`]); while tasks are open, as it was at the newest check.

mod playbook;
mod rules;
mod situation;

pub use playbook::{Playbook, Playbooks};

use crate::domain::{
    contract::{Contract, Ruleset},
    evidence::Evidence,
    git_id::GitId,
    lifecycle::RunStatus,
    mode::Mode,
    next_action::NextAction,
    report::Assertion,
    run::RunState,
    signer::Signed,
};
use situation::Situation;

/// What the conductor looks at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The run that is active here; `None` before there is one.
    pub run: Option<RunView<'a>>,
    /// The mode that is asked about before there is a run.
    pub mode: Option<Mode>,
    /// The texts.
    pub playbooks: &'a Playbooks,
}

/// A run as the conductor looks at it.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'a> {
    /// What was promised.
    pub contract: &'a Contract,
    /// Where the run stands.
    pub state: &'a RunState,
    /// What was observed.
    pub evidence: &'a [Evidence],
    /// The evidence whose signature was found valid.
    pub signed: &'a Signed,
    /// The code as it is now; `None` when it cannot be named, or was not asked for ([`needs_tree`]).
    pub tree: Option<&'a GitId>,
    /// The run's own worktree.
    pub workspace_path: Option<&'a str>,
}

/// The answer and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What to do.
    pub action: NextAction,
    /// Every rule in order, and what it saw.
    pub because: Vec<RuleTrace>,
    /// What `finish` would still miss on the code as it is; of a run that is over, what it missed. Steps that `finish` takes by
    /// itself (machine gates that the evidence backs, the end of the run) are not among it.
    pub missing: Vec<Assertion>,
}

/// What one rule saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleTrace {
    /// The rule.
    pub rule: &'static str,
    /// Whether it decided.
    pub applies: bool,
    /// What it saw, in words.
    pub saw: String,
}

/// Says what to do next.
pub fn next(view: &View<'_>) -> Advice {
    let Some(run) = &view.run else { return rules::no_run::advice(view) };
    let record = situation::assumed_record(run);
    let situation = Situation::of(run, view.playbooks, record.as_ref());
    let mut because = vec![RuleTrace {
        rule: rules::no_run::NAME,
        applies: false,
        saw: format!("run {} is active", run.contract.run_id),
    }];
    let mut decided = None;
    for rule in rules::IN_ORDER {
        let trace = |applies, saw: String| RuleTrace { rule: rule.name, applies, saw };
        if decided.is_some() {
            because.push(trace(false, "not asked".to_owned()));
            continue;
        }
        let answer = (rule.ask)(&situation);
        because.push(trace(answer.action.is_some(), answer.saw));
        decided = answer.action;
    }
    let action = decided.unwrap_or_else(|| rules::finish::action(&situation));
    Advice { missing: situation.missing(), action: situation.answer(action), because }
}

/// Whether the code as it is now can change the answer: only once the work is done, and where the ruleset compares trees.
/// When it cannot, the caller may leave [`RunView::tree`] out and save the snapshot.
pub fn needs_tree(contract: &Contract, state: &RunState) -> bool {
    contract.ruleset >= Ruleset::V3 && state.status == RunStatus::Active && state.tasks_are_terminal()
}

#[cfg(test)]
mod tests;
