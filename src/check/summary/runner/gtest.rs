//! GoogleTest, cmocka and busted's imitation: from `[==========] Running N tests` to the lists below `… tests … ran.`
//!
//! Brief output has no header; then a summary stands for itself only when it is alone. Not here: their XML.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{Framed, Loose};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^\[={10}\] (?:\S+: )?Running (?:([0-9]+) tests?(\(s\))?|tests)(?: from .+)?\.$";
    RAN = r"^\[={10}\] (?:\S+: )?([0-9]+) test(?:s|(\(s\)))? (?:from .+ ran|run)\.(?: \([0-9.]+ ms total\))?$";
    LIST = r"^\[ +(PASSED|SKIPPED|FAILED) +\] ([0-9]+) test(?:s|\(s\))?(?:\.|, listed below:)$";
}

struct Open {
    planned: Option<u64>,
    framed: Framed,
}

/// Finds sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut open: Option<Open> = None;
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with("[==========]") {
            continue;
        }
        if let Some(found) = HEADER.captures(line) {
            close(open.take(), findings);
            let planned = found.get(1).map(|_| number(&found, 1));
            open = Some(Open { planned, framed: Framed::open(runner(found.get(2).is_some()), at) });
        } else if let Some(found) = RAN.captures(line)
            && let Some((last, counts)) = lists(lines, at + 1)
        {
            let ran = number(&found, 1);
            let fits = counts.total() == ran;
            match &mut open {
                Some(Open { planned: Some(planned), framed }) => framed.trailer(last, counts, fits && ran == *planned),
                Some(Open { planned: None, framed }) => framed.sole_trailer(last, counts, fits),
                None => {
                    let session = Session::sound(runner(found.get(2).is_some()), at, last, counts);
                    loose.session(session.unless(fits, crate::check::summary::settle::INCONSISTENT), false);
                }
            }
        }
    }
    close(open, findings);
    loose.finish(findings);
}

fn runner(brackets: bool) -> Runner {
    if brackets { Runner::Cmocka } else { Runner::Googletest }
}

/// The lists from this line on: their last line and their counts.
fn lists(lines: &Lines<'_>, first: usize) -> Option<(usize, Counts)> {
    let mut counts = Counts::default();
    let mut last = None;
    for (at, line) in lines.iter().enumerate().skip(first) {
        if let Some(found) = line.starts_with('[').then(|| LIST.captures(line)).flatten() {
            let bucket = match text(&found, 1) {
                "PASSED" => &mut counts.passed,
                "SKIPPED" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(number(&found, 2));
            last = Some(at);
        } else if !(line.is_empty() || line.starts_with("[  ") || line.starts_with(' ')) {
            break;
        }
    }
    last.map(|last| (last, counts))
}

fn close(open: Option<Open>, findings: &mut Findings) {
    if let Some(open) = open {
        findings.session(open.framed.close());
    }
}
