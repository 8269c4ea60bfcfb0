//! Proving a ledger (design §4.6): every entry's bytes, grammar and additions, whatever this clone's configuration says.
//!
//! All findings are listed, none stops the walk. What the records mean is not known here: the caller reads them together, and
//! says of each one that was not read so what is wrong with it.

mod decided;
mod directory;
mod remembered;
mod shares;
mod trees;
mod unread;
mod walk;

pub use unread::{Check, check_unread};
pub use walk::{Introduced, Walk, walk};

use crate::diagnostics::{Code, Diagnostic};
use crate::git::Oid;

/// How many findings one thread lists; nobody reads the next.
const MOST_FINDINGS: usize = 10_000;

/// Something wrong, and in which entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// The entry that brought it in; `None` for what no single entry did.
    pub entry: Option<Oid>,
}

impl Finding {
    /// A finding about an entry.
    pub fn of(entry: Oid, diagnostic: Diagnostic) -> Finding {
        Finding { diagnostic, entry: Some(entry) }
    }

    /// Whether it is only worth saying: it moves no answer.
    pub fn is_remark(&self) -> bool {
        self.diagnostic.code.class() <= crate::diagnostics::Class::Warning
    }

    /// Whether it only says that something could not be looked at: it disproves nothing.
    pub fn is_absence(&self) -> bool {
        matches!(
            self.diagnostic.code,
            Code::Rapid1444 | Code::Rapid1505 | Code::Rapid1519 | Code::Rapid1510 | Code::Rapid1532
        )
    }
}
