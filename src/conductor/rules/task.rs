//! A task is open: work on it. A bugfix first shows the failure; research ends its tasks without a check.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{
    contract::Ruleset,
    ids::TaskId,
    lifecycle::{RunStatus, TaskStatus},
    mode::Mode,
    next_action::{Action, ActionKind},
    report::Status,
    run::TaskState,
    typed::typed,
};
use crate::evaluator;

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    let state = situation.run.state;
    if state.status != RunStatus::Active {
        return Answer::no(format!("the run is {}", state.status));
    }
    let with = |status| state.tasks.iter().find(|task| task.status == status);
    let first =
        with(TaskStatus::InProgress).or_else(|| with(TaskStatus::Pending)).or_else(|| with(TaskStatus::Blocked));
    let Some(task) = first else { return Answer::no("every task is done or skipped") };
    let saw = format!("task {} is {}", task.id, task.status);
    let mut action = implement(situation, task);
    action.task_id = Some(task.id.clone());
    Answer::yes(saw, action)
}

fn implement(situation: &Situation<'_>, task: &TaskState) -> Action {
    let id = task.id.as_str();
    let mut more = vec![format!("Task {id}: {}.", task.description.trim_end_matches('.'))];
    let reproduce = owes_reproduction(situation, task);
    let expect_failure = situation.check(&["--expect", "fail", "--task", id]);
    let repaired = reproduce && evaluator::is_repaired_unseen(&situation.case, &task.id);
    if repaired {
        more.push(take_back(situation, &task.id));
        more.push(situation.test_command_hint().to_owned());
    } else if reproduce {
        more.push(format!(
            "First write a test that is red now, before anything is repaired, and show it: '{}'.",
            expect_failure.join(" ")
        ));
        more.push(situation.test_command_hint().to_owned());
    }
    if task.status == TaskStatus::Blocked {
        more.push(format!(
            "It was stopped: {}. Start it again when the cause is gone, or skip it with a reason.",
            task.reason
        ));
    }
    if let Some(lost) = situation.standing(Status::Fail).next().filter(|_| !situation.is_repairable()) {
        more.push(format!(
            "Mind that this run can no longer pass ({}: {}); 'git rapid abort' gives it up.",
            lost.id, lost.reason
        ));
    }
    more.retain(|sentence| !sentence.is_empty());
    let action = situation.action(ActionKind::ImplementTask, &more.join(" "));
    let action = match task.status {
        TaskStatus::InProgress if repaired => action,
        TaskStatus::InProgress if reproduce => action.command(expect_failure.clone()),
        TaskStatus::InProgress => action,
        TaskStatus::Pending | TaskStatus::Blocked | TaskStatus::Done | TaskStatus::Skipped => {
            action.command(["git", "rapid", "task", "start", id])
        }
    };
    match situation.run.contract.mode {
        // The test comes before the repair, and whoever only follows the commands shows it in that order too.
        _ if reproduce && task.status == TaskStatus::Pending => action.after(expect_failure),
        Mode::Research => action.after(["git", "rapid", "task", "done", id, "--no-check"]),
        Mode::Feature | Mode::Bugfix | Mode::Refactor | Mode::Hardening => {
            action.after(["git", "rapid", "task", "done", id])
        }
    }
}

/// How a failure is shown whose repair is in already.
pub(super) fn take_back(situation: &Situation<'_>, task: &TaskId) -> String {
    let show = typed(&situation.check(&["--expect", "fail", "--task", task.as_str()]));
    let again = typed(&situation.check(&["--task", task.as_str()]));
    format!(
        "The failure was never shown, and as the code is now its tests are green. Keep the test, take the repair back, show the \
         failure, and put the repair in again: git stash push -- <the repaired files>, then {show}, then git stash pop, then {again}."
    )
}

/// Whether the failure that the task repairs is still to be shown: in a bugfix, for the first task that is not skipped.
fn owes_reproduction(situation: &Situation<'_>, task: &TaskState) -> bool {
    let contract = situation.run.contract;
    let mut kept = situation.run.state.tasks.iter().filter(|task| task.status != TaskStatus::Skipped);
    let first = kept.next().is_some_and(|first| first.id == task.id);
    let asked = contract.mode == Mode::Bugfix && contract.ruleset >= Ruleset::V2 && first;
    asked && !evaluator::has_reproduction(&situation.case, &task.id)
}
