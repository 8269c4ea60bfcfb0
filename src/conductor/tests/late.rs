//! Each rule after the last task wins where it should, and loses to the one before it.

use super::{TREES, advice, decided, expect, line};
use crate::domain::{
    contract::Ruleset,
    evidence::{CheckFacts, Payload, ReviewOutcome, TestCounts, Via, WorkspaceMode},
    gate::ReviewType,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    next_action::ActionKind,
    policy::Risk,
};
use crate::evaluator::fixture::{Run, facts, ran, review, tested, with, words};

/// A refactor run, checked on `b` with this many tests after a baseline of three.
fn refactored(ruleset: Ruleset, passed: u64) -> Run {
    let mut run = Run::new(Mode::Refactor, ruleset, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.check(tested('b', passed, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    run
}

#[test]
fn a_refactoring_that_lost_tests_is_blocked_until_they_are_back_or_accepted() {
    for ruleset in TREES {
        let mut run = refactored(ruleset, 2);
        let check = "git rapid check --gate gate.tests -- cargo test";
        expect(&advice(&run, Some('b')), "refactor", ActionKind::Blocked, check, "");
        let mut accepted = run.clone();
        let consent = review(ReviewType::Final, ReviewOutcome::Approved, Some(Via::Finish), Some('b'));
        accepted.record("user", consent, "");
        assert_eq!(decided(&advice(&accepted, Some('b'))), "approval");
        run.check(tested('c', 3, 0), "T001 tests");
        assert_eq!(decided(&advice(&run, Some('c'))), "approval");
        assert_eq!(decided(&advice(&refactored(ruleset, 3), Some('b'))), "approval");
    }
}

#[test]
fn what_is_red_for_good_ends_the_run_and_what_is_not_is_repaired() {
    for ruleset in TREES {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.begin();
        run.work(1);
        run.check(tested('b', 3, 1), "T001 tests");
        let red = advice(&run, Some('b'));
        let check = "git rapid check --gate gate.tests --task T001 -- cargo test";
        match ruleset {
            Ruleset::V4 => expect(&red, "verify", ActionKind::Verify, check, ""),
            _ => expect(&red, "contradiction", ActionKind::Blocked, "git rapid abort", ""),
        }
        run.check(tested('b', 4, 0), "T001 tests");
        let green = advice(&run, Some('b'));
        assert_eq!(decided(&green), if ruleset == Ruleset::V4 { "approval" } else { "contradiction" });
    }
}

#[test]
fn what_is_not_shown_is_asked_for_by_its_command() {
    for ruleset in TREES {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.begin();
        run.work(1);
        let verify = advice(&run, Some('b'));
        expect(
            &verify,
            "verify",
            ActionKind::Verify,
            "git rapid check --gate gate.tests --task T001 -- cargo test",
            "",
        );
        let missing: Vec<&str> = verify.action.missing.iter().map(|id| id.as_str()).collect();
        assert!(
            missing.contains(&"task.T001.evidence") && missing.contains(&"gate.gate.tests.evidence"),
            "{missing:?}"
        );
        run.check(tested('b', 4, 0), "tests");
        expect(&advice(&run, Some('b')), "verify", ActionKind::Verify, "git rapid check --task T001 -- cargo test", "");
        run.check(tested('b', 4, 0), "T001");
        assert_eq!(decided(&advice(&run, Some('b'))), "approval");
        // The code went on after the check.
        let stale = advice(&run, Some('c'));
        assert_eq!(decided(&stale), "verify", "{stale:#?}");
        assert!(line(&stale.action.action.command).starts_with("git rapid check --gate gate.tests"));
        // The code cannot be named.
        assert_eq!(decided(&advice(&run, None)), "verify");
    }
}

#[test]
fn evidence_that_does_not_qualify_is_named_with_its_code() {
    for ruleset in TREES {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.begin();
        run.work(1);
        run.record("ci:x", tested('b', 4, 0), "T001 tests");
        let verify = advice(&run, Some('b'));
        assert!(verify.action.action.instructions.contains("RAPID1432"), "{}", verify.action.action.instructions);
    }
}

#[test]
fn the_architecture_is_checked_by_its_own_command() {
    for ruleset in TREES {
        let mut run = Run::of(Mode::Feature, ruleset, 1, Risk::High, |contract| {
            contract.decision.gates.retain(|gate| gate.id.as_str() != "gate.workspace-isolation");
            contract.decision.workspace = crate::domain::policy::Workspace::CurrentAllowed;
        });
        run.begin();
        run.task(1, TaskStatus::InProgress);
        run.check(tested('b', 4, 0), "T001 tests");
        run.task(1, TaskStatus::Done);
        let command = "git rapid check --gate gate.architecture -- git rapid arch check";
        expect(&advice(&run, Some('b')), "verify", ActionKind::Verify, command, "");
        let arch = with(ran('b', 0, Some("none")), |facts| {
            (facts.test_command, facts.command) = (false, Some(words("git rapid arch check")));
        });
        run.check(arch, "architecture");
        let stop = advice(&run, Some('b'));
        expect(&stop, "approval", ActionKind::AwaitHumanApproval, "git rapid approve gate.review", "");
        assert_eq!(stop.action.action.gate_ids.len(), 2);
    }
}

#[test]
fn a_bugfix_whose_repair_is_not_shown_is_asked_for_the_same_command() {
    let mut run = Run::new(Mode::Bugfix, Ruleset::V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    let narrow = |facts: &mut CheckFacts| facts.command = Some(words("cargo test one"));
    run.check(
        with(tested('b', 0, 1), |facts| (facts.expects_failure, facts.command) = (true, Some(words("cargo test one")))),
        "T001",
    );
    run.check(tested('c', 4, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    expect(&advice(&run, Some('c')), "verify", ActionKind::Verify, "git rapid check --task T001 -- cargo test one", "");
    run.check(with(tested('c', 1, 0), narrow), "T001");
    assert_eq!(decided(&advice(&run, Some('c'))), "approval");
    // Without any failure shown there is only the way back, which is no single command.
    let mut late = Run::new(Mode::Bugfix, Ruleset::V4, 1);
    late.begin();
    late.work(1);
    late.check(tested('c', 4, 0), "T001 tests");
    let back = advice(&late, Some('c'));
    expect(&back, "verify", ActionKind::Verify, "", "");
    let words = &back.action.action.instructions;
    assert!(words.contains("git rapid check --expect fail --task T001 -- cargo test"), "{words}");
}

#[test]
fn an_approval_of_other_code_is_asked_for_again() {
    for ruleset in TREES {
        let mut run = Run::worked(ruleset);
        assert_eq!(decided(&advice(&run, Some('b'))), "finish");
        run.check(tested('c', 4, 0), "T001 tests");
        let again = advice(&run, Some('c'));
        expect(&again, "approval", ActionKind::AwaitHumanApproval, "git rapid approve gate.final-verification", "");
        assert!(again.action.action.instructions.contains("RAPID1433"), "{}", again.action.action.instructions);
        assert_eq!(again.action.awaiting_human.len(), 1);
        run.approve("final-verification", 'c');
        expect(&advice(&run, Some('c')), "finish", ActionKind::Finish, "git rapid finish", "");
    }
}

#[test]
fn tests_that_are_not_what_they_were_wait_for_a_person_after_the_gates() {
    let mut run = Run::new(Mode::Feature, Ruleset::V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    let counts = TestCounts { passed: 3, failed: 0, skipped: 1 };
    let facts = facts(Some('b'));
    let payload = Payload::TestResult { suite: "all".to_owned(), exit_code: 0, counts, counted: true, facts };
    run.check(payload, "T001 tests");
    run.task(1, TaskStatus::Done);
    assert_eq!(line(&advice(&run, Some('b')).action.action.command), "git rapid approve gate.final-verification");
    run.approve("final-verification", 'b');
    let command = "git rapid finish --accept-test-command";
    expect(&advice(&run, Some('b')), "approval", ActionKind::AwaitHumanApproval, command, "");
    // Another command than the baseline's, under ruleset 3 as well.
    let mut run = Run::worked(Ruleset::V3);
    run.check(with(tested('b', 9, 0), |facts| facts.command = Some(words("pytest"))), "tests");
    let other = advice(&run, Some('b'));
    expect(&other, "approval", ActionKind::AwaitHumanApproval, command, "");
    assert!(other.action.action.instructions.contains("RAPID1435"));
}

#[test]
fn a_run_that_changed_nothing_is_not_sent_to_finish() {
    let mut run = Run::new(Mode::Feature, Ruleset::V4, 1);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    run.check(tested('a', 4, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    let verify = advice(&run, Some('a'));
    expect(&verify, "verify", ActionKind::Verify, "", "");
    assert!(verify.action.action.instructions.contains("the run changed no file"));
}

#[test]
fn another_command_that_is_red_on_this_code_is_to_be_run_again() {
    let mut run = Run::worked(Ruleset::V4);
    run.check(with(tested('b', 0, 1), |facts| facts.command = Some(words("pytest slow"))), "");
    expect(&advice(&run, Some('b')), "verify", ActionKind::Verify, "git rapid check -- pytest slow", "");
    run.check(with(tested('b', 1, 0), |facts| facts.command = Some(words("pytest slow"))), "");
    assert_eq!(decided(&advice(&run, Some('b'))), "finish");
}

#[test]
fn a_gate_that_was_acknowledged_without_evidence_is_asked_for_after_the_work_too() {
    let mut run = Run::of(Mode::Hardening, Ruleset::V4, 1, Risk::High, |_| {});
    run.acknowledge("workspace-isolation");
    run.acknowledge("baseline");
    run.status(RunStatus::Active);
    run.task(1, TaskStatus::InProgress);
    run.check(tested('b', 4, 0), "T001 tests");
    run.task(1, TaskStatus::Done);
    expect(
        &advice(&run, Some('b')),
        "verify",
        ActionKind::Verify,
        "git rapid check --gate gate.baseline -- cargo test",
        "",
    );
    run.check(tested('b', 4, 0), "baseline");
    let place = advice(&run, Some('b'));
    expect(&place, "verify", ActionKind::Verify, "", "");
    assert!(
        place.action.action.instructions.contains("git rapid evidence add"),
        "{}",
        place.action.action.instructions
    );
    run.workspace(WorkspaceMode::Isolated, "workspace-isolation");
    assert_eq!(decided(&advice(&run, Some('b'))), "approval");
}

#[test]
fn the_trace_names_every_rule_once_and_in_order() {
    let advice = advice(&Run::worked(Ruleset::V4), Some('b'));
    let rules: Vec<&str> = advice.because.iter().map(|trace| trace.rule).collect();
    let order = "no_run over blocked rejection isolation baseline permission activate task refactor contradiction verify approval finish";
    assert_eq!(rules, order.split(' ').collect::<Vec<_>>());
    assert_eq!(advice.because.iter().filter(|trace| trace.applies).count(), 1);
    assert!(advice.because.iter().all(|trace| !trace.saw.is_empty()));
}
