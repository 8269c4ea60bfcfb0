//! Code that no run ended with, and that git made of what runs ended with: which of it is covered, and that tests are run again on
//! the code itself. Each of the first tests is a green that was none.

use super::{push, remote_of, there};
use crate::harness::{Loop, Output, Repo, World, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;
use std::sync::Arc;

/// Green while `a` and `b` say the same, and `x` and `y` are not both there.
const SAME: &str = "echo 1..1\n[ -f lib.sh ] && . ./lib.sh\nif [ \"$(cat a)\" = \"$(cat b)\" ] && ! [ -f x -a -f y ]\n\
                    then echo 'ok 1 - same'\nelse echo 'not ok 1 - same'; exit 1\nfi\n";

/// A project whose tests compare two files, and its remote, which has the first commit as `main`.
pub(super) fn compared() -> Option<(Arc<World>, Repo, Repo)> {
    if !somebody_can_be_asked() {
        step_aside("a run is finished by a person's approval, and these tests run under a coding agent");
        return None;
    }
    let world = World::new();
    let repo = world.repository("work", &[]);
    for (name, text) in [("a", "0\n"), ("b", "0\n"), ("test.sh", SAME)] {
        repo.write(name, text);
    }
    repo.write(".rapid/config.toml", "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n");
    repo.commit("two files");
    let remote = remote_of(&repo);
    push(&repo, &["main"]).ok();
    repo.git(&["remote", "set-head", "origin", "main"]);
    Some((world, repo, remote))
}

/// A run that writes these files, and the commit of it.
pub(super) fn covered(repo: &Repo, title: &str, files: &[(&str, &str)]) -> String {
    let run = Loop::start(repo, title);
    repo.git_rapid(&["task", "start", "T001"]).ok();
    files.iter().for_each(|(name, text)| repo.write(name, text));
    repo.git_rapid(&["task", "done", "T001"]).ok();
    run.approve().finish();
    repo.commit(title)
}

pub(super) fn verify(repo: &Repo, commit: &str, more: &[&str]) -> Output {
    repo.rapid(&[&["verify", "--require-pass", "--commit", commit], more].concat())
}

#[test]
fn a_merge_base_that_nobody_stands_for_mixes_nothing() {
    let Some((_, repo, remote)) = compared() else { return };
    let one = covered(&repo, "One", &[("a", "1\n"), ("b", "1\n")]);
    let two = covered(&repo, "Two", &[("a", "2\n"), ("b", "2\n")]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    repo.git(&["read-tree", &one]);
    repo.git(&["update-index", "--cacheinfo", &format!("100644,{},b", repo.git(&["rev-parse", &format!("{two}:b")]))]);
    let mixed = repo.git(&["write-tree"]);
    repo.git(&["read-tree", "HEAD"]);
    let base = repo.git(&["commit-tree", &mixed, "-p", &one, "-m", "base"]);
    let ours = repo.git(&["commit-tree", &format!("{two}^{{tree}}"), "-p", &two, "-p", &base, "-m", "b"]);
    let theirs = repo.git(&["commit-tree", &format!("{one}^{{tree}}"), "-p", &base, "-m", "a"]);
    repo.git(&["checkout", "--quiet", "-B", "pr", &ours]);
    repo.git(&["merge", "--quiet", "--no-edit", &theirs]);
    repo.sh("! sh test.sh");
    verify(&repo, "HEAD", &[]).ends(1).says("not covered");
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ends(1).says("not covered");
    push(&repo, &["HEAD:main"]).ends(1).says("RAPID1610");
    assert_eq!(there(&remote, "refs/heads/main"), two);
    // The same sides with the base that they really have are a clean merge: of what is there, and nothing new.
    let honest = repo.git(&["commit-tree", &format!("{two}^{{tree}}"), "-p", &two, "-p", &one, "-m", "again"]);
    verify(&repo, &honest, &[]).ok();
}

#[test]
fn a_merge_is_tested_again_on_what_came_of_it() {
    let Some((world, repo, remote)) = compared() else { return };
    repo.git(&["checkout", "--quiet", "-b", "side"]);
    covered(&repo, "Side", &[("x", "x\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    covered(&repo, "Main", &[("y", "y\n")]);
    repo.git(&["merge", "--quiet", "--no-edit", "side"]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    let ci = world.clone_of(&remote, "ci");
    world.configure("[user]\n\tname = CI\n\temail = ci@example.com\n");
    ci.rapid(&["fetch"]).ok();
    verify(&ci, "HEAD", &[]).ok().says("git's own clean merge");
    ci.rapid(&["verify", "--rerun"]).ends(1).names("RAPID1448").says("NOT green");
    let said = verify(&ci, "HEAD", &["--json"]).ends(1).says("was run again by CI");
    assert!(!said.stdout.contains("re-run by another party"), "{said}");
    // On each side alone they are green, and that says nothing of the merge.
    ci.rapid(&["verify", "--rerun", "--commit", "HEAD^2"]).ok().says("green");
    let said = verify(&ci, "HEAD", &["--json"]).ends(1);
    assert!(!said.stdout.contains("re-run by another party"), "{said}");
}

#[test]
fn a_commit_without_a_bystander_is_tested_again_without_it() {
    let Some((world, repo, remote)) = compared() else { return };
    repo.write("lib.sh", "cat() { echo same; }\n");
    let run = Loop::start(&repo, "Work");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("a", "broken\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    run.approve().finish();
    repo.git(&["commit", "--quiet", "--all", "-m", "work"]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    let ci = world.clone_of(&remote, "ci");
    ci.rapid(&["fetch"]).ok();
    verify(&ci, "HEAD", &[]).ok().says("leaves out lib.sh");
    ci.rapid(&["verify", "--rerun"]).ends(1).names("RAPID1448").says("NOT green");
}

#[test]
fn work_that_was_squashed_or_rebased_onto_a_branch_that_moved_on_stays_covered() {
    let Some((_, repo, _)) = compared() else { return };
    let start = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["checkout", "--quiet", "-b", "feature"]);
    covered(&repo, "First", &[("x", "one\n")]);
    covered(&repo, "Second", &[("z", "two\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("elsewhere", "by somebody\n");
    let moved = repo.commit("main moved on, covered by nothing");
    push(&repo, &["main"]).ok();
    let squash = |from: &str| {
        repo.git(&["checkout", "--quiet", "-B", "try", from]);
        repo.git(&["merge", "--quiet", "--squash", "feature"]);
        repo.commit("squashed")
    };
    let squashed = squash(&moved);
    verify(&repo, &squashed, &["--onto", &moved]).ok().says("clean merge").says("second-r1-run-001");
    verify(&repo, &squashed, &[]).ok();
    repo.write("x", "one and more\n");
    let more = repo.commit("and more");
    verify(&repo, &more, &["--onto", &moved]).ends(1);
    repo.git(&["checkout", "--quiet", "-B", "try", "feature"]);
    repo.git(&["rebase", "--quiet", &moved]);
    verify(&repo, "HEAD", &["--onto", &moved]).ok().says("clean merge");
    // What the branch never had is no ground to stand on.
    repo.git(&["checkout", "--quiet", "-B", "own", &start]);
    repo.write("a", "9\n");
    let own = repo.commit("nobody's");
    let on_it = squash(&own);
    verify(&repo, &on_it, &["--onto", &moved]).ends(1);
    verify(&repo, &on_it, &[]).ends(1);
}

#[test]
fn an_old_tree_under_a_newer_commit_undoes_nothing_of_what_came_between() {
    let Some((_, repo, remote)) = compared() else { return };
    let old = covered(&repo, "Old", &[("c", "old\n")]);
    let fix = covered(&repo, "Fix", &[("lib", "needed\n")]);
    covered(&repo, "Use", &[("uses-lib", "lib\n")]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    let back = repo.git(&["commit-tree", &format!("{old}^{{tree}}"), "-p", &fix, "-m", "back"]);
    repo.git(&["checkout", "--quiet", "-b", "pr", &back]);
    repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", "main"]);
    assert!(!repo.path().join("lib").exists() && repo.path().join("uses-lib").exists(), "the fix is undone");
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ends(1).says("not covered");
    verify(&repo, "HEAD", &[]).ends(1);
    push(&repo, &["HEAD:main"]).ends(1);
    // A side that had taken in what the branch had meanwhile is no such thing.
    repo.git(&["checkout", "--quiet", "-B", "side", &old]);
    let run = Loop::start(&repo, "Side");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.git(&["merge", "--quiet", "--no-commit", "--no-ff", &fix]);
    repo.write("d", "side\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    run.approve().finish();
    repo.commit("side, with the fix");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", "side"]);
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ok().says("clean merge");
}

#[test]
fn rules_do_not_get_onto_a_branch_in_passing() {
    let Some((_, repo, remote)) = compared() else { return };
    covered(&repo, "First", &[("c", "1\n")]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    let before = repo.git(&["rev-parse", "HEAD"]);
    repo.write(".rapid/config.toml", "test_command = [\"true\"]\nruleset = 4\n");
    let weak = repo.commit("weak rules");
    let again = repo.git(&["commit-tree", &format!("{before}^{{tree}}"), "-p", &weak, "-m", "as it was"]);
    let said = verify(&repo, &again, &["--onto", &before]).ends(1);
    said.says(&format!("brings commit {} onto the branch", &weak[..12])).says("git reset --soft");
    push(&repo, &[&format!("{again}:main")]).ends(1).says("RAPID1610").says("onto the branch");
    assert_eq!(there(&remote, "refs/heads/main"), before);
    // Rules that the commit itself has are the run's to pass, in however many commits they came.
    repo.git(&["checkout", "--quiet", "-B", "open", &before]);
    let run = Loop::start(&repo, "Tighten");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write(".rapid/config.toml", "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\ncheck_timeout_seconds = 60\n");
    repo.commit("tighter");
    repo.write("c", "2\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    run.approve().finish();
    repo.commit("and more");
    verify(&repo, "HEAD", &["--onto", &before]).ok();
}

#[test]
fn several_pieces_of_work_that_come_at_once_are_covered_like_one_after_the_other() {
    let Some((_, repo, _)) = compared() else { return };
    let start = repo.git(&["rev-parse", "HEAD"]);
    for (branch, title, file) in [("one", "One", "f1"), ("two", "Two", "f2"), ("three", "Three", "f3")] {
        repo.git(&["checkout", "--quiet", "-b", branch, &start]);
        covered(&repo, title, &[(file, "x\n")]);
    }
    repo.git(&["checkout", "--quiet", "-B", "squashes", &start]);
    for branch in ["one", "two", "three"] {
        repo.git(&["merge", "--quiet", "--squash", branch]);
        repo.commit(branch);
    }
    verify(&repo, "HEAD", &["--onto", &start]).ok().says("clean merge");
    repo.write("f2", "another\n");
    repo.commit("one more change");
    verify(&repo, "HEAD", &["--onto", &start]).ends(1);
    repo.git(&["checkout", "--quiet", "-B", "merges", &start]);
    for branch in ["one", "two", "three"] {
        repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", branch]);
    }
    verify(&repo, "HEAD", &["--onto", &start]).ok().says("clean merge");
}

#[test]
fn code_that_somebody_saw_fail_again_is_no_pass() {
    let Some((world, repo, remote)) = compared() else { return };
    repo.write(
        "test.sh",
        "echo 1..1\ntest -f ../home/only-here && echo ok 1 - here || { echo not ok 1 - here; exit 1; }\n",
    );
    repo.write("../home/only-here", "");
    repo.commit("tests that only pass here");
    push(&repo, &["main"]).ok();
    covered(&repo, "Work", &[("c", "1\n")]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    let ci = world.clone_of(&remote, "ci");
    world.configure("[user]\n\tname = CI\n\temail = ci@example.com\n");
    ci.rapid(&["fetch"]).ok();
    verify(&ci, "HEAD", &[]).ok();
    ci.rapid(&["verify", "--rerun"]).ends(1).names("RAPID1448");
    verify(&ci, "HEAD", &[]).ends(1).says("was run again by CI <ci@example.com>, and its tests failed");
    ci.rapid(&["verify", "--commit", "HEAD"]).ok().says("NOT green");
}

#[test]
fn code_that_was_committed_before_the_run_is_shown_to_whoever_approves() {
    let Some((_, repo, _)) = compared() else { return };
    repo.write("backdoor.sh", "echo mine\n");
    repo.write("test.sh", &format!("# less\n{SAME}"));
    repo.commit("before anybody looked");
    let run = Loop::start(&repo, "Notes");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("NOTES.md", "notes\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let shown = run.try_approve("no");
    let shown =
        shown.says("look twice: 1 commit of it came before the run began").says("A backdoor.sh").says("A NOTES.md");
    shown.says("what the test command runs, changed: test.sh");
    run.approve().finish();
    repo.commit("notes");
    // What a run has covered is not shown again.
    let next = Loop::start(&repo, "More");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("NOTES.md", "more\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let shown = next.try_approve("no");
    assert!(!shown.stdout.contains("backdoor.sh") && !shown.stdout.contains("came before"), "{shown}");
}

/// A run that adds a note, as far as the question to the person.
fn noted<'r>(repo: &'r Repo, title: &str) -> Loop<'r> {
    let run = Loop::start(repo, title);
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write(&format!("{title}.md"), "notes\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    run
}

#[test]
fn code_that_passed_under_other_terms_than_the_branchs_is_shown_again() {
    let Some((_, repo, _)) = compared() else { return };
    let rules = std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap();
    repo.git(&["switch", "-q", "-c", "side"]);
    repo.write(".rapid/config.toml", &format!("{rules}[snapshot]\nmax_file_size = \"1MiB\"\n"));
    repo.commit("terms of my own");
    let run = noted(&repo, "Hidden");
    repo.write("backdoor.sh", "echo mine\n");
    repo.write(".rapid/config.toml", &rules);
    repo.git_rapid(&["check"]).ok();
    run.approve().finish();
    repo.commit("hidden");
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let brought = repo.git(&["commit-tree", tree.trim(), "-p", "origin/main", "-m", "brought"]);
    repo.git(&["switch", "-q", "-C", "work", brought.trim()]);
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ends(1).says("promised under other terms");
    let shown = noted(&repo, "Small").try_approve("no");
    shown.says("look twice: 1 commit of it came before the run began").says("A backdoor.sh");
}

#[test]
fn a_thousand_commits_do_not_hide_what_came_before_them() {
    let Some((_, repo, _)) = compared() else { return };
    repo.write("backdoor.sh", "echo mine\n");
    repo.commit("before anybody looked");
    repo.sh("from=$(git rev-parse HEAD); for n in $(seq 1001); do \
           echo 'commit refs/heads/main'; echo 'committer A <a@b.c> 1700000000 +0000'; echo 'data 1'; echo x; \
           [ $n = 1 ] && echo \"from $from\"; echo; done | git fast-import --quiet --force")
        .ok();
    let shown = noted(&repo, "Small").try_approve("no");
    shown.says("look twice: more than 1000 commits of it came before the run began").says("A backdoor.sh");
}

#[test]
fn where_the_remotes_branch_is_not_known_an_approver_is_told_and_how_to_know_it() {
    let Some((_, repo, _)) = compared() else { return };
    repo.git(&["remote", "set-head", "origin", "--delete"]);
    repo.write("backdoor.sh", "echo mine\n");
    repo.commit("before anybody looked");
    let run = noted(&repo, "Small");
    run.try_approve("no")
        .says("the default branch of 'origin' is not known here")
        .says("git remote set-head origin --auto");
    repo.git(&["remote", "set-head", "origin", "--auto"]);
    let shown = run.try_approve("no").says("A backdoor.sh");
    assert!(!shown.stdout.contains("is not known here"), "{shown}");
}

#[test]
fn what_git_was_told_to_forget_is_left_out_by_nobody() {
    let Some((_, repo, remote)) = compared() else { return };
    repo.write("guard.txt", "on\n");
    repo.commit("a guard");
    push(&repo, &["main"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    repo.git(&["rm", "-q", "-r", "--cached", ".rapid", "guard.txt"]);
    let run = noted(&repo, "Small");
    run.try_approve("no");
    run.approve().finish();
    repo.git(&["add", "Small.md"]);
    repo.git(&["commit", "-q", "-m", "small"]);
    repo.rapid(&["push"]).ok();
    let refused = verify(&repo, "HEAD", &["--onto", "origin/main"]).ends(1).says("not covered");
    refused.says("D guard.txt").says("D .rapid/config.toml");
    push(&repo, &["main"]).ends(1).says("RAPID1610");
    // With them it is what passed.
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "-q", "--amend", "-m", "small"]);
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ok();
}

#[test]
fn a_change_to_a_file_that_git_was_told_to_forget_is_shown_as_a_change() {
    let Some((_, repo, _)) = compared() else { return };
    repo.write("app.sh", "echo good\n");
    repo.commit("an app");
    push(&repo, &["main"]).ok();
    repo.git(&["rm", "-q", "--cached", "app.sh"]);
    repo.write("app.sh", "echo bad\n");
    let shown = noted(&repo, "Small").try_approve("no").says("M app.sh  +1 -1");
    assert!(!shown.stdout.contains("untracked before the run began"), "{shown}");
}

#[test]
fn going_back_behind_the_branch_is_shown_to_whoever_approves() {
    let Some((_, repo, _)) = compared() else { return };
    let old = covered(&repo, "Old", &[("c", "old\n")]);
    covered(&repo, "Mended", &[("c", "mended\n")]);
    push(&repo, &["main"]).ok();
    let back = repo.git(&["commit-tree", &format!("{old}^{{tree}}"), "-p", "origin/main", "-m", "back"]);
    repo.git(&["reset", "-q", "--hard", &back]);
    let shown = noted(&repo, "Small").try_approve("no");
    shown.says("look twice: 1 commit of it came before the run began").says("M c  +1 -1").says("A Small.md");
}

#[test]
fn rules_are_not_brought_back_by_a_run_from_before_them() {
    let Some((_, repo, _)) = compared() else { return };
    let old = covered(&repo, "Old", &[("c", "old\n")]);
    let rules = std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap();
    let stricter = format!("{rules}[push]\nattachments = \"none\"\n");
    covered(&repo, "Stricter", &[(".rapid/config.toml", &stricter)]);
    push(&repo, &["main"]).ok();
    verify(&repo, "HEAD", &["--onto", "HEAD~1"]).ok();
    let back = repo.git(&["commit-tree", &format!("{old}^{{tree}}"), "-p", "origin/main", "-m", "back"]);
    verify(&repo, &back, &["--onto", "origin/main"]).ends(1).says("promised under other terms than this branch has");
    // Under the rules of today they can be changed, and a person is shown that.
    repo.git(&["reset", "-q", "--hard", "origin/main"]);
    covered(&repo, "Laxer", &[(".rapid/config.toml", &rules)]);
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ok();
}

#[test]
fn a_server_looks_behind_names_and_at_what_is_no_commit() {
    let Some((_, repo, remote)) = compared() else { return };
    remote.git(&["symbolic-ref", "refs/heads/trunk", "refs/heads/main"]);
    remote.rapid(&["hooks", "install", "--protect", "main", "--protect", "refs/tags/v*"]).ok();
    repo.write("c", "evil\n");
    repo.commit("nobody looked");
    push(&repo, &["HEAD:trunk"]).ends(1).says("RAPID1610");
    repo.git(&["tag", "v1", "HEAD^{tree}"]);
    push(&repo, &["v1"]).ends(1).says("which is no commit: no run speaks for it");
}

#[test]
fn research_covers_documents_and_no_code() {
    let Some((_, repo, _)) = compared() else { return };
    let research = |title: &str, files: &[(&str, &str)]| {
        let run = Loop::start_as(&repo, "research", title);
        repo.git_rapid(&["task", "start", "T001"]).ok();
        repo.write("../note.md", "what was found\n");
        repo.git_rapid(&["attach", "../note.md", "--task", "T001"]).ok();
        files.iter().for_each(|(name, text)| repo.write(name, text));
        repo.git_rapid(&["task", "done", "T001", "--no-check"]).ok();
        run.approve().finish();
        repo.git(&["add", "--all"]);
        repo.git(&["commit", "--quiet", "--allow-empty", "-m", title]);
    };
    research("Notes", &[("docs/found.md", "found\n")]);
    verify(&repo, "HEAD", &[]).ok();
    verify(&repo, "HEAD", &["--onto", "origin/main"]).ok();
    research("Code", &[("a", "1\n")]);
    verify(&repo, "HEAD", &[]).ends(1).names("RAPID1530").says("speaks for documents only: it also changed a");
    verify(&repo, "HEAD", &["--json"]).ends(1).says("beside_documents").json();
    research("More notes", &[("docs/more.md", "more\n")]);
    verify(&repo, "HEAD", &[])
        .ends(1)
        .says("speaks for documents only, and the code that it began at is neither the branch's nor covered");
    push(&repo, &["main"]).ok();
}

#[test]
fn terms_that_the_commit_itself_brought_are_not_those_of_the_branch_that_it_is_for() {
    let Some((world, repo, remote)) = compared() else { return };
    repo.git(&["checkout", "--quiet", "-b", "pr"]);
    repo.write(".rapid/config.toml", "test_command = [\"sh\", \"ok.sh\"]\nruleset = 4\n");
    repo.write("ok.sh", "echo 1..1; echo ok 1 - fine\n");
    repo.commit("other tests");
    covered(&repo, "Break it", &[("a", "broken\n")]);
    push(&repo, &["pr"]).ok();
    repo.rapid(&["push"]).ok();
    let reviewer = world.clone_of(&remote, "reviewer");
    reviewer.git(&["checkout", "--quiet", "pr"]);
    reviewer.rapid(&["fetch"]).ok();
    verify(&reviewer, "HEAD", &[]).ends(1).says("promised under other terms than this branch has: config.toml");
    verify(&reviewer, "HEAD", &["--onto", "origin/pr~1"]).ok();
}

#[test]
fn whoever_has_no_name_is_no_other_party() {
    let Some((world, repo, remote)) = compared() else { return };
    covered(&repo, "Work", &[("a", "1\n"), ("b", "1\n")]);
    push(&repo, &["main"]).ok();
    repo.rapid(&["push"]).ok();
    let nobody = world.clone_of(&remote, "nobody");
    nobody.rapid(&["fetch"]).ok();
    world.configure("");
    let again = nobody.rapid(&["verify", "--rerun", "--json"]).ok();
    again.says("\"another_party\": false").says("\"seen by another clone\"");
}

#[test]
fn the_same_code_gets_the_same_answer_where_nothing_is_taken_back() {
    let Some((_, repo, _)) = compared() else { return };
    let start = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["checkout", "--quiet", "-b", "f1"]);
    covered(&repo, "First", &[("x", "one\n")]);
    repo.git(&["checkout", "--quiet", "-b", "f2", &start]);
    covered(&repo, "Second", &[("z", "two\n")]);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", "f1"]);
    repo.git(&["merge", "--quiet", "--no-ff", "--no-edit", "f2"]);
    push(&repo, &["main"]).ok();
    repo.git(&["checkout", "--quiet", "-b", "sq", "main~1"]);
    repo.git(&["merge", "--quiet", "--squash", "f2"]);
    repo.commit("second, squashed");
    assert_eq!(repo.git(&["rev-parse", "sq^{tree}"]), repo.git(&["rev-parse", "main^{tree}"]));
    // A clone that does not know which branch is the remote's default one.
    repo.git(&["remote", "set-head", "origin", "--delete"]);
    verify(&repo, "main", &[]).ok().says("judged for no other branch");
    verify(&repo, "sq", &[]).ok().says("judged for no other branch").says("--onto");
    verify(&repo, "sq", &["--onto", "main"]).ok().says("judged for main, at ");
    // Nothing on top of it is the same code too.
    repo.git(&["checkout", "--quiet", "-b", "empty", "main"]);
    repo.commit("nothing");
    verify(&repo, "empty", &[]).ok();
    verify(&repo, "empty", &["--onto", "main"]).ok();
    // Under a newer commit the same code would take that back.
    repo.git(&["checkout", "--quiet", "-b", "newer", "main"]);
    let newer = covered(&repo, "Third", &[("y3", "three\n")]);
    let back = repo.git(&["commit-tree", "main^{tree}", "-p", &newer, "-m", "back"]);
    verify(&repo, &back, &[]).ends(1).says("not covered");
    repo.git(&["remote", "set-head", "origin", "main"]);
    verify(&repo, "sq", &[]).ok();
    repo.git(&["push", "--quiet", "origin", "newer:main"]);
    verify(&repo, &back, &[]).ends(1).says("judged for origin/HEAD, at ");
    let said = repo.rapid(&["verify", "--commit", &back, "--json"]).ends(1).json();
    let onto = said.get("commit").and_then(|commit| commit.get("onto")).unwrap();
    assert_eq!(onto.get("id").and_then(Value::as_text), Some(newer.as_str()), "{onto:?}");
}

#[test]
fn a_run_that_only_began_at_some_code_is_no_way_to_get_it_covered() {
    let Some((_, repo, _)) = compared() else { return };
    repo.write("a", "0\n\n");
    repo.write("b", "0\n\n");
    let own = repo.commit("by nobody's run");
    Loop::start(&repo, "Elsewhere");
    let said = repo.rapid(&["verify", "--commit", &own]).ends(1).names("RAPID1530");
    assert!(!said.stderr.contains("elsewhere-r1-run-001"), "{said}");
}
