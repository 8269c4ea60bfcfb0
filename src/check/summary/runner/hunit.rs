//! HUnit: `Cases: 3  Tried: 3  Errors: 1  Failures: 1`, redrawn until every case was tried.
//!
//! Not here: hspec and tasty.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns};
use crate::check::summary::settle::ENDLESS;
use crate::check::summary::{Counts, Runner};

patterns! {
    TOTAL = r"^Cases: ([0-9]+)  Tried: ([0-9]+)  Errors: ([0-9]+)  Failures: ([0-9]+)$";
}

/// Finds finished counters; a counter that stops short is a run that was cut off.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut running: Option<(usize, Counts)> = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.starts_with("Cases: ").then(|| TOTAL.captures(line)).flatten() else { continue };
        let failed = number(&found, 3).saturating_add(number(&found, 4));
        let counts = Counts::new(number(&found, 2).saturating_sub(failed), failed, 0);
        if number(&found, 1) == number(&found, 2) {
            let first = running.take().map_or(at, |(first, _)| first);
            findings.session(Session::sound(Runner::Hunit, first, at, counts));
        } else {
            let first = running.map_or(at, |(first, _)| first);
            running = Some((first, counts));
        }
    }
    if let Some((first, counts)) = running {
        findings.session(Session::sound(Runner::Hunit, first, first, counts).unless(false, ENDLESS));
    }
}
