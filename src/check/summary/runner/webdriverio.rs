//! WebdriverIO: `Spec Files:\t 2 passed, 1 failed, 3 total (100% completed) in 00:00:05`; its unit is the file.
//!
//! Not here: what its workers print.

use super::Lines;
use crate::check::summary::Runner;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};

patterns! {
    TOTAL = r"^Spec Files:\s+(.+), ([0-9]+) total \(([0-9]+)% completed\)";
}

/// Finds WebdriverIO's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.starts_with("Spec Files:").then(|| TOTAL.captures(line)).flatten() else { continue };
        let Some(parts) = counted_words(text(&found, 1), ", ") else { continue };
        let counts = sort_words(&parts, &["passed"], &["skipped"], &["retries"]);
        let whole = counts.total() == number(&found, 2) && number(&found, 3) == 100;
        loose.session(Session::sound(Runner::Webdriverio, at, at, counts).unless(whole, INCONSISTENT), false);
    }
    loose.finish(findings);
}
