//! Each rule up to the last task wins where it should, and loses to the one before it.

use super::{TREES, advice, expect};
use crate::conductor::needs_tree;
use crate::domain::{
    contract::Ruleset,
    evidence::{Payload, ReviewOutcome, Via, WorkspaceMode},
    gate::ReviewType,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    next_action::ActionKind,
    policy::Risk,
};
use crate::evaluator::fixture::{Run, ran, review, tested, with};

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
        let (command, repairable) = if ruleset == Ruleset::V4 { ("", true) } else { ("git rapid abort", false) };
        expect(&stopped, "rejection", ActionKind::Blocked, command, "");
        let again = stopped.action.action.instructions.contains("git rapid approve gate.final-verification");
        assert_eq!(again, repairable);
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
    expect(&baseline, "baseline", ActionKind::RunBaseline, "", "");
    let line = "Run: git rapid check --gate gate.baseline -- CMD (CMD is your test command)";
    assert!(baseline.action.action.instructions.contains(line), "{}", baseline.action.action.instructions);
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
        let reproduce = "git rapid check --expect fail --task T001 -- cargo test";
        expect(&first, "task", ActionKind::ImplementTask, "git rapid task start T001", reproduce);
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
