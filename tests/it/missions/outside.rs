//! External mode: a second process plays the agent through `next` and `result`.

use super::stage::{Stage, wp};
use git_rapid::domain::json::Value;

const MADE: [(&str, &str); 2] = [("implementation_summary", "made it"), ("test_results", "all pass")];

fn made() -> Value {
    let empty = || Value::list(Vec::<String>::new());
    Value::object([(MADE[0].0, MADE[0].1.into()), (MADE[1].0, MADE[1].1.into())])
        .with("files_changed", empty())
        .with("tests_run", empty())
}

fn judged(verdict: &str) -> Value {
    Value::object([("verdict", verdict.into()), ("findings", Value::list(Vec::<String>::new()))])
}

/// The next child: its id, its role and where it works; the reason to stop otherwise.
fn next(stage: &Stage, more: &[&str]) -> Result<(String, String, String), String> {
    let arguments: Vec<&str> = ["next", "--json"].iter().chain(more).copied().collect();
    let said = stage.mission(&arguments).ok().json();
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_text).map(str::to_owned);
    match text(&said, "child") {
        None => Err(text(&said, "stop").unwrap()),
        Some(child) => {
            let contract = said.get("contract").unwrap();
            Ok((child, text(contract, "role").unwrap(), text(contract, "workspace").unwrap()))
        }
    }
}

fn hand_in(stage: &Stage, child: &str, answer: &Value) -> String {
    let said = stage.mission_with_input(&["result", "--child", child, "--input", "-", "--json"], answer).ok().json();
    said.get("result").and_then(Value::as_text).unwrap().to_owned()
}

fn make(workspace: &str, name: &str) {
    let path = std::path::Path::new(workspace).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "true\n").unwrap();
}

#[test]
fn an_outside_agent_takes_a_mission_to_its_end() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[]), wp(2, &[1])]);
    let before = stage.users();
    let mut roles = Vec::new();
    for _ in 0..20 {
        let Ok((child, role, workspace)) = next(&stage, &[]) else { break };
        // Asked again, it is the same child and the same place.
        assert_eq!(next(&stage, &[]), Ok((child.clone(), role.clone(), workspace.clone())));
        roles.push(child.clone());
        let answer = match role.as_str() {
            "checker" => judged("pass"),
            _ => {
                make(&workspace, &format!("parts/{}.sh", child.split('-').nth(2).unwrap()));
                made()
            }
        };
        assert_eq!(hand_in(&stage, &child, &answer), "counted");
        // A duplicate changes nothing, also when it says something else.
        let events = stage.events().len();
        assert_eq!(hand_in(&stage, &child, &judged("fail")), "already_counted");
        assert_eq!(stage.events().len(), events);
    }
    let expected =
        ["m-wp-001-a1-maker", "m-wp-001-a1-checker", "m-wp-002-a1-maker", "m-wp-002-a1-checker", "m-final-a1-checker"];
    assert_eq!(roles, expected);
    assert_eq!(next(&stage, &["--mission", "m"]), Err("mission_completed".to_owned()));
    assert!(stage.children().is_empty(), "no program of a provider was started");
    assert_eq!(stage.users(), before);
    stage.is_clean();
    stage.verifies();
}

#[test]
fn what_is_forged_late_or_of_another_role_is_not_counted() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let result =
        |child: &str, answer: &Value| stage.mission_with_input(&["result", "--child", child, "--input", "-"], answer);
    // A verdict of a child that never began, however well its name was guessed.
    drop(result("m-wp-001-a1-checker", &judged("pass")).ends(2).names("RAPID1920"));
    let (child, ..) = next(&stage, &[]).unwrap();
    drop(result("m-wp-001-a1-checker", &judged("pass")).ends(2).names("RAPID1920"));
    // A maker that passes its own work.
    let events = stage.events().len();
    drop(result(&child, &judged("pass")).ends(2).names("RAPID1923"));
    drop(result(&child, &made().with("verdict", "pass")).ends(2).names("RAPID1923"));
    drop(result("../x", &made()).ends(2).names("RAPID1901"));
    assert_eq!(stage.events().len(), events, "nothing was counted");
    // Too late: the mission is over.
    drop(stage.mission(&["abort"]).ok());
    let said = stage.mission_with_input(&["result", "--child", &child, "--input", "-", "--json"], &made()).ok().json();
    assert_eq!(said.get("result").and_then(Value::as_text), Some("too_late"));
    stage.is_clean();
    stage.verifies();
}

#[test]
fn out_of_scope_work_opens_the_circuit() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[]), wp(2, &[1])]);
    let (child, _, workspace) = next(&stage, &[]).unwrap();
    make(&workspace, "elsewhere.sh");
    assert_eq!(hand_in(&stage, &child, &made()), "counted");
    assert_eq!(next(&stage, &[]), Err("circuit_open".to_owned()));
    stage.is_clean();
}

#[test]
fn three_children_at_most_are_at_work() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[]), wp(2, &[]), wp(3, &[]), wp(4, &[])]);
    let mut open: Vec<_> = (0..3).map(|_| next(&stage, &["--another"]).unwrap()).collect();
    assert_eq!(next(&stage, &["--another"]), Err("no_runnable_wp".to_owned()));
    let (child, _, workspace) = open.remove(0);
    make(&workspace, "parts/001.sh");
    assert_eq!(hand_in(&stage, &child, &made()), "counted");
    let (_, role, _) = next(&stage, &["--another"]).unwrap();
    assert_eq!(role, "checker", "what is begun is brought to its end first");
}
