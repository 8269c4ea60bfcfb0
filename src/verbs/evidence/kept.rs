//! What was kept with a piece of evidence: its log, its tree, and whether all of it is still what the records say.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    digest::Digest,
    evidence::{Artifact, Evidence},
    expunged::{Expunged, Removed},
    ids::{EvidenceId, RunId},
};
use crate::git::{Oid, TreeChange};
use crate::registry::{Kept, MaterialCount, Run};
use crate::verbs::rapid::Rapid;

/// The log that was captured with a check, with its bytes (RAPID1205 when there is none, or it is not in this clone).
pub fn log(rapid: &Rapid, named: Option<&RunId>, id: &EvidenceId) -> Result<(Evidence, Artifact, Vec<u8>)> {
    let (_, run) = rapid.run(named)?;
    let item = run.item(id)?;
    let path = format!("{}log", Evidence::artifact_prefix(run.id(), id));
    let artifact = item.artifacts.iter().find(|artifact| artifact.path.as_str() == path).ok_or_else(|| {
        Code::Rapid1205
            .because(format!("{id} has no captured log: it is {} evidence by {}", item.payload.kind(), item.producer))
            .hint(format!("see what it has: git rapid evidence show {id} --run {}", run.id()))
    })?;
    match bring(rapid, item, artifact)? {
        Kept::Here(bytes) => Ok((item.clone(), artifact.clone(), bytes)),
        Kept::Missing => Err(not_here(format!("the log of {id} is not in this clone")).at(path)),
        Kept::Expunged(record) => Err(expunged(&record)),
    }
}

/// The files of the tree that was kept with a piece of evidence.
pub fn kept_files(rapid: &Rapid, item: &Evidence) -> Result<(Oid, Vec<TreeChange>)> {
    let path = Expunged::tree_path(&item.run_id, &item.id);
    let removed = Removed::Tree(Expunged::tree_of(item));
    if let Some(record) = rapid.registry().records()?.expunged(&item.run_id, &path, &removed)? {
        return Err(expunged(&record));
    }
    let Some(tree) = rapid.registry().kept_tree(item)? else {
        return Err(not_here(format!("no tree was kept with {}, or it is not in this clone", item.id)));
    };
    let repository = rapid.repository();
    Ok((tree, repository.tree_changes(Oid::empty_tree(repository.format()), tree)?))
}

/// An artifact; in a filtered clone, one that is not here is brought, in one fetch.
pub fn bring(rapid: &Rapid, item: &Evidence, artifact: &Artifact) -> Result<Kept> {
    let registry = rapid.registry();
    let repository = rapid.repository();
    let found = registry.artifact(item, artifact)?;
    let Some(promisor) = repository.promisor().filter(|_| found == Kept::Missing) else { return Ok(found) };
    let mut wanted = registry.promised(item, artifact)?;
    wanted.retain(|id| !repository.has(*id));
    if wanted.is_empty() {
        return Ok(found);
    }
    repository.fetch_objects(&promisor, &wanted)?;
    registry.artifact(item, artifact)
}

/// Says why something is nowhere any more.
pub fn expunged(record: &Expunged) -> Diagnostic {
    Code::Rapid1205
        .because(format!("'{}' was expunged by {}: {}", record.path, record.by, record.reason))
        .at(record.path.as_str())
        .hint("its bytes are gone on purpose; the record keeps their digest")
}

fn not_here(why: String) -> Diagnostic {
    Code::Rapid1205
        .because(why)
        .hint("git rapid fetch brings the material that the remote has")
        .hint("it is pushed only where the configuration says so (push.attachments): ask for it in the clone that recorded it")
}

/// What a second reading of a run's evidence gave.
pub struct Checked {
    /// The run.
    pub run: Run,
    /// The digest of its whole evidence.
    pub set_digest: Digest,
    /// How much of the material is here.
    pub material: MaterialCount,
    /// What was removed of it.
    pub expunged: Vec<Expunged>,
    /// What is wrong.
    pub findings: Vec<Diagnostic>,
}

/// Reads a run's records and their material again.
pub fn verify(rapid: &Rapid, named: Option<&RunId>) -> Result<Checked> {
    let (records, run) = rapid.run(named)?;
    let expunged = records.expunged_of(run.id())?;
    let registry = rapid.registry();
    let mut material = MaterialCount::default();
    let mut findings = Vec::new();
    for item in &run.evidence {
        for artifact in &item.artifacts {
            match registry.artifact(item, artifact) {
                Ok(kept) => material.add(&kept),
                Err(diagnostic) => findings.push(diagnostic),
            }
        }
    }
    let set_digest = Evidence::set_digest(run.id(), &run.evidence);
    Ok(Checked { run, set_digest, material, expunged, findings })
}
