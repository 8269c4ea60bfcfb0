//! Gate kind × ruleset × producer × payload: the status of one item, bound to an acknowledged gate.

use crate::domain::{
    contract::Ruleset,
    evidence::{GitOperation, Payload, ReviewOutcome, Success, TestCounts, Via, WorkspaceMode},
    gate::{Gate, Phase, ReviewType},
    lifecycle::RunStatus,
    mode::Mode,
    policy::Risk,
    report::Status,
};
use crate::evaluator::fixture::{Run, facts, gate, ran, review, tested, tree, with, words};

const RULESETS: [Ruleset; 4] = [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4];

/// How a gate stands when exactly this item is bound to it and it is acknowledged; the final tree is `b`.
fn cell(name: &str, ruleset: Ruleset, by: &str, payload: &Payload, artifact: bool) -> (Status, String) {
    let mut run = Run::of(Mode::Feature, ruleset, 1, Risk::Critical, |contract| {
        for kind in ["gate.security-review", "gate.migration-review"] {
            let row = crate::domain::gate::CATALOGUE.iter().find(|row| row.id == kind).unwrap();
            let id = crate::domain::ids::GateId::parse(kind).unwrap();
            let reason = String::new();
            let extra = Gate { id, kind: row.kind, phase: row.phase, required: true, waivable: false, reason };
            contract.decision.gates.push(extra);
        }
    });
    let phase = run.state().gate(&gate(name)).unwrap().phase;
    if phase == Phase::PreExecution {
        run.record(by, payload.clone(), name);
    }
    for other in ["workspace-isolation", "baseline", "manual-approval"] {
        run.acknowledge(other);
    }
    run.status(RunStatus::Active);
    run.work(1);
    if phase == Phase::PostExecution {
        run.record(by, payload.clone(), name);
        run.acknowledge(name);
    }
    if !artifact {
        run.evidence[0].artifacts.clear();
    }
    run.finish_record('b');
    run.stands(&format!("gate.gate.{name}.evidence"))
}

/// `P`ass, `F`ail, `U`nverified, for each ruleset in order.
fn expect(name: &str, by: &str, payload: &Payload, artifact: bool, expected: &str) {
    for (ruleset, letter) in RULESETS.into_iter().zip(expected.chars()) {
        let (status, reason) = cell(name, ruleset, by, payload, artifact);
        let due = match letter {
            'P' => Status::Pass,
            'F' => Status::Fail,
            _ => Status::Unverified,
        };
        assert_eq!(status, due, "{name}, ruleset {}, {by}, {payload:?}: {reason}", ruleset.number());
    }
}

fn counted(passed: u64, failed: u64, skipped: u64, exit_code: i64) -> Payload {
    let counts = TestCounts { passed, failed, skipped };
    Payload::TestResult { suite: "all".to_owned(), exit_code, counts, counted: true, facts: facts(Some('b')) }
}

#[test]
fn the_gates_on_tests() {
    let green = tested('b', 12, 0);
    let uncounted = |payload| match payload {
        Payload::TestResult { suite, exit_code, counts, facts, .. } => {
            Payload::TestResult { suite, exit_code, counts, counted: false, facts }
        }
        other => other,
    };
    let not_the_command = |payload| {
        with(payload, |facts| {
            facts.test_command = false;
            facts.command = Some(words("pytest -q"));
        })
    };
    for name in ["tests", "baseline"] {
        let rows: Vec<(&str, Payload, bool, &str)> = vec![
            ("rapid:check", green.clone(), true, "PPPP"),
            ("rapid:check", green.clone(), false, "UUPP"),
            ("ci:pytest", green.clone(), true, "PPUU"),
            ("harness:claude", green.clone(), true, "PPUU"),
            ("external:x", green.clone(), false, "UUUU"),
            ("rapid:check", tested('b', 11, 1), true, "FFFF"),
            ("ci:pytest", tested('b', 11, 1), true, "FFFF"),
            // Red although the command said otherwise, and green although it did not.
            ("rapid:check", counted(11, 1, 0, 0), true, "FFFF"),
            ("rapid:check", counted(12, 0, 0, 2), true, "FFFF"),
            // Nothing ran.
            ("rapid:check", counted(0, 0, 0, 0), true, "PPUU"),
            ("rapid:check", counted(0, 0, 5, 0), true, "PPUU"),
            // Counted, but not the test command; the test command, but not counted; neither.
            ("rapid:check", not_the_command(green.clone()), true, "PPPP"),
            ("rapid:check", uncounted(green.clone()), true, "PPPP"),
            ("rapid:check", uncounted(not_the_command(green.clone())), true, "PPUU"),
            // Nobody knows on which code.
            ("rapid:check", with(green.clone(), |facts| facts.tree = None), true, "PPUU"),
            ("rapid:check", with(green.clone(), |facts| facts.tree_changed = true), true, "PPUU"),
            // What the output says of itself.
            (
                "rapid:check",
                with(green.clone(), |facts| facts.uncounted = Some("contradiction".to_owned())),
                true,
                "PPUU",
            ),
            ("rapid:check", with(green.clone(), |facts| facts.uncounted = Some("truncated".to_owned())), true, "PPUU"),
            // An expected failure speaks of neither gate; ruleset 1 does not know of it.
            ("rapid:check", with(tested('b', 1, 1), |facts| facts.expects_failure = true), true, "FUUU"),
            ("rapid:check", with(green.clone(), |facts| facts.expects_failure = true), true, "PUUU"),
            // Kinds that cannot speak of tests.
            ("ci:x", Payload::Artifact { label: "a".to_owned() }, true, "UUUU"),
            ("ci:x", Payload::ToolInvocation { tool_id: "t".to_owned(), outcome: Success::Failure }, true, "UUUU"),
        ];
        for (by, payload, artifact, expected) in rows {
            expect(name, by, &payload, artifact, expected);
        }
    }
}

#[test]
fn a_command_without_a_count_speaks_of_tests_when_it_was_the_test_command() {
    for (uncounted, tests, baseline) in [
        (Some("none"), "UUPP", "PPPP"),
        (Some("no-counts"), "UUPP", "PPPP"),
        (Some("empty"), "UUUU", "PPUU"),
        (Some("contradiction"), "UUUU", "PPUU"),
        (Some("truncated"), "UUUU", "PPUU"),
        (Some("not-run"), "UUUU", "PPUU"),
        (None, "UUUU", "PPUU"),
    ] {
        expect("tests", "rapid:check", &ran('b', 0, uncounted), true, tests);
        expect("baseline", "rapid:check", &ran('b', 0, uncounted), true, baseline);
    }
    let other = with(ran('b', 0, Some("none")), |facts| facts.test_command = false);
    expect("tests", "rapid:check", &other, true, "UUUU");
    expect("baseline", "rapid:check", &other, true, "PPUU");
    expect("tests", "rapid:check", &ran('b', 101, Some("none")), true, "UUFF");
    expect("baseline", "rapid:check", &ran('b', 101, Some("none")), true, "FFFF");
    expect("tests", "ci:x", &ran('b', 0, Some("none")), true, "UUUU");
}

#[test]
fn a_check_that_does_not_qualify_says_so_with_its_code() {
    let (_, reason) = cell("tests", Ruleset::V3, "ci:pytest", &tested('b', 12, 0), true);
    assert_eq!(reason, "E001 does not count: it does not qualify (RAPID1432): 'git rapid check' did not run it");
    let (_, reason) = cell("tests", Ruleset::V4, "rapid:check", &counted(0, 0, 1, 0), true);
    assert_eq!(reason, "E001 is the newest, and it does not qualify (RAPID1432): no test was executed");
}

#[test]
fn the_gate_on_isolation() {
    for (mode, expected) in [(WorkspaceMode::Isolated, "PPPP"), (WorkspaceMode::Current, "FFFF")] {
        let workspace = Payload::Workspace { mode, start: crate::domain::evidence::Finish::default() };
        expect("workspace-isolation", "rapid:start", &workspace, false, expected);
        expect("workspace-isolation", "ci:x", &workspace, false, expected);
    }
    expect("workspace-isolation", "ci:x", &tested('b', 1, 0), true, "UUUU");
}

#[test]
fn the_gates_that_people_decide() {
    use ReviewOutcome::{Approved, ChangesRequested, Rejected};
    let by_approve = Some(Via::Approve);
    for (name, of, other) in [
        ("review", ReviewType::Peer, ReviewType::Final),
        ("security-review", ReviewType::Security, ReviewType::Peer),
        ("migration-review", ReviewType::Migration, ReviewType::Peer),
        ("manual-approval", ReviewType::Manual, ReviewType::Final),
        ("final-verification", ReviewType::Final, ReviewType::Manual),
    ] {
        let cell = |by: &str, outcome, via, expected: &str| {
            expect(name, by, &review(of, outcome, via, Some('b')), false, expected)
        };
        cell("user", Approved, by_approve, "PPPP");
        cell("user", Approved, None, "PPUU");
        cell("user", Approved, Some(Via::Finish), "PPUU");
        cell("ci:x", Approved, None, "PPUU");
        cell("ci:x", Approved, by_approve, "PPUU");
        cell("external:x", Approved, None, "PPUU");
        cell("harness:claude", Approved, None, "PUUU");
        cell("harness:claude", Approved, by_approve, "PUUU");
        for outcome in [ChangesRequested, Rejected] {
            for by in ["user", "ci:x", "harness:claude"] {
                cell(by, outcome, by_approve, "FFFF");
            }
        }
        expect(name, "user", &review(other, Approved, by_approve, Some('b')), false, "UUUU");
        expect(name, "user", &review(other, Rejected, by_approve, Some('b')), false, "UUUU");
        expect(name, "rapid:check", &tested('b', 1, 0), true, "UUUU");
    }
}

#[test]
fn the_gate_on_the_architecture() {
    let arch = |exit_code: i64, command: &str| {
        let payload = ran('b', exit_code, Some("none"));
        with(payload, |facts| {
            facts.test_command = false;
            facts.command = Some(words(command));
        })
    };
    let ours = "git rapid arch check";
    expect("architecture", "rapid:check", &arch(0, ours), true, "UPPP");
    expect("architecture", "rapid:check", &arch(0, "/usr/bin/git-rapid arch check"), true, "UPPP");
    expect("architecture", "rapid:check", &arch(0, "true"), true, "UPPU");
    expect("architecture", "rapid:check", &arch(1, ours), true, "UFFF");
    expect("architecture", "rapid:check", &arch(0, ours), false, "UFFF");
    expect("architecture", "ci:x", &arch(0, ours), true, "UPUU");
    expect("architecture", "ci:x", &arch(1, ours), true, "UFFF");
    expect("architecture", "rapid:check", &with(arch(0, ours), |facts| facts.tree = None), true, "UPUU");
    expect(
        "architecture",
        "ci:x",
        &Payload::GitResult { operation: GitOperation::Inspect, finish: Default::default() },
        true,
        "UUUU",
    );
}

#[test]
fn of_what_is_decided_after_the_work_only_the_final_tree_counts_under_ruleset_4() {
    let elsewhere = tree('c');
    let moved = |payload: Payload| with(payload, |facts| facts.tree = Some(elsewhere.clone()));
    expect("tests", "rapid:check", &moved(tested('b', 12, 0)), true, "PPPU");
    expect("tests", "rapid:check", &moved(tested('b', 11, 1)), true, "FFFU");
    expect("tests", "rapid:check", &with(tested('b', 11, 1), |facts| facts.tree = None), true, "FFFF");
    expect("baseline", "rapid:check", &moved(tested('b', 12, 0)), true, "PPPP");
    let approved = |on| review(ReviewType::Final, ReviewOutcome::Approved, Some(Via::Approve), on);
    expect("final-verification", "user", &approved(Some('c')), false, "PPPU");
    expect("final-verification", "user", &approved(None), false, "PPPU");
    let manual = review(ReviewType::Manual, ReviewOutcome::Approved, Some(Via::Approve), Some('c'));
    expect("manual-approval", "user", &manual, false, "PPPP");
    let rejected = review(ReviewType::Final, ReviewOutcome::Rejected, Some(Via::Approve), Some('c'));
    expect("final-verification", "user", &rejected, false, "FFFF");
}

#[test]
fn the_disposition_comes_first() {
    for ruleset in RULESETS {
        let mut run = Run::worked(ruleset);
        run.finish_record('b');
        let (status, reason) = run.stands("gate.gate.tests.evidence");
        assert_eq!(status, Status::Unverified);
        assert!(reason.starts_with("nobody has decided the gate; shown by E003"), "{reason}");
        run.waive("tests");
        assert_eq!(run.stands("gate.gate.tests.evidence").0, Status::Waived);
    }
}
