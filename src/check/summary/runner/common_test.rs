//! Erlang's Common Test under rebar3: `All 2 tests passed.` or `Failed 1 tests. Skipped 1 (1, 0) tests. Passed 1 tests.`
//!
//! Not here: zig, which uses the first sentence too but no heading.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{ENDLESS, Framed};
use crate::check::summary::{Counts, Runner};

patterns! {
    GREEN = r"^All ([0-9]+) tests passed\.$";
    MIXED = r"^(?:Failed ([0-9]+) tests\. ?)?(?:Skipped ([0-9]+) \([0-9]+, [0-9]+\) tests\. ?)?(?:Passed ([0-9]+) tests\.)$";
}

/// Finds Common Test's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.contains("===> Running Common Test suites") {
            close(open.replace(Framed::open(Runner::CommonTest, at)), findings);
        } else if line.contains(" tests")
            && let Some(framed) = &mut open
        {
            if let Some(found) = GREEN.captures(line) {
                framed.sole_trailer(at, Counts::new(number(&found, 1), 0, 0), true);
            } else if let Some(found) = MIXED.captures(line) {
                let counts = Counts::new(number(&found, 3), number(&found, 1), number(&found, 2));
                framed.sole_trailer(at, counts, true);
            }
        }
    }
    close(open, findings);
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    if let Some(framed) = open {
        let ended = framed.ended();
        let session: Session = framed.close();
        findings.session(session.unless(ended, ENDLESS));
    }
}
