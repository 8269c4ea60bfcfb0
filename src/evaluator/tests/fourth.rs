//! What ruleset 4 adds: supersession, currency, reproduction, lost tests, signatures.

use crate::domain::{
    contract::{Approvals, Ruleset},
    evidence::{Payload, ReviewOutcome, TestCounts, Via, WorkspaceMode},
    gate::ReviewType,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    policy::Risk,
    report::{Status, Verdict},
};
use crate::evaluator::fixture::{Run, approved, facts, review, tested, tree, with, words};

const V4: Ruleset = Ruleset::V4;

fn tests_of(run: &Run) -> (Status, String) {
    run.stands("gate.gate.tests.evidence")
}

#[test]
fn a_run_that_lacks_nothing_passes_and_the_report_names_its_tree() {
    let mut run = Run::worked(V4);
    let report = run.finish('b');
    assert_eq!(report.verdict(), Verdict::Pass, "{:#?}", report.assertions);
    assert_eq!(report.tree, Some(tree('b')));
    assert_eq!(run.state().status, RunStatus::Finished);
}

#[test]
fn without_a_record_of_finish_nothing_that_is_about_the_result_counts() {
    let mut run = Run::worked(V4);
    run.acknowledge("tests");
    run.status(RunStatus::Finished);
    let report = run.report();
    assert_eq!((report.verdict(), report.tree.clone()), (Verdict::Unverified, None));
    let reason = &report.assertion("gate.gate.tests.evidence").unwrap().reason;
    assert!(reason.contains("no final tree is recorded yet"), "{reason}");
    assert_eq!(report.assertion("gate.gate.baseline.evidence").unwrap().status, Status::Pass);
}

#[test]
fn code_that_changed_after_everything_was_shown_is_unverified() {
    let mut run = Run::worked(V4);
    let report = run.finish('c');
    assert_eq!(report.verdict(), Verdict::Unverified);
    assert_eq!(run.state().status, RunStatus::Active, "machine gates are not backed, so the run stays open");
    for id in ["task.T001.evidence", "gate.gate.tests.evidence", "gate.gate.final-verification.evidence"] {
        let found = report.assertion(id).unwrap();
        assert_eq!(found.status, Status::Unverified, "{id}");
        assert!(found.reason.contains("tree bbbbbbbbbbbb"), "{id}: {}", found.reason);
    }
}

#[test]
fn the_newest_record_of_finish_says_which_tree_is_final() {
    let mut run = Run::worked(V4);
    run.finish_record('c');
    run.finish_record('b');
    assert_eq!(run.report().tree, Some(tree('b')));
}

#[test]
fn a_red_check_that_was_repaired_is_named_and_superseded() {
    let mut run = Run::new(Mode::Feature, V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.check(tested('c', 2, 1), "T001 tests");
    run.check(tested('b', 3, 1), "T001 tests");
    run.check(tested('b', 4, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    run.acknowledge("tests");
    run.finish_record('b');
    assert_eq!(
        tests_of(&run),
        (Status::Pass, "shown by E005, the newest; red and superseded: E003 and E004".to_owned())
    );
    assert_eq!(run.stands("task.T001.evidence").0, Status::Pass);
    assert_eq!(run.stands("capability.tests.execute.observed").0, Status::Pass);
}

#[test]
fn a_green_check_that_turned_red_is_red() {
    let mut run = Run::worked(V4);
    run.check(tested('b', 3, 1), "tests");
    run.acknowledge("tests");
    run.finish_record('b');
    assert_eq!(tests_of(&run), (Status::Fail, "contradicted by E005, the newest".to_owned()));
}

#[test]
fn our_own_newest_check_is_the_newest_word_even_when_it_shows_nothing_and_nobody_elses_is() {
    let mut run = Run::worked(V4);
    run.acknowledge("tests");
    let nothing = with(tested('b', 4, 0), |facts| facts.uncounted = Some("contradiction".to_owned()));
    run.record("ci:x", nothing.clone(), "tests");
    run.record("ci:x", tested('b', 40, 0), "tests");
    let mut after = run.clone();
    run.finish_record('b');
    assert_eq!(tests_of(&run).0, Status::Pass);
    after.check(nothing, "tests");
    after.finish_record('b');
    assert_eq!(tests_of(&after).0, Status::Unverified);
}

#[test]
fn going_back_to_code_that_was_green_makes_its_checks_count_again() {
    let mut run = Run::worked(V4);
    run.acknowledge("tests");
    run.check(tested('c', 2, 2), "tests");
    run.finish_record('b');
    assert_eq!(tests_of(&run).0, Status::Pass);
}

#[test]
fn a_task_is_also_shown_by_a_newer_check_of_the_same_command() {
    let mut run = Run::new(Mode::Feature, V4, 2);
    run.begin();
    for (task, on) in [(1, 'b'), (2, 'c')] {
        run.task(task, TaskStatus::InProgress);
        run.check(tested(on, 4, 0), &format!("T00{task}"));
        run.task(task, TaskStatus::Done);
    }
    run.finish_record('c');
    let (status, reason) = run.stands("task.T001.evidence");
    assert_eq!((status, reason.as_str()), (Status::Pass, "shown by E004, the newest"));
    run.check(tested('c', 3, 1), "tests");
    run.finish_record('c');
    assert_eq!(run.stands("task.T001.evidence").0, Status::Fail);
}

#[test]
fn an_approval_of_other_code_can_be_given_again() {
    let mut run = Run::worked(V4);
    run.check(tested('c', 4, 0), "T001 tests");
    run.finish_record('c');
    assert_eq!(run.stands("gate.gate.final-verification.evidence").0, Status::Unverified);
    run.approve("final-verification", 'c');
    let report = run.finish('c');
    assert_eq!(report.verdict(), Verdict::Pass, "{:#?}", report.assertions);
}

#[test]
fn the_persons_newest_word_decides_also_when_it_is_about_other_code() {
    let mut run = Run::worked(V4);
    run.approve("final-verification", 'c');
    run.finish_record('b');
    assert_eq!(run.stands("gate.gate.final-verification.evidence").0, Status::Unverified);
}

#[test]
fn a_rejection_is_not_washed_away_by_changing_the_code_but_by_approving_again() {
    let mut run = Run::worked(V4);
    let rejected = review(ReviewType::Final, ReviewOutcome::ChangesRequested, Some(Via::Approve), Some('b'));
    run.record("user", rejected, "final-verification");
    run.finish_record('c');
    assert_eq!(run.stands("gate.gate.final-verification.evidence").0, Status::Fail);
    run.record("user", approved(ReviewType::Final, 'c'), "final-verification");
    run.finish_record('c');
    let (status, reason) = run.stands("gate.gate.final-verification.evidence");
    assert_eq!((status, reason.as_str()), (Status::Pass, "shown by E007, the newest; red and superseded: E005"));
}

#[test]
fn signed_approvals_count_only_with_a_signature_that_holds() {
    let mut run = Run::of(Mode::Feature, V4, 1, Risk::Low, |contract| contract.approvals = Approvals::Signed);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.check(tested('b', 4, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    run.approve("final-verification", 'b');
    let mut signed = run.clone();
    let report = run.finish('b');
    assert_eq!(report.verdict(), Verdict::Unverified);
    let reason = &report.assertion("gate.gate.final-verification.evidence").unwrap().reason;
    assert!(reason.contains("no valid signature"), "{reason}");
    signed.signed.insert(signed.evidence.last().unwrap().id.clone());
    assert_eq!(signed.finish('b').verdict(), Verdict::Pass);
    // Under ruleset 3 nobody asks.
    let third = crate::evaluator::evaluate(&run.input().by(Ruleset::V3)).unwrap();
    assert_eq!(third.assertion("gate.gate.final-verification.evidence").unwrap().status, Status::Pass);
}

#[test]
fn tests_that_a_person_waived_are_not_asked_for_as_a_capability_either() {
    let mut run = Run::new(Mode::Feature, V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.record("rapid:attach", Payload::Artifact { label: "a".to_owned() }, "T001");
    run.task(1, TaskStatus::Done);
    run.waive("tests");
    run.approve("final-verification", 'b');
    let report = run.finish('b');
    assert_eq!(report.verdict(), Verdict::PassWithWaivers, "{:#?}", report.assertions);
}

/// A refactor run whose baseline had ten tests of which one was skipped, checked on `b` with these numbers.
fn kept(executed: u64, skipped: u64) -> Run {
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
    run.check(of('b', executed, skipped), "T001 tests");
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
fn a_later_and_shorter_baseline_lowers_no_bar() {
    let mut run = kept(9, 1);
    run.check(tested('b', 1, 0), "baseline");
    run.finish_record('b');
    assert_eq!(run.stands("tests.kept").0, Status::Unverified);
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
