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
fn the_example_of_a_contract_is_an_answer_and_its_work_package_is_an_id() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let contract = || stage.mission(&["next", "--json"]).ok().json().get("contract").cloned().unwrap();
    let example = |contract: &Value| contract.get("answer_example").cloned().unwrap();
    let maker = contract();
    assert_eq!(maker.get("work_package"), Some(&"WP-001".into()));
    let tests = Value::List(vec![Value::list(["sh", "test.sh"])]);
    assert_eq!(example(&maker).get("tests_run"), Some(&tests), "as the contract has its tests");
    // A command may be a text too, and nothing else.
    let input = ["result", "--child", "m-wp-001-a1-maker", "--input", "-"];
    let wrong = example(&maker).with("tests_run", Value::list([7]));
    drop(stage.mission_with_input(&input, &wrong).ends(2).names("RAPID1923").says("each a text or a list of words"));
    make(maker.get("workspace").and_then(Value::as_text).unwrap(), "parts/001.sh");
    let both = Value::List(vec!["sh test.sh".into(), Value::list(["sh", "test.sh"])]);
    assert_eq!(hand_in(&stage, "m-wp-001-a1-maker", &example(&maker).with("tests_run", both)), "counted");
    let checker = contract();
    for key in ["work_package", "title", "description", "scope"] {
        assert_eq!(checker.get(key), maker.get(key), "{key}");
    }
    // The example says no, so that nobody passes work by copying it.
    assert_eq!(hand_in(&stage, "m-wp-001-a1-checker", &example(&checker)), "counted");
    assert_eq!(stage.of(1, "attempt"), 1.into());
    assert_eq!(hand_in(&stage, &next(&stage, &[]).unwrap().0, &example(&maker)), "counted");
    assert_eq!(stage.of(1, "last_failure").get("kind"), Some(&"no_progress".into()), "the second changed nothing");
    let (child, _, workspace) = next(&stage, &[]).unwrap();
    make(&workspace, "parts/001.sh");
    assert_eq!(hand_in(&stage, &child, &example(&maker)), "counted");
    let (child, ..) = next(&stage, &[]).unwrap();
    assert_eq!(hand_in(&stage, &child, &judged("pass")), "counted");
    let last = contract();
    assert_eq!((last.get("work_package"), last.get("title")), (Some(&Value::Null), Some(&Value::Null)));
    stage.verifies();
}

#[test]
fn a_mission_that_a_person_ended_hands_out_nothing_and_makes_nothing_anew() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    next(&stage, &[]).unwrap();
    drop(stage.mission(&["abort", "--reason", "not needed"]).ok());
    stage.repo.git(&["branch", "-q", "-D", "rapid/mission/m"]);
    for more in [&[][..], &["--mission", "m"], &["--another"]] {
        assert_eq!(next(&stage, more), Err("cancelled".to_owned()));
    }
    drop(stage.mission(&["next"]).ok().says("cancelled").says("not needed"));
    drop(stage.mission(&["run", "--mission", "m"]).ends(1).says("cancelled"));
    assert_eq!(stage.repo.git(&["branch", "--list", "rapid/mission/m"]), "");
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

#[test]
fn a_contract_names_its_deadline_and_who_is_too_late_is_not_counted() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let said = stage.mission(&["next", "--json"]).ok().json();
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_int);
    assert_eq!(number(said.get("contract").unwrap(), "answer_within_seconds"), Some(1000));
    let begun = stage.events().into_iter().next_back().unwrap();
    assert_eq!(number(&said, "deadline"), number(&begun, "deadline"));
    assert_eq!(number(&said, "deadline"), number(&begun, "at").map(|at| at + 1000));
    // It can be configured, in both directions.
    let stage = Stage::new("exit 9");
    let config = std::fs::read_to_string(stage.repo.path().join(".rapid/config.toml")).unwrap();
    let with = |limit: &str| {
        let more = format!("[mission]\nanswer_within = \"{limit}\"\n");
        stage.repo.write(".rapid/config.toml", &config.replace("[mission]\n", &more));
    };
    for wrong in ["8d", "soon", "0s"] {
        with(wrong);
        drop(stage.mission(&["status"]).ends(2).names("RAPID1600"));
    }
    with("1s");
    stage.repo.commit("be quick");
    stage.planned(&[wp(1, &[])]);
    let (first, ..) = next(&stage, &[]).unwrap();
    // It is over as soon as the second is; whoever asks then is given the next.
    let child = loop {
        let (child, ..) = next(&stage, &[]).unwrap();
        if child != first {
            break child;
        }
    };
    assert!(child.starts_with("m-wp-001-a"), "{child}");
    assert_eq!(hand_in(&stage, &first, &made()), "too_late");
    assert_eq!(stage.of(1, "repair_cycles"), 0.into(), "and is charged with nothing");
    stage.verifies();
}

#[test]
fn a_contract_can_be_read_without_starting_anybody() {
    let stage = Stage::new("exit 9");
    let planner = ["contract", "--role", "planner", "--objective", "Tokens that expire", "--json"];
    let said = stage.mission(&planner).ok().json();
    assert_eq!(said.get("objective").and_then(Value::as_text), Some("Tokens that expire"));
    let names = said.get("repository").and_then(|facts| facts.get("names")).and_then(Value::as_list).unwrap();
    assert!(names.contains(&"test.sh".into()), "{names:?}");
    assert!(said.get("limits").is_some() && said.get("answer").is_some());
    drop(stage.mission(&["contract", "--role", "planner"]).ends(2));
    stage.planned(&[wp(1, &[])]);
    let contract = |more: &[&str]| {
        let arguments: Vec<&str> = ["contract", "--json"].iter().chain(more).copied().collect();
        stage.mission(&arguments)
    };
    let maker = contract(&["--role", "maker", "--wp", "WP-001"]).ok().stdout;
    drop(contract(&["--role", "maker"]).ends(1).names("RAPID1911"));
    drop(contract(&["--role", "checker", "--wp", "WP-001"]).ends(1).names("RAPID1911"));
    drop(contract(&["--role", "checker"]).ends(1).names("RAPID1911"));
    assert_eq!(stage.events().len(), 1, "nothing was recorded");
    // What a child is given is what was shown, before and while it works.
    let given = |said: &str| git_rapid::domain::json::parse_text(said).unwrap();
    let next_said = stage.mission(&["next", "--json"]).ok().json();
    assert_eq!(next_said.get("contract"), Some(&given(&maker)));
    assert_eq!(contract(&["--role", "maker", "--wp", "WP-001"]).ok().stdout, maker);
    let (child, _, workspace) = next(&stage, &[]).unwrap();
    make(&workspace, "parts/001.sh");
    assert_eq!(hand_in(&stage, &child, &made()), "counted");
    let checker = contract(&["--role", "checker", "--wp", "WP-001"]).ok().stdout;
    let next_said = stage.mission(&["next", "--json"]).ok().json();
    assert_eq!(next_said.get("contract").map(|one| one.get("diff")), Some(given(&checker).get("diff")));
    stage.verifies();
}

#[test]
fn what_is_next_is_the_order_of_the_plan_and_what_its_dependencies_allow() {
    let stage = Stage::new("exit 9");
    // The third stands first; the first needs it; the second has the scope of the third.
    let packages = [wp(3, &[]), wp(1, &[3]), wp(2, &[]).in_scope("parts/003.sh"), wp(4, &[])];
    stage.planned(&packages);
    let names: Vec<String> = (0..2).map(|_| next(&stage, &["--another"]).unwrap().0).collect();
    assert_eq!(names, ["m-wp-003-a1-maker", "m-wp-004-a1-maker"]);
    assert_eq!(
        next(&stage, &["--another"]),
        Err("no_runnable_wp".to_owned()),
        "one waits, the other's scope is worked on"
    );
}

#[test]
fn a_contract_has_the_keys_of_its_role_and_no_other() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let keys = |said: &Value| {
        let Some(Value::Object(members)) = said.get("contract") else { panic!("{said:?}") };
        members.keys().cloned().collect::<Vec<_>>()
    };
    let said = stage.mission(&["next", "--json"]).ok().json();
    let maker = "acceptance answer answer_example answer_within_seconds child description failed_last_time mission role schema_version scope strategy tests title work_package workspace";
    assert_eq!(keys(&said).join(" "), maker);
    let (child, _, workspace) = next(&stage, &[]).unwrap();
    make(&workspace, "parts/001.sh");
    assert_eq!(hand_in(&stage, &child, &made()), "counted");
    let said = stage.mission(&["next", "--json"]).ok().json();
    let checker = "acceptance answer answer_example answer_within_seconds checks child description diff diff_is_cut mission objective role schema_version scope title work_package workspace";
    assert_eq!(keys(&said).join(" "), checker);
    assert!(!said.pretty().contains("made it") && !said.pretty().contains("all pass"), "nothing that the maker said");
}

#[test]
fn two_clones_that_both_took_a_step_are_told_and_a_person_chooses() {
    let stage = Stage::new("exit 9");
    let world = stage.repo.world().clone();
    let remote = world.remote("server.git");
    stage.repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    stage.repo.git(&["push", "--quiet", "origin", "main"]);
    stage.planned(&[wp(1, &[])]);
    drop(stage.repo.rapid(&["push"]).ok());
    let other = world.clone_of(&remote, "other");
    drop(other.rapid(&["fetch"]).ok());
    // Here a child begins; there a person ends the mission.
    let (child, _, workspace) = next(&stage, &[]).unwrap();
    drop(other.rapid(&["mission", "abort", "--reason", "not needed"]).ok());
    drop(other.rapid(&["push"]).ok());
    let refused = stage.repo.rapid(&["sync"]).ends(1).names("RAPID1534").says("mission 'm'");
    drop(refused.says("--subject m"));
    assert_eq!(stage.stands(1), "making", "nothing of either is lost meanwhile");
    drop(stage.repo.rapid(&["sync", "--take", "ours", "--subject", "m"]).ok());
    drop(other.rapid(&["sync"]).ok());
    for clone in [&stage.repo, &other] {
        let status = clone.rapid(&["mission", "status", "--mission", "m", "--json"]).ok().json();
        assert_eq!(status.get("status").and_then(Value::as_text), Some("active"), "one mission in both");
        drop(clone.verify(&["--full"]).ends(0));
    }
    // Where the child's place never was, it is made; nothing is charged.
    let there = other.rapid(&["mission", "next", "--json"]).ok().json();
    assert_eq!(there.get("child").and_then(Value::as_text), Some(child.as_str()));
    // It goes on where it stands.
    make(&workspace, "parts/001.sh");
    assert_eq!(hand_in(&stage, &child, &made()), "counted");
}

#[test]
fn a_child_that_an_outside_agent_has_is_named_with_its_time_and_how_its_answer_comes_back() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let (child, ..) = next(&stage, &[]).unwrap();
    let answer = format!("git rapid mission result --child {child} --input answer.json");
    stage.mission(&["status"]).ok().says(&child).says("left for its answer").says(&answer);
    let stopped = stage.mission(&["run"]).ends(1).says("no_runnable_wp").says(&answer);
    assert!(stopped.stdout.contains(&format!("an agent outside works on {child}")), "{stopped}");
    let said = stage.mission(&["run", "--json"]).ends(1).json();
    let next: Vec<&str> =
        said.get("next").and_then(Value::as_list).unwrap().iter().filter_map(Value::as_text).collect();
    assert_eq!(next, [answer.as_str()]);
}
