//! The first entry: the same bytes, so the same id, in every clone; two clones that both begin a ledger share a root.

use crate::diagnostics::Result;
use crate::git::{Commit, Identity, Kind, Mode, Oid, Repository, Writer};

/// What the file `format` of the proof says.
pub const FORMAT: &str = "git-rapid ledger 1\n";

/// What the file `format` of the attachments says.
pub const ATTACHMENTS_FORMAT: &str = "git-rapid attachments 1\n";

/// When the first entry was written: fixed, so that it is the same everywhere.
const SECONDS: i64 = 1_767_225_600;

fn tree_bytes(blob: Oid) -> Vec<u8> {
    let mut data = format!("{} format\0", Mode::File.as_str()).into_bytes();
    data.extend_from_slice(blob.as_bytes());
    data
}

/// A commit that is the same bytes wherever it is made.
pub(super) fn commit(tree: Oid, parents: Vec<Oid>, subject: &str) -> Commit {
    let identity = Identity { name: "git-rapid".to_owned(), email: "git-rapid@localhost".to_owned() };
    Commit { tree, parents, identity, seconds: SECONDS, message: format!("{subject}\n\nRapid-Verb: begin\n") }
}

fn first(tree: Oid, format: &str) -> Commit {
    commit(tree, Vec::new(), &format!("begin the {}", what(format)))
}

fn what(format: &str) -> &'static str {
    if format == FORMAT { "ledger" } else { "attachments" }
}

/// The id of the first entry in a repository of this format.
pub fn first_entry(repository: &Repository) -> Result<Oid> {
    id_of(repository, FORMAT)
}

/// The id of the first commit that says `format`.
pub(super) fn id_of(repository: &Repository, format: &str) -> Result<Oid> {
    let blob = repository.hash(Kind::Blob, format.as_bytes())?;
    let tree = repository.hash(Kind::Tree, &tree_bytes(blob))?;
    repository.hash(Kind::Commit, &first(tree, format).encode())
}

/// Writes the first commit that says `format`; returns it and its tree.
pub(super) fn write(writer: &Writer<'_>, format: &str) -> Result<(Oid, Oid)> {
    let blob = writer.write(Kind::Blob, format.as_bytes())?;
    let tree = writer.write(Kind::Tree, &tree_bytes(blob))?;
    Ok((writer.write(Kind::Commit, &first(tree, format).encode())?, tree))
}
