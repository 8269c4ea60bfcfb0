//! `check`: run a command on the code as it is, and record what it showed, bound to exactly that code.

mod named;
mod report_place;

pub use named::compare;

use super::{rapid::Rapid, work::Work};
use crate::check::{self, Ran, summary::Outcome as SummaryOutcome};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    capability::Capability,
    contract::Ruleset,
    digest::Digest,
    evidence::{CheckFacts, Evidence, NamedTests, Payload, TestCounts},
    gate::{GateKind, Phase},
    ids::{GateId, RunId, TaskId},
    lifecycle::{Disposition, RunStatus, TaskStatus},
    run::{Change, RunState},
    text::{Producer, Verb, portable_text},
};
use crate::evaluator::{self, Input};
use crate::git::{Keep, Oid, Repository, Snapshot};
use crate::os::process::Ended;
use crate::registry::{Draft, NewArtifact, Run};
use std::path::PathBuf;
use std::time::Duration;

/// What is asked.
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

/// How a check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The tests were counted and are green, or the command succeeded as the test command.
    Pass,
    /// It failed.
    Fail,
    /// It proves nothing.
    Unverified,
}

impl CheckOutcome {
    /// As `check --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            CheckOutcome::Pass => "pass",
            CheckOutcome::Fail => "fail",
            CheckOutcome::Unverified => "unverified",
        }
    }
}

/// What was run, on which code, and what it showed; not recorded yet.
pub struct Observation {
    /// The command.
    pub command: Vec<String>,
    /// It was exactly the configured test command.
    pub test_command: bool,
    /// How it went.
    pub ran: Ran,
    /// What a record says of it.
    pub facts: CheckFacts,
    /// The code it ran on, when it is kept and did not change.
    pub tree: Option<Oid>,
    /// The files that changed while it ran.
    pub changed: Vec<String>,
    label: String,
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
            true => i32::from(code == 0),
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
            Draft::new("check", run.id(), format!("check {}: {}", run.id(), outcome_of(&observation).as_str()));
        let evidence = record(&mut draft, &run, state, &observation, &binding)?;
        let moved = begin(&mut draft, &run, state, &evidence)?;
        Ok((draft, (evidence, moved)))
    })?;
    let outcome = outcome_of(&observation);
    Ok(Checked { run_id: run.id().clone(), evidence: checked.0, observation, outcome, activated: checked.1 })
}

/// What the check is bound to, given where the run stands.
fn bind(run: &Run, state: &RunState, request: &Request) -> Result<(Vec<TaskId>, Vec<GateId>, bool)> {
    let test_command = request.command.is_none() || request.command.as_ref() == run.contract.test_command.as_ref();
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
        .hint("name it: git rapid check --expect fail --task T001 -- <command>")
}

/// Runs a command on the code as it is, with a snapshot before and after.
pub fn observe(
    work: &Work<'_>,
    run: &RunId,
    test_command: Option<&[String]>,
    request: &Request,
    live: &mut dyn FnMut(&[u8]),
) -> Result<Observation> {
    let command = match (&request.command, test_command) {
        (Some(command), _) => command.clone(),
        (None, Some(command)) => command.to_vec(),
        (None, None) => {
            return Err(Code::Rapid1302
                .because("the run's terms name no test command")
                .hint("give one: git rapid check -- <command>")
                .hint("or set test_command in .rapid/config.toml before the next run"));
        }
    };
    let label = match &request.label {
        Some(label) => portable_text(label, Code::Rapid1202, "the label")?,
        None => label_of(&command),
    };
    let before = work.snapshot(Keep::Objects)?;
    let environment = work.environment()?.with("RAPID_RUN", run.as_str());
    let fresh = request.clean.then(|| Fresh::of(work.repository(), &before)).transpose()?;
    let environment = match &fresh {
        Some(fresh) => environment.in_directory(&fresh.path),
        None => environment,
    };
    let is_test_command = test_command == Some(&command);
    let top = match &fresh {
        Some(fresh) => fresh.path.as_path(),
        None => work.repository().require_workdir()?,
    };
    let terms = work.config().junit.as_ref().filter(|_| is_test_command);
    let wanted = report_place::Wanted { asked: request.junit.as_deref(), terms };
    let junit = wanted.place(environment.cwd(), top)?;
    let running = check::Running {
        command: &command,
        environment: &environment,
        timeout: request.timeout,
        config: work.config(),
        junit: junit.as_deref(),
    };
    let ran = check::run(&running, live)?;
    if let Ended::Interrupted(signal) = ran.ended {
        return Err(
            Code::Rapid004.because(format!("the check was interrupted by signal {signal}: nothing was recorded"))
        );
    }
    let after = work.snapshot(Keep::Objects)?;
    let tree_changed = before.tree != after.tree;
    let changed = match tree_changed {
        true => {
            work.repository().tree_changes(before.tree, after.tree)?.into_iter().map(|change| change.path).collect()
        }
        false => Vec::new(),
    };
    let facts = CheckFacts {
        command: Some(command.clone()),
        expects_failure: request.expects_failure,
        test_command: is_test_command,
        tree: (!tree_changed).then(|| before.tree.to_git_id()),
        tree_changed,
        clean: request.clean,
        notes: before.notes.clone(),
        runner: ran.summary.runner.map(|runner| runner.as_str().to_owned()),
        uncounted: ran.summary.uncounted.map(|why| why.as_str().to_owned()),
        log_truncated: ran.truncated,
        redactions: ran.redactions,
        tests: ran
            .tests
            .as_ref()
            .map(|list| NamedTests { sha256: Digest::of(&list.to_value().record_bytes()), against: None }),
    };
    let tree = (!tree_changed).then_some(before.tree);
    Ok(Observation { command, test_command: is_test_command, ran, facts, tree, changed, label })
}

/// A throw-away worktree of exactly one tree.
struct Fresh<'a> {
    repository: &'a Repository,
    path: PathBuf,
    _directory: tempfile::TempDir,
}

impl<'a> Fresh<'a> {
    fn of(repository: &'a Repository, snapshot: &Snapshot) -> Result<Fresh<'a>> {
        let failed =
            |error: std::io::Error| Code::Rapid1309.because(format!("no temporary directory can be made: {error}"));
        let directory = tempfile::Builder::new().prefix("rapid-clean-").tempdir().map_err(failed)?;
        let path = directory.path().join("tree");
        let commit = repository.write_commit_of(snapshot.tree, "a snapshot for a clean check")?;
        repository.add_detached_worktree(&path, &commit.to_string())?;
        Ok(Fresh { repository, path, _directory: directory })
    }
}

impl Drop for Fresh<'_> {
    fn drop(&mut self) {
        // What the check left there is of no use to anybody; the registration must not stay behind.
        let _ = self.repository.discard_worktree(&self.path);
    }
}

fn label_of(command: &[String]) -> String {
    let program = command.first().map(String::as_str).unwrap_or_default();
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let words: Vec<String> = std::iter::once(name.to_owned()).chain(command.iter().skip(1).take(4).cloned()).collect();
    let line: String =
        words.join(" ").chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).take(120).collect();
    portable_text(line.trim(), Code::Rapid1202, "the label").unwrap_or_else(|_| "check".to_owned())
}

/// How an observation stands, as `check --json` says it.
pub fn outcome_of(observation: &Observation) -> CheckOutcome {
    let ran = &observation.ran;
    let uncounted = observation.facts.uncounted.as_deref();
    match ran.summary.outcome {
        _ if ran.ended.exit_code() != 0 => CheckOutcome::Fail,
        SummaryOutcome::Fail => CheckOutcome::Fail,
        _ if observation.facts.tree_changed => CheckOutcome::Unverified,
        SummaryOutcome::Pass => CheckOutcome::Pass,
        SummaryOutcome::Unverified if observation.test_command && matches!(uncounted, Some("none" | "no-counts")) => {
            CheckOutcome::Pass
        }
        SummaryOutcome::Unverified => CheckOutcome::Unverified,
    }
}

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
    let bound = !observed_only;
    let evidence = Evidence {
        id: run.next_evidence_id(),
        run_id: run.id().clone(),
        contract_digest: run.contract.digest(),
        state_revision: state.revision,
        state_digest: state.digest(),
        producer: Producer::Rapid(Verb::Check),
        summary: words,
        task_ids: if bound { tasks.clone() } else { Vec::new() },
        gate_ids: if bound { gates.clone() } else { Vec::new() },
        capability_ids: if ran.summary.counted {
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
fn begin(draft: &mut Draft, run: &Run, state: &RunState, evidence: &Evidence) -> Result<bool> {
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
