//! uvu: `Total:`, `Passed:` and `Skipped:` one below the other; what did not pass has failed.
//!
//! Not here: the files' own lines beyond their `(2 / 2)`.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{decimal, number, patterns};
use crate::check::summary::settle::{ENDLESS, INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    FILE = r"  \(([0-9]+) / ([0-9]+)\)$";
}

/// Finds uvu's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut shown: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with(')')
            && let Some(found) = FILE.captures(line)
        {
            shown = shown.saturating_add(number(&found, 1));
        } else if let Some(total) = row(line, "  Total: ")
            && let Some(passed) = lines.get(at + 1).and_then(|next| row(next, "  Passed: "))
            && let Some(skipped) = lines.get(at + 2).and_then(|next| row(next, "  Skipped: "))
        {
            let counts = Counts::new(passed, total.saturating_sub(passed), skipped);
            let session = Session::sound(Runner::Uvu, at, at + 2, counts).unless(passed <= total, INCONSISTENT);
            loose.session(session, shown > 0 && shown == passed);
            shown = 0;
        } else if row(line, "  Total: ").is_some() {
            findings.session(Session::sound(Runner::Uvu, at, at, Counts::default()).doubted(ENDLESS));
        }
    }
    loose.finish(findings);
}

fn row(line: &str, label: &str) -> Option<u64> {
    let digits = line.strip_prefix(label)?.trim();
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| decimal(digits))
}
