//! `run`: the plumbing of runs: one state further, by hand. Human gates are a person's (RAPID1431).

use super::rapid::Rapid;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{GateId, RunId},
    lifecycle::Disposition,
    run::{Change, RunState},
};
use crate::registry::Draft;

/// Moves the run, a task or a machine gate; returns the new state.
pub fn change(rapid: &Rapid, id: &RunId, change: &Change, reason: &str) -> Result<RunState> {
    rapid.registry().existing_records()?;
    let (_, state) = rapid.registry().append(|records| {
        let run = records.run(id)?;
        let state = run.state()?;
        if let Change::Gate(gate, disposition) = change {
            refuse_human(state, gate, *disposition)?;
        }
        let next = state.step(change, reason)?;
        let mut draft = Draft::new("run", id, format!("run {id}: {}", change.kind()));
        draft.state(&next)?;
        Ok((draft, next))
    })?;
    Ok(state)
}

fn refuse_human(state: &RunState, gate: &GateId, disposition: Disposition) -> Result<()> {
    let human = state.gate(gate)?.kind.is_human();
    match disposition {
        Disposition::Waived => Err(Code::Rapid1431
            .because(format!("letting {gate} go is a person's decision"))
            .hint(format!("ask a person to run 'git rapid approve {gate} --waive --reason …'"))),
        _ if human => Err(Code::Rapid1431
            .because(format!("{gate} is decided by a person"))
            .hint(format!("ask a person to run 'git rapid approve {gate}'"))),
        _ => Ok(()),
    }
}
