//! The frozen definition of the test command, through a whole run: what changed behind the command's words is named.

use crate::harness::{Loop, Output, Repo, World, step_aside};
use git_rapid::domain::json::{self, Value};

/// A run over a project with this test command and these files, its one task begun.
fn begun(command: &str, files: &[(&str, &str)]) -> Repo {
    let repo = World::new().repository("work", &[]);
    repo.write(".rapid/config.toml", &format!("test_command = {command}\nruleset = 4\n"));
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("a project");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo
}

fn definition(repo: &Repo, id: &str) -> Value {
    let path = repo.record(&format!("evidence/{id}.json"));
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{path}")]);
    json::parse_text(&record).unwrap().get("payload").and_then(|payload| payload.get("definition")).unwrap().clone()
}

#[test]
fn what_a_wrapped_command_runs_is_named_when_it_changes() {
    let pass = "echo '3 passed, 0 failed'\n";
    for (command, named) in [
        (r#"["bash", "-o", "pipefail", "t.sh"]"#, "t.sh"),
        (r#"["env", "X=1", "timeout", "60", "sh", "t.sh"]"#, "t.sh"),
        (r#"["sh", "-c", "cd . && sh ./t.sh"]"#, "t.sh"),
    ] {
        let repo = begun(command, &[("t.sh", pass)]);
        repo.write("t.sh", "exit 0\n");
        repo.git_rapid(&["task", "done", "T001"]).ok();
        repo.git_rapid(&["finish"]).ends(1).says(&format!("what the test command runs changed since E002: {named}"));
    }
}

#[test]
fn a_prerequisite_that_changed_is_named() {
    let make = |unit: &str| format!("test: unit\nunit:\n\t@echo {unit}\n");
    let repo = World::new().repository("probe", &[]);
    if Output::of_any(repo.world().command("make", repo.path()).arg("--version")).is_none() {
        return step_aside("there is no make");
    }
    let repo = begun(r#"["make", "test"]"#, &[("Makefile", &make("one"))]);
    repo.write("Makefile", &make("two"));
    repo.git_rapid(&["task", "done", "T001"]).ok();
    repo.git_rapid(&["finish"]).ends(1).says("Makefile#test");
}

#[test]
fn a_program_of_the_machine_is_its_words_and_what_is_not_in_the_tree_is_not_resolved() {
    let repo = begun(r#"["true"]"#, &[("a", "a")]);
    let Value::Object(parts) = definition(&repo, "E002") else { panic!("an object") };
    assert_eq!(parts.keys().map(String::as_str).collect::<Vec<_>>(), ["words"]);
    repo.write("a", "b");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    assert!(!repo.git_rapid(&["finish"]).stdout.contains("tests.kept"), "nothing of the tests changed");

    let repo = begun(r#"["sh", "made.sh"]"#, &[(".gitignore", "/made.sh\n"), ("made.sh", "exit 0\n")]);
    repo.git_rapid(&["check"]).ok().says("is not resolved").says("made.sh");
    assert!(definition(&repo, "E003").get("not resolved: made.sh").is_some());
}
