//! Runs with agents: every row of the table, a backlog to its end, and everything that an agent may do wrong.

use super::players::Stage;
use crate::harness::Output;
use git_rapid::domain::json::Value;

#[test]
fn every_row_that_an_agent_may_take_is_taken() {
    let rows = [
        ("Draft", "Ready"),
        ("Ready", "Tests Ready"),
        ("Ready", "Draft"),
        ("Tests Ready", "In Review"),
        ("In Progress", "In Review"),
        ("In Review", "Business Review"),
        ("In Review", "In Progress"),
        ("Business Review", "Done"),
        ("Business Review", "In Review"),
        ("Business Review", "In Progress"),
    ];
    let stage = Stage::new("");
    for (number, (from, to)) in (1..).zip(rows) {
        stage.story(number, from, "");
        stage.plays(&format!("move '{to}'"));
        let id = format!("STORY-{number:03}");
        let _ = stage.run(&["run", "--once", "--story", &id]).ends(0);
        assert_eq!(stage.status(number), to, "from {from}");
        assert!(String::from_utf8(stage.bytes(number)).unwrap().contains(&format!("| {from} → {to}")));
    }
    // Row 5: the developer reports, the tests are repaired, the state stays.
    stage.story(20, "Tests Ready", "");
    stage.plays("");
    let _ = stage.run(&["run", "--once", "--story", "STORY-020"]).ends(3);
    stage.plays("echo repaired > tests.txt");
    let _ = stage.run(&["run", "--once", "--story", "STORY-020"]).ends(0);
    assert_eq!(stage.status(20), "Tests Ready");
    stage.plays("forward");
    let _ = stage.run(&["run", "--once", "--story", "STORY-020"]).ends(0);
    assert_eq!(stage.status(20), "In Review");
    stage.verifies();
}

#[test]
fn a_backlog_is_worked_to_done_by_four_providers_and_a_second_clone_proves_it() {
    let stage = Stage::new("forward; echo \"$id $(state)\" >> code.txt");
    stage.configured(
        "[agents]\nprovider = \"pi\"\n[agents.qa_engineer]\nprovider = \"claude\"\n\
         [agents.developer]\nprovider = \"codex\"\n[agents.reviewer]\nprovider = \"opencode\"\n",
    );
    stage.story(1, "Draft", "");
    stage.story(2, "Draft", "STORY-001");
    stage.commit();
    let head = stage.git(&["rev-parse", "HEAD"]);
    let ended = stage.run(&["run", "--json"]).ends(0);
    let document = ended.json();
    assert_eq!(document.get("result").and_then(Value::as_text), Some("completed"), "{ended}");
    assert_eq!((stage.status(1), stage.status(2)), ("Done".into(), "Done".into()));
    assert_eq!(stage.turns().len(), 10);
    let who: Vec<String> =
        stage.turns().iter().take(5).map(|turn| turn.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(who, ["pi", "claude", "codex", "opencode", "pi"]);
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head, "nothing is committed on the branch");
    assert!(!stage.project.top().join(".regista/state.toml").exists(), "the checkpoint goes when the run is complete");
    assert!(stage.records().contains("\"row\":13"), "unblocked by the orchestrator");
    stage.verifies();
    let world = stage.project.world();
    world.git_at(world.top(), &["clone", "-q", "p", "second"]);
    world.git_at(&world.path("second"), &["fetch", "-q", "origin", "+refs/rapid/*:refs/rapid/*"]);
    drop(Output::of(world.tool(&world.path("second")).args(["verify", "--full"])).ends(0));
}

#[test]
fn what_an_agent_may_not_do_is_undone_and_the_story_given_up() {
    let cases = [
        ("nothing", "", "no_progress"),
        ("a jump", "move Done", "illegal_move"),
        ("blocked", "move Blocked", "illegal_move"),
        ("failed", "move Failed", "illegal_move"),
        ("another story", "sed -i 's/Blocked/Done/' .regista/stories/STORY-002.md; forward", "foreign_edit"),
        ("a new story", "cp \"$file\" .regista/stories/STORY-009.md; forward", "foreign_edit"),
        ("its own is gone", "rm \"$file\"", "deleted"),
        ("the folder is gone", "rm -r .regista/stories", "foreign_edit"),
        ("a link in its place", "cp \"$file\" x; rm \"$file\"; ln -s ../../x \"$file\"", "deleted"),
        ("invalid bytes", "printf '\\377\\376' >> \"$file\"", "unreadable"),
        ("an error", "forward; exit 7", "exit"),
    ];
    for (name, script, kind) in cases {
        let stage = Stage::new(&format!("echo mess > mess.txt; {script}"));
        stage.configured("max_retries_per_step = 2\n");
        stage.story(1, "Ready", "");
        stage.story(2, "Ready", "STORY-001");
        stage.commit();
        let second = stage.bytes(2);
        let ended = stage.run(&["run", "--json"]).ends(2);
        assert_eq!(stage.status(1), "Failed", "{name}: {ended}");
        assert_eq!(stage.turns().len(), 2, "{name}");
        assert!(stage.records().contains(&format!("\"failure\":\"{kind}\"")), "{name}: {ended}");
        assert_eq!(stage.status(2), "Blocked", "{name}");
        let stayed = String::from_utf8(second).unwrap().replace("**Ready**", "**Blocked**");
        assert_eq!(String::from_utf8(stage.bytes(2)).unwrap(), stayed, "{name}");
        assert!(!stage.project.top().join(".regista/stories/STORY-009.md").exists(), "{name}");
        // Where nothing illegal was done, what the agent wrote stays; else it is gone.
        assert_eq!(stage.project.top().join("mess.txt").exists(), kind == "no_progress", "{name}");
        stage.verifies();
    }
}

#[test]
fn rejects_end_in_failed_and_the_others_are_worked() {
    let stage = Stage::new(
        "if [ \"$id\" = STORY-001 ] && [ \"$(state)\" = 'In Review' ]; then move 'In Progress'; else forward; fi",
    );
    stage.story(1, "In Review", "");
    stage.story(2, "Ready", "");
    let _ = stage.run(&["run"]).ends(2);
    assert_eq!((stage.status(1), stage.status(2)), ("Failed".into(), "Done".into()));
}

#[test]
fn the_hundred_verifications_end_with_their_reason() {
    let stage = Stage::new(
        "if [ \"$id\" = STORY-022 ]; then echo '- 2026-01-01 | Dev | tests are wrong' >> \"$file\"; else forward; fi",
    );
    stage.story(22, "Tests Ready", "");
    stage.story(23, "Ready", "");
    let ended = stage.run(&["run", "--json"]).ends(2);
    let mine = stage.turns().iter().filter(|turn| turn.contains("STORY-022")).count();
    assert_eq!((mine, stage.status(22), stage.status(23)), (5, "Failed".into(), "Done".into()));
    let stories = ended.json().get("stories").and_then(Value::as_list).unwrap().to_vec();
    let reason = stories[0].get("error").and_then(Value::as_text).unwrap().to_owned();
    assert!(reason.starts_with("max_retries_per_step: 5 strikes"), "{reason}");
    assert!(stage.turns().last().unwrap().contains("STORY-022"), "the others went first");
}

#[test]
fn a_used_up_allowance_stops_the_run_and_is_charged_to_nobody() {
    let stage = Stage::new("echo 'Error: 429 rate limit reached' >&2; exit 1");
    stage.story(1, "Ready", "");
    stage.story(2, "Ready", "");
    let ended = stage.run(&["run", "--json"]).ends(3);
    assert_eq!(stage.turns().len(), 1);
    assert!(ended.json().get("stop_reason").and_then(Value::as_text).unwrap().contains("allowance"));
    assert_eq!(ended.json().get("strikes").and_then(Value::as_list).unwrap().len(), 0);
    assert!(stage.project.top().join(".regista/state.toml").exists());
    stage.plays("forward");
    let _ = stage.run(&["run", "--resume"]).ends(0).says("goes on after turn 1");
}

#[test]
fn an_agent_that_hangs_leaves_a_child_or_floods_is_ended_and_kept() {
    let stage = Stage::new("sleep 600 & sleep 600");
    stage.configured("agent_timeout_seconds = 1\nmax_retries_per_step = 1\n");
    stage.story(1, "Ready", "");
    let _ = stage.run(&["run"]).ends(2);
    assert_eq!(stage.processes(), Vec::<u32>::new(), "nobody is left");
    assert!(stage.records().contains("\"failure\":\"timeout\""));

    let stage = Stage::new("setsid sleep 600 >/dev/null 2>&1 & forward");
    stage.story(1, "In Review", "");
    let _ = stage.run(&["run", "--once"]).ends(0);
    assert_eq!(stage.processes(), Vec::<u32>::new(), "nobody is left");
    assert_eq!(stage.status(1), "Business Review");

    let stage = Stage::new(
        "head -c 30000000 /dev/zero | tr '\\0' 'x'; printf '\\377\\303'; printf 'acci\\303\\263n\\n'; forward",
    );
    stage.story(1, "In Review", "");
    let _ = stage.run(&["run", "--once"]).ends(0);
    assert!(stage.records().contains("\"printed\":3000"), "{}", stage.records());
    stage.verifies();
}

#[test]
fn a_hook_is_run_for_the_rows_that_have_one_and_for_no_other() {
    let rows = [
        ("Draft", "Ready", ""),
        ("Ready", "Tests Ready", "post_qa"),
        ("Ready", "Draft", ""),
        ("Tests Ready", "In Review", "post_dev"),
        ("In Progress", "In Review", "post_dev"),
        ("In Review", "Business Review", "post_reviewer"),
        ("In Review", "In Progress", ""),
        ("Business Review", "Done", ""),
        ("Business Review", "In Review", ""),
        ("Business Review", "In Progress", ""),
    ];
    let stage = Stage::new("");
    let hook = |name: &str| format!("{name} = \"echo {name} >> $CASE/hooks\"\n");
    stage.configured(&format!("[hooks]\n{}{}{}", hook("post_qa"), hook("post_dev"), hook("post_reviewer")));
    for (number, (from, to, hook)) in (1..).zip(rows) {
        let _ = std::fs::remove_file(stage.case().join("hooks"));
        stage.story(number, from, "");
        stage.plays(&format!("move '{to}'"));
        let _ = stage.run(&["run", "--once", "--story", &format!("STORY-{number:03}")]).ends(0);
        let ran = std::fs::read_to_string(stage.case().join("hooks")).unwrap_or_default();
        assert_eq!(ran.trim(), hook, "{from} to {to}");
    }
    // Repaired tests are checked as tests, whatever the state is called.
    stage.story(20, "Tests Ready", "");
    stage.plays("");
    let _ = stage.run(&["run", "--once", "--story", "STORY-020"]).ends(3);
    stage.plays("echo repaired > tests.txt");
    let _ = stage.run(&["run", "--once", "--story", "STORY-020"]).ends(0);
    assert_eq!(std::fs::read_to_string(stage.case().join("hooks")).unwrap().trim(), "post_qa");
}

#[test]
fn whatever_agents_do_a_run_ends_in_its_bound_and_only_the_table_leads_to_done() {
    // What an agent does is drawn from its seed and the number of its turn; half of the time it is what is asked.
    let script = "n=$(wc -l < \"$CASE/turns\"); dice=$(printf '%s %s' \"$SEED\" \"$n\" | cksum | cut -d' ' -f1); \
        case $((dice % 22)) in 0) move Done ;; 1) rm \"$file\" ;; 2) : ;; 3) forward; exit 1 ;; 4) printf '\\377' >> \"$file\" ;; \
        5) sed -i 's/Ready/Done/' .regista/stories/*.md ;; 6) move Blocked ;; 7) move 'In Progress' ;; 8) move Draft ;; \
        9) echo '- Blocked by: STORY-003' >> \"$file\"; forward ;; 10) echo x >> shared.txt ;; 11) exit 3 ;; *) echo x >> \"$id.txt\"; forward ;; esac";
    for seed in 0..6 {
        let stage = Stage::new(script);
        stage.configured("max_retries_per_step = 2\nmax_reject_cycles = 2\nmax_iterations = 25\n");
        stage.story(1, "Draft", "");
        stage.story(2, "Ready", "STORY-001");
        stage.story(3, "Tests Ready", "");
        let jobs = if seed % 2 == 0 { "1" } else { "3" };
        let mut command = stage.command(&["run", "--json", "--jobs", jobs]);
        let ended = Output::of(command.env("SEED", seed.to_string()));
        assert!(matches!(ended.code, 0 | 2 | 3), "{seed}: {ended}");
        assert!(stage.turns().len() <= 25, "{seed}: {ended}");
        for number in 1..=3 {
            let moves = ended.json();
            let moves = moves.get("transitions").and_then(Value::as_list).unwrap().to_vec();
            let mut mine = moves
                .iter()
                .filter(|one| one.get("story").and_then(Value::as_text) == Some(&format!("STORY-{number:03}")));
            let last =
                mine.next_back().and_then(|one| one.get("to")).and_then(Value::as_text).unwrap_or("none").to_owned();
            assert!(last == "none" || last == stage.status(number), "{seed}: the file says what is on record: {ended}");
            let accepted = moves.iter().any(|one| {
                one.get("story").and_then(Value::as_text) == Some(&format!("STORY-{number:03}"))
                    && one.get("from").and_then(Value::as_text) == Some("Business Review")
                    && one.get("to").and_then(Value::as_text) == Some("Done")
            });
            assert_eq!(stage.status(number) == "Done", accepted, "{seed}: nobody is Done but by row 9: {ended}");
        }
        assert_eq!(stage.processes(), Vec::<u32>::new());
        stage.verifies();
    }
}
