//! minitest: from `# Running:` to `2 runs, 2 assertions, 0 failures, 0 errors, 0 skips`.
//!
//! Not here: test-unit, whose line has more parts.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^([0-9]+) (?:runs|tests), [0-9]+ assertions, ([0-9]+) failures, ([0-9]+) errors, ([0-9]+) skips$";
}

/// Finds minitest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if *line == "# Running:" || line.starts_with("Started with run options") {
            close(open.replace(Framed::open(Runner::Minitest, at)), findings);
        } else if let Some(found) = line.ends_with(" skips").then(|| TOTAL.captures(line)).flatten() {
            let (total, skipped) = (number(&found, 1), number(&found, 4));
            let failed = number(&found, 2).saturating_add(number(&found, 3));
            let spoken_for = failed.saturating_add(skipped);
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, skipped);
            match &mut open {
                Some(framed) => framed.sole_trailer(at, counts, spoken_for <= total),
                None => findings.session(Session::sound(Runner::Minitest, at, at, counts).doubted(HEADLESS)),
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
