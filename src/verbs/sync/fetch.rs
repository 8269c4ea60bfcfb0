//! `fetch`: bring a remote's ledger into its tracker, prove it there, and join it.

use super::{
    Take, divergence, material,
    place::{BRANCH, Place, tracker},
    seen,
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Oid, Repository};
use crate::ledger::{Ledger, Merged};
use crate::os::fault;
use crate::registry::gone;
use crate::verbs::{rapid::Rapid, verify};

/// What a fetch brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The remote.
    pub remote: String,
    /// How its ledger came together with ours; `None` when the remote has none.
    pub merged: Option<Merged>,
    /// The entries there are now.
    pub tip: Option<Oid>,
    /// How many pieces of its material no record names; they were left where they are.
    pub left_out: usize,
    /// The remote has none where it was looked for, and a branch of the name that such servers are given it under.
    pub on_branch: bool,
}

/// What a remote showed, and lies in its trackers now.
pub(super) struct Brought {
    pub(super) ledger: Option<Oid>,
    pub(super) attachments: Option<Oid>,
    /// There is a branch of the usual name for it.
    on_branch: bool,
}

/// Brings a remote's ledger, proves it, and joins it; `takes` are a person's choices where a subject diverged.
pub fn fetch(rapid: &Rapid, named: Option<&str>, takes: &[Take]) -> Result<Fetched> {
    fetch_from(rapid, Place::of(rapid, named)?, takes)
}

pub(super) fn fetch_from(rapid: &Rapid, place: Place, takes: &[Take]) -> Result<Fetched> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let ledger = registry.ledger();
    registry.fold()?;
    let before = seen::last(repository, &place.remote)?;
    let brought = bring(repository, &place)?;
    let Some(theirs) = brought.ledger else {
        return match before {
            Some(_) => Err(rolled_back(&place.remote, "has no ledger any more", before)),
            None => Ok(Fetched {
                remote: place.remote,
                merged: None,
                tip: ledger.tip()?,
                left_out: 0,
                on_branch: brought.on_branch,
            }),
        };
    };
    refuse_rollback(ledger, &place, before, theirs)?;
    refuse_unverified(rapid, &place, theirs)?;
    seen::remember(repository, &place.remote, theirs)?;
    fault::point("theirs-verified");
    let merged = divergence::merge(ledger, &place, theirs, takes)?;
    divergence::forget_joined(ledger, &place)?;
    let left_out = match brought.attachments {
        Some(theirs) => material::join(rapid, theirs)?,
        None => 0,
    };
    ledger.settle_expunged(gone)?;
    Ok(Fetched { remote: place.remote, merged: Some(merged), tip: ledger.tip()?, left_out, on_branch: false })
}

/// Brings what the remote shows into the trackers. Nothing that arrives is trusted.
pub(super) fn bring(repository: &Repository, place: &Place) -> Result<Brought> {
    let refs = [("ledger", &place.ledger), ("attachments", &place.attachments)];
    let shown = repository.remote_refs(&place.address, &[&place.ledger, &place.attachments, BRANCH])?;
    let there: Vec<_> = refs.iter().filter(|(_, name)| shown.iter().any(|shown| shown.name == **name)).collect();
    let specs: Vec<String> = there.iter().map(|(own, name)| format!("+{name}:{}", place.tracker(own))).collect();
    if !specs.is_empty() {
        repository.fetch(&place.address, &specs)?;
    }
    let tip = |own: &str| match there.iter().any(|(name, _)| *name == own) {
        true => repository.read_ref(&place.tracker(own)),
        false => Ok(None),
    };
    let on_branch = shown.iter().any(|shown| shown.name == BRANCH);
    let brought = Brought { ledger: tip("ledger")?, attachments: tip("attachments")?, on_branch };
    // A filtered clone leaves the records out, which are what a ledger is: they come in one go. One that leaves out trees too
    // cannot tell which records there are before it has those.
    if let (Some(tip), Some(promisor)) = (brought.ledger, repository.promisor()) {
        let known = Ledger::of(repository).tip()?;
        for _ in ["trees", "records"] {
            repository.fetch_objects(&promisor, &repository.missing_behind(tip, known)?)?;
        }
    }
    fault::point("fetched");
    Ok(brought)
}

/// Refuses a remote that shows less than it showed before.
fn refuse_rollback(ledger: &Ledger<'_>, place: &Place, before: Option<Oid>, theirs: Oid) -> Result<()> {
    match before {
        Some(before) if !ledger.is_ancestor(before, theirs)? => {
            let what = "shows a ledger that does not contain what it showed before";
            Err(rolled_back(&place.remote, what, Some(before)))
        }
        _ => Ok(()),
    }
}

fn rolled_back(remote: &str, what: &str, before: Option<Oid>) -> Diagnostic {
    let before = before.map_or_else(String::new, |id| format!(" (last seen: {})", id.short()));
    Code::Rapid1535
        .because(format!("the remote '{remote}' {what}{before}"))
        .hint("nothing here was changed; find out who rewound it")
        .hint("'git rapid push' puts back what this clone has, without force")
}

fn refuse_unverified(rapid: &Rapid, place: &Place, theirs: Oid) -> Result<()> {
    let known = verify::recall(rapid.repository());
    let proof = verify::prove(rapid.repository(), theirs, None, known.as_ref(), None)?;
    match proof.findings.first() {
        None => Ok(()),
        Some(first) => {
            let more = proof.findings.len().saturating_sub(1);
            let mut refusal = first.diagnostic.clone();
            refusal.message =
                format!("the ledger of '{}' does not verify: {} ({more} more findings)", place.remote, refusal.message);
            Err(refusal.hint(format!("see all of them: git rapid verify {}", place.tracker("ledger"))))
        }
    }
}

/// What the trackers say of remotes whose ledger was verified here before: gone, or less than it was (RAPID1553).
pub fn vanished(rapid: &Rapid) -> Result<Vec<Diagnostic>> {
    let remotes = rapid.repository().remote_names();
    remotes.iter().filter_map(|remote| vanished_from(rapid, remote).transpose()).collect()
}

/// What the tracker says of one of them.
pub(super) fn vanished_from(rapid: &Rapid, remote: &str) -> Result<Option<Diagnostic>> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let Some(before) = seen::last(repository, remote)? else { return Ok(None) };
    let name = tracker(remote, "ledger");
    let what = match repository.read_ref(&name)? {
        None => "is gone from what was last fetched",
        Some(tip) if !registry.ledger().is_ancestor(before, tip).unwrap_or(true) => "was rolled back",
        Some(_) => return Ok(None),
    };
    let words = format!("the ledger of '{remote}' {what}; last verified tip there: {}", before.short());
    let hint = format!("git rapid fetch {remote}; 'git rapid push {remote}' puts back what this clone has");
    Ok(Some(Code::Rapid1553.because(words).at(name).hint(hint)))
}
