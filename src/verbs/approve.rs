//! `approve`: a person's decision about a gate, on exactly the code they were shown.
//!
//! Two steps, so that what is approved is shown before it is asked: [`prepare`] looks, [`decide`] records. Between them stands
//! the person (`approval`); nothing here can be called without one.

use super::{
    next,
    rapid::Rapid,
    work::{Work, bystanders},
};
use crate::approval;
use crate::check::redact::Redactor;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::{Evidence, Finish, Payload, Review, ReviewOutcome, Via},
    gate::Phase,
    git_id::GitId,
    ids::{GateId, RunId},
    lifecycle::{Disposition, RunStatus},
    run::{Change, GateState, RunState},
    text::{Producer, portable_name},
};
use crate::evaluator::{self, Input, what_if};
use crate::git::{Keep, Snapshot, TreeChange};
use crate::registry::{Draft, Run};

/// What a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The gate is met.
    Approve,
    /// The gate is let go, for this reason.
    Waive(String),
    /// It is not met, for this reason.
    Reject(String),
}

impl Decision {
    /// The same decision, with its reason as it may be stored.
    fn without_secrets(&self, redactor: &Redactor) -> Decision {
        match self {
            Decision::Approve => Decision::Approve,
            Decision::Waive(reason) => Decision::Waive(redactor.text(reason)),
            Decision::Reject(reason) => Decision::Reject(redactor.text(reason)),
        }
    }

    /// What must be typed to make it.
    pub fn sentence(&self, gate: &GateId) -> String {
        match self {
            Decision::Approve => format!("approve {gate}"),
            Decision::Waive(_) => format!("waive {gate}"),
            Decision::Reject(_) => format!("reject {gate}"),
        }
    }
}

/// What is asked.
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// The gate.
    pub gate: GateId,
    /// The decision.
    pub decision: Decision,
    /// Who decides; `None`: git's identity.
    pub reviewer: Option<String>,
}

/// What a person is shown before they decide.
pub struct Subject {
    /// The run, as it was loaded.
    pub run: Run,
    /// The gate.
    pub gate: GateId,
    /// The spec's title.
    pub title: String,
    /// The code that is decided about.
    pub snapshot: Snapshot,
    /// What the run changed.
    pub changes: Vec<TreeChange>,
    /// Untracked files that stood there before the run began: part of the code, though not of the work.
    pub standing: Vec<TreeChange>,
    /// The newest check on exactly this code, in words.
    pub checks: Vec<String>,
    /// What is not shown yet, beside this gate.
    pub missing: Vec<String>,
    /// The gates that were let go, with the reason.
    pub waived: Vec<(GateId, String)>,
    /// Who decides.
    pub reviewer: String,
}

/// What was recorded.
pub struct Outcome {
    /// The run.
    pub run_id: RunId,
    /// The gate.
    pub gate: GateId,
    /// Where the gate stands.
    pub disposition: Disposition,
    /// The review, when one was written.
    pub evidence: Option<Evidence>,
}

/// Looks at what would be decided, and refuses what no person can decide now.
pub fn prepare(rapid: &Rapid, request: &Request) -> Result<Subject> {
    let (records, run) = rapid.run(request.run.as_ref())?;
    let state = run.state()?.clone();
    let gate = state.gate(&request.gate)?.clone();
    refuse_unready(&run, &state, &gate, &request.decision)?;
    let config = rapid.config_of(&records, run.id())?;
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let work = Work::of(rapid, session.as_ref(), config)?;
    let snapshot = work.snapshot(Keep::Objects)?;
    let tree = snapshot.tree.to_git_id();
    let input = Input::new(&run.contract, &state, &run.evidence);
    if request.decision == Decision::Approve && gate.phase == Phase::PostExecution {
        refuse_untested(&input, &gate.id, &tree)?;
    }
    let base = crate::git::Oid::try_from(&run.contract.base.tree)?;
    let standing = bystanders(&run, &snapshot);
    let changes = work.repository().tree_changes(base, snapshot.tree)?;
    let stands = |change: &TreeChange| standing.iter().any(|file| file.path.as_str() == change.path);
    let (standing, changes) = changes.into_iter().partition(stands);
    let advice = next::advise(rapid, &records, &run, session.as_ref())?;
    let own = format!("gate.{}.evidence", gate.id);
    // What finish will acknowledge by itself is not missing, it only has not been said yet.
    let record = what_if::finish_record(
        &run.contract,
        &state,
        &run.evidence,
        Vec::new(),
        Finish { tree: Some(tree.clone()), untracked: Vec::new() },
    );
    let looking_ahead: Vec<Evidence> = run.evidence.iter().cloned().chain([record]).collect();
    let ahead = Input::new(&run.contract, &state, &looking_ahead);
    let gates = what_if::machine_gates(&ahead, Phase::PostExecution).into_iter();
    let backed: Vec<String> =
        gates.filter(|(_, backed)| *backed).map(|(gate, _)| format!("gate.{gate}.evidence")).collect();
    let title = records.spec(&run.contract.spec_id)?.revision(run.contract.spec_revision)?.content.title.clone();
    let reviewer = match &request.reviewer {
        Some(name) => portable_name(&rapid.said(&records, run.id(), name)?, Code::Rapid1206, "the reviewer")?,
        None => reviewer(&rapid.repository().identity().name),
    };
    Ok(Subject {
        title,
        checks: checks_on(&run, &tree),
        missing: advice
            .action
            .missing
            .iter()
            .map(ToString::to_string)
            .filter(|id| *id != own && id != "run.lifecycle" && !backed.contains(id))
            .collect(),
        waived: state
            .gates
            .iter()
            .filter(|gate| gate.disposition == Disposition::Waived)
            .map(|gate| (gate.id.clone(), gate.reason.clone()))
            .collect(),
        gate: gate.id,
        snapshot,
        changes,
        standing,
        reviewer,
        run,
    })
}

/// Asks the person and records what they decide. `prompt` must be safe to show.
pub fn decide(rapid: &Rapid, request: &Request, subject: &Subject, prompt: &str) -> Result<Outcome> {
    approval::confirm(prompt, &request.decision.sentence(&subject.gate))?;
    let (records, run) = rapid.run(Some(subject.run.id()))?;
    let config = rapid.config_of(&records, run.id())?;
    let decision = request.decision.without_secrets(&rapid.redactor(&config)?);
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let work = Work::of(rapid, session.as_ref(), config)?;
    if work.snapshot(Keep::Objects)?.tree != subject.snapshot.tree {
        return Err(Code::Rapid1433
            .because("the code changed while it was being looked at: nothing was decided")
            .hint("look at it again: git rapid approve"));
    }
    let (_, outcome) = rapid.registry().append(|records| {
        let run = records.run(subject.run.id())?;
        let state = run.state()?;
        let gate = state.gate(&subject.gate)?;
        refuse_unready(&run, state, gate, &decision)?;
        if run.evidence.len() != subject.run.evidence.len() || run.states.len() != subject.run.states.len() {
            return Err(Code::Rapid1311
                .because("the run moved on while it was being looked at: nothing was decided")
                .hint("look at it again: git rapid approve"));
        }
        draft_decision(&run, state, gate, &decision, subject)
    })?;
    Ok(outcome)
}

fn draft_decision(
    run: &Run,
    state: &RunState,
    gate: &GateState,
    decision: &Decision,
    subject: &Subject,
) -> Result<(Draft, Outcome)> {
    let word = match decision {
        Decision::Approve => "approved",
        Decision::Waive(_) => "waived",
        Decision::Reject(_) => "rejected",
    };
    let mut draft =
        Draft::new("approve", run.id(), format!("approve {}: {} {word} by {}", run.id(), gate.id, subject.reviewer));
    let mut outcome =
        Outcome { run_id: run.id().clone(), gate: gate.id.clone(), disposition: gate.disposition, evidence: None };
    match decision {
        Decision::Waive(reason) => {
            let reason = format!("{} (waived by {})", reason.trim(), subject.reviewer);
            let next = state.step(&Change::Gate(gate.id.clone(), Disposition::Waived), &reason)?;
            draft.state(&next)?;
            outcome.disposition = Disposition::Waived;
        }
        Decision::Approve => {
            let evidence = review(run, state, gate, subject, ReviewOutcome::Approved, None)?;
            outcome.evidence = Some(draft.evidence(&run.contract, evidence, &[], Some(subject.snapshot.tree))?);
            if gate.disposition == Disposition::Pending {
                let reason = format!("approved by {}", subject.reviewer);
                draft.state(&state.step(&Change::Gate(gate.id.clone(), Disposition::Acknowledged), &reason)?)?;
            }
            outcome.disposition = Disposition::Acknowledged;
        }
        Decision::Reject(reason) => {
            let evidence = review(run, state, gate, subject, ReviewOutcome::ChangesRequested, Some(reason.trim()))?;
            outcome.evidence = Some(draft.evidence(&run.contract, evidence, &[], Some(subject.snapshot.tree))?);
        }
    }
    Ok((draft, outcome))
}

fn review(
    run: &Run,
    state: &RunState,
    gate: &GateState,
    subject: &Subject,
    outcome: ReviewOutcome,
    comment: Option<&str>,
) -> Result<Evidence> {
    let review_type = gate.kind.review().ok_or_else(|| Code::Rapid003.because("a machine gate has no review"))?;
    Ok(Evidence {
        id: run.next_evidence_id(),
        run_id: run.id().clone(),
        contract_digest: run.contract.digest(),
        state_revision: state.revision,
        state_digest: state.digest(),
        producer: Producer::User,
        summary: format!("{} {outcome} by {}", gate.id, subject.reviewer),
        task_ids: Vec::new(),
        gate_ids: vec![gate.id.clone()],
        capability_ids: Vec::new(),
        payload: Payload::Review(Review {
            review_type,
            outcome,
            reviewer: subject.reviewer.clone(),
            via: Some(Via::Approve),
            tree: Some(subject.snapshot.tree.to_git_id()),
            comment: comment.map(str::to_owned),
        }),
        artifacts: Vec::new(),
    })
}

/// Refuses what nobody can decide now: machine gates, the wrong phase, what was decided for good.
fn refuse_unready(run: &Run, state: &RunState, gate: &GateState, decision: &Decision) -> Result<()> {
    if !gate.kind.is_human() && !matches!(decision, Decision::Waive(_)) {
        return Err(Code::Rapid1311
            .because(format!("{} is met by evidence, not by a person", gate.id))
            .hint(format!("run 'git rapid check --gate {}'", gate.id)));
    }
    match decision {
        Decision::Waive(reason) => drop(state.step(&Change::Gate(gate.id.clone(), Disposition::Waived), reason)?),
        Decision::Reject(reason) if reason.trim().is_empty() => {
            return Err(Code::Rapid1311.because("say why it is rejected").hint("give --reason '…'"));
        }
        Decision::Approve | Decision::Reject(_) if gate.disposition == Disposition::Waived => {
            return Err(Code::Rapid1013.because(format!("{} was waived, and stays so", gate.id)));
        }
        // An approval may be given again for newer code as long as the run is open.
        Decision::Approve | Decision::Reject(_) if gate.disposition == Disposition::Acknowledged => {
            if state.status != RunStatus::Active || gate.phase == Phase::PreExecution {
                return Err(Code::Rapid1013.because(format!("{} was approved already", gate.id)));
            }
        }
        Decision::Approve => drop(
            state
                .step(&Change::Gate(gate.id.clone(), Disposition::Acknowledged), "")
                .map_err(|error| error.hint(format!("see 'git rapid next --run {}'", run.id())))?,
        ),
        Decision::Reject(_) if state.status.is_terminal() => {
            return Err(Code::Rapid1014.because(format!("run '{}' is {}", run.id(), state.status)));
        }
        Decision::Reject(_) => {}
    }
    Ok(())
}

/// Refuses an approval of code that no qualified check speaks of: a person would approve something nobody has tested.
fn refuse_untested(input: &Input<'_>, gate: &GateId, tree: &GitId) -> Result<()> {
    match evaluator::approval_refusal(input, gate, Some(tree)) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

fn checks_on(run: &Run, tree: &GitId) -> Vec<String> {
    let on_tree = |item: &&Evidence| item.payload.check_facts().is_some_and(|facts| facts.tree.as_ref() == Some(tree));
    let words = |item: &Evidence| {
        let command = item.payload.check_facts().and_then(|facts| facts.command.as_ref());
        let command = command.map_or_else(String::new, |words| format!(" by '{}'", words.join(" ")));
        let told =
            if item.payload.check_facts().is_some_and(|facts| facts.test_command) { ", the test command" } else { "" };
        let red = if item.payload.fails() { " (red)" } else { "" };
        format!("{}{red}: {}{command}{told}", item.id, item.summary)
    };
    run.evidence.iter().filter(on_tree).map(words).collect()
}

/// A name of git's as a record may hold it.
fn reviewer(name: &str) -> String {
    let name: String = name.chars().map(|c| if matches!(c, '/' | '\\') || c.is_control() { ' ' } else { c }).collect();
    let name = name.trim();
    if name.is_empty() { "somebody".to_owned() } else { name.to_owned() }
}
