//! A repository in a world, and the commands that a test runs in it.

use super::{Output, World};
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

    /// The path of the one record that ends like this.
    pub fn record(&self, ending: &str) -> String {
        let found: Vec<String> = self.records().into_iter().filter(|path| path.ends_with(ending)).collect();
        assert_eq!(found.len(), 1, "one record ends in '{ending}'");
        found.into_iter().next().unwrap()
    }
}
