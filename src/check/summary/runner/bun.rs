//! `bun test`: from `bun test v…` to ` 2 pass`, ` 1 fail` and `Ran 3 tests across 1 file.`
//!
//! Not here: its JUnit reporter.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{counted_word, number, patterns, sort_words};
use crate::check::summary::settle::{Framed, HEADLESS};
use crate::check::summary::{Counts, Runner};

patterns! {
    RAN = r"^Ran ([0-9]+) tests? across [0-9]+ files?\.(?: \[[^\]]*\])?$";
}

/// Words of bun's list that are no tests.
const HARMLESS: &[&str] = &["expect() calls", "snapshots", "filtered out"];

/// Finds bun's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("bun test v") {
            close(open.replace(Framed::open(Runner::Bun, at)), findings);
        } else if let Some(found) = line.starts_with("Ran ").then(|| RAN.captures(line)).flatten()
            && let Some(counts) = list_above(lines, at)
        {
            let fits = counts.total() == number(&found, 1);
            match &mut open {
                Some(framed) => framed.sole_trailer(at, counts, fits),
                None => findings.session(Session::sound(Runner::Bun, at, at, counts).doubted(HEADLESS)),
            }
        }
    }
    close(open, findings);
}

/// The list directly above the last line. Errors are failures of their own only where no test failed.
fn list_above(lines: &Lines<'_>, at: usize) -> Option<Counts> {
    let above = lines.get(..at)?.iter().rev();
    let mut parts: Vec<(u64, &str)> =
        above.map_while(|line| line.strip_prefix(' ').and_then(counted_word)).take(16).collect();
    let errors = parts.iter().filter(|part| part.1.starts_with("error")).fold(0u64, |sum, part| sum.max(part.0));
    parts.retain(|part| !part.1.starts_with("error") && !part.1.starts_with("snapshots"));
    let mut counts = sort_words(&parts, &["pass"], &["skip", "todo"], HARMLESS);
    if counts.failed == 0 {
        counts.failed = errors;
    }
    (!parts.is_empty()).then_some(counts)
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    if let Some(framed) = open {
        findings.session(framed.close());
    }
}
