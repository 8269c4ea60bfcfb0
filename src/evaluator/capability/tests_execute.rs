//! `capability.tests.execute.observed`: tests were run at all, and none is red.
//!
//! Under rulesets 1 to 3 every test result of the run counts. Under ruleset 4 those of the final tree do, and of each command
//! the newest; a gate on tests that a person waived takes this question with it.

use crate::domain::{
    evidence::{Evidence, Payload},
    gate::GateKind,
    lifecycle::Disposition,
    report::Status,
    run::GateState,
};
use crate::evaluator::{
    assertion::{Finding, names},
    case::{Case, facts, is_own_check, tree_of_check},
    qualification::shortfall,
    rulesets::{Checks, Together},
};
use std::collections::BTreeMap;

pub(super) fn finding(case: &Case<'_>) -> Finding {
    let waived =
        |gate: &&GateState| gate.kind == GateKind::ImplementationTests && gate.disposition == Disposition::Waived;
    let superseding = case.rules.together == Together::NewestWins;
    if let Some(gate) = case.state.gates.iter().find(waived).filter(|_| superseding) {
        return Finding::new(Status::Waived, format!("{} was waived: {}", gate.id, gate.reason), &[]);
    }
    let items = counting(case);
    let green = |item: &&Evidence| !item.payload.fails() && is_enough(case, item);
    let red: Vec<&Evidence> = items.iter().copied().filter(|item| is_red(case, item)).collect();
    let shown: Vec<&Evidence> = items.iter().copied().filter(green).collect();
    match (red.as_slice(), shown.as_slice(), items.last()) {
        ([], [], None) => Finding::new(Status::Unverified, "no test was seen to run", &[]),
        ([], [], Some(last)) => {
            let lack = shortfall(last).map(|lack| format!(": {} does not qualify (RAPID1432): {lack}", last.id));
            Finding::new(Status::Unverified, format!("no test was seen to run{}", lack.unwrap_or_default()), &items)
        }
        ([], shown, _) => Finding::new(Status::Pass, format!("shown by {}", names(shown.iter().copied())), &items),
        (red, ..) => Finding::new(Status::Fail, format!("{} is red", names(red.iter().copied())), &items),
    }
}

/// The newest red item that stands in the way.
pub(crate) fn newest_red<'a>(case: &Case<'a>) -> Option<&'a Evidence> {
    counting(case).into_iter().rfind(|item| is_red(case, item))
}

fn counting<'a>(case: &Case<'a>) -> Vec<&'a Evidence> {
    let items: Vec<&Evidence> = case.items.iter().copied().filter(|item| speaks_of_tests(case, item)).collect();
    match case.rules.together {
        Together::RedWins => items,
        Together::NewestWins => newest_of_each_command(case, &items),
    }
}

fn speaks_of_tests(case: &Case<'_>, item: &Evidence) -> bool {
    let kind = match &item.payload {
        Payload::TestResult { .. } => true,
        Payload::CommandResult { facts, .. } => facts.test_command && case.rules.checks == Checks::Qualified,
        _ => false,
    };
    kind && !case.expects_failure(item)
}

/// A plain command that was red is no test result: where any red one is final it is taken for what it says, an observation.
fn is_red(case: &Case<'_>, item: &Evidence) -> bool {
    let test_result = matches!(item.payload, Payload::TestResult { .. });
    item.payload.fails() && (test_result || case.rules.together == Together::NewestWins)
}

fn is_enough(case: &Case<'_>, item: &Evidence) -> bool {
    match case.rules.checks {
        Checks::Logged => true,
        Checks::Qualified => shortfall(item).is_none(),
    }
}

/// Of each command the newest item of the final tree, and what is red on no known tree; by ordinal.
fn newest_of_each_command<'a>(case: &Case<'_>, items: &[&'a Evidence]) -> Vec<&'a Evidence> {
    let counts = |item: &&&Evidence| {
        let tree = tree_of_check(item);
        // What others say is green cannot stand for a check of ours; what they say is red can stand against it.
        (case.is_current(tree) && is_own_check(item))
            || (item.payload.fails() && (tree.is_none() || case.is_current(tree)))
    };
    let command = |item: &'a Evidence| -> Vec<&'a str> {
        match (facts(item).and_then(|facts| facts.command.as_ref()), &item.payload) {
            (Some(words), _) => words.iter().map(String::as_str).collect(),
            (None, Payload::TestResult { suite, .. }) => vec![suite],
            (None, _) => Vec::new(),
        }
    };
    let newest: BTreeMap<Vec<&str>, &Evidence> =
        items.iter().filter(counts).map(|item| (command(item), *item)).collect();
    let mut newest: Vec<&Evidence> = newest.into_values().collect();
    newest.sort_by_key(|item| item.id.ordinal());
    newest
}
