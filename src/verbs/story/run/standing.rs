//! The working copy before a turn, and putting it back: exactly what changed since, byte for byte.
//!
//! The snapshot's tree holds files as git stores them. Where git would convert (line ends, filters), where it does not look
//! (an ignored story) and where it must not (a secret), the bytes of the disk are kept beside it. So are the index and where
//! `HEAD` stands. What we write ourselves (logs, the checkpoint) is no agent's and stays.

mod heads;

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::json::{Fields, Value};
use crate::git::{Head, Keep, Kind, Mode, Oid, Repository, Snapshot, TreeChange, Withheld, place_of};
use crate::os::files::{self, Stamp};
use crate::verbs::work;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The largest file whose bytes are kept beside the tree.
const CAP: u64 = 256 << 20;

/// The working copy at one moment.
#[derive(Clone)]
pub struct Standing {
    /// Its tree.
    pub tree: Oid,
    /// What the tree does not hold, for people.
    pub notes: Vec<String>,
    /// Files whose bytes are kept beside the tree, by their path below the top.
    beside: BTreeMap<String, PathBuf>,
    index: Option<Vec<u8>>,
    head: Head,
    /// How long the log of `HEAD` was; `None` where nobody looked.
    head_log: Option<u64>,
}

/// What putting back did not put back.
#[derive(Default)]
pub struct Left {
    /// Paths that stay as they stand.
    pub paths: Vec<String>,
    /// What is to be said of the branch.
    pub branch: Option<String>,
}

/// Keeps bytes beside trees, and remembers what it has read.
pub struct Keeper {
    directory: PathBuf,
    /// What was seen of a file: its stamp, its bytes as an object, and their copy where the tree does not hold them.
    seen: BTreeMap<String, (Stamp, Oid, Option<PathBuf>)>,
}

impl Keeper {
    /// One that keeps its copies here.
    pub fn at(directory: PathBuf) -> Keeper {
        Keeper { directory, seen: BTreeMap::new() }
    }

    /// Takes in the working copy; `own` are files that are kept whatever git thinks of them.
    pub fn take(
        &mut self,
        repository: &Repository,
        config: &crate::domain::config::Config,
        own: &[String],
    ) -> Result<Standing> {
        let snapshot = work::snapshot(repository, config, Keep::Objects)?;
        let top = repository.require_workdir()?;
        let mut beside = BTreeMap::new();
        let held = repository.tree_changes(Oid::empty_tree(repository.format()), snapshot.tree)?;
        for (path, id) in self.suspects(repository, &held) {
            if let Some(copy) = self.raw(repository, top, &path, Some(id))? {
                beside.insert(path, copy);
            }
        }
        let secrets = snapshot.withheld.iter().filter(|(_, why)| **why == Withheld::Secret).map(|(path, _)| path);
        for path in secrets.chain(own) {
            let held = held.binary_search_by(|change| change.path.as_str().cmp(path)).is_ok();
            if !held && let Some(copy) = self.raw(repository, top, path, None)? {
                beside.insert(path.clone(), copy);
            }
        }
        let index = files::read_if_there(&index_file(repository), CAP)?;
        // The log first: a commit in between is then nobody's of the turn.
        let (head_log, head) = (Some(repository.head_log_end()), repository.head()?);
        Ok(Standing { tree: snapshot.tree, notes: notes(&snapshot), beside, index, head, head_log })
    }

    /// The files of a tree whose bytes on the disk may be others than git stores; none where git converts nothing.
    fn suspects(&self, repository: &Repository, held: &[TreeChange]) -> Vec<(String, Oid)> {
        let automatic = repository.config_text("core.autocrlf").is_some_and(|value| value != "false");
        let shared = repository.common_dir().join("info").join("attributes");
        let private = files::is_taken(&shared) || repository.config_text("core.attributesFile").is_some();
        let named = held.iter().any(|change| change.path.rsplit('/').next() == Some(".gitattributes"));
        if !(automatic || private || named) {
            return Vec::new();
        }
        let plain = |change: &TreeChange| match change.new {
            Some((Mode::File | Mode::Executable, id)) => Some((change.path.clone(), id)),
            _ => None,
        };
        held.iter().filter_map(plain).collect()
    }

    /// A copy of a file's bytes where they are not those of the object.
    fn raw(&mut self, repository: &Repository, top: &Path, path: &str, stored: Option<Oid>) -> Result<Option<PathBuf>> {
        let place = top.join(place_of(path));
        let Some(stamp) = files::stamp(&place)?.filter(|stamp| stamp.size <= CAP) else { return Ok(None) };
        let settled = stamp.modified.elapsed().is_ok_and(|age| age.as_secs() >= 2);
        if let Some((before, id, copy)) = self.seen.get(path).filter(|seen| settled && seen.0 == stamp) {
            let _ = before;
            if stored == Some(*id) || copy.is_some() {
                return Ok(copy.clone());
            }
        }
        let Some(bytes) = files::read_if_there(&place, CAP)? else { return Ok(None) };
        let id = repository.hash(Kind::Blob, &bytes)?;
        let copy = match stored == Some(id) {
            true => None,
            false => {
                files::create_private_dir(&self.directory)?;
                let copy = self.directory.join(id.to_string());
                if !files::is_taken(&copy) {
                    files::write_atomically(&copy, &bytes)?;
                }
                Some(copy)
            }
        };
        self.seen.insert(path.to_owned(), (stamp, id, copy.clone()));
        Ok(copy)
    }

    /// Files that were written since although git would store the same for them.
    fn rewritten(&self, repository: &Repository, top: &Path) -> Result<Vec<String>> {
        let mut out = Vec::new();
        for (path, (stamp, id, _)) in &self.seen {
            let place = top.join(place_of(path));
            if files::stamp(&place)?.as_ref() == Some(stamp) {
                continue;
            }
            let now = files::read_if_there(&place, CAP)?;
            let now = now.map(|bytes| repository.hash(Kind::Blob, &bytes)).transpose()?;
            if now != Some(*id) {
                out.push(path.clone());
            }
        }
        Ok(out)
    }

    /// Everything that changed since, by path; `is_ours` names what no agent is charged with.
    pub fn changes(
        &self,
        repository: &Repository,
        standing: &Standing,
        now: Oid,
        is_ours: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<TreeChange>> {
        let top = repository.require_workdir()?;
        let mut all: BTreeMap<String, TreeChange> = BTreeMap::new();
        for change in repository.tree_changes(standing.tree, now)? {
            all.insert(change.path.clone(), change);
        }
        for path in self.rewritten(repository, top)?.into_iter().filter(|path| standing.holds(repository, path)) {
            let old = repository.lookup(standing.tree, &path)?.map(|old| (old.mode, old.id));
            all.entry(path.clone()).or_insert(TreeChange { path, old, new: None });
        }
        Ok(all.into_values().filter(|change| !is_ours(&change.path)).collect())
    }

    /// Puts back what changed. A repository of its own stays as it is; so does what somebody else than the turn of this mark
    /// committed meanwhile, with the branch and the index.
    pub fn put_back(
        &self,
        repository: &Repository,
        standing: &Standing,
        changes: &[TreeChange],
        (git, mark): (bool, &str),
    ) -> Result<Left> {
        let top = repository.require_workdir()?;
        let mut left = Vec::new();
        let theirs = if git { heads::moved_by_others(repository, standing, mark)? } else { None };
        let committed = theirs.as_ref().map_or(&[][..], |(paths, _)| paths);
        let stays = |change: &&TreeChange| committed.binary_search(&change.path).is_ok();
        left.extend(changes.iter().filter(stays).map(|change| change.path.clone()));
        let changes: Vec<&TreeChange> = changes.iter().filter(|change| !stays(change)).collect();
        let gone = |change: &TreeChange| change.old.is_none() && !standing.beside.contains_key(&change.path);
        for change in changes.iter().filter(|change| gone(change)).rev() {
            if matches!(change.new, Some((Mode::Gitlink, _))) {
                left.push(change.path.clone());
                continue;
            }
            let place = top.join(place_of(&change.path));
            files::remove(&place).map_err(|error| unable(&error, standing))?;
            let mut above = place.parent();
            while let Some(directory) = above.filter(|directory| *directory != top && directory.starts_with(top)) {
                if !files::remove_if_empty(directory).unwrap_or(false) {
                    break;
                }
                above = directory.parent();
            }
        }
        for change in changes.iter().filter(|change| !gone(change)) {
            if matches!(change.old, Some((Mode::Gitlink, _))) {
                left.push(change.path.clone());
                continue;
            }
            let place = top.join(place_of(&change.path));
            let written = self.bytes(repository, standing, change).and_then(|bytes| write(&place, change, &bytes));
            written.map_err(|error| unable(&error, standing))?;
        }
        // Asked again: putting files back took its time.
        let theirs = if git { heads::moved_by_others(repository, standing, mark)? } else { None };
        if git && theirs.is_none() {
            heads::put_back(repository, standing).map_err(|error| unable(&error, standing))?;
        }
        Ok(Left { paths: left, branch: theirs.map(|(_, said)| said) })
    }

    fn bytes(&self, repository: &Repository, standing: &Standing, change: &TreeChange) -> Result<Vec<u8>> {
        match (standing.beside.get(&change.path), change.old) {
            (Some(copy), _) => files::read(copy, CAP),
            (None, Some((_, id))) => Ok(repository.read(id, CAP)?.data),
            (None, None) => Ok(Vec::new()),
        }
    }

    /// Forgets every copy.
    pub fn clear(&mut self) {
        self.seen.clear();
        let copies = files::below(&self.directory, "", usize::MAX, 1).ok().flatten().unwrap_or_default();
        copies.iter().for_each(|copy| drop(files::remove(copy)));
    }
}

impl Left {
    /// It for the notes of a turn.
    pub fn notes(self) -> impl Iterator<Item = String> {
        self.paths.into_iter().map(|path| format!("left as it is: {path}")).chain(self.branch)
    }
}

impl Standing {
    /// The tree and what lies beside it, so that another process can put it back.
    pub fn to_value(&self) -> Value {
        let beside = self.beside.iter().map(|(path, copy)| (path.clone(), copy.display().to_string().into())).collect();
        Value::object([
            ("tree", self.tree.to_string().into()),
            ("beside", Value::Object(beside)),
            ("commit", self.head.commit.map_or(Value::Null, |id| id.to_string().into())),
            ("branch", self.head.branch.as_deref().map_or(Value::Null, Value::from)),
            ("notes", Value::list(self.notes.iter().map(String::as_str))),
        ])
        .with_some("head_log", self.head_log)
    }

    /// Reads it again; the index lies in a file of its own.
    pub fn from_value(value: Value, index: Option<Vec<u8>>, repository: &Repository) -> Result<Standing> {
        let mut fields = Fields::of(value, Code::Rapid1725, "the working copy before a turn")?;
        let commit = fields.text_or_null("commit")?.map(|id| Oid::from_hex(&id)).transpose()?;
        let beside = match fields.required("beside")? {
            Value::Object(members) => {
                members.into_iter().filter_map(|(path, copy)| Some((path, PathBuf::from(copy.as_text()?)))).collect()
            }
            _ => return Err(fields.fault("'beside' must be an object")),
        };
        let standing = Standing {
            tree: Oid::from_hex(&fields.text("tree")?)?,
            notes: fields.texts("notes")?,
            head_log: fields.optional_number("head_log", 0)?.and_then(|end| u64::try_from(end).ok()),
            beside,
            index,
            head: Head { commit, tree: Oid::empty_tree(repository.format()), branch: fields.text_or_null("branch")? },
        };
        fields.end().map(|()| standing)
    }

    /// Files whose bytes are kept beside the tree, and their copies.
    pub fn beside(&self) -> impl Iterator<Item = (&String, &PathBuf)> {
        self.beside.iter()
    }

    /// The index as it was.
    pub fn index(&self) -> Option<&[u8]> {
        self.index.as_deref()
    }

    /// Files beside the tree whose bytes are others now: what another process compares when it knows no stamps.
    pub fn beside_changed(&self, top: &Path) -> Result<Vec<String>> {
        let mut out = Vec::new();
        for (path, copy) in &self.beside {
            if files::read_if_there(&top.join(place_of(path)), CAP)? != files::read_if_there(copy, CAP)? {
                out.push(path.clone());
            }
        }
        Ok(out)
    }

    /// Another process's changes, with those that only the copies tell.
    pub fn changes(
        &self,
        repository: &Repository,
        now: Oid,
        is_ours: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<TreeChange>> {
        let mut all: BTreeMap<String, TreeChange> = BTreeMap::new();
        for change in repository.tree_changes(self.tree, now)? {
            all.insert(change.path.clone(), change);
        }
        for path in self.beside_changed(repository.require_workdir()?)? {
            let old = repository.lookup(self.tree, &path)?.map(|old| (old.mode, old.id));
            all.entry(path.clone()).or_insert(TreeChange { path, old, new: None });
        }
        Ok(all.into_values().filter(|change| !is_ours(&change.path)).collect())
    }

    fn holds(&self, repository: &Repository, path: &str) -> bool {
        self.beside.contains_key(path) || repository.lookup(self.tree, path).is_ok_and(|found| found.is_some())
    }
}

fn notes(snapshot: &Snapshot) -> Vec<String> {
    let large = snapshot.withheld.iter().filter(|(_, why)| **why != Withheld::Secret);
    let mut notes: Vec<String> = large.map(|(path, _)| format!("not in the snapshot: {path}")).collect();
    notes.extend(snapshot.notes.opaque.iter().map(|path| format!("a repository of its own: {path}")));
    notes.truncate(100);
    notes
}

fn index_file(repository: &Repository) -> PathBuf {
    repository.git_dir().join("index")
}

fn write(place: &Path, change: &TreeChange, bytes: &[u8]) -> Result<()> {
    if let Some(parent) = place.parent() {
        files::create_dir_all(parent)?;
    }
    files::remove_empty_dir(place);
    match change.old {
        Some((Mode::Symlink, _)) => files::link(place, bytes),
        old => {
            if std::fs::symlink_metadata(place).is_ok_and(|data| data.is_symlink()) {
                files::remove(place)?;
            }
            files::write_atomically(place, bytes)?;
            match old {
                Some((mode, _)) => files::set_executable(place, mode == Mode::Executable),
                None => Ok(()),
            }
        }
    }
}

fn unable(error: &Diagnostic, standing: &Standing) -> Diagnostic {
    Code::Rapid1724
        .because(format!(
            "the turn cannot be put back: {}; the working copy before it is the tree {}",
            error.message, standing.tree
        ))
        .hint("make the path writable and start again: the turn is put back first")
}
