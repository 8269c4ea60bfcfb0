//! The record that a piece of material was removed: which one, why, and by whom. It takes nothing from the proof: the evidence
//! keeps its digest, and this says why its bytes are nowhere any more.

use super::{
    digest::{Digest, sealed},
    evidence::Evidence,
    git_id::GitId,
    ids::{EvidenceId, RunId},
    json::{Fields, Value},
    text::{RelativePath, plain_text},
};
use crate::diagnostics::{Code, Result};

/// What was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removed {
    /// A log or an artifact, with the digest that the evidence names.
    File(Digest),
    /// The code that was kept, with the id that the evidence names, where it names one.
    Tree(Option<GitId>),
}

/// A piece of material that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expunged {
    /// The run.
    pub run_id: RunId,
    /// The evidence that it was kept with.
    pub evidence_id: EvidenceId,
    /// The digest of that evidence.
    pub evidence_digest: Digest,
    /// Its path, as records name it: `evidence/<run>/<evidence>/log`.
    pub path: RelativePath,
    /// What it was.
    pub removed: Removed,
    /// Why.
    pub reason: String,
    /// By whom, as they call themselves.
    pub by: String,
}

impl Expunged {
    fn body(&self) -> Value {
        let body = Value::object([
            ("schema_version", 1.into()),
            ("run_id", (&self.run_id).into()),
            ("evidence_id", (&self.evidence_id).into()),
            ("evidence_digest", self.evidence_digest.into()),
            ("path", (&self.path).into()),
            ("reason", (&self.reason).into()),
            ("by", (&self.by).into()),
        ]);
        match &self.removed {
            Removed::File(digest) => body.with("sha256", *digest),
            Removed::Tree(id) => body.with("tree", id.as_ref().map(GitId::as_str)),
        }
    }

    /// Its digest.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// The name of its file: the beginning of its digest, so that two clones that remove the same piece never meet under one path.
    pub fn file_name(&self) -> String {
        let digest = self.digest().to_string();
        format!("{}.json", digest.get(..16).unwrap_or(&digest))
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    /// Reads and verifies what [`Expunged::to_value`] writes; faults are RAPID1555.
    pub fn from_value(value: Value) -> Result<Expunged> {
        let code = Code::Rapid1555;
        let is_file = value.get("sha256").is_some();
        let mut fields = Fields::of(value, code, "the record of what was expunged")?;
        fields.version()?;
        let said = |text: String, what: &str| match text.trim().is_empty() {
            true => Err(code.because(format!("{what} is empty"))),
            false => plain_text(&text, code, what),
        };
        let record = Expunged {
            run_id: RunId::parse(&fields.text("run_id")?)?,
            evidence_id: EvidenceId::parse(&fields.text("evidence_id")?)?,
            evidence_digest: Digest::parse(&fields.text("evidence_digest")?, code)?,
            path: RelativePath::parse(&fields.text("path")?, code)?,
            reason: said(fields.text("reason")?, "the reason")?,
            by: said(fields.text("by")?, "who did it")?,
            removed: match is_file {
                true => Removed::File(Digest::parse(&fields.text("sha256")?, code)?),
                false => Removed::Tree(fields.text_or_null("tree")?.map(|id| GitId::parse(&id, code)).transpose()?),
            },
        };
        let stored = Digest::parse(&fields.text("content_digest")?, code)?;
        fields.end()?;
        match stored == record.digest() {
            true => Ok(record),
            false => Err(code.because("the digest of the record of what was expunged does not hold")),
        }
    }

    /// The path of the tree that was kept with a piece of evidence, as records name it.
    pub fn tree_path(run: &RunId, evidence: &EvidenceId) -> String {
        format!("{}tree", Evidence::artifact_prefix(run, evidence))
    }

    /// The tree that a piece of evidence names.
    pub fn tree_of(evidence: &Evidence) -> Option<GitId> {
        let record = evidence.to_value();
        let named = record.get("payload").and_then(|payload| payload.get("tree")).and_then(Value::as_text);
        named.and_then(|id| GitId::parse(id, Code::Rapid1555).ok())
    }

    /// Whether it removes something that this evidence kept, as the evidence names it.
    pub fn is_of(&self, evidence: &Evidence) -> bool {
        let named = match &self.removed {
            Removed::File(digest) => {
                evidence.artifacts.iter().any(|kept| kept.path == self.path && kept.sha256 == *digest)
            }
            Removed::Tree(id) => {
                self.path.as_str() == Expunged::tree_path(&evidence.run_id, &evidence.id)
                    && *id == Expunged::tree_of(evidence)
            }
        };
        named && self.evidence_id == evidence.id && self.evidence_digest == evidence.digest()
    }
}
