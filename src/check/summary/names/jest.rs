//! jest's tree of a verbose run: a line per file, groups and tests below it by indentation, up to the first empty line.

use crate::check::summary::pattern::{patterns, text};
use crate::domain::test_list::{TestList, TestOutcome};

patterns! {
    FILE = r"^(?:PASS|FAIL) +(\S+)(?: \([0-9.]+ m?s\))?$";
    TEST = r"^( +)([✓✕○✎]) (?:(?:skipped|todo) )?(.+?)(?: \([0-9.]+ m?s\))?$";
    GROUP = r"^( +)([^ ].*)$";
}

/// The tests.
pub(super) fn read(lines: &[&str]) -> Option<TestList> {
    let mut list = TestList::default();
    // The names around a line, each with its indentation; none outside of a tree.
    let mut around: Vec<(usize, String)> = Vec::new();
    for line in lines {
        if let Some(found) = FILE.captures(line) {
            around = vec![(0, text(&found, 1).to_owned())];
        } else if line.is_empty() {
            around.clear();
        } else if around.is_empty() {
            continue;
        } else if let Some(found) = TEST.captures(line) {
            around.retain(|(indentation, _)| *indentation < text(&found, 1).len());
            let outcome = match text(&found, 2) {
                "✓" => TestOutcome::Passed,
                "✕" => TestOutcome::Failed,
                _ => TestOutcome::Skipped,
            };
            let path: Vec<&str> = around.iter().map(|(_, name)| name.as_str()).collect();
            list.add(&format!("{} > {}", path.join(" > "), text(&found, 3)), outcome);
        } else if let Some(found) = GROUP.captures(line) {
            let indentation = text(&found, 1).len();
            around.retain(|(other, _)| *other < indentation);
            around.push((indentation, text(&found, 2).to_owned()));
        }
    }
    Some(list)
}
