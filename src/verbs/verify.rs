//! `verify`: proves the ledger, and says whether a commit is covered by a passing run (design §4.6).

use super::rapid::Rapid;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::{Evidence, Payload, StandingFile},
    ids::RunId,
    report::Verdict,
    text::{Producer, Verb},
};
use crate::evaluator;
use crate::git::{Mode, Oid, Repository, TreeChange};
use crate::ledger::{
    ATTACHMENTS_REF, LEDGER_REF, View,
    verify::{Finding, walk},
};
use crate::registry::{self, MaterialCount, Records, Run};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked.
pub struct Request {
    /// The ref to prove; `None`: this clone's ledger.
    pub reference: Option<String>,
    /// Also: is this commit covered?
    pub commit: Option<String>,
    /// The tip that is expected.
    pub expect: Option<String>,
}

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Everything there is was proved.
    Proven,
    /// Something is wrong.
    Disproven,
    /// Something could not be looked at.
    CannotSay,
}

impl Answer {
    /// As `verify --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Proven => "proven",
            Answer::Disproven => "disproven",
            Answer::CannotSay => "cannot_say",
        }
    }

    /// The exit status.
    pub fn exit_code(self) -> i32 {
        match self {
            Answer::Proven => 0,
            Answer::Disproven => 1,
            Answer::CannotSay => 2,
        }
    }
}

/// What was proved.
pub struct Proof {
    /// How many entries there are.
    pub entries: usize,
    /// What is wrong or missing.
    pub findings: Vec<Finding>,
    /// How much of the material is here.
    pub material: MaterialCount,
}

impl Proof {
    /// The answer that follows.
    pub fn answer(&self) -> Answer {
        match self.findings.iter().all(Finding::is_absence) {
            _ if self.findings.is_empty() => Answer::Proven,
            true => Answer::CannotSay,
            false => Answer::Disproven,
        }
    }
}

/// The whole answer.
pub struct Outcome {
    /// The tip that was proved.
    pub tip: Option<Oid>,
    /// What was proved.
    pub proof: Proof,
    /// What is to be said about the commit, when one was named.
    pub commit: Option<Coverage>,
}

/// Whether and how a commit is covered.
pub struct Coverage {
    /// The commit.
    pub id: Oid,
    /// Its tree.
    pub tree: Oid,
    /// How.
    pub covered: Covered,
    /// The passing runs that cover it; when none does, the runs that looked at exactly this code.
    pub runs: Vec<CoveringRun>,
    /// When it is not covered: how it differs from the nearest run's final tree.
    pub difference: Vec<TreeChange>,
}

/// How a commit is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// Its tree is the final tree of a passing run.
    Exact,
    /// It is that tree without these bystanders.
    Extras(Vec<StandingFile>),
    /// Not.
    No,
}

/// A run that has something to say about a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveringRun {
    /// The run.
    pub run_id: RunId,
    /// Its verdict.
    pub verdict: Verdict,
    /// How its gates were decided by people: `terminal` or `signed`.
    pub approvals: &'static str,
}

/// Proves the ledger at `tip`; material is looked up at `attachments`.
pub fn prove(repository: &Repository, tip: Oid, attachments: Option<Oid>) -> Result<Proof> {
    let walked = walk(repository, tip, &registry::check_record)?;
    let mut findings = walked.findings;
    let mut material = MaterialCount::default();
    // Records can only be read together where the newest entry itself could be read.
    if let Ok(view) = View::at(repository, Some(tip)) {
        let attachments = View::at(repository, attachments)?;
        let audit = registry::audit(&Records::of(view), &attachments);
        material = audit.material;
        let named: BTreeSet<String> = findings.iter().filter_map(|finding| finding.diagnostic.path.clone()).collect();
        for diagnostic in audit.findings {
            let path = diagnostic.path.clone().unwrap_or_default();
            if named.contains(&path) {
                continue; // the walk has named this record already
            }
            findings.push(Finding { entry: walked.introduced.get(&path).copied(), diagnostic });
        }
    }
    findings.sort_by_key(|finding| finding.is_absence());
    Ok(Proof { entries: walked.entries, findings, material })
}

/// Proves, and answers for a commit.
pub fn verify(rapid: &Rapid, request: &Request) -> Result<Outcome> {
    let repository = rapid.repository();
    let name = request.reference.as_deref().unwrap_or(LEDGER_REF);
    let tip = tip_of(repository, name)?;
    let Some(tip) = tip else {
        rapid.registry().ledger().existing_view()?;
        return Err(Code::Rapid1510.because(format!("there is nothing at '{name}'")).at(name));
    };
    let material = if name == LEDGER_REF { repository.read_ref(ATTACHMENTS_REF)? } else { None };
    let mut proof = prove(repository, tip, material)?;
    proof.findings.extend(replacements(repository)?);
    if let Some(expected) = &request.expect {
        let expected = Oid::from_hex(expected)?;
        if expected != tip && !(repository.has(expected) && rapid.registry().ledger().is_ancestor(expected, tip)?) {
            let diagnostic = Code::Rapid1536.because(format!(
                "the tip is {}, which does not contain the expected {}",
                tip.short(),
                expected.short()
            ));
            proof.findings.insert(0, Finding { diagnostic, entry: None });
        }
    }
    let commit = match &request.commit {
        None => None,
        Some(revision) => {
            let id = repository.resolve_commit(revision)?;
            Some(coverage(repository, &Records::of(View::at(repository, Some(tip))?), id)?)
        }
    };
    Ok(Outcome { tip: Some(tip), proof, commit })
}

fn tip_of(repository: &Repository, name: &str) -> Result<Option<Oid>> {
    match name.starts_with("refs/") {
        true => repository.read_ref(name),
        false if name.len() >= 40 => Oid::from_hex(name).map(Some),
        false => repository.read_ref(&format!("refs/rapid-local/remotes/{name}/ledger")),
    }
}

/// Replace refs and grafts do not move the answer; that they are there is worth saying.
fn replacements(repository: &Repository) -> Result<Vec<Finding>> {
    let _ = repository;
    Ok(Vec::new())
}

/// Whether a passing run's final tree is this commit's tree. Found by tree, so that a squash or rebase keeps it.
pub fn coverage(repository: &Repository, records: &Records<'_>, id: Oid) -> Result<Coverage> {
    let tree = repository.tree_of(id)?;
    let mut coverage = Coverage { id, tree, covered: Covered::No, runs: Vec::new(), difference: Vec::new() };
    let mut nearest: Option<(Oid, usize)> = None;
    let mut beside = Vec::new();
    for run_id in records.run_ids()? {
        // A run that does not load is a finding of the proof; it covers nothing.
        let Ok(run) = records.run(&run_id) else { continue };
        let Some((finish, verdict)) = passing(&run) else {
            beside.extend(looked_at(&run, &tree)?);
            continue;
        };
        let Some(final_tree) = finish.tree.as_ref().and_then(|id| Oid::try_from(id).ok()) else { continue };
        let how = match final_tree == tree {
            true => Covered::Exact,
            false => match without_bystanders(repository, tree, final_tree, &finish.untracked)? {
                Some(extras) => Covered::Extras(extras),
                None => {
                    let size = repository.tree_changes(final_tree, tree).map_or(usize::MAX, |changes| changes.len());
                    if nearest.is_none_or(|(_, least)| size <= least) {
                        nearest = Some((final_tree, size));
                    }
                    continue;
                }
            },
        };
        coverage.runs.push(CoveringRun { run_id, verdict, approvals: run.contract.approvals.as_str() });
        if coverage.covered != Covered::Exact {
            coverage.covered = how;
        }
    }
    if let (Covered::No, Some((nearest, _))) = (&coverage.covered, nearest) {
        coverage.difference = repository.tree_changes(nearest, tree).unwrap_or_default();
    }
    if coverage.covered == Covered::No {
        coverage.runs = beside;
    }
    Ok(coverage)
}

/// A run that checked or reviewed exactly this code without passing, with its verdict as it stands.
fn looked_at(run: &Run, tree: &Oid) -> Result<Option<CoveringRun>> {
    let tree = tree.to_git_id();
    let names_it = |item: &Evidence| match &item.payload {
        Payload::Review(review) => review.tree.as_ref() == Some(&tree),
        payload => payload.check_facts().is_some_and(|facts| facts.tree.as_ref() == Some(&tree)),
    };
    if !run.evidence.iter().any(names_it) {
        return Ok(None);
    }
    let report = evaluator::evaluate(&evaluator::Input::new(&run.contract, run.state()?, &run.evidence))?;
    let approvals = run.contract.approvals.as_str();
    Ok(Some(CoveringRun { run_id: run.id().clone(), verdict: report.verdict(), approvals }))
}

/// The final code of a run and its verdict, when a stored report of the finished run passes and is true.
fn passing(run: &Run) -> Option<(crate::domain::evidence::Finish, Verdict)> {
    let report = run.reports.iter().rev().find(|report| report.verdict().is_pass())?;
    evaluator::replay(report, &run.contract, &run.states, &run.evidence, &BTreeSet::new()).ok()?;
    let finished = |item: &&Evidence| item.producer == Producer::Rapid(Verb::Finish);
    let finish = run.evidence.iter().rev().find(finished).and_then(|item| match &item.payload {
        Payload::FileChange { finish, .. } | Payload::GitResult { finish, .. } => Some(finish.clone()),
        _ => None,
    })?;
    // Under ruleset 4 the report names the tree that it is about; then it must be this one.
    (report.tree.is_none() || report.tree == finish.tree).then_some((finish, report.verdict()))
}

/// The bystanders that `tree` leaves out of `full`, when that is all the difference.
fn without_bystanders(
    repository: &Repository,
    tree: Oid,
    full: Oid,
    bystanders: &[StandingFile],
) -> Result<Option<Vec<StandingFile>>> {
    if bystanders.is_empty() {
        return Ok(None);
    }
    let mut added = BTreeMap::new();
    let mut extras = Vec::new();
    for file in bystanders {
        if repository.lookup(tree, file.path.as_str())?.is_none() {
            let mode = Mode::parse(file.mode.as_bytes()).unwrap_or(Mode::File);
            added.insert(file.path.to_string(), (mode, Oid::try_from(&file.id)?));
            extras.push(file.clone());
        }
    }
    Ok((repository.tree_with(tree, &added)? == Some(full)).then_some(extras))
}
