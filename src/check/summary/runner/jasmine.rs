//! jasmine: `5 specs, 1 failure, 3 pending specs` directly above `Finished in …`.
//!
//! Not here: karma, which prints its own totals for jasmine's specs.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::{INCONSISTENT, Loose};
use crate::check::summary::{Counts, Runner, Uncounted};

patterns! {
    TOTAL = r"^([0-9]+) specs?, ([0-9]+) failures?(?:, ([0-9]+) pending specs?)?$";
    PROGRESS = r"^[.F*]+$";
}

/// Finds jasmine's totals. Among several, one is borne out by the dots below `Started`.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut loose = Loose::default();
    let mut dots: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with(['.', 'F', '*']) && PROGRESS.is_match(line) {
            dots = dots.saturating_add(line.bytes().filter(|byte| *byte == b'.').count() as u64);
        } else if line.contains(" spec")
            && let Some(found) = TOTAL.captures(line)
            && lines.get(at + 1).is_some_and(|next| next.starts_with("Finished in "))
        {
            let (total, failed, skipped) = (number(&found, 1), number(&found, 2), number(&found, 3));
            let spoken_for = failed.saturating_add(skipped);
            let counts = Counts::new(total.saturating_sub(spoken_for), failed, skipped);
            let mut session =
                Session::sound(Runner::Jasmine, at, at + 1, counts).unless(spoken_for <= total, INCONSISTENT);
            if lines.get(at + 2).is_some_and(|next| next.starts_with("Incomplete: ")) {
                session.unproven = Some((Uncounted::Contradiction, "jasmine calls its run incomplete"));
            }
            loose.session(session, dots > 0 && dots >= counts.passed);
            dots = 0;
        }
    }
    loose.finish(findings);
}
