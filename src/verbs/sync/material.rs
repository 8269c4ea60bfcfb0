//! What a remote has of material, before it is joined: each piece has to be what a record of the proved ledger names.
//!
//! Whoever may push may put anything on that ref. What no record names is left where it is, with the history it lies in; the
//! rest is joined. Not here: what a piece has to be (`registry::Vouching`), and joining (`ledger`).

use crate::diagnostics::Result;
use crate::git::Oid;
use crate::ledger::{OTHER, Piece};
use crate::registry::{Vouching, gone};
use crate::verbs::rapid::Rapid;
use std::collections::BTreeSet;

/// The place that a piece has by its record, and the piece: where two clones had one each, one of them lies beside the other.
fn meant(piece: &Piece) -> (&str, Oid) {
    let beside = piece.path.strip_prefix(OTHER).and_then(|path| path.strip_prefix('/'));
    let own = beside.and_then(|path| path.rsplit_once('/')).map_or(piece.path.as_str(), |(path, _)| path);
    (own, piece.id)
}

/// Joins the sound part of what a remote has; returns how many of its pieces were left out.
pub(super) fn join(rapid: &Rapid, theirs: Oid) -> Result<usize> {
    let registry = rapid.registry();
    let ledger = registry.ledger();
    let ours = ledger.attachments_tip()?;
    if let Some(ours) = ours
        && ledger.is_ancestor(theirs, ours)?
    {
        return Ok(0);
    }
    let mine: BTreeSet<Piece> = ledger.pieces(ours)?.into_iter().collect();
    let others: BTreeSet<Piece> = ledger.pieces(Some(theirs))?.into_iter().collect();
    let records = registry.records()?;
    let mut vouching = Vouching::by(&records);
    let (mut sound, mut left_out) = (Vec::new(), 0);
    for piece in others.difference(&mine) {
        match vouching.names(piece)? {
            true => sound.push(piece.clone()),
            false => left_out += 1,
        }
    }
    // A tip that only went on from ours has all that we have; one that dropped something is not followed.
    let goes_on = match ours {
        Some(ours) => ledger.is_ancestor(ours, theirs)?,
        None => true,
    };
    if left_out == 0
        && (!goes_on || mine.iter().map(meant).collect::<BTreeSet<_>>().is_subset(&others.iter().map(meant).collect()))
    {
        ledger.merge_attachments(theirs, gone)?;
    } else if let Some(tip) = ledger.publishable(&sound, ours)?
        && Some(tip) != ours
    {
        ledger.merge_attachments(tip, gone)?;
    }
    Ok(left_out)
}
