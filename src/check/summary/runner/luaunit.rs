//! LuaUnit: `Ran 2 tests in 0.000 seconds, 2 successes, 0 failures`.
//!
//! In its TAP output the same line is a comment, and the points count. Not here: that TAP.

use super::Lines;
use crate::check::summary::Runner;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, number, patterns, sort_words, text};
use crate::check::summary::settle::{INCONSISTENT, Loose};

patterns! {
    TOTAL = r"^Ran ([0-9]+) tests? in [0-9.]+ seconds, (.+)$";
}

/// Finds LuaUnit's totals.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.starts_with("Ran ").then(|| TOTAL.captures(line)).flatten() else { continue };
        let Some(parts) = counted_words(text(&found, 2), ", ") else { continue };
        let counts = sort_words(&parts, &["success", "successes"], &["skipped"], &["non-selected"]);
        let session =
            Session::sound(Runner::Luaunit, at, at, counts).unless(counts.total() == number(&found, 1), INCONSISTENT);
        loose.session(session, false);
    }
    loose.finish(findings);
}
