//! `run`: the plumbing of runs: opened without a workspace or a baseline, and one state further, by hand. Human gates are a
//! person's (RAPID1431).

use super::{
    plan::{Planning, SpecSource, Wanted},
    rapid::Rapid,
    terms,
};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{GateId, HarnessId, RunId, SpecId},
    lifecycle::Disposition,
    policy::{Classification, Risk},
    run::{Change, RunState},
};
use crate::registry::{Draft, Run};

/// The run that is asked for.
pub struct Create {
    /// A spec that is ready.
    pub spec: SpecId,
    /// Its revision; `None`: the current one.
    pub spec_revision: Option<u32>,
    /// The run's id; `None`: derived from the spec's.
    pub run_id: Option<RunId>,
    /// The agent's harness.
    pub harness: HarnessId,
    /// Raise the risk to this.
    pub risk: Option<Risk>,
    /// Raise the classification to this.
    pub classification: Option<Classification>,
    /// Where the terms are read.
    pub terms: terms::Source,
}

/// Writes a contract and its first state, and nothing else: no workspace, no baseline, no session.
pub fn create(rapid: &Rapid, request: Create) -> Result<Run> {
    let records = rapid.registry().existing_records()?;
    let spec = records.spec(&records.meant_spec(&request.spec)?)?;
    let revision = request.spec_revision.map_or_else(|| spec.current(), |number| spec.revision(number))?;
    let wanted = Wanted {
        mode: revision.content.mode,
        spec: SpecSource::Existing(spec.id.clone(), request.spec_revision),
        harness: request.harness,
        risk: request.risk,
        classification: request.classification,
        run_id: request.run_id,
    };
    let repository = rapid.repository();
    let head = repository.head()?;
    let terms = terms::read(repository, &head, request.terms, wanted.mode)?;
    let planning = Planning { rapid, wanted: &wanted, terms: &terms, head: &head };
    let (_, id) = rapid.registry().append(|records| {
        let plan = planning.plan(records)?;
        let id = plan.contract.run_id.clone();
        let mut draft = Draft::new("run", &id, format!("run {id}: {}", plan.revision.content.title));
        plan.write(&mut draft, &terms)?;
        Ok((draft, id))
    })?;
    rapid.registry().records()?.run(&id)
}

/// Moves the run, a task or a machine gate; returns the new state.
pub fn change(rapid: &Rapid, id: &RunId, change: &Change, reason: &str) -> Result<RunState> {
    let records = rapid.registry().existing_records()?;
    let id = &records.meant(id)?;
    let reason = rapid.said(&records, id, reason)?;
    let (_, state) = rapid.registry().append(|records| {
        let run = records.run(id)?;
        let state = run.state()?;
        if let Change::Gate(gate, disposition) = change {
            refuse_human(state, gate, *disposition)?;
        }
        let next = state.step(change, &reason)?;
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
