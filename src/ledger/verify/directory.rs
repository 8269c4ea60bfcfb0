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
    /// Whether its names had to be compared with each other.
    odd: bool,
}

impl Directory {
    /// Checks the grammar, the names, and that no two of them are one to some file system (RAPID1515).
    pub(super) fn parse(data: Vec<u8>, id_length: usize) -> Result<Directory, Diagnostic> {
        let mut ends = Vec::new();
        let odd = check(&data, id_length, 0, &mut ends)?;
        let directory = Directory { data, ends, id_length, odd };
        match odd {
            true => directory.without_twins(),
            false => Ok(directory),
        }
    }

    /// The same for what is nearly `near`: what both begin and end with was checked with that one.
    pub(super) fn parse_near(data: Vec<u8>, near: &Directory) -> Result<Directory, Diagnostic> {
        match near.ends_in(&data) {
            Some(ends) => Ok(Directory { data, ends, id_length: near.id_length, odd: false }),
            None => Directory::parse(data, near.id_length),
        }
    }

    /// Where the entries of `data` end, when nothing is wrong or odd about it. What it shares with this directory is looked at
    /// only where it meets the rest.
    fn ends_in(&self, data: &[u8]) -> Option<Vec<usize>> {
        if self.odd {
            return None;
        }
        let (head, tail) = self.shared(data);
        let kept = head.saturating_sub(1);
        let begin = self.begin(kept);
        let mut ends = self.ends.get(..kept)?.to_vec();
        let rest = self.ends.len().checked_sub(tail)?;
        // Where the tail begins in `data`, and where its first entry ends.
        let moved = |end: usize| (end + data.len()).checked_sub(self.data.len());
        let (tail_begin, met) = (moved(self.begin(rest))?, moved(self.begin(rest + usize::from(tail > 0)))?);
        let odd = check(data.get(begin..met)?, self.id_length, begin, &mut ends).ok()?;
        let is_met = tail_begin == begin || ends.binary_search(&tail_begin).is_ok();
        ends.extend(self.ends.get(rest..)?.iter().skip(1).filter_map(|end| moved(*end)));
        (is_met && !odd).then_some(ends)
    }

    /// How many entries from its beginning, and how many others from its end, it has in common with these bytes.
    fn shared(&self, data: &[u8]) -> (usize, usize) {
        let beginning = same_beginning(&self.data, data);
        let head = self.ends.partition_point(|end| *end <= beginning);
        let begin = self.begin(head);
        let ending = same_ending(self.data.get(begin..).unwrap_or_default(), data.get(begin..).unwrap_or_default());
        let from = self.data.len().saturating_sub(ending);
        let first = match from <= begin {
            true => head,
            false => self.ends.partition_point(|end| *end < from) + 1,
        };
        (head, self.ends.len().saturating_sub(first))
    }

    /// Where an entry begins.
    fn begin(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|before| self.ends.get(before).copied()).unwrap_or(0)
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
        let (head, tail) = self.shared(&other.data);
        let tail = if other.ends_with(self, tail) { tail } else { 0 };
        let (own_end, their_end) = (self.ends.len().saturating_sub(tail), other.ends.len().saturating_sub(tail));
        let (mut own, mut their) = (head, head);
        loop {
            if let (Some(one), Some(two)) = (self.bytes(own), other.bytes(their))
                && one == two
                && own < own_end
                && their < their_end
            {
                own += 1;
                their += 1;
                continue;
            }
            let (one, two) = (self.entry(own), other.entry(their));
            let order = match (one.filter(|_| own < own_end), two.filter(|_| their < their_end)) {
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

    /// Whether the last `count` entries are those of another one, whose bytes are the same: they may stand within an entry here.
    fn ends_with(&self, other: &Directory, count: usize) -> bool {
        let begin = |of: &Directory| of.data.len().checked_sub(of.begin(of.ends.len().checked_sub(count)?));
        begin(self) == begin(other)
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

/// Checks entries one by one, notes where each ends, `begin` bytes further on, and says whether some of them may be one to a
/// file system.
fn check(data: &[u8], id_length: usize, begin: usize, ends: &mut Vec<usize>) -> Result<bool, Diagnostic> {
    let mut end = begin;
    let mut odd = false;
    let mut before: Option<git::Entry<'_>> = None;
    for entry in git::entries(data, id_length) {
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
    Ok(odd)
}

/// How many bytes both begin with.
fn same_beginning(one: &[u8], two: &[u8]) -> usize {
    let blocks = one.as_chunks::<BLOCK>().0.iter().zip(two.as_chunks::<BLOCK>().0);
    let same = blocks.take_while(|(one, two)| one == two).count() * BLOCK;
    same + one.iter().zip(two).skip(same).take_while(|(one, two)| one == two).count()
}

/// How many bytes both end with.
fn same_ending(one: &[u8], two: &[u8]) -> usize {
    let blocks = one.as_rchunks::<BLOCK>().1.iter().rev().zip(two.as_rchunks::<BLOCK>().1.iter().rev());
    let same = blocks.take_while(|(one, two)| one == two).count() * BLOCK;
    same + one.iter().rev().zip(two.iter().rev()).skip(same).take_while(|(one, two)| one == two).count()
}

/// How many bytes are compared at once.
const BLOCK: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: usize = 20;

    /// Entries in git's order, as bytes: the name, whether it is a directory, the byte that fills its id.
    fn bytes(entries: &BTreeMap<String, (bool, u8)>) -> Vec<u8> {
        let mut sorted: Vec<_> = entries.iter().collect();
        sorted.sort_by_key(|(name, (directory, _))| format!("{name}{}", if *directory { "/" } else { "" }));
        let entry = |(name, (directory, id)): (&String, &(bool, u8))| {
            let mode = if *directory { Mode::Tree } else { Mode::File };
            [mode.as_str().as_bytes(), b" ", name.as_bytes(), b"\0", &[*id; ID]].concat()
        };
        sorted.into_iter().flat_map(entry).collect()
    }

    fn entries(most: usize) -> impl Strategy<Value = BTreeMap<String, (bool, u8)>> {
        let name = prop_oneof![8 => "[a-d][0-9]{2}", 1 => "[a-bA]{1,2}", 1 => "[a 0]{1,3}"];
        // An id may look like the end of a name.
        let id = prop_oneof![Just(0), Just(b'a'), Just(b' '), any::<u8>()];
        prop::collection::btree_map(name, (any::<bool>(), id), 0..most)
    }

    proptest! {
        #[test]
        fn what_is_nearly_another_one_is_read_as_by_itself(
            one in entries(40),
            new in entries(4),
            gone in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
            (damaged, byte) in (prop::option::of(any::<prop::sample::Index>()), any::<u8>()),
        ) {
            let mut two = one.clone();
            for gone in gone.iter().filter(|_| !one.is_empty()) {
                two.remove(one.keys().nth(gone.index(one.len())).unwrap());
            }
            two.extend(new);
            let mut two = bytes(&two);
            if let Some(at) = damaged.filter(|_| !two.is_empty()) {
                let at = at.index(two.len());
                two[at] = byte;
            }
            let Ok(one) = Directory::parse(bytes(&one), ID) else { return Ok(()) };
            let (near, alone) = (Directory::parse_near(two.clone(), &one), Directory::parse(two, ID));
            match (&near, &alone) {
                (Ok(near), Ok(alone)) => {
                    prop_assert_eq!(&near.ends, &alone.ends);
                    let mut found = BTreeSet::new();
                    near.differing(&one, &mut found);
                    let (here, there) = (near.names(), one.names());
                    let differs = |name: &&String| here.get(*name) != there.get(*name);
                    let expected: BTreeSet<&[u8]> =
                        here.keys().chain(there.keys()).filter(differs).map(|name| name.as_bytes()).collect();
                    prop_assert_eq!(found, expected);
                }
                (Err(near), Err(alone)) => prop_assert_eq!(near, alone),
                _ => prop_assert!(false, "one is refused, the other is not"),
            }
        }
    }
}
