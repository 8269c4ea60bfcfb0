//! `go test -json`: one event per line; tests count by package and name, and only after their `run` event.
//!
//! Not here: the text inside the events.

use std::collections::BTreeMap;

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::json::{self, Json};
use crate::check::summary::{Counts, Runner, Uncounted};

/// One package.
#[derive(Default)]
struct Package {
    first: usize,
    last: usize,
    running: BTreeMap<String, bool>,
    counts: Counts,
    unannounced: u64,
    ended: bool,
    failed: bool,
}

/// Finds the packages of an event stream.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        if !(line.starts_with('{') && line.contains("\"Action\":")) {
            continue;
        }
        let Some(event) = json::parse(line) else { continue };
        let (Some(action), Some(name)) = (event.word("Action"), event.word("Package")) else { continue };
        let package = packages.entry(name.to_owned()).or_insert_with(|| Package { first: at, ..Package::default() });
        if package.ended && action == "start" {
            report(std::mem::replace(package, Package { first: at, ..Package::default() }), findings);
        }
        package.last = at;
        package.event(action, &event);
    }
    for package in packages.into_values() {
        report(package, findings);
    }
}

impl Package {
    fn event(&mut self, action: &str, event: &Json) {
        let Some(test) = event.word("Test") else {
            match action {
                "fail" => (self.failed, self.ended) = (true, true),
                "pass" | "skip" => self.ended = true,
                _ => {}
            }
            return;
        };
        match action {
            "run" => {
                self.running.insert(test.to_owned(), true);
            }
            "pass" | "fail" | "skip" => self.end(action, test),
            _ => {}
        }
    }

    /// The end of a test. Without a `run` event it is somebody's output, unless it is a failure.
    fn end(&mut self, action: &str, test: &str) {
        let running = self.running.get_mut(test);
        let announced = running.as_ref().is_some_and(|running| **running);
        if let Some(running) = running {
            *running = false;
        }
        match (action, announced) {
            ("fail", _) => self.counts.failed = self.counts.failed.saturating_add(1),
            ("pass", true) => self.counts.passed = self.counts.passed.saturating_add(1),
            ("skip", true) => self.counts.skipped = self.counts.skipped.saturating_add(1),
            _ => self.unannounced = self.unannounced.saturating_add(1),
        }
    }
}

fn report(package: Package, findings: &mut Findings) {
    let mut counts = package.counts;
    if package.failed {
        counts.failed = counts.failed.max(1);
    }
    if package.running.is_empty() && counts.failed == 0 {
        findings.notice(Runner::GoTest, Uncounted::Empty, "a go package has no tests to run");
        return;
    }
    let unfinished = package.running.iter().any(|(name, running)| *running && !name.starts_with("Benchmark"));
    findings.session(
        Session::sound(Runner::GoTest, package.first, package.last, counts)
            .unless(package.ended && !unfinished, "a go package or a test of it begins and never ends")
            .unless(package.unannounced == 0, "a go test ends that never began"),
    );
}
