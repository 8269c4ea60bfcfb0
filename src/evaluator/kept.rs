//! `tests.kept` (ruleset 4): the tests that were there before are still run. Fewer executed or more skipped tests than the
//! baseline's, or another command than the baseline's, wait for a person (`git rapid finish --accept-test-command`).
//!
//! Tests are compared by name where both checks have a list of them (the newer record says what it lost), and by number
//! always. A changed definition of the command (the script or entry that it runs) is named first.

use super::{
    assertion::Finding,
    case::{Case, facts, is_own_check},
    gate,
    rulesets::{Checks, Together},
    weight::Weight,
};
use crate::domain::{
    digest::Digest,
    evidence::{DEFINED_BY_WORDS, Evidence, Payload, ReviewOutcome, TestCounts, UNRESOLVED, Via},
    gate::GateKind,
    git_id::GitId,
    ids::AssertionId,
    lifecycle::Disposition,
    report::{Assertion, Category, Status},
    run::GateState,
    test_list::Names,
    text::Producer,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many tests a reason names.
const NAMED: usize = 10;

/// The assertion; `None` where the ruleset or the contract does not ask.
pub(super) fn assertion(case: &Case<'_>) -> Option<Assertion> {
    if !case.rules.lost_tests {
        return None;
    }
    let tests = gate_of(case, GateKind::ImplementationTests)?;
    let finding = finding(case, tests);
    let required = finding.status != Status::NotApplicable;
    Some(finding.about(AssertionId::tests_kept(), Category::Gate, &tests.id, required))
}

fn finding(case: &Case<'_>, tests: &GateState) -> Finding {
    let not_asked = |reason: &str| Finding::new(Status::NotApplicable, reason, &[]);
    if tests.disposition == Disposition::Waived {
        return not_asked("the tests were waived");
    }
    if gate_of(case, GateKind::BaselineCheck).is_none() {
        return not_asked("the run has no baseline to compare with");
    }
    let Some(before) = baseline_check(case) else {
        return Finding::new(Status::Unverified, "no check of the baseline qualifies, so nothing can be compared", &[]);
    };
    let Some(now) = tests_check(case) else {
        return Finding::new(
            Status::Unverified,
            "no check of the final tree can be compared with the baseline's",
            &[before],
        );
    };
    let earlier = || before_it(case, before).into_iter().find_map(|item| loss(item, now).map(|loss| (item, loss)));
    let asked = || not_the_terms(case, now).map(|other| (before, other));
    let found = loss(before, now).map(|loss| (before, loss)).or_else(earlier).or_else(asked);
    let Some((before, loss)) = found else {
        let mut reason = format!("{} runs what {} ran before, and not less of it", now.id, before.id);
        let unknown = unresolved(before, now);
        if !unknown.is_empty() {
            reason.push_str(&format!("; not resolved, so not compared: {}", unknown.join(", ")));
        }
        return Finding::new(Status::Pass, reason, &[before, now]);
    };
    match case.tree.and_then(|tree| acceptance(case, tree)) {
        Some(consent) => Finding::new(
            Status::Pass,
            format!("{loss}; a person accepted that ({})", consent.id),
            &[before, now, consent],
        ),
        None => Finding::new(
            Status::Unverified,
            format!("{loss}; a person has to accept that (git rapid finish --accept-test-command)"),
            &[before, now],
        ),
    }
}

fn gate_of<'a>(case: &Case<'a>, kind: GateKind) -> Option<&'a GateState> {
    case.state.gates.iter().find(|gate| gate.kind == kind && gate.required)
}

/// The check that the baseline stands for: the first that qualified, so that no later one can lower the bar.
pub(crate) fn baseline_check<'a>(case: &Case<'a>) -> Option<&'a Evidence> {
    let gate = gate_of(case, GateKind::BaselineCheck)?;
    let shown = gate::weighed(case, gate).into_iter().find(|w| w.weight == Weight::For);
    shown.map(|w| w.item)
}

/// That the tests are shown by another command than the terms name. A baseline by that command does not make it theirs.
fn not_the_terms(case: &Case<'_>, now: &Evidence) -> Option<String> {
    let named = case.contract.test_command.as_ref()?;
    let ran = facts(now).and_then(|facts| facts.command.as_ref())?;
    (ran != named).then(|| format!("{} ran another command than the terms' test command ({})", now.id, named.join(" ")))
}

/// What else was checked before the baseline, by the same command, whatever it was bound to. A baseline that became green because
/// tests were taken away is no baseline: what the red ones ran is asked for too.
fn before_it<'a>(case: &Case<'a>, before: &'a Evidence) -> Vec<&'a Evidence> {
    let older = case.items.iter().copied().filter(|item| item.id.ordinal() < before.id.ordinal());
    let asked = older.filter(|item| is_own_check(item) && !case.expects_failure(item));
    asked.filter(|item| !commands_differ(item, before)).collect()
}

/// The check that shows the tests green: the one that decides, where the newest does; else the newest that counts.
pub(crate) fn tests_check<'a>(case: &Case<'a>) -> Option<&'a Evidence> {
    let gate = gate_of(case, GateKind::ImplementationTests)?;
    let mut weighed = gate::weighed(case, gate).into_iter();
    let shown = match case.rules.together {
        Together::RedWins => weighed.rfind(|w| w.weight == Weight::For),
        Together::NewestWins => {
            weighed.rfind(|w| !matches!(w.weight, Weight::Aside(_))).filter(|w| w.weight == Weight::For)
        }
    };
    shown.map(|w| w.item)
}

/// What `now` shows less of than `before`, in words.
fn loss(before: &Evidence, now: &Evidence) -> Option<String> {
    if commands_differ(before, now) {
        return Some(format!("{} ran another command than {}, the baseline's", now.id, before.id));
    }
    let changed = redefined(before, now);
    if !changed.is_empty() {
        return Some(format!("what the test command runs changed since {}: {}", before.id, changed.join(", ")));
    }
    if let Some(less) = named_loss(before, now) {
        return Some(less);
    }
    match (counts(before), counts(now)) {
        (None, _) => None,
        (Some(_), None) => {
            Some(format!("{} was not counted, {} was, so lost tests could not be seen", now.id, before.id))
        }
        (Some(was), Some(is)) => {
            let executed = |counts: &TestCounts| counts.passed.saturating_add(counts.failed);
            match () {
                () if executed(is) < executed(was) => Some(format!(
                    "{} executed {} tests, {} before it {}",
                    now.id,
                    executed(is),
                    before.id,
                    executed(was)
                )),
                () if is.skipped > was.skipped => {
                    Some(format!("{} skipped {} tests, {} before it {}", now.id, is.skipped, before.id, was.skipped))
                }
                () => None,
            }
        }
    }
}

/// The tests that `now` names as lost or newly skipped since `before`, in words.
fn named_loss(before: &Evidence, now: &Evidence) -> Option<String> {
    let (against, less) = facts(now)?.tests.as_ref()?.against.as_ref()?;
    if *against != before.id {
        return None;
    }
    let said = |names: &Names, what: &str| match names.count {
        0 => None,
        count => Some(format!("{count} that {} ran {what} {}: {}", before.id, now.id, names.some(NAMED))),
    };
    let (lost, skipped) = (said(&less.lost, "are lost in"), said(&less.newly_skipped, "are skipped in"));
    match (lost, skipped) {
        (None, None) => None,
        (lost, skipped) => Some(format!("tests: {}", lost.into_iter().chain(skipped).collect::<Vec<_>>().join("; "))),
    }
}

/// Whether two checks are known not to have run the same command.
pub(crate) fn commands_differ(before: &Evidence, now: &Evidence) -> bool {
    let command = |item| facts(item).and_then(|facts| facts.command.as_ref());
    command(before) != command(now)
}

/// The parts of the test command's definition that are not what they were, where both checks know it.
///
/// A definition of before parts were followed says of a target or an entry less than one of now: beside one of now, only its
/// whole files are compared.
pub(crate) fn redefined(before: &Evidence, now: &Evidence) -> Vec<String> {
    let (Some(was), Some(is)) = (definition(before), definition(now)) else { return Vec::new() };
    let followed = |parts: &BTreeMap<String, Digest>| parts.contains_key(DEFINED_BY_WORDS);
    let alike = followed(was) == followed(is);
    let older = if followed(was) { is } else { was };
    let parts: BTreeSet<&String> = match alike {
        true => was.keys().chain(is.keys()).collect(),
        false => older.keys().filter(|part| !part.contains('#')).collect(),
    };
    parts.into_iter().filter(|part| was.get(*part) != is.get(*part)).cloned().collect()
}

fn definition(item: &Evidence) -> Option<&BTreeMap<String, Digest>> {
    facts(item).and_then(|facts| facts.definition.as_ref())
}

/// What the test command runs although the tree does not tell it, in the words of the newer check; and that one of two checks
/// followed less than the other.
fn unresolved(before: &Evidence, now: &Evidence) -> Vec<String> {
    let (Some(was), Some(is)) = (definition(before), definition(now)) else { return Vec::new() };
    let mut unknown: Vec<String> =
        is.keys().filter_map(|part| part.strip_prefix(UNRESOLVED)).map(str::to_owned).collect();
    if was.contains_key(DEFINED_BY_WORDS) != is.contains_key(DEFINED_BY_WORDS) {
        unknown.push("what an older version did not follow".to_owned());
    }
    unknown
}

/// The numbers of a counted check.
pub(crate) fn counts(item: &Evidence) -> Option<&TestCounts> {
    match &item.payload {
        Payload::TestResult { counts, counted: true, .. } => Some(counts),
        _ => None,
    }
}

/// The newest consent of a person to the tests as they are on `tree`.
pub(crate) fn acceptance<'a>(case: &Case<'a>, tree: &GitId) -> Option<&'a Evidence> {
    case.items.iter().rev().copied().find(|item| match &item.payload {
        Payload::Review(review) => {
            item.producer == Producer::User
                && review.via == Some(Via::Finish)
                && review.outcome == ReviewOutcome::Approved
                && review.tree.as_ref() == Some(tree)
                && !case.lacks_signature(item)
        }
        _ => false,
    })
}

/// How many passed tests are lost since the baseline, in words; `None` when none is known to be, or a person accepted it.
pub(crate) fn passed_drop(case: &Case<'_>, tree: Option<&GitId>) -> Option<String> {
    let (before, now) = (baseline_check(case)?, tests_check(case)?);
    // Where any producer's numbers are taken, they are taken here too.
    let passed = |item: &Evidence| match (&item.payload, case.rules.checks) {
        (Payload::TestResult { counts, .. }, Checks::Logged) => Some(counts.passed),
        _ => counts(item).map(|counts| counts.passed),
    };
    let (was, is) = (passed(before)?, passed(now)?);
    let accepted = tree.is_some_and(|tree| acceptance(case, tree).is_some());
    let lost = is < was && !accepted;
    lost.then(|| format!("{is} tests passed in {}, {was} in the baseline ({})", now.id, before.id))
}
