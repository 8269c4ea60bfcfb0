//! The backlog from the disk: which files are stories, and what each says. Everything is bounded, no link is followed.
//!
//! A run reads it again and again and keeps the bytes (`run::backlog`); which files are stories is decided here for both.

use crate::diagnostics::{Code, Result};
use crate::os::files;
use crate::story::config::Directories;
use crate::story::file::StoryFile;
use crate::story::validate::Read;
use crate::story::{StoryId, StoryInput};
use globset::{GlobBuilder, GlobMatcher};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The largest story that is read, in bytes.
pub const STORY_CAP: u64 = 16 << 20;
/// The most names that are looked at in the folder of the stories.
const MOST: usize = 1_000_000;
/// The most folders inside each other.
const DEEPEST: usize = 32;

/// A backlog as it lies on the disk.
#[derive(Debug, Default)]
pub struct Backlog {
    /// The stories, in the order of their files.
    pub stories: Vec<Read>,
    /// Files that are stories by their name and cannot be read, and why.
    pub unreadable: Vec<(String, String)>,
    /// The folder of the stories is there.
    pub is_there: bool,
}

impl Backlog {
    /// Reads the stories of a project.
    pub fn read(root: &Path, directories: &Directories) -> Result<Backlog> {
        let top = root.join(&directories.stories);
        let mut backlog = Backlog { is_there: top.is_dir(), ..Backlog::default() };
        for found in story_files(&top, &Pattern::of(&directories.pattern)?)? {
            let file = found.path.strip_prefix(root).unwrap_or(&found.path).to_string_lossy().into_owned();
            match one(&found) {
                Ok((id, story)) => backlog.stories.push(Read { file, id, story }),
                Err(why) => backlog.unreadable.push((file, why)),
            }
        }
        Ok(backlog)
    }

    /// What the engine is told (RAPID1703 when two files have the same id).
    pub fn inputs(&self) -> Result<Vec<StoryInput>> {
        let mut seen: HashMap<&StoryId, &str> = HashMap::new();
        for read in &self.stories {
            if let Some(first) = seen.insert(&read.id, &read.file) {
                return Err(Code::Rapid1703
                    .because(format!("{} has the same id as {first}", read.file))
                    .hint("give one of the two files another name"));
            }
        }
        let readable = self.stories.iter().map(|read| input_of(&read.id, &read.file, &read.story));
        let unreadable = self.unreadable.iter().filter_map(|(file, _)| {
            let id = StoryId::of(Path::new(file).file_stem()?.to_str()?);
            if seen.contains_key(&id) { None } else { Some(input_of(&id, file, &StoryFile::default())) }
        });
        Ok(readable.chain(unreadable).collect())
    }
}

/// What the engine is told about one story.
pub fn input_of(id: &StoryId, file: &str, story: &StoryFile) -> StoryInput {
    StoryInput {
        id: id.clone(),
        file: file.to_owned(),
        status: story.state(),
        epic: story.epic.clone(),
        dependencies: story.dependencies.iter().map(|dependency| dependency.id.clone()).collect(),
    }
}

/// A name that fits the pattern.
pub struct Found {
    /// Where.
    pub path: PathBuf,
    is_file: bool,
    is_link: bool,
}

impl Found {
    /// Its id, if it is a file that may be a story; why not, if it is none.
    pub fn id(&self) -> std::result::Result<StoryId, String> {
        if self.is_link {
            return Err("this is a symbolic link; a story is a file of its own".to_owned());
        }
        if !self.is_file {
            return Err("this is not a file".to_owned());
        }
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).ok_or("the name is not UTF-8")?;
        Ok(StoryId::of(stem))
    }
}

fn one(found: &Found) -> std::result::Result<(StoryId, StoryFile), String> {
    let id = found.id()?;
    let bytes = files::read(&found.path, STORY_CAP).map_err(|error| error.message)?;
    let story = StoryFile::parse(&id, &bytes);
    Ok((id, story))
}

/// Which names in the folder of the stories are stories.
pub struct Pattern {
    matcher: GlobMatcher,
    /// Folders are only entered when the pattern speaks of them.
    deepest: usize,
}

impl Pattern {
    /// Of the configuration's `story_pattern` (RAPID1600).
    pub fn of(pattern: &str) -> Result<Pattern> {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        let bad = |error| Code::Rapid1600.because(format!("'project.story_pattern' is no pattern: {error}"));
        let deepest = if pattern.contains('/') { DEEPEST } else { 0 };
        Ok(Pattern { matcher: glob.map_err(bad)?.compile_matcher(), deepest })
    }
}

/// The names below a folder that fit the pattern, in order; none where there is no folder.
pub fn story_files(top: &Path, pattern: &Pattern) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    let mut seen = 0_usize;
    let mut open = vec![(top.to_owned(), 0_usize)];
    while let Some((directory, depth)) = open.pop() {
        let fault =
            |error: std::io::Error| Code::Rapid002.because(format!("cannot list '{}': {error}", directory.display()));
        let entries = match std::fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && depth == 0 => return Ok(found),
            Err(error) => return Err(fault(error)),
        };
        for entry in entries {
            let entry = entry.map_err(fault)?;
            seen += 1;
            if seen > MOST {
                return Err(Code::Rapid002.because(format!("'{}' holds more than {MOST} names", top.display())));
            }
            let kind = entry.file_type().map_err(fault)?;
            let path = entry.path();
            if kind.is_dir() && depth < pattern.deepest {
                open.push((path, depth + 1));
            } else if path.strip_prefix(top).is_ok_and(|inside| pattern.matcher.is_match(inside)) {
                found.push(Found { path, is_file: kind.is_file(), is_link: kind.is_symlink() });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}
