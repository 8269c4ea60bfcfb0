//! The sentence for people: what was recognised or not, why, and what would settle it.
//!
//! Not here: any decision.

use super::{Counts, Input, Outcome, Runner, Uncounted};

/// What the sentence speaks of.
pub(super) struct Facts<'a> {
    /// What was read.
    pub input: &'a Input<'a>,
    /// The leading runner.
    pub runner: Option<Runner>,
    /// The counts.
    pub counts: Counts,
    /// The outcome.
    pub outcome: Outcome,
    /// Whether a summary was counted.
    pub counted: bool,
    /// Why nothing verifies.
    pub uncounted: Option<Uncounted>,
    /// What a scanner saw that explains it.
    pub detail: Option<&'a str>,
}

/// One sentence.
pub(super) fn reason(facts: &Facts<'_>) -> String {
    let name = facts.runner.map_or("a test runner", Runner::as_str);
    let Counts { passed, failed, skipped } = facts.counts;
    let numbers = format!("{passed} passed, {failed} failed, {skipped} skipped");
    let detail = facts.detail.unwrap_or("no summary of a known test runner was recognised in the output");
    match (facts.outcome, facts.uncounted) {
        (Outcome::Pass, _) => format!("{name} ran its tests: {numbers}"),
        (Outcome::Fail, _) if facts.counted && failed > 0 && facts.input.exit_code == 0 => {
            format!("{name} reports failures although the command exits with 0: {numbers}")
        }
        (Outcome::Fail, _) if facts.counted && failed > 0 => format!("{name} reports failures: {numbers}"),
        (Outcome::Fail, _) if facts.input.exit_code == 0 => {
            format!("the output shows a failure although the command exits with 0: {detail}")
        }
        (Outcome::Fail, _) if facts.counted => {
            format!("the command exits with {} although {name} reports {numbers}", facts.input.exit_code)
        }
        (Outcome::Fail, _) => format!("the command exits with {}: {detail}", facts.input.exit_code),
        (Outcome::Unverified, Some(Uncounted::Truncated)) => {
            "a part of the output was not read, since it is too long or a program left behind still prints, and it may hold a \
             failure; let the command print less and end what it starts, or count a report with --junit"
                .to_owned()
        }
        (Outcome::Unverified, Some(Uncounted::Contradiction)) => {
            format!("{detail}, so nothing is counted; run the tests so that only their runner prints a summary, once")
        }
        (Outcome::Unverified, Some(Uncounted::Empty)) if facts.counted && passed == 0 => {
            format!("{name} executed no test that passed: {numbers}")
        }
        (Outcome::Unverified, _) => format!("{detail}; {}", stronger(facts.runner)),
    }
}

/// The way to make the text settle it, or to get better evidence than text.
fn stronger(runner: Option<Runner>) -> &'static str {
    runner.and_then(Runner::advice).unwrap_or(
        "run the tests with their runner's ordinary reporter, or end the output with a line such as \
         `12 passed, 0 failed`",
    )
}
