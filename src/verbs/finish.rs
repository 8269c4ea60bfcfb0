//! `finish`: records what the run changed, acknowledges the machine gates that the evidence backs, judges, and closes the run
//! when the verdict passes. When it would not, nothing is written and the run stays repairable.

use super::{
    next,
    rapid::Rapid,
    signing::{self, Signature},
    since::since,
    work::{Work, bystanders, changed_files},
};
use crate::approval;
use crate::conductor::Advice;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::Approvals,
    evidence::{Evidence, Finish, Payload, Review, ReviewOutcome, Via},
    gate::{GateKind, ReviewType},
    ids::{AssertionId, RunId},
    lifecycle::RunStatus,
    report::{Report, Status},
    text::Producer,
};
use crate::evaluator::{self, Input, what_if};
use crate::git::{Keep, Snapshot, Withheld};
use crate::registry::{Draft, Records, Run};
use std::collections::BTreeMap;

/// What is asked.
pub struct Request {
    /// The run; `None`: the session's.
    pub run: Option<RunId>,
    /// A person accepts another test command, or fewer tests, than the baseline's.
    pub accept_test_command: bool,
}

/// What came of it.
pub struct Outcome {
    /// The run.
    pub run_id: RunId,
    /// The judgement: of the closed run, or of the furthest it can get.
    pub report: Report,
    /// The number of the stored report; `None` when the run was not closed.
    pub stored: Option<u32>,
    /// What stands in the way, most basic first; empty when the run was closed.
    pub refusals: Vec<Diagnostic>,
    /// What to do now.
    pub advice: Advice,
    /// What is in the working copy and not in the tree that was judged, and why.
    pub withheld: BTreeMap<String, Withheld>,
}

/// Closes a run, or says what stands in the way. `prompt` is shown when a person is asked; it is given what there is to accept,
/// where that is known.
pub fn finish(rapid: &Rapid, request: &Request, prompt: &dyn Fn(&Run, Option<&str>) -> String) -> Result<Outcome> {
    let (records, run) = rapid.run(request.run.as_ref())?;
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let state = run.state()?;
    if state.status == RunStatus::Finished {
        let report = run
            .reports
            .last()
            .cloned()
            .ok_or_else(|| Code::Rapid1228.because(format!("run '{}' is finished and has no report", run.id())))?;
        let advice = next::advise(rapid, &records, &run, session.as_ref())?;
        let stored = u32::try_from(run.reports.len()).ok();
        return Ok(Outcome {
            run_id: run.id().clone(),
            report,
            stored,
            refusals: Vec::new(),
            advice,
            withheld: BTreeMap::new(),
        });
    }
    if state.status != RunStatus::Active {
        return Err(Code::Rapid1014
            .because(format!("run '{}' is {}: only an active run can be finished", run.id(), state.status))
            .hint("see 'git rapid next'"));
    }
    let work = Work::of(rapid, session.as_ref(), rapid.config_of(&records, run.id())?)?;
    let snapshot = work.snapshot(Keep::Objects)?;
    let authors = match &run.contract.approvers {
        None => Vec::new(),
        Some(_) => work.repository().authors_since(since(&records, work.repository(), &run)?.commit)?,
    };
    let accepted = match request.accept_test_command {
        false => None,
        true => {
            approval::require_person(rapid.environment())?;
            let without = attempt(&work, &run, &snapshot, &authors, None)?;
            approval::confirm(&prompt(&run, without.loss()), &acceptance_sentence(&run))?;
            Some(Acceptance::of(rapid, &records, &run, &snapshot)?)
        }
    };
    let tried = attempt(&work, &run, &snapshot, &authors, accepted.as_ref())?;
    if tried.passes() {
        let (_, stored) = rapid.registry().append(|records| {
            let run = records.run(run.id())?;
            let status = run.state()?.status;
            if status != RunStatus::Active {
                return Err(Code::Rapid1014
                    .because(format!("run '{}' became {status} meanwhile", run.id()))
                    .hint("see 'git rapid next'"));
            }
            let is_next = |accepted: &Acceptance| accepted.review.id == run.next_evidence_id();
            let tried = attempt(&work, &run, &snapshot, &authors, accepted.as_ref())?;
            match tried.passes() && accepted.as_ref().is_none_or(is_next) {
                true => tried.draft(&run, &snapshot, accepted.as_ref()),
                false => Err(Code::Rapid1311
                    .because("the run moved on while it was being finished: nothing was written")
                    .hint("run 'git rapid finish' again")),
            }
        })?;
        let (records, run) = rapid.run(Some(run.id()))?;
        let advice = next::advise(rapid, &records, &run, session.as_ref())?;
        return Ok(Outcome {
            run_id: run.id().clone(),
            report: tried.report,
            stored: Some(stored),
            refusals: Vec::new(),
            advice,
            withheld: snapshot.withheld,
        });
    }
    let advice = next::advise(rapid, &records, &run, session.as_ref())?;
    Ok(Outcome {
        run_id: run.id().clone(),
        report: tried.report,
        stored: None,
        refusals: tried.refusals,
        advice,
        withheld: snapshot.withheld,
    })
}

/// What must be typed to accept another test command.
pub fn acceptance_sentence(run: &Run) -> String {
    format!("accept tests of {}", run.id())
}

/// What a finish on this code would write, and what it would give.
struct Attempt {
    evidence: Vec<Evidence>,
    states: Vec<crate::domain::run::RunState>,
    closed: bool,
    report: Report,
    refusals: Vec<Diagnostic>,
}

fn attempt(
    work: &Work<'_>,
    run: &Run,
    snapshot: &Snapshot,
    authors: &[String],
    accepted: Option<&Acceptance>,
) -> Result<Attempt> {
    let state = run.state()?;
    let tree = snapshot.tree.to_git_id();
    let standing = bystanders(work.repository(), run, snapshot);
    let changed = changed_files(work.repository(), run, snapshot.tree, &standing)?;
    let mut all = run.evidence.clone();
    let mut added = Vec::new();
    let mut signed = run.signed().clone();
    if let Some(accepted) = accepted {
        signed = signing::with(run, &accepted.review, accepted.signature.as_ref());
        all.push(accepted.review.clone());
        added.push(accepted.review.clone());
    }
    let finish = Finish { tree: Some(tree.clone()), untracked: standing, authors: authors.to_vec() };
    let item = what_if::finish_record(&run.contract, state, &all, changed, finish);
    all.push(item.clone());
    added.push(item);
    let input = Input::new(&run.contract, state, &all).signed(&signed);
    let refusals = evaluator::finish_refusals(&input, Some(&tree));
    let dry = what_if::dry_finish(&input)?;
    let closed = dry.is_finished(state);
    let mut report = dry.report;
    if closed && report.verdict().is_pass() && refusals.is_empty() {
        return Ok(Attempt { evidence: added, states: dry.states, closed, report, refusals });
    }
    // Not closed: the judgement that is shown is that of the furthest state, as `eval run` would give it.
    if !closed {
        report = dry_report(&input, &dry.states)?;
    }
    Ok(Attempt { evidence: added, states: dry.states, closed, report, refusals })
}

fn dry_report(input: &Input<'_>, states: &[crate::domain::run::RunState]) -> Result<Report> {
    evaluator::evaluate(&input.at(states.last().unwrap_or(input.state)))
}

impl Attempt {
    /// What of the tests is not as it was at the baseline, in words.
    fn loss(&self) -> Option<&str> {
        let other = self.refusals.iter().find(|refusal| refusal.code == Code::Rapid1435);
        let kept = self.report.assertions.iter().find(|assertion| assertion.id == AssertionId::tests_kept());
        let kept = kept.filter(|kept| kept.status == Status::Unverified).map(|kept| kept.reason.as_str());
        other
            .map(|refusal| refusal.message.as_str())
            .or(kept.and_then(|reason| reason.split("; a person has to").next()))
    }

    fn passes(&self) -> bool {
        self.closed && self.refusals.is_empty() && self.report.verdict().is_pass()
    }

    fn draft(self, run: &Run, snapshot: &Snapshot, accepted: Option<&Acceptance>) -> Result<(Draft, u32)> {
        let mut draft = Draft::new("finish", run.id(), format!("finish {}: {}", run.id(), self.report.verdict()));
        let last = self.evidence.len().saturating_sub(1);
        for (index, item) in self.evidence.into_iter().enumerate() {
            draft.evidence(&run.contract, item, &[], (index == last).then_some(snapshot.tree))?;
        }
        if let Some((accepted, signature)) = accepted.and_then(|a| a.signature.as_ref().map(|signature| (a, signature)))
        {
            draft.signature(run.id(), &accepted.review.id, signature.bytes.clone())?;
        }
        for state in &self.states {
            draft.state(state)?;
        }
        let ordinal = u32::try_from(run.reports.len()).unwrap_or(u32::MAX).saturating_add(1);
        draft.report(ordinal, &self.report)?;
        Ok((draft, ordinal))
    }
}

/// A person's consent to the tests as they are now, signed where the run's terms ask for it.
struct Acceptance {
    review: Evidence,
    signature: Option<Signature>,
}

impl Acceptance {
    fn of(rapid: &Rapid, records: &Records<'_>, run: &Run, snapshot: &Snapshot) -> Result<Acceptance> {
        let mut review = acceptance(run, snapshot, &rapid.repository().identity().name)?;
        if run.contract.approvals == Approvals::Terminal {
            return Ok(Acceptance { review, signature: None });
        }
        signing::mark(&mut review);
        let signature = signing::sign(rapid, records, run, run.evidence.last(), &review)?;
        Ok(Acceptance { review, signature: Some(signature) })
    }
}

/// The review by which a person accepts the tests as they are now.
fn acceptance(run: &Run, snapshot: &Snapshot, person: &str) -> Result<Evidence> {
    let state = run.state()?;
    let gate = state.gates.iter().find(|gate| gate.kind == GateKind::ImplementationTests);
    let reviewer: String =
        person.chars().map(|c| if matches!(c, '/' | '\\') || c.is_control() { ' ' } else { c }).collect();
    Ok(Evidence {
        id: run.next_evidence_id(),
        run_id: run.id().clone(),
        contract_digest: run.contract.digest(),
        state_revision: state.revision,
        state_digest: state.digest(),
        producer: Producer::User,
        summary: format!("the tests as they are now accepted by {}", reviewer.trim()),
        task_ids: Vec::new(),
        gate_ids: gate.map(|gate| gate.id.clone()).into_iter().collect(),
        capability_ids: Vec::new(),
        payload: Payload::Review(Review {
            review_type: ReviewType::Manual,
            outcome: ReviewOutcome::Approved,
            reviewer: if reviewer.trim().is_empty() { "somebody".to_owned() } else { reviewer.trim().to_owned() },
            via: Some(Via::Finish),
            tree: Some(snapshot.tree.to_git_id()),
            signed_at: None,
            authors: Vec::new(),
            comment: None,
        }),
        artifacts: Vec::new(),
    })
}
