//! A repository in a world, and the commands that a test runs in it.

use super::{Output, World};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// A repository.
#[derive(Clone)]
pub struct Repo {
    world: Arc<World>,
    path: PathBuf,
}

impl Repo {
    /// The repository at a path.
    pub fn at(world: &Arc<World>, path: PathBuf) -> Repo {
        Repo { world: Arc::clone(world), path }
    }

    /// The world it lies in.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tool, about to be started here.
    pub fn tool(&self) -> Command {
        self.world.tool(&self.path)
    }

    /// Runs the tool.
    #[must_use = "how it ended is what a test asks"]
    pub fn rapid(&self, arguments: &[&str]) -> Output {
        Output::of(self.tool().args(arguments))
    }

    /// Runs the tool as a person does, through git.
    #[must_use = "how it ended is what a test asks"]
    pub fn git_rapid(&self, arguments: &[&str]) -> Output {
        Output::of(self.world.command("git", &self.path).arg("rapid").args(arguments))
    }

    /// Runs git; it must succeed. Returns its output without the last line break.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.world.git_at(&self.path, arguments).line()
    }

    /// Runs git, whatever comes of it.
    #[must_use = "how it ended is what a test asks"]
    pub fn try_git(&self, arguments: &[&str]) -> Output {
        Output::of(self.world.git_command(&self.path).args(arguments))
    }

    /// Runs git with bytes to read; it must succeed.
    pub fn git_with(&self, arguments: &[&str], input: &[u8]) -> String {
        use std::io::Write;
        let mut command = self.world.git_command(&self.path);
        command.args(arguments).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Output::from_std(&child.wait_with_output().unwrap(), format!("git {arguments:?}")).ok().line()
    }

    /// Runs a script with `sh`; it must succeed.
    pub fn sh(&self, script: &str) -> Output {
        Output::of(self.world.command("sh", &self.path).args(["-c", script])).ok()
    }

    /// Writes a file of the working copy.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits everything that is there.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// What `verify` with these arguments says, as a document.
    #[must_use = "how it ended is what a test asks"]
    pub fn verify(&self, arguments: &[&str]) -> Output {
        self.rapid(&[&["verify", "--json"], arguments].concat())
    }

    /// The newest entry of the ledger.
    pub fn tip(&self) -> String {
        self.git(&["rev-parse", "refs/rapid/ledger"])
    }

    /// The paths of all records.
    pub fn records(&self) -> Vec<String> {
        let list = self.git(&["ls-tree", "-r", "--name-only", "refs/rapid/ledger"]);
        list.lines().map(str::to_owned).collect()
    }

    /// Shows the newest record of each kind, in words and as a document; the kinds, like `runs/states/0000.json`.
    pub fn shows_each_kind(&self) -> BTreeSet<String> {
        let newest: BTreeMap<String, String> = self.records().into_iter().map(|path| (kind_of(&path), path)).collect();
        for path in newest.values() {
            let words = self.rapid(&["show", path]).ok();
            assert_eq!(words.stdout.lines().next(), Some(path.as_str()), "{words}");
            assert!(words.stdout.lines().count() > 1 || self.bytes_of(path).is_empty(), "it says something: {words}");
            let document = self.rapid(&["show", path, "--json"]).ok().json();
            let record = document.get("record").unwrap_or_else(|| panic!("no record: {}", document.pretty()));
            let is_object = record.get("schema_version").is_some();
            assert_eq!(is_object, path.ends_with(".json"), "{path}: {}", document.pretty());
        }
        newest.into_keys().collect()
    }

    /// The path of the one record that ends like this.
    pub fn record(&self, ending: &str) -> String {
        let found: Vec<String> = self.records().into_iter().filter(|path| path.ends_with(ending)).collect();
        assert_eq!(found.len(), 1, "one record ends in '{ending}'");
        found.into_iter().next().unwrap()
    }
}

/// A record's path without what tells it from others of its kind: no shard, no ids, no digests, each digit 0.
fn kind_of(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let names: Vec<&str> = match parts.as_slice() {
        ["diverged", top, _, _, ..] => vec!["diverged", top, parts.last().unwrap()],
        [top, _, _, rest @ ..] => [&[*top], rest].concat(),
        _ => parts,
    };
    let plain = |name: &&str| {
        let stem = name.split('.').next().unwrap();
        let is_digest = stem.len() >= 16 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
        let name = if is_digest { name.replace(stem, "DIGEST") } else { (*name).to_owned() };
        name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>()
    };
    names.iter().map(plain).collect::<Vec<_>>().join("/")
}
