//! The commits that git-rapid writes, and their closed grammar: `tree`, `parent`s, `author`, `committer`, message. Anything
//! else in a commit is a fault.

use super::{Identity, Oid};

/// A commit of our grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its tree.
    pub tree: Oid,
    /// Its parents: none, one, or two for a merge.
    pub parents: Vec<Oid>,
    /// Who wrote it down; author and committer are always the same.
    pub identity: Identity,
    /// When, in seconds since 1970.
    pub seconds: i64,
    /// Subject, blank line, trailers.
    pub message: String,
}

/// The last second of the year 9999. Git's own check refuses dates that it cannot hold, and a server that asks for it would
/// refuse the whole ledger.
const LATEST: i64 = 253_402_300_799;

/// What is wrong with a commit's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitFault(pub String);

impl std::fmt::Display for CommitFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Commit {
    /// The commit's bytes. Times are in UTC.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = format!("tree {}\n", self.tree);
        for parent in &self.parents {
            out.push_str(&format!("parent {parent}\n"));
        }
        let who = format!("{} <{}> {} +0000", self.identity.name, self.identity.email, self.seconds);
        out.push_str(&format!("author {who}\ncommitter {who}\n\n{}", self.message));
        out.into_bytes()
    }

    /// Reads a commit of exactly our grammar: writing it again gives the same bytes.
    pub fn decode(data: &[u8]) -> Result<Commit, CommitFault> {
        let fault = |why: &str| CommitFault(why.to_owned());
        let text = std::str::from_utf8(data).map_err(|_| fault("the commit is not UTF-8"))?;
        if text.contains('\0') {
            return Err(fault("the commit holds a NUL"));
        }
        let (headers, message) = text.split_once("\n\n").ok_or_else(|| fault("the commit has no message"))?;
        let mut lines = headers.split('\n').peekable();
        let id = |text: &str| Oid::from_hex(text).map_err(|_| fault("the commit names an odd id"));
        let tree = id(lines
            .next()
            .and_then(|line| line.strip_prefix("tree "))
            .ok_or_else(|| fault("the commit names no tree"))?)?;
        let mut parents = Vec::new();
        while let Some(parent) = lines.peek().and_then(|line| line.strip_prefix("parent ")) {
            parents.push(id(parent)?);
            lines.next();
        }
        let author = lines
            .next()
            .and_then(|line| line.strip_prefix("author "))
            .ok_or_else(|| fault("the commit names no author"))?;
        let committer = lines
            .next()
            .and_then(|line| line.strip_prefix("committer "))
            .ok_or_else(|| fault("the commit names no committer"))?;
        if let Some(extra) = lines.next() {
            let header = extra.split(' ').next().unwrap_or_default();
            return Err(CommitFault(format!("the commit has the unknown header '{}'", header.escape_debug())));
        }
        if author != committer {
            return Err(fault("the commit's author and committer differ"));
        }
        let (identity, seconds) = person(author).ok_or_else(|| fault("the commit's author is malformed"))?;
        if !(0..=LATEST).contains(&seconds) {
            return Err(fault("the commit is dated before 1970 or after the year 9999"));
        }
        let commit = Commit { tree, parents, identity, seconds, message: message.to_owned() };
        match commit.encode() == data {
            true => Ok(commit),
            false => Err(fault("the commit is not written in the canonical form")),
        }
    }
}

fn person(text: &str) -> Option<(Identity, i64)> {
    let (who, when) = text.rsplit_once("> ")?;
    let (name, email) = who.split_once(" <")?;
    let seconds = when.strip_suffix(" +0000")?.parse().ok()?;
    Some((Identity { name: name.to_owned(), email: email.to_owned() }, seconds))
}

impl super::Repository {
    /// Writes a commit of a tree behind its parents, by this clone's committer, and brings it to the disk.
    pub fn commit_tree(
        &self,
        tree: Oid,
        parents: &[Oid],
        message: &str,
        seconds: i64,
    ) -> crate::diagnostics::Result<Oid> {
        let identity = self.identity();
        let commit = Commit { tree, parents: parents.to_vec(), identity, seconds, message: format!("{message}\n") };
        let writer = self.writer();
        let id = writer.write(super::Kind::Commit, &commit.encode())?;
        writer.flush().map(|()| id)
    }

    /// Writes a commit of a tree that no ref names, for git commands that want a commit.
    pub fn write_commit_of(&self, tree: Oid, message: &str) -> crate::diagnostics::Result<Oid> {
        let commit = Commit {
            tree,
            parents: Vec::new(),
            identity: Identity::fallback(),
            seconds: 0,
            message: format!("{message}\n"),
        };
        self.writer().write(super::Kind::Commit, &commit.encode())
    }
}
