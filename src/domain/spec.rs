//! A spec revision: what is to be done, frozen (§2.3), and the status records of a spec (§2.2).
//!
//! The three documents (`render`) are pure renders of the fields; a revision binds them by digest.

mod draft;
mod markdown;
mod render;
mod status;

pub use draft::{SpecDraft, affected_path};
pub use markdown::from_markdown;
pub use render::Document;
pub use status::StatusRecord;

use super::{
    digest::Digest,
    ids::SpecId,
    json::{Fields, Value},
};
use crate::diagnostics::{Code, Result};

/// One revision of a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecRevision {
    /// The spec.
    pub spec_id: SpecId,
    /// 1, 2, 3 …
    pub revision: u32,
    /// What was written.
    pub content: SpecDraft,
    /// Digest of everything else, canonical-ASCII.
    pub content_digest: Digest,
}

impl SpecRevision {
    /// A revision of this content.
    pub fn new(spec_id: SpecId, revision: u32, content: SpecDraft) -> SpecRevision {
        let body = body(&spec_id, revision, &content);
        let content_digest = Digest::of_value_ascii(&body);
        SpecRevision { spec_id, revision, content, content_digest }
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        body(&self.spec_id, self.revision, &self.content).with("content_digest", self.content_digest)
    }

    /// Reads and verifies what [`SpecRevision::to_value`] writes; faults are RAPID803.
    pub fn from_value(value: Value) -> Result<SpecRevision> {
        let code = Code::Rapid803;
        let mut fields = Fields::of(value, code, "the spec revision")?;
        fields.version()?;
        let spec_id = SpecId::parse(&fields.text("spec_id")?)?;
        let revision = fields.ordinal("revision")?;
        let digests = fields.required("artifact_digests")?;
        let stored = Digest::parse(&fields.text("content_digest")?, code)?;
        let content = SpecDraft::from_fields(&mut fields)?;
        fields.end()?;
        let revision = SpecRevision::new(spec_id, revision, content);
        match () {
            () if digests != artifact_digests(&revision.content) => {
                Err(Code::Rapid804.because("the spec's documents are not the renders of its fields"))
            }
            () if stored != revision.content_digest => Err(code.because("the spec's content digest does not hold")),
            () => Ok(revision),
        }
    }
}

fn body(spec_id: &SpecId, revision: u32, content: &SpecDraft) -> Value {
    content
        .to_value()
        .with("schema_version", 1)
        .with("spec_id", spec_id)
        .with("revision", revision)
        .with("artifact_digests", artifact_digests(content))
}

fn artifact_digests(content: &SpecDraft) -> Value {
    Value::Object(
        Document::ALL
            .iter()
            .map(|document| (document.file_name().to_owned(), Digest::of(document.render(content).as_bytes()).into()))
            .collect(),
    )
}

#[cfg(test)]
mod tests;
