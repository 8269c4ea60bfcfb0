//! The rules, in the order in which they are asked. To add one: a file, a line here.

mod activate;
mod approval;
mod baseline;
mod blocked;
mod contradiction;
pub(super) mod finish;
mod isolation;
pub(super) mod no_run;
mod over;
mod permission;
mod refactor;
mod rejection;
mod task;
mod verify;

use super::situation::Situation;
use crate::domain::next_action::Action;

/// One rule.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) ask: fn(&Situation<'_>) -> Answer,
}

/// What a rule saw, and what to do when it applies.
pub(super) struct Answer {
    pub(super) saw: String,
    pub(super) action: Option<Action>,
}

impl Answer {
    fn no(saw: impl Into<String>) -> Answer {
        Answer { saw: saw.into(), action: None }
    }

    fn yes(saw: impl Into<String>, action: Action) -> Answer {
        Answer { saw: saw.into(), action: Some(action) }
    }
}

/// All of them but the one for no run at all, which is asked first.
pub(super) const IN_ORDER: &[Rule] = &[
    Rule { name: "over", ask: over::ask },
    Rule { name: "blocked", ask: blocked::ask },
    Rule { name: "rejection", ask: rejection::ask },
    Rule { name: "isolation", ask: isolation::ask },
    Rule { name: "baseline", ask: baseline::ask },
    Rule { name: "permission", ask: permission::ask },
    Rule { name: "activate", ask: activate::ask },
    Rule { name: "task", ask: task::ask },
    Rule { name: "refactor", ask: refactor::ask },
    Rule { name: "contradiction", ask: contradiction::ask },
    Rule { name: "verify", ask: verify::ask },
    Rule { name: "approval", ask: approval::ask },
    Rule { name: "finish", ask: finish::ask },
];
