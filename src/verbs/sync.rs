//! `fetch`, `push` and `sync`: the ledger between clones. What arrives is proved before anything is joined to it; nothing is
//! ever forced, and nothing that diverged is decided by anybody but a person (design §4.5).

mod divergence;
mod fetch;
mod material;
mod place;
mod public;
mod push;
mod seen;

pub use divergence::{Take, decided, named, remarks_on, ways_out};
pub use fetch::{Fetched, fetch, vanished};
pub use place::BRANCH;
pub use public::Publication;
pub use push::{Sent, push};

pub(super) use public::material as publishable_material;

use super::rapid::Rapid;
use crate::diagnostics::{Diagnostic, Result};
use crate::git::Oid;

/// How a remote's ledger stands to ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The remote.
    pub remote: String,
    /// Its tip, as last fetched.
    pub theirs: Option<Oid>,
    /// Entries that we have and it has not.
    pub ahead: Option<usize>,
    /// Entries that it has and we have not.
    pub behind: Option<usize>,
    /// The runs and specs that went on here and there, as a sync that was refused found them.
    pub diverged: Vec<String>,
    /// Its ledger is gone or less than what was verified of it (RAPID1553).
    pub vanished: Option<Diagnostic>,
}

/// What a sync did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synced {
    /// What came.
    pub fetched: Fetched,
    /// What went; `None` when there is no ledger on either side.
    pub sent: Option<Sent>,
}

/// Fetches, proves, joins and pushes; `takes` are a person's choices where a subject diverged.
pub fn sync(rapid: &Rapid, named: Option<&str>, takes: &[Take]) -> Result<Synced> {
    let fetched = fetch(rapid, named, takes)?;
    let sent = match fetched.tip {
        None => None,
        Some(_) => Some(push(rapid, Some(&fetched.remote), false)?),
    };
    Ok(Synced { fetched, sent })
}

/// Refuses settings that name no remote, or no ref that its ledger may have (RAPID1531, RAPID1554).
pub fn refuse_unknown_place(rapid: &Rapid) -> Result<()> {
    place::Place::of(rapid, None).map(drop)
}

/// How the fetched ledgers of all remotes stand to ours.
pub fn standings(rapid: &Rapid) -> Result<Vec<Standing>> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let ours = registry.ledger().tip()?;
    let mut out = Vec::new();
    for remote in repository.remote_names() {
        let theirs = repository.read_ref(&place::tracker(&remote, "ledger"))?;
        let (mut ahead, mut behind) = (None, None);
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            ahead = public::beyond(repository, ours, Some(theirs)).ok();
            behind = public::beyond(repository, theirs, Some(ours)).ok();
        }
        let vanished = fetch::vanished_from(rapid, &remote)?;
        let diverged = divergence::undecided(rapid, &remote)?;
        out.push(Standing { remote, theirs, ahead, behind, diverged, vanished });
    }
    Ok(out)
}
