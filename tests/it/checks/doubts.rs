//! Checks that are worth less than their command's end says: a submodule that is not what the tree names, a failure that is none
//! of the code's, code that changed meanwhile, a report somewhere else.

use crate::harness::{Loop, Output, Repo, World, project};
use git_rapid::domain::json::{self, Value};

fn text<'a>(document: &'a Value, key: &str) -> Option<&'a str> {
    document.get(key).and_then(Value::as_text)
}

/// A run over a project with a submodule.
pub(super) fn with_submodule() -> Repo {
    let world = World::new();
    let library = world.repository("library", &[]);
    library.write("lib.txt", "as committed\n");
    library.commit("a library");
    let repo = project(&world, "work");
    repo.git(&["submodule", "--quiet", "add", library.path().to_str().unwrap(), "vendor/lib"]);
    repo.write("test.sh", "grep -q committed vendor/lib/lib.txt && echo '1 passed, 0 failed'\n");
    repo.commit("with a library");
    Loop::start(&repo, "Say more");
    repo
}

#[test]
fn a_dirty_submodule_names_no_tree_and_the_recorded_commit_does() {
    let repo = with_submodule();
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("vendor/lib/lib.txt", "committed, and more\n");
    let seen = repo.git_rapid(&["check", "--json"]).ok().json();
    assert_eq!((text(&seen, "outcome"), seen.get("tree")), (Some("unverified"), Some(&Value::Null)));
    repo.git_rapid(&["check"]).ok().says("submodules have changes").says("vendor/lib").says("--clean");
    repo.git_rapid(&["task", "done", "T001"]).ends(1).says("stays in_progress");
    let clean = repo.git_rapid(&["check", "--clean", "--json"]).ok().json();
    assert_eq!(text(&clean, "outcome"), Some("pass"));
    assert!(text(&clean, "tree").is_some(), "that ran on exactly what the tree names");
    repo.git(&["-C", "vendor/lib", "checkout", "--quiet", "."]);
    let seen = repo.git_rapid(&["check", "--json"]).ok().json();
    assert_eq!(text(&seen, "outcome"), Some("pass"));
}

#[test]
fn what_never_ran_reproduces_nothing() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    let check = |arguments: &[&str], script: &str| {
        let arguments =
            [&["check", "--expect", "fail", "--task", "T001"], arguments, &["--", "sh", "-c", script]].concat();
        repo.git_rapid(&arguments)
    };
    for (script, said) in [
        ("nosuchprogram", "not found"),
        ("./greeting.sh", "could not be started"),
        ("exit 124", "time limit"),
        ("exec sleep 600", "time limit"),
    ] {
        let seen = check(&["--timeout", "2s"], script).ends(1);
        assert!(seen.stdout.contains("unverified") && seen.stdout.contains(said), "{script}: {seen}");
        assert!(!seen.stdout.contains("failed as expected"), "{script}: {seen}");
        let seen = check(&["--timeout", "2s", "--json"], script).ends(1).json();
        assert_eq!(text(&seen, "outcome"), Some("unverified"), "{script}");
        let tasks = seen.get("bound").and_then(|bound| bound.get("task_ids")).and_then(Value::as_list).unwrap();
        assert!(tasks.is_empty(), "{script} is tied to no task");
    }
    check(&[], "exit 3").ok().says("failed as expected");
    check(&[], "echo '1 passed, 127 failed'; exit 127").ok().says("failed as expected");
}

#[test]
fn code_that_changed_is_said_before_and_instead_of_a_green() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Say more");
    let seen = repo.git_rapid(&["check", "--", "sh", "-c", "echo x > new.txt; echo '1 passed, 0 failed'"]).ok();
    let (_, after) = seen.stdout.split_once("E003").unwrap();
    let lines: Vec<&str> = after.lines().skip(1).collect();
    assert!(lines[0].contains("the code changed while it ran") && lines[0].contains("new.txt"), "{seen}");
    assert!(!lines.iter().any(|line| line.contains("ran its tests")), "{seen}");
}

#[test]
fn why_it_is_no_pass_is_in_the_documents_too() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Say more");
    let check = |arguments: &[&str]| repo.git_rapid(&[&["check", "--json"], arguments].concat());
    let reason = |seen: &Value| text(seen, "reason").unwrap_or_default().to_owned();
    let seen = check(&[]).ok().json();
    assert_eq!((seen.get("reason"), seen.get("changed")), (Some(&Value::Null), Some(&Value::List(Vec::new()))));
    let seen = check(&["--", "sh", "-c", "echo x > new.txt; echo '1 passed, 0 failed'"]).ok().json();
    assert!(reason(&seen).starts_with("the code changed while it ran, so it speaks of no tree"), "{}", reason(&seen));
    assert_eq!(seen.get("changed"), Some(&Value::list(["new.txt"])));
    repo.write("old.xml", r#"<testsuite name="s" tests="1"><testcase name="a"/></testsuite>"#);
    let seen = check(&["--junit", "old.xml", "--", "true"]).ok().json();
    assert!(reason(&seen).contains("old.xml"), "{}", reason(&seen));
    let seen = check(&["--", "sh", "-c", "echo '1 passed, 2 failed'; exit 1"]).ends(1).json();
    assert!(reason(&seen).contains("2 failed"), "{}", reason(&seen));
}

#[test]
fn a_baseline_that_changes_the_code_says_that_it_does() {
    let repo = project(&World::new(), "work");
    repo.write("test.sh", "date +%N > s; echo '1 passed, 0 failed'\n");
    repo.commit("tests that write");
    let seen = repo.git_rapid(&["start", "feature", "--title", "S", "--task", "t", "--json"]).ok().json();
    let baseline = seen.get("baseline").unwrap();
    assert_eq!(text(baseline, "outcome"), Some("unverified"));
    assert_eq!(text(baseline, "reason"), Some("the code changed while it ran, so it speaks of no tree"));
    assert_eq!(baseline.get("changed"), Some(&Value::list(["s"])));
}

#[test]
fn the_place_of_a_report_that_is_not_there_is_named() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Say more");
    let place = repo.path().join("wrong/place.xml");
    let seen = repo.git_rapid(&["check", "--junit", "wrong/place.xml", "--", "true"]).ok();
    assert!(seen.stdout.contains(&format!("looked at '{}'", place.display())), "{seen}");
    repo.write("old.xml", r#"<testsuite name="s" tests="1"><testcase name="a"/></testsuite>"#);
    repo.git_rapid(&["check", "--junit", "old.xml", "--", "true"]).ok().says("old.xml");
}

#[test]
fn a_clean_check_has_its_submodules_and_says_which_it_could_not_fill() {
    let repo = with_submodule();
    let inner = "git -C vendor/lib rev-parse HEAD && cat vendor/lib/lib.txt";
    repo.git_rapid(&["check", "--clean", "--", "sh", "-c", inner]).ok().says("as committed");
    // Not checked out, but still in git's store of modules.
    repo.git(&["submodule", "--quiet", "deinit", "--force", "vendor/lib"]);
    repo.git_rapid(&["check", "--clean", "--", "sh", "-c", inner]).ok().says("as committed");
    std::fs::remove_dir_all(repo.path().join(".git/modules")).unwrap();
    let seen = repo.git_rapid(&["check", "--clean", "--", "sh", "-c", "ls -A vendor/lib"]).ok();
    assert!(!seen.stdout.contains("lib.txt") && seen.stdout.contains("were empty there"), "{seen}");
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{}", repo.record("evidence/E005.json"))]);
    let record = json::parse_text(&record).unwrap();
    let notes = record.get("payload").and_then(|payload| payload.get("tree_notes")).unwrap();
    assert_eq!(notes.get("unfilled_submodules"), Some(&Value::list(["vendor/lib"])));
    assert_eq!(repo.git(&["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
}

#[test]
fn a_clean_check_runs_in_the_same_directory_and_nothing_points_back() {
    let repo = project(&World::new(), "work");
    repo.write("deep/er/file.txt", "here\n");
    repo.commit("a directory");
    Loop::start(&repo, "Say more");
    let below = repo.path().join("deep/er");
    let mut command = repo.world().command("git", &below);
    command.env("OLDPWD", repo.path()).env("PWD", &below);
    command.args(["rapid", "check", "--clean", "--", "sh", "-c", "cat file.txt; env"]);
    let seen = Output::of(&mut command).ok();
    assert!(seen.stdout.contains("here\n"), "{seen}");
    let points = |line: &&str| line.contains("PWD=") && line.contains(repo.path().to_str().unwrap());
    assert_eq!(seen.stdout.lines().find(points), None, "{seen}");
    assert!(seen.stdout.lines().any(|line| line.starts_with("PWD=") && line.ends_with("/tree/deep/er")), "{seen}");
}

#[test]
fn what_is_run_from_outside_of_the_working_copy_runs_at_its_top() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Say more");
    let outside = repo.world().path("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    let mut command = repo.world().command("git", &outside);
    command.env("GIT_DIR", repo.path().join(".git")).env("GIT_WORK_TREE", repo.path());
    command.args(["rapid", "check", "--", "sh", "-c", "ls; env"]);
    let seen = Output::of(&mut command).ok();
    assert!(seen.stdout.contains("greeting.sh\n"), "{seen}");
    assert!(!seen.stdout.contains("GIT_DIR=") && !seen.stdout.contains("GIT_WORK_TREE="), "{seen}");
}
