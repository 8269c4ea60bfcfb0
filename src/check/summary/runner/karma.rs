//! Karma: `Chrome 120.0 (Linux): Executed 5 of 5 (skipped 1) SUCCESS (0.1 secs / 0.05 secs)`, redrawn, per browser.
//!
//! Not here: jasmine's or mocha's own totals.

use std::collections::BTreeMap;

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::{number, patterns, text};
use crate::check::summary::settle::ENDLESS;
use crate::check::summary::{Counts, Runner};

patterns! {
    EXECUTED = r"(?x)^(\S.*?):\ Executed\ ([0-9]+)\ of\ ([0-9]+)(?:\ \(([0-9]+)\ FAILED\))?(?:\ \(skipped\ ([0-9]+)\))?
        (?:\ (SUCCESS|ERROR|DISCONNECTED))?(?:\ \(.*\))?$";
}

struct Browser {
    first: usize,
    last: usize,
    counts: Counts,
    complete: bool,
}

/// Finds browsers; the last line of each is its total.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut browsers: BTreeMap<&str, Browser> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(found) = line.contains(": Executed ").then(|| EXECUTED.captures(line)).flatten() else { continue };
        let (executed, skipped) = (number(&found, 2), number(&found, 5));
        let mut failed = number(&found, 4);
        if matches!(text(&found, 6), "ERROR" | "DISCONNECTED") {
            failed = failed.max(1);
        }
        let known = browsers.get(text(&found, 1));
        // Failures do not go away again; only a counter that starts over could make it look so.
        let failed = failed.max(known.map_or(0, |browser| browser.counts.failed));
        let browser = Browser {
            first: known.map_or(at, |browser| browser.first),
            last: at,
            counts: Counts::new(executed.saturating_sub(failed), failed, skipped),
            complete: executed.saturating_add(skipped) == number(&found, 3) && text(&found, 6) == "SUCCESS",
        };
        browsers.insert(text(&found, 1), browser);
    }
    for browser in browsers.into_values() {
        // Browsers run at the same time: each stands on its last line alone.
        let first = browser.first.max(browser.last);
        findings.session(
            Session::sound(Runner::Karma, first, browser.last, browser.counts).unless(browser.complete, ENDLESS),
        );
    }
}
