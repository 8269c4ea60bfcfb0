//! doctest (C++): from its version line to `[doctest] test cases: 2 | 2 passed | 0 failed | 0 skipped` and its status.
//!
//! Skipped cases are outside its total. Not here: its XML.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    TOTAL = r"^\[doctest\] test cases: +([0-9]+) \| +([0-9]+) passed \| +([0-9]+) failed(?: \| +([0-9]+) skipped)?$";
}

/// Finds doctest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("[doctest] ") else { continue };
        if rest.starts_with("doctest version is ") {
            close(open.replace(Framed::open(Runner::DoctestCpp, at)), findings);
        } else if let Some(found) = TOTAL.captures(line) {
            let status = lines.get(at + 2).copied().unwrap_or_default();
            let mut counts = Counts::new(number(&found, 2), number(&found, 3), number(&found, 4));
            if status == "[doctest] Status: FAILURE!" {
                counts.failed = counts.failed.max(1);
            }
            let fits = counts.passed.saturating_add(counts.failed) == number(&found, 1)
                && status == "[doctest] Status: SUCCESS!";
            match &mut open {
                Some(framed) => framed.sole_trailer(at + 2, counts, fits),
                None => findings.session(Session::sound(Runner::DoctestCpp, at, at + 2, counts).doubted(HEADLESS)),
            }
        } else if rest.starts_with("unskipped test cases passing") || rest.starts_with("listing all test case") {
            findings.notice(Runner::DoctestCpp, Uncounted::NotRun, "doctest listed its test cases and ran none");
        }
    }
    close(open, findings);
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    if let Some(framed) = open {
        findings.session(framed.close());
    }
}
