//! Tampering with a ledger behind the tool's back, with git's plumbing: what somebody with a shell can do.

use super::Repo;

/// An entry of a forged tree: mode, name, object.
pub type Entry<'a> = (&'a str, &'a [u8], &'a str);

impl Repo {
    /// Where the ledger begins.
    pub fn first_entry(&self) -> String {
        self.git(&["rev-list", "--max-parents=0", "refs/rapid/ledger"])
    }

    /// The bytes at a path of the ledger.
    pub fn bytes_of(&self, path: &str) -> Vec<u8> {
        let mut command = self.world().git_command(self.path());
        command.args(["cat-file", "blob", &format!("refs/rapid/ledger:{path}")]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "'{path}' is in the ledger");
        output.stdout
    }

    /// Writes a blob.
    pub fn blob(&self, bytes: &[u8]) -> String {
        self.git_with(&["hash-object", "-w", "--stdin"], bytes)
    }

    /// Writes a tree as it is said, however odd.
    pub fn raw_tree(&self, entries: &[Entry<'_>]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend_from_slice(mode.as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(name);
            bytes.push(0);
            bytes.extend((0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()));
        }
        self.git_with(&["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], &bytes)
    }

    /// The tree of `revision` with paths set or (with `None`) removed.
    pub fn tree_with(&self, revision: &str, changes: &[(&str, Option<&str>)]) -> String {
        let index = self.world().path("forged-index");
        let git = |arguments: &[&str]| {
            let mut command = self.world().git_command(self.path());
            super::Output::of(command.env("GIT_INDEX_FILE", &index).args(arguments)).ok().line()
        };
        git(&["read-tree", &format!("{revision}^{{tree}}")]);
        for (path, blob) in changes {
            match blob {
                Some(blob) => git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{path}")]),
                None => git(&["update-index", "--force-remove", path]),
            };
        }
        let tree = git(&["write-tree"]);
        std::fs::remove_file(index).unwrap();
        tree
    }

    /// The bytes of an entry as the tool itself would write it.
    pub fn entry_text(&self, tree: &str, parents: &[&str]) -> String {
        let parents: String = parents.iter().map(|parent| format!("parent {parent}\n")).collect();
        let who = "Ada <ada@example.com> 1767300000 +0000";
        format!("tree {tree}\n{parents}author {who}\ncommitter {who}\n\nforged\n\nRapid-Verb: task\nRapid-Subject: x\n")
    }

    /// Writes a commit of these bytes, however odd.
    pub fn raw_commit(&self, text: &[u8]) -> String {
        self.git_with(&["hash-object", "-w", "-t", "commit", "--literally", "--stdin"], text)
    }

    /// Writes an entry of good grammar.
    pub fn entry(&self, tree: &str, parents: &[&str]) -> String {
        self.raw_commit(self.entry_text(tree, parents).as_bytes())
    }

    /// Puts an entry on top of the ledger with these paths set or removed, and moves the ledger to it.
    pub fn append_entry(&self, changes: &[(&str, Option<&str>)]) -> String {
        let tip = self.tip();
        let entry = self.entry(&self.tree_with(&tip, changes), &[&tip]);
        self.move_ledger(&entry);
        entry
    }

    /// Moves the ledger.
    pub fn move_ledger(&self, to: &str) {
        self.git(&["update-ref", "refs/rapid/ledger", to]);
    }
}
