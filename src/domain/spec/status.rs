//! The status records of a spec: one for each move, numbered 1, 2, 3 …

use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::{Digest, sealed},
    ids::SpecId,
    json::{Fields, Value},
    lifecycle::SpecStatus,
};

/// Where a spec stands after one move, and which revision is current then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusRecord {
    /// The spec.
    pub spec_id: SpecId,
    /// 1, 2, 3 …
    pub ordinal: u32,
    /// Where it stands.
    pub status: SpecStatus,
    /// The current revision.
    pub current_revision: u32,
}

impl StatusRecord {
    fn body(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("spec_id", (&self.spec_id).into()),
            ("ordinal", self.ordinal.into()),
            ("status", self.status.into()),
            ("current_revision", self.current_revision.into()),
        ])
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    /// Reads and verifies what [`StatusRecord::to_value`] writes; faults are RAPID801.
    pub fn from_value(value: Value) -> Result<StatusRecord> {
        let code = Code::Rapid801;
        let mut fields = Fields::of(value, code, "the spec status")?;
        fields.version()?;
        let record = StatusRecord {
            spec_id: SpecId::parse(&fields.text("spec_id")?)?,
            ordinal: fields.ordinal("ordinal")?,
            status: SpecStatus::parse(&fields.text("status")?, code)?,
            current_revision: fields.ordinal("current_revision")?,
        };
        let stored = Digest::parse(&fields.text("content_digest")?, code)?;
        fields.end()?;
        match stored == Digest::of_value(&record.body()) {
            true => Ok(record),
            false => Err(code.because("the digest of the spec status does not hold")),
        }
    }

    /// Whether `self` may follow `before`: a legal move, or a new revision that is a draft again (§1.3, §2.2).
    pub fn follows(&self, before: &StatusRecord) -> Result<()> {
        before.status.step(self.status)?;
        let revised = self.current_revision == before.current_revision + 1 && self.status == SpecStatus::Draft;
        match self.ordinal == before.ordinal + 1 && (self.current_revision == before.current_revision || revised) {
            true => Ok(()),
            false => Err(Code::Rapid805.because("the spec's status history takes an illegal step")),
        }
    }
}
