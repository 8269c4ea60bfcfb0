//! Tests of the run states: steps and their preconditions, histories that are not one, the record (the specification, §2.6).

use super::*;
use crate::domain::fixture::{Run, gate};
use crate::domain::json;
use crate::domain::{contract::Ruleset, mode::Mode, policy::Risk};

fn state(tasks: Vec<TaskState>, gates: Vec<GateState>) -> RunState {
    RunState {
        run_id: RunId::parse("demo-r1-run-001").unwrap(),
        revision: 1,
        status: RunStatus::Prepared,
        tasks,
        gates,
        change_kind: "run.prepared".to_owned(),
        reason: "prepared".to_owned(),
    }
}

#[test]
fn the_known_state_has_the_known_digest() {
    let task = TaskState {
        id: TaskId::of(1),
        description: "Do it".to_owned(),
        status: TaskStatus::Pending,
        reason: String::new(),
    };
    let last = GateState {
        id: gate("final-verification"),
        kind: GateKind::FinalVerification,
        phase: Phase::PostExecution,
        required: true,
        waivable: false,
        disposition: Disposition::Pending,
        reason: String::new(),
    };
    let known = "23966ebf456b29392baa13f287595fa4137c9b575f61e59e539753f31b6e31c0";
    assert_eq!(state(vec![task], vec![last]).digest().to_string(), known);
}

#[test]
fn a_record_is_read_back_as_it_was_written_and_no_other_is_read() {
    for state in Run::worked(Ruleset::V4).states {
        let value = state.to_value();
        assert_eq!(RunState::from_value(json::parse(&value.record_bytes()).unwrap()).unwrap(), state);
        let code = |value| RunState::from_value(value).unwrap_err().code;
        assert_eq!(code(value.clone().with("reason", "another")), Code::Rapid1012, "the digest does not hold");
        assert_eq!(code(value.clone().with("colour", "red")), Code::Rapid1012);
        assert_eq!(code(value.clone().without("reason")), Code::Rapid1012);
        assert_eq!(code(value.clone().with("status", "resting")), Code::Rapid1012);
        assert_eq!(code(value.with("revision", 0)), Code::Rapid1012);
    }
}

#[test]
fn every_history_that_steps_make_is_one() {
    for ruleset in [Ruleset::V3, Ruleset::V4] {
        let mut run = Run::worked(ruleset);
        run.acknowledge("tests");
        run.status(RunStatus::Finished);
        for pair in run.states.windows(2) {
            pair[1].follows(&pair[0]).unwrap();
        }
    }
}

#[test]
fn a_step_is_one_change_of_one_thing_and_is_named_after_it() {
    let mut run = Run::new(Mode::Feature, Ruleset::V3, 2);
    run.begin();
    run.task(1, TaskStatus::InProgress);
    let before = run.state().clone();
    let next = before.step(&Change::Task(TaskId::of(1), TaskStatus::Done), "because").unwrap();
    next.follows(&before).unwrap();
    let forged = |change: &dyn Fn(&mut RunState)| {
        let mut forged = next.clone();
        change(&mut forged);
        forged.follows(&before).map_err(|refusal| refusal.code)
    };
    let no = Err(Code::Rapid1012);
    assert_eq!(forged(&|s| s.revision += 1), no, "a revision left out");
    assert_eq!(forged(&|s| s.change_kind = "task.T002.done".to_owned()), no, "named after another change");
    assert_eq!(forged(&|s| s.tasks[1].status = TaskStatus::Skipped), no, "two tasks at once");
    assert_eq!(forged(&|s| s.status = RunStatus::Blocked), no, "the run and a task at once");
    assert_eq!(forged(&|s| s.gates[1].disposition = Disposition::Acknowledged), no, "a gate and a task at once");
    assert_eq!(forged(&|s| s.tasks[0].description = "another".to_owned()), no, "another task");
    assert_eq!(forged(&|s| s.gates[1].waivable = false), no, "another gate");
    assert_eq!(forged(&|s| drop(s.gates.pop())), no, "a gate less");
    assert_eq!(forged(&|s| s.tasks.push(s.tasks[0].clone())), no, "a task more");
    assert_eq!(forged(&|s| s.run_id = RunId::parse("other").unwrap()), no, "another run");
    assert_eq!(forged(&|s| s.tasks = before.tasks.clone()), no, "nothing changed");
    assert_eq!(forged(&|s| s.tasks[0].status = TaskStatus::Pending), no, "an illegal move");
    // A reason alone is no change.
    let mut reworded = before.clone();
    reworded.revision += 1;
    reworded.tasks[0].reason = "another".to_owned();
    assert_eq!(reworded.follows(&before).map_err(|r| r.code), no);
    assert_eq!(before.follows(&before).map_err(|r| r.code), no);
    let jump = RunState { revision: 2, status: RunStatus::Finished, ..run.states[0].clone() };
    assert_eq!(jump.follows(&run.states[0]).map_err(|r| r.code), no);
}

#[test]
fn phases_and_preconditions_are_kept() {
    let refused = |run: &Run, change: Change, reason: &str| run.state().step(&change, reason).unwrap_err().code;
    let to = |status| Change::Status(status);
    let acknowledge = |name: &str| Change::Gate(gate(name), Disposition::Acknowledged);
    let waive = |name: &str| Change::Gate(gate(name), Disposition::Waived);
    let mut run = Run::of(Mode::Feature, Ruleset::V3, 1, Risk::High, |_| {});
    assert_eq!(refused(&run, to(RunStatus::Active), ""), Code::Rapid1014, "gates before the work are open");
    assert_eq!(refused(&run, to(RunStatus::Finished), ""), Code::Rapid1009);
    assert_eq!(refused(&run, Change::Task(TaskId::of(1), TaskStatus::InProgress), ""), Code::Rapid1014);
    assert_eq!(
        refused(&run, acknowledge("tests"), ""),
        Code::Rapid1014,
        "a gate after the work is not decided before it"
    );
    assert_eq!(refused(&run, waive("baseline"), "because"), Code::Rapid1013, "never waivable");
    assert_eq!(
        refused(&run, waive("tests"), "  "),
        Code::Rapid1013,
        "a waiver needs a reason, before the phase is asked"
    );
    assert_eq!(refused(&run, waive("tests"), "because"), Code::Rapid1014);
    assert_eq!(refused(&run, acknowledge("manual-approval"), ""), Code::Rapid1013, "no such gate in this run");
    run.acknowledge("workspace-isolation");
    run.acknowledge("baseline");
    assert_eq!(refused(&run, acknowledge("baseline"), ""), Code::Rapid1013, "decided once");
    run.status(RunStatus::Active);
    assert_eq!(refused(&run, Change::Task(TaskId::of(1), TaskStatus::Done), ""), Code::Rapid1010);
    assert_eq!(refused(&run, Change::Task(TaskId::of(2), TaskStatus::InProgress), ""), Code::Rapid1010);
    run.task(1, TaskStatus::InProgress);
    assert_eq!(refused(&run, acknowledge("tests"), ""), Code::Rapid1014, "a task is open");
    assert_eq!(refused(&run, to(RunStatus::Finished), ""), Code::Rapid1014);
    run.status(RunStatus::Blocked);
    assert_eq!(refused(&run, Change::Task(TaskId::of(1), TaskStatus::Done), ""), Code::Rapid1014, "the run rests");
    run.status(RunStatus::Active);
    run.task(1, TaskStatus::Done);
    run.acknowledge("tests");
    run.waive("review");
    assert_eq!(refused(&run, to(RunStatus::Finished), ""), Code::Rapid1014, "the last gates are open");
    run.acknowledge("architecture");
    run.acknowledge("final-verification");
    run.status(RunStatus::Finished);
    for &status in RunStatus::ALL {
        assert_eq!(refused(&run, to(status), ""), Code::Rapid1009);
    }
}

#[test]
fn nobody_has_to_give_a_reason_and_a_nul_is_none() {
    let run = Run::new(Mode::Research, Ruleset::V3, 1);
    let silent = run.state().step(&Change::Status(RunStatus::Cancelled), " ").unwrap();
    assert_eq!((silent.reason.as_str(), silent.change_kind.as_str()), ("the run is cancelled", "run.status.cancelled"));
    assert!(run.state().step(&Change::Status(RunStatus::Cancelled), "a\0b").is_err());
}

mod walk {
    use super::*;
    use proptest::prelude::*;

    fn any_change() -> impl Strategy<Value = Change> {
        let status = proptest::sample::select(RunStatus::ALL).prop_map(Change::Status);
        let task =
            (1u32..4, proptest::sample::select(TaskStatus::ALL)).prop_map(|(n, s)| Change::Task(TaskId::of(n), s));
        let gates = vec!["baseline", "tests", "final-verification", "review"];
        let gate = (proptest::sample::select(gates), proptest::sample::select(Disposition::ALL))
            .prop_map(|(name, to)| Change::Gate(gate(name), to));
        prop_oneof![status, task, gate]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_a_step_makes_follows_and_what_it_refuses_has_a_known_code(changes in proptest::collection::vec(any_change(), 0..40)) {
            let mut state = Run::new(Mode::Feature, Ruleset::V3, 2).states.remove(0);
            for change in changes {
                match state.step(&change, "because") {
                    Ok(next) => {
                        prop_assert!(next.follows(&state).is_ok());
                        prop_assert_eq!(&next.change_kind, &change.kind());
                        state = next;
                    }
                    Err(refusal) => prop_assert!(matches!(
                        refusal.code,
                        Code::Rapid1009 | Code::Rapid1010 | Code::Rapid1013 | Code::Rapid1014
                    )),
                }
            }
        }
    }
}
