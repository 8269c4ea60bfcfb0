//! pytest's lines of `-v` (`tests/test_a.py::test_x PASSED [ 50%]`), also with pytest-xdist.

use crate::check::summary::pattern::{patterns, text};
use crate::domain::test_list::{TestList, TestOutcome};

patterns! {
    VERBOSE = r"^(\S+?\.py::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))? +\[ *[0-9]+%\]$";
    WORKER = r"^\[gw[0-9]+\] \[ *[0-9]+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S+?\.py::.+)$";
}

/// The tests.
pub(super) fn read(lines: &[&str]) -> Option<TestList> {
    let mut list = TestList::default();
    for line in lines.iter().filter(|line| line.contains("::")) {
        let (name, word) = if let Some(found) = VERBOSE.captures(line) {
            (text(&found, 1), text(&found, 2))
        } else if let Some(found) = WORKER.captures(line) {
            (text(&found, 2), text(&found, 1))
        } else {
            continue;
        };
        let outcome = match word {
            "PASSED" | "XPASS" => TestOutcome::Passed,
            "SKIPPED" | "XFAIL" => TestOutcome::Skipped,
            _ => TestOutcome::Failed,
        };
        list.add(name, outcome);
    }
    Some(list)
}
