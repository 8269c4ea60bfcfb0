//! Git's hooks: what they refuse, what they leave alone, and how they live beside those of others. Always through real git.

mod brought;
mod commit;
mod managers;
mod one_answer;
mod places;
mod push;
mod rewind;
mod server;
mod squashed;
mod team;
mod terms;

use crate::harness::{Output, Repo, World, finished, project};
use std::sync::Arc;

/// The configuration of the small project, with this below it. Not committed: the code stays what a run has passed on.
pub fn configure(repo: &Repo, more: &str) {
    repo.write(".rapid/config.toml", &format!("test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n{more}"));
}

/// A remote of `repo`, called origin.
pub fn remote_of(repo: &Repo) -> Repo {
    let remote = repo.world().remote("remote.git");
    repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    remote
}

/// Another remote of `repo`, called so.
pub fn remote_of_another(repo: &Repo) -> Repo {
    let remote = repo.world().remote("another.git");
    repo.git(&["remote", "add", "another", remote.path().to_str().unwrap()]);
    remote
}

/// A project with a finished run and the hooks in it, and its remote. `None` where nobody can be asked to approve a run.
pub fn covered(more: &str) -> Option<(Repo, Repo)> {
    let repo = finished()?;
    let remote = remote_of(&repo);
    repo.rapid(&["hooks", "install"]).ok();
    configure(&repo, more);
    Some((repo, remote))
}

/// A project without any run, with the hooks in it, and its remote.
pub fn uncovered(more: &str) -> (Arc<World>, Repo, Repo) {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    repo.rapid(&["hooks", "install"]).ok();
    configure(&repo, more);
    (world, repo, remote)
}

/// `git push origin` with these arguments.
#[must_use = "how it ended is what a test asks"]
pub fn push(repo: &Repo, arguments: &[&str]) -> Output {
    repo.try_git(&[&["push", "origin"], arguments].concat())
}

/// What a remote has of a ref; empty when nothing.
pub fn there(remote: &Repo, name: &str) -> String {
    remote.git(&["for-each-ref", "--format=%(objectname)", name])
}

/// Writes a program.
pub fn program(repo: &Repo, path: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    repo.write(path, text);
    let path = repo.path().join(path);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
