//! `cargo nextest run`: from `Starting N tests` to the `Summary` line under its rule.
//!
//! The libtest lines nextest shows on the way are the same tests; they lie within this session and are folded into it.
//! Not here: those lines, and nextest's JUnit file.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_word, number, patterns, text};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    HEADER = r"^ +Starting ([0-9]+) tests? across [0-9]+ binar(?:y|ies)\b";
    SUMMARY = r"^ {5}Summary \[ *[0-9.]+s\] (?:([0-9]+)/)?([0-9]+) tests? run: (.+)$";
    RETRY = r"^ +TRY [0-9]+ (?:FAIL|ABRT|SIG[A-Z]+|TMT|TIMEOUT|XFAIL)\b";
}

/// The rule nextest prints directly above its summary.
const RULE: &str = "────────────";

struct Open {
    planned: u64,
    retries: u64,
    flaky: u64,
    framed: Framed,
}

/// Finds nextest's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Open> = None;
    let mut previous = "";
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with(' ') {
            if let Some(found) = line.contains("Starting ").then(|| HEADER.captures(line)).flatten() {
                close(open.take(), findings);
                let framed = Framed::open(Runner::Nextest, at);
                open = Some(Open { planned: number(&found, 1), retries: 0, flaky: 0, framed });
            } else if line.contains("Summary [") {
                summary(at, line, previous == RULE, &mut open, findings);
            } else if let Some(open) = open.as_mut()
                && !open.framed.ended()
                && line.contains("TRY ")
                && RETRY.is_match(line)
            {
                open.retries = open.retries.saturating_add(1);
            }
        } else if line.starts_with("error: test run failed") {
            findings.alarm(Runner::Nextest, "nextest reports a failed test run");
        }
        previous = line;
    }
    close(open, findings);
}

/// A summary line. Green ones count only under nextest's rule and when every planned test was run.
fn summary(at: usize, line: &str, under_rule: bool, open: &mut Option<Open>, findings: &mut Findings) {
    let Some(found) = SUMMARY.captures(line) else { return };
    let run = number(&found, 2);
    let cut_short = found.get(1).is_some();
    let Some((mut counts, flaky)) = parts(text(&found, 3)) else {
        findings.alarm(Runner::Nextest, "a nextest summary holds words that are not known");
        return;
    };
    let executed = counts.passed.saturating_add(counts.failed);
    let consistent = executed == if cut_short { number(&found, 1) } else { run };
    if cut_short {
        counts.failed = counts.failed.max(1);
    }
    match open {
        Some(open) => {
            let fits = under_rule && consistent && !cut_short && run == open.planned;
            if fits || counts.failed > 0 {
                open.flaky = flaky;
            }
            open.framed.trailer(at, counts, fits);
        }
        None => findings.session(Session::sound(Runner::Nextest, at, at, counts).doubted(HEADLESS)),
    }
}

/// `4 passed (1 slow, 2 flaky), 1 failed, 1 timed out, 3 skipped`: the counts, and how many were flaky.
fn parts(list: &str) -> Option<(Counts, u64)> {
    let mut counts = Counts::default();
    let mut flaky = 0;
    let (head, tail) = match list.split_once(" (") {
        Some((head, rest)) => {
            let (remarks, tail) = rest.split_once(')')?;
            flaky =
                remarks.split(", ").filter_map(counted_word).find(|part| part.1 == "flaky").map_or(0, |part| part.0);
            (head, tail)
        }
        None => (list, ""),
    };
    for part in head.split(", ").chain(tail.split(", ")).filter(|part| !part.trim().is_empty()) {
        let (count, word) = counted_word(part)?;
        match word {
            "passed" => counts.passed = counts.passed.saturating_add(count),
            "skipped" => counts.skipped = counts.skipped.saturating_add(count),
            _ => counts.failed = counts.failed.saturating_add(count),
        }
    }
    Some((counts, flaky))
}

fn close(open: Option<Open>, findings: &mut Findings) {
    if let Some(open) = open {
        let mut session = open.framed.close();
        if open.flaky > 0 {
            session.excused = open.retries;
        }
        findings.session(session);
    }
}
