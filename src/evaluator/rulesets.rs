//! The four rulesets as data: one row of switches each. The families of assertions read the switches and nothing else, so
//! what a ruleset does is what its row says. The same in words: `rule_list`.

use crate::domain::contract::Ruleset;

/// What makes a green check count for the gates on tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// A log is kept with it, whoever made it.
    Logged,
    /// Our own check ran it, and the tests were really run (`qualification`).
    Qualified,
}

/// What makes an approving review count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reviews {
    /// Its type.
    Anybodys,
    /// It was not made by an agent's harness.
    NotAHarness,
    /// A person made it with `git rapid approve`.
    ByApprove,
}

/// What makes a check count for the gate on the architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Architecture {
    /// The ruleset knows no such gate.
    Unknown,
    /// A log is kept with it.
    Logged,
    /// Our own check ran it, on a known tree.
    OwnCheck,
    /// Our own check ran `git rapid arch check`, on a known tree.
    OwnCommand,
}

/// How several items on one subject are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    /// Any red one decides.
    RedWins,
    /// The newest one decides.
    NewestWins,
}

/// What an expected failure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reproduction {
    /// Nothing special.
    Unknown,
    /// It must really have failed.
    Failed,
    /// It must really have failed before the repair, and be green after it.
    FailedThenRepaired,
}

/// A ruleset's switches.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) ruleset: Ruleset,
    pub(super) checks: Checks,
    pub(super) reviews: Reviews,
    pub(super) architecture: Architecture,
    pub(super) together: Together,
    pub(super) reproduction: Reproduction,
    /// Items count only for the final tree.
    pub(super) currency: bool,
    /// Lost tests ask for a person's consent.
    pub(super) lost_tests: bool,
    /// A contract may ask for signatures.
    pub(super) signatures: bool,
    /// Research may be shown by an artifact; a worktree that `start` made is a workspace of any run.
    pub(super) lenient_places: bool,
}

const TABLE: [Rules; 4] = [
    Rules {
        ruleset: Ruleset::V1,
        checks: Checks::Logged,
        reviews: Reviews::Anybodys,
        architecture: Architecture::Unknown,
        together: Together::RedWins,
        reproduction: Reproduction::Unknown,
        currency: false,
        lost_tests: false,
        signatures: false,
        lenient_places: false,
    },
    Rules {
        ruleset: Ruleset::V2,
        checks: Checks::Logged,
        reviews: Reviews::NotAHarness,
        architecture: Architecture::Logged,
        together: Together::RedWins,
        reproduction: Reproduction::Failed,
        currency: false,
        lost_tests: false,
        signatures: false,
        lenient_places: false,
    },
    Rules {
        ruleset: Ruleset::V3,
        checks: Checks::Qualified,
        reviews: Reviews::ByApprove,
        architecture: Architecture::OwnCheck,
        together: Together::RedWins,
        reproduction: Reproduction::Failed,
        currency: false,
        lost_tests: false,
        signatures: false,
        lenient_places: true,
    },
    Rules {
        ruleset: Ruleset::V4,
        checks: Checks::Qualified,
        reviews: Reviews::ByApprove,
        architecture: Architecture::OwnCommand,
        together: Together::NewestWins,
        reproduction: Reproduction::FailedThenRepaired,
        currency: true,
        lost_tests: true,
        signatures: true,
        lenient_places: true,
    },
];

impl Rules {
    /// The switches of a ruleset.
    pub(super) fn of(ruleset: Ruleset) -> &'static Rules {
        static ROWS: [Rules; 4] = TABLE;
        let [.., strictest] = &ROWS;
        ROWS.iter().find(|rules| rules.ruleset == ruleset).unwrap_or(strictest)
    }

    /// Whether an expected failure is told apart from any other.
    pub(super) fn knows_expected_failures(&self) -> bool {
        self.reproduction != Reproduction::Unknown
    }
}
