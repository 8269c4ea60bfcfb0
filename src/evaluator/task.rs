//! The assertions on tasks: what shows that a task which is said to be done was really worked on.
//!
//! Reviews and workspaces do not count here. Under ruleset 4 a task that was checked must have been checked on the final
//! tree: by its own newest check, or by any newer one of the same command.

use super::{
    approvers::waiver_is_unsigned,
    assertion::{Finding, names},
    case::{Case, facts, is_own_check, tree_of_check},
    qualification::hollow,
    rulesets::Together,
    weight::{Weighed, Weight, Why, together},
};
use crate::domain::{
    evidence::{Evidence, Kind, Payload},
    gate::GateKind,
    ids::AssertionId,
    lifecycle::{Disposition, TaskStatus},
    report::{Assertion, Category, Status},
    run::TaskState,
};
use std::collections::BTreeMap;

/// `task.<id>.evidence`, for each task of the contract.
pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let deciding = deciding(case);
    case.state.tasks.iter().map(|task| assertion(case, &deciding, task)).collect()
}

fn assertion<'a>(case: &Case<'a>, deciding: &Deciding<'a>, task: &TaskState) -> Assertion {
    let linked: Vec<&Evidence> = case.of_task(&task.id).iter().copied().filter(|item| speaks_of_tasks(item)).collect();
    let finding = match task.status {
        TaskStatus::Skipped => Finding::new(Status::NotApplicable, skipped(task), &linked),
        TaskStatus::Done => done(case, deciding, &linked),
        open @ (TaskStatus::Pending | TaskStatus::InProgress | TaskStatus::Blocked) => {
            Finding::new(Status::Unverified, format!("the task is {open}"), &linked)
        }
    };
    finding.about(AssertionId::task(&task.id), Category::Task, &task.id, task.status != TaskStatus::Skipped)
}

fn skipped(task: &TaskState) -> String {
    match task.reason.as_str() {
        "" => "the task was skipped".to_owned(),
        reason => format!("the task was skipped: {reason}"),
    }
}

fn speaks_of_tasks(item: &Evidence) -> bool {
    match item.payload.kind() {
        Kind::CommandResult
        | Kind::TestResult
        | Kind::FileChange
        | Kind::GitResult
        | Kind::ToolInvocation
        | Kind::Delegation
        | Kind::Artifact => true,
        Kind::Review | Kind::Workspace => false,
    }
}

fn done<'a>(case: &Case<'a>, deciding: &Deciding<'a>, linked: &[&'a Evidence]) -> Finding {
    let counting: Vec<&Evidence> = linked.iter().copied().filter(|item| !case.expects_failure(item)).collect();
    match case.rules.together {
        Together::RedWins => {
            let red: Vec<&Evidence> = counting.iter().copied().filter(|item| item.payload.fails()).collect();
            match (red.as_slice(), counting.as_slice()) {
                (_, []) => nothing(linked),
                ([], shown) => Finding::new(Status::Pass, format!("shown by {}", names(shown.iter().copied())), linked),
                (red, _) => {
                    Finding::new(Status::Fail, format!("contradicted by {}", names(red.iter().copied())), linked)
                }
            }
        }
        Together::NewestWins => newest(case, deciding, &counting, linked),
    }
}

fn nothing(linked: &[&Evidence]) -> Finding {
    Finding::new(Status::Unverified, "the task is said to be done, and nothing shows it", linked)
}

fn newest<'a>(case: &Case<'a>, deciding: &Deciding<'a>, counting: &[&'a Evidence], linked: &[&'a Evidence]) -> Finding {
    let (checks, others): (Vec<&Evidence>, Vec<&Evidence>) =
        counting.iter().copied().partition(|item| facts(item).is_some());
    // What somebody handed in does not outweigh what was seen to run; red words count all the same.
    let seen_to_run = checks.iter().any(|item| is_own_check(item));
    let checks: Vec<&Evidence> =
        checks.into_iter().filter(|item| !seen_to_run || is_own_check(item) || item.payload.fails()).collect();
    let red = newest_of_each(&others);
    match (red.as_slice(), checks.as_slice(), others.as_slice()) {
        ([_, ..], ..) => Finding::new(Status::Fail, format!("contradicted by {}", names(red.iter().copied())), linked),
        ([], [_, ..], _) => without_tests(case, by_checks(case, deciding, &checks, linked)),
        ([], [], []) => nothing(linked),
        ([], [], shown) => Finding::new(Status::Pass, format!("shown by {}", names(shown.iter().copied())), linked),
    }
}

/// Where a person let the tests go, the checks of a task are let go with them: nothing but the same tests could show it.
fn without_tests(case: &Case<'_>, found: Finding) -> Finding {
    let mut tests = case.state.gates.iter().filter(|gate| gate.kind == GateKind::ImplementationTests);
    let waived = tests.any(|gate| gate.disposition == Disposition::Waived && !waiver_is_unsigned(case, gate));
    match (waived, found.status) {
        (true, Status::Fail | Status::Unverified) => {
            Finding { status: Status::Waived, reason: format!("the tests were waived; {}", found.reason), ..found }
        }
        _ => found,
    }
}

/// The red ones among the newest calls of each tool and delegate.
fn newest_of_each<'a>(others: &[&'a Evidence]) -> Vec<&'a Evidence> {
    let mut newest: BTreeMap<(&str, &str), &Evidence> = BTreeMap::new();
    for item in others {
        match &item.payload {
            Payload::ToolInvocation { tool_id, .. } => newest.insert(("tool", tool_id), item),
            Payload::Delegation { target, .. } => newest.insert(("delegate", target), item),
            _ => None,
        };
    }
    let mut red: Vec<&Evidence> = newest.into_values().filter(|item| item.payload.fails()).collect();
    red.sort_by_key(|item| item.id.ordinal());
    red
}

fn by_checks<'a>(case: &Case<'a>, deciding: &Deciding<'a>, own: &[&'a Evidence], linked: &[&'a Evidence]) -> Finding {
    let commands = own.iter().filter_map(|item| facts(item).and_then(|facts| facts.command.as_deref()));
    let of_command: BTreeMap<u32, &Evidence> =
        commands.filter_map(|command| deciding.get(command)).map(|item| (item.id.ordinal(), *item)).collect();
    let mut candidates: BTreeMap<u32, &Evidence> = own.iter().map(|item| (item.id.ordinal(), *item)).collect();
    candidates.extend(&of_command);
    let weighed: Vec<Weighed<'_>> =
        candidates.into_values().map(|item| Weighed { item, weight: weight(case, item) }).collect();
    let finding = together(Together::NewestWins, &weighed);
    let looked_at: Vec<&Evidence> = linked.iter().copied().chain(of_command.into_values()).collect();
    Finding::new(finding.status, finding.reason, &looked_at)
}

/// Of each command the newest check that weighs anything for the final tree, whatever it is bound to.
type Deciding<'a> = BTreeMap<&'a [String], &'a Evidence>;

fn deciding<'a>(case: &Case<'a>) -> Deciding<'a> {
    let checks = case.items.iter().copied().filter(|item| is_own_check(item) && !case.expects_failure(item));
    let weighty = checks.filter(|item| !matches!(weight(case, item), Weight::Aside(_)));
    weighty.filter_map(|item| facts(item)?.command.as_deref().map(|command| (command, item))).collect()
}

fn weight<'a>(case: &Case<'_>, item: &'a Evidence) -> Weight<'a> {
    let tree = tree_of_check(item);
    match (case.is_current(tree), item.payload.fails(), hollow(item)) {
        (true, true, _) => Weight::Against,
        // What is red on a tree that nobody knows stays red until something newer is green.
        (false, true, _) if tree.is_none() => Weight::Against,
        (true, false, None) => Weight::For,
        (true, false, Some(shortfall)) => Weight::Void(Why::Unqualified(shortfall)),
        (false, ..) => Weight::Aside(Why::not_current(case, tree)),
    }
}
