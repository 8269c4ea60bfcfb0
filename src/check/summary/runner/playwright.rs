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

struct Open {
    planned: u64,
    framed: Framed,
    /// Tests were left out.
    left_out: bool,
    flaky: u64,
}

/// Finds Playwright's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Open> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some(found) = line.starts_with("Running ").then(|| HEADER.captures(line)).flatten() {
            let framed = Framed::open(Runner::Playwright, at);
            close(open.replace(Open { planned: number(&found, 1), framed, left_out: false, flaky: 0 }), findings);
        } else if line.starts_with("  ") && BUCKET.is_match(line) {
            let List { last, counts, idle, flaky } = list(lines, at);
            match &mut open {
                Some(open) => {
                    open.framed.trailer(last, counts, counts.total() == open.planned);
                    open.left_out |= idle;
                    open.flaky = open.flaky.saturating_add(flaky);
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

/// The closing list.
struct List {
    last: usize,
    counts: Counts,
    /// Tests were left out.
    idle: bool,
    /// How many failed first and passed then.
    flaky: u64,
}

/// The list that begins here.
fn list(lines: &Lines<'_>, first: usize) -> List {
    let mut counts = Counts::default();
    let mut last = first;
    let (mut idle, mut errors, mut flaky) = (false, 0, 0);
    for (at, line) in lines.iter().enumerate().skip(first) {
        if let Some(found) = BUCKET.captures(line) {
            let count = number(&found, 1);
            if text(&found, 2) == "flaky" {
                flaky = count;
            }
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
    List { last, counts, idle, flaky }
}

fn close(open: Option<Open>, findings: &mut Findings) {
    if let Some(open) = open {
        let mut session = open.framed.close();
        session.excused = open.flaky;
        if open.left_out {
            session.unproven = Some((Uncounted::Contradiction, "Playwright left tests out that it was to run"));
        }
        findings.session(session);
    }
}
