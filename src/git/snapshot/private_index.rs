//! The private index of a worktree: the ids of files that had to be read, with the metadata that they had, so that the next
//! snapshot need not read them again. It lies in git's directory of the worktree, beside the session.
//!
//! A memory, never a truth: one that is missing, damaged, or of another repository is as good as none, and whatever goes
//! wrong with it costs time only. It is believed no more than git believes its own index: a file that was changed, in whatever
//! way, shortly before it was read is not remembered, for it may have been changed again without a trace. It guards against
//! accidents, not against programs of the same user, who could as well forge git's index.

use super::content::{Content, Conversion};
use crate::domain::digest::Digest;
use crate::git::{Oid, Repository};
use crate::os::{clock, files};
use gix::bstr::{BStr, BString};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::PathBuf;

/// A larger file is not ours.
const CAP: u64 = 256 << 20;

/// How many bytes a [`Stamp`] has.
const STAMP: usize = 68;

/// All that the system says of a file; it differs once the file was written or replaced.
type Stamp = [u8; STAMP];

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    stamp: Stamp,
    content: Content,
    /// The object is not only there: it was brought to the disk.
    flushed: bool,
    id: Oid,
}

/// What earlier snapshots knew, and what this one knows.
pub(super) struct PrivateIndex {
    place: PathBuf,
    header: String,
    digest_size: usize,
    /// What was changed in this second, or later, is not remembered.
    racy_from: i64,
    before: BTreeMap<BString, Known>,
    now: BTreeMap<BString, Known>,
}

impl PrivateIndex {
    /// The private index of a repository's worktree, empty where there is none that can be used.
    pub(super) fn open(repository: &Repository, rest: i64) -> PrivateIndex {
        let format = repository.format();
        let mut index = PrivateIndex {
            place: repository.private_dir().join("index"),
            header: format!("git-rapid private index 1 {}\n", format.as_str()),
            digest_size: format.digits() / 2,
            racy_from: clock::now_seconds().saturating_sub(rest),
            before: BTreeMap::new(),
            now: BTreeMap::new(),
        };
        let bytes = files::read_if_there(&index.place, CAP).ok().flatten();
        index.before = bytes.and_then(|bytes| index.decode(&bytes)).unwrap_or_default();
        index
    }

    /// The id of the bytes of a file with this metadata, when they are known and go into git as they are; and whether its
    /// object was flushed.
    pub(super) fn recall(&self, path: &BStr, data: &Metadata, conversion: Conversion) -> Option<(Oid, bool)> {
        let known = self.before.get(path)?;
        let same = stamp(data) == Some(known.stamp) && known.content.stays(conversion);
        same.then_some((known.id, known.flushed))
    }

    /// Keeps what was recalled.
    pub(super) fn confirm(&mut self, path: &BStr) {
        if let Some((path, known)) = self.before.get_key_value(path) {
            self.now.insert(path.clone(), known.clone());
        }
    }

    /// Remembers the id of a file's bytes; `data` is what the system said of it *before* it was read.
    pub(super) fn learn(&mut self, path: &BStr, data: &Metadata, content: Content, id: Oid) {
        if let Some(stamp) = stamp(data).filter(|_| is_settled(data, self.racy_from)) {
            self.now.insert(path.to_owned(), Known { stamp, content, flushed: false, id });
        }
    }

    /// Writes down what this snapshot knows. `flushed`: all objects are there and on the disk. That it cannot be written is
    /// no fault.
    pub(super) fn save(mut self, flushed: bool) {
        if flushed {
            self.now.values_mut().for_each(|known| known.flushed = true);
        }
        if self.now == self.before {
            return;
        }
        if let Some(directory) = self.place.parent() {
            let _ = files::create_dir_all(directory).and_then(|()| files::write_unflushed(&self.place, &self.encode()));
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.header.clone().into_bytes();
        for (path, known) in &self.now {
            let Ok(length) = u32::try_from(path.len()) else { continue };
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(path);
            bytes.extend_from_slice(&known.stamp);
            bytes.push(known.content.as_byte());
            bytes.push(known.flushed.into());
            bytes.extend_from_slice(known.id.as_bytes());
        }
        bytes.extend_from_slice(Digest::of(&bytes).to_string().as_bytes());
        bytes
    }

    fn decode(&self, bytes: &[u8]) -> Option<BTreeMap<BString, Known>> {
        let digest = Digest::of(&[]).to_string().len();
        let (bytes, sealed) = bytes.split_at_checked(bytes.len().checked_sub(digest)?)?;
        if Digest::of(bytes).to_string().as_bytes() != sealed {
            return None;
        }
        let mut rest = bytes.strip_prefix(self.header.as_bytes())?;
        let mut known = Vec::new();
        while !rest.is_empty() {
            let length = u32::from_le_bytes(take(&mut rest, 4)?.try_into().ok()?);
            let path = BString::from(take(&mut rest, usize::try_from(length).ok()?)?);
            let stamp = take(&mut rest, STAMP)?.try_into().ok()?;
            let content = Content::from_byte(*take(&mut rest, 1)?.first()?)?;
            let flushed = *take(&mut rest, 1)?.first()? == 1;
            let id = Oid(gix::ObjectId::try_from(take(&mut rest, self.digest_size)?).ok()?);
            known.push((path, Known { stamp, content, flushed, id }));
        }
        Some(known.into_iter().collect())
    }
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

#[cfg(unix)]
fn stamp(data: &Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let wide = [data.len(), data.dev(), data.ino()];
    let times = [data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()];
    let narrow = [data.mode(), data.uid(), data.gid()];
    let bytes = wide.iter().flat_map(|number| number.to_le_bytes());
    let bytes = bytes.chain(times.iter().flat_map(|number| number.to_le_bytes()));
    let bytes: Vec<u8> = bytes.chain(narrow.iter().flat_map(|number| number.to_le_bytes())).collect();
    bytes.try_into().ok()
}

/// Whether a file was left alone for long enough.
#[cfg(unix)]
fn is_settled(data: &Metadata, racy_from: i64) -> bool {
    use std::os::unix::fs::MetadataExt;
    data.mtime().max(data.ctime()) < racy_from
}

/// Not enough is known of a file here.
#[cfg(not(unix))]
fn stamp(_: &Metadata) -> Option<Stamp> {
    None
}

#[cfg(not(unix))]
fn is_settled(_: &Metadata, _: i64) -> bool {
    false
}
