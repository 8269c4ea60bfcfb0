//! Each rule wins where it should, and loses to the one before it.

use super::{advice, decided, line};
use crate::conductor::{Advice, needs_tree};
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

const TREES: [Ruleset; 2] = [Ruleset::V3, Ruleset::V4];

#[track_caller]
fn expect(advice: &Advice, rule: &str, kind: ActionKind, command: &str, after: &str) {
    let action = &advice.action.action;
    assert_eq!((decided(advice), action.kind), (rule, kind), "{advice:#?}");
    assert_eq!(line(&action.command), command, "{}", action.instructions);
    assert_eq!(line(&action.after), after, "{}", action.instructions);
}

fn rejected(of: ReviewType) -> Payload {
    review(of, ReviewOutcome::ChangesRequested, Some(Via::Approve), Some('b'))
}

#[test]
fn a_run_that_is_over_is_done_with_its_outcome() {
    let mut run = Run::worked(Ruleset::V4);
    run.finish('b');
    let done = advice(&run, Some('b'));
    expect(&done, "over", ActionKind::Done, "", "");
    assert_eq!(done.action.outcome.as_deref(), Some("pass"));
    assert_eq!((done.action.missing.len(), done.action.awaiting_human.len()), (0, 0));
    let mut run = Run::worked(Ruleset::V4);
    run.status(RunStatus::Blocked);
    run.status(RunStatus::Cancelled);
    let given_up = advice(&run, None);
    expect(&given_up, "over", ActionKind::Done, "", "");
    assert_eq!(given_up.action.outcome.as_deref(), Some("cancelled"));
}

#[test]
fn a_blocked_run_says_how_to_go_on_even_after_a_rejection() {
    let mut run = Run::worked(Ruleset::V3);
    run.record("user", rejected(ReviewType::Final), "final-verification");
    run.status(RunStatus::Blocked);
    expect(&advice(&run, None), "blocked", ActionKind::Blocked, "git rapid run status demo-r1-run-001 active", "");
}

#[test]
fn a_rejection_stops_the_run_before_anything_else_is_asked() {
    for ruleset in [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4] {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.begin();
        run.record("user", rejected(ReviewType::Final), "final-verification");
        let stopped = advice(&run, None);
        expect(&stopped, "rejection", ActionKind::Blocked, "git rapid abort", "");
        let again = stopped.action.action.instructions.contains("git rapid approve gate.final-verification");
        assert_eq!(again, ruleset == Ruleset::V4);
    }
    // Before the work, too.
    let mut run = Run::of(Mode::Hardening, Ruleset::V3, 1, Risk::Critical, |_| {});
    run.record("user", rejected(ReviewType::Manual), "manual-approval");
    expect(&advice(&run, None), "rejection", ActionKind::Blocked, "git rapid abort", "");
}

#[test]
fn a_run_without_its_worktree_says_how_to_start_again() {
    for ruleset in TREES {
        let mut run = Run::of(Mode::Hardening, ruleset, 1, Risk::High, |_| {});
        run.workspace(WorkspaceMode::Current, "workspace-isolation");
        let stopped = advice(&run, None);
        expect(&stopped, "isolation", ActionKind::Blocked, "git rapid start hardening --spec demo --worktree", "");
        let mut run = Run::of(Mode::Hardening, ruleset, 1, Risk::High, |_| {});
        run.workspace(WorkspaceMode::Isolated, "workspace-isolation");
        expect(
            &advice(&run, None),
            "baseline",
            ActionKind::RunBaseline,
            "git rapid check --gate gate.baseline -- cargo test",
            "",
        );
    }
}

#[test]
fn the_baseline_is_run_until_it_is_green() {
    for ruleset in TREES {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.workspace(WorkspaceMode::Current, "");
        expect(
            &advice(&run, None),
            "baseline",
            ActionKind::RunBaseline,
            "git rapid check --gate gate.baseline -- cargo test",
            "",
        );
        // A red one that is bound to nothing leaves the run prepared (Q17).
        run.check(ran('a', 1, Some("none")), "");
        let again = advice(&run, None);
        expect(&again, "baseline", ActionKind::RunBaseline, "git rapid check --gate gate.baseline -- cargo test", "");
        assert!(again.action.action.instructions.contains("(E002) is red"), "{}", again.action.action.instructions);
        let mut bound = run.clone();
        bound.check(tested('a', 2, 1), "baseline");
        let bound = advice(&bound, None);
        match ruleset {
            Ruleset::V4 => assert_eq!(bound.action.action.kind, ActionKind::RunBaseline),
            _ => expect(&bound, "baseline", ActionKind::Blocked, "git rapid abort", ""),
        }
        run.check(tested('a', 3, 0), "baseline");
        let gate = "git rapid run gate demo-r1-run-001 gate.baseline acknowledged";
        let begin = "git rapid run status demo-r1-run-001 active";
        expect(&advice(&run, None), "activate", ActionKind::Activate, gate, begin);
        run.acknowledge("baseline");
        expect(&advice(&run, None), "activate", ActionKind::Activate, begin, "");
    }
}

#[test]
fn without_a_test_command_the_advice_says_what_to_append() {
    let mut run = Run::of(Mode::Feature, Ruleset::V4, 1, Risk::Low, |contract| contract.test_command = None);
    run.workspace(WorkspaceMode::Current, "");
    let baseline = advice(&run, None);
    expect(&baseline, "baseline", ActionKind::RunBaseline, "git rapid check --gate gate.baseline", "");
    assert!(baseline.action.action.instructions.contains("-- <your test command>"));
}

#[test]
fn a_person_lets_the_work_begin_after_the_machine_gates_are_met() {
    for ruleset in TREES {
        let mut run = Run::of(Mode::Hardening, ruleset, 1, Risk::Critical, |_| {});
        run.workspace(WorkspaceMode::Isolated, "workspace-isolation");
        expect(
            &advice(&run, None),
            "baseline",
            ActionKind::RunBaseline,
            "git rapid check --gate gate.baseline -- cargo test",
            "",
        );
        run.check(tested('a', 3, 0), "baseline");
        let stop = advice(&run, None);
        expect(&stop, "permission", ActionKind::AwaitHumanApproval, "git rapid approve gate.manual-approval", "");
        let awaited: Vec<&str> = stop.action.awaiting_human.iter().map(|gate| gate.as_str()).collect();
        assert_eq!(awaited, ["gate.manual-approval", "gate.review", "gate.final-verification"]);
        run.approve("manual-approval", 'a');
        let acknowledge = |gate: &str| format!("git rapid run gate demo-r1-run-001 gate.{gate} acknowledged");
        let (first, second) = (acknowledge("workspace-isolation"), acknowledge("baseline"));
        expect(&advice(&run, None), "activate", ActionKind::Activate, &first, &second);
    }
}

#[test]
fn tasks_are_worked_on_one_after_the_other() {
    for ruleset in TREES {
        let mut run = Run::new(Mode::Feature, ruleset, 3);
        run.begin();
        expect(
            &advice(&run, None),
            "task",
            ActionKind::ImplementTask,
            "git rapid task start T001",
            "git rapid task done T001",
        );
        run.task(1, TaskStatus::InProgress);
        expect(&advice(&run, None), "task", ActionKind::ImplementTask, "", "git rapid task done T001");
        run.task(1, TaskStatus::Blocked);
        expect(
            &advice(&run, None),
            "task",
            ActionKind::ImplementTask,
            "git rapid task start T002",
            "git rapid task done T002",
        );
        run.task(2, TaskStatus::InProgress);
        run.task(3, TaskStatus::InProgress);
        run.task(2, TaskStatus::Done);
        expect(&advice(&run, None), "task", ActionKind::ImplementTask, "", "git rapid task done T003");
        run.task(3, TaskStatus::Skipped);
        let resumed = advice(&run, None);
        expect(&resumed, "task", ActionKind::ImplementTask, "git rapid task start T001", "git rapid task done T001");
        assert_eq!((resumed.action.tasks_done, resumed.action.tasks_total), (2, 3));
    }
}

#[test]
fn the_answer_while_tasks_are_open_does_not_depend_on_the_code() {
    for ruleset in TREES {
        let mut run = Run::new(Mode::Feature, ruleset, 2);
        run.begin();
        run.task(1, TaskStatus::InProgress);
        run.check(tested('b', 4, 0), "T001");
        run.task(1, TaskStatus::Done);
        assert!(!needs_tree(&run.contract, run.state()));
        assert_eq!(advice(&run, None), advice(&run, Some('c')));
        let missing = advice(&run, None).action.missing;
        assert!(!missing.iter().any(|id| id.as_str() == "task.T001.evidence"), "{missing:?}");
    }
    assert!(needs_tree(&Run::worked(Ruleset::V4).contract, Run::worked(Ruleset::V4).state()));
    assert!(!needs_tree(&Run::worked(Ruleset::V2).contract, Run::worked(Ruleset::V2).state()));
}

#[test]
fn a_bugfix_is_asked_for_the_failure_first() {
    for ruleset in [Ruleset::V2, Ruleset::V3, Ruleset::V4] {
        let mut run = Run::new(Mode::Bugfix, ruleset, 2);
        run.begin();
        let first = advice(&run, None);
        expect(&first, "task", ActionKind::ImplementTask, "git rapid task start T001", "git rapid task done T001");
        let reproduce = "git rapid check --expect fail --task T001 -- cargo test";
        assert!(first.action.action.instructions.contains(reproduce), "{}", first.action.action.instructions);
        run.task(1, TaskStatus::InProgress);
        expect(&advice(&run, None), "task", ActionKind::ImplementTask, reproduce, "git rapid task done T001");
        run.check(with(tested('b', 3, 1), |facts| facts.expects_failure = true), "T001");
        expect(&advice(&run, None), "task", ActionKind::ImplementTask, "", "git rapid task done T001");
        run.task(1, TaskStatus::Done);
        run.task(2, TaskStatus::InProgress);
        expect(&advice(&run, None), "task", ActionKind::ImplementTask, "", "git rapid task done T002");
    }
}

#[test]
fn research_ends_its_tasks_without_a_check_and_attaches() {
    let mut run = Run::new(Mode::Research, Ruleset::V4, 1);
    run.begin();
    let start = advice(&run, None);
    expect(
        &start,
        "task",
        ActionKind::ImplementTask,
        "git rapid task start T001",
        "git rapid task done T001 --no-check",
    );
    run.work(1);
    let verify = advice(&run, Some('a'));
    expect(&verify, "verify", ActionKind::Verify, "", "");
    assert!(verify.action.action.instructions.contains("git rapid attach FILE --task T001"));
    run.record("rapid:attach", Payload::Artifact { label: "report".to_owned() }, "T001");
    expect(
        &advice(&run, Some('a')),
        "approval",
        ActionKind::AwaitHumanApproval,
        "git rapid approve gate.final-verification",
        "",
    );
}

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
    // Without any failure shown there is only the way back.
    let mut late = Run::new(Mode::Bugfix, Ruleset::V4, 1);
    late.begin();
    late.work(1);
    late.check(tested('c', 4, 0), "T001 tests");
    expect(
        &advice(&late, Some('c')),
        "verify",
        ActionKind::Verify,
        "git rapid check --expect fail --task T001 -- cargo test",
        "",
    );
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
    assert!(verify.action.action.instructions.contains("capability.repository.write.observed"));
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
