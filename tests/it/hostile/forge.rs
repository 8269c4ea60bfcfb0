//! A good ledger to make wrong ones of, and the moves that forge: with git's plumbing, or with raw objects that git itself
//! would not write.

use crate::harness::{Loop, Repo, finished, project_in};
use git_rapid::domain::{
    digest::Digest,
    json::{self, Value},
};

/// One fault: the ledger that has it, and the codes that it is found by. The first code must be among them, and no finding
/// may have any other.
pub struct Fault {
    /// What is wrong.
    pub name: &'static str,
    /// Makes the ledger; returns its tip.
    pub forge: fn(&Forge) -> String,
    /// The codes.
    pub codes: &'static [&'static str],
}

/// A row of a family's table.
pub const fn fault(name: &'static str, forge: fn(&Forge) -> String, codes: &'static [&'static str]) -> Fault {
    Fault { name, forge, codes }
}

/// An entry of a raw tree: mode, name, id.
pub type Raw = (String, Vec<u8>, String);

/// What a raw entry names.
pub enum Named {
    /// A small file.
    Blob,
    /// A directory with a file in it.
    Tree,
    /// The newest entry.
    Commit,
    /// Nothing that is here.
    Nothing,
}

/// A ledger with one finished run and one that has begun.
pub struct Forge {
    /// The repository.
    pub repo: Repo,
    /// The good tip.
    pub tip: String,
    /// The first entry.
    pub first: String,
    /// The directory of the finished run.
    pub run: String,
    /// The directory of the run that has begun.
    pub open: String,
    /// The directory of the finished run's spec.
    pub spec: String,
}

impl Forge {
    /// `None`, said aloud, where no run can be finished.
    pub fn new() -> Option<Forge> {
        Some(Forge::on(finished()?))
    }

    /// The same in a SHA-256 repository.
    pub fn sha256() -> Option<Forge> {
        let world = finished()?.world().clone();
        let repo = world.repository("long", &["--object-format=sha256"]);
        project_in(&repo);
        Loop::whole(&repo, "Add a greeting");
        Some(Forge::on(repo))
    }

    fn on(repo: Repo) -> Forge {
        Loop::start(&repo, "Another thing");
        repo.git_rapid(&["task", "start", "T001"]).ok();
        let directory = |ending: &str| repo.record(ending).trim_end_matches(ending).to_owned();
        Forge {
            tip: repo.tip(),
            first: repo.first_entry(),
            run: directory("/add-a-greeting-r1-run-001/contract.json") + "/add-a-greeting-r1-run-001",
            open: directory("/another-thing-r1-run-001/contract.json") + "/another-thing-r1-run-001",
            spec: directory("/add-a-greeting/0001/revision.json") + "/add-a-greeting",
            repo,
        }
    }

    /// A path of the finished run.
    pub fn at(&self, rest: &str) -> String {
        format!("{}/{rest}", self.run)
    }

    /// A path of the run that has begun.
    pub fn at_open(&self, rest: &str) -> String {
        format!("{}/{rest}", self.open)
    }

    /// A path of the finished run's spec.
    pub fn at_spec(&self, rest: &str) -> String {
        format!("{}/{rest}", self.spec)
    }

    /// A record.
    pub fn record(&self, path: &str) -> Value {
        json::parse(&self.repo.bytes_of(path)).unwrap()
    }

    /// A whole ledger of this tree: one entry after the first.
    pub fn whole(&self, tree: &str) -> String {
        self.repo.entry(tree, &[&self.first])
    }

    /// The ledger as if it had been so from the beginning: with these records in it, or (with `None`) without.
    pub fn with(&self, changes: &[(&str, Option<&[u8]>)]) -> String {
        self.whole(&self.tree(changes))
    }

    /// The same, put on top of the good one.
    pub fn on_top(&self, changes: &[(&str, Option<&[u8]>)]) -> String {
        self.repo.entry(&self.tree(changes), &[&self.tip])
    }

    /// The tree of the good ledger with these changes.
    pub fn tree(&self, changes: &[(&str, Option<&[u8]>)]) -> String {
        self.tree_of(&self.tip, changes)
    }

    /// The tree of an entry with these changes.
    pub fn tree_of(&self, entry: &str, changes: &[(&str, Option<&[u8]>)]) -> String {
        let blobs: Vec<(&str, Option<String>)> =
            changes.iter().map(|(path, bytes)| (*path, bytes.map(|bytes| self.repo.blob(bytes)))).collect();
        let changes: Vec<(&str, Option<&str>)> = blobs.iter().map(|(path, blob)| (*path, blob.as_deref())).collect();
        self.repo.tree_with(entry, &changes)
    }

    /// With one record replaced by these bytes.
    pub fn bytes(&self, path: &str, bytes: &[u8]) -> String {
        self.with(&[(path, Some(bytes))])
    }

    /// With one record edited, its own digest made to hold again.
    pub fn edit(&self, path: &str, edit: impl FnOnce(Value) -> Value) -> String {
        self.bytes(path, &sealed(edit(self.record(path))))
    }

    /// With the contract of the run that has begun edited, and everything bound to it made to hold again.
    pub fn contract(&self, edit: impl FnOnce(Value) -> Value) -> String {
        let path = self.at_open("contract.json");
        let contract = edit(self.record(&path));
        let body = contract.clone().without("run_id").without("contract_digest");
        let digest = Digest::of_value(&body).to_string();
        let gates = contract.get("gates").and_then(Value::as_list).unwrap_or_default().to_vec();
        let mut changes = vec![(path, contract.with("contract_digest", digest.as_str()).record_bytes())];
        let records = self.repo.records();
        let below = |name: &str| {
            let directory = self.at_open(name);
            records.iter().filter(move |path| path.starts_with(&directory))
        };
        let mut states: Vec<Value> = Vec::new();
        for path in below("states/") {
            let state = sealed(agreeing(self.record(path), &gates));
            states.push(json::parse(&state).unwrap());
            changes.push((path.clone(), state));
        }
        for path in below("evidence/") {
            let evidence = self.record(path);
            let state = states.iter().find(|state| state.get("revision") == evidence.get("state_revision")).unwrap();
            let evidence = evidence.with("state_digest", state.get("content_digest").unwrap().clone());
            changes.push((path.clone(), sealed(evidence.with("contract_digest", digest.as_str()))));
        }
        let changes: Vec<(&str, Option<&[u8]>)> =
            changes.iter().map(|(path, bytes)| (path.as_str(), Some(bytes.as_slice()))).collect();
        self.with(&changes)
    }

    /// The entries of a directory of the good ledger.
    pub fn entries(&self, directory: &str) -> Vec<Raw> {
        let list = self.repo.git(&["ls-tree", &format!("{}:{directory}", self.tip)]);
        let entry = |line: &str| {
            let (head, name) = line.split_once('\t').unwrap();
            let words: Vec<&str> = head.split(' ').collect();
            (words[0].trim_start_matches('0').to_owned(), name.as_bytes().to_vec(), words[2].to_owned())
        };
        list.lines().map(entry).collect()
    }

    /// A whole ledger in which the tree of one directory is this object.
    pub fn replaced(&self, directory: &str, tree: &str) -> String {
        let mut id = tree.to_owned();
        let mut at = directory;
        while !at.is_empty() {
            let (above, name) = at.rsplit_once('/').unwrap_or(("", at));
            let mut entries = self.entries(above);
            entries.iter_mut().find(|(_, own, _)| own == name.as_bytes()).unwrap().2 = id;
            id = self.raw(&entries);
            at = above;
        }
        self.whole(&id)
    }

    /// A whole ledger in which the entries of one directory are edited, written as they are said.
    pub fn in_directory(&self, directory: &str, edit: impl FnOnce(&mut Vec<Raw>)) -> String {
        let mut entries = self.entries(directory);
        edit(&mut entries);
        self.replaced(directory, &self.raw(&entries))
    }

    /// A whole ledger with one more entry at its top, sorted as git sorts.
    pub fn with_entry(&self, mode: &str, name: &[u8], named: Named) -> String {
        self.in_directory("", |entries| self.put(entries, mode, name, named))
    }

    /// Puts one more entry in its place.
    pub fn put(&self, entries: &mut Vec<Raw>, mode: &str, name: &[u8], named: Named) {
        let id = match named {
            Named::Blob => self.repo.blob(b"x\n"),
            Named::Tree => self.raw(&[("100644".to_owned(), b"x".to_vec(), self.repo.blob(b"x\n"))]),
            Named::Commit => self.tip.clone(),
            Named::Nothing => "12".repeat(self.tip.len() / 2),
        };
        entries.push((mode.to_owned(), name.to_vec(), id));
        let key = |(mode, name, _): &Raw| {
            let end: &[u8] = if mode.trim_start_matches('0') == "40000" { b"/" } else { b"" };
            [name.as_slice(), end].concat()
        };
        entries.sort_by_key(key);
    }

    /// Writes a tree as it is said.
    pub fn raw(&self, entries: &[Raw]) -> String {
        let entries: Vec<(&str, &[u8], &str)> =
            entries.iter().map(|(mode, name, id)| (mode.as_str(), name.as_slice(), id.as_str())).collect();
        self.repo.raw_tree(&entries)
    }

    /// An entry on top of the good ledger whose text is edited.
    pub fn text(&self, edit: impl FnOnce(String) -> String) -> String {
        let tree = self.repo.git(&["rev-parse", &format!("{}^{{tree}}", self.tip)]);
        self.repo.raw_commit(edit(self.repo.entry_text(&tree, &[&self.tip])).as_bytes())
    }
}

/// A record whose own digest is made to hold again.
pub fn sealed(value: Value) -> Vec<u8> {
    let own = ["content_digest", "report_digest"].into_iter().find(|key| value.get(key).is_some()).unwrap();
    let digest = Digest::of_value(&value.clone().without(own));
    value.with(own, digest.to_string()).record_bytes()
}

/// A state whose gates are what a contract's gates of the same ids are.
fn agreeing(state: Value, gates: &[Value]) -> Value {
    let own = state.get("gates").and_then(Value::as_list).unwrap().to_vec();
    let agreed = own.into_iter().map(|gate| {
        let Some(asked) = gates.iter().find(|asked| asked.get("id") == gate.get("id")) else { return gate };
        let take = |gate: Value, key: &str| gate.with(key, asked.get(key).unwrap().clone());
        take(take(gate, "required"), "waivable")
    });
    state.with("gates", Value::list(agreed))
}

/// A value with something inside of it set.
pub fn inside(value: Value, outer: &str, key: &str, new: impl Into<Value>) -> Value {
    let inner = value.get(outer).unwrap().clone().with(key, new);
    value.with(outer, inner)
}

/// A value with a key of the nth object of a list set.
pub fn nth(value: Value, list: &str, at: usize, key: &str, new: impl Into<Value>) -> Value {
    let mut items = value.get(list).and_then(Value::as_list).unwrap().to_vec();
    items[at] = items[at].clone().with(key, new);
    value.with(list, Value::List(items))
}
