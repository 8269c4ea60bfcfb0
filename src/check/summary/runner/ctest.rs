//! ctest: from `Test project …` to `100% tests passed, 0 tests failed out of 2` and the lists below it.
//!
//! Skipped tests are inside its total and called passed; disabled ones are outside. What the tests themselves print lies
//! within this session. Not here: that inner output, and `--output-junit`.

use std::collections::BTreeSet;

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{CONTRADICTED, ENDLESS, HEADLESS, MISMATCH};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    TEST = r"^ *(?:[0-9]+/([0-9]+) )?Test +#([0-9]+): ";
    RED = r"\*{3}(?:Failed|Timeout|Exception)\b";
    TOTAL = r"^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$";
    LEFT_OUT = r"^\t *[0-9]+ - .* \((Skipped|Disabled|Not Run)\)(?:\s.*)?$";
    LISTED = r"^Total Tests: [0-9]+$";
}

#[derive(Clone, Copy)]
struct Total {
    line: usize,
    failed: u64,
    total: u64,
}

#[derive(Default)]
struct Open {
    first: usize,
    planned: u64,
    red: Option<Total>,
    green: Option<Total>,
    skipped: u64,
    disabled: u64,
    /// Tests whose last line says that they failed; a test that is repeated has several.
    failing: BTreeSet<u64>,
}

/// Finds ctest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Open> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("Test project ") {
            close(open.replace(Open { first: at, ..Open::default() }), findings);
        } else if let Some(found) = line.contains("% tests passed, ").then(|| TOTAL.captures(line)).flatten() {
            let total = Total { line: at, failed: number(&found, 1), total: number(&found, 2) };
            match &mut open {
                Some(open) => open.total(total),
                None => {
                    let counts = Counts::new(total.total.saturating_sub(total.failed), total.failed, 0);
                    findings.session(Session::sound(Runner::Ctest, at, at, counts).doubted(HEADLESS));
                }
            }
        } else if line.starts_with("No tests were found!!!") {
            open = None;
        } else if line.starts_with("Total Tests: ") && LISTED.is_match(line) {
            open = None;
            findings.notice(Runner::Ctest, Uncounted::NotRun, "ctest listed the tests and ran none");
        } else if let Some(open) = &mut open {
            open.take(line);
        }
    }
    close(open, findings);
}

impl Open {
    fn total(&mut self, total: Total) {
        *if total.failed > 0 { &mut self.red } else { &mut self.green } = Some(total);
        (self.skipped, self.disabled) = (0, 0);
    }

    fn take(&mut self, line: &str) {
        if line.starts_with('\t') {
            if let Some(found) = LEFT_OUT.captures(line) {
                match found.get(1).map(|word| word.as_str()) {
                    Some("Skipped") => self.skipped = self.skipped.saturating_add(1),
                    Some("Disabled") => self.disabled = self.disabled.saturating_add(1),
                    _ => {}
                }
            }
        } else if line.contains(" Test ")
            && let Some(found) = TEST.captures(line)
        {
            self.planned = self.planned.max(number(&found, 1));
            if RED.is_match(line) {
                self.failing.insert(number(&found, 2));
            } else {
                self.failing.remove(&number(&found, 2));
            }
        }
    }
}

fn close(open: Option<Open>, findings: &mut Findings) {
    let Some(open) = open else { return };
    let Some(total) = open.red.or(open.green) else {
        let cut = Session::sound(Runner::Ctest, open.first, open.first, Counts::default());
        findings.session(cut.doubted(ENDLESS));
        return;
    };
    let passed = total.total.saturating_sub(total.failed.saturating_add(open.skipped));
    let counts = Counts::new(passed, total.failed, open.skipped.saturating_add(open.disabled));
    let fits = total.total == open.planned.saturating_sub(open.disabled);
    let session = Session::sound(Runner::Ctest, open.first, total.line, counts).unless(fits, MISMATCH);
    findings.session(session.unless(open.failing.is_empty(), CONTRADICTED));
}
