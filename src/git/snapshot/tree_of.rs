//! The tree that the index and the changes to it make together. Directories without a change keep the id that the index
//! remembers for them; only the others are put together and hashed.

use super::index::mode_of;
use super::listing::{Child, children};
use super::scan::path_at;
use crate::diagnostics::Result;
use crate::git::{Kind, Mode, Oid, Repository, Writer};
use gix::bstr::{BString, ByteSlice};
use gix::index::extension::Tree as Remembered;
use std::ops::Range;

/// What is put in the place of a path; `None` for nothing.
pub(super) type Replacement = Option<(Mode, Oid)>;

/// The index and what differs from it.
pub(super) struct Assembly<'a> {
    pub repository: &'a Repository,
    pub index: &'a gix::index::State,
    /// Sorted by path, each path once.
    pub changes: &'a [(BString, Replacement)],
    pub writer: Option<&'a Writer<'a>>,
}

/// One directory of an assembly.
struct Part<'t> {
    /// How many bytes its path has, with the `/` at its end.
    prefix: usize,
    entries: Range<usize>,
    changes: Range<usize>,
    remembered: Option<&'t Remembered>,
}

type Line<'a> = (&'a [u8], Mode, Oid);

impl<'a> Assembly<'a> {
    /// The id of the whole tree.
    pub(super) fn tree(&self) -> Result<Oid> {
        let whole = Part {
            prefix: 0,
            entries: 0..self.index.entries().len(),
            changes: 0..self.changes.len(),
            remembered: self.index.tree(),
        };
        match self.part(&whole)? {
            Some(id) => Ok(id),
            None => self.store(&[]),
        }
    }

    /// The id of one directory; `None` when nothing is left in it.
    fn part(&self, part: &Part<'_>) -> Result<Option<Oid>> {
        if part.changes.is_empty()
            && let Some(id) = self.unchanged(part)
        {
            return Ok(Some(id));
        }
        let old = children(|at| path_at(self.index, at), part.entries.clone(), part.prefix);
        let new = children(
            |at| self.changes.get(at).map(|(path, _)| path.as_bstr()).unwrap_or_default(),
            part.changes.clone(),
            part.prefix,
        );
        let mut remembered: Vec<&Remembered> = part.remembered.iter().flat_map(|known| &known.children).collect();
        remembered.sort_by(|a, b| a.name.cmp(&b.name));
        let mut lines = Vec::with_capacity(old.len() + new.len());
        for (name, old, new) in paired(&old, &new) {
            let below = Part {
                prefix: part.prefix + name.len() + 1,
                entries: old.map(|child| child.below.clone()).unwrap_or_default(),
                changes: new.map(|child| child.below.clone()).unwrap_or_default(),
                remembered: remembered
                    .binary_search_by(|known| known.name.as_slice().cmp(name))
                    .ok()
                    .and_then(|at| remembered.get(at).copied()),
            };
            lines.extend(self.line(name, old, new, &below)?);
        }
        if lines.is_empty() {
            return Ok(None);
        }
        lines.sort_by(|a, b| sort_key(a).cmp(sort_key(b)));
        self.store(&written(&lines)).map(Some)
    }

    /// What a directory holds under one name. Where a file and a directory claim it, what is on the disk decides: that is the
    /// one with changes.
    fn line(
        &self,
        name: &'a [u8],
        old: Option<&Child<'_>>,
        new: Option<&Child<'_>>,
        below: &Part<'_>,
    ) -> Result<Option<Line<'a>>> {
        let replacement = new
            .and_then(|child| self.changes.get(child.here.start).filter(|_| !child.here.is_empty()))
            .map(|(_, new)| *new);
        if let Some(Some((mode, id))) = replacement {
            return Ok(Some((name, mode, id)));
        }
        if !(below.entries.is_empty() && below.changes.is_empty())
            && let Some(id) = self.part(below)?
        {
            return Ok(Some((name, Mode::Tree, id)));
        }
        let kept = old
            .filter(|_| replacement.is_none())
            .and_then(|child| self.index.entries().get(child.here.start).filter(|_| !child.here.is_empty()));
        Ok(kept.and_then(|entry| mode_of(entry.mode).map(|mode| (name, mode, Oid(entry.id)))))
    }

    /// The id that is known for a directory with nothing changed below it: a collapsed directory's own, or the one that the
    /// index remembers, if it is about as many files.
    fn unchanged(&self, part: &Part<'_>) -> Option<Oid> {
        if let Some(entry) = self.index.entries().get(part.entries.start).filter(|_| part.entries.len() == 1)
            && entry.mode == gix::index::entry::Mode::DIR
            && entry.path(self.index).len() == part.prefix
        {
            return Some(Oid(entry.id));
        }
        let remembered = part.remembered?;
        let id = Oid(remembered.id);
        let about_the_same =
            remembered.num_entries.is_some_and(|count| usize::try_from(count) == Ok(part.entries.len()));
        // A tree that is to be kept must be here already, or it has to be written.
        let is_here = || self.writer.is_none_or(|writer| writer.has(id, true));
        (about_the_same && !part.entries.is_empty() && is_here()).then_some(id)
    }

    fn store(&self, data: &[u8]) -> Result<Oid> {
        match self.writer {
            Some(writer) => writer.write(Kind::Tree, data),
            None => self.repository.hash(Kind::Tree, data),
        }
    }
}

/// Two lists of children, by name, side by side.
fn paired<'c, 'p>(
    old: &'c [Child<'p>],
    new: &'c [Child<'p>],
) -> impl Iterator<Item = (&'p [u8], Option<&'c Child<'p>>, Option<&'c Child<'p>>)> + use<'c, 'p> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    std::iter::from_fn(move || {
        let name = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) => a.name.min(b.name),
            (Some(only), None) | (None, Some(only)) => only.name,
            (None, None) => return None,
        };
        Some((name, old.next_if(|child| child.name == name), new.next_if(|child| child.name == name)))
    })
}

/// Git sorts the names of directories as if they ended in `/`.
fn sort_key<'l>((name, mode, _): &'l Line<'_>) -> impl Iterator<Item = u8> + use<'l> {
    name.iter().copied().chain((*mode == Mode::Tree).then_some(b'/'))
}

fn written(lines: &[Line<'_>]) -> Vec<u8> {
    let mut data = Vec::with_capacity(lines.len() * 48);
    for (name, mode, id) in lines {
        data.extend_from_slice(mode.as_str().as_bytes());
        data.push(b' ');
        data.extend_from_slice(name);
        data.push(0);
        data.extend_from_slice(id.as_bytes());
    }
    data
}
