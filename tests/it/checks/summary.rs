//! `git rapid summary`: what a check would read, and what was seen that made it say so.

use crate::harness::{World, project};
use git_rapid::domain::json::Value;

#[test]
fn it_says_line_by_line_what_was_seen() {
    let repo = project(&World::new(), "work");
    repo.write(
        "log",
        "running 2 tests\ntest a ... ok\ntest b ... ok\n\n\
                       test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
                       running 3 tests\n",
    );
    let told = repo.git_rapid(&["summary", "log"]).ok();
    let told = told.says("seen: cargo-test: in lines 1 to 5: passed 2, failed 0, skipped 0");
    told.says("seen: cargo-test: in lines 6 to 6: passed 0, failed 0, skipped 0: a session begins and never ends");
    let told = repo.git_rapid(&["summary", "log", "--json"]).ok().json();
    assert_eq!(told.get("outcome").and_then(Value::as_text), Some("unverified"));
    let seen = told.get("seen").and_then(Value::as_list).unwrap();
    assert_eq!(seen.len(), 2, "{told:?}");
    assert_eq!(seen[0].get("last_line").and_then(Value::as_int), Some(5));
    assert_eq!(seen[1].get("what").and_then(Value::as_text), Some("a session begins and never ends"));
}

#[test]
fn a_report_is_read_as_a_check_would_read_it() {
    let repo = project(&World::new(), "work");
    repo.write("out/a.xml", r#"<testsuite name="a" tests="1"><testcase name="one"/></testsuite>"#);
    repo.write("out/b.xml", r#"<testsuite name="b" tests="1"><testcase name="two"><skipped/></testcase></testsuite>"#);
    repo.git_rapid(&["summary", "--junit", "out"])
        .ok()
        .says("pass junit-xml, counted")
        .says("passed 1, failed 0, skipped 1");
    repo.git_rapid(&["summary", "--junit", "out", "--exit-code", "1"]).ok().says("fail junit-xml");
    repo.write("log", "3 passed, 1 failed\n");
    repo.git_rapid(&["summary", "log", "--junit", "out"])
        .ok()
        .says("the output shows failures that the test report does not");
    repo.git_rapid(&["summary", "--junit", "nowhere"]).ok().says("unverified");
    repo.write("out/c.xml", "<testsuite");
    repo.git_rapid(&["summary", "--junit", "out"]).ok().says("unverified");
    repo.git_rapid(&["summary"]).ends(2).names("RAPID001");
}

#[test]
fn a_status_is_one_that_a_process_can_have() {
    let repo = project(&World::new(), "work");
    repo.write("log", "3 passed, 0 failed\n");
    for code in ["999", "-1", "256"] {
        repo.git_rapid(&["summary", "log", "--exit-code", code]).ends(2).names("RAPID001");
    }
    for code in ["1", "255"] {
        repo.git_rapid(&["summary", "log", "--exit-code", code]).ok().says("fail plain");
    }
}
