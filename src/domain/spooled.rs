//! The mark beside records that waited in the spool: made where git's directories were closed, folded in by somebody else.
//!
//! It says how they came into the ledger, and nothing about what they are worth: whoever could write to the spool could have
//! written them.

use super::{
    digest::Digest,
    ids::RunId,
    json::{Fields, Value},
};
use crate::diagnostics::{Code, Result};
use std::collections::BTreeMap;

const CODE: Code = Code::Rapid1575;

/// The records of a run that waited, by path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpooledMark {
    /// The run.
    pub run_id: RunId,
    /// Its records, each with the digest of its bytes.
    pub records: BTreeMap<String, Digest>,
}

impl SpooledMark {
    /// Its JSON.
    pub fn to_value(&self) -> Value {
        let records = self.records.iter().map(|(path, digest)| (path.clone(), (*digest).into()));
        Value::object([
            ("schema_version", 1.into()),
            ("run_id", (&self.run_id).into()),
            ("records", Value::Object(records.collect())),
        ])
    }

    /// Reads what [`SpooledMark::to_value`] writes; faults are RAPID1575.
    pub fn from_value(value: Value) -> Result<SpooledMark> {
        let mut fields = Fields::of(value, CODE, "the mark of spooled records")?;
        fields.version()?;
        let run_id = RunId::parse(&fields.text("run_id")?)?;
        let Value::Object(members) = fields.required("records")? else {
            return Err(fields.fault("'records' is no object"));
        };
        fields.end()?;
        let records = members.into_iter().map(|(path, digest)| match digest {
            Value::Text(digest) => Ok((path, Digest::parse(&digest, CODE)?)),
            _ => Err(CODE.because("a record has no digest")),
        });
        Ok(SpooledMark { run_id, records: records.collect::<Result<_>>()? })
    }
}
