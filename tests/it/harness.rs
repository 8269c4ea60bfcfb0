//! What every test stands on: a world of its own (directory, home, environment), repositories in it, and the built binary.
//!
//! Not here: the small project and the whole loop (`project`), a person at a terminal (`terminal`), tampering with ledgers
//! behind the tool's back (`forge`), places that do not let themselves be written to (`mounts`).

mod files;
mod forge;
mod memory;
mod mounts;
mod output;
mod project;
mod repo;
mod terminal;
mod world;

pub use files::{Lying, everything_below};
pub use forge::Entry;
pub use memory::peak_memory;
pub use mounts::in_a_private_mount_namespace;
pub use output::Output;
pub use project::{GATE, Loop, finished, project, project_in, run_of};
pub use repo::Repo;
pub use terminal::{answer, answer_after, answer_all, somebody_can_be_asked};
pub use world::World;

/// Says that a test cannot be run here, and why: a skipped test must not look like one that nobody thought of.
pub fn step_aside(why: &str) {
    // Under a coding agent nobody can be asked, whatever is installed; anything else that is missing is a failure there.
    let required = std::env::var_os("RAPID_REQUIRE_TOOLS").is_some() && somebody_can_be_asked();
    assert!(!required, "no test may step aside here: {why}");
    eprintln!("stepping aside: {why}");
}
