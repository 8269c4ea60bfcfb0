//! `go test -json` events, and the `--- PASS` lines of `go test -v` with the package that closes them.

use crate::check::summary::json;
use crate::check::summary::pattern::{patterns, text};
use crate::domain::test_list::{TestList, TestOutcome};
use std::collections::BTreeMap;

patterns! {
    RESULT = r"^ *--- (PASS|FAIL|SKIP): (\S+) \([0-9.]+s\)$";
    PACKAGE = r"^(?:ok  |FAIL|\?   )\t(\S+)(?:\t| |$)";
}

/// The tests, from events where there are any.
pub(super) fn read(lines: &[&str]) -> Option<TestList> {
    let events = events(lines);
    if events.total() > 0 { Some(events) } else { text_lines(lines) }
}

fn events(lines: &[&str]) -> TestList {
    let mut list = TestList::default();
    for line in lines.iter().filter(|line| line.starts_with('{') && line.contains("\"Test\":")) {
        let Some(event) = json::parse(line) else { continue };
        let (Some(action), Some(package), Some(test)) =
            (event.word("Action"), event.word("Package"), event.word("Test"))
        else {
            continue;
        };
        if let Some(outcome) = outcome(action) {
            list.add(&format!("{package} > {test}"), outcome);
        }
    }
    list
}

/// The lines of `-v`: results wait for the line that names their package. One that never comes costs the list.
fn text_lines(lines: &[&str]) -> Option<TestList> {
    let mut list = TestList::default();
    let mut waiting: BTreeMap<&str, Vec<TestOutcome>> = BTreeMap::new();
    for line in lines {
        if let Some(found) = line.contains("--- ").then(|| RESULT.captures(line)).flatten() {
            let (word, name) = (text(&found, 1).to_ascii_lowercase(), found.get(2).map(|name| name.as_str()));
            if let (Some(outcome), Some(name)) = (outcome(&word), name) {
                waiting.entry(name).or_default().push(outcome);
            }
        } else if let Some(found) = line.contains('\t').then(|| PACKAGE.captures(line)).flatten() {
            for (name, outcomes) in std::mem::take(&mut waiting) {
                outcomes.into_iter().for_each(|outcome| list.add(&format!("{} > {name}", text(&found, 1)), outcome));
            }
        }
    }
    waiting.is_empty().then_some(list)
}

fn outcome(word: &str) -> Option<TestOutcome> {
    match word {
        "pass" => Some(TestOutcome::Passed),
        "fail" => Some(TestOutcome::Failed),
        "skip" => Some(TestOutcome::Skipped),
        _ => None,
    }
}
