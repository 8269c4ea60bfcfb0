//! The closing line a home-made script can print: `3 passed, 0 failed, 1 skipped`, as the last line that is not blank.
//!
//! Not here: runners whose own total happens to look like it; they report it themselves.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::{Counts, Runner};

patterns! {
    CLOSING = r"^(?:[A-Za-z]+: )?([0-9]+) passed, ([0-9]+) failed(?:, ([0-9]+) skipped)?\.?$";
}

/// Reads the last line; a line that reports failures is heeded wherever it stands.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let closing = lines.iter().rposition(|line| !line.is_empty());
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.contains(" passed, ").then(|| CLOSING.captures(line)).flatten() else { continue };
        let counts = Counts::new(number(&found, 1), number(&found, 2), number(&found, 3));
        if counts.failed > 0 || Some(at) == closing {
            findings.session(Session::sound(Runner::Plain, at, at, counts));
        }
    }
}
