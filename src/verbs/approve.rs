//! `approve`: a person's decision about a gate, on exactly the code they were shown.
//!
//! Two steps, so that what is approved is shown before it is asked: [`prepare`] looks, [`decide`] records. Between them stands
//! the person (`approval`); nothing here can be called without one.

mod subject;

pub use subject::{Subject, Weighty, prepare};

use super::{
    rapid::Rapid,
    signing::{self, Signature},
    work::Work,
};
use crate::approval;
use crate::check::redact::Redactor;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::Approvals,
    evidence::{Evidence, Payload, Review, ReviewOutcome, Via},
    gate::{Phase, ReviewType},
    ids::{GateId, RunId},
    lifecycle::{Disposition, RunStatus},
    run::{Change, GateState, RunState},
    signer::Signer,
    text::Producer,
};
use crate::evaluator::{self, Input};
use crate::git::Keep;
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

    /// What it is called afterwards.
    pub fn word(&self) -> &'static str {
        match self {
            Decision::Approve => "approved",
            Decision::Waive(_) => "waived",
            Decision::Reject(_) => "rejected",
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
#[derive(Clone)]
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// The gate.
    pub gate: GateId,
    /// The decision.
    pub decision: Decision,
    /// Who decides; `None`: git's identity.
    pub reviewer: Option<String>,
    /// Whether it is signed; `None`: where the run's terms ask for it.
    pub sign: Option<bool>,
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
    /// Whether it is signed, and by whom as far as the run's list of signers says.
    pub signed: Option<Option<Signer>>,
}

/// Asks the person and records what they decide. `prompt` must be safe to show.
pub fn decide(rapid: &Rapid, request: &Request, subject: &Subject, prompt: &str) -> Result<Outcome> {
    if subject.signs {
        let (records, run) = rapid.run(Some(subject.run.id()))?;
        signing::refuse_unready(rapid, &records, &run)?;
    }
    approval::confirm(prompt, &request.decision.sentence(&subject.gate))?;
    let (records, run) = rapid.run(Some(subject.run.id()))?;
    let config = rapid.config_of(&records, run.id())?;
    let request = &Request { decision: request.decision.without_secrets(&rapid.redactor(&config)?), ..request.clone() };
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let work = Work::of(rapid, session.as_ref(), config)?;
    if work.snapshot(Keep::Objects)?.tree != subject.snapshot.tree {
        return Err(Code::Rapid1433
            .because("the code changed while it was being looked at: nothing was decided")
            .hint("look at it again: git rapid approve"));
    }
    let moved =
        |run: &Run| run.evidence.len() != subject.run.evidence.len() || run.states.len() != subject.run.states.len();
    let moved_on = || {
        Code::Rapid1311
            .because("the run moved on while it was being looked at: nothing was decided")
            .hint("look at it again: git rapid approve")
    };
    if moved(&run) {
        return Err(moved_on());
    }
    // A person may have to look for their key, so it is signed before anybody waits for the ledger.
    let review = review(&work, &run, request, subject)?;
    let signature = match &review {
        Some(review) if subject.signs => Some(signing::sign(rapid, &records, &run, run.evidence.last(), review)?),
        _ => None,
    };
    let states = states(&run, request, subject, review.as_ref(), signature.as_ref())?;
    let (_, disposition) = rapid.registry().append(|records| {
        let run = records.run(subject.run.id())?;
        if moved(&run) {
            return Err(moved_on());
        }
        let word = request.decision.word();
        let what = format!("approve {}: {} {word} by {}", run.id(), subject.gate, subject.reviewer);
        let mut draft = Draft::new("approve", run.id(), what);
        if let Some(review) = &review {
            draft.evidence(&run.contract, review.clone(), &[], Some(subject.snapshot.tree))?;
        }
        if let (Some(review), Some(signature)) = (&review, &signature) {
            draft.signature(run.id(), &review.id, signature.bytes.clone())?;
        }
        for state in &states {
            draft.state(state)?;
        }
        let newest = states.last().map_or_else(|| run.state(), Ok)?;
        Ok((draft, newest.gate(&subject.gate)?.disposition))
    })?;
    Ok(Outcome {
        run_id: run.id().clone(),
        gate: subject.gate.clone(),
        disposition,
        evidence: review,
        signed: signature.map(|signature| signature.signer),
    })
}

/// The states that follow from the decision.
fn states(
    run: &Run,
    request: &Request,
    subject: &Subject,
    review: Option<&Evidence>,
    signature: Option<&Signature>,
) -> Result<Vec<RunState>> {
    let state = run.state()?;
    let gate = state.gate(&subject.gate)?;
    let step = |disposition, reason: String| {
        state.step(&Change::Gate(gate.id.clone(), disposition), &reason).map(|next| vec![next])
    };
    let signed = review.map_or_else(|| run.signed().clone(), |review| signing::with(run, review, signature));
    let all: Vec<Evidence> = run.evidence.iter().chain(review).cloned().collect();
    let input = Input::new(&run.contract, state, &all).signed(&signed);
    let signer = review.and_then(|review| signed.get(&review.id));
    if let Some(signer) = signer.filter(|_| !matches!(request.decision, Decision::Reject(_)))
        && let Some(refusal) = evaluator::cannot_approve(&input, &gate.id, signer)
    {
        return Err(refusal);
    }
    let enough = || evaluator::approval_is_enough(&input, &gate.id, &subject.snapshot.tree.to_git_id());
    match &request.decision {
        Decision::Waive(reason) => {
            step(Disposition::Waived, format!("{} (waived by {})", reason.trim(), subject.reviewer))
        }
        Decision::Approve if gate.disposition == Disposition::Pending && enough() => {
            step(Disposition::Acknowledged, format!("approved by {}", subject.reviewer))
        }
        Decision::Approve | Decision::Reject(_) => Ok(Vec::new()),
    }
}

/// The review that says what was decided. A waiver has one only where it is signed: the state says the rest.
fn review(work: &Work<'_>, run: &Run, request: &Request, subject: &Subject) -> Result<Option<Evidence>> {
    let state = run.state()?;
    let gate = state.gate(&subject.gate)?;
    let (outcome, comment) = match &request.decision {
        Decision::Waive(_) if !subject.signs => return Ok(None),
        Decision::Waive(reason) => (ReviewOutcome::Waived, Some(reason.trim().to_owned())),
        Decision::Approve => (ReviewOutcome::Approved, None),
        Decision::Reject(reason) => (ReviewOutcome::ChangesRequested, Some(reason.trim().to_owned())),
    };
    let review_type = match (gate.kind.review(), &request.decision) {
        (Some(review_type), _) => review_type,
        (None, Decision::Waive(_)) => ReviewType::Manual,
        (None, _) => return Err(Code::Rapid003.because("a machine gate has no review")),
    };
    let authors = match &run.contract.approvers {
        None => Vec::new(),
        Some(_) => work.repository().authors_since(subject.since.commit)?,
    };
    let mut item = Evidence {
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
            signed_at: None,
            authors,
            comment,
        }),
        artifacts: Vec::new(),
    };
    if subject.signs {
        signing::mark(&mut item);
    }
    Ok(Some(item))
}

/// Refuses a decision without a signature where the terms ask for one (RAPID1440). A refusal of the work may go unsigned.
fn refuse_unsigned(run: &Run, request: &Request) -> Result<()> {
    let asked = run.contract.approvals == Approvals::Signed && !matches!(request.decision, Decision::Reject(_));
    match asked && request.sign == Some(false) {
        true => Err(Code::Rapid1440
            .because("the run's terms ask for signed approvals, and an unsigned one would count for nothing")
            .hint("leave --no-sign out")),
        false => Ok(()),
    }
}

/// Refuses what is no person's to decide, before a person is asked for.
pub fn refuse_machine(rapid: &Rapid, request: &Request) -> Result<()> {
    // What cannot be read is for whoever may decide to hear of.
    let Ok((_, run)) = rapid.run(request.run.as_ref()) else { return Ok(()) };
    let Some(gate) = run.state().ok().and_then(|state| state.gate(&request.gate).ok()) else { return Ok(()) };
    is_a_persons(gate, &request.decision)
}

fn is_a_persons(gate: &GateState, decision: &Decision) -> Result<()> {
    match gate.kind.is_human() || matches!(decision, Decision::Waive(_)) {
        true => Ok(()),
        false => Err(Code::Rapid1311
            .because(format!("{} is met by evidence, not by a person", gate.id))
            .hint(format!("run 'git rapid check --gate {}'", gate.id))),
    }
}

/// Refuses what nobody can decide now: machine gates, the wrong phase, what was decided for good.
fn refuse_unready(run: &Run, state: &RunState, gate: &GateState, decision: &Decision) -> Result<()> {
    is_a_persons(gate, decision)?;
    match decision {
        Decision::Waive(reason) => {
            let step = state.step(&Change::Gate(gate.id.clone(), Disposition::Waived), reason);
            step.map_err(|error| match state.tasks.iter().find(|task| !task.status.is_terminal()) {
                Some(open) if error.code == Code::Rapid1014 && gate.phase == Phase::PostExecution => {
                    error.hint(format!("close the tasks first: git rapid task done {} --no-check", open.id))
                }
                _ => error,
            })?;
        }
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
                // Whoever named the run means it in the next command too; one hint says it.
                .map_err(|error| Diagnostic {
                    hints: vec![format!("see 'git rapid next --run {}'", run.id())],
                    ..error
                })?,
        ),
        Decision::Reject(_) if state.status.is_terminal() => {
            return Err(Code::Rapid1014.because(format!("run '{}' is {}", run.id(), state.status)));
        }
        Decision::Reject(_) => {}
    }
    Ok(())
}
