//! ginkgo: `Ran 2 of 4 Specs in …` and `SUCCESS! -- 2 Passed | 0 Failed | 2 Pending | 0 Skipped`.
//!
//! Under `go test -v` the go test around the suite is the outer session. Not here: that one.

use super::Lines;
use crate::check::summary::Runner;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};

patterns! {
    RAN = r"^Ran ([0-9]+) of [0-9]+ Specs? in [0-9.]+ seconds$";
    VERDICT = r"^(SUCCESS|FAIL)! -- (.+)$";
}

/// Finds ginkgo's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut running = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Running Suite: ") {
            running = true;
        } else if let Some(ran) = line.starts_with("Ran ").then(|| RAN.captures(line)).flatten()
            && let Some(verdict) = lines.get(at + 1).and_then(|next| VERDICT.captures(next))
            && let Some(parts) = counted_words(text(&verdict, 2), " | ")
        {
            let mut counts = sort_words(&parts, &["Passed"], &["Pending", "Skipped"], &["Flaked", "Flakes"]);
            if text(&verdict, 1) == "FAIL" {
                counts.failed = counts.failed.max(1);
            }
            let session = Session::sound(Runner::Ginkgo, at, at + 1, counts)
                .unless(counts.passed.saturating_add(counts.failed) == number(&ran, 1), INCONSISTENT);
            loose.session(session, std::mem::take(&mut running));
        }
    }
    loose.finish(findings);
}
