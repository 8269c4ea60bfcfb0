//! What must hold before anything is judged (§5.1): the records belong to one run, one contract, one history. A fault here is
//! an error (RAPID1223, RAPID1207, RAPID1208), never an assertion.

use super::Input;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{digest::Digest, evidence::Evidence, run::RunState, text::Producer};

/// Refuses what does not belong together.
pub(super) fn check(input: &Input<'_>) -> Result<()> {
    state_fits(input)?;
    let (contract, state) = (input.contract.digest(), input.state.digest());
    let mut ordinals: Vec<u32> = Vec::with_capacity(input.evidence.len());
    for item in input.evidence {
        item_fits(input, item, contract, state).map_err(|fault| fault.at(item.id.as_str()))?;
        ordinals.push(item.id.ordinal());
    }
    ordinals.sort_unstable();
    match ordinals.into_iter().zip(1..).find(|(found, due)| found != due) {
        None => Ok(()),
        Some((found, due)) => Err(Code::Rapid1208.because(format!("evidence {due} is expected where {found} stands"))),
    }
}

fn unbound(message: impl Into<String>) -> Diagnostic {
    Code::Rapid1223.because(message)
}

fn state_fits(input: &Input<'_>) -> Result<()> {
    let (contract, state) = (input.contract, input.state);
    if state.run_id != contract.run_id {
        return Err(unbound(format!(
            "the state is of run '{}', the contract of run '{}'",
            state.run_id, contract.run_id
        )));
    }
    let first = RunState::prepared(contract);
    let tasks = first.tasks.len() == state.tasks.len()
        && first.tasks.iter().zip(&state.tasks).all(|(a, b)| a.id == b.id && a.description == b.description);
    let gates = first.gates.len() == state.gates.len()
        && first.gates.iter().zip(&state.gates).all(|(a, b)| {
            (&a.id, a.kind, a.phase, a.required, a.waivable) == (&b.id, b.kind, b.phase, b.required, b.waivable)
        });
    match tasks && gates {
        true => Ok(()),
        false => Err(unbound(format!("the tasks or gates of state {} are not the contract's", state.revision))),
    }
}

fn item_fits(input: &Input<'_>, item: &Evidence, contract: Digest, state: Digest) -> Result<()> {
    if item.run_id != input.contract.run_id {
        return Err(unbound(format!("it is of run '{}'", item.run_id)));
    }
    if item.contract_digest != contract {
        return Err(unbound("it is bound to another contract"));
    }
    if item.state_revision > input.state.revision {
        return Err(unbound(format!(
            "it is bound to state {}, later than the one that is judged",
            item.state_revision
        )));
    }
    if item.state_revision == input.state.revision && item.state_digest != state {
        return Err(unbound(format!("it is bound to another state {}", item.state_revision)));
    }
    if let Producer::Harness(harness) = &item.producer
        && *harness != input.contract.harness
    {
        return Err(unbound(format!(
            "it was made by the harness '{harness}', the contract's is '{}'",
            input.contract.harness
        )));
    }
    if let Some(task) = item.task_ids.iter().find(|id| !input.contract.tasks.iter().any(|task| task.id == **id)) {
        return Err(Code::Rapid1207.because(format!("it names task {task}, which the contract has not")));
    }
    let gates = &input.contract.decision.gates;
    match item.gate_ids.iter().find(|id| !gates.iter().any(|gate| gate.id == **id)) {
        Some(gate) => Err(Code::Rapid1207.because(format!("it names {gate}, which the contract has not"))),
        None => Ok(()),
    }
}
