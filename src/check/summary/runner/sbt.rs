//! sbt: `[info] Passed: Total 3, Failed 0, Errors 0, Passed 3`, one line per project.
//!
//! Not here: the frameworks it runs; what ScalaTest prints above is the same tests.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_words, patterns, text};
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^\[(?:info|error|warn)\] (Passed|Failed|Error): (Total [0-9]+(?:, [A-Z][a-z]+ [0-9]+)+)$";
}

/// Finds projects.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.contains(": Total ").then(|| TOTAL.captures(line)).flatten() else { continue };
        let turned: Vec<String> = text(&found, 2)
            .split(", ")
            .filter_map(|part| part.split_once(' '))
            .map(|(word, digits)| format!("{digits} {word}"))
            .collect();
        let list = turned.join(", ");
        let Some(parts) = counted_words(&list, ", ") else { continue };
        let mut counts = Counts::default();
        let mut total = 0;
        for (count, word) in parts {
            let bucket = match word {
                "Total" => &mut total,
                "Passed" => &mut counts.passed,
                "Ignored" | "Skipped" | "Canceled" | "Pending" => &mut counts.skipped,
                _ => &mut counts.failed,
            };
            *bucket = bucket.saturating_add(count);
        }
        if text(&found, 1) != "Passed" {
            counts.failed = counts.failed.max(1);
        }
        // Ignored and skipped tests stand outside the total in some versions and inside in others.
        let run = counts.passed.saturating_add(counts.failed);
        let fits = total == run || total == counts.total();
        findings.session(Session::sound(Runner::Sbt, at, at, counts).unless(fits, INCONSISTENT));
    }
}
