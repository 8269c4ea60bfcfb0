//! `git rapid story` on backlogs that lie on a disk: what is found, what a dry run plans, what is set up, and how large it
//! may be. No agent is started here.

mod background;
mod crashes;
mod dry_run;
mod faults;
mod groom;
mod init;
mod parallel;
mod players;
mod published;
mod real;
mod refusals;
mod scale;
mod shapes;
mod undone;
mod validate;
mod work;

use crate::harness::{Output, World};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// The folders of the roles' instructions.
const ROLES: [&str; 4] = ["product-owner", "qa-engineer", "developer", "reviewer"];

/// A project in a directory of its own, with a program `pi` that must never be started.
pub struct Project {
    world: Arc<World>,
    name: &'static str,
}

impl Project {
    /// One outside every repository, without a configuration and without stories.
    pub fn bare(name: &'static str) -> Project {
        let project = Project { world: World::new(), name };
        std::fs::create_dir(project.top()).unwrap();
        project.program("pi");
        project
    }

    /// One in a repository, with a configuration and the instructions of all roles, so that nothing is wrong with it.
    pub fn sound(name: &'static str) -> Project {
        let project = Project { world: World::new(), name };
        project.world.repository(name, &[]);
        project.program("pi");
        project.write(".regista/config.toml", "[agents]\nprovider = \"pi\"\n");
        for role in ROLES {
            project.write(&format!(".pi/skills/{role}/SKILL.md"), "Do it well.\n");
        }
        project
    }

    /// Its top.
    pub fn top(&self) -> PathBuf {
        self.world.path(self.name)
    }

    /// The world it lies in.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// A program on PATH that leaves a mark when it is started.
    pub fn program(&self, name: &str) {
        let path = self.world.path("bin").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(
            &path,
            format!(
                "#!/bin/sh\n[ \"$1\" = --version ] && echo 'stand-in 1.0' && exit\necho started >> '{}'\n",
                self.started().display()
            ),
        )
        .unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Where the programs leave their mark.
    pub fn started(&self) -> PathBuf {
        self.world.path("started")
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.top().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Writes a story.
    pub fn story(&self, id: &str, text: impl AsRef<[u8]>) {
        self.write(&format!(".regista/stories/{id}.md"), text);
    }

    /// `git rapid story` and what follows, about to be started in the project with nothing but our programs on PATH.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.world.tool(&self.top());
        let path = format!("{}:{}", self.world.path("bin").display(), World::bare_path());
        command.env("PATH", path).arg("story").args(arguments);
        command
    }

    /// Runs it.
    #[must_use = "how it ended is what a test asks"]
    pub fn run(&self, arguments: &[&str]) -> Output {
        Output::of(&mut self.command(arguments))
    }
}

/// A story that nothing is wrong with; `dependencies` may be empty.
pub fn story(id: &str, status: &str, dependencies: &str) -> String {
    let dependencies = match dependencies {
        "" => String::new(),
        some => format!("## Dependencies\n- Blocked by: {some}\n\n"),
    };
    format!(
        "# {id}: Title\n\n## Status\n**{status}**\n\n## Epic\nEPIC-001\n\n## Description\nFor whom.\n\n\
         ## Acceptance criteria\n- [ ] One\n\n{dependencies}## Activity Log\n- 2026-01-01 | PO | Created.\n"
    )
}

/// Copies the backlog of the corpus.
pub fn corpus(project: &Project) {
    let from = format!("{}/tests/corpus/stories/backlog", env!("CARGO_MANIFEST_DIR"));
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
        project.story(&id, std::fs::read(&path).unwrap());
    }
}
