//! `cargo test`: libtest's `running N tests` and `test result:` lines, one pair per test binary and per doc-test crate.
//!
//! Not here: libtest's JSON, and nextest, which runs the same binaries one test at a time.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::{CONTRADICTED, Framed, HEADLESS};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    HEADER = r"^running ([0-9]+) tests?$";
    TRAILER = r"(?x)^test\ result:\ (ok|FAILED)\.\ ([0-9]+)\ passed;\ ([0-9]+)\ failed;\ ([0-9]+)\ ignored;
        (?:\ ([0-9]+)\ measured;)?\ [0-9]+\ filtered\ out(?:;\ finished\ in\ [0-9.]+s)?$";
    HEADING = r"^\s+(?:Running (?:unittests |tests/|benches/|examples/|`)|Doc-tests )";
    TARGETS_FAILED = r"^error: [0-9]+ targets? failed:$";
    RED = r"^test \S.* \.\.\. FAILED$";
    LISTED = r"^[0-9]+ tests?, [0-9]+ benchmarks?$";
}

struct Open {
    planned: u64,
    framed: Framed,
    /// A line of a test says that it failed.
    red: bool,
}

/// Finds libtest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Open> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(header) = line.starts_with("running ").then(|| HEADER.captures(line)).flatten() {
            close(open.take(), findings);
            open = Some(Open { planned: number(&header, 1), framed: Framed::open(Runner::CargoTest, at), red: false });
        } else if line.starts_with("test result: ") {
            trailer(at, line, &mut open, findings);
        } else if line.starts_with("test ") && RED.is_match(line) {
            if let Some(open) = &mut open {
                open.red = true;
            }
        } else if line.starts_with(' ') {
            if HEADING.is_match(line) {
                close(open.take(), findings);
            } else if line.trim_start().starts_with("Executable ") {
                findings.notice(Runner::CargoTest, Uncounted::NotRun, "cargo built the tests and ran none");
            }
        } else if line.starts_with("error: ") {
            error(line, open.as_ref().is_some_and(|open| !open.framed.ended()), findings);
        } else if line.ends_with('s') && LISTED.is_match(line) {
            findings.notice(Runner::CargoTest, Uncounted::NotRun, "cargo listed the tests and ran none");
        }
    }
    close(open, findings);
}

fn trailer(at: usize, line: &str, open: &mut Option<Open>, findings: &mut Findings) {
    let Some(found) = TRAILER.captures(line) else { return };
    let mut counts = Counts::new(number(&found, 2), number(&found, 3), number(&found, 4));
    let total = counts.total().saturating_add(number(&found, 5));
    if text(&found, 1) == "FAILED" {
        counts.failed = counts.failed.max(1);
    }
    match open {
        Some(open) => open.framed.trailer(at, counts, total == open.planned),
        None => findings.session(Session::sound(Runner::CargoTest, at, at, counts).doubted(HEADLESS)),
    }
}

/// Failures cargo itself reports; they remain when a pipe has cut everything else.
fn error(line: &str, in_session: bool, findings: &mut Findings) {
    if line.starts_with("error: test failed, to rerun pass") || line.starts_with("error: doctest failed") {
        findings.alarm(Runner::CargoTest, "cargo reports a failed test target");
    } else if TARGETS_FAILED.is_match(line) {
        findings.alarm(Runner::CargoTest, "cargo reports failed targets");
    } else if !in_session && line.starts_with("error: could not compile ") {
        findings.alarm(Runner::CargoTest, "cargo could not compile");
    }
}

fn close(open: Option<Open>, findings: &mut Findings) {
    if let Some(open) = open {
        findings.session(open.framed.close().unless(!open.red, CONTRADICTED));
    }
}
