//! Reading trees from their bytes, strictly: what git itself would not have written is a fault.

use super::Oid;
use std::cmp::Ordering;

/// The modes an entry may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// `100644`.
    File,
    /// `100755`.
    Executable,
    /// `120000`.
    Symlink,
    /// `40000`.
    Tree,
    /// `160000`: a commit of another repository.
    Gitlink,
}

impl Mode {
    /// As tree objects write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::File => "100644",
            Mode::Executable => "100755",
            Mode::Symlink => "120000",
            Mode::Tree => "40000",
            Mode::Gitlink => "160000",
        }
    }

    /// Reads what [`Mode::as_str`] writes; nothing else is a mode here.
    pub fn parse(text: &[u8]) -> Option<Mode> {
        [Mode::File, Mode::Executable, Mode::Symlink, Mode::Tree, Mode::Gitlink]
            .into_iter()
            .find(|mode| mode.as_str().as_bytes() == text)
    }
}

/// One entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Its mode.
    pub mode: Mode,
    /// Its name, as bytes.
    pub name: &'a [u8],
    /// What it names.
    pub id: Oid,
}

impl Entry<'_> {
    /// How many bytes of a tree it takes.
    pub fn length(&self) -> usize {
        self.mode.as_str().len() + self.name.len() + self.id.as_bytes().len() + 2
    }

    /// How it stands to another one in a tree.
    pub fn order(&self, other: &Entry<'_>) -> Ordering {
        let common = self.name.len().min(other.name.len());
        let after = |entry: &Entry<'_>| entry.name.get(common).copied().or((entry.mode == Mode::Tree).then_some(b'/'));
        self.name.get(..common).cmp(&other.name.get(..common)).then_with(|| after(self).cmp(&after(other)))
    }

    /// Git sorts the entries of a tree as if the names of directories ended in `/`.
    pub fn sort_key(&self) -> impl Iterator<Item = u8> + '_ {
        self.name.iter().copied().chain((self.mode == Mode::Tree).then_some(b'/'))
    }
}

/// What is wrong with a tree's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeFault {
    /// They end in the middle of an entry.
    CutOff,
    /// A mode that is not written like this, or not known.
    OddMode(String),
    /// A name that is empty or holds a `/`.
    OddName(String),
    /// Entries out of order, or one name twice.
    OutOfOrder(String),
}

impl std::fmt::Display for TreeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TreeFault::CutOff => f.write_str("a tree ends in the middle of an entry"),
            TreeFault::OddMode(mode) => write!(f, "a tree has an entry of mode '{mode}'"),
            TreeFault::OddName(name) => write!(f, "a tree has an entry named '{name}'"),
            TreeFault::OutOfOrder(name) => write!(f, "a tree's entry '{name}' is out of order or there twice"),
        }
    }
}

/// The entries of a tree, each checked as it is read.
pub fn entries(data: &[u8], id_length: usize) -> impl Iterator<Item = Result<Entry<'_>, TreeFault>> {
    Entries { rest: data, id_length, before: None }
}

struct Entries<'a> {
    rest: &'a [u8],
    id_length: usize,
    before: Option<Entry<'a>>,
}

impl<'a> Entries<'a> {
    fn read(&mut self) -> Result<Entry<'a>, TreeFault> {
        let blank = self.rest.iter().position(|byte| *byte == b' ').ok_or(TreeFault::CutOff)?;
        let (mode, rest) = self.rest.split_at_checked(blank).ok_or(TreeFault::CutOff)?;
        let rest = rest.get(1..).ok_or(TreeFault::CutOff)?;
        let end = rest.iter().position(|byte| *byte == 0).ok_or(TreeFault::CutOff)?;
        let (name, rest) = rest.split_at_checked(end).ok_or(TreeFault::CutOff)?;
        let (id, rest) =
            rest.get(1..).and_then(|rest| rest.split_at_checked(self.id_length)).ok_or(TreeFault::CutOff)?;
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).escape_debug().to_string();
        let entry = Entry {
            mode: Mode::parse(mode).ok_or_else(|| TreeFault::OddMode(shown(mode)))?,
            name,
            id: Oid::from_bytes(id).ok_or(TreeFault::CutOff)?,
        };
        if name.is_empty() || name.contains(&b'/') {
            return Err(TreeFault::OddName(shown(name)));
        }
        if self.before.is_some_and(|before| before.name == name || before.order(&entry) != Ordering::Less) {
            return Err(TreeFault::OutOfOrder(shown(name)));
        }
        self.rest = rest;
        self.before = Some(entry);
        Ok(entry)
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Entry<'a>, TreeFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let entry = self.read();
        if entry.is_err() {
            self.rest = &[];
        }
        Some(entry)
    }
}
