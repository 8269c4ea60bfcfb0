//! `dart test` and `flutter test`: `00:01 +3 ~1 -1: Some tests failed.`, the last of the redrawn lines.
//!
//! Not here: `--reporter json`.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    LINE = r"^(?:[0-9]+:)?[0-9]+:[0-9]{2} \+([0-9]+)(?: ~([0-9]+))?(?: -([0-9]+))?: (.*)$";
}

/// Finds final lines. Among several, one is borne out by the count reached before it.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut reached: Option<u64> = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.contains(" +").then(|| LINE.captures(line)).flatten() else { continue };
        let mut counts = Counts::new(number(&found, 1), number(&found, 3), number(&found, 2));
        match text(&found, 4) {
            "All tests passed!" | "All tests skipped." | "No tests ran." => {}
            "Some tests failed." => counts.failed = counts.failed.max(1),
            _ => {
                reached = reached.max(Some(counts.passed));
                continue;
            }
        }
        let supported = reached.take().is_some_and(|reached| reached.saturating_add(1) >= counts.passed);
        loose.session(Session::sound(Runner::Dart, at, at, counts), supported);
    }
    loose.finish(findings);
}
