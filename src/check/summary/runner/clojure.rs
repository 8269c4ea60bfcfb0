//! clojure.test: `Ran 2 tests containing 3 assertions.` and `0 failures, 0 errors.`
//!
//! Its failures are assertions, so a red run does not say how many tests passed. Not here: kaocha and others.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::Loose;
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran ([0-9]+) tests containing [0-9]+ assertions\.$";
    FAILURES = r"^([0-9]+) failures, ([0-9]+) errors\.$";
}

/// Finds clojure.test's totals. Among several, one is borne out by a namespace above it.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut testing = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Testing ") {
            testing = true;
        } else if let Some(ran) = line.starts_with("Ran ").then(|| RAN.captures(line)).flatten()
            && let Some(found) = lines.get(at + 1).and_then(|next| FAILURES.captures(next))
        {
            let failed = number(&found, 1).saturating_add(number(&found, 2));
            let passed = if failed == 0 { number(&ran, 1) } else { 0 };
            let session = Session::sound(Runner::ClojureTest, at, at + 1, Counts::new(passed, failed, 0));
            loose.session(session, std::mem::take(&mut testing));
        }
    }
    loose.finish(findings);
}
