//! Files that are not on the disk as a checkout of the recorded tree would write them, although git takes them for the same: what
//! a conversion throws away (line endings, `$Id: …$`, an encoding), and what a setting tells git not to look at. Looked for at a
//! check only, since what ran there is what lies here.
//!
//! A conversion of line endings or of `$Id: …$` on the way into git only ever makes a file shorter: one that is as long as its
//! object is its object, and need not be read. What can be told no other way, git is asked for: it writes it as a checkout would.
//! Not here: filters that this clone's configuration names (`filter.X`), which the notes name; files that are absent (`absent`).

use super::stat::is_executable;
use super::{Keep, Taking, filters, shown};
use crate::diagnostics::Result;
use crate::domain::digest::Digest;
use crate::git::{Kind, Mode, Oid, Repository};
use crate::os::files;
use gix::bstr::{BStr, BString, ByteSlice};
use std::collections::BTreeMap;
use std::fs::Metadata;

/// So many are named in a record; the others are counted.
pub(super) const NAMED: usize = 100;

/// Where it is remembered which index there was nothing to find under, beside the private index.
const COMPARED: &str = "compared";

/// A larger file is not compared, and so not taken for the same. In bytes.
const LARGEST: u64 = 256 << 20;

/// So much is asked for at once, in bytes.
const AT_ONCE: u64 = 32 << 20;

/// One that is not as a checkout would write it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlike {
    /// Where it lies.
    pub path: String,
    /// What is different.
    pub what: &'static str,
}

const LINES: &str = "line endings";
const IDENT: &str = "$Id$";
const ENCODING: &str = "encoding";
const BYTES: &str = "it was converted when it was added";
const MODE: &str = "executable bit";
const LINK: &str = "no link";
const SPELLING: &str = "hidden by core.ignoreCase";

/// What comes of looking at a file.
enum Compared {
    Same,
    Unlike(&'static str),
    /// It is this, unless git writes it as it lies here.
    Ask(&'static str),
}

/// What git is asked for.
struct Question {
    path: BString,
    id: Oid,
    size: u64,
    what: &'static str,
}

/// What a checkout writes with git's own settings, where this clone's write something else. What it writes here is a checkout too.
const ELSEWHERE: &[&str] = &["core.autocrlf=false", "core.eol=lf"];

impl Taking<'_> {
    /// All of them, by path. The changes are complete and in order.
    pub(super) fn unlike(&mut self) -> Result<Vec<Unlike>> {
        let modes = self.files.modes;
        let bits = !modes.executable && bits_mean_something(self.repository);
        let rules = self.converts || filters::may_convert(self.repository, self.index, self.files.top)?;
        // Without a rule only one that is gone can have converted anything, and then the index was written.
        let known = !rules && self.checksum.is_some() && self.was_compared() == self.checksum;
        let bytes = !known;
        let mut found: Vec<Unlike> = self.twins.iter().map(|path| unlike(path.as_bstr(), SPELLING)).collect();
        if !(bits || bytes || !modes.symlinks) {
            return Ok(found);
        }
        let mut questions = Vec::new();
        for (path, mode, id) in self.recorded() {
            let Ok(data) = std::fs::symlink_metadata(self.files.place(path.as_bstr())) else { continue };
            let file = matches!(mode, Mode::File | Mode::Executable);
            match () {
                () if mode == Mode::Symlink && data.is_file() => found.push(unlike(path.as_bstr(), LINK)),
                () if !file || !data.is_file() => {}
                () if bits && is_executable(&data) != (mode == Mode::Executable) => {
                    found.push(unlike(path.as_bstr(), MODE));
                }
                () if !bytes => {}
                () => match self.compared(path.as_bstr(), id, &data, rules)? {
                    Compared::Same => {}
                    Compared::Unlike(what) => found.push(unlike(path.as_bstr(), what)),
                    Compared::Ask(what) => questions.push(Question { path, id, size: data.len(), what }),
                },
            }
        }
        for questions in in_parts(questions) {
            found.extend(self.asked(questions)?);
        }
        found.sort();
        if !rules && bytes && found.is_empty() && self.options.keep == Keep::Objects {
            self.remember();
        }
        Ok(found)
    }

    /// The index that all files were compared under, and found to be the same, where no rule converts anything.
    fn was_compared(&self) -> Option<gix::ObjectId> {
        let bytes = files::read_if_there(&self.repository.private_dir().join(COMPARED), 1 << 10).ok().flatten()?;
        gix::ObjectId::from_hex(bytes.trim_ascii()).ok()
    }

    /// That it cannot be written is no fault: it costs time only.
    fn remember(&self) {
        if let Some(checksum) = self.checksum.filter(|checksum| !checksum.is_null()) {
            let directory = self.repository.private_dir();
            let line = format!("{checksum}\n");
            let _ = files::create_dir_all(&directory)
                .and_then(|()| files::write_unflushed(&directory.join(COMPARED), line.as_bytes()));
        }
    }

    /// What the tree holds, by path; in the place of what changed, what it became.
    fn recorded(&self) -> Vec<(BString, Mode, Oid)> {
        let kept = self.index.entries().iter().filter_map(|entry| {
            let path = entry.path(self.index);
            let changed = self.changes.binary_search_by(|(changed, _)| changed.as_bstr().cmp(path)).is_ok();
            let mode = super::index::mode_of(entry.mode).filter(|_| !changed)?;
            Some((path.to_owned(), mode, Oid(entry.id)))
        });
        let changed = self.changes.iter().filter_map(|(path, now)| now.map(|(mode, id)| (path.clone(), mode, id)));
        kept.chain(changed).collect()
    }

    fn compared(&mut self, path: &BStr, id: Oid, data: &Metadata, rules: bool) -> Result<Compared> {
        let writes = if rules { self.files.filters.writes(path)? } else { filters::Writes::default() };
        if writes.driven {
            return Ok(Compared::Same);
        }
        let size = self.repository.size_of(id);
        let forced = match writes.forced {
            Some(filters::Forced::Encoding) => Some(ENCODING),
            Some(filters::Forced::Lines) => Some(LINES),
            Some(filters::Forced::Ident) if !has_ident(self.repository, id) => None,
            Some(filters::Forced::Ident) => Some(IDENT),
            None => None,
        };
        // Where the object is not here (a partial clone), only the bytes can tell.
        let as_stored = || match size {
            Some(size) => size == data.len(),
            None => {
                self.bytes(path).is_some_and(|bytes| self.repository.hash(Kind::Blob, &bytes).is_ok_and(|is| is == id))
            }
        };
        let what = if writes.lines { LINES } else { BYTES };
        Ok(match forced {
            Some(what) if size.is_none() || data.len() > LARGEST => Compared::Unlike(what),
            Some(what) => Compared::Ask(what),
            None if as_stored() => Compared::Same,
            None if writes.lines && size.is_some() && filters::writes_crlf(self.repository) => Compared::Ask(what),
            None => Compared::Unlike(what),
        })
    }

    fn bytes(&self, path: &BStr) -> Option<Vec<u8>> {
        let place = self.files.place(path);
        let small = std::fs::symlink_metadata(&place).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
        small.then(|| std::fs::read(place).ok()).flatten()
    }

    /// Those of some files that git would write in another way, here and elsewhere.
    fn asked(&self, questions: Vec<Question>) -> Result<Vec<Unlike>> {
        let mut open = questions;
        for settings in [&[], ELSEWHERE] {
            let written = self.written(&open, settings)?;
            open.retain(|question| {
                let written = written.get(&question.path);
                written.is_none() || self.bytes(question.path.as_bstr()).as_ref() != written
            });
            if open.is_empty() {
                break;
            }
        }
        Ok(open.iter().map(|question| unlike(question.path.as_bstr(), question.what)).collect())
    }

    /// What git would write for these files, under these settings. What it does not say is not there.
    fn written(&self, questions: &[Question], settings: &[&str]) -> Result<BTreeMap<BString, Vec<u8>>> {
        // A name with a line break cannot be said.
        let asked: Vec<&Question> = questions.iter().filter(|question| !question.path.contains(&b'\n')).collect();
        let mut input = Vec::new();
        for question in &asked {
            input.extend_from_slice(format!("{} ", question.id).as_bytes());
            input.extend_from_slice(&question.path);
            input.push(b'\n');
        }
        // Git does not say how long an answer is. No file holds the digest of what is asked, which holds the file's own id.
        let mark = Digest::of(&input).to_string();
        let off = self.files.filters.idle.iter().filter(|name| !name.contains('='));
        let off = off.flat_map(|name| [format!("filter.{name}.smudge="), format!("filter.{name}.required=false")]);
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).chain(off).collect();
        let git = settings.into_iter().fold(self.repository.git(), |git, setting| git.argument("-c").argument(setting));
        let git = git.arguments(["cat-file", "--filters"]).argument(format!("--batch={mark}")).input(&input);
        let limit = usize::try_from(AT_ONCE.saturating_add(LARGEST).saturating_mul(4)).unwrap_or(usize::MAX);
        let said = git.answer_limit(limit).try_run()?.stdout;
        let first = format!("{mark}\n");
        let between = format!("\n{mark}\n");
        let Some(rest) = said.strip_prefix(first.as_bytes()).and_then(|rest| rest.strip_suffix(b"\n")) else {
            return Ok(BTreeMap::new());
        };
        let answers: Vec<&[u8]> = rest.split_str(between.as_bytes()).collect();
        // Fewer: it came to an end before all was said.
        let pairs = asked.iter().zip(&answers).filter(|_| answers.len() == asked.len());
        Ok(pairs.map(|(question, bytes)| (question.path.clone(), bytes.to_vec())).collect())
    }
}

fn unlike(path: &BStr, what: &'static str) -> Unlike {
    Unlike { path: shown(path), what }
}

/// Whether git would put an id into this object on its way out.
fn has_ident(repository: &Repository, id: Oid) -> bool {
    let read = repository.try_read(id, LARGEST);
    read.is_ok_and(|object| object.is_none_or(|object| object.data.find(b"$Id").is_some()))
}

/// Whether executable bits say something here although git was told not to look at them. On some file systems all files have
/// them, and the file that git itself made has it too.
fn bits_mean_something(repository: &Repository) -> bool {
    std::fs::metadata(repository.git_dir().join("HEAD")).is_ok_and(|data| !is_executable(&data))
}

/// Questions in parts of which each asks for about as much.
fn in_parts(questions: Vec<Question>) -> Vec<Vec<Question>> {
    let mut parts: Vec<Vec<Question>> = Vec::new();
    let mut filled = 0;
    for question in questions {
        let size = question.size;
        match parts.last_mut().filter(|_| filled < AT_ONCE) {
            Some(part) => part.push(question),
            None => {
                parts.push(vec![question]);
                filled = 0;
            }
        }
        filled += size;
    }
    parts
}
