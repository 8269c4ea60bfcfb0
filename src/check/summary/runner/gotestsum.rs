//! gotestsum: `DONE 7 tests, 1 skipped, 2 failures in 0.5s`, which sums up the packages above it.
//!
//! Not here: the go lines some of its formats show.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    DONE = r"(?x)^DONE(?:\ [0-9]+\ runs,)?\ ([0-9]+)\ tests?(?:,\ ([0-9]+)\ skipped)?(?:,\ ([0-9]+)\ failures?)?
        (?:,\ ([0-9]+)\ errors?)?\ in\ [0-9.]+m?s$";
    PACKAGE = r"^(?:✓|✖|∅|PASS|FAIL|EMPTY|ok|\[\S+\]|::)\s*\S";
}

/// Finds gotestsum's closing lines.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut packages: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("DONE ").then(|| DONE.captures(line)).flatten() {
            let (total, skipped, failures) = (number(&found, 1), number(&found, 2), number(&found, 3));
            let spoken_for = skipped.saturating_add(failures);
            let failed = failures.saturating_add(number(&found, 4));
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, skipped);
            let session = Session::sound(Runner::Gotestsum, at, at, counts).unless(spoken_for <= total, INCONSISTENT);
            loose.session(session, packages > 0);
            packages = 0;
        } else if PACKAGE.is_match(line) {
            packages = packages.saturating_add(1);
        }
    }
    loose.finish(findings);
}
