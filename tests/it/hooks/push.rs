//! pre-push: every ref that is sent is judged by its tree, and what is refused says how to go on.

use super::{configure, covered, program, push, there, uncovered};
use crate::harness::{Loop, Output, World};

const REQUIRE: &str = "[enforce]\npre_push = \"require\"\n";

#[test]
fn code_that_no_run_covers_is_refused_with_what_is_missing_and_the_way_past() {
    let (_world, repo, remote) = uncovered(REQUIRE);
    let refused = push(&repo, &["main"]).ends(1).names("RAPID1610").says("no run is recorded here");
    refused.says("git rapid start feature").says("git push --no-verify");
    assert_eq!(there(&remote, "refs/heads/main"), "");
    repo.git(&["stash", "--quiet"]);
    Loop::start(&repo, "Say more");
    repo.git(&["stash", "pop", "--quiet"]);
    push(&repo, &["main"])
        .ends(1)
        .names("RAPID1610")
        .says("say-more-r1-run-001 is active here")
        .says("git rapid task start T001");
    push(&repo, &["--no-verify", "main"]).ok();
    assert_ne!(there(&remote, "refs/heads/main"), "");
}

#[test]
fn a_warning_is_said_and_the_code_goes() {
    let (_world, repo, remote) = uncovered("[enforce]\npre_push = \"warn\"\n");
    push(&repo, &["main"]).ok().names("RAPID1611").says("warning[RAPID1611]");
    assert_ne!(there(&remote, "refs/heads/main"), "");
    configure(&repo, "[enforce]\npre_push = \"off\"\n");
    let quiet = push(&repo, &["main:other"]).ok();
    assert!(!quiet.stderr.contains("RAPID"), "{quiet}");
}

#[test]
fn each_ref_is_judged_by_its_own_tree_and_pattern() {
    let Some((repo, remote)) = covered(REQUIRE) else { return };
    push(&repo, &["main", "main:another"]).ok();
    // The same tree as one new commit: squashed, rebased, it stays covered.
    let squashed = repo.git(&["commit-tree", "HEAD^{tree}", "-m", "squashed"]);
    push(&repo, &[&format!("{squashed}:refs/heads/squashed")]).ok();
    push(&repo, &["--force", &format!("{squashed}:refs/heads/main")]).ok();
    repo.git(&["tag", "-a", "v1", "-m", "one", &squashed]);
    push(&repo, &["v1"]).ok();
    let other = repo.git(&["commit-tree", "HEAD~1^{tree}", "-p", "HEAD", "-m", "back"]);
    repo.git(&["branch", "other", &other]);
    repo.git(&["tag", "v2", &other]);
    push(&repo, &["other", "main:new-1", "main:new-2"])
        .ends(1)
        .names("RAPID1610")
        .says("'other' would get")
        .says("M greeting.sh");
    push(&repo, &["main:new-1", "other", "main:new-2"]).ends(1).names("RAPID1610");
    push(&repo, &["v2"]).ends(1).names("RAPID1610").says("'v2' would get");
    assert_eq!(there(&remote, "refs/heads/new-*"), "", "one refusal keeps all of them");
    push(&repo, &["--delete", "another"]).ok();
    configure(&repo, "[enforce.pre_push]\n\"*\" = \"off\"\nmain = \"require\"\n");
    push(&repo, &["other", "v2"]).ok();
    push(&repo, &["--force", "other:main"]).ends(1).names("RAPID1610").says("'main' would get");
    let blob = repo.blob(b"no commit\n");
    push(&repo, &[&format!("{blob}:refs/tags/blob")]).ok();
}

#[test]
fn a_clean_merge_with_what_the_remote_had_is_covered_unless_it_is_to_be_run_again() {
    let Some((repo, _remote)) = covered(REQUIRE) else { return };
    repo.git(&["stash", "--quiet"]);
    repo.git(&["checkout", "--quiet", "-b", "theirs", "HEAD~1"]);
    repo.write("theirs.txt", "theirs\n");
    repo.commit("theirs");
    push(&repo, &["--no-verify", "theirs:main"]).ok();
    repo.git(&["merge", "--quiet", "--no-edit", "main"]);
    configure(&repo, REQUIRE);
    push(&repo, &["theirs:main"]).ok();
    repo.git(&["push", "--quiet", "--no-verify", "--force", "origin", "theirs~1:main"]);
    configure(&repo, &format!("{REQUIRE}merges = \"rerun\"\n"));
    push(&repo, &["theirs:main"]).ends(1).names("RAPID1610").says("enforce.merges");
}

#[test]
fn the_ledger_goes_first_where_it_is_asked_for() {
    let Some((repo, remote)) = covered(&format!("{REQUIRE}[hooks]\npush_ledger = \"require\"\n")) else { return };
    // Whoever counts the runs of the hook sees one: the nested push calls none.
    program(&repo, ".git/hooks/pre-push.before-rapid", "#!/bin/sh\ncat >>seen\n");
    push(&repo, &["main"]).ok().says("sent refs/rapid/ledger");
    assert_eq!(there(&remote, "refs/rapid/ledger"), repo.tip());
    assert_eq!(std::fs::read_to_string(repo.path().join("seen")).unwrap().lines().count(), 1);
    repo.git_rapid(&["spec", "create", "--mode", "feature", "--title", "Later"]).ok();
    program(&remote, "hooks/update", "#!/bin/sh\ncase $1 in refs/rapid/*) exit 1;; esac\n");
    push(&repo, &["main:next"]).ends(1).says("hooks.push_ledger asks for the ledger to go first");
    configure(&repo, "[hooks]\npush_ledger = \"try\"\n");
    push(&repo, &["main:next"]).ok().names("RAPID1616").says("git rapid push");
    assert_ne!(there(&remote, "refs/heads/next"), "");
}

#[test]
fn a_ledger_that_lost_entries_is_not_forced_on_anybody() {
    let (_world, repo, remote) = uncovered("");
    repo.git(&["stash", "--quiet"]);
    Loop::start(&repo, "Say more");
    push(&repo, &["refs/rapid/ledger"]).ok();
    let tip = repo.tip();
    repo.git(&["update-ref", "refs/rapid/ledger", "refs/rapid/ledger~1"]);
    push(&repo, &["--force", "refs/rapid/ledger"]).ends(1).names("RAPID1612").says("would lose entries");
    push(&repo, &["--delete", "refs/rapid/ledger"]).ends(1).names("RAPID1612").says("deleted");
    assert_eq!(there(&remote, "refs/rapid/ledger"), tip);
}

#[test]
fn without_the_program_a_required_judgement_refuses_and_anything_else_passes() {
    let (world, repo, _remote) = uncovered(REQUIRE);
    let without = |arguments: &[&str]| {
        let mut command = world.git_command(repo.path());
        Output::of(command.env("PATH", World::bare_path()).args(arguments))
    };
    // The stubs know where the program lay when it was installed.
    without(&["push", "origin", "main"]).ends(1).names("RAPID1610");
    repo.git(&["config", "--unset", "rapid.program"]);
    without(&["push", "origin", "main"]).ends(1).says("git-rapid is not on the PATH").says("--no-verify");
    without(&["commit", "--quiet", "--allow-empty", "-m", "x"]).ok();
    configure(&repo, "[enforce]\npre_push = \"warn\" # or \"require\"\n");
    without(&["push", "origin", "main"]).ok();
}

#[test]
fn without_the_program_a_pattern_may_hold_what_begins_a_comment() {
    let (world, repo, _remote) = uncovered("[enforce.pre_push]\n\"feature/#*\" = \"require\"\n");
    repo.git(&["config", "--unset", "rapid.program"]);
    let mut command = world.git_command(repo.path());
    let refused = Output::of(command.env("PATH", World::bare_path()).args(["push", "origin", "main:feature/#7"]));
    refused.ends(1).says("git-rapid is not on the PATH");
}

#[test]
fn a_branch_whose_name_is_no_text_is_judged_like_any_other() {
    let (_world, repo, remote) = uncovered("[enforce]\npre_push = \"off\"\n");
    let by_shell = |script: &str| Output::of(repo.world().command("sh", repo.path()).args(["-c", script]));
    let sends = || by_shell("bad=$(printf 'bad\\377'); git branch -f \"$bad\" && git push origin \"$bad\"");
    configure(&repo, "[enforce]\npre_push = \"require\"\n");
    sends().ends(1).says("RAPID1610");
    configure(&repo, "[enforce]\npre_push = \"off\"\n");
    let quiet = sends().ok();
    assert!(!quiet.stderr.contains("RAPID"), "{quiet}");
    by_shell("git push origin --delete \"$(printf 'bad\\377')\"").ok();
    configure(&repo, "[enforce]\npre_push = \"warn\"\n");
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    sends().ok().says("RAPID1611");
    remote.rapid(&["hooks", "install", "--protect", "bad*"]).ok();
    repo.git(&["commit", "--quiet", "--allow-empty", "-m", "one more"]);
    sends().ends(1).says("remote: error[RAPID1610]");
}

#[test]
fn a_warning_that_cannot_be_found_out_stops_nobody() {
    let (_world, repo, _remote) = uncovered("[enforce]\npre_push = \"warn\"\n");
    let blob = repo.blob(b"no commit\n");
    repo.write(".git/refs/rapid/ledger", &format!("{blob}\n"));
    push(&repo, &["main"]).ok().says("RAPID1611");
    configure(&repo, REQUIRE);
    let refused = push(&repo, &["main:other"]);
    assert_ne!(refused.code, 0, "{refused}");
}

#[test]
fn a_bare_environment_and_leaked_variables_change_nothing() {
    let (world, repo, _remote) = uncovered(REQUIRE);
    let tree = world.path("linked");
    repo.git(&["worktree", "add", "--quiet", tree.to_str().unwrap()]);
    std::fs::copy(repo.path().join(".rapid/config.toml"), tree.join(".rapid/config.toml")).unwrap();
    for at in [repo.path(), tree.as_path()] {
        let mut bare = world.git_command(at);
        bare.env_clear().env("PATH", World::bare_path()).args(["push", "origin", "HEAD:main"]);
        Output::of(&mut bare).ends(1).names("RAPID1610");
        let mut leaky = world.git_command(at);
        leaky.env("GIT_INDEX_FILE", "/nowhere/index").env("GIT_PREFIX", "deep/").env("GIT_AUTHOR_NAME", "Mallory");
        leaky.env("GIT_EDITOR", "false").env("GIT_TRACE", "0").env("GIT_OPTIONAL_LOCKS", "0");
        leaky
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "safe.bareRepository")
            .env("GIT_CONFIG_VALUE_0", "explicit");
        Output::of(leaky.args(["push", "origin", "HEAD:main"])).ends(1).names("RAPID1610");
    }
}

#[test]
fn what_git_never_gives_is_an_error_of_its_own() {
    let (_world, repo, _remote) = uncovered("");
    let said = repo.sh("echo nonsense | git rapid hook pre-push origin url 2>&1; echo \"[$?]\"");
    said.says("RAPID1614").says("[2]");
    repo.rapid(&["hook", "pre-tend"]).ends(2).names("RAPID1614").says("pre-push");
    repo.rapid(&["hook", "pre-push"]).ends(2).names("RAPID1614");
    // A push that has nothing to send gives no line at all.
    repo.rapid(&["hook", "pre-push", "origin", "url"]).ok();
}
