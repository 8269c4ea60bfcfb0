//! Whether what a ref shall get is covered by a passing run, and if not, what is missing and the command that gets it.
//!
//! The same judgement as `git rapid verify --commit` (design §4.6): by trees, never by commit ids or names.

use super::update::Update;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::config::Config;
use crate::git::{Oid, Repository};
use crate::ledger::{LEDGER_REF, View};
use crate::registry::Records;
use crate::verbs::verify::{Answer, Coverage, Covered, Passing, Proof};

/// How many paths of a difference are named.
const SHOWN: usize = 5;

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
    /// is what the branch had before: a push does not bring the terms that it is judged by.
    pub(super) fn fault(&self, update: &Update, before: Option<Oid>, config: &Config) -> Result<Option<Diagnostic>> {
        let Some(new) = update.new else { return Ok(None) };
        // A tag may name a file or a tree: there is no commit to judge.
        let Ok(commit) = self.repository.resolve_commit(&new.to_string()) else { return Ok(None) };
        let named = format!("'{}' would get commit {}", update.short(), commit.short());
        let (records, passing) = match &self.runs {
            Ok(runs) => runs,
            Err(why) if why.code == Code::Rapid1510 => {
                let words = format!("{named}, and no run is recorded here");
                return Ok(Some(
                    Code::Rapid1610.because(words).hint("begin one: git rapid start feature --title '…' --task '…'"),
                ));
            }
            Err(why) => {
                let words = format!("{named}, and the ledger does not verify ({})", why.message);
                return Ok(Some(Code::Rapid1610.because(words).hint("see all findings: git rapid verify")));
            }
        };
        // A tag had an object of its own, and what a remote has need not be here.
        let before = before.and_then(|old| self.repository.resolve_commit(&old.to_string()).ok());
        let coverage = passing.coverage(records, commit, before)?;
        let refused = match &coverage.covered {
            Covered::Exact | Covered::Extras(_) | Covered::Merge => match coverage.refused(config) {
                None => return Ok(None),
                Some(words) => format!(", which {words}"),
            },
            Covered::No if !coverage.other_terms.is_empty() => {
                let others: Vec<String> = coverage.other_terms.iter().take(SHOWN).map(ToString::to_string).collect();
                format!(": {}", others.join("; "))
            }
            Covered::No => format!(": no passing run has its tree {} as final tree", coverage.tree.short()),
        };
        let fault = Code::Rapid1610.because(format!("{named}{refused}"));
        Ok(Some(missing(&coverage, before).into_iter().fold(fault, Diagnostic::hint)))
    }
}

/// What is missing, and the command that gets it.
fn missing(coverage: &Coverage, before: Option<Oid>) -> Vec<String> {
    let mut hints = Vec::new();
    if let Some(other) = coverage.other_terms.first() {
        hints.push(other.hint().to_owned());
    } else if coverage.covered == Covered::No {
        for run in coverage.runs.iter().take(SHOWN) {
            let (id, verdict) = (&run.run_id, run.verdict);
            hints.push(format!("run {id} looked at exactly this code and is {verdict}: git rapid next --run {id}"));
        }
        if !coverage.difference.is_empty() {
            let named: Vec<String> = coverage
                .difference
                .iter()
                .take(SHOWN)
                .map(|change| format!("{} {}", change.letter(), change.path))
                .collect();
            let more = coverage.difference.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            hints.push(format!("it differs from the nearest passing run in {}{more}", named.join(", ")));
        }
        for (run, tree) in coverage.unseen.iter().take(SHOWN) {
            hints.push(format!("run {run} passed on tree {}, which is not in this clone to compare", tree.short()));
        }
    }
    let onto = before.map_or_else(String::new, |before| format!(" --onto {}", before.short()));
    hints.push(format!("look at it: git rapid verify --commit {}{onto}", coverage.id.short()));
    hints
}
