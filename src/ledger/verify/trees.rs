//! Comparing an entry's tree with those of its parents: only additions, a merge exactly the union, only names and modes that
//! a ledger may hold. Equal subtrees are never entered, so the work is that of what is new.

use super::{
    Finding, MOST_FINDINGS, decided,
    directory::Directory,
    remembered::Remembered,
    walk::{Introduced, Walk},
};
use crate::diagnostics::{Code, Diagnostic};
use crate::git::{Kind, LooseFiles, Mode, Oid, Repository};
use crate::ledger::decision::DIVERGED;
use crate::ledger::join::Names;
use crate::ledger::path::MAX_DEPTH;
use crate::ledger::view::RECORD_CAP;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// The largest tree that is read, in bytes: a quarter of a million names in one directory.
const TREE_CAP: u64 = 8 << 20;

/// How many paths the entries of one thread may add, and how many more for each entry: a few trees that name each other
/// over and over stand for more paths than anybody can look at.
const MOST_PATHS: usize = 1 << 20;
const PATHS_OF_AN_ENTRY: usize = 1 << 10;

pub(super) struct Trees<'r> {
    repository: &'r Repository,
    loose: &'r LooseFiles,
    /// Loose records whose files were looked at.
    whole: HashSet<Oid>,
    directories: Remembered<Directory>,
    taken_apart: Remembered<Names>,
    paths_left: usize,
}

struct At {
    entry: Oid,
    merge: bool,
    /// Paths that were looked at already: what a merge decided about.
    decided: BTreeSet<String>,
}

impl<'r> Trees<'r> {
    pub(super) fn new(repository: &'r Repository, loose: &'r LooseFiles) -> Trees<'r> {
        Trees {
            repository,
            loose,
            whole: HashSet::new(),
            directories: Remembered::default(),
            taken_apart: Remembered::default(),
            paths_left: MOST_PATHS,
        }
    }

    /// Compares the tree of `entry` with the trees of its parents (`None`: that parent could not be read, which is a
    /// finding of its own).
    pub(super) fn compare(&mut self, entry: Oid, tree: Oid, parents: &[Option<Oid>], walk: &mut Walk) {
        let known: Vec<Oid> = parents.iter().filter_map(|parent| *parent).collect();
        if known.len() < parents.len() {
            return; // what this entry adds cannot be told
        }
        if self.paths_left == 0 {
            return;
        }
        self.paths_left = self.paths_left.saturating_add(PATHS_OF_AN_ENTRY);
        let decided = match known.as_slice() {
            [one, two] => decided::look(self, entry, tree, [*one, *two], walk),
            _ => BTreeSet::new(),
        };
        let at = At { entry, merge: parents.len() > 1, decided };
        self.directory(&at, tree, &known, "", 0, walk);
        if self.paths_left == 0 && !walk.exceeded {
            let words = format!("entry {} holds more paths or more faults than are looked at", entry.short());
            walk.exceeded = true;
            walk.findings.push(Finding::of(entry, Code::Rapid1525.because(words)));
        }
    }

    /// Whether one more path may be looked at; a share that was used up stays so.
    fn may_look(&mut self, walk: &Walk) -> bool {
        self.paths_left = if walk.findings.len() < MOST_FINDINGS { self.paths_left.saturating_sub(1) } else { 0 };
        self.paths_left > 0
    }

    fn directory(&mut self, at: &At, tree: Oid, parents: &[Oid], path: &str, depth: usize, walk: &mut Walk) {
        let unchanged = !parents.is_empty() && parents.iter().all(|parent| *parent == tree);
        if unchanged || !self.may_look(walk) {
            return;
        }
        if depth > MAX_DEPTH {
            return walk.findings.push(Finding::of(at.entry, Code::Rapid1515.because("a path goes too deep").at(path)));
        }
        let now = match self.read_directory(tree, None) {
            Ok(directory) => directory,
            Err(diagnostic) => {
                walk.exceeded |= diagnostic.code == Code::Rapid1525;
                return walk.findings.push(Finding::of(at.entry, diagnostic.at(path)));
            }
        };
        if now.is_empty() && depth > 0 {
            let empty = Code::Rapid1515.because("a directory has nothing in it, which git does not write").at(path);
            walk.findings.push(Finding::of(at.entry, empty));
        }
        let before: Vec<Rc<Directory>> =
            parents.iter().filter_map(|parent| self.read_directory(*parent, Some(&now)).ok()).collect();
        if before.len() < parents.len() {
            return; // the parent's own comparison names what is wrong with its tree
        }
        let mut names = BTreeSet::new();
        match before.is_empty() {
            true => now.all(&mut names),
            false => before.iter().for_each(|before| now.differing(before, &mut names)),
        }
        let mut missing = Vec::new();
        for name in names {
            if self.paths_left == 0 {
                return;
            }
            let here = format!("{path}{}", String::from_utf8_lossy(name));
            let there: Vec<(Mode, Oid)> = before.iter().filter_map(|before| before.get(name)).collect();
            let Some((mode, id)) = now.get(name) else {
                missing.extend(there.into_iter().map(|(mode, id)| (mode, id, here.clone())));
                continue;
            };
            if at.decided.contains(&here) {
                continue;
            }
            match mode {
                Mode::Tree => {
                    let below: Vec<Oid> =
                        there.iter().filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| *id).collect();
                    if below.len() < there.len() {
                        walk.findings.push(Finding::of(at.entry, changed(&here)));
                    }
                    self.directory(at, id, &below, &format!("{here}/"), depth + 1, walk);
                }
                Mode::File => self.file(at, id, &there, &here, walk),
                _ => walk.findings.push(Finding::of(at.entry, odd_mode(mode, &here))),
            }
        }
        for (mode, id, path) in missing {
            self.gone(at, mode, id, &path, depth + 1, walk);
        }
    }

    /// Names each record that is gone, not only the directory that it lay in.
    fn gone(&mut self, at: &At, mode: Mode, id: Oid, path: &str, depth: usize, walk: &mut Walk) {
        if at.decided.contains(path) || !self.may_look(walk) {
            return;
        }
        let below = (mode == Mode::Tree && depth <= MAX_DEPTH).then(|| self.names(id));
        if let Some(Ok(names)) = below {
            for (name, (mode, id)) in names.iter() {
                self.gone(at, *mode, *id, &format!("{path}/{name}"), depth + 1, walk);
            }
            return;
        }
        let diagnostic = Code::Rapid1517.because(format!("'{path}' was recorded and is gone")).at(path);
        walk.findings.push(Finding::of(at.entry, diagnostic));
    }

    fn file(&mut self, at: &At, id: Oid, there: &[(Mode, Oid)], path: &str, walk: &mut Walk) {
        if there.iter().any(|other| *other != (Mode::File, id)) {
            for (mode, id) in there.iter().filter(|(mode, _)| *mode == Mode::Tree) {
                self.gone(at, *mode, *id, path, 0, walk);
            }
            return walk.findings.push(Finding::of(at.entry, changed(path)));
        }
        if !there.is_empty() || !self.may_look(walk) {
            return;
        }
        if at.merge {
            let diagnostic =
                Code::Rapid1522.because(format!("the merge adds '{path}', which neither parent has")).at(path);
            return walk.findings.push(Finding::of(at.entry, diagnostic));
        }
        if path.split('/').next() == Some(DIVERGED) {
            let words = format!("'{path}' decides about a divergence, which only a merge may do");
            return walk.findings.push(Finding::of(at.entry, Code::Rapid1550.because(words).at(path)));
        }
        // Whoever reads a record finds what is wrong with its bytes, but not with what lies behind them in its file.
        let whole = match self.loose.has(id) && !self.whole.contains(&id) {
            true => self.read(id, Kind::Blob, RECORD_CAP).map(|_| {
                self.whole.insert(id);
            }),
            false => Ok(()),
        };
        let record = whole.is_ok().then_some(id);
        walk.introduced.push(Introduced { path: path.to_owned(), entry: at.entry, record });
        if let Err(diagnostic) = whole {
            walk.findings.push(Finding::of(at.entry, diagnostic.at(path)));
        }
    }

    /// Takes from the share of the thread what looking at the decisions of a merge costs.
    pub(super) fn spend(&mut self, paths: usize) -> Result<(), Diagnostic> {
        self.paths_left = self.paths_left.saturating_sub(paths);
        match self.is_spent() {
            true => Err(Code::Rapid1525.because("the decisions of a merge are more than are looked at")),
            false => Ok(()),
        }
    }

    /// Whether nothing more is looked at.
    pub(super) fn is_spent(&self) -> bool {
        self.paths_left == 0
    }

    /// The repository.
    pub(super) fn repository(&self) -> &'r Repository {
        self.repository
    }

    /// An object whose bytes are its id's and whose file is whole.
    fn read(&self, id: Oid, kind: Kind, cap: u64) -> Result<Vec<u8>, Diagnostic> {
        let data = self.repository.read_verified(id, kind, cap)?;
        self.loose.check(id, data.len() as u64)?;
        Ok(data)
    }

    /// The entries of a tree, taken apart.
    pub(super) fn names(&mut self, id: Oid) -> Result<Rc<Names>, Diagnostic> {
        if let Some(names) = self.taken_apart.get(&id) {
            return Ok(Rc::clone(names));
        }
        let directory = self.read_directory(id, None)?;
        let names = Rc::new(directory.names());
        // Each name is a text and a place in a map of its own.
        self.taken_apart.insert(id, Rc::clone(&names), directory.size().saturating_mul(8));
        Ok(names)
    }

    /// A tree, its bytes hashed and its grammar checked; `near` is one that may be nearly the same.
    fn read_directory(&mut self, id: Oid, near: Option<&Directory>) -> Result<Rc<Directory>, Diagnostic> {
        if let Some(directory) = self.directories.get(&id) {
            return Ok(Rc::clone(directory));
        }
        let data = match id == Oid::empty_tree(self.repository.format()) {
            true => Vec::new(),
            false => self.read(id, Kind::Tree, TREE_CAP)?,
        };
        let directory = Rc::new(match near {
            Some(near) => Directory::parse_near(data, near)?,
            None => Directory::parse(data, self.repository.format().digits() / 2)?,
        });
        self.directories.insert(id, Rc::clone(&directory), directory.size());
        Ok(directory)
    }
}

fn changed(path: &str) -> Diagnostic {
    Code::Rapid1517.because(format!("'{path}' was recorded with other bytes before")).at(path)
}

fn odd_mode(mode: Mode, path: &str) -> Diagnostic {
    Code::Rapid1515.because(format!("'{path}' has mode {}, which a ledger may not hold", mode.as_str())).at(path)
}
