//! What ruleset 4 adds: supersession, currency, reproduction, lost tests, signatures.

use crate::domain::{
    approvers::{Approvers, Approving},
    contract::{Approvals, Ruleset},
    evidence::{Payload, ReviewOutcome, Via},
    gate::ReviewType,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    policy::Risk,
    report::{Status, Verdict},
};
use crate::evaluator::fixture::{Run, approved, ran, review, signer, tested, tree, with};

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
fn what_was_handed_in_outweighs_no_check_that_was_seen_to_run() {
    let mut run = Run::new(Mode::Feature, V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.check(tested('b', 4, 0), "T001 tests");
    run.check(ran('b', 1, None), "T001");
    run.task(1, TaskStatus::Done);
    run.record("ci:lint", ran('b', 0, None), "T001");
    run.record("agent:me", tested('b', 500, 0), "T001");
    run.finish_record('b');
    assert_eq!(run.stands("task.T001.evidence").0, Status::Fail);
    // A red one of somebody else's counts.
    run.check(tested('b', 4, 0), "T001");
    assert_eq!(run.stands("task.T001.evidence").0, Status::Pass);
    run.record("ci:lint", ran('b', 1, None), "T001");
    assert_eq!(run.stands("task.T001.evidence").0, Status::Fail);
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
    signed.signed.insert(signed.evidence.last().unwrap().id.clone(), signer("ada"));
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

/// A run of a contract that asks these of its approvers, worked on tree `b` and not approved yet.
fn approved_by_people(rule: Approving) -> Run {
    let mut run = Run::of(Mode::Feature, V4, 1, Risk::Low, |contract| {
        contract.approvals = Approvals::Signed;
        contract.approvers = Some(Approvers { every: rule, ..Approvers::default() });
    });
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.check(tested('b', 4, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    run
}

fn approves(run: &mut Run, who: &str) {
    let id = run.record("user", approved(ReviewType::Final, 'b'), "final-verification");
    run.signed.insert(id, signer(who));
}

#[test]
fn as_many_people_as_the_contract_asks_for_have_to_approve() {
    let mut run = approved_by_people(Approving { need: 2, ..Approving::default() });
    run.finish_record('b');
    approves(&mut run, "bob");
    approves(&mut run, "bob");
    run.acknowledge("final-verification");
    let of_gate = "gate.gate.final-verification.evidence";
    let (status, reason) = run.stands(of_gate);
    assert_eq!((status, reason.as_str()), (Status::Unverified, "1 of 2 people approved so far: bob@example.com"));
    approves(&mut run, "carol");
    assert_eq!(run.stands(of_gate).0, Status::Pass);
    // Somebody asks for changes: who approved before that has to look again.
    run.record(
        "user",
        review(ReviewType::Final, ReviewOutcome::Rejected, Some(Via::Approve), Some('b')),
        "final-verification",
    );
    assert_eq!(run.stands(of_gate).0, Status::Fail);
    approves(&mut run, "bob");
    assert_eq!(run.stands(of_gate).0, Status::Unverified);
    approves(&mut run, "carol");
    assert_eq!(run.stands(of_gate).0, Status::Pass);
}

#[test]
fn what_another_party_saw_moves_no_verdict() {
    let mut run = Run::worked(V4);
    run.finish('b');
    let before = run.report();
    run.record("rapid:verify", tested('b', 0, 9), "");
    let after = run.report();
    assert_eq!(after.assertions, before.assertions, "red or green, no ruleset hears it");
    assert_ne!(after.evidence_set_digest, before.evidence_set_digest, "it is evidence all the same");
}
