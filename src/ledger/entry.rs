//! What one entry adds, and what is known of an entry that was written.

use super::LedgerPath;
use crate::diagnostics::{Code, Result};
use crate::domain::text::is_invisible;
use crate::git::Oid;
use std::collections::{BTreeMap, BTreeSet};

/// Something filed among the attachments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Material {
    /// Bytes, stored as a file.
    Bytes(Vec<u8>),
    /// A tree that is in the repository already, filed as a directory.
    Tree(Oid),
}

/// What one entry adds to the ledger: all of it, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// For people: what happened, in a few words.
    pub subject: String,
    /// The verb that wrote it, for people who search.
    pub verb: String,
    /// The run, spec or other thing it speaks of, for people who search.
    pub about: String,
    /// Records, by path.
    pub records: BTreeMap<LedgerPath, Vec<u8>>,
    /// Material, by path among the attachments: `aa/subject/item/…`, each item with the record that it belongs to.
    pub material: BTreeMap<LedgerPath, Material>,
}

impl Additions {
    /// An entry that adds nothing yet.
    pub fn new(verb: &str, about: impl Into<String>, subject: impl Into<String>) -> Additions {
        Additions { subject: subject.into(), verb: verb.to_owned(), about: about.into(), ..Additions::default() }
    }

    /// Adds a record; a path that this entry has already is refused (RAPID1514).
    pub fn record(&mut self, path: &str, bytes: Vec<u8>) -> Result<()> {
        match self.records.insert(LedgerPath::parse(path)?, bytes) {
            None => Ok(()),
            Some(_) => Err(Code::Rapid1514.because(format!("'{path}' is written twice in one entry"))),
        }
    }

    /// Adds material; a path that this entry has already is refused (RAPID1514).
    pub fn attach(&mut self, path: &str, material: Material) -> Result<()> {
        match self.material.insert(LedgerPath::parse(path)?, material) {
            None => Ok(()),
            Some(_) => Err(Code::Rapid1514.because(format!("'{path}' is attached twice in one entry"))),
        }
    }

    /// The directories of the items that the material belongs to.
    pub(super) fn material_directories(&self) -> BTreeSet<String> {
        let items = self.material.keys().map(|path| path.as_str().split('/').take(3).collect::<Vec<_>>().join("/"));
        items.collect()
    }

    /// The commit message: a subject and trailers for people; nothing reads meaning from it.
    pub(super) fn message(&self) -> String {
        let one_line = |text: &str| {
            text.chars().map(|c| if c.is_control() || is_invisible(c) { ' ' } else { c }).collect::<String>()
        };
        let mut subject = one_line(&self.subject);
        if subject.trim().is_empty() {
            subject = one_line(&self.verb);
        }
        format!(
            "{}\n\nRapid-Verb: {}\nRapid-Subject: {}\n",
            subject.trim(),
            one_line(&self.verb),
            one_line(&self.about)
        )
    }
}

/// What is known of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryInfo {
    /// The commit.
    pub id: Oid,
    /// Its parents.
    pub parents: Vec<Oid>,
    /// Who wrote it down.
    pub author: String,
    /// When, in seconds since 1970, as its writer claims.
    pub seconds: i64,
    /// The first line of its message.
    pub subject: String,
    /// The verb its message names; for people.
    pub verb: String,
    /// What its message says it speaks of; for people.
    pub about: String,
}
