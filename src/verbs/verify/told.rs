//! What a reviewer asks next about a run that covers a commit: what it was for, who decided what and when, when it ended, how much it
//! changed.
//!
//! Not here: the verdict and the strength (`strength`). Nothing follows from a date or a name: both are claims of the entry.

use super::finish_of;
use crate::diagnostics::Result;
use crate::domain::{
    evidence::{Evidence, Payload, ReviewOutcome},
    ids::{GateId, RunId},
    text::{Producer, Verb},
};
use crate::git::Oid;
use crate::ledger::{EntryInfo, Ledger};
use crate::registry::{Place, Records, Run};
use std::collections::BTreeMap;

/// What is told of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The run.
    pub run_id: RunId,
    /// The title of its spec.
    pub title: String,
    /// What people decided, oldest first.
    pub decided: Vec<Decided>,
    /// When it was finished, in seconds since 1970.
    pub finished_at: Option<i64>,
    /// How many files it changed.
    pub files_changed: usize,
}

/// A person's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// What about.
    pub gate_ids: Vec<GateId>,
    /// Which way.
    pub outcome: ReviewOutcome,
    /// Who, as the record has it.
    pub reviewer: String,
    /// Whether it bears a valid signature by an allowed key.
    pub signed: bool,
    /// When it was recorded, in seconds since 1970.
    pub at: Option<i64>,
}

/// Tells of a run.
pub(super) fn told(records: &Records<'_>, id: &RunId) -> Result<Told> {
    let run = records.run(id)?;
    let spec = records.spec(&run.contract.spec_id)?;
    let title = spec.revision(run.contract.spec_revision)?.content.title.clone();
    let entries = entries(records, &run)?;
    let at = |item: &Evidence| entries.get(&format!("{}.json", item.id)).map(|entry| entry.seconds);
    let decided = run.evidence.iter().filter_map(|item| match &item.payload {
        Payload::Review(review) if item.producer == Producer::User => Some(Decided {
            gate_ids: item.gate_ids.clone(),
            outcome: review.outcome,
            reviewer: review.reviewer.clone(),
            signed: run.signed().contains_key(&item.id),
            at: at(item),
        }),
        _ => None,
    });
    let finished = run.evidence.iter().rev().find(|item| item.producer == Producer::Rapid(Verb::Finish));
    Ok(Told {
        run_id: id.clone(),
        title,
        decided: decided.collect(),
        finished_at: finished.and_then(at),
        files_changed: files_changed(records, &run),
    })
}

/// The entries that brought the run's evidence, by file.
fn entries(records: &Records<'_>, run: &Run) -> Result<BTreeMap<String, EntryInfo>> {
    let (Some(tip), Some(first)) = (records.view().tip(), run.evidence.first()) else { return Ok(BTreeMap::new()) };
    let path = Place::Evidence(run.id().clone(), first.id.clone()).path();
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    Ledger::of(records.view().repository()).bringers(tip, directory)
}

/// How many files differ between where a run began and what it ended with; where that code is not here, as its record says.
fn files_changed(records: &Records<'_>, run: &Run) -> usize {
    let code = |id: &_| Oid::try_from(id).ok();
    let end = finish_of(run).and_then(|finish| code(finish.tree.as_ref()?));
    let compared = code(&run.contract.base.tree)
        .zip(end)
        .and_then(|(base, end)| records.view().repository().tree_changes(base, end).ok());
    let recorded = || {
        let paths = run.evidence.iter().rev().find_map(|item| match &item.payload {
            Payload::FileChange { paths, .. } => Some(paths.len()),
            _ => None,
        });
        paths.unwrap_or(0)
    };
    compared.map_or_else(recorded, |changes| changes.len())
}
