//! Playwright: from `Running N tests using W workers` to the list `  1 failed`, `  2 skipped`, `  3 passed (1.2s)`.
//!
//! Not here: its JUnit and JSON reporters.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    HEADER = r"^Running ([0-9]+) tests? using [0-9]+ workers?(?:, shard [0-9]+ of [0-9]+)?$";
    BUCKET = r"(?x)^\ \ ([0-9]+)\ (passed|failed|flaky|skipped|interrupted|did\ not\ run
        |errors?\ (?:was|were)\ not\ a\ part\ of\ any\ test)(?:\ \([0-9.]+(?:ms|s|m|h)\)|,\ see\ above.*)?$";
    LISTED = r"^Total: [0-9]+ tests? in [0-9]+ files?$";
}

/// Finds Playwright's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(u64, Framed, bool)> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some(found) = line.starts_with("Running ").then(|| HEADER.captures(line)).flatten() {
            close(open.replace((number(&found, 1), Framed::open(Runner::Playwright, at), false)), findings);
        } else if line.starts_with("  ") && BUCKET.is_match(line) {
            let (last, counts, idle) = list(lines, at);
            match &mut open {
                Some((planned, framed, left_out)) => {
                    framed.trailer(last, counts, counts.total() == *planned);
                    *left_out |= idle;
                }
                // Mocha and others print such lines too; without a header only a failure is worth a word.
                None if counts.failed > 0 => {
                    findings.session(Session::sound(Runner::Playwright, at, last, counts).doubted(HEADLESS));
                }
                None => {}
            }
            at = last;
        } else if line.starts_with("Total: ") && LISTED.is_match(line) {
            findings.notice(Runner::Playwright, Uncounted::NotRun, "Playwright listed the tests and ran none");
        }
        at += 1;
    }
    close(open, findings);
}

/// The list that begins here: its last line, its counts, and whether tests were left out.
fn list(lines: &Lines<'_>, first: usize) -> (usize, Counts, bool) {
    let mut counts = Counts::default();
    let mut last = first;
    let (mut idle, mut errors) = (false, 0);
    for (at, line) in lines.iter().enumerate().skip(first) {
        if let Some(found) = BUCKET.captures(line) {
            let count = number(&found, 1);
            let bucket = match text(&found, 2) {
                "passed" | "flaky" => &mut counts.passed,
                "skipped" => &mut counts.skipped,
                "did not run" => {
                    idle = count > 0;
                    &mut counts.skipped
                }
                "failed" | "interrupted" => &mut counts.failed,
                _ => &mut errors,
            };
            *bucket = bucket.saturating_add(count);
            last = at;
        } else if !line.starts_with("    ") {
            break;
        }
    }
    if counts.failed == 0 {
        counts.failed = errors;
    }
    (last, counts, idle)
}

fn close(open: Option<(u64, Framed, bool)>, findings: &mut Findings) {
    if let Some((_, framed, left_out)) = open {
        let mut session = framed.close();
        if left_out {
            session.unproven = Some((Uncounted::Contradiction, "Playwright left tests out that it was to run"));
        }
        findings.session(session);
    }
}
