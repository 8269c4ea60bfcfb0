//! Adds the sessions up and applies the rule: failures win, passes need a session that accounts for itself, and what
//! contradicts itself is not counted.
//!
//! Not here: recognising sessions, and telling apart two views of one run.

use std::borrow::Cow;

use super::finding::Session;
use super::views::Merged;
use super::{Counts, Input, Outcome, Runner, Summary, Uncounted, command, hint, shown};

/// More tests than this no runner has run. A larger number is somebody's text, and would not fit into a record.
const MOST: u64 = 1 << 40;
const TOO_MANY: &str = "a total counts more tests than anybody can run";

/// The answer for these findings.
pub(super) fn conclude(input: &Input<'_>, mut found: Merged) -> Summary {
    for session in &mut found.sessions {
        if session.counts.total() > MOST {
            session.fault = Some(TOO_MANY);
            session.counts = session.counts.at_most(MOST);
        }
    }
    let sound = sum(found.sessions.iter().filter(|session| session.fault.is_none()));
    let mut counts = sound;
    counts.failed = sum(found.sessions.iter()).failed;
    let fault = found.sessions.iter().find_map(|session| session.fault).map(Cow::Borrowed);
    // Any failure counted anywhere decides by itself.
    let fault =
        fault.or_else(|| (counts.failed == 0 && input.exit_code == 0).then(|| shown::unaccounted(&found)).flatten());
    let alarm = found.alarms.first();
    if counts.failed == 0 && alarm.is_some() {
        counts.failed = 1;
    }
    let any_sound = found.sessions.iter().any(|session| session.fault.is_none());
    let counted = any_sound && !input.truncated && (fault.is_none() || sound.failed > 0);
    let replayed = found.replayed.map(|what| (Uncounted::NotRun, what));
    let unproven = replayed.or_else(|| found.sessions.iter().find_map(|session| session.unproven));
    let rehearsed = command::rehearses(input.command);

    let uncounted = if input.truncated {
        Some(Uncounted::Truncated)
    } else if !counted && fault.is_some() {
        Some(Uncounted::Contradiction)
    } else if rehearsed.is_some() {
        Some(Uncounted::NotRun)
    } else if !counted {
        let noticed = found.notices.iter().map(|notice| notice.why).max();
        Some(noticed.unwrap_or(Uncounted::None))
    } else if counts.failed == 0 && counts.passed == 0 {
        Some(Uncounted::Empty)
    } else {
        unproven.map(|(why, _)| why)
    };

    let outcome = if input.exit_code != 0 || counts.failed > 0 {
        Outcome::Fail
    } else if uncounted.is_none() {
        Outcome::Pass
    } else {
        Outcome::Unverified
    };
    let runner = leading_runner(&found);
    let detail = fault
        .as_deref()
        .or_else(|| alarm.map(|alarm| alarm.what))
        .or(rehearsed)
        .or_else(|| unproven.map(|(_, what)| what))
        .or_else(|| found.notices.iter().max_by_key(|notice| notice.why).map(|notice| notice.what));
    let counted = counted && (rehearsed.is_none() || counts.passed == 0);
    let reason = hint::reason(&hint::Facts { input, runner, counts, outcome, counted, uncounted, detail });
    Summary { counted, runner, counts, outcome, uncounted, reason }
}

fn sum<'s>(sessions: impl Iterator<Item = &'s Session>) -> Counts {
    sessions.fold(Counts::default(), |sum, session| sum.plus(session.counts))
}

/// The runner whose session holds most tests; else whoever was noticed.
fn leading_runner(found: &Merged) -> Option<Runner> {
    let session = found.sessions.iter().max_by_key(|session| (session.fault.is_none(), session.counts.total()));
    session
        .map(|session| session.runner)
        .or_else(|| found.notices.iter().find_map(|notice| notice.runner))
        .or_else(|| found.alarms.iter().find_map(|alarm| alarm.runner))
}
