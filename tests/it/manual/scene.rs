//! The scenes that pages are played in: a small project with a remote, at some moment of its first run.
//!
//! Each scene is the one before it and some steps more, done with the commands that the README shows.

use super::played::{PROMPT, typed};
use crate::harness::{Repo, World, somebody_can_be_asked};
use std::path::Path;
use std::sync::Arc;

/// Every scene: its name, and what is done after the scene before it. A line that ends in `PERSON` is decided by a person.
const SCENES: &[(&str, &[&str])] = &[
    ("nowhere", &[]),
    ("project", &[]),
    ("set-up", &["git rapid init", "git add .rapid/config.toml", "git commit --quiet --message 'Set up git-rapid'"]),
    ("started", &["git rapid start feature --title 'Greet by name' --task 'Take a name'"]),
    (
        "worked",
        &[
            "git rapid task start T001",
            "sed -i.bak 's/hello/hello $1/' greet.sh && rm greet.sh.bak",
            "git rapid task done T001",
        ],
    ),
    ("approved", &["git rapid approve gate.final-verification PERSON"]),
    (
        "finished",
        &["git rapid finish", "git commit --quiet --all --message 'Greet by name'", "git push --quiet origin HEAD"],
    ),
    ("shared", &["git rapid push"]),
];

/// A place where commands are typed.
pub struct Scene {
    world: Arc<World>,
    server: Option<Repo>,
    app: Option<Repo>,
    reviewer: Option<Repo>,
}

impl Scene {
    /// This scene; `None` where it needs a person and nobody can be asked.
    pub fn set(name: &str) -> Option<Scene> {
        let last = SCENES.iter().position(|(scene, _)| *scene == name);
        let last = last.unwrap_or_else(|| panic!("'{name}' is a scene of tests/it/manual/scene.rs"));
        let steps: Vec<&str> = SCENES[..=last].iter().flat_map(|(_, steps)| steps.iter().copied()).collect();
        if steps.iter().any(|step| step.ends_with("PERSON")) && !somebody_can_be_asked() {
            return None;
        }
        let world = World::new();
        if last == 0 {
            return Some(Scene { world, server: None, app: None, reviewer: None });
        }
        let server = world.remote("server");
        let app = world.repository("app", &[]);
        app.write("greet.sh", "echo hello\n");
        app.write(
            "tests.sh",
            "echo 1..1\nsh greet.sh you | grep -q hello && echo 'ok 1 - greets' || { echo 'not ok 1 - greets'; exit 1; }\n",
        );
        app.commit("a project");
        app.git(&["remote", "add", "origin", &server.path().display().to_string()]);
        app.git(&["push", "--quiet", "origin", "HEAD"]);
        let scene = Scene { world, server: Some(server), app: Some(app), reviewer: None };
        for step in steps {
            match step.strip_suffix(" PERSON") {
                Some(step) => typed(&scene, step, Some("approve gate.final-verification")).ok().says(PROMPT),
                None => typed(&scene, step, None).ok(),
            };
        }
        Some(scene)
    }

    /// The same world in a new clone of the remote.
    pub fn in_a_clone(mut self) -> Scene {
        let server = self.server.as_ref().expect("a scene with a remote comes before the clone");
        self.reviewer = Some(self.world.clone_of(server, "reviewer"));
        self
    }

    /// Where commands are typed.
    pub fn place(&self) -> &Path {
        let repo = self.reviewer.as_ref().or(self.app.as_ref());
        repo.map_or(self.world.top(), Repo::path)
    }

    /// The project, where there is one.
    pub fn app(&self) -> Option<&Repo> {
        self.app.as_ref()
    }

    /// Its world.
    pub fn world(&self) -> &World {
        &self.world
    }
}
