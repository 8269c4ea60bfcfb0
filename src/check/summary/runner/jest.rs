//! jest: `Test Suites:`, `Tests:`, `Snapshots:` and `Time:` on four lines one below the other.
//!
//! A suite that failed to run is in no test count; it is a failure all the same. Not here: `--json`.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, sort_words};
use crate::check::summary::settle::{INCONSISTENT, Loose, SURPLUS};
use crate::check::summary::{Counts, Runner};

/// Finds jest's blocks. Among several, one is borne out by `PASS` and `FAIL` lines of its suites.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut suites_shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        let mark = line.trim_start();
        if mark.starts_with("PASS ") || mark.starts_with("FAIL ") {
            suites_shown = suites_shown.saturating_add(1);
        } else if line.starts_with("Test Suites: ")
            && let Some([suites, tests, snapshots, time]) = lines.get(at..at + 4)
            && snapshots.starts_with("Snapshots: ")
            && time.starts_with("Time: ")
            && let (Some(suites), Some(tests)) = (row(suites, "Test Suites:"), row(tests, "Tests:"))
        {
            let mut counts = tests.counts;
            if counts.failed == 0 {
                counts.failed = suites.counts.failed;
            }
            let ran = suites.counts.passed.saturating_add(suites.counts.failed);
            let session = Session::sound(Runner::Jest, at, at + 3, counts)
                .unless(tests.total == tests.counts.total(), INCONSISTENT)
                .unless(suites_shown <= suites.counts.total(), SURPLUS);
            loose.session(session, suites_shown > 0 && suites_shown >= ran);
            suites_shown = 0;
        }
    }
    loose.finish(findings);
}

struct Row {
    counts: Counts,
    total: u64,
}

/// `Tests:       1 failed, 2 passed, 3 total`.
fn row(line: &str, label: &str) -> Option<Row> {
    let list = line.strip_prefix(label)?.trim();
    let parts = counted_words(list, ", ")?;
    let (total, rest) = parts.split_last()?;
    // `1 of 2 total` when suites were left out.
    let is_total = total.1 == "total" || (total.1.starts_with("of ") && total.1.ends_with(" total"));
    is_total.then(|| Row { counts: sort_words(rest, &["passed"], &["skipped", "todo"], &[]), total: total.0 })
}
