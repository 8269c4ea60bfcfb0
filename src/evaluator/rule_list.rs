//! The four rulesets in words: the list of rules whose canonical digest names a ruleset in reports.
//!
//! What is computed is in the switches (`rulesets`) and the families; this is what a reader is told they do. The texts are
//! digested, so changing one is a change of the ruleset: give the new wording the number of the ruleset that brings it.

use crate::domain::{contract::Ruleset, digest::Digest, json::Value};

struct Rule {
    id: &'static str,
    category: &'static str,
    /// The ruleset that brought this wording.
    version: u8,
    /// The last ruleset that has it.
    until: u8,
    description: &'static str,
}

const NEWEST: u8 = 4;

const fn rule(id: &'static str, category: &'static str, span: (u8, u8), description: &'static str) -> Rule {
    Rule { id, category, version: span.0, until: span.1, description }
}

const RULES: &[Rule] = &[
    rule(
        "capability.observed",
        "capability",
        (1, 2),
        "A capability that the contract or the caller asks for passes when an item of its kind shows it and fails when one contradicts it. Workspaces contradict only when they claim the capability. Taking in context and reading leave nothing to be observed.",
    ),
    rule(
        "capability.observed",
        "capability",
        (3, 3),
        "As before; tests.execute asks for what the gate on tests asks for, an artifact bound to a task is file activity in research, and a worktree made by start is also a current workspace.",
    ),
    rule(
        "capability.observed",
        "capability",
        (4, NEWEST),
        "As before; a newer success supersedes an older failure, tests.execute looks at the final tree only and of each command at the newest check, and it is waived with the gate on tests.",
    ),
    rule(
        "combination",
        "gate",
        (1, 3),
        "Of several items bound to one subject any red one decides; else any that shows it; else it is unverified.",
    ),
    rule(
        "combination",
        "gate",
        (4, NEWEST),
        "Of several items bound to one subject the newest that counts decides; older red ones are named as superseded. A newest check of git-rapid's own that does not qualify leaves the subject unverified. Where a run works is decided by any red one.",
    ),
    rule(
        "currency",
        "gate",
        (4, NEWEST),
        "Checks and approvals of what is decided after the work count only when they name the final tree, which is that of the newest record of finish. A red check that names no tree stays in the way, and so does a rejection on any tree.",
    ),
    rule(
        "gate.architecture",
        "gate",
        (2, 2),
        "A check that ended with 0 and kept its log shows that the architecture rules hold; any other is red.",
    ),
    rule("gate.architecture", "gate", (3, 3), "As before, and git-rapid's own check ran it on a known tree."),
    rule("gate.architecture", "gate", (4, NEWEST), "As before, and the command was git rapid arch check."),
    rule(
        "gate.baseline",
        "gate",
        (1, 1),
        "A green test result or command with a log shows the baseline; a red one contradicts it.",
    ),
    rule("gate.baseline", "gate", (2, 2), "As before; an expected failure says nothing of it."),
    rule(
        "gate.baseline",
        "gate",
        (3, NEWEST),
        "A green check shows the baseline when git-rapid ran it on a known tree and the output was counted with at least one executed test, or it was exactly the test command and its output shows nothing that speaks against it. A red one contradicts it; an expected failure says nothing of it.",
    ),
    rule(
        "gate.disposition",
        "gate",
        (1, NEWEST),
        "A waived gate is waived; a gate that nobody decided is unverified whatever the evidence; an acknowledged gate is what the evidence bound to it shows.",
    ),
    rule("gate.isolation", "gate", (1, NEWEST), "An isolated workspace shows isolation, a current one contradicts it."),
    rule(
        "gate.review",
        "gate",
        (1, 1),
        "An approving review of the gate's type shows it, one that is not approving contradicts it.",
    ),
    rule("gate.review", "gate", (2, 2), "As before; an agent's harness cannot approve."),
    rule(
        "gate.review",
        "gate",
        (3, 3),
        "As before; only a review that a person wrote with git rapid approve can approve.",
    ),
    rule(
        "gate.review",
        "gate",
        (4, NEWEST),
        "As before; where the contract asks for signed approvals, only one with a valid signature by an allowed key can approve.",
    ),
    rule(
        "gate.tests",
        "gate",
        (1, 1),
        "A green test result with a log shows that the tests pass; a red one contradicts it.",
    ),
    rule("gate.tests", "gate", (2, 2), "As before; an expected failure says nothing of it."),
    rule("gate.tests", "gate", (3, NEWEST), "As for the baseline."),
    rule(
        "lifecycle",
        "lifecycle",
        (1, NEWEST),
        "A finished run passes, one that failed or was cancelled fails, any other is unverified.",
    ),
    rule(
        "reproduction",
        "task",
        (2, 3),
        "A check that was expected to fail for a task passes when it failed and fails when it did not.",
    ),
    rule(
        "reproduction",
        "task",
        (4, NEWEST),
        "A check that was expected to fail for a task must have failed on another tree than the final one, and the same command must be green on the final tree afterwards. A bugfix must have one.",
    ),
    rule(
        "task.evidence",
        "task",
        (1, 1),
        "A task that is done passes when something bound to it shows so and nothing bound to it is red. Reviews and workspaces do not count. A skipped task is not asked.",
    ),
    rule("task.evidence", "task", (2, 3), "As before; an expected failure neither shows nor contradicts."),
    rule(
        "task.evidence",
        "task",
        (4, NEWEST),
        "As before; of checks, tools and delegates the newest of each decides, and a task that was checked must be green on the final tree, by its own check or by a newer one of the same command.",
    ),
    rule(
        "tests.kept",
        "gate",
        (4, NEWEST),
        "Fewer executed tests than the baseline, more skipped ones, or another command than the baseline's are unverified until a person accepts them for the final tree.",
    ),
    rule(
        "verdict",
        "lifecycle",
        (1, NEWEST),
        "Any required failure fails; else anything required that is unverified leaves the verdict unverified; else anything required that was waived passes with waivers; else it passes.",
    ),
];

/// A ruleset in words, as its digest is taken of it: `{ruleset_version, rules: [{id, category, version, description}]}`, rules
/// by id.
pub fn ruleset_value(ruleset: Ruleset) -> Value {
    let number = ruleset.number();
    let mut rules: Vec<&Rule> = RULES.iter().filter(|rule| (rule.version..=rule.until).contains(&number)).collect();
    rules.sort_by_key(|rule| rule.id);
    let rules = rules.into_iter().map(|rule| {
        Value::object([
            ("id", rule.id.into()),
            ("category", rule.category.into()),
            ("version", i64::from(rule.version).into()),
            ("description", rule.description.into()),
        ])
    });
    Value::object([("ruleset_version", i64::from(number).into()), ("rules", Value::list(rules))])
}

/// The digest that reports name a ruleset by:
///
/// | ruleset | digest |
/// |---|---|
/// | 1 | `97c9b10f461ffa246e5eedc360e31ffeeb7f834f4e48e7cb61fbf502d9bc5259` |
/// | 2 | `7d5ed8fc61f015c6e0dc98f19d2e1f413d0eab85a693a4f097a7eca5cd4090c0` |
/// | 3 | `c2e0e5d427b25ae1d771afbdef6b9f38d625aa2193a7bfe285f23270a8605445` |
/// | 4 | `a7029b750ca34106e0a94ae56b5d5bcf9cbb71e2d1eb337dcff2dfd396a7484e` |
pub fn ruleset_digest(ruleset: Ruleset) -> Digest {
    Digest::of_value(&ruleset_value(ruleset))
}
