//! A directory of the ledger as its bytes: its grammar is checked once, and two of them are compared entry by entry without
//! taking either apart. Most entries of a ledger change one name among hundreds.

use crate::diagnostics::{Code, Diagnostic};
use crate::git::{self, Mode, Oid};
use crate::ledger::join::Names;
use crate::ledger::path::{bad_name, is_own_spelling, spelling};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A directory whose names and modes are those that git writes and that a ledger may hold.
pub(super) struct Directory {
    data: Vec<u8>,
    /// Where each entry ends.
    ends: Vec<usize>,
    id_length: usize,
}

impl Directory {
    /// Checks the grammar, the names, and that no two of them are one to some file system (RAPID1515).
    pub(super) fn parse(data: Vec<u8>, id_length: usize) -> Result<Directory, Diagnostic> {
        let mut ends = Vec::new();
        let mut end = 0;
        let mut odd = false;
        let mut before: Option<git::Entry<'_>> = None;
        for entry in git::entries(&data, id_length) {
            let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()))?;
            if let Some(why) = bad_name(entry.name) {
                let name = String::from_utf8_lossy(entry.name).escape_debug().to_string();
                return Err(Code::Rapid1515.because(format!("'{name}' {why}")));
            }
            // A file and a directory of one name stand apart only by names that begin with theirs.
            odd |= !is_own_spelling(entry.name) || before.is_some_and(|before| before.name.starts_with(entry.name));
            end += entry.length();
            ends.push(end);
            before = Some(entry);
        }
        let directory = Directory { data, ends, id_length };
        match odd {
            true => directory.without_twins(),
            false => Ok(directory),
        }
    }

    fn without_twins(self) -> Result<Directory, Diagnostic> {
        let mut folded: BTreeMap<String, &[u8]> = BTreeMap::new();
        for entry in self.entries() {
            let name = String::from_utf8_lossy(entry.name);
            if let Some(twin) = folded.insert(spelling(&name), entry.name) {
                let twin = String::from_utf8_lossy(twin);
                let words = format!("'{twin}' and '{name}' differ only in case or in their Unicode form");
                return Err(Code::Rapid1515.because(words));
            }
        }
        Ok(self)
    }

    /// How many bytes it has.
    pub(super) fn size(&self) -> usize {
        self.data.len()
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All of it, taken apart.
    pub(super) fn names(&self) -> Names {
        self.entries().map(|entry| (String::from_utf8_lossy(entry.name).into_owned(), (entry.mode, entry.id))).collect()
    }

    /// What has this name.
    pub(super) fn get(&self, name: &[u8]) -> Option<(Mode, Oid)> {
        let find = |mode: Mode| {
            let key = git::Entry { mode, name, id: Oid::null(crate::domain::git_id::ObjectFormat::Sha1) };
            let (mut low, mut high) = (0, self.ends.len());
            while low < high {
                let middle = low + (high - low) / 2;
                let entry = self.entry(middle)?;
                match entry.order(&key) {
                    Ordering::Less => low = middle + 1,
                    Ordering::Greater => high = middle,
                    Ordering::Equal => return Some((entry.mode, entry.id)),
                }
            }
            None
        };
        find(Mode::File).or_else(|| find(Mode::Tree))
    }

    /// The names of all its entries.
    pub(super) fn all<'a>(&'a self, names: &mut BTreeSet<&'a [u8]>) {
        names.extend(self.entries().map(|entry| entry.name));
    }

    /// The names whose entries are not the same in both.
    pub(super) fn differing<'a>(&'a self, other: &'a Directory, names: &mut BTreeSet<&'a [u8]>) {
        let (mut own, mut their) = (0, 0);
        loop {
            let pair = (self.bytes(own), other.bytes(their));
            if let (Some(one), Some(two)) = pair
                && one == two
            {
                own += 1;
                their += 1;
                continue;
            }
            let order = match (self.entry(own), other.entry(their)) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(two)) => one.order(&two),
            };
            if order != Ordering::Greater {
                names.extend(self.entry(own).map(|entry| entry.name));
                own += 1;
            }
            if order != Ordering::Less {
                names.extend(other.entry(their).map(|entry| entry.name));
                their += 1;
            }
        }
    }

    fn entries(&self) -> impl Iterator<Item = git::Entry<'_>> {
        (0..self.ends.len()).filter_map(|at| self.entry(at))
    }

    fn entry(&self, at: usize) -> Option<git::Entry<'_>> {
        git::entries(self.bytes(at)?, self.id_length).next()?.ok()
    }

    fn bytes(&self, at: usize) -> Option<&[u8]> {
        let begin = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.data.get(begin..*self.ends.get(at)?)
    }
}
