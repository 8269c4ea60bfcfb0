//! What was there before a specification was groomed, and what was made since.

use super::super::Request;
use super::super::load::Backlog;
use crate::diagnostics::Result;
use crate::os::clock::Moment;
use crate::os::files;
use crate::story::validate::{ProjectFacts, validate};
use crate::story::{Finding, Kind, Settings, Severity, Status, StoryId};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The largest file that is set aside, in bytes.
const CAP: u64 = 16 << 20;
/// How many names and levels a folder of epics may have.
const MOST: usize = 100_000;
const LEVELS: usize = 16;

/// The stories and epics that were there.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    stories: BTreeSet<StoryId>,
    /// Their files and those of the epics, relative to the project, sorted.
    files: BTreeSet<String>,
}

impl Before {
    /// What is there now.
    pub(super) fn of(request: &Request) -> Result<Before> {
        let backlog = Backlog::read(&request.root, &request.config.directories)?;
        let stories = backlog.stories.iter().map(|read| read.id.clone()).collect();
        let read = backlog.stories.iter().map(|read| read.file.clone());
        let mut files: BTreeSet<String> = read.chain(backlog.unreadable.iter().map(|(file, _)| file.clone())).collect();
        files.extend(epics(request)?);
        Ok(Before { stories, files })
    }

    /// The files, relative to the project.
    pub(super) fn files(&self) -> Vec<String> {
        self.files.iter().cloned().collect()
    }

    /// The names that are taken: of stories, and of epics.
    pub(super) fn names(&self) -> Vec<String> {
        let stem = |file: &String| Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let names: BTreeSet<String> =
            self.stories.iter().map(StoryId::to_string).chain(self.files.iter().filter_map(stem)).collect();
        names.into_iter().collect()
    }

    /// Moves everything to a folder of its own, copies first.
    pub(super) fn set_aside(&self, request: &Request, below: &Path) -> Result<PathBuf> {
        let place = below.join(Moment::now().compact());
        for file in &self.files {
            let from = request.root.join(file);
            if let Some(bytes) = files::read_if_there(&from, CAP)? {
                let to = place.join(file);
                if let Some(parent) = to.parent() {
                    files::create_dir_all(parent)?;
                }
                files::write_atomically(&to, &bytes)?;
            }
        }
        for file in &self.files {
            files::remove(&request.root.join(file))?;
        }
        Ok(place)
    }

    /// Removes the stories that were not there.
    pub(super) fn remove_others(&self, request: &Request) -> Result<()> {
        let now = Before::of(request)?;
        now.files.difference(&self.files).try_for_each(|file| files::remove(&request.root.join(file)).map(drop))
    }

    /// The stories that are there now and were not, and their states.
    pub(super) fn new_stories(&self, backlog: &Backlog) -> Vec<(StoryId, Option<Status>)> {
        let new = backlog.stories.iter().filter(|read| !self.stories.contains(&read.id));
        new.map(|read| (read.id.clone(), read.story.state())).collect()
    }

    /// The files of epics that are there now and were not.
    pub(super) fn new_epics(&self, request: &Request) -> Result<Vec<String>> {
        Ok(epics(request)?.into_iter().filter(|file| !self.files.contains(file)).collect())
    }
}

/// What is wrong with what was made. What was wrong before is not the product owner's.
pub(super) fn findings(backlog: &Backlog, before: &Before, settings: &Settings, strayed: &[String]) -> Vec<Finding> {
    let facts = ProjectFacts { stories_dir: (String::new(), true), repository: true, ..ProjectFacts::default() };
    let mut found = validate(&facts, settings, &backlog.stories);
    let is_new = |finding: &Finding| finding.file.as_ref().is_some_and(|file| !before.files.contains(file));
    found.retain(|finding| is_new(finding) && finding.kind != Kind::LimitImpossible);
    for (file, why) in &backlog.unreadable {
        let finding = Finding::new(Kind::StoryUnreadable, why.as_str()).file(file);
        found.extend(Some(finding).filter(is_new));
    }
    for finding in &mut found {
        // What nobody reads, or nobody can test, is no story that can be worked.
        let matters = matches!(finding.kind, Kind::DependencyIgnored | Kind::CriteriaMissing | Kind::TitleMismatch);
        if matters {
            finding.severity = Severity::Error;
        }
    }
    for read in backlog.stories.iter().filter(|read| !before.stories.contains(&read.id)) {
        let wrong = match read.story.state() {
            Some(status) if status != Status::Draft => {
                Some((Kind::StatusUnknown, format!("a new story begins as {}, not as {status}", Status::Draft)))
            }
            _ if !read.id.is_recordable() => Some((Kind::IdWithoutNumber, "this is no name for a story".to_owned())),
            _ => None,
        };
        found.extend(wrong.map(|(kind, message)| {
            let mut finding = Finding::new(kind, message).file(&read.file).story(read.id.as_str());
            finding.severity = Severity::Error;
            finding
        }));
    }
    for file in strayed.iter().filter(|file| before.files.contains(*file)) {
        let message = "this was there before and has been put back; write new stories under new numbers";
        found.push(Finding::new(Kind::IdTwice, message).file(file));
    }
    if before.new_stories(backlog).is_empty() {
        let mut finding = Finding::new(Kind::StoriesNone, "no new story was written");
        finding.severity = Severity::Error;
        found.push(finding);
    }
    found
}

fn epics(request: &Request) -> Result<Vec<String>> {
    let top = request.root.join(&request.config.directories.epics);
    let all = files::below(&top, ".md", MOST, LEVELS)?.unwrap_or_default();
    let shown = |path: PathBuf| path.strip_prefix(&request.root).unwrap_or(&path).to_string_lossy().into_owned();
    Ok(all.into_iter().map(shown).collect())
}
