//! `deno test`: `running N tests from F` for every file, and one closing line `ok | 2 passed | 0 failed (5ms)`.
//!
//! Not here: its TAP and JUnit reporters.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{Loose, MISMATCH};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^running ([0-9]+) tests? from \S.*$";
    TOTAL = r"(?x)^(ok|FAILED)\ \|\ ([0-9]+)\ passed(?:\ \([0-9]+\ steps?\))?\ \|\ ([0-9]+)\ failed(?:\ \([0-9]+\ steps?\))?
        (?:\ \|\ ([0-9]+)\ ignored(?:\ \([0-9]+\ steps?\))?)?(?:\ \|\ [0-9]+\ measured)?(?:\ \|\ [0-9]+\ filtered\ out)?\ \([^()]*\)$";
}

/// Finds deno's sessions. Without headers (dot reporter) a total is borne out by its dots.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut planned: Option<(usize, u64)> = None;
    let mut dots: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if let Some(found) = line.starts_with("running ").then(|| HEADER.captures(line)).flatten() {
            let (first, sum) = planned.unwrap_or((at, 0));
            planned = Some((first, sum.saturating_add(number(&found, 1))));
        } else if *line == "." {
            dots = dots.saturating_add(1);
        } else if let Some(found) = line.contains(" | ").then(|| TOTAL.captures(line)).flatten() {
            let mut counts = Counts::new(number(&found, 2), number(&found, 3), number(&found, 4));
            if text(&found, 1) == "FAILED" {
                counts.failed = counts.failed.max(1);
            }
            let (first, fits, supported) = match planned.take() {
                Some((first, sum)) => (first, sum == counts.total(), true),
                None => (at, true, dots >= counts.passed && dots > 0),
            };
            loose.session(Session::sound(Runner::Deno, first, at, counts).unless(fits, MISMATCH), supported);
            dots = 0;
        }
    }
    if let Some((first, _)) = planned {
        let endless = Session::sound(Runner::Deno, first, first, Counts::default());
        findings.session(endless.doubted(crate::check::summary::settle::ENDLESS));
    }
    loose.finish(findings);
}
