//! Maven's surefire and failsafe: from `T E S T S` over `Results:` to the total, which is the line without a class.
//!
//! Lines of single classes must add up to the total; with reruns they can show failures that the total calls flakes. Not
//! here: the XML reports.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^(?:\[INFO\] ) ?T E S T S$|^ T E S T S$";
    TOTAL = r"(?x)^(?:\[(?:INFO|WARNING|ERROR|WARN)\]\ )?Tests\ run:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+),
        \ Skipped:\ ([0-9]+)(?:,\ Flakes:\ ([0-9]+))?$";
    CLASS = r"^(?:\[\w+\] )?Tests run: ([0-9]+), .*Time elapsed: ";
}

#[derive(Default)]
struct Open {
    framed: Option<Framed>,
    classes: u64,
    results: bool,
    flakes: u64,
}

/// Finds surefire's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open = Open::default();
    for (at, line) in lines.iter().enumerate() {
        if line.ends_with("T E S T S") && HEADER.is_match(line) {
            close(std::mem::take(&mut open), findings);
            open.framed = Some(Framed::open(Runner::Surefire, at));
        } else if line.ends_with("Results:") || *line == "Results :" {
            open.results = true;
        } else if line.contains("Tests run: ") {
            if let Some(found) = TOTAL.captures(line) {
                let (run, skipped) = (number(&found, 1), number(&found, 4));
                let failed = number(&found, 2).saturating_add(number(&found, 3));
                let counts = Counts::new(run.saturating_sub(failed.saturating_add(skipped)), failed, skipped);
                // A rerun test is in its class's line once more.
                open.flakes = number(&found, 5);
                let flaky = open.flakes > 0;
                let classes = open.classes == run || (flaky && open.classes >= run);
                match &mut open.framed {
                    Some(framed) => framed.trailer(at, counts, open.results && counts.total() == run && classes),
                    None => findings.session(Session::sound(Runner::Surefire, at, at, counts).doubted(HEADLESS)),
                }
            } else if let Some(found) = CLASS.captures(line) {
                open.classes = open.classes.saturating_add(number(&found, 1));
            }
        }
    }
    close(open, findings);
}

fn close(open: Open, findings: &mut Findings) {
    if let Some(framed) = open.framed {
        let mut session = framed.close();
        session.excused = open.flakes;
        findings.session(session);
    }
}
