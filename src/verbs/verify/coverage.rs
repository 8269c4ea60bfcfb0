//! Whether a commit is covered by a passing run, decided by trees: never by commit id, branch name or message. Which terms a
//! run must have been promised under to count for a branch is `branch`'s.

use super::{
    asked::Asked,
    branch::OtherTerms,
    elsewhere::{self, Lean, Unseen},
    merge, remedy,
    research::beside_documents,
    same,
    strength::{CoveringRun, describe, is_about_its_end, is_signed},
};
use crate::diagnostics::Result;
use crate::domain::{
    config::{Config, Extras, Merges},
    contract::Contract,
    evidence::{Evidence, Finish, Payload, StandingFile},
    ids::RunId,
    mode::Mode,
    report::{Report, Verdict},
    text::{Producer, Verb},
};
use crate::evaluator;
use crate::git::{self, Oid, Repository, TreeChange};
use crate::registry::{Records, Run};
use crate::signature::Allowed;
use crate::verbs::mission::is_a_missions;
use crate::verbs::{rapid::RULES, work::standing};
use std::collections::{BTreeMap, BTreeSet};

/// How many files are named.
const SHOWN: usize = 5;

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
    /// Passing runs whose final tree is not in this clone, so that nobody can say here how it differs.
    pub unseen: Vec<Unseen>,
    /// Code that the answer rests on, beside what the commit brings along.
    pub leans: Vec<Lean>,
    /// A commit that would come along, with rules that nobody passed.
    pub detour: Option<Oid>,
    /// Runs that passed on this code, and do not count here: the branch does not have the terms that they were promised under.
    pub other_terms: Vec<OtherTerms>,
    /// What gets it covered, as hints; nothing when it is exactly what passed.
    pub remedy: Vec<String>,
}

/// How a commit is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// Its tree is the final tree of a passing run.
    Exact,
    /// It is that tree without these bystanders.
    Extras(Vec<StandingFile>),
    /// It is git's own clean merge of commits that are covered, or were on the protected branch already.
    Merge,
    /// Not.
    No,
}

impl Coverage {
    /// What these rules have against the way in which the commit is covered, as in "it …"; `None` where they take it, or where it
    /// is not covered at all. The one judgement of `verify --commit`, of a push and of a server.
    pub fn refused(&self, rules: &Config) -> Option<String> {
        if let Some(detour) = self.detour {
            let detour = detour.short();
            let what =
                format!("brings commit {detour} onto the branch, whose {RULES} no run under the branch's terms covers");
            return Some(what);
        }
        match &self.covered {
            Covered::Merge if rules.merges == Merges::Rerun => {
                Some("is a merge, and enforce.merges asks for a run on the merged code".to_owned())
            }
            Covered::Extras(files) if rules.extras == Extras::Refuse => {
                let names: Vec<&str> = files.iter().take(SHOWN).map(|file| file.path.as_str()).collect();
                Some(format!("leaves out {}, and enforce.extras refuses that", names.join(", ")))
            }
            Covered::Exact | Covered::Extras(_) | Covered::Merge | Covered::No => None,
        }
    }
}

impl Coverage {
    /// The runs that were looked at for the commit, and their specs.
    pub(super) fn about(&self, records: &Records<'_>) -> BTreeSet<String> {
        let runs = self.runs.iter().map(|run| &run.run_id).chain(self.other_terms.iter().map(|other| &other.run_id));
        let spec = |id: &RunId| records.run(id).ok().map(|run| run.contract.spec_id.to_string());
        runs.flat_map(|id| [Some(id.to_string()), spec(id)]).flatten().collect()
    }

    /// What the newest re-run of a covering run on exactly this code says against it.
    pub(super) fn contradicted(&self) -> Option<String> {
        let red =
            self.runs.iter().find_map(|run| run.rerun.as_ref().filter(|rerun| rerun.red).map(|rerun| (run, rerun)));
        red.map(|(run, rerun)| {
            format!("was run again by {}, and its tests failed ({}, {})", rerun.by, run.run_id, rerun.summary)
        })
    }
}

/// The runs of a ledger as far as coverage asks: loaded and replayed once.
pub struct Passing {
    passing: Vec<(Run, Finish, Verdict)>,
    others: Vec<Run>,
}

impl Passing {
    /// Those of a ledger; `allowed` are the signers of a reviewer who does not take those that the contracts froze.
    pub fn of(records: &Records<'_>, allowed: Option<&Allowed>) -> Result<Passing> {
        let mut all = Passing { passing: Vec::new(), others: Vec::new() };
        for run_id in records.run_ids()? {
            // A run that does not load is a finding of the proof; it covers nothing.
            let Ok(mut run) = records.run(&run_id) else { continue };
            // A report is true by the lists that its run was promised under; whether the run passes now, by the reviewer's.
            let told = true_pass(&run).cloned();
            if let Some(allowed) = allowed {
                run.checked = run.signatures_by(allowed);
            }
            // Who brings a list asks for signatures, whatever the run was promised under.
            let signed = allowed.is_none() || (is_signed(&run, |_| true) && is_about_its_end(&run));
            match told.filter(|_| signed).and_then(|report| passing(&run, &report)) {
                Some((finish, verdict)) => all.passing.push((run, finish, verdict)),
                None => all.others.push(run),
            }
        }
        Ok(all)
    }

    /// How a commit is covered for a branch: by runs whose final tree is its tree, so that a squash or rebase keeps it. `protected` is the newest commit that the branch is known to have. By default a
    /// merge is judged by what this clone knows of the protected branch, and terms by the commit itself.
    pub fn coverage(&self, records: &Records<'_>, id: Oid, protected: Option<Oid>) -> Result<Coverage> {
        let repository = records.view().repository();
        // What the branch has may not have been fetched.
        let protected = protected.filter(|tip| repository.has(*tip));
        let line = protected.map_or_else(|| repository.protected_tip(), |tip| Ok(Some(tip)))?;
        let asked = Asked::of(repository, id, protected, line)?;
        let mut coverage = self.judged(records, id, &asked)?;
        if coverage.covered == Covered::No
            && let Some(found) = same::covered_elsewhere(records, self, id, &asked)?
        {
            coverage = found;
        }
        if matches!(coverage.covered, Covered::Exact | Covered::Extras(_)) {
            self.refuse_old_rules(&mut coverage, &asked)?;
        }
        if coverage.covered != Covered::No {
            coverage.other_terms = Vec::new();
            let covers = |commit| Ok(self.cover(records, commit, &asked)?.covered != Covered::No);
            coverage.detour = asked.detour(covers, id)?;
        }
        coverage.leans = asked.leans();
        elsewhere::fit(self, repository, &mut coverage, asked.tip())?;
        coverage.remedy = remedy::of(repository, &coverage, protected);
        Ok(coverage)
    }

    /// A commit that is to follow the branch's newest and has other rules: only runs that were promised under the newest's own
    /// count, or whoever had a run once under weaker rules could bring those back.
    fn refuse_old_rules(&self, coverage: &mut Coverage, asked: &Asked<'_>) -> Result<()> {
        let Some(newest) = asked.with_other_rules(coverage.id)? else { return Ok(()) };
        let mut old = Vec::new();
        for run in &coverage.runs {
            old.extend(self.contract(&run.run_id).map(|contract| newest.refuses_now(contract)).transpose()?.flatten());
        }
        coverage.runs.retain(|run| old.iter().all(|old| old.run_id != run.run_id));
        if coverage.runs.is_empty() {
            coverage.covered = Covered::No;
            coverage.other_terms.extend(old);
        }
        Ok(())
    }

    /// How a commit is covered: by its own tree, or as something that git made of what is covered.
    pub(super) fn judged(&self, records: &Records<'_>, id: Oid, asked: &Asked<'_>) -> Result<Coverage> {
        let mut coverage = self.cover(records, id, asked)?;
        if coverage.covered != Covered::No || !asked.goes_on() {
            return Ok(coverage);
        }
        let merged = merge::clean_merge(records, self, id, asked, &mut coverage.other_terms)?;
        let merged = merged.map_or_else(|| merge::brought_over(records, self, id, asked), |runs| Ok(Some(runs)))?;
        if let Some(runs) = merged {
            coverage.covered = Covered::Merge;
            coverage.runs = runs;
            (coverage.difference, coverage.unseen) = (Vec::new(), Vec::new());
        }
        Ok(coverage)
    }

    /// How a commit is covered by its own tree.
    pub(super) fn cover(&self, records: &Records<'_>, id: Oid, asked: &Asked<'_>) -> Result<Coverage> {
        let repository = records.view().repository();
        let tree = repository.tree_of(id)?;
        let mut coverage = Coverage {
            id,
            tree,
            covered: Covered::No,
            runs: Vec::new(),
            difference: Vec::new(),
            unseen: Vec::new(),
            leans: Vec::new(),
            detour: None,
            other_terms: Vec::new(),
            remedy: Vec::new(),
        };
        let (mut nearest, mut unseen): (Option<Vec<TreeChange>>, _) = (None, Vec::new());
        for (run, finish, verdict) in &self.passing {
            let Some(final_tree) = finish.tree.as_ref().and_then(|id| Oid::try_from(id).ok()) else { continue };
            let how = match final_tree == tree {
                true => Covered::Exact,
                false => match without_bystanders(
                    repository,
                    tree,
                    final_tree,
                    &standing(repository, run, &finish.untracked),
                )? {
                    Some(extras) => Covered::Extras(extras),
                    None => {
                        match repository.tree_changes(final_tree, tree) {
                            Ok(changes) if nearest.as_ref().is_none_or(|least| changes.len() <= least.len()) => {
                                nearest = Some(changes);
                            }
                            Ok(_) => {}
                            Err(_) => {
                                let run_id = run.contract.run_id.clone();
                                unseen.push(Unseen { run_id, tree: final_tree, fits: false });
                            }
                        }
                        continue;
                    }
                },
            };
            if let Some(other) = asked.branch.refuses(&run.contract)? {
                coverage.other_terms.push(other);
                continue;
            }
            if let Some(other) = beside_documents(self, run, final_tree, asked)? {
                coverage.other_terms.push(other);
                continue;
            }
            coverage.runs.push(describe(records, run, *verdict, Some(asked.code))?);
            if coverage.covered != Covered::Exact {
                coverage.covered = how;
            }
        }
        if coverage.covered == Covered::No && coverage.other_terms.is_empty() {
            coverage.difference = nearest.unwrap_or_default();
            coverage.unseen = unseen;
            for run in &self.others {
                coverage.runs.extend(looked_at(records, run, &tree)?);
            }
        }
        Ok(coverage)
    }

    /// The contracts of the runs that pass and ended with exactly this code; without research, which no test speaks for.
    pub fn ending_with(&self, tree: Oid) -> impl Iterator<Item = &Contract> {
        let all = self.ends().filter(move |(run, end)| *end == tree && run.contract.mode != Mode::Research);
        all.map(|(run, _)| &run.contract)
    }

    /// The runs that pass, with their final code.
    pub(super) fn ends(&self) -> impl Iterator<Item = (&Run, Oid)> {
        let end = |finish: &Finish| finish.tree.as_ref().and_then(|id| Oid::try_from(id).ok());
        self.passing.iter().filter_map(move |(run, finish, _)| end(finish).map(|tree| (run, tree)))
    }

    /// The contract of a run that passes.
    pub(super) fn contract(&self, id: &RunId) -> Option<&Contract> {
        self.passing.iter().map(|(run, ..)| &run.contract).find(|contract| contract.run_id == *id)
    }

    /// A run that passes, as it is told beside code.
    pub(super) fn describe(&self, records: &Records<'_>, id: &RunId, code: Oid) -> Result<Option<CoveringRun>> {
        let found = self.passing.iter().find(|(run, ..)| run.id() == id);
        found.map(|(run, _, verdict)| describe(records, run, *verdict, Some(code))).transpose()
    }
}

/// A run that checked or reviewed exactly this code without passing, with its verdict as it stands.
fn looked_at(records: &Records<'_>, run: &Run, tree: &Oid) -> Result<Option<CoveringRun>> {
    let tree = tree.to_git_id();
    // What it looked at is where it began: its own work is other code, or not there yet. A mission's last run judges just that.
    if run.contract.base.tree == tree && finish_of(run).is_none() && !is_a_missions(&run.contract) {
        return Ok(None);
    }
    let names_it = |item: &Evidence| match &item.payload {
        Payload::Review(review) => review.tree.as_ref() == Some(&tree),
        payload => payload.check_facts().is_some_and(|facts| facts.tree.as_ref() == Some(&tree)),
    };
    if !run.evidence.iter().any(names_it) {
        return Ok(None);
    }
    let report = evaluator::evaluate(&run.input()?)?;
    describe(records, run, report.verdict(), Oid::try_from(&tree).ok()).map(Some)
}

/// The newest report of a run that passes, when it is true.
fn true_pass(run: &Run) -> Option<&Report> {
    let report = run.reports.iter().rev().find(|report| report.verdict().is_pass())?;
    evaluator::replay(report, &run.contract, &run.states, &run.evidence, run.signed()).ok()?;
    Some(report)
}

/// The final code of a run and its verdict, when it passes now as its report says.
fn passing(run: &Run, report: &Report) -> Option<(Finish, Verdict)> {
    // What was recorded after the report may contradict it: then the run covers nothing any more.
    let now = evaluator::evaluate(&run.input().ok()?).ok()?;
    if !now.verdict().is_pass() {
        return None;
    }
    let finish = finish_of(run)?;
    // Under ruleset 4 the report names the tree that it is about; then it must be this one.
    (report.tree.is_none() || report.tree == finish.tree).then_some((finish, report.verdict()))
}

/// The final code of a run, as `finish` recorded it.
pub fn finish_of(run: &Run) -> Option<Finish> {
    let finished = |item: &&Evidence| item.producer == Producer::Rapid(Verb::Finish);
    run.evidence.iter().rev().find(finished).and_then(|item| match &item.payload {
        Payload::FileChange { finish, .. } | Payload::GitResult { finish, .. } => Some(finish.clone()),
        _ => None,
    })
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
            let mode = git::Mode::parse(file.mode.as_bytes()).unwrap_or(git::Mode::File);
            added.insert(file.path.to_string(), (mode, Oid::try_from(&file.id)?));
            extras.push(file.clone());
        }
    }
    Ok((repository.tree_with(tree, &added)? == Some(full)).then_some(extras))
}
