//! What a push makes public: entries, records by subject, material by level; and what stays in this clone.

use super::place::Place;
use crate::diagnostics::Result;
use crate::domain::{config::PushAttachments, ids::RunId};
use crate::git::{Oid, Repository};
use crate::ledger::{OTHER, Piece, subject_of};
use crate::verbs::rapid::Rapid;
use std::collections::{BTreeMap, BTreeSet};

/// What a push would make public.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Publication {
    /// How many entries the remote has not.
    pub entries: usize,
    /// The records that it has not, by subject.
    pub records: BTreeMap<String, Vec<String>>,
    /// The material that it has not and would get, with sizes; a tree has that of all its files.
    pub attachments: Vec<(String, u64)>,
    /// The material that it has not and would not get.
    pub stays: Vec<(String, u64)>,
}

/// Which pieces of the attachments the level publishes, and which stay here.
pub(super) fn by_level(rapid: &Rapid, level: PushAttachments) -> Result<(Vec<Piece>, Vec<Piece>)> {
    let registry = rapid.registry();
    let pieces = registry.ledger().pieces(registry.ledger().attachments_tip()?)?;
    let over = match level {
        PushAttachments::Final => runs_that_are_over(rapid)?,
        _ => BTreeSet::new(),
    };
    let public = |piece: &Piece| match level {
        PushAttachments::None => false,
        PushAttachments::All => true,
        // Trees hold files that were never committed; whoever has the commit has the rest.
        PushAttachments::Final => !piece.is_tree && run_of(&piece.path).is_some_and(|run| over.contains(run)),
    };
    Ok(pieces.into_iter().partition(public))
}

fn runs_that_are_over(rapid: &Rapid) -> Result<BTreeSet<String>> {
    let records = rapid.registry().records()?;
    let mut over = BTreeSet::new();
    for id in records.run_ids()? {
        if records.run(&id)?.state()?.status.is_terminal() {
            over.insert(id.to_string());
        }
    }
    Ok(over)
}

/// The run that a piece belongs to: `aa/<run>/…`.
fn run_of(path: &str) -> Option<&str> {
    let path = path.strip_prefix(OTHER).and_then(|path| path.strip_prefix('/')).unwrap_or(path);
    path.split('/').nth(1).filter(|run| RunId::parse(run).is_ok())
}

/// The tip of the attachments that the level publishes on top of what the remote has; `None`: nothing is sent.
pub(in crate::verbs) fn material(rapid: &Rapid, level: PushAttachments, public: Option<Oid>) -> Result<Option<Oid>> {
    let registry = rapid.registry();
    match level {
        PushAttachments::None => Ok(None),
        PushAttachments::All => registry.ledger().attachments_tip(),
        PushAttachments::Final => registry.ledger().publishable(&by_level(rapid, level)?.0, public),
    }
}

/// What a push to `place` would make public, given the tips that it shows.
pub(super) fn publication(
    rapid: &Rapid,
    level: PushAttachments,
    tip: Oid,
    theirs: Option<Oid>,
    material: Option<Oid>,
) -> Result<Publication> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let ledger = registry.ledger();
    let mut out = Publication { entries: beyond(repository, tip, theirs)?, ..Publication::default() };
    let before = theirs.map_or_else(|| Ok(Oid::empty_tree(repository.format())), |id| repository.tree_of(id))?;
    for change in repository.tree_changes(before, repository.tree_of(tip)?)? {
        if change.new.is_some() {
            out.records.entry(subject_of(&change.path)).or_default().push(change.path);
        }
    }
    let there: BTreeSet<Piece> = ledger.pieces(material)?.into_iter().collect();
    let (public, here) = by_level(rapid, level)?;
    let sized = |pieces: Vec<Piece>| -> Result<Vec<(String, u64)>> {
        let new = pieces.into_iter().filter(|piece| !there.contains(piece));
        new.map(|piece| Ok((piece.path.clone(), size(repository, &piece)?))).collect()
    };
    out.attachments = sized(public)?;
    out.stays = sized(here)?;
    Ok(out)
}

fn size(repository: &Repository, piece: &Piece) -> Result<u64> {
    if !piece.is_tree {
        return Ok(repository.size_of(piece.id).unwrap_or(0));
    }
    let files = repository.tree_changes(Oid::empty_tree(repository.format()), piece.id)?;
    Ok(files.iter().filter_map(|file| file.new).filter_map(|(_, id)| repository.size_of(id)).sum())
}

/// How many entries `tip` has that `other` has not.
pub(super) fn beyond(repository: &Repository, tip: Oid, other: Option<Oid>) -> Result<usize> {
    use crate::diagnostics::Code;
    if other == Some(tip) {
        return Ok(0);
    }
    let mut range = vec![tip.to_string()];
    range.extend(other.map(|other| format!("^{other}")));
    let git = repository.git().arguments(["rev-list", "--count", "--end-of-options"]).arguments(range);
    git.run()?.text().trim().parse().map_err(|_| Code::Rapid1503.because("git printed an odd number"))
}

impl Publication {
    /// Whether nothing would become public.
    pub fn is_empty(&self) -> bool {
        self.entries == 0 && self.attachments.is_empty()
    }
}

/// The refspecs of a push, and the refs that they move there.
pub(super) fn refspecs(place: &Place, tip: Oid, material: Option<Oid>) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    // The material goes first: where a server takes one after the other, no record is public before what it names.
    out.extend(material.map(|id| (format!("{id}:{}", place.attachments), place.attachments.clone())));
    out.push((format!("{tip}:{}", place.ledger), place.ledger.clone()));
    out
}
