//! libtest's JSON (`--format json`): a `suite` event when a binary starts and one when it ends.
//!
//! Not here: the text form.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::json;
use crate::check::summary::settle::{ENDLESS, HEADLESS, MISMATCH};
use crate::check::summary::{Counts, Runner};

/// Finds suites.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<(usize, u64)> = None;
    for (at, line) in lines.iter().enumerate() {
        if !(line.starts_with('{') && line.contains("\"suite\"")) {
            continue;
        }
        let Some(event) = json::parse(line) else { continue };
        if event.word("type") != Some("suite") {
            continue;
        }
        match event.word("event") {
            Some("started") => {
                if let Some((first, _)) = open.replace((at, event.count("test_count").unwrap_or(0))) {
                    findings.session(endless(first));
                }
            }
            Some(verdict) => {
                let of = |key: &str| event.count(key).unwrap_or(0);
                let mut counts = Counts::new(of("passed"), of("failed"), of("ignored"));
                if verdict != "ok" {
                    counts.failed = counts.failed.max(1);
                }
                let total = counts.total().saturating_add(of("measured"));
                let (first, fits) = open.take().map_or((at, None), |(first, planned)| (first, Some(planned == total)));
                let session = Session::sound(Runner::CargoTest, first, at, counts);
                findings.session(match fits {
                    Some(fits) => session.unless(fits, MISMATCH),
                    None => session.doubted(HEADLESS),
                });
            }
            None => {}
        }
    }
    if let Some((first, _)) = open {
        findings.session(endless(first));
    }
}

fn endless(first: usize) -> Session {
    Session::sound(Runner::CargoTest, first, first, Counts::default()).doubted(ENDLESS)
}
