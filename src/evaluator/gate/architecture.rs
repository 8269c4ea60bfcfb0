//! What an item weighs for `gate.architecture`. Here a test summary is not needed: `arch check` ends with the answer.

use crate::domain::{evidence::Evidence, run::GateState};
use crate::evaluator::{
    case::{Case, facts, is_own_check, tree_of_check},
    qualification::Shortfall,
    rulesets::Architecture,
    weight::{Weight, Why},
};

pub(super) fn weight<'a>(case: &Case<'_>, gate: &GateState, item: &'a Evidence) -> Option<Weight<'a>> {
    let check = facts(item)?;
    if case.expects_failure(item) {
        return None;
    }
    if case.rules.architecture == Architecture::Unknown {
        return Some(Weight::Aside(Why::NoSuchGate));
    }
    let tree = tree_of_check(item);
    let current = !super::is_about_the_result(gate) || case.is_current(tree);
    // A green check without a log is no run of `arch check`: §4 takes it for a failure, not for a gap.
    let red = item.payload.fails() || item.artifacts.is_empty();
    Some(match case.rules.architecture {
        _ if red && (current || tree.is_none()) => Weight::Against,
        _ if red => Weight::Aside(Why::not_current(case, tree)),
        Architecture::Unknown => Weight::Aside(Why::NoSuchGate),
        Architecture::Logged => Weight::For,
        Architecture::OwnCheck | Architecture::OwnCommand if !is_own_check(item) => {
            Weight::Aside(Why::Unqualified(Shortfall::NotOurs))
        }
        Architecture::OwnCheck | Architecture::OwnCommand if check.tree_changed => {
            Weight::Void(Why::Unqualified(Shortfall::TreeChanged))
        }
        Architecture::OwnCheck | Architecture::OwnCommand if tree.is_none() => {
            Weight::Void(Why::Unqualified(Shortfall::NoTree))
        }
        _ if !current => Weight::Aside(Why::not_current(case, tree)),
        Architecture::OwnCommand if !is_arch_check(check.command.as_deref()) => Weight::Void(Why::NotTheArchitecture),
        Architecture::OwnCheck | Architecture::OwnCommand => Weight::For,
    })
}

/// Whether a command is `git rapid arch check`, however the program is found.
fn is_arch_check(command: Option<&[String]>) -> bool {
    let words: Vec<&str> = command.unwrap_or_default().iter().map(String::as_str).collect();
    let named = |program: &str, name: &str| program == name || program.ends_with(&format!("/{name}"));
    match words.as_slice() {
        [program, "rapid", "arch", "check", ..] => named(program, "git"),
        [program, "arch", "check", ..] => named(program, "git-rapid"),
        _ => false,
    }
}
