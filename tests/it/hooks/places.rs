//! Where hooks are put: beside those that are there, wherever git looks for them, from the main and from a linked worktree;
//! and taken out again so that nothing tells.

use super::{configure, program, push, remote_of};
use crate::harness::{Output, Repo, World, everything_below, project};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const THEIRS: &str = "#!/bin/sh\ncat >>\"$(git rev-parse --git-common-dir)/theirs\"\nexit \"${THEIRS_EXIT-0}\"";

/// A project and a linked worktree of it, with a remote and hooks at `hooks_path`.
fn two(hooks_path: Option<&str>) -> (Arc<World>, Repo, Repo) {
    let world = World::new();
    let main = project(&world, "work");
    remote_of(&main);
    let place = world.path("linked");
    main.git(&["worktree", "add", "--quiet", place.to_str().unwrap()]);
    let linked = Repo::at(&world, place);
    if let Some(path) = hooks_path {
        let path = if path == "absolute" { world.path("shared hooks").display().to_string() } else { path.to_owned() };
        main.git(&["config", "core.hooksPath", &path]);
    }
    (world, main, linked)
}

/// Where git looks for hooks from here.
fn hooks_of(repo: &Repo) -> PathBuf {
    repo.path().join(repo.git(&["rev-parse", "--git-path", "hooks"]))
}

/// Modes and bytes below a directory.
fn bytes_below(top: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let all = everything_below(top).into_iter().filter(|(path, _)| path.is_file() || path.is_symlink());
    all.map(|(path, (mode, _, _, bytes))| (path, (mode, bytes))).collect()
}

/// Both hooks run at a push, and both see the line.
fn both_run(repo: &Repo, branch: &str) {
    let said = push(repo, &[&format!("HEAD:refs/heads/{branch}")]).ok();
    assert_eq!(said.stderr.matches("[RAPID1611]").count(), 1, "ours runs once: {said}");
    said.says(&format!("'{branch}' would get"));
    let common = PathBuf::from(repo.git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]));
    let theirs = std::fs::read_to_string(common.join("theirs")).unwrap_or_default();
    std::fs::remove_file(common.join("theirs")).unwrap();
    assert_eq!(theirs.lines().count(), 1, "theirs runs once: {theirs}");
    assert!(theirs.contains(&format!(" refs/heads/{branch} ")), "{theirs}");
}

#[test]
fn what_was_there_runs_first_everywhere_and_is_put_back_byte_for_byte() {
    for hooks_path in [None, Some(".githooks"), Some("absolute")] {
        for from_linked in [false, true] {
            let (world, main, linked) = two(hooks_path);
            let here = if from_linked { &linked } else { &main };
            let place = hooks_of(here);
            std::fs::create_dir_all(&place).unwrap();
            program(here, place.join("pre-push").to_str().unwrap(), THEIRS);
            std::fs::write(place.join("post-checkout"), "not to be run").unwrap();
            program(here, place.join("shared").to_str().unwrap(), "#!/bin/sh\nexit 0\n");
            std::os::unix::fs::symlink("shared", place.join("prepare-commit-msg")).unwrap();
            let before = bytes_below(&place);
            let config = std::fs::read(main.path().join(".git/config")).unwrap();
            here.rapid(&["hooks", "install"]).ok();
            let once = bytes_below(&place);
            here.rapid(&["hooks", "install"]).ok();
            assert!(bytes_below(&place) == once, "twice is once");
            here.rapid(&["hooks", "status"]).ok();
            here.rapid(&["doctor"]).ok().says("hooks: 3 installed");
            both_run(here, "one");
            // A relative path is each worktree's own; any other is everybody's.
            let other = if from_linked { &main } else { &linked };
            match hooks_path {
                Some(".githooks") => {
                    other.rapid(&["hooks", "status"]).ends(1).says("missing pre-push");
                    other.rapid(&["doctor"]).ok().says("pre-push is missing");
                }
                _ => both_run(other, "two"),
            }
            let mut failing = world.git_command(here.path());
            failing.env("THEIRS_EXIT", "3").args(["push", "origin", "HEAD:three"]);
            let refused = Output::of(&mut failing).ends(1);
            assert!(!refused.stderr.contains("RAPID"), "theirs has refused before ours is asked: {refused}");
            here.rapid(&["hooks", "uninstall"]).ok().says("as it was before");
            assert!(bytes_below(&place) == before, "{hooks_path:?} {from_linked}");
            assert_eq!(std::fs::read_link(place.join("prepare-commit-msg")).unwrap(), Path::new("shared"));
            assert_eq!(std::fs::read(main.path().join(".git/config")).unwrap(), config);
            here.rapid(&["hooks", "uninstall"]).ok().says("no hook of git-rapid is installed here");
        }
    }
}

#[test]
fn where_nothing_was_nothing_is_left() {
    let (_world, main, _) = two(None);
    let before = bytes_below(&main.path().join(".git/hooks"));
    main.rapid(&["init"]).ok().says("hook pre-push");
    main.rapid(&["hooks", "uninstall"]).ok();
    assert_eq!(bytes_below(&main.path().join(".git/hooks")), before);
    main.rapid(&["init", "--no-hooks"]).ok();
    assert_eq!(bytes_below(&main.path().join(".git/hooks")), before);
    let document = main.rapid(&["hooks", "status", "--json"]).ends(1).json();
    let hooks = document.get("hooks").and_then(|hooks| hooks.as_list()).unwrap();
    assert!(hooks.iter().all(|hook| hook.get("state").and_then(|state| state.as_text()) == Some("missing")));
}

#[test]
fn a_hook_of_another_version_is_renewed_and_one_that_was_replaced_is_not_lost() {
    let (_world, main, _) = two(None);
    main.rapid(&["hooks", "install"]).ok();
    let stub = std::fs::read_to_string(main.path().join(".git/hooks/pre-push")).unwrap();
    program(&main, ".git/hooks/pre-push", &stub.replace("exit 1", "exit 2"));
    main.rapid(&["hooks", "status"]).ends(1).says("outdated pre-push");
    main.rapid(&["hooks", "install"]).ok();
    assert_eq!(std::fs::read_to_string(main.path().join(".git/hooks/pre-push")).unwrap(), stub);
    main.rapid(&["hooks", "uninstall"]).ok();
    program(&main, ".git/hooks/pre-push", THEIRS);
    main.rapid(&["hooks", "install"]).ok();
    program(&main, ".git/hooks/pre-push", "#!/bin/sh\nexit 0\n");
    main.rapid(&["hooks", "status"]).ends(1).says("foreign pre-push");
    main.rapid(&["hooks", "install"]).ends(2).names("RAPID1615").says("pre-push.before-rapid");
    assert_eq!(std::fs::read_to_string(main.path().join(".git/hooks/pre-push.before-rapid")).unwrap(), THEIRS);
}

#[test]
fn a_hook_that_is_a_link_to_another_one_is_not_torn_from_it() {
    let (_world, main, _) = two(None);
    program(&main, ".git/hooks/pre-push", THEIRS);
    std::os::unix::fs::symlink("pre-push", main.path().join(".git/hooks/post-checkout")).unwrap();
    main.rapid(&["hooks", "install"]).ends(2).names("RAPID1615").says("is a link to the hook 'pre-push'");
    main.rapid(&["hooks", "uninstall"]).ok();
    assert_eq!(std::fs::read_to_string(main.path().join(".git/hooks/pre-push")).unwrap(), THEIRS);
}

#[test]
fn lines_that_somebody_wrote_into_a_hook_of_ours_are_not_lost() {
    let (_world, main, _) = two(None);
    main.rapid(&["hooks", "install"]).ok();
    let stub = std::fs::read_to_string(main.path().join(".git/hooks/pre-push")).unwrap();
    let edited = format!("{stub}make lint\n");
    program(&main, ".git/hooks/pre-push", &edited);
    for verb in ["install", "uninstall"] {
        main.rapid(&["hooks", verb]).ends(2).names("RAPID1615").says("make lint").says("pre-push.before-rapid");
        assert_eq!(std::fs::read_to_string(main.path().join(".git/hooks/pre-push")).unwrap(), edited);
        assert!(main.path().join(".git/hooks/post-checkout").exists(), "all or none");
    }
    program(&main, ".git/hooks/pre-push", &stub);
    main.rapid(&["hooks", "uninstall"]).ok();
    assert!(!main.path().join(".git/hooks/pre-push").exists());
}

#[test]
fn taken_out_of_one_worktree_the_hooks_of_another_still_find_the_program() {
    let (world, main, linked) = two(Some(".githooks"));
    main.rapid(&["hooks", "install"]).ok();
    linked.rapid(&["hooks", "install"]).ok();
    linked.rapid(&["hooks", "uninstall"]).ok();
    configure(&main, "[enforce]\npre_push = \"require\"\n");
    let mut command = world.git_command(main.path());
    Output::of(command.env("PATH", World::bare_path()).args(["push", "origin", "main"])).ends(1).names("RAPID1610");
    main.rapid(&["hooks", "uninstall"]).ok().says("rapid.program");
    assert_eq!(main.try_git(&["config", "rapid.program"]).code, 1);
}

#[test]
fn the_remedy_for_everybodys_hooks_holds_in_every_directory_and_worktree() {
    let (world, main, linked) = two(None);
    std::fs::write(world.path("home/.gitconfig"), "[core]\n\thooksPath = /nowhere\n").unwrap();
    let refused = main.rapid(&["hooks", "install"]).ends(2);
    let remedy = refused.stderr.lines().find_map(|line| line.split_once("give this one its own: ")).unwrap().1;
    main.sh(&format!("mkdir -p deep/er && cd deep/er && {remedy}")).ok();
    main.rapid(&["hooks", "install"]).ok();
    both_installed(&main, &linked);
}

/// Both worktrees look at the same, installed, hooks.
fn both_installed(main: &Repo, linked: &Repo) {
    main.rapid(&["hooks", "status"]).ok();
    linked.rapid(&["hooks", "status"]).ok();
    assert!(main.path().join(".git/hooks/pre-push").exists());
}

#[test]
fn hooks_that_belong_to_every_repository_are_left_alone() {
    let (world, main, _) = two(None);
    let shared = world.path("everybodys");
    std::fs::create_dir(&shared).unwrap();
    std::fs::write(world.path("home/.gitconfig"), format!("[core]\n\thooksPath = {}\n", shared.display())).unwrap();
    main.rapid(&["hooks", "install"]).ends(2).names("RAPID1615").says("--path-format=absolute");
    main.rapid(&["init"]).ok().says("RAPID1615");
    assert_eq!(std::fs::read_dir(&shared).unwrap().count(), 0);
    main.git(&["config", "--local", "core.hooksPath", ".git/hooks"]);
    main.rapid(&["init"]).ok().says("hook pre-push");
}

#[test]
fn a_push_that_is_doomed_gives_no_lines_and_both_hooks_are_called() {
    let (_world, main, _) = two(None);
    program(&main, ".git/hooks/pre-push", "#!/bin/sh\nwc -c >\"$(git rev-parse --git-common-dir)/theirs\"\n");
    main.rapid(&["hooks", "install"]).ok();
    configure(&main, "[enforce]\npre_push = \"require\"\n");
    push(&main, &["--no-verify", "main"]).ok();
    push(&main, &["main"]).ok();
    assert_eq!(std::fs::read_to_string(main.path().join(".git/theirs")).unwrap().trim(), "0");
}

#[test]
fn hooks_in_the_configuration_where_git_takes_them() {
    let (_world, main, linked) = two(None);
    let probe = main.try_git(&["-c", "hook.p.command=true", "-c", "hook.p.event=pre-push", "hook", "list", "pre-push"]);
    if probe.code != 0 {
        eprintln!("this git takes no hooks in its configuration (2.54 does); files are used, as the other tests show");
        return;
    }
    program(&main, ".git/hooks/pre-push", THEIRS);
    let config = std::fs::read(main.path().join(".git/config")).unwrap();
    main.rapid(&["hooks", "install"]).ok().says("(configuration)");
    both_run(&main, "one");
    both_run(&linked, "two");
    main.rapid(&["hooks", "uninstall"]).ok();
    assert_eq!(std::fs::read(main.path().join(".git/config")).unwrap(), config);
}
