//! cargo-nextest's lines (`PASS [   0.008s] (1/5) calc tests::adds`). It names no skipped test unless it is asked to.

use crate::check::summary::pattern::{patterns, text};
use crate::domain::test_list::{TestList, TestOutcome};
use std::collections::BTreeMap;

patterns! {
    RESULT = r"^ +(PASS|FAIL|FLAKY [0-9]+/[0-9]+|TRY [0-9]+ PASS|TIMEOUT|ABORT|SIG[A-Z]+|SKIP|LEAK) \[[ 0-9.s]*\](?: \( *[0-9]+/[0-9]+\))? (\S+) (\S+)$";
}

/// The tests up to the summary; behind it the failed ones are listed once more.
pub(super) fn read(lines: &[&str]) -> Option<TestList> {
    let mut seen: BTreeMap<String, TestOutcome> = BTreeMap::new();
    for line in lines.iter().take_while(|line| !line.trim_start().starts_with("Summary [")) {
        let Some(found) = line.starts_with(' ').then(|| RESULT.captures(line)).flatten() else { continue };
        let outcome = match text(&found, 1) {
            "SKIP" => TestOutcome::Skipped,
            "PASS" | "LEAK" => TestOutcome::Passed,
            word if word.starts_with("FLAKY") || word.ends_with("PASS") => TestOutcome::Passed,
            _ => TestOutcome::Failed,
        };
        seen.insert(format!("{} > {}", text(&found, 2), text(&found, 3)), outcome);
    }
    let mut list = TestList::default();
    seen.iter().for_each(|(name, outcome)| list.add(name, *outcome));
    Some(list)
}
