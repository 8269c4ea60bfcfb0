//! Check (C): from `Running suite(s): …` to `100%: Checks: 3, Failures: 0, Errors: 0`.
//!
//! Not here: its XML and TAP logs.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^[0-9]+%: Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+)$";
}

/// Finds Check's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Running suite(s): ") {
            close(open.replace(Framed::open(Runner::CheckC, at)), findings);
        } else if let Some(found) = line.contains("%: Checks: ").then(|| TOTAL.captures(line)).flatten() {
            let failed = number(&found, 2).saturating_add(number(&found, 3));
            let counts = Counts::new(number(&found, 1).saturating_sub(failed), failed, 0);
            match &mut open {
                Some(framed) => framed.sole_trailer(at, counts, true),
                None => findings.session(Session::sound(Runner::CheckC, at, at, counts).doubted(HEADLESS)),
            }
        }
    }
    close(open, findings);
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    if let Some(framed) = open {
        findings.session(framed.close());
    }
}
