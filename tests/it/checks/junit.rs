//! Reports in JUnit XML: what a test script writes is counted test by test, and only when this run wrote it.

use crate::harness::{Loop, Output, Repo, World, answer, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;
use std::sync::Arc;

/// The tests of the project: each file of `cases/` is a test case, written into a report that git does not see.
const SCRIPT: &str = r#"
mkdir -p out
{
    echo '<?xml version="1.0" encoding="UTF-8"?>'
    echo '<testsuites><testsuite name="cases">'
    for file in cases/*; do
        echo "<testcase classname=\"cases\" name=\"$(basename "$file")\">$(cat "$file")</testcase>"
    done
    echo '</testsuite></testsuites>'
} > out/junit.xml
"#;

/// A project whose terms name the report of its tests.
fn project(world: &Arc<World>) -> Repo {
    let repo = world.repository("work", &[]);
    repo.write("test.sh", SCRIPT);
    repo.write(".gitignore", "/out/\n");
    repo.write(
        ".rapid/config.toml",
        "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n[checks]\njunit = \"out/junit.xml\"\n",
    );
    for name in ["adds", "divides", "multiplies"] {
        repo.write(&format!("cases/{name}"), "<system-out>quick</system-out>\n");
    }
    repo.commit("a project");
    repo
}

fn check(repo: &Repo, arguments: &[&str]) -> Value {
    let output = repo.git_rapid(&[&["check", "--json"], arguments].concat());
    assert!(!output.stderr.contains("panicked"), "{output}");
    output.json()
}

fn word(document: &Value, key: &str) -> String {
    document.get(key).and_then(Value::as_text).unwrap_or_default().to_owned()
}

fn numbers(document: &Value) -> [i64; 3] {
    ["passed", "failed", "skipped"].map(|key| document.get(key).and_then(Value::as_int).unwrap())
}

/// The payload of the newest check.
fn newest(repo: &Repo, document: &Value) -> Value {
    let id = word(document, "evidence_id");
    let path = repo.record(&format!("evidence/{id}.json"));
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{path}")]);
    git_rapid::domain::json::parse_text(&record).unwrap().get("payload").unwrap().clone()
}

#[test]
fn the_terms_report_is_counted_from_the_baseline_on() {
    let world = World::new();
    let repo = project(&world);
    Loop::start(&repo, "Add a case");
    let document = check(&repo, &[]);
    assert_eq!((word(&document, "outcome").as_str(), numbers(&document)), ("pass", [3, 0, 0]));
    assert_eq!(word(&document, "runner"), "junit-xml");
    let payload = newest(&repo, &document);
    let tests = payload.get("tests").expect("the tests are named");
    assert_eq!(word(tests, "against"), "E002", "the baseline has names too");
    assert!(tests.get("lost").is_none() && tests.get("newly_skipped").is_none());
    let clean = check(&repo, &["--clean"]);
    assert_eq!((word(&clean, "outcome").as_str(), numbers(&clean)), ("pass", [3, 0, 0]), "in a fresh worktree too");
    repo.verify(&[]).ok();
}

#[test]
fn a_failing_case_fails_whatever_the_exit_status_and_the_output_say() {
    let world = World::new();
    let repo = project(&world);
    Loop::start(&repo, "Add a case");
    repo.write("cases/divides", "<failure message='by zero'/>\n");
    repo.write("test.sh", &format!("{SCRIPT}\necho '3 passed, 0 failed'\n"));
    let document = check(&repo, &[]);
    assert_eq!((word(&document, "outcome").as_str(), numbers(&document)), ("fail", [2, 1, 0]));
    repo.write("cases/divides", "\n");
    repo.write("test.sh", &format!("{SCRIPT}\necho '2 passed, 1 failed'\n"));
    assert_eq!(word(&check(&repo, &[]), "outcome"), "fail", "the output's failures stand");
}

#[test]
fn a_report_that_this_run_did_not_write_does_not_count() {
    let world = World::new();
    let repo = project(&world);
    Loop::start(&repo, "Add a case");
    repo.write("test.sh", "echo '3 passed, 0 failed'\n");
    let document = check(&repo, &[]);
    assert_eq!(word(&document, "outcome"), "unverified", "the baseline's report is still there");
    assert_eq!(word(&newest(&repo, &document), "uncounted"), "no-report");
    repo.git_rapid(&["check"]).ok().says("the test report is from before");
    std::fs::remove_dir_all(repo.path().join("out")).unwrap();
    let document = check(&repo, &[]);
    assert_eq!(word(&document, "outcome"), "unverified", "there is none");
    repo.git_rapid(&["check"]).ok().says("wrote no test report");
    repo.write("test.sh", "mkdir -p out\necho '<testsuite name=\"s\"><testcase name=\"a\"/>' > out/junit.xml\n");
    assert_eq!(word(&newest(&repo, &check(&repo, &[])), "uncounted"), "contradiction", "it is cut off");
    repo.git_rapid(&["next", "--json"]).ok();
}

#[test]
fn another_command_names_its_own_report_and_the_test_command_no_other() {
    let world = World::new();
    let repo = project(&world);
    Loop::start(&repo, "Add a case");
    let script = "mkdir -p out/more; for n in 1 2; do \
                  echo \"<testsuite name='s'><testcase name='t$n'/></testsuite>\" > out/more/TEST-$n.xml; done";
    let document = check(&repo, &["--junit", "out/more", "--", "sh", "-c", script]);
    assert_eq!((word(&document, "outcome").as_str(), numbers(&document)), ("pass", [2, 0, 0]));
    repo.git_rapid(&["check", "--junit", "out/more"]).ends(125).names("RAPID1321");
    assert_eq!(word(&check(&repo, &["--junit", "out/junit.xml"]), "outcome"), "pass", "the same place may be named");
}

#[test]
fn lost_and_newly_skipped_tests_are_named_until_a_person_accepts_them() {
    let world = World::new();
    let repo = project(&world);
    let run = Loop::start(&repo, "Add a case");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    // As many tests as before: by number alone, nothing is lost.
    std::fs::rename(repo.path().join("cases/adds"), repo.path().join("cases/is-there")).unwrap();
    repo.write("cases/squares", "\n");
    repo.write("cases/multiplies", "<skipped/>\n");
    repo.git_rapid(&["task", "done", "T001"]).ok().says("cases > adds").says("cases > multiplies");
    let document = check(&repo, &[]);
    let payload = newest(&repo, &document);
    let tests = payload.get("tests").unwrap();
    let named = |key: &str| tests.get(key).and_then(|names| names.get("names")).unwrap().canonical();
    assert_eq!(
        (named("lost"), named("newly_skipped")),
        (r#"["cases > adds"]"#.into(), r#"["cases > multiplies"]"#.into())
    );
    if !somebody_can_be_asked() {
        return step_aside("accepting lost tests is a person's decision, and these tests run under a coding agent");
    }
    run.approve();
    let refused = repo.git_rapid(&["finish"]);
    assert_ne!(refused.code, 0, "{refused}");
    refused.says("1 that E002 ran are lost in").says("cases > adds").says("cases > multiplies");
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "finish", "--accept-test-command"]);
    let accepted: Output = answer(command, "anything else to leave it: ", &format!("accept tests of {}", run.run));
    accepted.ok().says("PASS");
    repo.verify(&[]).ok();
}
