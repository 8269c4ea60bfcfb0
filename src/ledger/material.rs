//! Two trees of attachments together: every piece of material of both. Which of two pieces under one path a record means is
//! told by its digest, so both are kept: the one with the smaller id under the path, the other below `other/`.
//!
//! A snapshot's tree is one piece: two of them are never mixed.

use super::{Piece, path::bad_name};
use crate::diagnostics::{Code, Result};
use crate::git::{self, Addition, EditFault, Mode, Oid, Repository, Writer};
use std::collections::BTreeMap;

/// Where pieces lie whose path holds another piece.
pub const OTHER: &str = "other";

/// How many names lead to the parts of an item: `aa/<run>/<evidence>/tree`.
const PART_DEPTH: usize = 4;

type Entries = BTreeMap<Vec<u8>, (Mode, Oid)>;

/// Joins two trees of attachments.
pub(super) fn join(repository: &Repository, writer: &Writer<'_>, ours: Oid, theirs: Oid) -> Result<Oid> {
    let mut other = BTreeMap::new();
    let tree = union(repository, writer, ours, theirs, "", &mut other)?;
    place(repository, writer, tree, &other)
}

/// The tree with more pieces below `other/`.
pub(super) fn place(
    repository: &Repository,
    writer: &Writer<'_>,
    tree: Oid,
    other: &BTreeMap<String, Addition>,
) -> Result<Oid> {
    if other.is_empty() {
        return Ok(tree);
    }
    writer.add_to_tree(repository, Some(tree), other).map_err(|fault| match fault {
        EditFault::Taken(path) => {
            Code::Rapid1514.because(format!("'{path}' is among the attachments already")).at(path)
        }
        EditFault::Failed(diagnostic) => diagnostic,
    })
}

/// The path of a piece that is not the first of its path.
fn beside(path: &str, id: Oid) -> String {
    format!("{OTHER}/{path}/{id}")
}

/// Everything below a directory of an item, each piece under its place beside.
pub(super) fn all_beside(repository: &Repository, tree: Oid, directory: &str) -> Result<BTreeMap<String, Addition>> {
    let pieces = pieces_below(repository, tree, &format!("{directory}/"))?.into_iter();
    let mode = |is_tree: bool| if is_tree { Mode::Tree } else { Mode::File };
    Ok(pieces.map(|p| (beside(&p.path, p.id), Addition { mode: mode(p.is_tree), id: p.id })).collect())
}

/// The pieces below a tree that lies at `at`.
pub(super) fn pieces_below(repository: &Repository, tree: Oid, at: &str) -> Result<Vec<Piece>> {
    let mut out = Vec::new();
    let mut waiting = vec![(at.to_owned(), tree)];
    while let Some((at, id)) = waiting.pop() {
        for (name, (mode, id)) in entries(repository, id)? {
            let path = format!("{at}{}", String::from_utf8_lossy(&name));
            match mode {
                Mode::Tree if !is_one_piece(&path) => waiting.push((format!("{path}/"), id)),
                _ => out.push(Piece { path, id, is_tree: mode == Mode::Tree }),
            }
        }
    }
    Ok(out)
}

fn union(
    repository: &Repository,
    writer: &Writer<'_>,
    ours: Oid,
    theirs: Oid,
    at: &str,
    other: &mut BTreeMap<String, Addition>,
) -> Result<Oid> {
    if ours == theirs {
        return Ok(ours);
    }
    let mut all = entries(repository, ours)?;
    for (name, theirs) in entries(repository, theirs)? {
        let path = format!("{at}{}", String::from_utf8_lossy(&name));
        match all.get(&name).copied() {
            None => drop(all.insert(name, theirs)),
            Some(ours) if ours == theirs => {}
            Some((Mode::Tree, ours)) if theirs.0 == Mode::Tree && !is_one_piece(&path) => {
                let id = union(repository, writer, ours, theirs.1, &format!("{path}/"), other)?;
                all.insert(name, (Mode::Tree, id));
            }
            Some(ours) => {
                let (first, second) = if ours.1 <= theirs.1 { (ours, theirs) } else { (theirs, ours) };
                all.insert(name, first);
                other.insert(beside(&path, second.1), Addition { mode: second.0, id: second.1 });
            }
        }
    }
    writer.write_tree(&all)
}

/// Whether a path is that of a snapshot's tree: `aa/<run>/<evidence>/tree`, or `other/…/tree/<id>`.
fn is_one_piece(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    let own = match names.first() {
        Some(&OTHER) => names.get(1..names.len().saturating_sub(1)).unwrap_or_default(),
        _ => names.as_slice(),
    };
    own.len() == PART_DEPTH && own.last() == Some(&"tree")
}

fn entries(repository: &Repository, id: Oid) -> Result<Entries> {
    let data = repository.read_tree(id)?;
    let all = git::entries(&data, repository.format().digits() / 2).map(|entry| {
        let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()))?;
        if let Some(why) = bad_name(entry.name) {
            let name = String::from_utf8_lossy(entry.name).escape_debug().to_string();
            return Err(Code::Rapid1515.because(format!("'{name}', among the attachments, {why}")));
        }
        Ok((entry.name.to_vec(), (entry.mode, entry.id)))
    });
    all.collect()
}
