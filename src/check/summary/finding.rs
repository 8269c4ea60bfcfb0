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
