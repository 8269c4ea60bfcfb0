//! The attachments as pieces, and the part of them that is to be published: an entry of its own on top of what is public.

use super::{EXPUNGED, Ledger, expunge, genesis, material};
use crate::diagnostics::{Code, Result};
use crate::git::{Addition, Commit, EditFault, Kind, Mode, Oid};
use crate::os::clock;
use std::collections::BTreeMap;

/// A piece of the attachments: a file, or a snapshot's tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// Where it lies.
    pub path: String,
    /// What it is.
    pub id: Oid,
    /// Whether it is a tree.
    pub is_tree: bool,
}

impl Ledger<'_> {
    /// Every piece at a tip of the attachments, by path.
    pub fn pieces(&self, tip: Option<Oid>) -> Result<Vec<Piece>> {
        let Some(tip) = tip else { return Ok(Vec::new()) };
        let mut pieces = material::pieces_below(self.repository, self.repository.tree_of(tip)?, "")?;
        pieces.retain(|piece| piece.path != "format" && piece.path != EXPUNGED);
        pieces.sort();
        Ok(pieces)
    }

    /// A tip of the attachments on top of `public` that holds these pieces too; `public` itself when it has them all. `None`
    /// when there is nothing to publish. No ref is moved.
    pub fn publishable(&self, pieces: &[Piece], public: Option<Oid>) -> Result<Option<Oid>> {
        let repository = self.repository;
        let writer = repository.writer();
        let (parent, base) = match public {
            Some(public) => (public, repository.tree_of(public)?),
            None if pieces.is_empty() => return Ok(None),
            None => expunge::root(&writer, expunge::mark(&self.view()?)?.as_deref())?,
        };
        let (_, begun) = genesis::write(&writer, genesis::ATTACHMENTS_FORMAT)?;
        let mode = |piece: &Piece| if piece.is_tree { Mode::Tree } else { Mode::File };
        let files: BTreeMap<String, Addition> =
            pieces.iter().map(|piece| (piece.path.clone(), Addition { mode: mode(piece), id: piece.id })).collect();
        let own = writer.add_to_tree(repository, Some(begun), &files).map_err(|fault| match fault {
            EditFault::Taken(path) => Code::Rapid1514.because(format!("'{path}' is among the attachments twice")),
            EditFault::Failed(diagnostic) => diagnostic,
        })?;
        let tree = material::join(repository, &writer, base, own)?;
        if tree == base {
            return Ok(public);
        }
        let message = "publish material\n\nRapid-Verb: push\nRapid-Subject: attachments\n".to_owned();
        let (identity, seconds) = (repository.identity(), clock::now_seconds());
        let commit = Commit { tree, parents: vec![parent], identity, seconds, message };
        let id = writer.write(Kind::Commit, &commit.encode())?;
        writer.flush()?;
        Ok(Some(id))
    }
}
