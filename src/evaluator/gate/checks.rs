//! What an item weighs for `gate.baseline` and `gate.tests`.

use crate::domain::{
    evidence::{Evidence, Kind},
    gate::GateKind,
    run::GateState,
};
use crate::evaluator::{
    case::{Case, is_own_check, tree_of_check},
    qualification::shortfall,
    rulesets::Checks,
    weight::{Weight, Why},
};

pub(super) fn weight<'a>(case: &Case<'_>, gate: &GateState, item: &'a Evidence) -> Option<Weight<'a>> {
    // A run of the exact test command may lack a count (Q5), so where checks must qualify a plain command may speak of both.
    let relevant = match item.payload.kind() {
        Kind::TestResult => true,
        Kind::CommandResult => gate.kind == GateKind::BaselineCheck || case.rules.checks == Checks::Qualified,
        _ => false,
    };
    if !relevant || case.expects_failure(item) {
        return None;
    }
    let tree = tree_of_check(item);
    let current = !super::is_about_the_result(gate) || case.is_current(tree);
    Some(match (item.payload.fails(), case.rules.checks) {
        (true, _) if current || tree.is_none() => Weight::Against,
        (true, _) => Weight::Aside(Why::not_current(case, tree)),
        (false, Checks::Logged) if item.artifacts.is_empty() => Weight::Aside(Why::NoLog),
        (false, Checks::Logged) => Weight::For,
        (false, Checks::Qualified) => match shortfall(item) {
            None if current => Weight::For,
            None => Weight::Aside(Why::not_current(case, tree)),
            // Our own newest check is the newest word on the tests, even when it shows nothing.
            Some(lack) if is_own_check(item) && (current || tree.is_none()) => Weight::Void(Why::Unqualified(lack)),
            Some(lack) => Weight::Aside(Why::Unqualified(lack)),
        },
    })
}
