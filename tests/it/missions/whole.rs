//! A whole mission: five work packages with dependencies, two at a time, one that fails twice the same way and is debugged, one
//! that waits for a person.

use super::stage::{Stage, Wp, wp};
use crate::harness::{Output, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;

/// Makers of 1 and 2 meet; the maker of 3 breaks its part the same way until a debugger comes.
pub const SCRIPT: &str = r#"
meet() { touch "$CASE/here-$1"; for _ in $(seq 600); do test -e "$CASE/here-$2" && return; sleep 0.05; done; exit 9; }
case "$role-$wp" in
maker-001) meet 1 2; part parts/001.sh; made ;;
maker-002) meet 2 1; part parts/002.sh; made ;;
maker-003) mkdir -p parts; echo 'echo "part three is broken at line $$" >&2; exit 1' >parts/003.sh; made ;;
debugger-003) part parts/003.sh; made ;;
maker-004) part src/auth/token.sh; made ;;
*) usual ;;
esac
"#;

/// The plan of the whole mission.
pub fn packages() -> [Wp; 5] {
    [wp(1, &[]), wp(2, &[]), wp(3, &[1]), wp(4, &[2]).in_scope("src/auth/**"), wp(5, &[3, 4])]
}

#[test]
fn five_packages_are_taken_to_the_end_and_a_second_clone_can_prove_it() {
    if !somebody_can_be_asked() {
        return step_aside("something critical is allowed by a person, and these tests run under a coding agent");
    }
    let stage = Stage::new(SCRIPT);
    stage.repo.write("mine.txt", "not committed\n");
    stage.repo.git(&["add", "mine.txt"]);
    stage.repo.write("mine.txt", "changed again\n");
    let before = stage.users();
    stage.planned(&packages());
    let stopped = stage.runs_until("approval_required");
    let waits = stopped.json();
    let page = waits.get("waits_for").and_then(Value::as_list).unwrap()[0].clone();
    assert_eq!(page.get("why").and_then(Value::as_text), Some("it touches authentication"));
    assert_eq!(
        ["done", "done", "done", "approval_required", "ready"].map(str::to_owned),
        [1, 2, 3, 4, 5].map(|one| stage.stands(one))
    );
    // The same failure twice is debugged; the third attempt is the debugger's.
    assert_eq!(stage.of(3, "attempt"), 3.into());
    let made: Vec<String> =
        stage.children().into_iter().filter(|child| child.contains("wp-003") && !child.contains("checker")).collect();
    assert_eq!(made, ["m-wp-003-a1-maker", "m-wp-003-a2-maker", "m-wp-003-a3-debugger"]);
    let again = stage.prompt("m-wp-003-a3-debugger");
    assert!(again.contains("part three is broken") && again.contains("the same failure came twice"), "{again}");
    // Nobody but a person says yes.
    drop(stage.mission(&["approve", "WP-004"]).ends(1).names("RAPID1310"));
    let shown = stage.person(&["WP-004"], "approve WP-004").ok();
    assert!(shown.stdout.contains("src/auth/**") && shown.stdout.contains("it touches authentication"), "{shown}");
    drop(stage.runs_until("approval_required"));
    drop(stage.mission(&["complete"]).ends(1).names("RAPID1930"));
    stage.person(&["--final"], "approve final").ok();
    drop(stage.mission(&["complete"]).ok().says("completed"));
    drop(stage.mission(&["complete", "--mission", "m"]).ok().says("mission_completed"));
    assert_eq!(stage.users(), before, "the user's branch, index and working copy");
    stage.is_clean();
    stage.verifies();
    // The branch holds all of it, and its tests pass.
    let world = stage.repo.world();
    world.git_at(world.top(), &["clone", "-q", "--branch", "rapid/mission/m", "work", "copy"]).ok();
    let copy = world.path("copy");
    for part in ["parts/001.sh", "parts/002.sh", "parts/003.sh", "src/auth/token.sh", "parts/005.sh"] {
        assert!(copy.join(part).exists(), "{part}");
    }
    Output::of(world.command("sh", &copy).arg("test.sh")).ok();
    // A second clone, that never saw the work, proves the ledger.
    world.git_at(&copy, &["fetch", "-q", "origin", "refs/rapid/ledger:refs/rapid/ledger"]).ok();
    drop(Output::of(world.tool(&copy).args(["verify", "--full"])).ends(0));
    let status = Output::of(world.tool(&copy).args(["mission", "status", "--json"])).ok().json();
    assert_eq!(status.get("status").and_then(Value::as_text), Some("completed"));
}

#[test]
fn a_mission_without_anything_critical_completes_by_itself_in_single_steps() {
    let stage = Stage::new("usual");
    stage.planned(&[wp(1, &[])]);
    let mut words = Vec::new();
    for _ in 0..20 {
        let step = stage.mission(&["run-one-step", "--json"]).ok().json();
        let event = step.get("event").and_then(|event| event.get("type")).and_then(Value::as_text).unwrap().to_owned();
        words.push(event);
        if let Some(stop) = step.get("stop").and_then(Value::as_text) {
            assert_eq!(stop, "mission_completed");
            break;
        }
    }
    let steps = ["activated", "child_ended", "tested", "child_ended", "accepted", "tested", "child_ended", "completed"];
    assert_eq!(words, steps);
    let kinds = stage.repo.shows_each_kind();
    assert!(kinds.contains("missions/plan.json") && kinds.contains("missions/events/0000.json"), "{kinds:?}");
    stage.is_clean();
    stage.verifies();
}

#[test]
fn what_is_done_in_all_its_parts_is_brought_to_its_end_and_nothing_else_is() {
    let stage = Stage::new("usual");
    stage.planned(&[wp(1, &[])]);
    let early = stage.mission(&["complete", "--json"]).ends(1).json();
    assert_ne!(early.get("status").and_then(Value::as_text), Some("completed"));
    for _ in 0..5 {
        let _ = stage.mission(&["step", "--json"]).ok().json();
    }
    let done = stage.mission(&["complete", "--json"]).ok().json();
    assert_eq!(done.get("stop").and_then(Value::as_text), Some("mission_completed"));
    assert_eq!(stage.children().len(), 3, "maker, checker, and one for the whole");
    stage.is_clean();
    stage.verifies();
}

#[test]
fn a_provider_that_is_named_on_the_command_line_plays_and_one_that_is_missing_is_found_before_an_attempt() {
    let stage = Stage::new("usual");
    let path = stage.repo.path().join(".rapid/config.toml");
    let config = std::fs::read_to_string(&path).unwrap().replace("provider = \"player\"\n", "");
    stage.repo.write(".rapid/config.toml", &config);
    stage.repo.commit("nobody plays");
    stage.planned(&[wp(1, &[])]);
    for missing in [&["run"][..], &["run", "--provider", "nobody"], &["step", "--provider", "nobody"]] {
        drop(stage.mission(missing).ends(2).names("RAPID1913"));
    }
    let said = stage.mission(&["status", "--json"]).ok().json();
    let [package] = said.get("work_packages").and_then(Value::as_list).unwrap() else { panic!("{said:?}") };
    assert_eq!(package.get("attempt").and_then(Value::as_int), Some(0), "nothing was begun");
    assert_eq!(package.get("run_id"), Some(&Value::Null));
    let done = stage.mission(&["run", "--provider", "player", "--json"]).ok().json();
    assert_eq!(done.get("stop").and_then(Value::as_text), Some("mission_completed"));
    // It plays the checker too, and whatever run is named there is one.
    let [package] = done.get("work_packages").and_then(Value::as_list).unwrap() else { panic!("{done:?}") };
    stage.repo.rapid(&["show", package.get("run_id").and_then(Value::as_text).unwrap()]).ok();
}
