//! Whether a contract says what its spec and its frozen terms say: it is copied and decided from them when a run begins, and
//! somebody could have written another one under a digest that holds.
//!
//! What the policy decides is decided again here, by the policy of this version under the contract's terms. Whoever began the run
//! may have asked for more, never for less; so a policy that asks for more than an earlier one did needs a ruleset of its own.

use super::{Place, Records};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    config::Config,
    contract::Contract,
    gate::Gate,
    policy::{Decision, Overrides, Policy, Project, decide},
    spec::SpecDraft,
};

/// Refuses a contract that promises something else than its terms and its spec (RAPID1002).
pub(super) fn kept(records: &Records<'_>, contract: &Contract, spec: &SpecDraft) -> Result<()> {
    let path = Place::Term(contract.run_id.clone(), "config.toml".to_owned()).path();
    let unreadable =
        |fault: Diagnostic| Code::Rapid1002.because(format!("the term 'config.toml' is unreadable: {}", fault.message));
    let config = match records.view().read(&path)? {
        None => Config::default(),
        Some(bytes) => Config::parse(&String::from_utf8_lossy(&bytes)).map_err(unreadable)?,
    };
    let tasks = contract.tasks.iter().map(|task| &task.description);
    let other = [
        ("test_command", config.test_command == contract.test_command),
        ("ruleset", config.ruleset == contract.ruleset),
        ("approvals", config.approvals == contract.approvals),
        ("approvers", config.approvers == contract.approvers),
    ];
    if let Some((what, _)) = other.into_iter().find(|(_, same)| !same) {
        return Err(Code::Rapid1002.because(format!("the contract's {what} is not that of its terms")));
    }
    let other = [("mode", spec.mode == contract.mode), ("tasks", spec.implementation_tasks.iter().eq(tasks))];
    if let Some((what, _)) = other.into_iter().find(|(_, same)| !same) {
        return Err(Code::Rapid1002.because(format!("the contract's {what} is not that of its spec")));
    }
    let policy = Policy::under(config.policy.as_ref()).map_err(unreadable)?;
    let project = Project { has_architecture_rules: contract.terms.contains_key("architecture.json") };
    let asked = decide(spec, &policy, &Overrides::default(), &project)?;
    match lacking(&contract.decision, &asked) {
        None => Ok(()),
        Some(what) => {
            Err(Code::Rapid1002
                .because(format!("the contract asks for less than the policy does under its terms: {what}")))
        }
    }
}

/// What a decision has less than one that was decided again.
fn lacking(decision: &Decision, asked: &Decision) -> Option<String> {
    let is_met = |gate: &&Gate| {
        decision.gates.iter().any(|own| {
            let may_be_let_go = own.waivable && !gate.waivable;
            own.id == gate.id && own.kind == gate.kind && own.phase == gate.phase && own.required && !may_be_let_go
        })
    };
    match () {
        () if decision.classification < asked.classification => Some(format!("it is {}", asked.classification)),
        () if decision.risk < asked.risk => Some(format!("its risk is {}", asked.risk)),
        () if decision.workspace < asked.workspace => Some("it needs a worktree of its own".to_owned()),
        () => asked.gates.iter().find(|gate| !is_met(gate)).map(|gate| gate.id.to_string()),
    }
}
