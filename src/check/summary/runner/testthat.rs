//! testthat (R): `[ FAIL 0 | WARN 0 | SKIP 0 | PASS 3 ]`, redrawn as it goes; the last one is the total.
//!
//! Its unit is the expectation. Not here: its summary reporter, which has no counts.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^\[ FAIL ([0-9]+) \| WARN [0-9]+ \| SKIP ([0-9]+) \| PASS ([0-9]+) \]$";
}

/// Finds the last total, which counts what the ones before it counted. Failures do not go away again.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut session: Option<Session> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("[ FAIL ").then(|| TOTAL.captures(line)).flatten() {
            let (first, red) = session.as_ref().map_or((at, 0), |before| (before.first, before.counts.failed));
            let counts = Counts::new(number(&found, 3), number(&found, 1).max(red), number(&found, 2));
            session = Some(Session::sound(Runner::Testthat, first, at, counts));
        }
    }
    if let Some(session) = session {
        findings.session(session);
    }
}
