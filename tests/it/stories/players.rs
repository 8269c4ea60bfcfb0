//! A project whose agents are stand-ins: real programs with the providers' names that do what the case says.

use super::{Project, story};
use crate::harness::{Output, Repo};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const PLAYER: &str = include_str!("player.sh");

/// A project with players.
pub struct Stage {
    pub project: Project,
}

impl Stage {
    /// One whose agents do this, in the shell's words.
    pub fn new(script: &str) -> Stage {
        let stage = Stage { project: Project::sound("p") };
        std::fs::create_dir(stage.case()).unwrap();
        for name in ["pi", "claude", "codex", "opencode"] {
            let path = stage.project.world().path("bin").join(name);
            std::fs::write(&path, PLAYER).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        stage.plays(script);
        stage.configured("");
        stage
    }

    /// From now on they do this.
    pub fn plays(&self, script: &str) {
        std::fs::write(self.case().join("script"), script).unwrap();
    }

    /// The configuration, without waiting between tries.
    pub fn configured(&self, more: &str) {
        self.project.write(".regista/config.toml", format!("[limits]\nretry_delay_base_seconds = 0\n{more}"));
    }

    /// A story in a state.
    pub fn story(&self, number: u32, status: &str, dependencies: &str) {
        let id = format!("STORY-{number:03}");
        self.project.story(&id, story(&id, status, dependencies));
    }

    /// Everything that is there is committed.
    pub fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "as it stands"]);
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        self.project.world().git_at(&self.project.top(), arguments).stdout
    }

    /// `git rapid story` and what follows.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.project.command(arguments);
        command.env("CASE", self.case());
        command
    }

    #[must_use = "how it ended is what a test asks"]
    pub fn run(&self, arguments: &[&str]) -> Output {
        Output::of(&mut self.command(arguments))
    }

    /// The state that a story's file says.
    pub fn status(&self, number: u32) -> String {
        let text = String::from_utf8_lossy(&self.bytes(number)).into_owned();
        let line = text.lines().skip_while(|line| !line.starts_with("## Status")).nth(1).unwrap_or_default();
        line.trim_matches(['*', '\r']).to_owned()
    }

    pub fn bytes(&self, number: u32) -> Vec<u8> {
        std::fs::read(self.project.top().join(format!(".regista/stories/STORY-{number:03}.md"))).unwrap()
    }

    /// Who played, on which story, in which state.
    pub fn turns(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.case().join("turns")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub fn case(&self) -> PathBuf {
        self.project.world().path("case")
    }

    /// The ledger holds.
    pub fn verifies(&self) {
        let verified = Output::of(self.project.world().tool(&self.project.top()).args(["verify", "--full"]));
        drop(verified.ends(0));
        crate::manual::records_fit(&Repo::at(self.project.world(), self.project.top()));
    }

    /// The text of every record of the stories.
    pub fn records(&self) -> String {
        let names = self.git(&["ls-tree", "-r", "--name-only", "refs/rapid/ledger", "stories/"]);
        names.lines().map(|name| self.git(&["show", &format!("refs/rapid/ledger:{name}")])).collect()
    }

    /// The processes that carry the case in their environment.
    pub fn processes(&self) -> Vec<u32> {
        let mark = format!("CASE={}", self.case().display());
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| {
            let alive = std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
            let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            alive && variables.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        })
        .collect()
    }
}

impl Drop for Stage {
    /// A test that failed leaves nobody behind either.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.processes().iter().for_each(|pid| drop(Command::new("kill").args(["-9", &pid.to_string()]).status()));
        }
    }
}

/// Waits for something that another process does.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what} did not happen");
        std::thread::yield_now();
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal.
pub fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().unwrap().success());
}
