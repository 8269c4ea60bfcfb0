//! The story files of a project: read once, then by what changed; written by byte range.
//!
//! Their bytes are kept, so that a story is put back whatever git thinks of it: also ignored, also with other line ends.

use super::super::load::{self, Pattern, STORY_CAP};
use crate::diagnostics::{Code, Result};
use crate::os::files::{self, Stamp};
use crate::story::config::Directories;
use crate::story::file::{self, StoryFile};
use crate::story::{Finding, Kind, Status, StoryAfter, StoryId, StoryInput};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One story's file.
#[derive(Clone)]
pub struct Page {
    /// The file, relative to the project.
    pub file: String,
    /// What stands in it.
    pub bytes: Vec<u8>,
    /// What it says.
    pub read: StoryFile,
    stamp: Option<Stamp>,
}

/// All of them.
pub struct Backlog {
    project: PathBuf,
    directory: PathBuf,
    pattern: Pattern,
    pages: BTreeMap<StoryId, Page>,
    /// Names that fit the pattern and are no files: the story, where its name says which, and how it is called.
    others: Vec<(StoryId, String)>,
}

/// What happened to story files since they were read last.
#[derive(Default)]
pub struct Changed {
    /// Each story whose file was changed, made or deleted, with what stood there before.
    pub stories: Vec<(StoryId, Option<Page>)>,
    /// Stories of which there are two files.
    pub twice: Vec<StoryId>,
}

impl Backlog {
    /// Reads the backlog. A name that the ledger cannot hold is refused (RAPID1722).
    pub fn open(project: &Path, directories: &Directories) -> Result<Backlog> {
        let mut backlog = Backlog {
            project: project.to_owned(),
            directory: project.join(&directories.stories),
            pattern: Pattern::of(&directories.pattern)?,
            pages: BTreeMap::new(),
            others: Vec::new(),
        };
        if !backlog.directory.is_dir() {
            return Err(Code::Rapid002
                .because(format!("there is no folder '{}' with stories", backlog.directory.display()))
                .hint("make one with 'git rapid story init'"));
        }
        if let Some(id) = backlog.refresh()?.twice.first() {
            return Err(Code::Rapid1722
                .because(format!("two files are the story {id}"))
                .hint("give one of them another number"));
        }
        backlog.refuse_names()?;
        Ok(backlog)
    }

    /// Reads again what changed, and says what that is.
    pub fn refresh(&mut self) -> Result<Changed> {
        let mut now = BTreeMap::new();
        let mut changed = Changed::default();
        self.others.clear();
        // An agent may have removed the folder; then every story is gone.
        for found in load::story_files(&self.directory, &self.pattern)? {
            let path = &found.path;
            let Ok(id) = found.id() else {
                let named = path.file_stem().and_then(|stem| stem.to_str()).map(StoryId::of);
                self.others.extend(named.map(|id| (id, self.shown(path))));
                continue;
            };
            let stamp = files::stamp(path)?;
            let before = self.pages.remove(&id);
            if let Some(page) = before.as_ref().filter(|page| page.stamp == stamp && settled(page.stamp)) {
                now.insert(id, page.clone());
                continue;
            }
            let (bytes, unreadable) = match files::read_if_there(path, STORY_CAP) {
                Ok(Some(bytes)) => (bytes, None),
                Ok(None) => {
                    self.pages.extend(before.map(|page| (id, page)));
                    continue;
                }
                Err(error) => (Vec::new(), Some(error.message)),
            };
            let same = before.as_ref().is_some_and(|page| page.bytes == bytes);
            let read = match (&before, same, unreadable) {
                (_, _, Some(why)) => {
                    StoryFile { findings: vec![Finding::new(Kind::StoryUnreadable, why)], ..StoryFile::default() }
                }
                (Some(page), true, None) => page.read.clone(),
                (_, _, None) => StoryFile::parse(&id, &bytes),
            };
            let page = Page { file: self.shown(path), bytes, read, stamp };
            if !same {
                changed.stories.push((id.clone(), before));
            }
            if let Some(first) = now.insert(id.clone(), page) {
                changed.twice.push(id.clone());
                now.insert(id, first);
            }
        }
        let gone = std::mem::replace(&mut self.pages, now);
        changed.stories.extend(gone.into_iter().map(|(id, page)| (id, Some(page))));
        changed.stories.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(changed)
    }

    /// What the engine is told of each story.
    pub fn inputs(&self) -> Vec<StoryInput> {
        let pages = self.pages.iter().map(|(id, page)| load::input_of(id, &page.file, &page.read));
        let others = self.others.iter().filter(|(id, _)| !self.pages.contains_key(id));
        pages.chain(others.map(|(id, file)| load::input_of(id, file, &StoryFile::default()))).collect()
    }

    /// A story's file.
    pub fn page(&self, id: &StoryId) -> Option<&Page> {
        self.pages.get(id)
    }

    /// Whether a story's file can be written; also one that is not there, which is another matter.
    pub fn is_writable(&self, id: &StoryId) -> bool {
        self.pages.get(id).is_none_or(|page| files::takes_bytes(&self.project.join(&page.file)))
    }

    /// Every story's file.
    pub fn pages(&self) -> impl Iterator<Item = (&StoryId, &Page)> {
        self.pages.iter()
    }

    /// What is seen of a story after a turn.
    pub fn after(&self, id: &StoryId) -> StoryAfter {
        let Some(page) = self.pages.get(id) else { return StoryAfter::Missing };
        match page.read.state() {
            Some(status) => StoryAfter::Read {
                status,
                dependencies: page.read.dependencies.iter().map(|dependency| dependency.id.clone()).collect(),
                epic: page.read.epic.clone(),
            },
            None => {
                let why = page.read.findings.iter().map(|finding| finding.message.clone()).next();
                StoryAfter::Unreadable(why.unwrap_or_else(|| "its state cannot be read".to_owned()))
            }
        }
    }

    /// Writes another state into a story.
    pub fn set_status(&mut self, id: &StoryId, status: Status) -> Result<()> {
        let Some(page) = self.pages.get(id) else { return Err(gone(id)) };
        if page.read.state() == Some(status) {
            return Ok(());
        }
        let bytes = file::set_status(&page.bytes, &page.read, status).ok_or_else(|| gone(id))?;
        self.write(id, bytes)
    }

    /// Adds a line to a story's log.
    pub fn append_log(&mut self, id: &StoryId, line: &str) -> Result<()> {
        let Some(page) = self.pages.get(id) else { return Err(gone(id)) };
        let bytes = file::append_log(&page.bytes, &page.read, line);
        self.write(id, bytes)
    }

    /// Puts back what stood in a story's file; `None` removes it.
    pub fn put_back(&mut self, id: &StoryId, before: Option<&Page>) -> Result<()> {
        match before {
            Some(page) => {
                let path = self.project.join(&page.file);
                clear_way(&path)?;
                files::write_atomically(&path, &page.bytes)?;
                let stamp = files::stamp(&path)?;
                self.pages.insert(id.clone(), Page { stamp, ..page.clone() });
            }
            None => {
                if let Some(page) = self.pages.remove(id) {
                    files::remove(&self.project.join(&page.file))?;
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, id: &StoryId, bytes: Vec<u8>) -> Result<()> {
        let Some(page) = self.pages.get(id) else { return Err(gone(id)) };
        let (file, path) = (page.file.clone(), self.project.join(&page.file));
        files::write_atomically(&path, &bytes)?;
        let read = StoryFile::parse(id, &bytes);
        let stamp = files::stamp(&path)?;
        self.pages.insert(id.clone(), Page { file, bytes, read, stamp });
        Ok(())
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.project).unwrap_or(path).to_string_lossy().into_owned()
    }

    fn refuse_names(&self) -> Result<()> {
        let mut spelled: BTreeMap<String, &StoryId> = BTreeMap::new();
        let pages = self.pages.iter().map(|(id, page)| (id, &page.file));
        let others = self.others.iter().filter(|(id, _)| !self.pages.contains_key(id));
        for (id, file) in pages.chain(others.map(|(id, file)| (id, file))) {
            let refused =
                |why: String| Err(Code::Rapid1722.because(why).at(file.as_str()).hint("rename it, like STORY-007.md"));
            if !id.is_recordable() {
                return refused(format!("'{id}' cannot be the name of a story in the ledger"));
            }
            if let Some(other) = spelled.insert(id.as_str().to_ascii_lowercase(), id) {
                return refused(format!("{id} and {other} differ only in upper and lower case"));
            }
        }
        Ok(())
    }
}

/// What an agent put in a file's place goes: a directory that is empty, or a link.
fn clear_way(path: &Path) -> Result<()> {
    if let Some(parent) = path.parent() {
        files::create_dir_all(parent)?;
    }
    if std::fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
        files::remove(path)?;
    }
    files::remove_empty_dir(path);
    Ok(())
}

/// A file written a moment ago may be written again without another stamp.
fn settled(stamp: Option<Stamp>) -> bool {
    let old = |stamp: Stamp| stamp.modified.elapsed().is_ok_and(|age| age.as_secs() >= 2);
    stamp.is_some_and(old)
}

fn gone(id: &StoryId) -> crate::diagnostics::Diagnostic {
    Code::Rapid002.because(format!("the file of {id} cannot be written: it is gone or has no state"))
}
