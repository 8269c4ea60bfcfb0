//! `task`: moves a task. `done` runs the check first, and moves the task only when it is green.

use super::{
    check::{self, Binding, Checked},
    rapid::Rapid,
    work::Work,
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::typed::typed;
use crate::domain::{
    gate::GateKind,
    ids::{RunId, TaskId},
    lifecycle::{Disposition, RunStatus, TaskStatus},
    run::{Change, RunState},
};
use crate::evaluator::{self, Input};
use crate::registry::{Draft, Run};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Work on it begins.
    Start,
    /// It is done.
    Done,
    /// It is left out.
    Skip,
    /// It cannot go on.
    Block,
}

impl Move {
    fn to(self) -> TaskStatus {
        match self {
            Move::Start => TaskStatus::InProgress,
            Move::Done => TaskStatus::Done,
            Move::Skip => TaskStatus::Skipped,
            Move::Block => TaskStatus::Blocked,
        }
    }
}

/// What is asked.
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// The task.
    pub task: TaskId,
    /// Where it goes.
    pub to: Move,
    /// Why.
    pub reason: String,
    /// `done` without a check.
    pub no_check: bool,
}

/// What came of it.
pub struct Outcome {
    /// The run.
    pub run_id: RunId,
    /// The task.
    pub task: TaskId,
    /// Where it stands now.
    pub status: TaskStatus,
    /// The check that was run, when one was.
    pub checked: Option<Checked>,
}

/// Moves a task.
pub fn task(rapid: &Rapid, request: &Request, live: &mut dyn FnMut(&[u8])) -> Result<Outcome> {
    let (records, run) = rapid.run(request.run.as_ref())?;
    let change = Change::Task(request.task.clone(), request.to.to());
    let reason = rapid.said(&records, run.id(), &request.reason)?;
    // Refuse before a test suite is run for nothing.
    run.state()?.step(&change, &reason).map_err(|error| explained(error, request, run.state().ok()))?;
    if matches!(request.to, Move::Skip | Move::Block) && request.reason.trim().is_empty() {
        return Err(Code::Rapid1010
            .because(format!("say why task {} goes this way", request.task))
            .hint("give --reason '…'"));
    }
    if request.to == Move::Done {
        let state = run.state()?;
        let input = Input::new(&run.contract, state, &run.evidence);
        if evaluator::lacks_reproduction(&input, &request.task) {
            return Err(without_failure(&run, &request.task));
        }
    }
    if request.to != Move::Done || request.no_check {
        let (_, ()) = rapid.registry().append(|records| {
            let run = records.run(run.id())?;
            let state = run.state()?.step(&change, &reason)?;
            let mut draft = Draft::new(
                "task",
                run.id(),
                format!("task {} {}: {}", run.id(), request.task, state_of(&state, &request.task)),
            );
            draft.state(&state)?;
            Ok((draft, ()))
        })?;
        return Ok(Outcome {
            run_id: run.id().clone(),
            task: request.task.clone(),
            status: request.to.to(),
            checked: None,
        });
    }
    let config = rapid.config_of(&records, run.id())?;
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let work = Work::of(rapid, session.as_ref(), config)?;
    let asked = check::Request {
        run: Some(run.id().clone()),
        command: None,
        binding: Binding::Fitting,
        expects_failure: false,
        clean: false,
        timeout: None,
        label: None,
        junit: None,
        defined_at: None,
    };
    let observed = check::observe(&work, run.id(), run.contract.test_command.as_deref(), &asked, live);
    let mut observation = observed.map_err(|error| without_check(error, &request.task))?;
    check::compare(&rapid.registry(), &run, &mut observation)?;
    let outcome = observation.outcome();
    let (_, (evidence, status)) = rapid.registry().append(|records| {
        let run = records.run(run.id())?;
        let state = run.state()?;
        let next = state.step(&change, &reason)?;
        let pending_tests = |gate: &&crate::domain::run::GateState| {
            gate.kind == GateKind::ImplementationTests && gate.disposition == Disposition::Pending
        };
        let gates = state.gates.iter().filter(pending_tests).map(|gate| gate.id.clone()).collect();
        let word = if outcome == check::CheckOutcome::Pass { "done" } else { "not done" };
        let mut draft = Draft::new("task", run.id(), format!("task {} {}: {word}", run.id(), request.task));
        let binding = (vec![request.task.clone()], gates, false);
        let evidence = check::record(&mut draft, &run, state, &observation, &binding)?;
        let status = match outcome {
            check::CheckOutcome::Pass => {
                draft.state(&next)?;
                TaskStatus::Done
            }
            _ => state.task(&request.task)?.status,
        };
        Ok((draft, (evidence, status)))
    })?;
    let checked = Checked { run_id: run.id().clone(), evidence, observation, outcome, activated: false };
    Ok(Outcome { run_id: run.id().clone(), task: request.task.clone(), status, checked: Some(checked) })
}

/// A bugfix whose failure nobody saw: once its tests are green, only taking the repair back shows it (RAPID1010).
fn without_failure(run: &Run, task: &TaskId) -> Diagnostic {
    let check = match &run.contract.test_command {
        Some(command) => format!("git rapid check --expect fail --task {task} -- {}", typed(command)),
        None => format!("git rapid check --expect fail --task {task} -- <your test command>"),
    };
    Code::Rapid1010
        .because(format!("task {task} is not done: its failure was never shown, and a bugfix rests on it"))
        .hint(format!("while the repair is not in yet, show it: {check}"))
        .hint(format!("the repair is in: git stash push -- <the repaired files>, then {check}, then git stash pop"))
}

fn state_of(state: &RunState, id: &TaskId) -> &'static str {
    state.task(id).map_or("moved", |task| task.status.as_str())
}

/// What to do where there is nothing to run: this verb takes no command of its own.
fn without_check(error: Diagnostic, task: &TaskId) -> Diagnostic {
    if error.code != Code::Rapid1302 {
        return error;
    }
    let bare = Diagnostic { hints: Vec::new(), ..error };
    bare.hint(format!("close it without a check: git rapid task done {task} --no-check"))
        .hint(format!("or check it first with a command, such as: git rapid check --task {task} -- sh tests.sh"))
        .hint("or set test_command in .rapid/config.toml before the next run")
}

/// A refused move with what to do instead, by where the task stands.
fn explained(error: Diagnostic, request: &Request, state: Option<&RunState>) -> Diagnostic {
    let stands = state.and_then(|state| state.task(&request.task).ok()).map(|task| task.status);
    match (error.code, stands) {
        (Code::Rapid1014, _) => error.hint("see what stands before it: git rapid next"),
        // Whatever the task needs first, in a run that is not active it would be refused as well.
        (Code::Rapid1010, Some(_)) if state.is_some_and(|state| state.status != RunStatus::Active) => {
            error.hint("see what stands before it: git rapid next")
        }
        (Code::Rapid1010, Some(status)) if status == request.to.to() || status.is_terminal() => {
            error.hint(format!("it is {status} already; see what is to do: git rapid next"))
        }
        (Code::Rapid1010, Some(TaskStatus::Pending)) if request.to == Move::Done => {
            error.hint(format!("begin it first: git rapid task start {}", request.task))
        }
        (Code::Rapid1010, Some(TaskStatus::Pending)) if request.to == Move::Block => error
            .hint(format!("begin it first: git rapid task start {}", request.task))
            .hint(format!("or leave it out: git rapid task skip {} --reason '…'", request.task)),
        _ => error,
    }
}
