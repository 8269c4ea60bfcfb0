//! `mission plan`: whole or not at all, JSON or TOML.

use super::stage::{Stage, id, plan, wp};
use git_rapid::domain::json::Value;

#[test]
fn a_plan_with_faults_lists_all_of_them_and_records_nothing() {
    let stage = Stage::new("exit 9");
    let mut bad = wp(2, &[9]).in_scope("../x");
    bad.risk = "huge";
    let value = plan(&[wp(1, &[2]), bad]).with("more", 1);
    let said = stage.mission_with_input(&["plan", "-", "--json"], &value).ends(1);
    let document = said.json();
    assert_eq!(document.get("error").and_then(|error| error.get("code")).and_then(Value::as_text), Some("RAPID1900"));
    let problems = document.get("problems").and_then(Value::as_list).unwrap();
    let codes: Vec<&str> = problems.iter().filter_map(|one| one.get("code").and_then(Value::as_text)).collect();
    for code in ["unknown_key", "unknown_risk", "unsafe_scope"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    let text = stage.mission_with_input(&["plan", "-"], &value).ends(1).names("RAPID1900");
    assert!(text.stdout.contains("/work_packages/1/scope/0") && text.stdout.contains("[unsafe_scope]"), "{text}");
    assert!(
        !stage.repo.try_git(&["rev-parse", "-q", "--verify", "refs/rapid/ledger"]).code.eq(&0),
        "nothing was recorded"
    );
}

#[test]
fn a_plan_in_toml_is_the_same_and_a_second_of_its_name_is_refused() {
    let stage = Stage::new("exit 9");
    let toml = r#"schema_version = 1
objective = "Put it together"
order = ["WP-001"]
[[work_packages]]
id = "WP-001"
title = "Make part 1"
description = "Make the part."
size = "S"
risk_class = "low"
depends_on = []
scope = ["parts/001.sh"]
targets = []
tests = [["sh", "test.sh"]]
acceptance = ["it runs"]
"#;
    stage.repo.world().path("plan.toml");
    std::fs::write(stage.repo.world().path("plan.toml"), toml).unwrap();
    let path = stage.repo.world().path("plan.toml").display().to_string();
    drop(stage.mission(&["plan", &path]).ok().says("put-it-together"));
    drop(stage.mission(&["plan", &path]).ends(1).names("RAPID1911"));
    drop(stage.mission_with_input(&["plan", "-", "--id", "m"], &plan(&[wp(1, &[])])).ok());
    let ledger = |id: &str| {
        let names = stage.repo.git(&["ls-tree", "-r", "--name-only", "refs/rapid/ledger", "missions/"]);
        let name = names.lines().find(|name| name.ends_with(&format!("/{id}/plan.json"))).unwrap().to_owned();
        let text = stage.repo.git(&["show", &format!("refs/rapid/ledger:{name}")]);
        git_rapid::domain::json::parse_text(&text).unwrap().get("plan").cloned().unwrap()
    };
    assert_eq!(ledger("m"), ledger("put-it-together"), "JSON and TOML say the same");
    drop(stage.mission(&["run"]).ends(2).names("RAPID1910"));
    stage.verifies();
}

#[test]
fn size_does_not_lower_a_risk_and_evaluate_says_what_may_be_done() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[]).in_scope("src/auth/token.sh"), wp(2, &[])]);
    assert_eq!(stage.of(1, "risk"), "critical".into());
    assert_eq!(stage.of(2, "risk"), "medium".into(), "what the policy says of any feature");
    let said = stage.mission(&["evaluate", "--json"]).ok().json();
    let decisions = said.get("decisions").and_then(Value::as_list).unwrap();
    assert_eq!(decisions[0].get("wp").and_then(Value::as_text), Some(id(1).as_str()));
    assert_eq!(decisions[0].get("reason").and_then(Value::as_text), Some("no_failure"));
}

#[test]
fn dependencies_and_order_are_judged_before_anything_is_recorded() {
    let stage = Stage::new("exit 9");
    let order = |numbers: &[usize]| Value::list(numbers.iter().map(|number| id(*number)));
    for (packages, numbers, code) in [
        (vec![wp(1, &[7])], vec![1], "unknown_dependency"),
        (vec![wp(1, &[1])], vec![1], "self_dependency"),
        (vec![wp(1, &[2]), wp(2, &[1])], vec![1, 2], "cycle"),
        (vec![wp(1, &[2]), wp(2, &[])], vec![1, 2], "order_not_topological"),
        (vec![wp(1, &[]), wp(2, &[])], vec![1], "order_incomplete"),
    ] {
        let value = plan(&packages).with("order", order(&numbers));
        let said = stage.mission_with_input(&["plan", "-", "--id", "m", "--json"], &value).ends(1).json();
        let problems = said.get("problems").and_then(Value::as_list).unwrap();
        let codes: Vec<&str> = problems.iter().filter_map(|one| one.get("code").and_then(Value::as_text)).collect();
        assert!(codes.contains(&code), "{code}: {codes:?}");
        let pointers = problems.iter().filter_map(|one| one.get("pointer").and_then(Value::as_text));
        assert!(pointers.into_iter().all(|pointer| pointer.starts_with('/')), "{said:?}");
    }
    assert_ne!(
        stage.repo.try_git(&["rev-parse", "-q", "--verify", "refs/rapid/ledger"]).code,
        0,
        "nothing was recorded"
    );
}
