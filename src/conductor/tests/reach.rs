//! Every state that a small run can reach has an action, and the action can be done.

use super::{advice, decided};
use crate::domain::{
    contract::Ruleset,
    lifecycle::{Disposition, RunStatus, TaskStatus},
    mode::Mode,
    next_action::ActionKind,
    policy::Risk,
    run::{Change, RunState},
};
use crate::evaluator::fixture::{Run, tested};
use std::collections::BTreeSet;

/// All states that follow from `from` by any legal step, by what they say.
fn reachable(from: &RunState) -> Vec<RunState> {
    let key = |state: &RunState| format!("{:?}{:?}{:?}", state.status, state.tasks, state.gates);
    let (mut seen, mut found, mut open) = (BTreeSet::from([key(from)]), vec![from.clone()], vec![from.clone()]);
    while let Some(state) = open.pop() {
        let statuses = RunStatus::ALL.iter().map(|&status| Change::Status(status));
        let tasks = state
            .tasks
            .iter()
            .flat_map(|task| TaskStatus::ALL.iter().map(|&status| Change::Task(task.id.clone(), status)));
        let gates =
            state.gates.iter().flat_map(|gate| Disposition::ALL.iter().map(|&to| Change::Gate(gate.id.clone(), to)));
        for change in statuses.chain(tasks).chain(gates) {
            if let Ok(next) = state.step(&change, "because")
                && seen.insert(key(&next))
            {
                found.push(next.clone());
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn no_state_is_without_an_action_that_can_be_done() {
    let mut count = 0;
    for ruleset in [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4] {
        for (mode, risk, tasks) in [
            (Mode::Feature, Risk::Low, 2),
            (Mode::Bugfix, Risk::Low, 1),
            (Mode::Research, Risk::Low, 1),
            (Mode::Hardening, Risk::Critical, 1),
        ] {
            let start = Run::of(mode, ruleset, tasks, risk, |_| {});
            for state in reachable(start.state()) {
                for shown in [false, true] {
                    count += 1;
                    let mut run = start.clone();
                    if shown {
                        run.check(tested('a', 3, 0), if mode == Mode::Research { "" } else { "baseline" });
                        run.check(tested('b', 4, 0), if mode == Mode::Research { "T001" } else { "T001 tests" });
                    }
                    run.states.push(state.clone());
                    let advice = advice(&run, Some('b'));
                    let action = &advice.action.action;
                    assert_ne!(decided(&advice), "none", "{state:?}");
                    assert_eq!(state.status.is_terminal(), action.kind == ActionKind::Done);
                    assert_eq!(advice.action.outcome.is_some(), action.kind == ActionKind::Done);
                    if matches!(action.kind, ActionKind::Blocked | ActionKind::AwaitHumanApproval | ActionKind::Finish)
                    {
                        assert!(action.command.is_some(), "{action:?}");
                    }
                    can_be_done(&state, action.kind, action.command.as_deref().unwrap_or_default());
                }
            }
        }
    }
    assert!(count > 1000, "{count} states");
}

/// A move that the advice names is one that the life cycles allow.
fn can_be_done(state: &RunState, kind: ActionKind, command: &[String]) {
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let change = match words.as_slice() {
        ["git", "rapid", "run", "status", _, "active"] => Change::Status(RunStatus::Active),
        ["git", "rapid", "task", "start", task] => {
            Change::Task(crate::domain::ids::TaskId::parse(task).unwrap(), TaskStatus::InProgress)
        }
        ["git", "rapid", "run", "gate", _, gate, "acknowledged"] => {
            Change::Gate(crate::domain::ids::GateId::parse(gate).unwrap(), Disposition::Acknowledged)
        }
        _ => return,
    };
    if let Err(refusal) = state.step(&change, "") {
        panic!("{kind}: {refusal}, in {state:?}");
    }
}
