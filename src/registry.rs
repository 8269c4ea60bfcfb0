//! Specs, runs, evidence, reports and the turns of stories: typed append and verifying read over the ledger.
//!
//! The only room that knows which record lies under which path. Reading verifies (digests, bindings, histories step by step);
//! writing goes through [`Registry::append`], one entry for each verb. What records mean together is `evaluator`'s.

mod audit;
mod draft;
mod expunged;
mod layout;
mod material;
mod meant;
mod mission;
mod promises;
mod records;
mod run;
mod session;
mod signatures;
mod spec;
mod spool;
mod story;
mod vouching;

pub use audit::{Audit, Scope, audit, check_record};
pub use draft::{Draft, NewArtifact};
pub use expunged::gone;
pub use layout::Place;
pub use material::{Kept, MaterialCount, runs_with_new_material};
pub use mission::RecordedMission;
pub use records::Records;
pub use run::Run;
pub use session::Sessions;
pub use signatures::Signatures;
pub use spec::Spec;
pub use story::Trees;
pub use vouching::Vouching;

use crate::diagnostics::Result;
use crate::git::{Oid, Repository};
use crate::ledger::Ledger;

/// The records of a repository.
pub struct Registry<'r> {
    ledger: Ledger<'r>,
}

impl<'r> Registry<'r> {
    /// The records of this repository.
    pub fn of(repository: &'r Repository) -> Registry<'r> {
        Registry { ledger: Ledger::of(repository) }
    }

    /// The ledger below.
    pub fn ledger(&self) -> &Ledger<'r> {
        &self.ledger
    }

    /// The repository below.
    pub fn repository(&self) -> &'r Repository {
        self.ledger.repository()
    }

    /// The records as they stand; none when the ledger has not begun.
    pub fn records(&self) -> Result<Records<'r>> {
        Ok(Records::of(self.ledger.view()?))
    }

    /// The records as they stand; RAPID1510 when the ledger has not begun.
    pub fn existing_records(&self) -> Result<Records<'r>> {
        Ok(Records::of(self.ledger.existing_view()?))
    }

    /// Appends one entry: `decide` sees the records as they stand and drafts what is added. Asked again when another
    /// writer was first.
    pub fn append<T>(&self, mut decide: impl FnMut(&Records<'r>) -> Result<(Draft, T)>) -> Result<(Oid, T)> {
        spool::with_folding(self.repository(), |folding| {
            self.ledger.transact(folding, |view| {
                let records = Records::of(view.again()?);
                let (draft, given) = decide(&records)?;
                Ok((draft.into_additions(), given))
            })
        })
    }
}
