//! The file of a spooled entry: what it adds, on which tips it was decided, and the digest of each record. Canonical JSON with
//! its own digest; anything else is no entry.

use super::named;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::Digest,
    json::{self, Fields, Value},
};
use crate::git::Oid;
use crate::ledger::{LedgerPath, View};
use std::collections::BTreeMap;

const CODE: Code = Code::Rapid1571;

/// The newest entries of both refs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tips {
    /// Of the proof.
    pub ledger: Option<Oid>,
    /// Of the material.
    pub attachments: Option<Oid>,
}

/// A piece of material that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes with this digest.
    Bytes(Digest),
    /// This tree.
    Tree(Oid),
}

/// An entry that waits to be folded in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpooledEntry {
    /// 1, 2, 3 … among those that wait.
    pub ordinal: u32,
    /// The digest of the file before it.
    pub after: Option<Digest>,
    /// What it was decided on.
    pub before: Tips,
    /// What it made of that.
    pub made: Tips,
    /// The verb.
    pub verb: String,
    /// What it speaks of.
    pub about: String,
    /// What happened, in a few words.
    pub subject: String,
    /// Its records, by path.
    pub records: BTreeMap<LedgerPath, Digest>,
    /// Its material, by path.
    pub material: BTreeMap<LedgerPath, Piece>,
}

impl SpooledEntry {
    /// Its file's name.
    pub fn file_name(&self) -> String {
        format!("{:04}.json", self.ordinal)
    }

    /// Whether all that it adds is there already.
    pub(in crate::ledger) fn is_in(&self, view: &View<'_>) -> Result<bool> {
        for (path, digest) in &self.records {
            if view.read(path.as_str())?.is_none_or(|bytes| Digest::of(&bytes) != *digest) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn body(&self) -> Value {
        let records = self.records.iter().map(|(path, digest)| (path.to_string(), (*digest).into()));
        let material = self.material.iter().map(|(path, piece)| {
            let piece = match piece {
                Piece::Bytes(digest) => Value::object([("sha256", (*digest).into())]),
                Piece::Tree(id) => Value::object([("tree", id.to_string().into())]),
            };
            (path.to_string(), piece)
        });
        Value::object([
            ("schema_version", 1.into()),
            ("ordinal", self.ordinal.into()),
            ("after", self.after.into()),
            ("before", tips_value(self.before)),
            ("made", tips_value(self.made)),
            ("verb", (&self.verb).into()),
            ("about", (&self.about).into()),
            ("subject", (&self.subject).into()),
            ("records", Value::Object(records.collect())),
            ("material", Value::Object(material.collect())),
        ])
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.body();
        let digest = Digest::of_value(&body);
        body.with("digest", digest).record_bytes()
    }

    /// Reads exactly what [`SpooledEntry::to_bytes`] writes (RAPID1571).
    pub fn from_bytes(bytes: &[u8]) -> Result<SpooledEntry> {
        let value = json::parse(bytes).map_err(|fault| CODE.because(format!("it is not JSON: {fault}")))?;
        let digest = value.get("digest").and_then(Value::as_text).map(str::to_owned);
        let body = value.without("digest");
        if digest != Some(Digest::of_value(&body).to_string()) {
            return Err(CODE.because("its digest does not hold: it was changed after it was written"));
        }
        let mut fields = Fields::of(body, CODE, "a spooled entry")?;
        fields.version()?;
        let mut records = BTreeMap::new();
        for (path, digest) in members(fields.required("records")?)? {
            let Value::Text(digest) = digest else { return Err(fields.fault("a record has no digest")) };
            records.insert(LedgerPath::parse(&path)?, Digest::parse(&digest, CODE)?);
        }
        let mut material = BTreeMap::new();
        for (path, piece) in members(fields.required("material")?)? {
            let mut piece = Fields::of(piece, CODE, "a piece of material")?;
            let read = match (piece.optional_text("sha256")?, piece.optional_text("tree")?) {
                (Some(digest), None) => Piece::Bytes(Digest::parse(&digest, CODE)?),
                (None, Some(id)) => Piece::Tree(Oid::from_hex(&id)?),
                _ => return Err(piece.fault("it is either bytes or a tree")),
            };
            piece.end()?;
            material.insert(LedgerPath::parse(&path)?, read);
        }
        let entry = SpooledEntry {
            ordinal: fields.ordinal("ordinal")?,
            after: fields.text_or_null("after")?.map(|digest| Digest::parse(&digest, CODE)).transpose()?,
            before: tips(fields.required("before")?)?,
            made: tips(fields.required("made")?)?,
            verb: fields.text("verb")?,
            about: fields.text("about")?,
            subject: fields.text("subject")?,
            records,
            material,
        };
        fields.end()?;
        match entry.to_bytes() == bytes {
            true => Ok(entry),
            false => Err(CODE.because("it is not written in its canonical form")),
        }
    }
}

fn members(value: Value) -> Result<BTreeMap<String, Value>> {
    match value {
        Value::Object(members) => Ok(members),
        _ => Err(CODE.because("what it adds is no object")),
    }
}

fn tips_value(tips: Tips) -> Value {
    Value::object([("ledger", named(tips.ledger).into()), ("attachments", named(tips.attachments).into())])
}

fn tips(value: Value) -> Result<Tips> {
    let mut fields = Fields::of(value, CODE, "the tips of a spooled entry")?;
    let mut one = |key: &'static str| fields.text_or_null(key)?.map(|id| Oid::from_hex(&id)).transpose();
    let tips = Tips { ledger: one("ledger")?, attachments: one("attachments")? };
    fields.end()?;
    Ok(tips)
}
