//! `expunge`: removes material from the attachments, by a record that everybody sees. The proof keeps the digests.
//!
//! It cannot be undone, and it can hide what a check printed: a person decides it, as they decide gates (`approval`).

use super::rapid::Rapid;
use crate::approval;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    evidence::Evidence,
    expunged::{Expunged, Removed},
    ids::{EvidenceId, RunId},
    text::RelativePath,
};
use crate::git::Oid;
use crate::ledger::Piece;
use crate::registry::{Draft, Records, Run, gone};
use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

/// What is asked.
pub struct Request {
    /// The run that ids of evidence belong to; `None`: the session's.
    pub run: Option<RunId>,
    /// What is removed: `E003`, or a path like `evidence/<run>/E003/log`.
    pub named: Vec<String>,
    /// Why.
    pub reason: String,
}

/// What was done.
pub struct Outcome {
    /// The records that were written.
    pub records: Vec<Expunged>,
    /// The entry that they were written in.
    pub entry: Oid,
    /// The pieces of material that were here.
    pub removed: Vec<Piece>,
    /// Pieces of material that are kept and hold the same bytes.
    pub same: Vec<String>,
    /// The remotes of this clone.
    pub remotes: Vec<String>,
}

/// What would be removed, for the person to see: nothing is written. Refuses what is not there (RAPID1007, RAPID1210,
/// RAPID1540), and what is gone already (RAPID1556) when it has made sure that it is.
pub fn prepare(rapid: &Rapid, request: &Request) -> Result<Vec<Expunged>> {
    rapid.registry().settle_for_a_person()?;
    let records = rapid.registry().existing_records()?;
    let found = all(rapid, &records, request)?;
    if found.is_empty() {
        // An earlier one may have died between its entry and the cleaning up.
        rapid.registry().ledger().settle_expunged(gone)?;
        return Err(Code::Rapid1556
            .because(format!("there is nothing left to expunge of {}", request.named.join(", ")))
            .hint("see what was expunged: git rapid evidence verify"));
    }
    Ok(found)
}

/// Asks the person, records, and removes. `prompt` must be safe to show.
pub fn decide(rapid: &Rapid, request: &Request, prompt: &str) -> Result<Outcome> {
    approval::confirm(prompt, &sentence(request))?;
    let registry = rapid.registry();
    let (entry, (records, removed)) = registry.expunge(|records| {
        let found = all(rapid, records, request)?;
        let (Some(first), Some(who)) = (found.first(), found.first().map(|record| &record.by)) else {
            return Err(Code::Rapid1556.because("somebody else expunged it meanwhile"));
        };
        let names: Vec<&str> = found.iter().map(|record| record.path.as_str()).collect();
        let mut draft = Draft::new("expunge", &first.run_id, format!("expunge {} by {who}", names.join(", ")));
        found.iter().try_for_each(|record| draft.expunged(record))?;
        let removed = pieces_of(rapid, &found)?;
        Ok((draft, (found, removed)))
    })?;
    registry.ledger().settle_expunged(gone)?;
    let same = same_bytes(rapid, &removed)?;
    Ok(Outcome { records, entry, removed, same, remotes: rapid.repository().remote_names() })
}

/// What must be typed.
pub fn sentence(request: &Request) -> String {
    format!("expunge {}", request.named.join(" "))
}

/// The records that remove what is named and was not removed yet.
fn all(rapid: &Rapid, records: &Records<'_>, request: &Request) -> Result<Vec<Expunged>> {
    let mut out: Vec<Expunged> = Vec::new();
    for name in &request.named {
        for record in of(rapid, records, request, name)? {
            if !out.contains(&record)
                && records.expunged(&record.run_id, record.path.as_str(), &record.removed)?.is_none()
            {
                out.push(record);
            }
        }
    }
    Ok(out)
}

fn of(rapid: &Rapid, records: &Records<'_>, request: &Request, name: &str) -> Result<Vec<Expunged>> {
    let parts: Vec<&str> = name.splitn(4, '/').collect();
    let (run, id, part) = match parts.as_slice() {
        ["evidence", run, id] => (RunId::parse(run)?, EvidenceId::parse(id)?, None),
        ["evidence", run, id, _] => (RunId::parse(run)?, EvidenceId::parse(id)?, Some(name)),
        [id] if EvidenceId::parse(id).is_ok() => (rapid.run_id(request.run.as_ref())?, EvidenceId::parse(id)?, None),
        _ => return Err(unknown(name)),
    };
    let run = records.run(&records.meant(&run)?)?;
    let item = run.item(&id)?;
    let pieces = pieces(rapid, item)?;
    let chosen: Vec<_> = pieces.into_iter().filter(|(path, _)| part.is_none_or(|part| part == path)).collect();
    if part.is_some() && chosen.is_empty() {
        return Err(unknown(name));
    }
    chosen
        .into_iter()
        .map(|(path, removed)| record(rapid, records, &run, item, &path, removed, &request.reason))
        .collect()
}

/// What was kept with a piece of evidence.
fn pieces(rapid: &Rapid, item: &Evidence) -> Result<Vec<(String, Removed)>> {
    let files = item.artifacts.iter().map(|kept| (kept.path.as_str().to_owned(), Removed::File(kept.sha256)));
    let mut out: Vec<(String, Removed)> = files.collect();
    let tree = Expunged::tree_of(item);
    if tree.is_some() || rapid.registry().kept_tree(item)?.is_some() {
        out.push((Expunged::tree_path(&item.run_id, &item.id), Removed::Tree(tree)));
    }
    Ok(out)
}

fn record(
    rapid: &Rapid,
    records: &Records<'_>,
    run: &Run,
    item: &Evidence,
    path: &str,
    removed: Removed,
    reason: &str,
) -> Result<Expunged> {
    let who = rapid.repository().identity();
    Ok(Expunged {
        run_id: run.id().clone(),
        evidence_id: item.id.clone(),
        evidence_digest: item.digest(),
        path: RelativePath::parse(path, Code::Rapid1540)?,
        removed,
        reason: rapid.said(records, run.id(), reason.trim())?,
        by: format!("{} <{}>", who.name, who.email),
    })
}

fn unknown(name: &str) -> Diagnostic {
    Code::Rapid1540
        .because(format!("'{}' is no material of this ledger", name.escape_debug()))
        .hint("name a piece of evidence (E003 --run ID) or what was kept with it (evidence/<run>/E003/log, …/tree)")
        .hint("see what there is: git rapid evidence show E003 --run ID")
}

/// The pieces among the attachments that these records remove.
fn pieces_of(rapid: &Rapid, records: &[Expunged]) -> Result<Vec<Piece>> {
    let registry = rapid.registry();
    let pieces = registry.ledger().pieces(registry.ledger().attachments_tip()?)?;
    let means = |piece: &Piece| {
        records.iter().any(|record| {
            let own = record.path.as_str().strip_prefix("evidence/").unwrap_or_default();
            piece.path.ends_with(own) || piece.path.contains(&format!("{own}/"))
        })
    };
    Ok(pieces.into_iter().filter(means).collect())
}

/// Pieces that are kept and hold the bytes of one that was removed: as they are, or in a tree. Of a tree that was removed, the files
/// that `HEAD` does not have: what is committed is no secret of the material.
fn same_bytes(rapid: &Rapid, removed: &[Piece]) -> Result<Vec<String>> {
    let registry = rapid.registry();
    let repository = rapid.repository();
    let committed = repository.head()?.tree;
    let mut ids: BTreeSet<Oid> = removed.iter().map(|piece| piece.id).collect();
    for tree in removed.iter().filter(|piece| piece.is_tree) {
        let files = repository.tree_changes(committed, tree.id).unwrap_or_default();
        ids.extend(files.into_iter().filter_map(|file| file.new.map(|(_, id)| id)));
    }
    let mut known: BTreeMap<Oid, Vec<String>> = BTreeMap::new();
    let mut out = Vec::new();
    for piece in registry.ledger().pieces(registry.ledger().attachments_tip()?)? {
        let name = as_it_is_expunged(&piece.path);
        if ids.contains(&piece.id) {
            out.push(name);
        } else if piece.is_tree {
            let held = match known.entry(piece.id) {
                Entry::Occupied(held) => held.into_mut(),
                Entry::Vacant(unknown) => {
                    let files = repository.tree_changes(Oid::empty_tree(repository.format()), piece.id)?;
                    let held = files.into_iter().filter(|file| file.new.is_some_and(|(_, id)| ids.contains(&id)));
                    unknown.insert(held.map(|file| file.path).collect())
                }
            };
            out.extend(held.iter().map(|file| format!("{name} ({file})")));
        }
    }
    Ok(out)
}

/// The name by which a piece is expunged, of its path among the attachments.
fn as_it_is_expunged(path: &str) -> String {
    path.split_once('/').map_or_else(|| path.to_owned(), |(_, rest)| format!("evidence/{rest}"))
}
