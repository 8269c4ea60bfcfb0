//! What a runner's scanner reports: sessions, alarms and notices, each with the lines it stands on.
//!
//! Not here: any judgement over several findings.

use super::{Counts, Runner, Uncounted};

/// One test run of one runner, from its first line that matters to its last.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// Who printed it.
    pub runner: Runner,
    /// Index of its first line.
    pub first: usize,
    /// Index of its last line.
    pub last: usize,
    /// What it counts.
    pub counts: Counts,
    /// Why it cannot be believed; `None` when it accounts for itself.
    pub fault: Option<&'static str>,
    /// Failures of inner output that this session accounts for as retried and then passed.
    pub excused: u64,
    /// Why its passes approve nothing although they are counted.
    pub unproven: Option<(Uncounted, &'static str)>,
}

impl Session {
    /// A session that accounts for itself.
    pub(super) fn sound(runner: Runner, first: usize, last: usize, counts: Counts) -> Session {
        Session { runner, first, last, counts, fault: None, excused: 0, unproven: None }
    }

    /// The same session with a reason not to believe it.
    pub(super) fn doubted(mut self, fault: &'static str) -> Session {
        self.fault.get_or_insert(fault);
        self
    }

    /// The same session, doubted unless `holds`. A red session needs no proof: nobody gains by adding failures.
    pub(super) fn unless(self, holds: bool, fault: &'static str) -> Session {
        if holds || self.counts.failed > 0 { self } else { self.doubted(fault) }
    }
}

/// A sign of failure outside any session's counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alarm {
    /// Who printed it; `None` for what surrounds the runners.
    pub runner: Option<Runner>,
    /// What it says.
    pub what: &'static str,
}

/// A runner recognised without a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notice {
    /// Who printed it; `None` for what surrounds the runners.
    pub runner: Option<Runner>,
    /// Why nothing is counted.
    pub why: Uncounted,
    /// What was seen.
    pub what: &'static str,
}

/// A line that shows something red and is no total.
#[derive(Clone, Copy, Debug)]
pub(super) struct Red {
    /// Its index.
    pub line: usize,
    /// What it shows.
    pub what: &'static str,
}

/// A line that reads as a total with failures, of whatever runner.
#[derive(Clone, Debug)]
pub(super) struct Total {
    /// Its index.
    pub line: usize,
    /// The line: numbers and words of totals only.
    pub text: String,
}

/// How many tests are shown as they run, each way of showing them by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// As dots among the letters of a line.
    pub dots: u64,
    /// By name as unittest begins them.
    pub begun: u64,
    /// With a tick in front, below a heading.
    pub ticks: u64,
    /// With a word that says that they passed.
    pub words: u64,
    /// Whether anything shows a test that passed.
    pub any: bool,
}

impl Shown {
    /// Both together.
    pub(super) fn plus(self, other: Shown) -> Shown {
        Shown {
            dots: self.dots.saturating_add(other.dots),
            begun: self.begun.saturating_add(other.begun),
            ticks: self.ticks.saturating_add(other.ticks),
            words: self.words.saturating_add(other.words),
            any: self.any || other.any,
        }
    }
}

/// So many of them are told apart by their lines.
const REDS: usize = 1000;

/// Everything the scanners found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Sessions, in no particular order.
    pub sessions: Vec<Session>,
    /// The first alarm of each scanner is enough to tell what happened.
    pub alarms: Vec<Alarm>,
    /// Runners seen without a session.
    pub notices: Vec<Notice>,
    /// What shows that a tool replayed an earlier output instead of running something.
    pub replayed: Option<&'static str>,
    /// Lines that show something red and are no totals.
    pub reds: Vec<Red>,
    /// The first line that reads as a total with failures.
    pub total: Option<Total>,
    /// Tests that are shown as they run.
    pub shown: Shown,
}

impl Findings {
    /// Reports a session.
    pub(super) fn session(&mut self, session: Session) {
        self.sessions.push(session);
    }

    /// Reports a failure sign. Only the first of each kind is kept: an output may repeat it a million times.
    pub(super) fn alarm(&mut self, runner: Runner, what: &'static str) {
        if !self.alarms.iter().any(|known| known.what == what) {
            self.alarms.push(Alarm { runner: Some(runner), what });
        }
    }

    /// Reports a failure sign of a tool around the runners.
    pub(super) fn outer_alarm(&mut self, what: &'static str) {
        if !self.alarms.iter().any(|known| known.what == what) {
            self.alarms.push(Alarm { runner: None, what });
        }
    }

    /// Reports a line that shows something red. Of too many the last one is none that a session could excuse.
    pub(super) fn red(&mut self, line: usize, what: &'static str) {
        if self.reds.len() < REDS {
            self.reds.push(Red { line, what });
        } else if let Some(last) = self.reds.last_mut() {
            last.line = usize::MAX;
        }
    }

    /// Reports a runner without a session. Only the first of each kind is kept.
    pub(super) fn notice(&mut self, runner: Runner, why: Uncounted, what: &'static str) {
        if !self.notices.iter().any(|known| known.what == what) {
            self.notices.push(Notice { runner: Some(runner), why, what });
        }
    }

    /// Reports a tool around the runners that explains why nothing was counted.
    pub(super) fn outer_notice(&mut self, why: Uncounted, what: &'static str) {
        if !self.notices.iter().any(|known| known.what == what) {
            self.notices.push(Notice { runner: None, why, what });
        }
    }
}
