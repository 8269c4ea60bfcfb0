//! Beside husky, lefthook and pre-commit, the real ones: both run and both see what is pushed, from the main and from a linked
//! worktree, after they install themselves again, and after ours is taken out.

use super::{push, remote_of};
use crate::harness::{Output, Repo, World, project, step_aside};
use std::path::PathBuf;
use std::sync::Arc;

/// A manager in a project, with a linked worktree.
struct Managed {
    main: Repo,
    linked: Repo,
    install: &'static [&'static str],
    pushes: std::cell::Cell<u32>,
}

/// The manager's own part: it writes what it saw of the push to a file in git's directory.
const THEIRS: &str = "$(git rev-parse --git-common-dir)/theirs";

impl Managed {
    /// A project with the manager's configuration committed; `None` where the manager is not installed.
    fn new(install: &'static [&'static str], files: &[(&str, String)]) -> Option<Managed> {
        let world = World::new();
        if Output::of_any(world.command(install[0], world.top()).arg("--help")).is_none() {
            step_aside(&format!("there is no {}", install[0]));
            return None;
        }
        let main = project(&world, "work");
        remote_of(&main);
        for (name, text) in files {
            main.write(name, text);
        }
        main.commit("a manager of hooks");
        let place = world.path("linked");
        main.git(&["worktree", "add", "--quiet", place.to_str().unwrap()]);
        let linked = Repo::at(&world, place);
        Some(Managed { main, linked, install, pushes: std::cell::Cell::new(0) })
    }

    fn world(&self) -> &Arc<World> {
        self.main.world()
    }

    /// The manager installs itself.
    fn installs(&self, at: &Repo) {
        Output::of(self.world().command(self.install[0], at.path()).args(&self.install[1..])).ok();
    }

    /// Pushes something new; says how often ours ran, and what theirs saw.
    fn push(&self, from: &Repo) -> (usize, String) {
        self.pushes.set(self.pushes.get() + 1);
        let branch = format!("branch-{}", self.pushes.get());
        from.write(&format!("{branch}.txt"), "new\n");
        from.git(&["add", &format!("{branch}.txt")]);
        from.git(&["commit", "--quiet", "--no-verify", "-m", &branch]);
        let said = push(from, &[&format!("HEAD:refs/heads/{branch}")]).ok();
        let ours = said.stderr.matches(&format!("'{branch}' would get")).count()
            + said.stdout.matches(&format!("'{branch}' would get")).count();
        let common = PathBuf::from(from.git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]));
        let seen = std::fs::read_to_string(common.join("theirs")).unwrap_or_default();
        let _ = std::fs::remove_file(common.join("theirs"));
        assert_eq!(seen.matches(&branch).count(), 1, "theirs runs once and sees the ref, it saw '{seen}': {said}");
        (ours, seen)
    }

    fn both_run(&self, when: &str) {
        for from in [&self.main, &self.linked] {
            assert_eq!(self.push(from).0, 1, "ours runs once from {}, {when}", from.path().display());
        }
    }

    fn theirs_alone(&self) {
        for from in [&self.main, &self.linked] {
            assert_eq!(self.push(from).0, 0, "ours is gone");
        }
    }

    /// Everything that is not git's own, and the hooks.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let below = |top: PathBuf| crate::harness::everything_below(&top).into_iter();
        let of = |repo: &Repo| {
            below(repo.path().to_owned()).filter(|(path, _)| !path.components().any(|part| part.as_os_str() == ".git"))
        };
        let hooks = below(self.main.path().join(".git/hooks"));
        let all = of(&self.main).chain(of(&self.linked)).chain(hooks).filter(|(path, _)| path.is_file());
        all.filter(|(path, _)| !path.to_string_lossy().contains("branch-"))
            .map(|(path, lying)| (path, lying.3))
            .collect()
    }
}

fn lefthook() -> Option<Managed> {
    let run = format!("pre-push:\n  commands:\n    theirs:\n      run: cat >\"{THEIRS}\"\n      use_stdin: true\n");
    Managed::new(&["lefthook", "install"], &[("lefthook.yml", run)])
}

fn pre_commit() -> Option<Managed> {
    // pre-commit reads the lines itself and tells its hooks what they said.
    let run = format!(
        "repos:\n- repo: local\n  hooks:\n  - id: theirs\n    name: theirs\n    language: system\n    entry: sh -c 'echo \"$PRE_COMMIT_REMOTE_BRANCH\" >>\"{THEIRS}\"'\n    stages: [pre-push]\n    always_run: true\n    pass_filenames: false\n"
    );
    Managed::new(&["pre-commit", "install", "--hook-type", "pre-push"], &[(".pre-commit-config.yaml", run)])
}

fn husky() -> Option<Managed> {
    let package = "{\"name\": \"x\", \"version\": \"1.0.0\"}\n".to_owned();
    let managed =
        Managed::new(&["husky"], &[("package.json", package), (".husky/pre-push", format!("cat >\"{THEIRS}\"\n"))])?;
    Some(managed)
}

#[test]
fn beside_lefthook_whoever_came_first() {
    let Some(managed) = lefthook() else { return };
    managed.installs(&managed.main);
    let before = managed.files();
    let exclude = managed.main.path().join(".git/info/exclude");
    let excluded = std::fs::read_to_string(&exclude).unwrap_or_default();
    managed
        .main
        .rapid(&["hooks", "install"])
        .ok()
        .says("(lefthook)")
        .says("lefthook-local.yml names a file of this clone");
    for at in [&managed.main, &managed.linked] {
        assert_eq!(
            at.git(&["status", "--short"]),
            "",
            "what names a place of this machine is not offered to be committed"
        );
    }
    managed.both_run("theirs first");
    managed.installs(&managed.main);
    managed.both_run("after they installed themselves again");
    managed.installs(&managed.linked);
    managed.both_run("after they did so from the linked worktree");
    managed.main.rapid(&["hooks", "status"]).ok();
    managed.main.rapid(&["hooks", "install"]).ok();
    managed.main.rapid(&["hooks", "uninstall"]).ok();
    assert_eq!(managed.files(), before);
    assert_eq!(std::fs::read_to_string(&exclude).unwrap_or_default(), excluded);
    managed.theirs_alone();

    // The other way round, and from the other worktree.
    let Some(managed) = lefthook() else { return };
    managed.linked.rapid(&["hooks", "install"]).ok();
    managed.installs(&managed.main);
    managed.both_run("ours first");
    managed.linked.rapid(&["hooks", "install"]).ok();
    managed.installs(&managed.linked);
    managed.both_run("after everybody installed again");
    managed.linked.rapid(&["hooks", "uninstall"]).ok();
    managed.theirs_alone();
}

#[test]
fn another_file_that_lefthook_reads_first_is_not_replaced() {
    let Some(managed) = lefthook() else { return };
    managed.main.write("lefthook-local.yml", "rc: ./mine.sh\n");
    managed.installs(&managed.main);
    managed.main.rapid(&["hooks", "install"]).ends(2).names("RAPID1615").says("lefthook-local.yml");
}

#[test]
fn beside_pre_commit_whoever_came_first() {
    let Some(managed) = pre_commit() else { return };
    managed.installs(&managed.main);
    let before = managed.files();
    managed.main.rapid(&["hooks", "install"]).ok().says("(pre-commit)");
    managed.both_run("theirs first");
    managed.installs(&managed.main);
    managed.both_run("after they installed themselves again");
    managed.installs(&managed.linked);
    managed.both_run("after they did so from the linked worktree");
    managed.main.rapid(&["hooks", "status"]).ok();
    managed.main.rapid(&["hooks", "uninstall"]).ok();
    assert_eq!(managed.files(), before);
    managed.theirs_alone();

    // The other way round, and from the other worktree.
    let Some(managed) = pre_commit() else { return };
    managed.linked.rapid(&["hooks", "install"]).ok();
    managed.installs(&managed.main);
    managed.both_run("ours first");
    managed.linked.rapid(&["hooks", "install"]).ok();
    managed.installs(&managed.linked);
    managed.both_run("after everybody installed again");
    managed.linked.rapid(&["hooks", "uninstall"]).ok();
    managed.theirs_alone();
}

#[test]
fn beside_husky_whoever_came_first() {
    let Some(managed) = husky() else { return };
    managed.installs(&managed.main);
    managed.installs(&managed.linked);
    let before = managed.files();
    for at in [&managed.main, &managed.linked] {
        at.rapid(&["hooks", "install"]).ok().says("(husky)");
    }
    managed.both_run("theirs first");
    managed.installs(&managed.main);
    managed.installs(&managed.linked);
    managed.both_run("after they installed themselves again");
    for at in [&managed.main, &managed.linked] {
        at.rapid(&["hooks", "status"]).ok();
        at.rapid(&["hooks", "uninstall"]).ok();
    }
    assert_eq!(managed.files(), before);
    managed.theirs_alone();

    let Some(managed) = husky() else { return };
    managed.main.rapid(&["hooks", "install"]).ok();
    managed.installs(&managed.main);
    managed.installs(&managed.linked);
    managed.main.rapid(&["hooks", "status"]).ends(1);
    for at in [&managed.main, &managed.linked] {
        at.rapid(&["hooks", "install"]).ok();
    }
    managed.both_run("ours first, and told again");
    for at in [&managed.main, &managed.linked] {
        at.rapid(&["hooks", "uninstall"]).ok();
    }
    managed.theirs_alone();
    assert!(!managed.main.path().join(".git/hooks/pre-push").exists());
}
