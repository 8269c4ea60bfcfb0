//! How an observation becomes a record, and what follows from it for a run that has not begun.

use super::{Doubt, Observation, named};
use crate::diagnostics::Result;
use crate::domain::{
    capability::Capability,
    contract::Ruleset,
    evidence::{Evidence, Payload, TestCounts},
    gate::Phase,
    ids::{GateId, TaskId},
    lifecycle::RunStatus,
    run::{Change, RunState},
    text::{Producer, Verb},
};
use crate::evaluator::{self, Input};
use crate::os::process::Ended;
use crate::registry::{Draft, NewArtifact, Run};

/// Drafts the record of an observation. `binding` is tasks, gates, and whether a person named them: under rulesets 1–3 a red
/// item that is bound is final, so a red check that nobody bound is an observation only (design §5).
pub fn record(
    draft: &mut Draft,
    run: &Run,
    state: &RunState,
    observation: &Observation,
    binding: &(Vec<TaskId>, Vec<GateId>, bool),
) -> Result<Evidence> {
    let (tasks, gates, named) = binding;
    let ran = &observation.ran;
    let exit_code = i64::from(ran.ended.exit_code());
    let red = exit_code != 0 || ran.summary.counts.failed > 0;
    let observed_only = red && !named && run.contract.ruleset < Ruleset::V4 && !observation.facts.expects_failure;
    let counts = TestCounts {
        passed: ran.summary.counts.passed,
        failed: ran.summary.counts.failed,
        skipped: ran.summary.counts.skipped,
    };
    let payload = match ran.summary.counted && !observed_only {
        true => Payload::TestResult {
            suite: observation.label.clone(),
            exit_code,
            counts,
            counted: true,
            facts: observation.facts.clone(),
        },
        false => {
            Payload::CommandResult { label: observation.label.clone(), exit_code, facts: observation.facts.clone() }
        }
    };
    let words = match (ran.ended, ran.summary.counted) {
        (Ended::TimedOut, _) => "ended by the time limit".to_owned(),
        (_, true) => format!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped),
        (_, false) => format!("exit status {exit_code}, no tests counted"),
    };
    // What shows no failure is not tied to the task whose failure it was to show.
    let bound = !observed_only && !matches!(observation.doubt, Some(Doubt::NoReproduction(_)));
    let evidence = Evidence {
        id: run.next_evidence_id(),
        run_id: run.id().clone(),
        contract_digest: run.contract.digest(),
        state_revision: state.revision,
        state_digest: state.digest(),
        producer: Producer::Rapid(observation.by),
        summary: words,
        task_ids: if bound { tasks.clone() } else { Vec::new() },
        gate_ids: if bound { gates.clone() } else { Vec::new() },
        capability_ids: if observation.by == Verb::Verify {
            Vec::new()
        } else if ran.summary.counted {
            vec![Capability::TestsExecute]
        } else {
            vec![Capability::ShellExecute]
        },
        payload,
        artifacts: Vec::new(),
    };
    let mut kept = vec![NewArtifact { path: "log".to_owned(), bytes: ran.log.clone() }];
    kept.extend(ran.tests.as_ref().map(named::artifact));
    draft.evidence(&run.contract, evidence, &kept, observation.tree)
}

/// When a check of the baseline meets the last gate before the work, the run becomes active with it.
pub(super) fn begin(draft: &mut Draft, run: &Run, state: &RunState, evidence: &Evidence) -> Result<bool> {
    if state.status != RunStatus::Prepared {
        return Ok(false);
    }
    let mut all = run.evidence.clone();
    all.push(evidence.clone());
    let states = opening_states(run, state, &all)?;
    for state in &states {
        draft.state(state)?;
    }
    Ok(states.last().is_some_and(|state| state.status == RunStatus::Active))
}

/// The states that follow a prepared one on this evidence: machine gates acknowledged, and the run active when nothing else
/// stands before it.
pub fn opening_states(run: &Run, state: &RunState, evidence: &[Evidence]) -> Result<Vec<RunState>> {
    let input = Input::new(&run.contract, state, evidence);
    let mut states = evaluator::what_if::acknowledge_backed(&input, Phase::PreExecution);
    let last = states.last().unwrap_or(state);
    if last.undecided(Phase::PreExecution).next().is_none() {
        let active = last.step(&Change::Status(RunStatus::Active), "")?;
        states.push(active);
    }
    Ok(states)
}
