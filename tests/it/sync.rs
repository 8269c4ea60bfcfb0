//! Many clones and one remote: what diverges is decided in the open, a lying remote is found out, nothing is lost on the way.

mod crashes;
mod decisions;
mod expunge;
mod forged_decisions;
mod forged_material;
mod kept;
mod many;
mod model;
mod partial;
mod places;
mod published;
mod pushed_elsewhere;

use crate::harness::{Repo, World, project};
use std::sync::Arc;

/// A remote with the project in it, and clones of it that were set up.
fn clones<const N: usize>(names: [&str; N]) -> (Arc<World>, Repo, [Repo; N]) {
    let world = World::new();
    let seed = project(&world, "seed");
    let remote = world.remote("remote.git");
    seed.git(&["push", "--quiet", remote.path().to_str().unwrap(), "main"]);
    let clones = names.map(|name| {
        let clone = world.clone_of(&remote, name);
        let _ = clone.rapid(&["init"]).ok();
        clone
    });
    (world, remote, clones)
}

/// The tree of a clone's ledger.
fn tree(repo: &Repo) -> String {
    repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"])
}

/// Two clones that both went on with the same run after the first had published it.
fn diverged(one: &Repo, two: &Repo) -> String {
    let run = crate::harness::Loop::start(one, "One thing").run;
    let _ = one.rapid(&["push"]).ok();
    let _ = two.rapid(&["fetch"]).ok();
    let _ = one.rapid(&["task", "start", "T001", "--run", &run]).ok();
    let _ = two.rapid(&["task", "skip", "T001", "--run", &run, "--reason", "not needed"]).ok();
    let _ = one.rapid(&["push"]).ok();
    run
}

/// Commits a configuration that publishes this much of the material.
fn publishing(repo: &Repo, level: &str) {
    let text = format!("test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n[push]\nattachments = \"{level}\"\n");
    repo.write(".rapid/config.toml", &text);
    repo.commit("what is published");
}
