//! A spec as the ledger holds it: its revisions, documents and status records, all verified.

use super::{Place, Records, layout};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::SpecId,
    lifecycle::SpecStatus,
    spec::{Document, SpecRevision, StatusRecord},
};

/// A spec with its whole history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its id.
    pub id: SpecId,
    /// Its revisions, from 1.
    pub revisions: Vec<SpecRevision>,
    /// Its status records, from 1.
    pub history: Vec<StatusRecord>,
    /// Where it stands.
    pub status: SpecStatus,
}

impl Spec {
    /// The current revision (RAPID802 when there is none).
    pub fn current(&self) -> Result<&SpecRevision> {
        let number = self.history.last().map_or(0, |record| record.current_revision);
        self.revision(number)
    }

    /// A revision by its number (RAPID807).
    pub fn revision(&self, number: u32) -> Result<&SpecRevision> {
        let found = self.revisions.iter().find(|revision| revision.revision == number);
        found.ok_or_else(|| {
            Code::Rapid807
                .because(format!("spec '{}' has no revision {number}", self.id))
                .hint(format!("it has revisions 1 to {}", self.revisions.len()))
        })
    }
}

pub(super) fn load(records: &Records<'_>, id: &SpecId) -> Result<Spec> {
    if !records.has_spec(id)? {
        return Err(Code::Rapid807.because(format!("there is no spec '{id}'")).hint("see 'git rapid spec list'"));
    }
    let directory = layout::spec_dir(id);
    let mut history: Vec<StatusRecord> = Vec::new();
    for ordinal in 1..=records.count(&format!("{directory}/status"), ".json", Code::Rapid801)? {
        let place = Place::SpecStatus(id.clone(), ordinal);
        let value = records.value(&place)?.ok_or_else(|| Code::Rapid801.because("a status record is missing"))?;
        let record = StatusRecord::from_value(value).map_err(|error| error.at(place.path()))?;
        let fits = record.spec_id == *id && record.ordinal == ordinal;
        let follows = match history.last() {
            Some(before) => record.follows(before),
            None if record.current_revision == 1 && record.status != SpecStatus::Archived => Ok(()),
            None => Err(Code::Rapid801.because("the first status record is not that of a new spec")),
        };
        if !fits {
            return Err(Code::Rapid806
                .because(format!("the record belongs to spec '{}'", record.spec_id))
                .at(place.path()));
        }
        follows.map_err(|error| error.at(place.path()))?;
        history.push(record);
    }
    let last = history
        .last()
        .ok_or_else(|| Code::Rapid801.because(format!("spec '{id}' has no status record")).at(&directory))?;
    let status = last.status;
    let mut revisions = Vec::new();
    for number in 1..=last.current_revision {
        revisions.push(revision(records, id, number)?);
    }
    Ok(Spec { id: id.clone(), revisions, history, status })
}

fn revision(records: &Records<'_>, id: &SpecId, number: u32) -> Result<SpecRevision> {
    let place = Place::Revision(id.clone(), number);
    let value = records.value(&place)?;
    let value = value.ok_or_else(|| {
        Code::Rapid802.because(format!("revision {number} of spec '{id}' is missing")).at(place.path())
    })?;
    let revision = SpecRevision::from_value(value).map_err(|error| error.at(place.path()))?;
    if revision.spec_id != *id || revision.revision != number {
        return Err(Code::Rapid806.because("the revision belongs to another spec or number").at(place.path()));
    }
    for document in Document::ALL {
        let place = Place::Document(id.clone(), number, document.file_name().to_owned());
        let bytes = records.view().read(&place.path())?;
        if bytes.as_deref() != Some(document.render(&revision.content).as_bytes()) {
            return Err(Code::Rapid804
                .because("the document is missing or is not the render of its revision")
                .at(place.path()));
        }
    }
    Ok(revision)
}
