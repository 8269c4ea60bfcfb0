//! Which green checks count as tests that were run (rulesets 3 and 4; RAPID1432 when one does not): our own check ran them,
//! a summary was counted or the command was exactly the test command, something was executed, and the tree is known.

use super::case::{facts, is_own_check};
use crate::domain::evidence::{Evidence, Payload};

/// What a check lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortfall<'a> {
    /// It is no check at all.
    NoCheck,
    /// 'git rapid check' did not run it.
    NotOurs,
    /// Neither was a summary counted nor was it the test command.
    NotTheTests,
    /// No test was executed.
    NothingRan,
    /// What it printed shows no tests that passed, for this reason.
    Uncounted(&'a str),
    /// The code changed while it ran.
    TreeChanged,
    /// It names no tree.
    NoTree,
}

impl std::fmt::Display for Shortfall<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Shortfall::NoCheck => f.write_str("it is no check"),
            Shortfall::NotOurs => f.write_str("'git rapid check' did not run it"),
            Shortfall::NotTheTests => f.write_str("no test summary was counted, and it was not the test command"),
            Shortfall::NothingRan => f.write_str("no test was executed"),
            Shortfall::Uncounted(why) => write!(f, "its output does not show that tests passed ({why})"),
            Shortfall::TreeChanged => f.write_str("the code changed while it ran"),
            Shortfall::NoTree => f.write_str("it names no tree"),
        }
    }
}

/// What a check lacks to count as tests that were run; `None` when it counts. Whether it is green is not asked here.
pub(crate) fn shortfall(item: &Evidence) -> Option<Shortfall<'_>> {
    let Some(facts) = facts(item) else { return Some(Shortfall::NoCheck) };
    match (&item.payload, facts.uncounted.as_deref()) {
        _ if !is_own_check(item) => Some(Shortfall::NotOurs),
        _ if hollow(item).is_some() => hollow(item),
        // Without a count it must be said why there is none: our own check always does.
        (Payload::CommandResult { .. }, None) => Some(Shortfall::NotTheTests),
        (payload, _) if !facts.test_command && !is_counted(payload) => Some(Shortfall::NotTheTests),
        _ if facts.tree_changed => Some(Shortfall::TreeChanged),
        _ if facts.tree.is_none() => Some(Shortfall::NoTree),
        _ => None,
    }
}

/// Whether a check says itself that no test passed: an empty, contradictory, truncated or missing run, whatever its exit code.
pub(super) fn hollow(item: &Evidence) -> Option<Shortfall<'_>> {
    match (facts(item)?.uncounted.as_deref(), &item.payload) {
        (None | Some("none" | "no-counts"), Payload::TestResult { counts, .. }) => {
            (counts.passed == 0 && counts.failed == 0).then_some(Shortfall::NothingRan)
        }
        (None | Some("none" | "no-counts"), _) => None,
        (Some("empty"), _) => Some(Shortfall::NothingRan),
        (Some(why), _) => Some(Shortfall::Uncounted(why)),
    }
}

fn is_counted(payload: &Payload) -> bool {
    matches!(payload, Payload::TestResult { counted: true, .. })
}
