//! `check`: run a command on the code as it is, and record what it showed, bound to exactly that code.

mod definition;
mod doubt;
mod fresh;
mod named;
mod observe;
mod record;
mod report_place;

pub use definition::definition;
pub use doubt::{CHANGED, Doubt};
pub use fresh::{leftovers, sweep};
pub use named::compare;
use observe::outcome_of;
pub use observe::{CheckOutcome, Observation, observe, observe_again};
pub use record::{opening_states, record};

use super::{rapid::Rapid, work::Work};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::Evidence,
    gate::GateKind,
    ids::{GateId, RunId, TaskId},
    lifecycle::{Disposition, RunStatus, TaskStatus},
    run::RunState,
};
use crate::git::Oid;
use crate::registry::{Draft, Run};
use record::begin;
use std::path::PathBuf;
use std::time::Duration;

/// What is asked.
#[derive(Clone)]
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// The command; `None`: the contract's test command.
    pub command: Option<Vec<String>>,
    /// What it is bound to.
    pub binding: Binding,
    /// The command is meant to fail.
    pub expects_failure: bool,
    /// Run in a fresh worktree of exactly this code.
    pub clean: bool,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// What it is called; `None`: after the command.
    pub label: Option<String>,
    /// The tree whose definition of the test command is kept; `None`: the one it runs on.
    pub defined_at: Option<Oid>,
    /// Where the command writes a report of its tests; `None`: where the terms say, for the test command.
    pub junit: Option<PathBuf>,
}

/// What a check is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Whatever fits where the run stands.
    Fitting,
    /// These, and nothing else.
    Exactly(Vec<TaskId>, Vec<GateId>),
}

/// A recorded check.
pub struct Checked {
    /// The run.
    pub run_id: RunId,
    /// The record.
    pub evidence: Evidence,
    /// What was run and how it went.
    pub observation: Observation,
    /// How it stands.
    pub outcome: CheckOutcome,
    /// The run became active by it.
    pub activated: bool,
}

impl Checked {
    /// The exit status that the verb ends with (cli.md).
    pub fn exit_code(&self) -> i32 {
        let code = self.observation.ran.ended.exit_code();
        match self.observation.facts.expects_failure {
            true => i32::from(code == 0 || matches!(self.observation.doubt, Some(Doubt::NoReproduction(_)))),
            false => code,
        }
    }
}

/// Runs and records. `live` is given the output as it comes.
pub fn check(rapid: &Rapid, request: &Request, live: &mut dyn FnMut(&[u8])) -> Result<Checked> {
    let (records, run) = rapid.run(request.run.as_ref())?;
    let state = run.state()?;
    if state.status.is_terminal() {
        return Err(Code::Rapid1014
            .because(format!("run '{}' is {}: nothing more is recorded in it", run.id(), state.status))
            .hint("begin another with 'git rapid start'"));
    }
    let binding = bind(&run, state, request)?;
    let config = rapid.config_of(&records, run.id())?;
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let work = Work::of(rapid, session.as_ref(), config)?;
    let mut observation = observe(&work, run.id(), run.contract.test_command.as_deref(), request, live)?;
    compare(&rapid.registry(), &run, &mut observation)?;
    let (_, checked) = rapid.registry().append(|records| {
        let run = records.run(run.id())?;
        let state = run.state()?;
        let mut draft =
            Draft::new("check", run.id(), format!("check {}: {}", run.id(), observation.outcome().as_str()));
        let evidence = record(&mut draft, &run, state, &observation, &binding)?;
        let moved = begin(&mut draft, &run, state, &evidence)?;
        Ok((draft, (evidence, moved)))
    })?;
    let outcome = observation.outcome();
    Ok(Checked { run_id: run.id().clone(), evidence: checked.0, observation, outcome, activated: checked.1 })
}

/// What the check is bound to, given where the run stands.
fn bind(run: &Run, state: &RunState, request: &Request) -> Result<(Vec<TaskId>, Vec<GateId>, bool)> {
    // Where the terms name no test command, whatever is run is what there is; what it counts decides.
    let known = run.contract.test_command.as_ref();
    let test_command = request.command.is_none() || known.is_none() || request.command.as_ref() == known;
    match &request.binding {
        Binding::Exactly(tasks, gates) => {
            if request.expects_failure && tasks.is_empty() {
                return Err(no_task());
            }
            if request.expects_failure && !gates.is_empty() {
                return Err(Code::Rapid1320
                    .because("an expected failure says nothing about a gate")
                    .hint("leave --gate out"));
            }
            for id in tasks {
                let task = state.task(id)?;
                if task.status == TaskStatus::Skipped {
                    return Err(Code::Rapid1010.because(format!("task {id} was skipped: no check speaks of it")));
                }
            }
            for id in gates {
                let gate = state.gate(id)?;
                if gate.kind.is_human() {
                    return Err(Code::Rapid1431
                        .because(format!("{id} is decided by a person, not by a check"))
                        .hint(format!("ask a person to run 'git rapid approve {id}'")));
                }
            }
            Ok((tasks.clone(), gates.clone(), true))
        }
        Binding::Fitting if request.expects_failure => Err(no_task()),
        Binding::Fitting => {
            let in_progress = |task: &&crate::domain::run::TaskState| task.status == TaskStatus::InProgress;
            let tasks: Vec<TaskId> = state.tasks.iter().filter(in_progress).map(|task| task.id.clone()).collect();
            let kind = match state.status {
                RunStatus::Prepared => GateKind::BaselineCheck,
                _ => GateKind::ImplementationTests,
            };
            let fits = |gate: &&crate::domain::run::GateState| {
                gate.kind == kind && gate.disposition == Disposition::Pending && test_command
            };
            let gates = state.gates.iter().filter(fits).map(|gate| gate.id.clone()).collect();
            Ok((tasks, gates, false))
        }
    }
}

fn no_task() -> crate::diagnostics::Diagnostic {
    Code::Rapid1320
        .because("an expected failure needs the task whose fault it shows")
        .hint("name it: git rapid check --expect fail --task T001 -- sh tests.sh")
}
