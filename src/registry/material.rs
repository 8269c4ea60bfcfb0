//! The material that evidence names: here, missing, or not what the record says.

use super::layout;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::Digest,
    evidence::{Artifact, Evidence},
    expunged::{Expunged, Removed},
    ids::{EvidenceId, RunId},
    json::Value,
};
use crate::git::{Mode, Oid, Repository};
use crate::ledger::{OTHER, View};
use std::collections::BTreeSet;

/// The largest piece of material that is read, in bytes.
pub(super) const CAP: u64 = 64 << 20;

/// A piece of material as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Its bytes, which have the digest that the record names.
    Here(Vec<u8>),
    /// It is not in this clone.
    Missing,
    /// It was removed, as this record says.
    Expunged(Expunged),
}

/// How much of what the records name is in this clone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaterialCount {
    /// Here, and what the records say.
    pub present: usize,
    /// Not here.
    pub missing: usize,
    /// Removed, as the ledger says.
    pub expunged: usize,
}

impl MaterialCount {
    /// Counts one more.
    pub fn add(&mut self, kept: &Kept) {
        match kept {
            Kept::Here(_) => self.present += 1,
            Kept::Missing => self.missing += 1,
            Kept::Expunged(_) => self.expunged += 1,
        }
    }

    /// What this counts and the others do.
    pub fn plus(self, more: MaterialCount, less: MaterialCount) -> MaterialCount {
        let sum = |own: usize, more: usize, less: usize| (own + more).saturating_sub(less);
        MaterialCount {
            present: sum(self.present, more.present, less.present),
            missing: sum(self.missing, more.missing, less.missing),
            expunged: sum(self.expunged, more.expunged, less.expunged),
        }
    }
}

/// The path among the attachments of what records name `evidence/<run>/<evidence>/…`.
pub(super) fn path_of(run: &RunId, evidence: &EvidenceId, path: &str) -> String {
    let prefix = Evidence::artifact_prefix(run, evidence);
    format!("{}/{}", layout::material_dir(run, evidence), path.strip_prefix(&prefix).unwrap_or(path))
}

/// Reads an artifact; bytes that are not what the record says are a fault (RAPID1205). What was `expunged` is not looked for.
pub(super) fn read(
    attachments: &View<'_>,
    expunged: &[Expunged],
    evidence: &Evidence,
    artifact: &Artifact,
) -> Result<Kept> {
    let removed = Removed::File(artifact.sha256);
    if let Some(record) = expunged.iter().find(|record| record.path == artifact.path && record.removed == removed) {
        return Ok(Kept::Expunged(record.clone()));
    }
    let path = path_of(&evidence.run_id, &evidence.id, artifact.path.as_str());
    let mut found = Ok(Kept::Missing);
    for path in places(attachments, &path)? {
        match attachments.read_capped(&path, CAP) {
            Ok(None) => {}
            Ok(Some(bytes)) if bytes.len() as u64 == artifact.size_bytes && Digest::of(&bytes) == artifact.sha256 => {
                return Ok(Kept::Here(bytes));
            }
            Ok(Some(_)) => {
                found = Err(Code::Rapid1205
                    .because(format!("the artifact is not what {} recorded", evidence.id))
                    .at(artifact.path.as_str()));
            }
            // An object that was not fetched (a partial or pruned clone) is missing material, not a fault.
            Err(error) if error.code == Code::Rapid1505 => {}
            Err(error) => found = Err(error.at(artifact.path.as_str())),
        }
    }
    found
}

/// Where a piece of material may lie: under its path, or beside it where two clones had one each.
pub(super) fn places(attachments: &View<'_>, path: &str) -> Result<Vec<String>> {
    let beside = format!("{OTHER}/{path}");
    let others = attachments.list(&beside)?.into_iter().map(|id| format!("{beside}/{id}"));
    Ok([path.to_owned()].into_iter().chain(others).collect())
}

impl super::Registry<'_> {
    /// An artifact of a piece of evidence.
    pub fn artifact(&self, evidence: &Evidence, artifact: &Artifact) -> Result<Kept> {
        let expunged = self.records()?.expunged_of(&evidence.run_id)?;
        read(&self.ledger().attachments()?, &expunged, evidence, artifact)
    }

    /// The objects that may be an artifact of a piece of evidence, as far as the attachments name them: here or not.
    pub fn promised(&self, evidence: &Evidence, artifact: &Artifact) -> Result<Vec<Oid>> {
        let attachments = self.ledger().attachments()?;
        let mut out = Vec::new();
        for path in places(&attachments, &path_of(&evidence.run_id, &evidence.id, artifact.path.as_str()))? {
            out.extend(attachments.locate(&path)?.map(|(_, id)| id));
        }
        Ok(out)
    }

    /// The tree that was kept with a piece of evidence, when it is here.
    pub fn kept_tree(&self, evidence: &Evidence) -> Result<Option<Oid>> {
        let path = format!("{}/tree", layout::material_dir(&evidence.run_id, &evidence.id));
        let attachments = self.ledger().attachments()?;
        let mut found = Vec::new();
        for path in places(&attachments, &path)? {
            found.extend(attachments.locate(&path)?.filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| id));
        }
        if found.len() > 1 {
            // Two clones kept one each under this id; the record says which is its own.
            let record = evidence.to_value();
            let named = record.get("payload").and_then(|payload| payload.get("tree")).and_then(Value::as_text);
            found.retain(|id| named == Some(id.to_string().as_str()));
        }
        Ok(found.first().copied())
    }
}

/// The directories (`runs/…/`) of the runs whose material differs between two tips of the attachments.
pub fn runs_with_new_material(repository: &Repository, old: Option<Oid>, new: Option<Oid>) -> Result<Vec<String>> {
    if old == new {
        return Ok(Vec::new());
    }
    let (old, new) = (View::at(repository, old)?, View::at(repository, new)?);
    let mut out = Vec::new();
    let both =
        |path: &str| -> Result<BTreeSet<String>> { Ok(old.list(path)?.into_iter().chain(new.list(path)?).collect()) };
    for shard in both("")? {
        if old.locate(&shard)? == new.locate(&shard)? {
            continue;
        }
        for name in both(&shard)? {
            let path = format!("{shard}/{name}");
            if old.locate(&path)? != new.locate(&path)?
                && let Ok(run) = RunId::parse(&name)
            {
                out.push(format!("{}/", layout::run_dir(&run)));
            }
        }
    }
    Ok(out)
}
