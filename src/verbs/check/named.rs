//! The names of a check's tests: the list that is kept with it, and what it shows less of than the baseline's.
//!
//! Not here: where names come from (`check`), and what a loss means (`evaluator`).

use super::Observation;
use crate::diagnostics::Result;
use crate::domain::{
    contract::Ruleset,
    evidence::{Evidence, NamedTests},
    test_list::TestList,
};
use crate::evaluator::{self, Input};
use crate::registry::{Kept, NewArtifact, Registry, Run};

/// The list as it is kept with the record.
pub(super) fn artifact(list: &TestList) -> NewArtifact {
    NewArtifact { path: NamedTests::ARTIFACT.to_owned(), bytes: list.to_value().record_bytes() }
}

/// Says in the facts what the observed tests show less of than the baseline's, when both have names and the command is the
/// same. A baseline whose list is not in this clone is compared by number only.
pub fn compare(registry: &Registry<'_>, run: &Run, observation: &mut Observation) -> Result<()> {
    let (Some(now), Some(named)) = (&observation.ran.tests, &mut observation.facts.tests) else { return Ok(()) };
    if run.contract.ruleset < Ruleset::V4 || observation.facts.expects_failure {
        return Ok(());
    }
    let state = run.state()?;
    let Some(before) = evaluator::baseline(&Input::new(&run.contract, state, &run.evidence)) else { return Ok(()) };
    let ran_before = before.payload.check_facts().and_then(|facts| facts.command.as_ref());
    if ran_before != Some(&observation.command) {
        return Ok(());
    }
    if let Some(list) = kept(registry, before)? {
        named.against = Some((before.id.clone(), now.against(&list)));
    }
    Ok(())
}

/// The list that is kept with a record, when it is in this clone.
fn kept(registry: &Registry<'_>, item: &Evidence) -> Result<Option<TestList>> {
    let Some(artifact) = item.artifact(NamedTests::ARTIFACT) else { return Ok(None) };
    match registry.artifact(item, artifact)? {
        Kept::Here(bytes) => TestList::parse(&bytes).map(Some),
        Kept::Missing | Kept::Expunged(_) => Ok(None),
    }
}
