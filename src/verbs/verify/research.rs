//! What research counts for: no test speaks for it, so it covers documents only.

use super::{asked::Asked, branch::OtherTerms, coverage::Passing};
use crate::diagnostics::Result;
use crate::domain::{document::is_change_of_document, mode::Mode};
use crate::git::{self, Oid, TreeChange};
use crate::registry::Run;

/// What is against counting research here: no test speaks for it, so it covers documents only, added to code that is the
/// branch's own or covered by other runs.
pub(super) fn beside_documents(
    passing: &Passing,
    run: &Run,
    end: Oid,
    asked: &Asked<'_>,
) -> Result<Option<OtherTerms>> {
    if run.contract.mode != Mode::Research {
        return Ok(None);
    }
    let began = run.contract.base.commit.as_ref().and_then(|id| Oid::try_from(id).ok());
    let repository = asked.branch.repository();
    let base = match began.filter(|commit| repository.has(*commit)) {
        Some(commit) => repository.tree_of(commit)?,
        None => Oid::try_from(&run.contract.base.tree)?,
    };
    let mut stands = began.map_or(Ok(false), |commit| asked.on_the_line(commit))?;
    if !stands {
        asked.lean(&run.contract, base);
    }
    for other in passing.ending_with(base) {
        stands = stands || asked.branch.refuses(other)?.is_none();
    }
    let compared = repository.tree_changes(base, end);
    // What is not here to be compared may be anything.
    let (changed, unseen) = compared.map_or_else(|_| (Vec::new(), true), |changes| (changes, false));
    let is_plain = |change: &TreeChange| change.new.is_none_or(|(mode, _)| mode == git::Mode::File);
    let beside = changed
        .into_iter()
        .filter(|change| !is_plain(change) || !is_change_of_document(&change.path, change.old.is_none()));
    let mut beside: Vec<String> = beside.map(|change| change.path).collect();
    if unseen {
        beside.push("what cannot be compared in this clone".to_owned());
    }
    let run_id = run.id().clone();
    let other = OtherTerms { run_id, differing: Vec::new(), beside_documents: beside, base_uncovered: !stands };
    Ok((!stands || !other.beside_documents.is_empty()).then_some(other))
}
