//! Green means this code: what changed after the check, after the approval, or on the way into a commit is seen.

use crate::harness::{GATE, Loop, Repo, World, finished, project, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;

/// A run whose task is done and checked; `None` where nobody can approve it.
fn checked() -> Option<Repo> {
    if !somebody_can_be_asked() {
        step_aside("an approval needs somebody who can be asked, and these tests run under a coding agent");
        return None;
    }
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting").work();
    Some(repo)
}

fn approve(repo: &Repo) -> crate::harness::Output {
    let mut command = repo.tool();
    command.args(["approve", GATE]);
    crate::harness::answer(command, "anything else to leave it: ", &format!("approve {GATE}"))
}

fn edit(repo: &Repo, line: &str) {
    let text = std::fs::read_to_string(repo.path().join("greeting.sh")).unwrap();
    repo.write("greeting.sh", &format!("{text}{line}\n"));
}

#[test]
fn code_changed_after_the_check_cannot_be_approved_or_finished() {
    let Some(repo) = checked() else { return };
    edit(&repo, "echo untested");
    let before = repo.tip();
    approve(&repo).ends(1).says("RAPID1434");
    repo.rapid(&["finish"]).ends(1).names("RAPID1434");
    assert_eq!(repo.tip(), before, "a refusal writes nothing");
    repo.rapid(&["check"]).ok();
    approve(&repo).ok();
    repo.rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn code_changed_after_the_approval_cannot_be_finished() {
    let Some(repo) = checked() else { return };
    approve(&repo).ok();
    edit(&repo, "echo after the approval");
    let before = repo.tip();
    repo.rapid(&["finish"]).ends(1).says("UNVERIFIED");
    // Checked again, the code is tested but is not what was approved.
    repo.rapid(&["check"]).ok();
    repo.rapid(&["finish"]).ends(1).names("RAPID1433");
    assert_ne!(repo.tip(), before);
    approve(&repo).ok();
    repo.rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn a_new_file_counts_as_a_change() {
    let Some(repo) = checked() else { return };
    approve(&repo).ok();
    repo.write("slipped-in.sh", "echo x\n");
    repo.rapid(&["finish"]).ends(1).says("RAPID1434");
    std::fs::remove_file(repo.path().join("slipped-in.sh")).unwrap();
    repo.rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn a_changed_mode_counts_as_a_change() {
    let Some(repo) = checked() else { return };
    approve(&repo).ok();
    repo.sh("chmod +x greeting.sh");
    repo.rapid(&["finish"]).ends(1).says("RAPID1434");
    repo.sh("chmod -x greeting.sh");
    repo.rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn code_that_changes_while_it_is_looked_at_is_not_approved() {
    let Some(repo) = checked() else { return };
    let mut command = repo.tool();
    command.args(["approve", GATE]);
    // Somebody edits between the question and the answer: the answer is typed into a shell that does so first.
    let file = repo.path().join("greeting.sh");
    let before = repo.tip();
    let refused =
        crate::harness::answer_after(command, "anything else to leave it: ", &format!("approve {GATE}"), || {
            std::fs::write(&file, "echo hello\necho swapped\n").unwrap();
        });
    let _ = refused.ends(1).says("RAPID1433");
    assert_eq!(repo.tip(), before);
}

#[test]
fn a_commit_of_other_code_is_not_covered() {
    let Some(repo) = finished() else { return };
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    edit(&repo, "echo one more thing");
    repo.commit("not what was approved");
    let seen = repo.verify(&["--commit", "HEAD", "--require-pass"]).ends(1);
    let document = seen.json();
    let commit = document.get("commit").unwrap();
    assert_eq!(commit.get("covered").and_then(Value::as_text), Some("no"), "{seen}");
    let difference = commit.get("difference").and_then(Value::as_list).unwrap();
    assert_eq!(difference, [Value::from("M greeting.sh")], "what differs is said: {seen}");
    repo.rapid(&["verify", "--commit", "HEAD"]).ends(1).names("RAPID1530").says("M greeting.sh");
    repo.rapid(&["verify"]).ok().says("proven");
    repo.rapid(&["verify", "--commit", "HEAD~2"]).ends(1).names("RAPID1530");
}

#[test]
fn a_squash_an_amend_and_a_rebase_that_keep_the_tree_stay_covered() {
    let Some(repo) = finished() else { return };
    repo.git(&["commit", "--quiet", "--amend", "-m", "another message", "--author", "Grace <grace@example.org>"]);
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("covered");
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let squashed = repo.git(&["commit-tree", "-m", "all in one", &tree]);
    repo.rapid(&["verify", "--commit", &squashed, "--require-pass"]).ok().says("covered");
    repo.git(&["tag", "-a", "v1", "-m", "release"]);
    repo.rapid(&["verify", "--commit", "v1", "--require-pass"]).ok().says("covered");
}

#[test]
fn an_untracked_bystander_that_is_left_out_is_named_as_an_extra() {
    if !somebody_can_be_asked() {
        return step_aside("an approval needs somebody who can be asked, and these tests run under a coding agent");
    }
    let repo = project(&World::new(), "work");
    repo.write("notes.txt", "mine, not part of the work\n");
    let run = Loop::start(&repo, "Add a greeting");
    run.work().approve().finish();
    repo.git(&["commit", "--quiet", "-m", "the work", "greeting.sh"]);
    let seen = repo.verify(&["--commit", "HEAD", "--require-pass"]).ok();
    let document = seen.json();
    let commit = document.get("commit").unwrap();
    assert_eq!(commit.get("covered").and_then(Value::as_text), Some("extras"), "{seen}");
    assert_eq!(commit.get("extras").and_then(Value::as_list), Some(&[Value::from("notes.txt")][..]), "{seen}");
    repo.git(&["add", "notes.txt"]);
    repo.git(&["commit", "--quiet", "-m", "the notes too"]);
    let both = repo.verify(&["--commit", "HEAD", "--require-pass"]).ok();
    assert_eq!(
        both.json().get("commit").and_then(|commit| commit.get("covered")?.as_text().map(str::to_owned)).unwrap(),
        "exact"
    );
}

#[test]
fn a_bystander_that_changed_during_the_run_is_part_of_the_work() {
    if !somebody_can_be_asked() {
        return step_aside("an approval needs somebody who can be asked, and these tests run under a coding agent");
    }
    let repo = project(&World::new(), "work");
    repo.write("notes.txt", "before\n");
    let run = Loop::start(&repo, "Add a greeting");
    repo.write("notes.txt", "during\n");
    run.work().approve().finish();
    repo.git(&["commit", "--quiet", "-m", "the work", "greeting.sh"]);
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ends(1).names("RAPID1530").says("notes.txt");
    repo.commit("all of it");
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
}

#[test]
fn a_check_that_changes_the_code_counts_for_nothing() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo.rapid(&["task", "start", "T001"]).ok();
    let seen = repo.rapid(&["check", "--json", "--", "sh", "-c", "echo x >> greeting.sh"]).ok();
    let document = seen.json();
    assert_eq!(document.get("tree_changed"), Some(&Value::Bool(true)), "{seen}");
    assert_eq!(document.get("tree"), Some(&Value::Null), "{seen}");
    assert_eq!(document.get("outcome").and_then(Value::as_text), Some("unverified"), "{seen}");
}

#[test]
fn what_changed_after_the_approval_is_shown_as_git_would_show_it() {
    let Some(repo) = checked() else { return };
    let run = crate::harness::run_of("Add a greeting", 1);
    approve(&repo).ok();
    let same = repo.rapid(&["show", &run]).ok();
    assert!(!same.stdout.contains("not what was approved"), "{same}");
    edit(&repo, "echo after the approval");
    let shown = repo.rapid(&["show", &run]).ok().says(&format!("the code is not what was approved for {GATE}"));
    shown.says("+echo after the approval").says("approved tree");
    // Git's own drivers: what the repository converts before it is compared, and a program that compares.
    repo.git(&["config", "diff.loud.textconv", "tr a-z A-Z <"]);
    std::fs::write(repo.path().join(".git/info/attributes"), "*.sh diff=loud\n").unwrap();
    repo.rapid(&["show", &run]).ok().says("+ECHO AFTER THE APPROVAL");
    repo.git(&["config", "diff.external", "echo compared-by-a-program"]);
    repo.rapid(&["show", &run]).ok().says("compared-by-a-program");
    // A document is the same everywhere, and nobody's program is run for it.
    repo.git(&["config", "diff.external", "touch ../ran;:"]);
    let document = repo.rapid(&["show", &run, "--json"]).ok().json();
    let moved = document.get("moved").unwrap();
    assert!(moved.get("diff").and_then(Value::as_text).unwrap().contains("+echo after the approval"));
    assert_eq!(moved.get("cut"), Some(&false.into()));
    assert!(!repo.world().path("ran").exists(), "no program was run");
}
