//! Two views of one run are not added: what a runner prints inside another runner's session, or in a second format.
//!
//! Failures survive every merge; only passes and faults of the inner view are given up, because the outer one accounts
//! for the same tests. Not here: which runner printed what.

use std::collections::BTreeMap;

use super::finding::{Alarm, Findings, Notice, Red, Session, Shown, Total};
use super::{Counts, Runner};

/// Sessions that stand side by side, and whatever else was found.
#[derive(Debug)]
pub(super) struct Merged {
    /// Sessions to add up, in the order of their lines.
    pub sessions: Vec<Session>,
    /// See [`Findings`].
    pub alarms: Vec<Alarm>,
    /// See [`Findings`].
    pub notices: Vec<Notice>,
    /// See [`Findings`].
    pub replayed: Option<&'static str>,
    /// See [`Findings`].
    pub reds: Vec<Red>,
    /// See [`Findings`].
    pub total: Option<Total>,
    /// See [`Findings`].
    pub shown: Shown,
}

/// Gives up every inner view.
pub(super) fn merge(findings: Findings) -> Merged {
    let Findings { mut sessions, alarms, notices, replayed, reds, total, shown } = findings;
    sessions.sort_by(|a, b| a.first.cmp(&b.first).then(b.last.cmp(&a.last)));
    Merged { sessions: drop_summed(nest(sessions)), alarms, notices, replayed, reds, total, shown }
}

/// Folds every session that lies within the lines of another one into that one. One sweep: sessions come sorted, so the
/// one kept last is the only candidate.
fn nest(sessions: Vec<Session>) -> Vec<Session> {
    let mut kept: Vec<Session> = Vec::with_capacity(sessions.len());
    let mut inner_failed: u64 = 0;
    for session in sessions {
        match kept.last_mut() {
            Some(outer) if is_inside(outer, &session) => {
                inner_failed = inner_failed.saturating_add(session.counts.failed);
                let excused = if session.runner == Runner::CargoTest { outer.excused } else { 0 };
                outer.counts.failed = outer.counts.failed.max(inner_failed.saturating_sub(excused));
            }
            Some(outer) if is_second_format(outer, &session) => {
                if outer.counts != session.counts {
                    outer.fault.get_or_insert("two formats of one run disagree");
                }
                outer.fault = outer.fault.or(session.fault);
                outer.unproven = outer.unproven.or(session.unproven);
                outer.counts.failed = outer.counts.failed.max(session.counts.failed);
                outer.last = outer.last.max(session.last);
            }
            _ => {
                inner_failed = 0;
                kept.push(session);
            }
        }
    }
    kept
}

/// Whether `inner` is printed within `outer`'s session by another runner.
fn is_inside(outer: &Session, inner: &Session) -> bool {
    outer.runner != inner.runner && outer.first < outer.last && inner.last <= outer.last
}

/// Whether one run was written twice, by two reporters at once: the sessions of one format never overlap.
fn is_second_format(outer: &Session, other: &Session) -> bool {
    outer.runner == other.runner && other.first <= outer.last
}

/// Gives up machine formats beside a text summary, and sessions that a later summary without a header speaks of.
fn drop_summed(sessions: Vec<Session>) -> Vec<Session> {
    let text = sessions.iter().any(|session| !session.runner.is_format());
    let mut summed_until = BTreeMap::new();
    for session in sessions.iter().filter(|session| session.fault.is_none()) {
        for inner in session.runner.sums_up() {
            summed_until.insert(*inner, session.last);
        }
    }
    let is_view = |session: &Session| {
        (text && session.runner.is_format())
            || summed_until.get(&session.runner).is_some_and(|last| *last >= session.last)
    };
    let (views, mut kept): (Vec<Session>, Vec<Session>) = sessions.into_iter().partition(is_view);
    let hidden = failed(&views).saturating_sub(failed(&kept));
    if let Some(first) = kept.first_mut() {
        first.counts.failed = first.counts.failed.saturating_add(hidden);
    }
    kept
}

fn failed(sessions: &[Session]) -> u64 {
    sessions.iter().fold(Counts::default(), |sum, session| sum.plus(session.counts)).failed
}
