//! Comparing an entry's tree with those of its parents: only additions, a merge exactly the union, only names and modes that
//! a ledger may hold. Equal subtrees are never entered, so the work is that of what is new.

use super::{
    Finding,
    walk::{Check, Walk},
};
use crate::diagnostics::{Code, Diagnostic};
use crate::git::{self, Kind, Mode, Oid, Repository};
use crate::ledger::path::{MAX_DEPTH, bad_name};
use crate::ledger::view::RECORD_CAP;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The largest tree that is read, in bytes.
const TREE_CAP: u64 = 64 << 20;

/// How many findings there may be before what is gone is named by its directory only.
const MOST_NAMED: usize = 10_000;

/// How many bytes of trees are remembered.
const REMEMBERED: usize = 8 << 20;

type Names = BTreeMap<String, (Mode, Oid)>;

pub(super) struct Trees<'r> {
    repository: &'r Repository,
    remembered: HashMap<Oid, Rc<Names>>,
    bytes: usize,
}

struct At {
    entry: Oid,
    merge: bool,
    check: Check,
}

impl<'r> Trees<'r> {
    pub(super) fn new(repository: &'r Repository) -> Trees<'r> {
        Trees { repository, remembered: HashMap::new(), bytes: 0 }
    }

    /// Compares the tree of `entry` with the trees of its parents (`None`: that parent could not be read, which is a
    /// finding of its own).
    pub(super) fn compare(&mut self, entry: Oid, tree: Oid, parents: &[Option<Oid>], check: Check, walk: &mut Walk) {
        let known: Vec<Oid> = parents.iter().filter_map(|parent| *parent).collect();
        if known.len() < parents.len() {
            return; // what this entry adds cannot be told
        }
        let at = At { entry, merge: parents.len() > 1, check };
        self.directory(&at, tree, &known, "", 0, walk);
    }

    fn directory(&mut self, at: &At, tree: Oid, parents: &[Oid], path: &str, depth: usize, walk: &mut Walk) {
        if parents.len() == 1 && parents.first() == Some(&tree) {
            return;
        }
        if depth > MAX_DEPTH {
            return walk.findings.push(Finding::of(at.entry, Code::Rapid1515.because("a path goes too deep").at(path)));
        }
        let now = match self.names(tree) {
            Ok(names) => names,
            Err(diagnostic) => return walk.findings.push(Finding::of(at.entry, diagnostic.at(path))),
        };
        let before: Vec<Rc<Names>> = parents.iter().filter_map(|parent| self.names(*parent).ok()).collect();
        if before.len() < parents.len() {
            return; // the parent's own comparison names what is wrong with its tree
        }
        for (name, (mode, id)) in now.iter() {
            let here = format!("{path}{name}");
            let there: Vec<(Mode, Oid)> = before.iter().filter_map(|names| names.get(name).copied()).collect();
            match mode {
                Mode::Tree => {
                    let below: Vec<Oid> =
                        there.iter().filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| *id).collect();
                    if below.len() < there.len() {
                        walk.findings.push(Finding::of(at.entry, changed(&here)));
                    }
                    self.directory(at, *id, &below, &format!("{here}/"), depth + 1, walk);
                }
                Mode::File => self.file(at, *id, &there, &here, walk),
                _ => walk.findings.push(Finding::of(at.entry, odd_mode(*mode, &here))),
            }
        }
        let all_before = before.iter().flat_map(|names| names.iter());
        for (name, (mode, id)) in all_before.filter(|(name, _)| !now.contains_key(*name)) {
            self.gone(at, *mode, *id, &format!("{path}{name}"), depth + 1, walk);
        }
    }

    /// Names each record that is gone, not only the directory that it lay in.
    fn gone(&mut self, at: &At, mode: Mode, id: Oid, path: &str, depth: usize, walk: &mut Walk) {
        let few = walk.findings.len() < MOST_NAMED;
        let below = (mode == Mode::Tree && depth <= MAX_DEPTH && few).then(|| self.names(id));
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
        if !there.is_empty() {
            return;
        }
        if at.merge {
            let diagnostic =
                Code::Rapid1522.because(format!("the merge adds '{path}', which neither parent has")).at(path);
            return walk.findings.push(Finding::of(at.entry, diagnostic));
        }
        walk.introduced.entry(path.to_owned()).or_insert(at.entry);
        let verdict =
            self.repository.read_verified(id, Kind::Blob, RECORD_CAP).and_then(|bytes| (at.check)(path, &bytes));
        if let Err(diagnostic) = verdict {
            walk.findings.push(Finding::of(at.entry, diagnostic.at(path)));
        }
    }

    /// The entries of a tree, its bytes hashed and its grammar checked.
    fn names(&mut self, id: Oid) -> Result<Rc<Names>, Diagnostic> {
        if let Some(names) = self.remembered.get(&id) {
            return Ok(Rc::clone(names));
        }
        let data = match id == Oid::empty_tree(self.repository.format()) {
            true => Vec::new(),
            false => self.repository.read_verified(id, Kind::Tree, TREE_CAP)?,
        };
        let mut names = Names::new();
        let mut folded = BTreeMap::new();
        for entry in git::entries(&data, self.repository.format().digits() / 2) {
            let entry = entry.map_err(|fault| Code::Rapid1515.because(fault.to_string()))?;
            if let Some(why) = bad_name(entry.name) {
                let name = String::from_utf8_lossy(entry.name).escape_debug().to_string();
                return Err(Code::Rapid1515.because(format!("'{name}' {why}")));
            }
            let name = String::from_utf8_lossy(entry.name).into_owned();
            if let Some(twin) = folded.insert(name.to_lowercase(), name.clone()) {
                return Err(Code::Rapid1515.because(format!("'{twin}' and '{name}' differ only in case")));
            }
            names.insert(name, (entry.mode, entry.id));
        }
        if self.bytes > REMEMBERED {
            self.remembered.clear();
            self.bytes = 0;
        }
        self.bytes += data.len();
        let names = Rc::new(names);
        self.remembered.insert(id, Rc::clone(&names));
        Ok(names)
    }
}

fn changed(path: &str) -> Diagnostic {
    Code::Rapid1517.because(format!("'{path}' was recorded with other bytes before")).at(path)
}

fn odd_mode(mode: Mode, path: &str) -> Diagnostic {
    Code::Rapid1515.because(format!("'{path}' has mode {}, which a ledger may not hold", mode.as_str())).at(path)
}
