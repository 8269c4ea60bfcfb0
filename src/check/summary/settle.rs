//! Which of several summaries to believe, for the two shapes runners come in.
//!
//! With a header: every summary after a header belongs to it, and exactly one of them can be genuine ([`Framed`]).
//! Without a header: a summary that stands alone is taken, one among several needs test lines of its own ([`Loose`]).
//! Not here: what a header, a summary or a test line looks like.

use super::finding::{Findings, Session};
use super::{Counts, Runner};

/// A summary seen after a header.
#[derive(Clone, Copy, Debug)]
struct Trailer {
    line: usize,
    counts: Counts,
    fits: bool,
}

/// The running session of a runner that prints a header.
#[derive(Clone, Debug)]
pub(super) struct Framed {
    runner: Runner,
    first: usize,
    red: Option<Trailer>,
    green: Option<Trailer>,
}

/// A session that began and never ended.
pub(super) const ENDLESS: &str = "a session begins and never ends";
/// A summary nothing led up to.
pub(super) const HEADLESS: &str = "a summary appears without the session it should end";
/// A summary that disagrees with its own session.
pub(super) const MISMATCH: &str = "a summary does not add up to what its session announced";
/// Several summaries and no telling which is genuine.
pub(super) const UNSUPPORTED: &str = "one of several summaries has no test lines of its own";
/// A total without failures under a line that tells of one.
pub(super) const CONTRADICTED: &str = "a test is shown as failed, and the total knows of no failure";
/// A summary beside tests of a run that never ended.
pub(super) const SURPLUS: &str = "more is shown to have run than the summary counts";
/// Numbers inside one summary that disagree.
pub(super) const INCONSISTENT: &str = "the numbers of a summary disagree with each other";

impl Framed {
    /// A header on this line.
    pub(super) fn open(runner: Runner, first: usize) -> Framed {
        Framed { runner, first, red: None, green: None }
    }

    /// A summary after the header, and whether it adds up to what the header announced. A red one stands against every
    /// green one. Of several green ones the last is taken, unless the one before it was already the answer.
    pub(super) fn trailer(&mut self, line: usize, counts: Counts, fits: bool) {
        let answered = self.green.is_some_and(|green| green.fits);
        if counts.failed > 0 {
            self.red = Some(Trailer { line, counts, fits });
        } else {
            self.green = Some(Trailer { line, counts, fits: fits && !answered });
        }
    }

    /// A summary of a runner whose header announces no number: a second green one with other counts is a contradiction.
    pub(super) fn sole_trailer(&mut self, line: usize, counts: Counts, fits: bool) {
        let other = self.green.is_some_and(|green| green.counts != counts || !green.fits);
        self.trailer(line, counts, fits && !other);
    }

    /// Whether any summary followed the header.
    pub(super) fn ended(&self) -> bool {
        self.red.is_some() || self.green.is_some()
    }

    /// The session, when nothing more can belong to it.
    pub(super) fn close(self) -> Session {
        // The session reaches to its last summary, believed or not: nothing after it is somebody else's.
        let last = self.red.iter().chain(&self.green).map(|trailer| trailer.line).max().unwrap_or(self.first);
        match self.red.or(self.green) {
            Some(trailer) => {
                Session::sound(self.runner, self.first, last, trailer.counts).unless(trailer.fits, MISMATCH)
            }
            None => Session::sound(self.runner, self.first, self.first, Counts::default()).doubted(ENDLESS),
        }
    }
}

/// The summaries of a runner that prints no header.
#[derive(Debug, Default)]
pub(super) struct Loose {
    seen: Vec<(Session, bool)>,
}

impl Loose {
    /// A summary, and whether test lines since the summary before it bear it out.
    pub(super) fn session(&mut self, session: Session, supported: bool) {
        self.seen.push((session, supported));
    }

    /// Reports what was seen.
    pub(super) fn finish(self, findings: &mut Findings) {
        let alone = self.seen.len() == 1;
        for (session, supported) in self.seen {
            findings.session(session.unless(alone || supported, UNSUPPORTED));
        }
    }
}
