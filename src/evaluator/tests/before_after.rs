//! What ruleset 4 compares with what was before: lost tests, and failures that were repaired.

use crate::domain::{
    contract::Ruleset,
    digest::Digest,
    evidence::{NamedTests, Payload, ReviewOutcome, TestCounts, Via, WorkspaceMode},
    gate::ReviewType,
    ids::EvidenceId,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    report::{Status, Verdict},
    test_list::{Less, Names},
};
use crate::evaluator::fixture::{Run, facts, review, tested, with, words};

const V4: Ruleset = Ruleset::V4;

/// A refactor run whose baseline had ten tests of which one was skipped, checked on `b` with these numbers.
fn kept(executed: u64, skipped: u64) -> Run {
    kept_named(executed, skipped, None)
}

/// The same with what the later check says of its tests by name.
fn kept_named(executed: u64, skipped: u64, named: Option<NamedTests>) -> Run {
    let of = |on, passed, skipped| Payload::TestResult {
        suite: "all".to_owned(),
        exit_code: 0,
        counts: TestCounts { passed, failed: 0, skipped },
        counted: true,
        facts: facts(Some(on)),
    };
    let mut run = Run::new(Mode::Refactor, V4, 1);
    run.workspace(WorkspaceMode::Current, "");
    run.check(of('a', 10, 1), "baseline");
    run.acknowledge("baseline");
    run.status(RunStatus::Active);
    run.task(1, TaskStatus::InProgress);
    run.check(with(of('b', executed, skipped), |facts| facts.tests = named), "T001 tests");
    run.task(1, TaskStatus::Done);
    run.approve("final-verification", 'b');
    run.acknowledge("tests");
    run
}

#[test]
fn lost_and_newly_skipped_tests_wait_for_a_person() {
    for (executed, skipped, status) in [
        (10, 1, Status::Pass),
        (12, 0, Status::Pass),
        (9, 1, Status::Unverified),
        (10, 2, Status::Unverified),
        (11, 2, Status::Unverified),
    ] {
        let mut run = kept(executed, skipped);
        run.finish_record('b');
        let (found, reason) = run.stands("tests.kept");
        assert_eq!(found, status, "{executed} executed, {skipped} skipped: {reason}");
    }
}

#[test]
fn a_person_accepts_lost_tests_for_one_tree() {
    let consent = |on| review(ReviewType::Final, ReviewOutcome::Approved, Some(Via::Finish), Some(on));
    for (by, on, status) in
        [("user", 'b', Status::Pass), ("user", 'c', Status::Unverified), ("ci:x", 'b', Status::Unverified)]
    {
        let mut run = kept(9, 1);
        run.record(by, consent(on), "");
        run.finish_record('b');
        assert_eq!(run.stands("tests.kept").0, status, "{by} on {on}");
        let accepted = status == Status::Pass;
        assert_eq!(run.verdict(), Verdict::Unverified, "the run is still open");
        run.status(RunStatus::Finished);
        assert_eq!(run.verdict() == Verdict::Pass, accepted);
    }
}

#[test]
fn lost_and_newly_skipped_tests_are_named() {
    let names = |count: u64| Names { count, first: (0..count.min(100)).map(|n| format!("t{n:03}")).collect() };
    let against = |id: u32, lost: u64, newly_skipped: u64| {
        let less = Less { lost: names(lost), newly_skipped: names(newly_skipped) };
        Some(NamedTests { sha256: Digest::of(b"list"), against: Some((EvidenceId::of(id), less)) })
    };
    for (named, status, words) in [
        (against(2, 0, 0), Status::Pass, "E002 ran before"),
        (against(2, 2, 0), Status::Unverified, "2 that E002 ran are lost in E003: t000, t001;"),
        (against(2, 0, 1), Status::Unverified, "1 that E002 ran are skipped in E003: t000;"),
        (against(2, 1, 1), Status::Unverified, "lost in E003: t000; 1 that E002 ran are skipped in E003: t000;"),
        (against(2, 120, 0), Status::Unverified, "t009 and 110 more;"),
        (against(1, 2, 0), Status::Pass, "compared with another check than the baseline's"),
        (None, Status::Pass, ""),
    ] {
        let mut run = kept_named(10, 1, named.clone());
        run.finish_record('b');
        let (found, reason) = run.stands("tests.kept");
        assert_eq!(found, status, "{reason}");
        assert!(status == Status::Pass || reason.contains(words), "{reason}");
        let consent = review(ReviewType::Final, ReviewOutcome::Approved, Some(Via::Finish), Some('b'));
        run.record("user", consent, "");
        assert_eq!(run.stands("tests.kept").0, Status::Pass, "a person accepts it");
    }
}

#[test]
fn a_later_and_shorter_baseline_lowers_no_bar() {
    let mut run = kept(9, 1);
    run.check(tested('b', 1, 0), "baseline");
    run.finish_record('b');
    assert_eq!(run.stands("tests.kept").0, Status::Unverified);
}

#[test]
fn a_baseline_made_green_by_taking_tests_away_lowers_no_bar() {
    let defined = |text: &str| Some([("tests.sh".to_owned(), Digest::of(text.as_bytes()))].into());
    let stands = |first: Payload, second: Payload, now: Payload| {
        let mut run = Run::new(Mode::Feature, V4, 1);
        run.workspace(WorkspaceMode::Current, "");
        run.check(first, "baseline");
        run.check(second, "baseline");
        run.acknowledge("baseline");
        run.status(RunStatus::Active);
        run.work(1);
        run.check(now, "tests");
        run.acknowledge("tests");
        run.finish_record('b');
        run.stands("tests.kept")
    };
    let (status, reason) = stands(tested('a', 1, 1), tested('c', 1, 0), tested('b', 1, 0));
    assert_eq!(status, Status::Unverified, "{reason}");
    assert!(reason.starts_with("E004 executed 1 tests, E002 before it 2"), "{reason}");
    let other = |item: Payload, text: &str| with(item, |facts| facts.definition = defined(text));
    let (status, reason) =
        stands(other(tested('a', 1, 1), "a"), other(tested('c', 2, 0), "b"), other(tested('b', 2, 0), "b"));
    assert_eq!(status, Status::Unverified, "{reason}");
    assert!(reason.starts_with("what the test command runs changed since E002: tests.sh"), "{reason}");
    let repaired = stands(other(tested('a', 1, 1), "a"), other(tested('c', 2, 0), "a"), other(tested('b', 2, 0), "a"));
    assert_eq!(repaired.0, Status::Pass, "the code was repaired, the tests are what they were: {}", repaired.1);
    let elsewhere = with(tested('a', 5, 1), |facts| facts.command = Some(words("cargo test --lib")));
    assert_eq!(stands(elsewhere, tested('c', 2, 0), tested('b', 2, 0)).0, Status::Pass, "another command's tests");
}

#[test]
fn what_cannot_be_compared_is_unverified_and_what_was_never_counted_is_not_asked() {
    let stands = |before: Payload, now: Payload| {
        let mut run = Run::new(Mode::Feature, V4, 1);
        run.workspace(WorkspaceMode::Current, "");
        run.check(before, "baseline");
        run.acknowledge("baseline");
        run.status(RunStatus::Active);
        run.work(1);
        run.check(now, "tests");
        run.acknowledge("tests");
        run.finish_record('b');
        run.stands("tests.kept").0
    };
    let uncounted = |on| crate::evaluator::fixture::ran(on, 0, Some("no-counts"));
    assert_eq!(stands(tested('a', 3, 0), uncounted('b')), Status::Unverified);
    assert_eq!(stands(uncounted('a'), tested('b', 1, 0)), Status::Pass);
    assert_eq!(stands(uncounted('a'), uncounted('b')), Status::Pass);
    let other = with(tested('b', 30, 0), |facts| facts.command = Some(words("cargo test --lib")));
    assert_eq!(stands(tested('a', 3, 0), other), Status::Unverified);
}

/// What ruleset 4 says of a later check of the same command, given both definitions as parts and texts.
fn defined(before: &[(&str, &str)], now: &[(&str, &str)]) -> (Status, String) {
    let parts = |parts: &[(&str, &str)]| {
        Some(parts.iter().map(|(part, text)| ((*part).to_owned(), Digest::of(text.as_bytes()))).collect())
    };
    let mut run = Run::new(Mode::Refactor, V4, 1);
    run.workspace(WorkspaceMode::Current, "");
    run.check(with(tested('a', 3, 0), |facts| facts.definition = parts(before)), "baseline");
    run.acknowledge("baseline");
    run.status(RunStatus::Active);
    run.task(1, TaskStatus::InProgress);
    run.check(with(tested('b', 3, 0), |facts| facts.definition = parts(now)), "T001 tests");
    run.task(1, TaskStatus::Done);
    run.finish_record('b');
    run.stands("tests.kept")
}

#[test]
fn a_definition_is_compared_part_by_part_and_what_is_not_resolved_is_said() {
    let words = ("words", "w");
    for (before, now, status, said) in [
        (&[words, ("a", "1")][..], &[words, ("a", "1")][..], Status::Pass, "not less of it"),
        (&[words, ("a", "1")], &[words, ("a", "2")], Status::Unverified, "changed since E002: a"),
        (&[words], &[words, ("a", "1")], Status::Unverified, "changed since E002: a"),
        (&[words, ("a", "1")], &[words], Status::Unverified, "changed since E002: a"),
        (&[words, ("not resolved: x", "x")], &[words, ("not resolved: x", "x")], Status::Pass, "not compared: x"),
        (&[words, ("t.sh", "1")], &[words, ("not resolved: t.sh", "x")], Status::Unverified, "t.sh"),
        // Recorded before parts were followed.
        (&[("a", "1")], &[("a", "2")], Status::Unverified, "changed since E002: a"),
        (&[], &[words, ("a", "1")], Status::Pass, "not compared: what an older version did not follow"),
        (
            &[("a", "1"), ("Makefile#test", "1")],
            &[words, ("a", "1"), ("Makefile#test", "2")],
            Status::Pass,
            "older version",
        ),
        (&[("a", "1")], &[words, ("a", "2")], Status::Unverified, "changed since E002: a"),
    ] {
        let (found, reason) = defined(before, now);
        assert_eq!(found, status, "{before:?}, {now:?}: {reason}");
        assert!(reason.contains(said), "{before:?}, {now:?}: {reason}");
    }
}

/// A bugfix run with these checks of its one task, finished on `b`.
fn bugfix(checks: &[Payload]) -> (Status, String) {
    let mut run = Run::new(Mode::Bugfix, V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    for payload in checks {
        run.check(payload.clone(), "T001");
    }
    run.task(1, TaskStatus::Done);
    run.finish_record('b');
    run.stands("reproduction.T001")
}

fn expected(payload: Payload) -> Payload {
    with(payload, |facts| facts.expects_failure = true)
}

#[test]
fn a_bugfix_shows_its_failure_first_and_the_repair_after_it() {
    let failure = expected(tested('c', 3, 1));
    let repair = tested('b', 4, 0);
    for (what, checks, status) in [
        ("failure, repair", vec![failure.clone(), repair.clone()], Status::Pass),
        ("no failure", vec![repair.clone()], Status::Unverified),
        ("failure only", vec![failure.clone()], Status::Unverified),
        ("the failure after the repair", vec![repair.clone(), failure.clone()], Status::Unverified),
        ("a failure that did not fail", vec![expected(tested('c', 4, 0)), repair.clone()], Status::Fail),
        ("on the final tree", vec![expected(tested('b', 3, 1)), repair.clone()], Status::Unverified),
        ("red again", vec![failure.clone(), repair.clone(), tested('b', 3, 1)], Status::Unverified),
        ("repaired elsewhere", vec![failure.clone(), tested('d', 4, 0)], Status::Unverified),
        ("expected once more, in vain", vec![failure.clone(), repair.clone(), expected(repair.clone())], Status::Pass),
        ("nothing ran", vec![failure.clone(), tested('b', 0, 0)], Status::Unverified),
        (
            "another command",
            vec![failure.clone(), with(repair.clone(), |facts| facts.command = Some(words("cargo test x")))],
            Status::Unverified,
        ),
        ("nobody knows where", vec![with(failure, |facts| facts.tree = None), repair], Status::Unverified),
    ] {
        let (found, reason) = bugfix(&checks);
        assert_eq!(found, status, "{what}: {reason}");
    }
}

#[test]
fn a_skipped_task_owes_no_reproduction_and_the_next_one_does() {
    let mut run = Run::new(Mode::Bugfix, V4, 2);
    run.begin();
    run.task(1, TaskStatus::Skipped);
    let report = run.report();
    assert!(report.assertion("reproduction.T001").is_none());
    assert_eq!(report.assertion("reproduction.T002").unwrap().status, Status::Unverified);
}

#[test]
fn other_modes_owe_no_reproduction_but_keep_one_that_was_begun() {
    let mut run = Run::new(Mode::Feature, V4, 1);
    run.begin();
    assert!(run.report().assertion("reproduction.T001").is_none());
    run.task(1, TaskStatus::InProgress);
    run.check(expected(tested('c', 3, 1)), "T001");
    assert_eq!(run.stands("reproduction.T001").0, Status::Unverified);
}
