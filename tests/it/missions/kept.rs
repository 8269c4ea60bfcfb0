//! What must not be lost, and where a mission must not stand for ever: worktrees of others, runs that end, places that are gone.

use super::stage::{Stage, wp};
use git_rapid::domain::json::Value;

fn failure(stage: &Stage, number: usize, key: &str) -> String {
    stage.of(number, "last_failure").get(key).and_then(Value::as_text).unwrap().to_owned()
}

/// How every run of the ledger stands.
fn runs(stage: &Stage) -> Vec<String> {
    let said = stage.repo.rapid(&["run", "list", "--json"]).ok().json();
    let runs = said.get("runs").and_then(Value::as_list).unwrap();
    let text = |run: &Value, key: &str| run.get(key).and_then(Value::as_text).unwrap().to_owned();
    runs.iter().map(|run| format!("{} {}", text(run, "run_id"), text(run, "status"))).collect()
}

/// The place of the child that an outside agent is given.
fn next(stage: &Stage) -> std::path::PathBuf {
    let said = stage.mission(&["next", "--json"]).ok().json();
    said.get("contract").and_then(|contract| contract.get("workspace")).and_then(Value::as_text).unwrap().into()
}

#[test]
fn only_worktrees_that_its_events_name_are_removed() {
    let stage = Stage::new("usual");
    let beside = stage.repo.world().path("work.rapid");
    for name in ["m-2-wp-001-a1", "m-r1-run-001", "m-wp-001-a1-mine"] {
        let place = beside.join(name);
        stage.repo.git(&["worktree", "add", "-q", "-b", &format!("rapid/{name}"), place.to_str().unwrap()]);
        std::fs::write(place.join("mine.txt"), "mine").unwrap();
    }
    stage.planned(&[wp(1, &[])]);
    drop(stage.runs_until("mission_completed"));
    for name in ["m-2-wp-001-a1", "m-r1-run-001", "m-wp-001-a1-mine"] {
        assert_eq!(std::fs::read_to_string(beside.join(name).join("mine.txt")).unwrap(), "mine", "{name}");
    }
    assert_eq!(std::fs::read_dir(beside).unwrap().count(), 3);
    stage.verifies();
}

#[test]
fn what_no_event_speaks_of_is_kept_and_named() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let place = next(&stage);
    std::fs::write(place.join("half.txt"), "half of it").unwrap();
    let said = stage.mission(&["abort"]).ok().says("cancelled").says("is kept");
    assert!(said.to_string().contains("m-wp-001-a1"), "{said}");
    assert_eq!(std::fs::read_to_string(place.join("half.txt")).unwrap(), "half of it");
}

#[test]
fn a_maker_may_work_on_another_branch_of_its_worktree() {
    for script in ["git checkout -q -b feature/x", "git checkout -q --detach"] {
        let stage = Stage::new(&format!(
            "case \"$role\" in checker) passed ;; *) {script}; part parts/001.sh; git add -A; git commit -qm mine; made ;; esac"
        ));
        stage.planned(&[wp(1, &[])]);
        drop(stage.runs_until("mission_completed"));
        assert_eq!(stage.children().len(), 3, "one attempt: {:?}", stage.children());
        stage.is_clean();
        stage.verifies();
    }
}

#[test]
fn a_maker_that_ends_its_own_run_has_tampered() {
    for script in ["part parts/001.sh; git rapid abort", "git rapid abort; part parts/001.sh"] {
        let stage =
            Stage::new(&format!("case \"$role\" in checker) passed ;; *) {script} >/dev/null 2>&1; made ;; esac"));
        stage.planned(&[wp(1, &[])]);
        drop(stage.mission(&["run"]).ends(1));
        assert!(["tampering", "deleted"].contains(&failure(&stage, 1, "kind").as_str()));
        stage.verifies();
    }
}

#[test]
fn a_worktree_that_is_gone_is_made_again_from_what_was_recorded() {
    let stage = Stage::new("usual");
    stage.planned(&[wp(1, &[])]);
    let gone = || std::fs::remove_dir_all(stage.repo.world().path("work.rapid/m-wp-001-a1")).unwrap();
    while stage.stands(1) != "testing" {
        drop(stage.mission(&["step"]).ok());
    }
    gone();
    while stage.stands(1) != "checking" {
        drop(stage.mission(&["step"]).ok());
    }
    gone();
    drop(stage.runs_until("mission_completed"));
    assert_eq!(stage.children().len(), 3);
    stage.is_clean();
    stage.verifies();
}

#[test]
fn a_maker_outside_whose_worktree_is_gone_has_failed() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    std::fs::remove_dir_all(next(&stage)).unwrap();
    let empty = || Value::list(Vec::<String>::new());
    let made = Value::object([("implementation_summary", "made it".into()), ("test_results", "all pass".into())])
        .with("files_changed", empty())
        .with("tests_run", empty());
    let input = ["result", "--child", "m-wp-001-a1-maker", "--input", "-"];
    drop(stage.mission_with_input(&input, &made).ok());
    assert_eq!(failure(&stage, 1, "kind"), "deleted");
    assert!(next(&stage).join(".git").exists(), "the next attempt has a place");
    stage.verifies();
}

#[test]
fn a_maker_whose_worktree_is_gone_has_failed_also_where_the_next_is_asked_for() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let place = next(&stage);
    std::fs::remove_dir_all(&place).unwrap();
    let another = next(&stage);
    assert!(another != place && another.join(".git").exists(), "{}", another.display());
    assert_eq!((failure(&stage, 1, "kind").as_str(), stage.of(1, "attempt")), ("deleted", 2.into()));
    assert_eq!(next(&stage), another, "and that one stays");
    stage.verifies();
}

#[test]
fn a_checkers_worktree_that_is_gone_is_made_anew() {
    let stage = Stage::new("exit 9");
    stage.planned(&[wp(1, &[])]);
    let made = Value::object([("implementation_summary", "made it".into()), ("test_results", "all pass".into())])
        .with("files_changed", Value::list(["parts/001.sh"]))
        .with("tests_run", Value::list(["sh test.sh"]));
    let passed = Value::object([("verdict", "pass".into()), ("findings", Value::list(Vec::<String>::new()))]);
    let hand_in = |child: &str, answer: &Value| {
        let said = stage.mission_with_input(&["result", "--child", child, "--input", "-"], answer).ok();
        drop(said.says("counted"));
    };
    let place = next(&stage);
    std::fs::create_dir_all(place.join("parts")).unwrap();
    std::fs::write(place.join("parts/001.sh"), "true\n").unwrap();
    hand_in("m-wp-001-a1-maker", &made);
    // Everything is removed: before the contract is asked for again, and before the verdict is handed in.
    for checker in ["m-wp-001-a1-checker", "m-final-a1-checker"] {
        for _ in 0..2 {
            let place = next(&stage);
            assert!(place.ends_with(checker) && place.join("parts/001.sh").exists(), "{}", place.display());
            std::fs::remove_dir_all(stage.repo.world().path("work.rapid")).unwrap();
        }
        hand_in(checker, &passed);
    }
    let said = stage.mission(&["next", "--json"]).ok().json();
    assert_eq!(said.get("stop").and_then(Value::as_text), Some("mission_completed"));
    stage.is_clean();
    stage.verifies();
}

#[test]
fn a_program_that_is_not_there_is_charged_to_nobody() {
    let stage = Stage::new("usual");
    stage.planned(&[wp(1, &[])]);
    std::fs::remove_file(stage.repo.world().path("player")).unwrap();
    drop(stage.runs_until("error").says("no attempt is charged"));
    assert_eq!((stage.stands(1).as_str(), stage.of(1, "repair_cycles")), ("ready", 0.into()));
    stage.is_clean();
}

#[test]
fn no_run_of_a_mission_stays_open() {
    let stage = Stage::new(
        "case \"$role-$child\" in checker-m-wp-001-a1*) failed ;; checker-*) passed ;; *) mkdir -p parts; echo \"true # $child\" >parts/$wp.sh; made ;; esac",
    );
    stage.planned(&[wp(1, &[]), wp(2, &[1])]);
    drop(stage.runs_until("mission_completed"));
    let open: Vec<String> =
        runs(&stage).into_iter().filter(|run| !run.ends_with(" finished") && !run.ends_with(" cancelled")).collect();
    assert_eq!(open, Vec::<String>::new());
    assert_eq!(runs(&stage).len(), 4);
    stage.verifies();
}
