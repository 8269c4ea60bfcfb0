//! Whether what a ref shall get is covered by a passing run, and if not, what is missing and the command that gets it.
//!
//! The same judgement as `git rapid verify --commit` (design §4.6): by trees, never by commit ids or names.

use super::update::Update;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::config::Config;
use crate::git::{Oid, Repository};
use crate::ledger::{LEDGER_REF, View};
use crate::registry::Records;
use crate::verbs::verify::{Answer, Coverage, Covered, Lean, Passing, Proof, anew};

/// How many paths of a difference are named.
const SHOWN: usize = 5;

/// What is found about a commit.
#[derive(Default)]
pub(super) struct Judged {
    /// What is said against it; nothing when it is covered.
    pub(super) fault: Option<Diagnostic>,
    /// The code that its being covered rests on, beside what it brings along.
    pub(super) leans: Vec<Lean>,
    /// A run may have passed whose final code is not here: only that code tells.
    pub(super) waits_for_code: bool,
}

impl From<Option<Diagnostic>> for Judged {
    fn from(fault: Option<Diagnostic>) -> Judged {
        Judged { fault, ..Judged::default() }
    }
}

/// The runs of a proved ledger; or why nothing can be said.
pub(super) struct Judge<'r> {
    repository: &'r Repository,
    runs: std::result::Result<(Records<'r>, Passing), Diagnostic>,
}

impl<'r> Judge<'r> {
    /// By the ledger as it will stand at `tip`, once it is proved. A ledger that does not prove covers nothing.
    pub(super) fn by(
        repository: &'r Repository,
        tip: Option<Oid>,
        prove: impl FnOnce(Oid) -> Result<Proof>,
    ) -> Result<Judge<'r>> {
        let Some(tip) = tip else {
            let none = Code::Rapid1510.because("there is no ledger").at(LEDGER_REF);
            return Ok(Judge { repository, runs: Err(none) });
        };
        let proof = prove(tip)?;
        let runs = match proof.answer() {
            Answer::Proven => {
                let records = Records::of(View::at(repository, Some(tip))?);
                let passing = Passing::of(&records, None)?;
                Ok((records, passing))
            }
            _ => Err(proof
                .findings
                .into_iter()
                .find(|finding| !finding.is_remark())
                .map_or_else(|| Code::Rapid1510.because("the ledger does not prove"), |finding| finding.diagnostic)),
        };
        Ok(Judge { repository, runs })
    }

    /// What is said against the commit that a ref shall get; nothing when it is covered, or when it gets no commit. `before`
    /// is what the branch had before: a push does not bring the terms that it is judged by. `going_on` is the next step of a run
    /// that is about this commit; while there is one, no other is to be begun.
    pub(super) fn judge(
        &self,
        update: &Update,
        before: Option<Oid>,
        config: &Config,
        going_on: Option<String>,
    ) -> Result<Judged> {
        let Some(new) = update.new else { return Ok(Judged::default()) };
        // A tag may name a file or a tree, and whoever gets it by the tag's name gets code that nobody judged.
        let Ok(commit) = self.repository.resolve_commit(&new.to_string()) else {
            let words =
                format!("'{}' would name {}, which is no commit: no run speaks for it", update.short(), new.short());
            let fault = Code::Rapid1610.because(words).hint("let it name a commit that a passing run covers");
            return Ok(Judged::from(Some(fault)));
        };
        // A tag had an object of its own, and what a remote has need not be here.
        let before = before.and_then(|old| self.repository.resolve_commit(&old.to_string()).ok());
        let named = format!("'{}' would get commit {}", update.short(), commit.short());
        let (records, passing) = match &self.runs {
            Ok(runs) => runs,
            Err(why) if why.code == Code::Rapid1510 => {
                let none = Code::Rapid1610.because(format!("{named}, and no run is recorded here"));
                let hints = match going_on {
                    Some(step) => vec![step],
                    None => self.elsewhere(before).into_iter().chain([anew(self.repository, commit, before)]).collect(),
                };
                return Ok(Some(hints.into_iter().fold(none, Diagnostic::hint)).into());
            }
            Err(why) => {
                let words = format!("{named}, and the ledger does not verify ({})", why.message);
                return Ok(Some(Code::Rapid1610.because(words).hint("see all findings: git rapid verify")).into());
            }
        };
        let coverage = passing.coverage(records, commit, before)?;
        let refused = match &coverage.covered {
            Covered::Exact | Covered::Extras(_) | Covered::Merge => match coverage.refused(config) {
                None => return Ok(Judged { leans: coverage.leans, ..Judged::default() }),
                Some(words) => format!(", which {words}"),
            },
            Covered::No if !coverage.other_terms.is_empty() => {
                let others: Vec<String> = coverage.other_terms.iter().take(SHOWN).map(ToString::to_string).collect();
                format!(": {}", others.join("; "))
            }
            Covered::No => format!(": no passing run has its tree {} as final tree", coverage.tree.short()),
        };
        let fault = Code::Rapid1610.because(format!("{named}{refused}"));
        let waits_for_code = coverage.unseen.iter().any(|unseen| unseen.fits);
        let fault = self.missing(&coverage, before, going_on).into_iter().fold(fault, Diagnostic::hint);
        Ok(Judged { fault: Some(fault), leans: Vec::new(), waits_for_code })
    }

    /// Where a run may be that is not recorded here. A remote that is sent its first code has no run of anybody.
    fn elsewhere(&self, before: Option<Oid>) -> Option<String> {
        before?;
        let remote = self.repository.remote_names().into_iter().next()?;
        self.repository.workdir()?;
        Some(format!("when a run on it is recorded elsewhere, bring the ledger of '{remote}': git rapid fetch"))
    }

    /// What is missing, and the command that gets it.
    fn missing(&self, coverage: &Coverage, before: Option<Oid>, going_on: Option<String>) -> Vec<String> {
        let mut hints = Vec::new();
        let known = going_on.is_some() || !coverage.runs.is_empty() || !coverage.other_terms.is_empty();
        if !known {
            hints.extend(self.elsewhere(before));
        }
        match going_on {
            Some(step) => hints.push(step),
            None => hints.extend(coverage.remedy.iter().cloned()),
        }
        if !coverage.difference.is_empty() {
            let shown = coverage.difference.iter().take(SHOWN);
            let named: Vec<String> = shown.map(|change| format!("{} {}", change.letter(), change.path)).collect();
            let more = coverage.difference.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            hints.push(format!("it differs from the nearest passing run in {}{more}", named.join(", ")));
        }
        for unseen in coverage.unseen.iter().take(SHOWN) {
            let (run, tree) = (&unseen.run_id, unseen.tree.short());
            hints.push(format!("run {run} passed on tree {tree}, which is not in this clone to compare"));
        }
        let onto = before.map_or_else(String::new, |before| format!(" --onto {}", before.short()));
        hints.push(format!("look at it: git rapid verify --commit {}{onto}", coverage.id.short()));
        hints
    }
}
