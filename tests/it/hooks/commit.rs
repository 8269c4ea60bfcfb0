//! prepare-commit-msg and post-checkout: a trailer, once, where it is true; a word, where it is needed.

use crate::harness::{Loop, Output, Repo, World, finished, project};

fn trailers(repo: &Repo) -> Vec<String> {
    let message = repo.git(&["log", "-1", "--format=%(trailers:key=Rapid-Run,valueonly)"]);
    message.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect()
}

fn at_work() -> (Repo, String) {
    let world = World::new();
    let repo = project(&world, "work");
    repo.rapid(&["hooks", "install"]).ok();
    let run = Loop::start(&repo, "Say more").run;
    (repo, run)
}

#[test]
fn a_commit_names_its_run_once() {
    let (repo, run) = at_work();
    let commit = |arguments: &[&str]| repo.git(&[&["commit", "--quiet", "--allow-empty"], arguments].concat());
    commit(&["-m", "one", "-m", "Signed-off-by: A <a@example.com>"]);
    assert_eq!(trailers(&repo), [run.as_str()]);
    commit(&["--amend", "--no-edit"]);
    assert_eq!(trailers(&repo), [run.as_str()], "an amended commit keeps the one it has");
    commit(&["-m", "two\n\nRapid-Run: another-r1-run-001"]);
    assert_eq!(trailers(&repo), ["another-r1-run-001"], "what is there is left");
    commit(&["--fixup", "HEAD"]);
    assert!(trailers(&repo).is_empty(), "a fixup is folded into a commit that has it");
    repo.write("more.txt", "more\n");
    repo.git(&["add", "more.txt"]);
    repo.write("more.txt", "more and more\n");
    commit(&["-a", "-m", "all"]);
    assert_eq!(trailers(&repo), [run.as_str()]);
    repo.git(&["branch", "side", "HEAD~2"]);
    repo.git(&["merge", "--quiet", "--no-ff", "-m", "joined", "side"]);
    repo.git(&["checkout", "--quiet", "-b", "third", "HEAD~1"]);
    repo.git(&["commit", "--quiet", "--allow-empty", "--author=Other <o@example.com>", "--date=2001-01-01", "-m", "x"]);
    assert_eq!(trailers(&repo), [run.as_str()]);
    assert_eq!(repo.git(&["log", "-1", "--format=%an %cn"]), "Other Ada");
}

#[test]
fn a_commit_on_code_that_the_run_did_not_begin_at_does_not_name_it() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.rapid(&["hooks", "install"]).ok();
    repo.git(&["branch", "older"]);
    repo.write("base.txt", "base\n");
    repo.commit("what the run begins at");
    let run = Loop::start(&repo, "Say more").run;
    let here = |expected: &[&str], why: &str| {
        repo.git(&["commit", "--quiet", "--allow-empty", "-m", why]);
        assert_eq!(trailers(&repo), expected, "{why}");
    };
    here(&[&run], "on the run's branch");
    repo.git(&["checkout", "--quiet", "older"]);
    here(&[], "on another branch");
    repo.git(&["checkout", "--quiet", "--detach"]);
    here(&[], "detached, on other code");
    repo.git(&["checkout", "--quiet", "--detach", "main"]);
    here(&[&run], "detached, on the run's code");
    repo.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    here(&[], "on a branch without a commit");
    repo.git(&["checkout", "--quiet", "-b", "goes-on", "main"]);
    here(&[&run], "on a branch made from the run's code");
}

#[test]
fn a_commit_that_is_written_down_again_keeps_its_message() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    for name in ["one", "two"] {
        repo.write(&format!("{name}.txt"), "text\n");
        repo.commit(name);
    }
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("base.txt", "base\n");
    repo.commit("what the run begins at");
    repo.rapid(&["hooks", "install"]).ok();
    Loop::start(&repo, "Say more");
    repo.git(&["cherry-pick", "side"]);
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "two");
    assert!(trailers(&repo).is_empty(), "picked");
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    repo.git(&["rebase", "--quiet", "main", "side"]);
    assert_eq!(repo.git(&["log", "--format=%B", "main..side"]).matches("Rapid-Run").count(), 0, "rebased");
}

#[test]
fn a_run_with_a_worktree_of_its_own_is_named_there_only() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.rapid(&["hooks", "install"]).ok();
    let started = repo.rapid(&["start", "feature", "--title", "Apart", "--task", "Work apart", "--worktree"]).ok();
    repo.git(&["commit", "--quiet", "--allow-empty", "-m", "beside it"]);
    assert!(trailers(&repo).is_empty(), "{started}");
    let listed = repo.git(&["worktree", "list", "--porcelain"]);
    let place = listed.lines().filter_map(|line| line.strip_prefix("worktree ")).nth(1).unwrap();
    let apart = Repo::at(&world, place.into());
    apart.git(&["commit", "--quiet", "--allow-empty", "-m", "in it"]);
    assert_eq!(trailers(&apart).len(), 1);
}

#[test]
fn an_editor_that_is_left_without_a_word_aborts_the_commit() {
    let (repo, _) = at_work();
    let mut command = repo.world().git_command(repo.path());
    let left = Output::of(command.env("GIT_EDITOR", "true").args(["commit", "--allow-empty"]));
    left.ends(1).says("empty commit message");
}

#[test]
fn without_a_run_and_after_it_nothing_is_added() {
    let world = World::new();
    let repo = project(&world, "plain");
    repo.rapid(&["hooks", "install"]).ok();
    repo.commit("nothing is active");
    assert!(trailers(&repo).is_empty());
    let Some(repo) = finished() else { return };
    repo.rapid(&["hooks", "install"]).ok();
    repo.git(&["reset", "--quiet", "--soft", "HEAD~1"]);
    repo.commit("the final code of a finished run");
    assert_eq!(trailers(&repo), ["add-a-greeting-r1-run-001"]);
    repo.write("later.txt", "later\n");
    repo.commit("something later");
    assert!(trailers(&repo).is_empty());
}

#[test]
fn a_session_that_cannot_be_read_stops_no_commit() {
    let (repo, _) = at_work();
    repo.write(".git/rapid/session.json", "{");
    let done = repo.try_git(&["commit", "--allow-empty", "-m", "all the same"]).ok();
    done.says("git-rapid: prepare-commit-msg:");
}

#[test]
fn a_checkout_that_leaves_the_runs_code_is_mentioned_and_any_other_is_quiet() {
    let (repo, run) = at_work();
    repo.commit("on it");
    let quiet = |arguments: &[&str]| {
        let said = repo.try_git(arguments).ok();
        assert!(!said.stderr.contains("git-rapid"), "{said}");
    };
    quiet(&["checkout", "-b", "goes-on"]);
    quiet(&["checkout", "main", "--", "greeting.sh"]);
    let root = repo.git(&["commit-tree", "HEAD^{tree}", "-m", "another root"]);
    repo.try_git(&["checkout", "--detach", &root]).ok().says(&format!("run {run} began at"));
    quiet(&["checkout", "main"]);
    repo.rapid(&["abort", "--reason", "enough"]).ok();
    quiet(&["checkout", "--detach", &root]);
}

#[test]
fn a_linked_worktree_has_a_session_of_its_own() {
    let (repo, _) = at_work();
    let place = repo.world().path("linked");
    repo.git(&["worktree", "add", "--quiet", place.to_str().unwrap()]);
    let linked = Repo::at(repo.world(), place);
    linked.commit("no run is active here");
    assert!(trailers(&linked).is_empty());
    let run = Loop::start(&linked, "Say less").run;
    linked.commit("and now one is");
    assert_eq!(trailers(&linked), [run.as_str()]);
}

#[test]
fn a_check_that_a_hook_starts_sees_nothing_of_the_command_around_it() {
    let (main, _) = at_work();
    let place = main.world().path("linked");
    main.git(&["worktree", "add", "--quiet", place.to_str().unwrap()]);
    let linked = Repo::at(main.world(), place);
    Loop::start(&linked, "Say less");
    let remote = main.world().remote("remote.git");
    main.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    let inner = "env | grep ^GIT_ | grep -v ^GIT_EXEC_PATH= >>\"$TMPDIR/leaked\"; d=$(mktemp -d) && git init --quiet \"$d\" && cd \"$d\" && git -c user.name=x -c user.email=x commit --quiet --allow-empty -m inner";
    let hook = format!(
        "#!/bin/sh\nunset GIT_EDITOR\ngit rapid check --label hook -- sh -c '{inner}' || exit 9\necho ran >>\"$TMPDIR/ran\"\n"
    );
    for name in ["pre-commit", "pre-push.before-rapid", "post-checkout.before-rapid"] {
        super::program(&main, &format!(".git/hooks/{name}"), &hook);
    }
    for repo in [&main, &linked] {
        let head = repo.git(&["rev-parse", "HEAD"]);
        repo.write("new.txt", "new\n");
        repo.git(&["add", "new.txt"]);
        repo.write("new.txt", "newer\n");
        repo.git(&["commit", "--quiet", "-a", "-m", "from a hook"]);
        assert_eq!(repo.git(&["rev-parse", "HEAD~1"]), head, "one commit was made, and none by the check");
        super::push(repo, &["HEAD:refs/heads/x", "--force"]).ok();
        repo.git(&["checkout", "--quiet", "--detach"]);
        assert_eq!(repo.git(&["config", "core.bare"]), "false");
        assert_eq!(repo.git(&["status", "--porcelain", "--untracked-files=no"]), "");
    }
    let read = |name: &str| std::fs::read_to_string(main.world().path("tmp").join(name)).unwrap_or_default();
    assert_eq!(read("ran").lines().count(), 6);
    assert_eq!(read("leaked"), "", "nothing but where git lies reaches what a check runs");
    main.rapid(&["verify"]).ok();
}
