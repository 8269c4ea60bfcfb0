//! Repositories of every shape: the loop works in them, or says in one sentence why not.

use crate::harness::{Loop, Output, Repo, World, finished, project, project_in, somebody_can_be_asked, step_aside};

/// The loop as far as this session may drive it: to a pass with a person, to the open approval without one.
fn drive(repo: &Repo) {
    let run = Loop::start(repo, "Add a greeting");
    run.work();
    if somebody_can_be_asked() {
        run.approve().finish();
        repo.commit("work");
        repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    }
    repo.rapid(&["verify"]).ok().says("proven");
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    assert!(!repo.git(&["reflog", "show", "refs/rapid/ledger"]).is_empty(), "the ledger has a reflog");
}

#[test]
fn the_loop_works_in_a_sha256_repository() {
    let repo = World::new().repository("work", &["--object-format=sha256"]);
    project_in(&repo);
    drive(&repo);
    assert_eq!(repo.tip().len(), 64);
}

#[test]
fn the_loop_works_in_a_reftable_repository() {
    let world = World::new();
    let made = Output::of(world.git_command(world.top()).args(["init", "--quiet", "--ref-format=reftable", "work"]));
    if made.code != 0 {
        return step_aside(&format!("this git has no reftable: {}", made.stderr.trim()));
    }
    let repo = Repo::at(&world, world.path("work"));
    project_in(&repo);
    drive(&repo);
    assert!(!repo.path().join(".git/refs/rapid").exists(), "no loose ref is written beside the reftables");
}

#[test]
fn the_loop_works_in_a_linked_worktree_and_its_ledger_is_that_of_all() {
    let repo = project(&World::new(), "work");
    repo.git(&["worktree", "add", "--quiet", "../beside", "-b", "beside"]);
    let beside = Repo::at(repo.world(), repo.world().path("beside"));
    drive(&beside);
    repo.rapid(&["verify"]).ok().says("proven");
    repo.rapid(&["next"]).ok().says("author_spec");
}

#[test]
fn the_loop_works_from_a_subdirectory() {
    let repo = project(&World::new(), "work");
    repo.write("below/here/file", "x");
    repo.commit("more");
    let below = Repo::at(repo.world(), repo.path().join("below/here"));
    Loop::start(&repo, "Add a greeting");
    below.rapid(&["status"]).ok().says("add-a-greeting-r1-run-001");
    below.rapid(&["attach", "file", "--task", "T001"]).ok();
    below.rapid(&["verify"]).ok().says("proven");
}

#[test]
fn a_run_begins_in_a_repository_without_commits() {
    let repo = World::new().repository("work", &[]);
    repo.rapid(&["start", "feature", "--title", "Add a greeting", "--task", "Write it"]).ok();
    repo.rapid(&["next"]).ok();
    repo.rapid(&["verify"]).ok().says("proven");
    repo.rapid(&["verify", "--commit", "HEAD"]).ends(2).names("RAPID1506");
}

#[test]
fn without_an_identity_a_documented_one_stands_in() {
    let world = World::new();
    let repo = project(&world, "work");
    for configuration in ["", "[user]\n\tuseConfigOnly = true\n"] {
        world.configure(configuration);
        let title = format!("Title {}", configuration.len());
        repo.rapid(&["start", "feature", "--title", &title, "--task", "x"]).ok();
        repo.rapid(&["abort"]).ok();
    }
    let who = repo.git(&["log", "-1", "--format=%cn <%ce>", "refs/rapid/ledger"]);
    assert_eq!(who, "git-rapid <git-rapid@localhost>");
    repo.rapid(&["verify"]).ok().says("proven");
}

#[test]
fn the_author_that_a_hook_exports_is_not_who_wrote_it_down() {
    let repo = project(&World::new(), "work");
    let mut start = repo.tool();
    start.args(["start", "feature", "--title", "x", "--task", "y"]);
    start.env("GIT_AUTHOR_NAME", "Mallory").env("GIT_AUTHOR_EMAIL", "mallory@example.com");
    Output::of(&mut start).ok();
    assert_eq!(repo.git(&["log", "-1", "--format=%an %cn", "refs/rapid/ledger"]), "Ada Ada");
}

#[test]
fn a_bare_repository_can_be_verified_and_says_that_it_has_no_working_copy() {
    let Some(repo) = finished() else { return };
    repo.git(&["clone", "--quiet", "--mirror", ".", "../bare.git"]);
    let bare = Repo::at(repo.world(), repo.world().path("bare.git"));
    bare.rapid(&["verify", "--commit", "main", "--require-pass"]).ok().says("proven").says("covered");
    bare.rapid(&["start", "feature", "--title", "x", "--task", "y"]).ends(2).names("RAPID1306").says("hint: ");
    bare.rapid(&["init"]).ends(2).names("RAPID1306");
    bare.rapid(&["next"]).ok();
}

#[test]
fn the_loop_works_with_a_separate_git_directory() {
    let world = World::new();
    let repo = world.repository("work", &["--separate-git-dir=elsewhere.git"]);
    project_in(&repo);
    drive(&repo);
    assert!(world.path("elsewhere.git/rapid/session.json").exists(), "the session lies in git's directory");
}

#[test]
fn a_submodule_has_a_ledger_of_its_own() {
    let world = World::new();
    let inner = project(&world, "inner");
    let outer = project(&world, "outer");
    outer.git(&["submodule", "--quiet", "add", inner.path().to_str().unwrap(), "sub"]);
    outer.commit("with a submodule");
    let sub = Repo::at(&world, outer.path().join("sub"));
    drive(&sub);
    outer.rapid(&["verify"]).ends(2).names("RAPID1510");
    drive(&outer);
    assert_ne!(outer.tip(), sub.tip());
}

#[test]
fn the_loop_works_with_borrowed_objects_and_a_circle_of_them_is_named() {
    let world = World::new();
    let lender = project(&world, "lender");
    world.git_at(world.top(), &["clone", "--quiet", "--shared", lender.path().to_str().unwrap(), "work"]);
    let repo = Repo::at(&world, world.path("work"));
    drive(&repo);
    // One that borrows from a borrower, and has nothing of its own.
    world.git_at(world.top(), &["clone", "--quiet", "--shared", repo.path().to_str().unwrap(), "third"]);
    let third = Repo::at(&world, world.path("third"));
    third.rapid(&["fetch"]).ok();
    third.rapid(&["verify"]).ok().says("proven");
    // Git does not mind a circle; what cannot be read is said in its own words.
    let objects = repo.path().join(".git/objects").display().to_string();
    std::fs::write(lender.path().join(".git/objects/info/alternates"), format!("{objects}\n")).unwrap();
    let refused = repo.rapid(&["verify"]).ends(2).names("RAPID1502").says("lead back to it").says("alternates");
    assert!(!refused.stderr.contains("not in a git repository"), "{refused}");
    std::fs::remove_file(lender.path().join(".git/objects/info/alternates")).unwrap();
    repo.rapid(&["verify"]).ok().says("proven");
    // Without the lender, what is missing is missing.
    let tip = repo.tip();
    std::fs::rename(lender.path(), world.path("away")).unwrap();
    repo.rapid(&["verify", "--full"]).ends(2).says("cannot say").says("RAPID1505");
    std::fs::rename(world.path("away"), lender.path()).unwrap();
    repo.rapid(&["verify", "--full"]).ok().says("proven");
    assert_eq!(repo.tip(), tip);
}

#[test]
fn an_unknown_extension_is_refused_and_nothing_is_written() {
    let repo = project(&World::new(), "work");
    repo.git(&["config", "core.repositoryFormatVersion", "1"]);
    repo.git(&["config", "extensions.fromTheFuture", "true"]);
    repo.rapid(&["start", "feature", "--title", "x", "--task", "y"]).ends(2).names("RAPID1502").says("fromthefuture");
    assert!(!repo.path().join(".git/refs/rapid").exists());
}

/// What a later release may write is not written to by this one, nor taken for proven.
#[test]
fn a_ledger_of_a_newer_format_is_left_alone() {
    let world = World::new();
    let repo = project(&world, "work");
    let blob = repo.blob(b"git-rapid ledger 2\n");
    let tree = repo.git_with(&["mktree"], format!("100644 blob {blob}\tformat\n").as_bytes());
    let entry = repo.git(&["commit-tree", "-m", "begin", &tree]);
    repo.git(&["update-ref", "refs/rapid/ledger", &entry]);
    let refused = repo.rapid(&["start", "feature", "--title", "One", "--task", "One"]).ends(2).names("RAPID1524");
    refused.says("is of format 2").says("install the git-rapid that the others use");
    assert_eq!(repo.tip(), entry);
    repo.rapid(&["verify"]).ends(1).says("the ledger's format is not known");
}
