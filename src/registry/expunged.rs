//! What was removed from the material: the records of it, and the pieces that they mean. Their form is `domain`'s; that nothing
//! of it comes back is the ledger's.

use super::{Draft, Place, Records, Registry, layout, material, records::canonical, spool};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::Digest,
    evidence::Evidence,
    expunged::{Expunged, Removed},
    ids::{EvidenceId, RunId},
};
use crate::git::{Mode, Oid};
use crate::ledger::{DIVERGED, EXPUNGED, View};
use std::collections::BTreeSet;

impl Records<'_> {
    /// What was removed from a run's material.
    pub fn expunged_of(&self, run: &RunId) -> Result<Vec<Expunged>> {
        let mut out = Vec::new();
        for name in self.view().list(&layout::expunged_dir(run))? {
            let place = Place::Expunged(run.clone(), name);
            let Some(value) = self.value(&place)? else { continue };
            let record = Expunged::from_value(value).map_err(|error| error.at(place.path()))?;
            if record.run_id != *run || Place::Expunged(run.clone(), record.file_name()) != place {
                return Err(Code::Rapid1555.because("the record lies where another one belongs").at(place.path()));
            }
            out.push(record);
        }
        Ok(out)
    }

    /// The runs from whose material something was removed.
    pub fn runs_with_expunged(&self) -> Result<Vec<RunId>> {
        self.names_below(EXPUNGED)?.iter().map(|name| RunId::parse(name)).collect()
    }

    /// The record that says that this was removed, when one does.
    pub fn expunged(&self, run: &RunId, path: &str, removed: &Removed) -> Result<Option<Expunged>> {
        Ok(self.expunged_of(run)?.into_iter().find(|record| record.path.as_str() == path && record.removed == *removed))
    }

    /// Refuses records that mean nothing that the run recorded (RAPID1555). What a decision set aside was recorded too.
    pub(super) fn refuse_odd_expunged(&self, run: &RunId, evidence: &[Evidence]) -> Result<()> {
        for record in self.expunged_of(run)? {
            let stands = evidence.iter().any(|item| record.is_of(item));
            if !stands && !self.aside(run, &record.evidence_id)?.iter().any(|item| record.is_of(item)) {
                let path = Place::Expunged(run.clone(), record.file_name()).path();
                let words = format!("nothing that the run recorded is '{}' with this digest", record.path);
                return Err(Code::Rapid1555.because(words).at(path));
            }
        }
        Ok(())
    }

    /// Evidence with this id that decisions set aside, or kept, in earlier rounds.
    fn aside(&self, run: &RunId, id: &EvidenceId) -> Result<Vec<Evidence>> {
        let below = format!("{DIVERGED}/{}", layout::run_dir(run));
        let mut out = Vec::new();
        for decision in self.view().list(&below)? {
            for part in ["aside", "kept"] {
                let path = format!("{below}/{decision}/{part}/evidence/{id}.json");
                if let Some(bytes) = self.view().read(&path)? {
                    out.push(Evidence::from_value(canonical(&bytes)?).map_err(|error| error.at(path))?);
                }
            }
        }
        Ok(out)
    }
}

/// The paths among the attachments of what the ledger says was removed. A piece whose bytes are not here goes too.
pub fn gone(ledger: &View<'_>, attachments: &View<'_>) -> Result<BTreeSet<String>> {
    let records = Records::of(ledger.again()?);
    let mut out = BTreeSet::new();
    for run in records.runs_with_expunged()? {
        for record in records.expunged_of(&run)? {
            for path in material::places(
                attachments,
                &material::path_of(&record.run_id, &record.evidence_id, record.path.as_str()),
            )? {
                let Some((mode, id)) = attachments.locate(&path)? else { continue };
                let means = match (&record.removed, mode) {
                    (Removed::File(digest), Mode::File) => match attachments.read_capped(&path, material::CAP) {
                        Ok(bytes) => bytes.is_none_or(|bytes| Digest::of(&bytes) == *digest),
                        Err(_) => true,
                    },
                    (Removed::Tree(Some(tree)), Mode::Tree) => tree.as_str() == id.to_string(),
                    (Removed::Tree(None), Mode::Tree) => true,
                    _ => false,
                };
                if means {
                    out.insert(path);
                }
            }
        }
    }
    Ok(out)
}

impl<'r> Registry<'r> {
    /// Appends an entry with records of what was removed, and removes it from the attachments in the same moment.
    pub fn expunge<T>(&self, mut decide: impl FnMut(&Records<'r>) -> Result<(Draft, T)>) -> Result<(Oid, T)> {
        spool::with_folding(self.repository(), |folding| {
            self.ledger().expunge(
                folding,
                |view| {
                    let (draft, given) = decide(&Records::of(view.again()?))?;
                    Ok((draft.into_additions(), given))
                },
                gone,
            )
        })
    }
}
