//! The story files of a project: read once, then by what changed; written by byte range.
//!
//! Their bytes are kept, so that a story is put back whatever git thinks of it: also ignored, also with other line ends.

use crate::diagnostics::{Code, Result};
use crate::os::files::{self, Stamp};
use crate::story::config::Directories;
use crate::story::file::{self, StoryFile};
use crate::story::{Status, StoryAfter, StoryId, StoryInput};
use globset::{GlobBuilder, GlobMatcher};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The largest story, in bytes.
const CAP: u64 = 16 << 20;
/// How many files and levels a folder of stories may have.
const MOST: usize = 500_000;
const LEVELS: usize = 16;

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
    pattern: GlobMatcher,
    levels: usize,
    pages: BTreeMap<StoryId, Page>,
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
        let glob = GlobBuilder::new(&directories.pattern).literal_separator(true).build();
        let glob = glob.map_err(|error| Code::Rapid1600.because(format!("'story_pattern' is no pattern: {error}")))?;
        let mut backlog = Backlog {
            project: project.to_owned(),
            directory: project.join(&directories.stories),
            pattern: glob.compile_matcher(),
            levels: if directories.pattern.contains('/') { LEVELS } else { 0 },
            pages: BTreeMap::new(),
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
        for path in self.paths()? {
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let id = StoryId::of(stem);
            let stamp = files::stamp(&path)?;
            let before = self.pages.remove(&id);
            if let Some(page) = before.as_ref().filter(|page| page.stamp == stamp && settled(page.stamp)) {
                now.insert(id, page.clone());
                continue;
            }
            let Some(bytes) = files::read_if_there(&path, CAP)? else {
                self.pages.extend(before.map(|page| (id, page)));
                continue;
            };
            let same = before.as_ref().is_some_and(|page| page.bytes == bytes);
            let read = match (&before, same) {
                (Some(page), true) => page.read.clone(),
                _ => StoryFile::parse(&id, &bytes),
            };
            let page = Page { file: self.shown(&path), bytes, read, stamp };
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
        let input = |(id, page): (&StoryId, &Page)| StoryInput {
            id: id.clone(),
            file: page.file.clone(),
            status: page.read.state(),
            epic: page.read.epic.clone(),
            dependencies: page.read.dependencies.iter().map(|dependency| dependency.id.clone()).collect(),
        };
        self.pages.iter().map(input).collect()
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

    fn paths(&self) -> Result<Vec<PathBuf>> {
        let all =
            files::below(&self.directory, ".md", MOST, self.levels).map_err(|error| error.hint("see story_pattern"))?;
        // An agent may have removed the folder; then every story is gone.
        let all = all.unwrap_or_default();
        let ours = |path: &PathBuf| path.strip_prefix(&self.directory).is_ok_and(|path| self.pattern.is_match(path));
        Ok(all.into_iter().filter(ours).collect())
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.project).unwrap_or(path).to_string_lossy().into_owned()
    }

    fn refuse_names(&self) -> Result<()> {
        let mut spelled: BTreeMap<String, &StoryId> = BTreeMap::new();
        for (id, page) in &self.pages {
            let refused = |why: String| {
                Err(Code::Rapid1722.because(why).at(page.file.as_str()).hint("rename it, like STORY-007.md"))
            };
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
