//! The assertions on reproductions: a failure that was expected must really have been seen, and (ruleset 4) must be gone.
//!
//! They exist for tasks with an expected failure, and under ruleset 4 for the first task of every bugfix.

use super::{
    Input,
    assertion::{Finding, names},
    case::{Case, facts, is_own_check, tree_of_check},
    qualification::hollow,
    rulesets::Reproduction,
};
use crate::domain::{
    evidence::Evidence,
    ids::{AssertionId, TaskId},
    lifecycle::TaskStatus,
    mode::Mode,
    report::{Assertion, Category, Status},
    run::TaskState,
};

/// `reproduction.<task-id>`.
pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let rule = case.rules.reproduction;
    if rule == Reproduction::Unknown {
        return Vec::new();
    }
    let expected = |task: &TaskState| -> Vec<&Evidence> {
        case.of_task(&task.id).iter().copied().filter(|item| case.expects_failure(item)).collect()
    };
    let mut found: Vec<(&TaskState, Vec<&Evidence>)> =
        case.state.tasks.iter().map(|task| (task, expected(task))).filter(|(_, items)| !items.is_empty()).collect();
    let owed = case.contract.mode == Mode::Bugfix && rule == Reproduction::FailedThenRepaired;
    if found.is_empty()
        && owed
        && let Some(task) = case.state.tasks.iter().find(|task| task.status != TaskStatus::Skipped)
    {
        found.push((task, Vec::new()));
    }
    found.into_iter().map(|(task, items)| assertion(case, task, &items)).collect()
}

fn assertion(case: &Case<'_>, task: &TaskState, expected: &[&Evidence]) -> Assertion {
    let skipped = task.status == TaskStatus::Skipped;
    let finding = match case.rules.reproduction {
        _ if skipped => Finding::new(Status::NotApplicable, "the task was skipped", expected),
        Reproduction::FailedThenRepaired => repaired(case, expected),
        Reproduction::Unknown | Reproduction::Failed => failed(expected),
    };
    finding.about(AssertionId::reproduction(&task.id), Category::Task, &task.id, !skipped)
}

fn failed(expected: &[&Evidence]) -> Finding {
    let (red, green): (Vec<&Evidence>, Vec<&Evidence>) =
        expected.iter().copied().partition(|item| item.payload.fails());
    match green.as_slice() {
        [] => Finding::new(Status::Pass, format!("{} failed as expected", names(red)), expected),
        green => {
            let reason = format!("{} was expected to fail and did not", names(green.iter().copied()));
            Finding::new(Status::Fail, reason, expected)
        }
    }
}

fn repaired(case: &Case<'_>, expected: &[&Evidence]) -> Finding {
    let unverified = |reason: String| Finding::new(Status::Unverified, reason, expected);
    if expected.is_empty() {
        return unverified("no failure was shown before the repair (git rapid check --expect fail)".to_owned());
    }
    let red: Vec<&Evidence> =
        expected.iter().copied().filter(|item| item.payload.fails() && is_own_check(item)).collect();
    let Some(newest) = red.last() else {
        let reason = format!("{} was expected to fail; no check of ours did", names(expected.iter().copied()));
        return Finding::new(Status::Fail, reason, expected);
    };
    let elsewhere: Vec<&Evidence> = red.iter().copied().filter(|item| is_on_another_tree(case, item)).collect();
    let mut proofs = elsewhere.iter().filter_map(|item| repair(case, item).map(|repair| (*item, repair)));
    match (proofs.next_back(), case.tree, elsewhere.last()) {
        (Some((failure, repair)), ..) => {
            let reason = format!(
                "{} failed as expected, and {} shows the same command green on the final tree",
                failure.id, repair.id
            );
            let looked_at: Vec<&Evidence> = expected.iter().copied().chain([repair]).collect();
            Finding::new(Status::Pass, reason, &looked_at)
        }
        (None, None, _) => unverified(format!("{} failed as expected; no final tree is recorded yet", newest.id)),
        (None, Some(_), None) => unverified(format!(
            "{} failed as expected, but on no other tree than the final one, so nothing was repaired",
            newest.id
        )),
        (None, Some(_), Some(item)) => {
            unverified(format!("{} failed as expected; the same command is not shown green on the final tree", item.id))
        }
    }
}

fn is_on_another_tree(case: &Case<'_>, item: &Evidence) -> bool {
    tree_of_check(item).is_some_and(|tree| case.tree.is_some_and(|last| last != tree))
}

/// The newest later check that shows the command of `failure` green on the final tree.
fn repair<'a>(case: &Case<'a>, failure: &Evidence) -> Option<&'a Evidence> {
    let command = facts(failure)?.command.as_deref()?;
    let later = case.of_command(command).iter().rev().take_while(|item| item.id.ordinal() > failure.id.ordinal());
    let mut current = later.filter(|item| {
        is_own_check(item)
            && !case.expects_failure(item)
            && tree_of_check(item).is_some()
            && case.is_current(tree_of_check(item))
    });
    // The newest one on the final tree decides: a green that turned red again repairs nothing.
    current.next().copied().filter(|item| !item.payload.fails() && hollow(item).is_none())
}

/// Whether a task cannot be done before its failure was shown: in a bugfix, the first one that is not skipped, where the rules ask
/// for a failure and its repair.
pub fn lacks_reproduction(input: &Input<'_>, task: &TaskId) -> bool {
    let case = Case::with_record(input, None);
    let first = case.state.tasks.iter().find(|task| task.status != TaskStatus::Skipped);
    case.rules.reproduction == Reproduction::FailedThenRepaired
        && case.contract.mode == Mode::Bugfix
        && first.is_some_and(|first| first.id == *task)
        && !has_reproduction(&case, task)
}

/// Whether the newest check that was to show a task's failure came out green: the repair is in already.
pub(crate) fn is_repaired_unseen(case: &Case<'_>, task: &TaskId) -> bool {
    let newest = case.of_task(task).iter().rev().find(|item| case.expects_failure(item));
    newest.is_some_and(|item| !item.payload.fails()) && !has_reproduction(case, task)
}

/// Whether a failure was shown for a task.
pub(crate) fn has_reproduction(case: &Case<'_>, task: &TaskId) -> bool {
    newest_failure(case, task).is_some()
}

/// The command that showed a task's failure, on another tree than the final one: what has to be green now.
pub(crate) fn reproducing_command<'a>(case: &Case<'a>, task: &TaskId) -> Option<&'a [String]> {
    let failure = newest_failure(case, task).filter(|item| is_on_another_tree(case, item))?;
    facts(failure).and_then(|facts| facts.command.as_deref())
}

fn newest_failure<'a>(case: &Case<'a>, task: &TaskId) -> Option<&'a Evidence> {
    let strict = case.rules.reproduction == Reproduction::FailedThenRepaired;
    case.of_task(task)
        .iter()
        .rev()
        .copied()
        .find(|item| case.expects_failure(item) && item.payload.fails() && (is_own_check(item) || !strict))
}
