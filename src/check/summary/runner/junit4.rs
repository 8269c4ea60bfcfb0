//! JUnit 4's own runner: from `JUnit version …` to `OK (2 tests)` or `Tests run: 2,  Failures: 1`.
//!
//! Ignored tests are not in its numbers. Not here: JUnit 5 and the build tools.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    GREEN = r"^OK \(([0-9]+) tests?\)$";
    RED = r"^Tests run: ([0-9]+),  Failures: ([0-9]+)$";
}

/// Finds JUnit 4's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        let counts = if line.starts_with("JUnit version ") {
            close(open.replace(Framed::open(Runner::Junit4, at)), findings);
            continue;
        } else if let Some(found) = line.starts_with("OK (").then(|| GREEN.captures(line)).flatten() {
            Counts::new(number(&found, 1), 0, 0)
        } else if let Some(found) = line.starts_with("Tests run: ").then(|| RED.captures(line)).flatten() {
            let failed = number(&found, 2);
            Counts::new(number(&found, 1).saturating_sub(failed), failed.max(1), 0)
        } else {
            continue;
        };
        match &mut open {
            Some(framed) => framed.sole_trailer(at, counts, true),
            None => findings.session(Session::sound(Runner::Junit4, at, at, counts).doubted(HEADLESS)),
        }
    }
    close(open, findings);
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    if let Some(framed) = open {
        findings.session(framed.close());
    }
}
