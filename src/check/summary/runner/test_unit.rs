//! Ruby's test-unit: from `Loaded suite …` to its line of seven numbers and `100% passed`.
//!
//! Not here: minitest.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"(?x)^([0-9]+)\ tests,\ [0-9]+\ assertions,\ ([0-9]+)\ failures,\ ([0-9]+)\ errors,\ ([0-9]+)\ pendings,
        \ ([0-9]+)\ omissions,\ [0-9]+\ notifications$";
}

/// Finds test-unit's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Loaded suite ") {
            close(open.replace(Framed::open(Runner::TestUnit, at)), findings);
        } else if let Some(found) = line.ends_with(" notifications").then(|| TOTAL.captures(line)).flatten() {
            let total = number(&found, 1);
            let failed = number(&found, 2).saturating_add(number(&found, 3));
            let skipped = number(&found, 4).saturating_add(number(&found, 5));
            let spoken_for = failed.saturating_add(skipped);
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, skipped);
            match &mut open {
                Some(framed) => framed.sole_trailer(at, counts, spoken_for <= total),
                None => findings.session(Session::sound(Runner::TestUnit, at, at, counts).doubted(HEADLESS)),
            }
        }
    }
    close(open, findings);
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    // Nothing is printed when a filter matches no test.
    if let Some(framed) = open.filter(Framed::ended) {
        findings.session(framed.close());
    }
}
