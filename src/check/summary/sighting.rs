//! What was seen in an output, one by one, for a person who asks why it counts or not.
//!
//! Not here: any decision; that is made over all of it at once (`aggregate`).

use std::collections::BTreeSet;

use super::finding::Red;
use super::shown::RED_TOTAL;
use super::{Counts, Runner, normalise, scan};

/// Something of a test runner in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Whose it is; `None` for what surrounds the runners.
    pub runner: Option<Runner>,
    /// The first and the last line of a session, counted from 1.
    pub lines: Option<(usize, usize)>,
    /// What a session counts.
    pub counts: Option<Counts>,
    /// Why it is not believed, or what was seen; empty for a session that accounts for itself.
    pub what: &'static str,
}

/// Everything that was seen, sessions in the order of their lines first.
pub fn sightings(output: &[u8]) -> Vec<Sighting> {
    let clean = normalise::clean(output);
    let mut found = scan(&normalise::lines(&clean));
    found.sessions.sort_by_key(|session| (session.first, session.last));
    let sessions = found.sessions.into_iter().map(|session| Sighting {
        runner: Some(session.runner),
        lines: Some((session.first + 1, session.last + 1)),
        counts: Some(session.counts),
        what: session.fault.or(session.unproven.map(|(_, what)| what)).unwrap_or_default(),
    });
    let alarms = found.alarms.into_iter().map(|alarm| (alarm.runner, alarm.what));
    let notices = found.notices.into_iter().map(|notice| (notice.runner, notice.what));
    let replayed = found.replayed.into_iter().map(|what| (None, what));
    let others = alarms.chain(notices).chain(replayed);
    let mut kinds = BTreeSet::new();
    let total = found.total.map(|total| Red { line: total.line, what: RED_TOTAL });
    // The first of each kind tells enough.
    let reds = found.reds.into_iter().chain(total).filter(|red| kinds.insert(red.what)).map(|red| Sighting {
        runner: None,
        lines: (red.line != usize::MAX).then(|| (red.line.saturating_add(1), red.line.saturating_add(1))),
        counts: None,
        what: red.what,
    });
    let others = others.map(|(runner, what)| Sighting { runner, lines: None, counts: None, what });
    sessions.chain(reds).chain(others).collect()
}
