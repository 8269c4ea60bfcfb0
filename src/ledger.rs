//! The ledger: bytes under paths on a ref, that only ever grow (design §4).
//!
//! It knows entries, paths, two refs and a lock; it does not know what a run is (`registry`). There is one door for
//! writing, [`Ledger::transact`], and one for reading, [`View`]; `verify` proves what others wrote.

mod decision;
mod entry;
mod expunge;
mod genesis;
mod history;
mod join;
mod lines;
mod lock;
mod material;
mod mend;
mod merge;
mod path;
mod publish;
mod reads;
mod spool;
mod transaction;
pub mod verify;
mod view;

pub use decision::{DIVERGED, subject_of};
pub use entry::{Additions, EntryInfo, Material};
pub use expunge::{EXPUNGED, Gone};
pub use genesis::{FORMAT, first_entry};
pub use history::Walk;
pub use join::{Divergence, Side};
pub use lines::{Link, only};
pub use material::OTHER;
pub use mend::Damage;
pub use merge::{Joining, Merged};
pub use path::{LedgerPath, shard};
pub use publish::Piece;
pub use reads::{Known, Reads};
pub use spool::{Folding, SpooledEntry, Tips};
pub use view::View;

use crate::diagnostics::{Code, Result};
use crate::git::{Oid, Repository};

/// The proof: small canonical records only.
pub const LEDGER_REF: &str = "refs/rapid/ledger";

/// The material: logs, artifacts, trees.
pub const ATTACHMENTS_REF: &str = "refs/rapid/attachments";

/// The ledger of a repository.
pub struct Ledger<'r> {
    repository: &'r Repository,
}

impl<'r> Ledger<'r> {
    /// The ledger of this repository, whether it has begun or not.
    pub fn of(repository: &'r Repository) -> Ledger<'r> {
        Ledger { repository }
    }

    /// The repository.
    pub fn repository(&self) -> &'r Repository {
        self.repository
    }

    /// The newest entry; `None` when the ledger has not begun.
    pub fn tip(&self) -> Result<Option<Oid>> {
        self.repository.read_ref(LEDGER_REF)
    }

    /// The newest entry of the attachments.
    pub fn attachments_tip(&self) -> Result<Option<Oid>> {
        self.repository.read_ref(ATTACHMENTS_REF)
    }

    /// Where both stand for this clone's own commands: with the entries that wait in the spool.
    pub fn standing_tips(&self) -> Result<Tips> {
        Ok(self.standing()?.tips)
    }

    /// The ledger as it stands, with what waits in the spool; empty when it has not begun.
    pub fn view(&self) -> Result<View<'r>> {
        View::at(self.repository, self.standing_tips()?.ledger)
    }

    /// The ledger as it stands, with what waits in the spool; RAPID1510 when it has not begun.
    pub fn existing_view(&self) -> Result<View<'r>> {
        let tip = self.standing_tips()?.ledger;
        if tip.is_none() {
            let remote = self.repository.remote_names().first().cloned();
            let bring = remote.map(|remote| format!("bring the ledger of '{remote}': git rapid fetch {remote}"));
            let none = Code::Rapid1510.because("this clone has no ledger yet").at(LEDGER_REF);
            return Err(none.hint(bring.unwrap_or_else(|| {
                "it begins with the first run or mission here: git rapid start, or git rapid mission plan".to_owned()
            })));
        }
        View::at(self.repository, tip)
    }

    /// The attachments as they stand, with what waits in the spool; empty when there are none.
    pub fn attachments(&self) -> Result<View<'r>> {
        View::at(self.repository, self.standing_tips()?.attachments)
    }
}

#[cfg(test)]
mod tests;
