//! Laws that hold for any evidence.

use crate::domain::{
    contract::Ruleset,
    evidence::{Payload, ReviewOutcome, Success, TestCounts, Via, WorkspaceMode},
    gate::ReviewType,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    report::{Report, Verdict},
};
use crate::evaluator::{
    evaluate,
    fixture::{Run, facts, ran, review, tree},
    replay,
};
use proptest::prelude::*;

fn any_check() -> impl Strategy<Value = Payload> {
    let on = prop_oneof![Just(None), Just(Some('a')), Just(Some('b')), Just(Some('c'))];
    let uncounted = prop_oneof![Just(None), Just(Some("none")), Just(Some("empty")), Just(Some("contradiction"))];
    (on, uncounted, 0u64..4, 0u64..3, 0i64..2, any::<[bool; 4]>()).prop_map(
        |(on, uncounted, passed, failed, exit_code, flags)| {
            let [counted, test_command, expects_failure, is_test] = flags;
            let mut facts = facts(on);
            (facts.test_command, facts.expects_failure) = (test_command, expects_failure);
            facts.uncounted = uncounted.map(str::to_owned);
            match is_test {
                true => {
                    let counts = TestCounts { passed, failed, skipped: 0 };
                    Payload::TestResult { suite: "all".to_owned(), exit_code, counts, counted, facts }
                }
                false => Payload::CommandResult { label: "x".to_owned(), exit_code, facts },
            }
        },
    )
}

fn any_payload() -> impl Strategy<Value = Payload> {
    let outcome = prop_oneof![Just(ReviewOutcome::Approved), Just(ReviewOutcome::ChangesRequested)];
    let via = prop_oneof![Just(None), Just(Some(Via::Approve)), Just(Some(Via::Finish))];
    let on = prop_oneof![Just(None), Just(Some('b')), Just(Some('c'))];
    prop_oneof![
        6 => any_check(),
        2 => (outcome, via, on).prop_map(|(outcome, via, on)| review(ReviewType::Final, outcome, via, on)),
        1 => Just(Payload::Workspace { mode: WorkspaceMode::Current, start: Default::default() }),
        1 => Just(Payload::Artifact { label: "a".to_owned() }),
        1 => any::<bool>().prop_map(|worked| Payload::ToolInvocation {
            tool_id: "t".to_owned(),
            outcome: if worked { Success::Success } else { Success::Failure },
        }),
    ]
}

fn any_item() -> impl Strategy<Value = (&'static str, Payload, &'static str)> {
    let by = prop_oneof![3 => Just("rapid:check"), 1 => Just("user"), 1 => Just("ci:x"), 1 => Just("harness:claude")];
    let bound = prop_oneof![
        Just(""),
        Just("T001"),
        Just("tests"),
        Just("baseline"),
        Just("T001 tests"),
        Just("final-verification")
    ];
    (by, any_payload(), bound)
}

fn any_run() -> impl Strategy<Value = Run> {
    let ruleset = (1i64..=4).prop_map(|number| Ruleset::parse(number, crate::diagnostics::Code::Rapid1002).unwrap());
    let mode = prop_oneof![Just(Mode::Feature), Just(Mode::Bugfix), Just(Mode::Research)];
    (ruleset, mode, proptest::collection::vec(any_item(), 0..8), any::<[bool; 3]>()).prop_map(
        |(ruleset, mode, items, [close, waive, finish])| {
            let mut run = Run::new(mode, ruleset, 1);
            run.begin();
            run.task(1, TaskStatus::InProgress);
            run.task(1, TaskStatus::Done);
            let known =
                |name: &&str| name.starts_with('T') || run.state().gate(&crate::evaluator::fixture::gate(name)).is_ok();
            let bound: Vec<String> = items
                .iter()
                .map(|item| item.2.split(' ').filter(|n| !n.is_empty()).filter(known).collect::<Vec<_>>().join(" "))
                .collect();
            for ((by, payload, _), bound) in items.into_iter().zip(bound) {
                run.record(by, payload, &bound);
            }
            if finish {
                run.finish_record('b');
            }
            if mode != Mode::Research {
                if waive { run.waive("tests") } else { run.acknowledge("tests") }
            }
            run.acknowledge("final-verification");
            if close {
                run.status(RunStatus::Finished);
            }
            run
        },
    )
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Fail => 0,
        Verdict::Unverified => 1,
        Verdict::PassWithWaivers => 2,
        Verdict::Pass => 3,
    }
}

/// The report without what says which evidence there was.
fn answers(report: &Report) -> Vec<String> {
    report.assertions.iter().map(|a| format!("{} {} {}", a.id, a.status, a.required)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_red_item_more_never_improves_a_verdict_under_rulesets_1_to_3(run in any_run(), (by, payload, bound) in any_item()) {
        prop_assume!(run.contract.ruleset < Ruleset::V4 && payload.fails());
        prop_assume!(run.contract.mode != Mode::Research || matches!(bound, "" | "T001" | "final-verification"));
        let before = run.verdict();
        let mut more = run;
        more.record(by, payload, bound);
        prop_assert!(rank(more.verdict()) <= rank(before));
    }

    #[test]
    fn nothing_but_the_ordinals_matters(run in any_run(), seed in any::<u64>()) {
        let report = run.report();
        let mut shuffled = run.clone();
        let mut state = seed | 1;
        shuffled.evidence.sort_by_key(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 33
        });
        prop_assert_eq!(shuffled.report(), report);
    }

    #[test]
    fn a_report_replays_whatever_is_added_later(run in any_run(), (by, payload, _) in any_item()) {
        let report = run.report();
        let mut later = run;
        later.record(by, payload, "");
        prop_assert!(replay(&report, &later.contract, &later.states, &later.evidence, &later.signed).is_ok());
    }

    #[test]
    fn a_stricter_ruleset_never_passes_what_the_one_before_it_failed_by_any_red(run in any_run()) {
        // From 1 to 3 only what counts as green becomes less; expected failures apart, a failure stays one.
        let expects = run.evidence.iter().any(|item| item.payload.check_facts().is_some_and(|facts| facts.expects_failure));
        prop_assume!(!expects);
        let by = |ruleset| evaluate(&run.input().by(ruleset)).unwrap().verdict();
        prop_assert!(by(Ruleset::V1) != Verdict::Fail || by(Ruleset::V3) == Verdict::Fail);
    }

    #[test]
    fn under_ruleset_4_what_happened_on_other_trees_changes_no_answer_on_gates(run in any_run()) {
        prop_assume!(run.contract.ruleset == Ruleset::V4);
        let mut run = run;
        run.finish_record('b');
        let gate = |report: &Report| {
            let tests = report.assertion("gate.gate.tests.evidence");
            tests.map(|a| a.status)
        };
        let before = gate(&run.report());
        let elsewhere = ran('c', 1, Some("none"));
        run.check(elsewhere, if run.contract.mode == Mode::Research { "" } else { "tests" });
        prop_assert_eq!(gate(&run.report()), before);
        prop_assert_eq!(run.report().tree, Some(tree('b')));
        prop_assert!(!answers(&run.report()).is_empty());
    }
}
