//! A bare repository with the server's hooks: the ledger only grows, protected branches get covered code only, and an honest
//! push passes.

use super::{push, remote_of, there};
use crate::harness::{Loop, Output, Repo, World, finished, project};

/// A clone whose remote protects `main`, which it has as it was before the run.
fn protected(repo: Repo) -> (Repo, Repo) {
    let remote = remote_of(&repo);
    push(&repo, &["main~1:refs/heads/main"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok().says("pre-receive").says("post-receive");
    (repo, remote)
}

#[test]
fn a_server_takes_the_honest_push_and_nothing_else() {
    let Some((repo, remote)) = finished().map(protected) else { return };
    push(&repo, &["main"]).ends(1).says("RAPID1610").says("no run is recorded here");
    // Ledger and code in one push: judged by the ledger that comes with it.
    push(&repo, &["--atomic", "main", "refs/rapid/ledger"]).ok().says("the ledger has");
    assert_eq!(there(&remote, "refs/heads/main"), repo.git(&["rev-parse", "main"]));
    remote.rapid(&["verify", "--commit", "main", "--require-pass"]).ok();
    let main = there(&remote, "refs/heads/main");
    push(&repo, &["--force", "main~1:main"]).ends(1).says("RAPID1613").says("would lose commits");
    push(&repo, &["--delete", "main"]).ends(1).says("RAPID1613").says("would be deleted");
    repo.write("greeting.sh", "echo hello\necho uncovered\n");
    repo.commit("nobody checked this");
    push(&repo, &["main"]).ends(1).says("RAPID1610").says("M greeting.sh");
    push(&repo, &["--no-verify", "main"]).ends(1).says("RAPID1610");
    assert_eq!(there(&remote, "refs/heads/main"), main);
    // Elsewhere it is only said.
    push(&repo, &["main:refs/heads/topic"]).ok().says("RAPID1611");
    // A squash of the covered tree is covered.
    let squashed = repo.git(&["commit-tree", "main~1^{tree}", "-p", &main, "-m", "squashed"]);
    push(&repo, &[&format!("{squashed}:main")]).ok();
    assert_eq!(remote.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

#[test]
fn a_clean_merge_onto_what_the_server_has_is_covered_while_it_is_in_quarantine() {
    let Some((repo, remote)) = finished().map(protected) else { return };
    repo.rapid(&["push"]).ok();
    repo.git(&["checkout", "--quiet", "-b", "ours", "main~1"]);
    repo.write("ours.txt", "on the server before it protected anything\n");
    repo.commit("ours");
    remote.git(&["fetch", "--quiet", repo.path().to_str().unwrap(), "ours:main"]);
    repo.git(&["merge", "--quiet", "--no-edit", "main"]);
    push(&repo, &["ours:main"]).ok();
    assert_eq!(there(&remote, "refs/heads/main"), repo.git(&["rev-parse", "ours"]));
    repo.write("ours.txt", "changed\n");
    repo.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let amended =
        repo.git(&["commit-tree", "HEAD^{tree}", "-p", "origin/main", "-p", "main", "-m", "not git's own merge"]);
    let before = remote.git(&["count-objects"]);
    push(&repo, &[&format!("{amended}:main")]).ends(1).says("RAPID1610");
    assert_eq!(remote.git(&["count-objects"]), before, "what was refused leaves nothing");
}

#[test]
fn a_ledger_is_never_rewound_deleted_or_replaced_by_what_does_not_verify() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    remote.rapid(&["hooks", "install"]).ok();
    Loop::start(&repo, "Say more");
    repo.rapid(&["push"]).ok();
    let tip = repo.tip();
    let refused = |repo: &Repo, arguments: &[&str], code: &str| {
        push(repo, arguments).ends(1).says(code);
        assert_eq!(there(&remote, "refs/rapid/ledger"), tip, "{arguments:?}");
    };
    refused(&repo, &["--force", "refs/rapid/ledger~1:refs/rapid/ledger"], "RAPID1612");
    refused(&repo, &["--delete", "refs/rapid/ledger"], "RAPID1612");
    refused(&repo, &["--force", "main:refs/rapid/ledger"], "RAPID1612");
    let stranger = project(&world, "stranger");
    stranger.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    Loop::start(&stranger, "Another thing");
    refused(&stranger, &["--force", "refs/rapid/ledger"], "RAPID1612");
    let junk = repo.blob(b"junk\n");
    repo.append_entry(&[("runs/zz/junk", Some(&junk))]);
    refused(&repo, &["refs/rapid/ledger"], "RAPID1521");
    repo.move_ledger(&tip);
    // Joined, it is taken; and the server's memory of the proof is no obstacle to the next one.
    stranger.rapid(&["push"]).ok();
    stranger.rapid(&["task", "start", "T001"]).ok();
    stranger.rapid(&["push"]).ok();
    assert_eq!(there(&remote, "refs/rapid/ledger"), stranger.tip());
}

#[test]
fn material_only_grows_and_nothing_else_is_kept_beside_the_ledger() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    remote.rapid(&["hooks", "install"]).ok();
    Loop::start(&repo, "Say more");
    repo.rapid(&["task", "start", "T001"]).ok();
    let _ = repo.rapid(&["check"]).ok();
    repo.rapid(&["push"]).ok();
    push(&repo, &["refs/rapid/attachments"]).ok();
    let material = "refs/rapid/attachments";
    let tip = repo.git(&["rev-parse", material]);
    assert_eq!(there(&remote, material), tip);
    let refused = |arguments: &[&str], says: &str| {
        push(&repo, arguments).ends(1).says("RAPID1612").says(says);
        assert_eq!(there(&remote, material), tip, "{arguments:?}");
    };
    refused(&["--no-verify", "--delete", material], "would be deleted");
    refused(&["--no-verify", "--force", &format!("main:{material}")], "would lose entries");
    let emptied = repo.git(&["commit-tree", "main^{tree}", "-p", &tip, "-m", "emptied"]);
    refused(&["--no-verify", &format!("{emptied}:{material}")], "would lose material: D");
    refused(&["main:refs/rapid/mine"], "and nothing else");
    assert_eq!(there(&remote, "refs/rapid/mine"), "");
    // What lies there from before may go.
    remote.git(&["update-ref", "refs/rapid/mine", &there(&remote, "refs/rapid/ledger")]);
    push(&repo, &["--delete", "refs/rapid/mine"]).ok();
    // The honest way goes on.
    let _ = repo.rapid(&["check"]).ok();
    repo.rapid(&["push"]).ok();
    assert_eq!(there(&remote, "refs/rapid/ledger"), repo.tip());
}

#[test]
fn a_mirror_that_would_delete_the_ledger_is_refused_by_the_server() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    remote.rapid(&["hooks", "install"]).ok();
    Loop::start(&repo, "Say more");
    repo.rapid(&["push"]).ok();
    let other = world.clone_of(&remote, "mirror");
    other.rapid(&["hooks", "install"]).ok();
    // Git does not tell pre-push what a mirror removes.
    push(&other, &["--mirror"]).ends(1).says("remote: error[RAPID1612]");
    assert_eq!(there(&remote, "refs/rapid/ledger"), repo.tip());
}

#[test]
fn what_would_protect_nothing_is_refused_when_it_is_asked_for() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    remote.rapid(&["hooks", "install", "--protect", "["]).ends(2).names("RAPID1600").says("'[' is no pattern");
    assert_eq!(remote.try_git(&["config", "rapid.protect"]).code, 1);
    push(&repo, &["main"]).ok();
    remote.rapid(&["hooks", "install", "--guard-ledger"]).ends(2).names("RAPID1615").says("without being asked");
    repo.rapid(&["hooks", "install", "--protect", "main"]).ends(2).names("RAPID1615").says("--server");
    repo.rapid(&["hooks", "install", "--server", "--protect", "main"]).ok().says("pre-receive");
}

#[test]
fn a_push_does_not_change_the_rules_that_it_is_judged_by() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    super::configure(&repo, "[enforce]\npre_push = \"require\"\n");
    repo.commit("the team asks for runs");
    push(&repo, &["main"]).ok();
    remote.rapid(&["hooks", "install"]).ok();
    super::configure(&repo, "[enforce]\npre_push = \"off\"\n");
    repo.commit("and somebody does not");
    push(&repo, &["main"]).ends(1).says("RAPID1610");
    push(&repo, &["main:refs/heads/new"]).ends(1).says("RAPID1610");
    push(&repo, &["--delete", "main"]).ends(1).says("RAPID1613");
}

#[test]
fn without_the_program_a_server_accepts_nothing() {
    let world = World::new();
    let repo = project(&world, "work");
    let remote = remote_of(&repo);
    remote.rapid(&["hooks", "install"]).ok();
    remote.git(&["config", "--unset", "rapid.program"]);
    let mut command = world.git_command(repo.path());
    command.env("PATH", World::bare_path());
    Output::of(command.args(["push", "origin", "main"])).ends(1).says("Nothing was accepted");
    remote.rapid(&["hooks", "uninstall"]).ok();
    push(&repo, &["main"]).ok();
}
