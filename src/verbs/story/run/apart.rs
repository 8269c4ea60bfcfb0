//! A turn in a worktree of its own, beside other turns: the working copy as it stands is laid out there, and what the agent
//! changed is brought home when it counts, unless the same was changed at home meanwhile.
//!
//! A note beside the lock says which turns are apart, so that the next start after `kill -9` ends them.

use super::super::Request;
use super::backlog::Backlog;
use super::journal::{Journal, Material};
use super::lock;
use super::log::Log;
use super::standing::{Keeper, Standing};
use crate::agent;
use crate::diagnostics::{Code, Result};
use crate::domain::config::Config;
use crate::domain::json::{self, Fields, Value};
use crate::git::{Oid, Repository, TreeChange, place_of};
use crate::os::files;
use crate::os::owned::{self, OwnedDirectory};
use crate::registry::{Registry, Trees};
use crate::story::{Fact, Outcome, StoryId, Task, Told, TurnRecord};
use std::path::{Path, PathBuf};

/// How the directories' names begin.
const PREFIX: &str = "rapid-story-";
/// The worktree in the directory.
const TREE: &str = "tree";
/// The largest file that is carried, in bytes.
const CAP: u64 = 256 << 20;

/// The worktree of a turn; gone with this value.
pub(super) struct Apart {
    pub repository: Repository,
    pub root: PathBuf,
    pub backlog: Backlog,
    pub keeper: Keeper,
    /// The files of the worktree before the turn.
    pub standing: Standing,
    /// The working copy at home when the worktree was made.
    pub from: Oid,
    /// What the agent changed.
    pub changes: Vec<TreeChange>,
    /// What it wrote that no snapshot keeps, by its size or its name.
    pub withheld: Vec<String>,
    home: Repository,
    top: PathBuf,
    directory: OwnedDirectory,
    note: PathBuf,
}

/// What is noted of a turn that is apart.
pub(super) struct Noted<'a> {
    pub number: u32,
    pub story: &'a StoryId,
    pub task: Task,
    pub attempt: u32,
    pub provider: &'a str,
    pub model: Option<&'a str>,
    pub mark: &'a str,
    pub backlog: &'a str,
}

impl Apart {
    /// Lays the working copy out, and notes the turn.
    pub fn new(
        home: &Repository,
        request: &Request,
        prefix: &str,
        config: &Config,
        at_home: &Standing,
        noted: &Noted<'_>,
    ) -> Result<Apart> {
        let note = format!("a worktree of git-rapid story\nrepository {}", home.common_dir().display());
        let directory = OwnedDirectory::new(PREFIX, &note)?;
        let top = directory.path().join(TREE);
        let note = notes(home).join(format!("{}.json", noted.number));
        files::create_dir_all(&notes(home))?;
        files::write_atomically(&note, note_of(noted, &top, at_home.tree).pretty().as_bytes())?;
        let commit = home.write_commit_of(at_home.tree, "a working copy for a turn of a story")?;
        home.add_detached_worktree(&top, &commit.to_string())?;
        home.fill_submodules(at_home.tree, &top)?;
        // Where git would give other bytes, and where it does not look, the bytes are those of the disk.
        for (path, copy) in at_home.beside() {
            let to = top.join(place_of(path));
            files::create_dir_all(to.parent().unwrap_or(&top))?;
            files::write_atomically(&to, &files::read(copy, CAP)?)?;
        }
        let environment = home.environment().without_git().in_directory(&top).without("OLDPWD").with("PWD", &top);
        let repository = Repository::discover(&environment)?;
        let root = if prefix.is_empty() { top.clone() } else { top.join(prefix.trim_end_matches('/')) };
        let backlog = Backlog::open(&root, &request.config.directories)?;
        let mut keeper = Keeper::at(directory.path().join("beside"));
        let own: Vec<String> = backlog.pages().map(|(_, page)| format!("{prefix}{}", page.file)).collect();
        let standing = keeper.take(&repository, config, &own)?;
        Ok(Apart {
            repository,
            root,
            backlog,
            keeper,
            standing,
            from: at_home.tree,
            changes: Vec::new(),
            withheld: Vec::new(),
            home: home.clone(),
            top,
            directory,
            note,
        })
    }

    /// Where a prompt may be put: beside the worktree, not in it.
    pub fn prompt_file(&self) -> PathBuf {
        self.directory.path().join("prompt.md")
    }

    /// A file of the home that git does not carry, like instructions that it ignores.
    pub fn carry(&self, project: &Path, file: &str) -> Result<()> {
        let to = self.root.join(file);
        if files::is_taken(&to) || !project.join(file).is_file() {
            return Ok(());
        }
        files::create_dir_all(to.parent().unwrap_or(&self.root))?;
        files::write_atomically(&to, &files::read(&project.join(file), CAP)?)
    }

    /// A path that was changed at home since, and by the agent. The same change twice is one too: of two that count one up,
    /// both must be seen. `now` is the home's tree.
    pub fn conflict(&self, now: Oid) -> Result<Option<String>> {
        let at_home = self.home.tree_changes(self.from, now)?;
        let clash = |mine: &&TreeChange| {
            at_home.iter().any(|theirs| {
                let inside = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
                mine.path == theirs.path
                    || inside(&mine.path, &theirs.path) && theirs.new.is_some()
                    || inside(&theirs.path, &mine.path) && theirs.new.is_some()
            })
        };
        Ok(self.changes.iter().find(clash).map(|change| change.path.clone()))
    }

    /// Brings what changed home, file by file as it lies on the disk. Gives what stays away: repositories of their own.
    pub fn bring_home(&self) -> Result<Vec<String>> {
        let home = self.home.require_workdir()?;
        let mut left = Vec::new();
        let (gone, there): (Vec<_>, Vec<_>) =
            self.changes.iter().partition(|change| !files::is_taken(&self.top.join(place_of(&change.path))));
        for change in gone.into_iter().rev() {
            files::remove(&home.join(place_of(&change.path)))?;
            let place = home.join(place_of(&change.path));
            let mut above = place.parent();
            while let Some(directory) = above.filter(|directory| *directory != home && directory.starts_with(home)) {
                if !files::remove_if_empty(directory).unwrap_or(false) {
                    break;
                }
                above = directory.parent();
            }
        }
        for change in there {
            let from = self.top.join(place_of(&change.path));
            match from.is_dir() && !from.is_symlink() {
                true => left.push(change.path.clone()),
                false => copy(&from, &home.join(place_of(&change.path)))?,
            }
        }
        for path in &self.withheld {
            let (from, to) = (self.top.join(place_of(path)), home.join(place_of(path)));
            if !files::is_taken(&to) && from.is_file() {
                copy(&from, &to)?;
            }
        }
        Ok(left)
    }

    /// The turn is recorded.
    pub fn over(self) -> Result<()> {
        files::remove(&self.note).map(drop)
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        // What is left there counts for nothing; the registration must not stay behind.
        let _ = self.home.discard_worktree(&self.top);
    }
}

/// Where the notes of turns that are apart lie.
fn notes(home: &Repository) -> PathBuf {
    lock::directory(home).join("apart")
}

/// Copies a file or a link, and whether it may be executed.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        files::create_dir_all(parent)?;
    }
    files::remove_empty_dir(to);
    if to.is_symlink() {
        files::remove(to)?;
    }
    if from.is_symlink() {
        let target = std::fs::read_link(from)
            .map_err(|error| Code::Rapid002.because(format!("cannot read the link '{}': {error}", from.display())))?;
        files::remove(to)?;
        return files::link(to, target.as_os_str().as_encoded_bytes());
    }
    files::write_atomically(to, &files::read(from, CAP)?)?;
    files::set_executable(to, files::is_program(from))
}

fn note_of(noted: &Noted<'_>, top: &Path, tree: Oid) -> Value {
    Value::object([
        ("schema_version", 1.into()),
        ("turn", noted.number.into()),
        ("story", noted.story.as_str().into()),
        ("task", noted.task.as_str().into()),
        ("attempt", noted.attempt.into()),
        ("provider", noted.provider.into()),
        ("mark", noted.mark.into()),
        ("backlog", noted.backlog.into()),
        ("top", top.display().to_string().into()),
        ("tree", tree.to_string().into()),
    ])
    .with_some("model", noted.model)
}

/// Ends the turns that an orchestrator left apart, removes their worktrees, and records them as interrupted. Nothing of
/// theirs is at home.
pub fn settle(repository: &Repository, log: &mut Log<'_>) -> Result<()> {
    for path in files::below(&notes(repository), ".json", 10_000, 0)?.unwrap_or_default() {
        let code = Code::Rapid1725;
        let value = json::parse(&files::read(&path, 1 << 20)?)
            .map_err(|fault| code.because(format!("the note is not JSON: {fault}")).at(path.display().to_string()))?;
        let mut fields = Fields::of(value, code, "the note of a turn that is apart")?;
        fields.version()?;
        let task = fields.text("task")?;
        let task = Task::parse(&task).ok_or_else(|| fields.fault("its task is not known"))?;
        let (turn, story) = (fields.ordinal("turn")?, StoryId::of(fields.text("story")?));
        let (mark, backlog) = (fields.text("mark")?, fields.text("backlog")?);
        let (top, tree) = (PathBuf::from(fields.text("top")?), Oid::from_hex(&fields.text("tree")?)?);
        let (attempt, provider, model) =
            (fields.ordinal("attempt")?, fields.text("provider")?, fields.optional_text("model")?);
        fields.end()?;
        let ended = agent::turn::end(&mark);
        if ended > 0 {
            log.line(&format!("ended {ended} processes that an interrupted turn had left"));
        }
        // One that was never registered is removed with its directory.
        let _ = repository.discard_worktree(&top);
        if let Some(parent) = top.parent().filter(|parent| owned::is_left_behind(parent)) {
            owned::remove_left_behind(parent)?;
        }
        let (mut journal, facts) = Journal::open(Registry::of(repository), &backlog)?;
        let known = |ends: bool| {
            facts.iter().any(|fact| match fact {
                Fact::TurnEnded { turn: number, story: of, .. } => ends && *number == turn && *of == story,
                Fact::TurnBegun { turn: number, story: of, .. } => !ends && *number == turn && *of == story,
                _ => false,
            })
        };
        if !known(true) {
            let begun = Fact::TurnBegun { turn, story: story.clone(), task };
            let outcome = Outcome::Interrupted;
            let over = Fact::TurnEnded { turn, story: story.clone(), task, outcome, told: Told::default() };
            let facts = Some(begun).filter(|_| !known(false)).into_iter().chain([over]).collect();
            let record = TurnRecord {
                number: turn,
                task,
                to: Some(task.status()),
                provider,
                model,
                attempt,
                strikes: attempt.saturating_sub(1),
                exit: "interrupted".to_owned(),
                duration_ms: 0,
                restored: true,
                before: Some(tree.to_git_id()),
                after: None,
                notes: vec!["the orchestrator died in this turn".to_owned()],
                hooks: Vec::new(),
                artifacts: Vec::new(),
            };
            let trees = Trees { before: Some(tree), after: None };
            journal.append(facts, Some(&record), &Material { files: Vec::new(), trees })?;
            log.line(&format!("turn {turn} on {story} was interrupted: it worked apart, and nothing of it is here"));
        }
        files::remove(&path)?;
    }
    Ok(())
}
