//! One stream of the Test Anything Protocol, and whether it accounts for itself.
//!
//! A plan exactly once, as many points as planned, numbers without gaps, and closing comments that agree with the points.
//! Not here: where a stream begins and ends.

use std::collections::BTreeMap;

use super::tap_line::{Directive, Line};
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner, Uncounted};

/// A stream being read.
#[derive(Debug)]
pub(super) struct Stream {
    first: usize,
    last: usize,
    version: bool,
    old: bool,
    plan: Option<u64>,
    plans: u64,
    points: u64,
    ok: u64,
    inner_ok: u64,
    files: u64,
    counts: Counts,
    in_order: bool,
    bailed: bool,
    excused_last: bool,
    subtests: bool,
    closing: BTreeMap<String, u64>,
}

impl Stream {
    /// A stream that begins on this line.
    pub(super) fn new(first: usize) -> Stream {
        Stream {
            first,
            last: first,
            version: false,
            old: false,
            plan: None,
            plans: 0,
            points: 0,
            ok: 0,
            inner_ok: 0,
            files: 0,
            counts: Counts::default(),
            in_order: true,
            bailed: false,
            excused_last: false,
            subtests: false,
            closing: BTreeMap::new(),
        }
    }

    /// Whether it has its plan and all planned points, so that another stream may begin.
    pub(super) fn is_complete(&self) -> bool {
        self.plan == Some(self.points)
    }

    /// One more line.
    pub(super) fn take(&mut self, at: usize, line: Line<'_>) {
        match line {
            Line::Plan { points } => {
                self.plan = Some(points);
                self.plans = self.plans.saturating_add(1);
                // Node prefixes the tests' own output with `# `; only what follows the plan is node's.
                if self.closing.contains_key("suites") {
                    self.closing.clear();
                }
            }
            Line::Point { ok, number, directive, file } => self.point(ok, number, directive, file),
            Line::Inner => self.inner_ok = self.inner_ok.saturating_add(1),
            Line::Count { key, value } => {
                self.closing.insert(key.to_owned(), value);
            }
            Line::Diagnostic if self.excused_last => {
                // A name can hold `# skip`; the explanation below it shows that the test ran and failed.
                self.excused_last = false;
                self.counts.skipped = self.counts.skipped.saturating_sub(1);
                self.counts.failed = self.counts.failed.saturating_add(1);
            }
            Line::BailOut => self.bailed = true,
            Line::Subtest => self.subtests = true,
            Line::Version { old } => (self.version, self.old) = (true, old),
            Line::Diagnostic | Line::Other => return,
        }
        if !matches!(line, Line::Inner) {
            self.last = at;
        }
    }

    fn point(&mut self, ok: bool, number: Option<u64>, directive: Directive, file: bool) {
        self.points = self.points.saturating_add(1);
        self.in_order &= number.is_none_or(|number| number == self.points);
        self.files = self.files.saturating_add(u64::from(file));
        self.ok = self.ok.saturating_add(u64::from(ok));
        self.excused_last = !ok && directive != Directive::Plain;
        let bucket = match (ok, directive) {
            (_, Directive::Skip | Directive::Todo) => &mut self.counts.skipped,
            (true, Directive::Plain) => &mut self.counts.passed,
            (false, Directive::Plain) => &mut self.counts.failed,
        };
        *bucket = bucket.saturating_add(1);
    }

    /// Reports the stream. Points without plan and version line are ordinary text, unless one of them failed.
    pub(super) fn report(self, findings: &mut Findings) {
        if self.plan.is_none() && !self.version && self.counts.failed == 0 && !self.bailed {
            return;
        }
        let is_node = self.closing.contains_key("suites");
        let (counts, agree) = if is_node { self.node_counts() } else { self.point_counts() };
        let runner = if is_node { Runner::NodeTest } else { Runner::Tap };
        let planned = self.plans == 1 && self.is_complete() && self.in_order;
        let mut session = Session::sound(runner, self.first, self.last, counts)
            .unless(planned, "a TAP stream does not have the points it planned")
            .unless(agree, INCONSISTENT)
            .unless(is_node || !(self.old && self.subtests), "a TAP stream of node ends before its closing block");
        if is_node && self.points > 0 && self.files == self.points {
            session.unproven = Some((Uncounted::Empty, "node counts files without tests as passed tests"));
        }
        findings.session(session);
    }

    fn closing(&self, key: &str) -> u64 {
        self.closing.get(key).copied().unwrap_or(0)
    }

    /// Node counts tests below the top level too; the points can only bound its numbers.
    fn node_counts(&self) -> (Counts, bool) {
        let failed = self.closing("fail").saturating_add(self.closing("cancelled"));
        let skipped = self.closing("skipped").saturating_add(self.closing("todo"));
        let mut counts = Counts::new(self.closing("pass"), failed, skipped);
        let shown = self.ok.saturating_add(self.inner_ok);
        let agree = self.closing("tests") == counts.total() && counts.passed <= shown;
        let complete = self.closing.len() == 7;
        if self.bailed || self.counts.failed > 0 {
            counts.failed = counts.failed.max(1);
        }
        (counts, agree && complete)
    }

    /// Other runners count points; their closing comments must not claim more passes or failures than there are.
    fn point_counts(&self) -> (Counts, bool) {
        let mut counts = self.counts;
        counts.failed = counts.failed.max(self.closing("fail")).max(u64::from(self.bailed));
        (counts, self.closing("pass") <= self.ok)
    }
}
