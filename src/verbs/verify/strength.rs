//! How strong the evidence of a run is, and who stands behind it: what `verify` says beside the verdict (design §4.6).
//!
//! Not here: the verdict. Nothing here moves it.

use crate::diagnostics::Result;
use crate::domain::{
    contract::Ruleset,
    evidence::{Evidence, Payload, ReviewOutcome, TestCounts, TreeNotes},
    ids::{EvidenceId, GateId, RunId},
    lifecycle::RunStatus,
    mode::Mode,
    report::Verdict,
    signer::Signer,
    text::{Producer, Verb},
};
use crate::git::{Identity, Oid, Repository};
use crate::ledger::{Ledger, View};
use crate::registry::{Place, Records, Run};
use crate::verbs::mission::is_a_missions;

/// A run that has something to say about a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveringRun {
    /// The run.
    pub run_id: RunId,
    /// Its verdict.
    pub verdict: Verdict,
    /// Whether a mission made it, and closed it without a person's word: then its verdict is about that.
    pub only_a_missions: bool,
    /// How people decided its gates: `terminal`, `signed`, or `none` when nobody decided any.
    pub approvals: &'static str,
    /// Who signed a decision of it.
    pub signers: Vec<Signature>,
    /// What kind of work it was.
    pub mode: Mode,
    /// By which rules it was judged.
    pub ruleset: Ruleset,
    /// What its newest counted check says.
    pub tests: Option<TestCounts>,
    /// What the tree of its newest check does not say.
    pub notes: TreeNotes,
    /// What somebody saw who ran its checks again.
    pub rerun: Option<Rerun>,
    /// How strong the evidence is.
    pub strength: Strength,
    /// How many pieces of its evidence waited in a spool: whoever could write there could have written them.
    pub spooled: usize,
}

/// A decision with a valid signature by an allowed key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The decision.
    pub evidence_id: EvidenceId,
    /// What was decided about.
    pub gate_ids: Vec<GateId>,
    /// Whose it is.
    pub signer: Signer,
}

/// The newest re-run of a run's checks on its final code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rerun {
    /// The record.
    pub evidence_id: EvidenceId,
    /// How it went, in words.
    pub summary: String,
    /// Whether the tests were green, and seen to be.
    pub green: bool,
    /// Whether they failed.
    pub red: bool,
    /// Who recorded it, as the entry says.
    pub by: String,
    /// Whether nobody of that name recorded anything else of the run.
    pub another_party: bool,
}

/// How strong evidence is: who else has it, and who stands behind it. Each is more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Only this clone is known to have it.
    RecordedHere,
    /// A remote showed it, so another clone has it too.
    SeenElsewhere,
    /// Another party ran the checks again, on this code, and saw them green.
    ReRun,
    /// Every decision that it rests on is signed by an allowed key, on a device that was touched for it.
    SignedByTouch,
}

impl Strength {
    /// As `verify --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Strength::RecordedHere => "recorded here",
            Strength::SeenElsewhere => "seen by another clone",
            Strength::ReRun => "re-run by another party",
            Strength::SignedByTouch => "signed by an allowed key on a device that asks for a touch",
        }
    }
}

/// What a run says about itself to whoever looks at a commit.
///
/// `code` is what is looked at: a re-run of other code does not count.
pub fn describe(records: &Records<'_>, run: &Run, verdict: Verdict, code: Option<Oid>) -> Result<CoveringRun> {
    // What the test command showed when git-rapid ran it on the final code; what somebody handed in, or another command, is not that.
    let tree = super::finish_of(run).and_then(|finish| finish.tree.clone());
    let counts = |item: &Evidence| match &item.payload {
        Payload::TestResult { counts, counted: true, facts, .. }
            if !facts.expects_failure
                && facts.test_command
                && item.producer == Producer::Rapid(Verb::Check)
                && (tree.is_none() || facts.tree == tree) =>
        {
            Some(*counts)
        }
        _ => None,
    };
    let mut newest = run.evidence.iter().rev().filter(|item| item.producer == Producer::Rapid(Verb::Check));
    let notes = newest.find_map(|item| {
        let facts = item.payload.check_facts().filter(|facts| tree.is_none() || facts.tree == tree)?;
        Some(facts.notes.clone())
    });
    let decisions: Vec<&Evidence> = run.evidence.iter().filter(|item| is_decision(item)).collect();
    let approvals = match decisions.is_empty() {
        true => "none",
        false if is_signed(run, |_| true) && (tree.is_none() || is_about_its_end(run)) => "signed",
        false => "terminal",
    };
    let signers = decisions.iter().filter_map(|item| {
        let signer = run.signed().get(&item.id)?.clone();
        Some(Signature { evidence_id: item.id.clone(), gate_ids: item.gate_ids.clone(), signer })
    });
    let rerun = rerun(records, run, code)?;
    Ok(CoveringRun {
        run_id: run.id().clone(),
        verdict,
        only_a_missions: is_a_missions(&run.contract) && run.state()?.status != RunStatus::Finished,
        approvals,
        signers: signers.collect(),
        mode: run.contract.mode,
        ruleset: run.contract.ruleset,
        tests: run.evidence.iter().rev().find_map(counts),
        notes: notes.unwrap_or_default(),
        strength: match is_signed(run, |signer| signer.touch) {
            true => Strength::SignedByTouch,
            false if rerun.as_ref().is_some_and(|rerun| rerun.green && rerun.another_party) => Strength::ReRun,
            false if seen_elsewhere(records.view().repository(), run)? => Strength::SeenElsewhere,
            false => Strength::RecordedHere,
        },
        rerun,
        spooled: records.spooled_evidence(run.id())?,
    })
}

/// Whether people decided something in a run, and each of those decisions is signed by somebody of whom `is` holds.
pub(super) fn is_signed(run: &Run, is: impl Fn(&Signer) -> bool) -> bool {
    let mut decisions = run.evidence.iter().filter(|item| is_decision(item)).peekable();
    decisions.peek().is_some() && decisions.all(|item| run.signed().get(&item.id).is_some_and(&is))
}

/// Whether a decision that is signed speaks of the code that the run ended with.
pub(super) fn is_about_its_end(run: &Run) -> bool {
    let Some(end) = super::finish_of(run).and_then(|finish| finish.tree) else { return false };
    let is_about =
        |item: &&Evidence| matches!(&item.payload, Payload::Review(review) if review.tree.as_ref() == Some(&end));
    run.evidence
        .iter()
        .filter(|item| is_decision(item))
        .filter(is_about)
        .any(|item| run.signed().contains_key(&item.id))
}

/// A person's word that the run may pass.
fn is_decision(item: &Evidence) -> bool {
    let lets_pass = |outcome| matches!(outcome, ReviewOutcome::Approved | ReviewOutcome::Waived);
    item.producer == Producer::User && matches!(&item.payload, Payload::Review(review) if lets_pass(review.outcome))
}

/// The newest record of a re-run, and whether another party made it: the name that its entry bears is on no other entry with
/// evidence of the run. A name is a claim; what it is worth is what the ledger's writers are trusted with.
fn rerun(records: &Records<'_>, run: &Run, code: Option<Oid>) -> Result<Option<Rerun>> {
    let again = |item: &Evidence| item.producer == Producer::Rapid(Verb::Verify);
    let code = code.map(|code| code.to_git_id());
    let on_it = |item: &Evidence| {
        let ran_on = item.payload.check_facts().and_then(|facts| facts.tree.as_ref());
        code.is_none() || ran_on == code.as_ref()
    };
    let newest = run.evidence.iter().rev().find(|item| again(item) && on_it(item));
    let (Some(item), Some(tip)) = (newest, records.view().tip()) else {
        return Ok(None);
    };
    let directory = Place::Evidence(run.id().clone(), item.id.clone()).path();
    let directory = directory.rsplit_once('/').map_or("", |(directory, _)| directory);
    let writers = Ledger::of(records.view().repository()).writers(tip, directory)?;
    let writer = |item: &Evidence| writers.get(&format!("{}.json", item.id));
    let by = writer(item).cloned().unwrap_or_default();
    // Whoever has no name is nobody else.
    let nobody = Identity::fallback();
    let named = by != format!("{} <{}>", nobody.name, nobody.email);
    let others =
        named && run.evidence.iter().filter(|item| !again(item)).all(|item| writer(item).is_some_and(|who| *who != by));
    let facts = item.payload.check_facts();
    let silent = facts.is_some_and(|facts| matches!(facts.uncounted.as_deref(), Some("none" | "no-counts")));
    let green = !item.payload.fails()
        && match &item.payload {
            Payload::TestResult { counts, counted, .. } => *counted && counts.passed > 0,
            _ => silent,
        };
    let red = item.payload.fails();
    Ok(Some(Rerun {
        evidence_id: item.id.clone(),
        summary: item.summary.clone(),
        green,
        red,
        by,
        another_party: others,
    }))
}

fn seen_elsewhere(repository: &Repository, run: &Run) -> Result<bool> {
    for (name, tip) in repository.refs_below("refs/rapid-local/remotes/")? {
        let shown = name.ends_with("/ledger").then(|| View::at(repository, Some(tip)).ok()).flatten();
        if shown.is_some_and(|view| Records::of(view).has_run(run.id()).unwrap_or(false)) {
            return Ok(true);
        }
    }
    Ok(false)
}
