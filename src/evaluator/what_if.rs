//! What would be so after a step that nobody has taken yet: machine gates that the evidence backs, a run that is finished.
//!
//! The verbs take these steps, the conductor only asks; both ask here, so that what `next` says is what `finish` does.

use super::{Case, Input, evaluate, gate};
use crate::diagnostics::Result;
use crate::domain::{
    capability::Capability,
    contract::Contract,
    evidence::{Evidence, Finish, GitOperation, Payload},
    gate::Phase,
    git_id::GitId,
    ids::{EvidenceId, GateId},
    lifecycle::{Disposition, RunStatus},
    report::{Report, Status},
    run::{Change, GateState, RunState},
    text::{Producer, RelativePath, Verb},
};

/// The machine gates of a phase that are undecided, and whether the evidence backs each.
pub fn machine_gates(input: &Input<'_>, phase: Phase) -> Vec<(GateId, bool)> {
    let case = Case::new(input);
    open_machine_gates(&case, phase).map(|gate| (gate.id.clone(), backing(&case, gate).is_some())).collect()
}

pub(crate) fn open_machine_gates<'a>(case: &Case<'a>, phase: Phase) -> impl Iterator<Item = &'a GateState> {
    case.state.undecided(phase).filter(|gate| !gate.kind.is_human())
}

/// Why a gate may be acknowledged, in words; `None` when the evidence does not back it.
pub(crate) fn backing(case: &Case<'_>, gate: &GateState) -> Option<String> {
    let assertion = gate::if_acknowledged(case, gate);
    (assertion.status == Status::Pass).then_some(assertion.reason)
}

/// Acknowledges, one state after the other, every undecided machine gate of a phase that the evidence backs. Where the run
/// stands so that none may be decided (§2.6), there are no states.
pub fn acknowledge_backed(input: &Input<'_>, phase: Phase) -> Vec<RunState> {
    let case = Case::new(input);
    let backed = open_machine_gates(&case, phase).filter_map(|gate| backing(&case, gate).map(|reason| (gate, reason)));
    let mut states: Vec<RunState> = Vec::new();
    for (gate, reason) in backed {
        let change = Change::Gate(gate.id.clone(), Disposition::Acknowledged);
        if let Ok(next) = states.last().unwrap_or(input.state).step(&change, &reason) {
            states.push(next);
        }
    }
    states
}

/// How a run would end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryFinish {
    /// The states that would be written, in order; empty when none can be.
    pub states: Vec<RunState>,
    /// The judgement of the last of them (or of the state as it is).
    pub report: Report,
}

impl DryFinish {
    /// Whether the run would be closed; otherwise the report is of the furthest state that can be reached.
    pub fn is_finished(&self, from: &RunState) -> bool {
        self.states.last().unwrap_or(from).status == RunStatus::Finished
    }
}

/// Acknowledges the backed machine gates, finishes the run when that is legal, and judges. The evidence holds the record of
/// `finish` already ([`finish_record`]).
pub fn dry_finish(input: &Input<'_>) -> Result<DryFinish> {
    let mut states = acknowledge_backed(input, Phase::PostExecution);
    let last = states.last().unwrap_or(input.state);
    if let Ok(finished) = last.step(&Change::Status(RunStatus::Finished), "") {
        states.push(finished);
    }
    let report = evaluate(&input.at(states.last().unwrap_or(input.state)))?;
    Ok(DryFinish { states, report })
}

/// The record that `finish` writes: the files that changed since the start, or that none did, and the code as it is.
pub fn finish_record(
    contract: &Contract,
    state: &RunState,
    evidence: &[Evidence],
    mut changed: Vec<RelativePath>,
    finish: Finish,
) -> Evidence {
    changed.sort();
    changed.dedup();
    let newest = evidence.iter().map(|item| item.id.ordinal()).max().unwrap_or(0);
    let (summary, capability, payload) = match changed.len() {
        0 => {
            let payload = Payload::GitResult { operation: GitOperation::Inspect, finish };
            ("no file changed".to_owned(), Capability::GitInspect, payload)
        }
        count => {
            let files = if count == 1 { "file" } else { "files" };
            (
                format!("{count} {files} changed"),
                Capability::RepositoryWrite,
                Payload::FileChange { paths: changed, finish },
            )
        }
    };
    Evidence {
        id: EvidenceId::of(newest.saturating_add(1)),
        run_id: contract.run_id.clone(),
        contract_digest: contract.digest(),
        state_revision: state.revision,
        state_digest: state.digest(),
        producer: Producer::Rapid(Verb::Finish),
        summary,
        task_ids: Vec::new(),
        gate_ids: Vec::new(),
        capability_ids: vec![capability],
        payload,
        artifacts: Vec::new(),
    }
}

/// The record that `finish` would write now, as far as the tree alone tells: whether anything changed is known, which files is
/// not. Only for looking ahead; never stored.
pub(crate) fn assumed_record(contract: &Contract, state: &RunState, evidence: &[Evidence], tree: &GitId) -> Evidence {
    let changed = (start_tree(contract, evidence) != tree)
        .then(|| RelativePath::parse("unnamed", crate::diagnostics::Code::Rapid003));
    let changed = changed.and_then(Result::ok).into_iter().collect();
    finish_record(contract, state, evidence, changed, Finish { tree: Some(tree.clone()), ..Finish::default() })
}

/// The code as `start` found it; without its record, as it is in the base commit.
fn start_tree<'a>(contract: &'a Contract, evidence: &'a [Evidence]) -> &'a GitId {
    let started = evidence.iter().filter(|item| item.producer == Producer::Rapid(Verb::Start));
    let mut trees = started.filter_map(|item| match &item.payload {
        Payload::Workspace { start, .. } => start.tree.as_ref(),
        _ => None,
    });
    trees.next().unwrap_or(&contract.base.tree)
}
