//! Whole runs by plumbing: the acceptance scenarios of the specification, §9.7 and §9.3.

use crate::diagnostics::Code;
use crate::domain::{
    contract::Ruleset,
    evidence::{Evidence, Payload, ReviewOutcome, WorkspaceMode},
    gate::ReviewType,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    policy::Risk,
    report::{Status, Verdict},
};
use crate::evaluator::{
    evaluate,
    fixture::{Run, gate, producer, review, tested, tree, with},
};

const OLD: [Ruleset; 2] = [Ruleset::V1, Ruleset::V2];

/// A run of high risk whose states are all declared; what shows it is recorded on the way or not.
fn high_risk(ruleset: Ruleset, shown: bool, waive_review: bool) -> Run {
    let mut run = Run::of(Mode::Feature, ruleset, 1, Risk::High, |contract| {
        contract.decision.gates.retain(|gate| gate.id.as_str() != "gate.architecture");
    });
    run.acknowledge("workspace-isolation");
    run.acknowledge("baseline");
    run.status(RunStatus::Active);
    run.work(1);
    if shown {
        let changed = crate::domain::text::RelativePath::parse("src/lib.rs", Code::Rapid1206).unwrap();
        run.record("ci:git", Payload::FileChange { paths: vec![changed], finish: Default::default() }, "T001");
        let isolated = Payload::Workspace { mode: WorkspaceMode::Isolated, start: Default::default() };
        run.record("ci:git", isolated, "workspace-isolation");
        run.record("ci:pytest", tested('b', 4, 0), "T001 baseline tests");
        run.record("user", review(ReviewType::Final, ReviewOutcome::Approved, None, None), "final-verification");
        if !waive_review {
            run.record("user", review(ReviewType::Peer, ReviewOutcome::Approved, None, None), "review");
        }
    }
    run.acknowledge("tests");
    if waive_review {
        run.waive("review");
    } else {
        run.acknowledge("review");
    }
    run.acknowledge("final-verification");
    run.status(RunStatus::Finished);
    run
}

#[test]
fn a_full_pass() {
    for ruleset in OLD {
        let report = high_risk(ruleset, true, false).report();
        assert_eq!(report.verdict(), Verdict::Pass, "{:#?}", report.assertions);
        assert_eq!(report.tree, None);
    }
}

#[test]
fn what_is_declared_and_not_shown_is_unverified() {
    for ruleset in [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4] {
        assert_eq!(high_risk(ruleset, false, false).verdict(), Verdict::Unverified);
    }
}

#[test]
fn what_is_contradicted_fails_although_the_command_ended_with_0() {
    for ruleset in OLD {
        let mut run = high_risk(ruleset, true, false);
        let Payload::TestResult { suite, counts, facts, .. } = tested('b', 3, 1) else { panic!("a test result") };
        let red = Payload::TestResult { suite, exit_code: 0, counts, counted: false, facts };
        run.record("ci:pytest", red, "tests");
        let report = run.report();
        assert_eq!(report.verdict(), Verdict::Fail);
        let found = report.assertion("gate.gate.tests.evidence").unwrap();
        let ids: Vec<&str> = found.evidence_ids.iter().map(|id| id.as_str()).collect();
        assert_eq!(ids, ["E003", "E006"], "red after green: both are named");
        assert_eq!(found.reason, "contradicted by E006; E003 does not make up for it");
    }
}

#[test]
fn a_waived_review_passes_with_waivers() {
    for ruleset in OLD {
        assert_eq!(high_risk(ruleset, true, true).verdict(), Verdict::PassWithWaivers);
    }
}

#[test]
fn hand_written_evidence_passes_nothing_from_ruleset_3_on() {
    for ruleset in [Ruleset::V3, Ruleset::V4] {
        let run = high_risk(ruleset, true, false);
        assert_eq!(run.verdict(), Verdict::Unverified);
        assert_eq!(run.stands("capability.tests.execute.observed").0, Status::Unverified);
    }
}

#[test]
fn a_run_that_was_given_up_fails_and_one_that_is_open_is_unverified() {
    let mut run = Run::worked(Ruleset::V3);
    assert_eq!(run.stands("run.lifecycle").0, Status::Unverified);
    run.status(RunStatus::Cancelled);
    assert_eq!(run.verdict(), Verdict::Fail);
}

#[test]
fn a_run_of_the_loop_passes_under_ruleset_3() {
    let mut run = Run::worked(Ruleset::V3);
    let report = run.finish('b');
    assert_eq!(report.verdict(), Verdict::Pass, "{:#?}", report.assertions);
    // Ruleset 3 says nothing of trees: that the code changed is for `finish` to refuse.
    assert_eq!(report.tree, None);
}

#[test]
fn an_expected_failure_is_a_reproduction_from_ruleset_2_on() {
    for (failed, status) in [(1, Status::Pass), (0, Status::Fail)] {
        for ruleset in [Ruleset::V2, Ruleset::V3] {
            let mut run = Run::new(Mode::Bugfix, ruleset, 1);
            run.begin();
            run.task(1, TaskStatus::InProgress);
            let expected = with(tested('c', 2, failed), |facts| facts.expects_failure = true);
            run.check(expected, "T001");
            run.check(tested('b', 4, 0), "T001 tests");
            run.task(1, TaskStatus::Done);
            assert_eq!(run.stands("reproduction.T001").0, status);
            assert_eq!(run.stands("task.T001.evidence").0, Status::Pass);
            assert_eq!(run.stands("gate.gate.baseline.evidence").0, Status::Pass);
            run.approve("final-verification", 'b');
            let verdict = run.finish('b').verdict();
            assert_eq!(verdict, if failed > 0 { Verdict::Pass } else { Verdict::Fail });
        }
    }
    let mut first = Run::new(Mode::Bugfix, Ruleset::V1, 1);
    first.begin();
    assert!(first.report().assertion("reproduction.T001").is_none());
}

#[test]
fn research_is_shown_by_what_was_attached_from_ruleset_3_on() {
    for (ruleset, verdict) in
        [(Ruleset::V2, Verdict::Unverified), (Ruleset::V3, Verdict::Pass), (Ruleset::V4, Verdict::Pass)]
    {
        let mut run = Run::new(Mode::Research, ruleset, 1);
        run.begin();
        run.task(1, TaskStatus::InProgress);
        run.record("rapid:attach", Payload::Artifact { label: "report".to_owned() }, "T001");
        run.task(1, TaskStatus::Done);
        run.approve("final-verification", 'a');
        assert_eq!(run.finish('a').verdict(), verdict, "ruleset {}", ruleset.number());
    }
    let mut nothing = Run::new(Mode::Research, Ruleset::V3, 1);
    nothing.begin();
    nothing.work(1);
    nothing.approve("final-verification", 'a');
    nothing.finish('a');
    assert_eq!(nothing.stands("capability.repository.write.observed").0, Status::Unverified);
    assert_eq!(nothing.stands("task.T001.evidence").0, Status::Unverified);
}

#[test]
fn assertions_come_in_the_order_of_the_specification() {
    let mut run = Run::new(Mode::Bugfix, Ruleset::V4, 2);
    run.begin();
    let ids: Vec<String> = run.report().assertions.iter().map(|a| a.id.to_string()).collect();
    let due = [
        "run.lifecycle",
        "task.T001.evidence",
        "task.T002.evidence",
        "reproduction.T001",
        "gate.gate.baseline.evidence",
        "gate.gate.tests.evidence",
        "gate.gate.final-verification.evidence",
        "tests.kept",
        "capability.context.consume.observed",
        "capability.repository.read.observed",
        "capability.repository.write.observed",
        "capability.tests.execute.observed",
        "capability.workspace.current.observed",
    ];
    assert_eq!(ids, due);
}

#[test]
fn records_that_do_not_belong_together_are_an_error() {
    let fault = |change: &dyn Fn(&mut Run)| {
        let mut run = Run::worked(Ruleset::V3);
        change(&mut run);
        evaluate(&run.input()).unwrap_err().code
    };
    let last = |run: &mut Run, change: &dyn Fn(&mut Evidence)| change(run.evidence.last_mut().unwrap());
    let other = crate::domain::ids::RunId::parse("other").unwrap();
    let digest = crate::domain::digest::Digest::of(b"x");
    assert_eq!(fault(&|run| last(run, &|item| item.run_id = other.clone())), Code::Rapid1223);
    assert_eq!(fault(&|run| last(run, &|item| item.contract_digest = digest)), Code::Rapid1223);
    assert_eq!(fault(&|run| last(run, &|item| item.state_revision = 99)), Code::Rapid1223);
    assert_eq!(
        fault(&|run| {
            let revision = run.state().revision;
            last(run, &|item| (item.state_revision, item.state_digest) = (revision, digest));
        }),
        Code::Rapid1223
    );
    assert_eq!(fault(&|run| last(run, &|item| item.producer = producer("harness:codex"))), Code::Rapid1223);
    assert_eq!(fault(&|run| last(run, &|item| item.gate_ids = vec![gate("review")])), Code::Rapid1207);
    let unknown = crate::domain::ids::TaskId::of(9);
    assert_eq!(fault(&|run| last(run, &|item| item.task_ids = vec![unknown.clone()])), Code::Rapid1207);
    assert_eq!(fault(&|run| drop(run.evidence.remove(1))), Code::Rapid1208);
    assert_eq!(fault(&|run| run.evidence.push(run.evidence[0].clone())), Code::Rapid1208);
    assert_eq!(fault(&|run| run.states.last_mut().unwrap().run_id = other.clone()), Code::Rapid1223);
    assert_eq!(fault(&|run| drop(run.states.last_mut().unwrap().gates.pop())), Code::Rapid1223);
    assert_eq!(
        fault(&|run| run.states.last_mut().unwrap().tasks[0].description = "another".to_owned()),
        Code::Rapid1223
    );
}

#[test]
fn what_finish_would_be_refused_for() {
    let codes = |run: &Run, on: Option<char>| {
        let on = on.map(tree);
        crate::evaluator::finish_refusals(&run.input(), on.as_ref()).into_iter().map(|d| d.code).collect::<Vec<_>>()
    };
    for ruleset in [Ruleset::V3, Ruleset::V4] {
        let run = Run::worked(ruleset);
        assert_eq!(codes(&run, Some('b')), []);
        assert_eq!(codes(&run, Some('c')), [Code::Rapid1434, Code::Rapid1433]);
        assert_eq!(codes(&run, None), [Code::Rapid1434, Code::Rapid1433]);
        let other = |payload| with(payload, |facts| facts.command = Some(vec!["pytest".to_owned()]));
        let mut swapped = run.clone();
        swapped.check(other(tested('b', 9, 0)), "tests");
        assert_eq!(codes(&swapped, Some('b')), [Code::Rapid1435]);
        let consent =
            review(ReviewType::Final, ReviewOutcome::Approved, Some(crate::domain::evidence::Via::Finish), Some('b'));
        swapped.record("user", consent, "");
        assert_eq!(codes(&swapped, Some('b')), []);
        let mut red = run.clone();
        red.check(tested('b', 3, 1), "tests");
        assert_eq!(codes(&red, Some('b')), [Code::Rapid1434], "green before, red now");
        // Another kind of evidence does not qualify, and is named.
        let mut foreign = Run::new(Mode::Feature, ruleset, 1);
        foreign.begin();
        foreign.work(1);
        foreign.record("ci:x", tested('b', 4, 0), "tests");
        assert_eq!(codes(&foreign, Some('b')), [Code::Rapid1434]);
        let unqualified = crate::evaluator::unqualified(&foreign.input()).unwrap();
        assert_eq!(unqualified.code, Code::Rapid1432);
        assert!(unqualified.message.starts_with("E003 does not qualify for gate.tests"), "{unqualified}");
        assert_eq!(
            crate::evaluator::approval_refusal(&run.input(), &gate("final-verification"), Some(&tree('b'))),
            None
        );
        assert!(
            crate::evaluator::approval_refusal(&run.input(), &gate("final-verification"), Some(&tree('c'))).is_some()
        );
    }
    for ruleset in OLD {
        assert_eq!(codes(&Run::worked(ruleset), Some('c')), [], "rulesets without trees ask nothing");
    }
}
