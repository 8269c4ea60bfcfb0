//! What is known to go wrong in such a pipeline, and the test that shows that it cannot here. [`KNOWN`] is the whole list of
//! situations; each names its test.

use super::players::{Stage, until};
use super::story;
use crate::harness::{Output, Repo, in_a_private_mount_namespace, peak_memory};
use git_rapid::domain::json::Value;
use std::process::Stdio;

/// A situation, and the test that shows it, as a file of this folder and a function in it.
const KNOWN: &[(&str, &str)] = &[
    ("a malformed story", "faults.rs::a_malformed_story_counts_as_broken_and_the_others_are_worked"),
    ("an agent corrupts or deletes its story", "work.rs::what_an_agent_may_not_do_is_undone_and_the_story_given_up"),
    ("no activity log", "faults.rs::a_story_without_a_log_is_worked_and_gets_one"),
    ("CRLF", "faults.rs::line_ends_a_mark_and_a_missing_last_line_end_stay"),
    ("a byte order mark", "faults.rs::line_ends_a_mark_and_a_missing_last_line_end_stay"),
    ("an unknown state", "faults.rs::an_unknown_state_is_named_with_its_line_and_the_nearest"),
    ("the same id twice", "faults.rs::two_files_of_one_story_are_refused_before_anybody_is_called"),
    ("the same title in two files", "validate.rs::every_kind_of_finding_is_found_on_a_disk"),
    ("an agent changes no state", "work.rs::the_hundred_verifications_end_with_their_reason"),
    ("an illegal jump", "work.rs::what_an_agent_may_not_do_is_undone_and_the_story_given_up"),
    ("an agent edits another story", "work.rs::what_an_agent_may_not_do_is_undone_and_the_story_given_up"),
    ("an agent sets Blocked", "work.rs::what_an_agent_may_not_do_is_undone_and_the_story_given_up"),
    ("an agent sets Failed", "work.rs::what_an_agent_may_not_do_is_undone_and_the_story_given_up"),
    ("an agent fails every time", "work.rs::what_an_agent_may_not_do_is_undone_and_the_story_given_up"),
    ("a timeout with children", "work.rs::an_agent_that_hangs_leaves_a_child_or_floods_is_ended_and_kept"),
    ("a background child", "work.rs::an_agent_that_hangs_leaves_a_child_or_floods_is_ended_and_kept"),
    (
        "a dirty tree before the turn",
        "undone.rs::a_failed_turn_is_undone_byte_for_byte_index_branch_and_secrets_included",
    ),
    ("kill -9 in the middle", "crashes.rs::killed_at_each_stage_a_start_cleans_up_and_no_turn_counts_twice"),
    ("two at work", "faults.rs::of_many_starts_at_once_one_works"),
    (
        "a story that cannot be written by the agent",
        "faults.rs::a_story_that_cannot_be_written_is_said_before_an_agent_is_called",
    ),
    ("a state that cannot be written by us", "faults.rs::what_we_cannot_write_is_that_storys_alone"),
];

#[test]
fn every_known_fault_has_its_test() {
    for (what, place) in KNOWN {
        let (file, function) = place.split_once("::").unwrap();
        let path = format!("{}/tests/it/stories/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&format!("#[test]\nfn {function}(")), "{what}: {place}");
    }
}

fn number(document: &Value, path: &[&str]) -> i64 {
    let found = path.iter().try_fold(document, |value, key| value.get(key));
    found.and_then(Value::as_int).unwrap_or_else(|| panic!("{path:?}"))
}

#[test]
fn a_malformed_story_counts_as_broken_and_the_others_are_worked() {
    let stage = Stage::new("forward");
    stage.story(1, "In Review", "");
    stage.project.story("STORY-002", "# STORY-002: no state\n");
    stage.story(3, "Ready", "STORY-002");
    let ended = stage.run(&["run", "--json"]).ends(3);
    let document = ended.json();
    assert_eq!(document.get("result").and_then(Value::as_text), Some("stuck"), "{ended}");
    assert_eq!((number(&document, &["summary", "total"]), number(&document, &["summary", "unreadable"])), (3, 1));
    assert_eq!((stage.status(1), stage.status(3)), ("Done".into(), "Blocked".into()));
    assert!(ended.stdout.contains("blocked_by_unreadable"), "{ended}");
    assert_eq!(stage.bytes(2), b"# STORY-002: no state\n");
}

#[test]
fn a_story_without_a_log_is_worked_and_gets_one() {
    let stage = Stage::new("forward");
    let text = story("STORY-001", "Tests Ready", "");
    let (before, _) = text.split_once("## Activity Log").unwrap();
    stage.project.story("STORY-001", before);
    let _ = stage.run(&["run"]).ends(0);
    let now = String::from_utf8(stage.bytes(1)).unwrap();
    let (_, log) = now.split_once("## Activity Log").unwrap();
    for line in
        ["| Dev | Tests Ready → In Review", "| Reviewer | In Review → Business Review", "| PO | Business Review → Done"]
    {
        assert!(log.contains(line), "{now}");
    }
}

#[test]
fn line_ends_a_mark_and_a_missing_last_line_end_stay() {
    // The state is the first line: a mark glued to it has hidden it from others.
    let text = "## Status\n\n**Ready** <!-- first -->\n\n# STORY-001: Título ñ\n\n## Dependencies\n- Blocked by: STORY-002\n\n\
        ## Activity Log\n- 2026-01-01 | PO | Creada ñ";
    for (mark, end) in [("\u{feff}", "\r\n"), ("", "\r\n"), ("\u{feff}", "\n")] {
        // The agent changes the state alone, so that every other byte is ours.
        let stage = Stage::new("");
        stage.plays(
            "now=$(grep -o '[*][*][A-Z][A-Za-z ]*[*]' \"$file\" | head -n 1 | tr -d '*'); case \"$now\" in Ready) to='Tests Ready';; \
             'Tests Ready') to='In Review';; 'In Review') to='Business Review';; *) to=Done;; esac; \
             sed -i \"s/[*][*]$now[*]/**$to*/\" \"$file\"",
        );
        stage.project.story("STORY-001", format!("{mark}{}", text.replace('\n', end)));
        stage.story(2, "Business Review", "");
        let _ = stage.run(&["run"]).ends(0);
        let now = String::from_utf8(stage.bytes(1)).unwrap();
        let (head, log) = now.split_once("Creada ñ").unwrap();
        let wanted = format!("{mark}{}", text.replace("**Ready**", "**Done**").replace('\n', end));
        assert_eq!(format!("{head}Creada ñ"), wanted, "everything but the state, byte for byte");
        assert!(log.starts_with(end) && log.contains("| QA | Ready → Tests Ready"), "{log:?}");
        assert_eq!(log.matches('\n').count(), log.matches(end).count(), "{log:?}");
        assert!(!log.ends_with('\n'), "there was no last line end: {log:?}");
    }
}

#[test]
fn an_unknown_state_is_named_with_its_line_and_the_nearest() {
    let stage = Stage::new("forward");
    stage.project.story("STORY-001", story("STORY-001", "Redy", ""));
    let seen = stage.run(&["validate"]).ends(1);
    assert!(
        seen.stdout.contains("STORY-001.md:4: ") && seen.stdout.contains("Redy") && seen.stdout.contains("Ready"),
        "{seen}"
    );
    let ended = stage.run(&["run", "--json"]).ends(3);
    assert_eq!(number(&ended.json(), &["summary", "unreadable"]), 1);
    assert!(stage.turns().is_empty(), "nobody was called");
}

#[test]
fn two_files_of_one_story_are_refused_before_anybody_is_called() {
    let stage = Stage::new("forward");
    stage.configured("[project]\nstory_pattern = \"**/STORY-*.md\"\n");
    stage.story(1, "Ready", "");
    stage.project.story("sub/STORY-001", story("STORY-001", "Ready", ""));
    let _ = stage.run(&["run"]).ends(1).names("RAPID1722");
    let _ = stage.run(&["run", "--dry-run"]).ends(1).names("RAPID1703");
    assert!(stage.turns().is_empty());
}

#[test]
fn of_many_starts_at_once_one_works() {
    let stage = Stage::new("touch \"$CASE/up\"; until test -e \"$CASE/go\"; do sleep 0.01; done; forward");
    stage.story(1, "Ready", "");
    let start = || stage.command(&["run"]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let mut all: Vec<_> = (0..6).map(|_| start()).collect();
    until("the agent", || stage.case().join("up").exists());
    // Whoever is not at work is refused meanwhile.
    until("the others", || all.iter_mut().map(|child| child.try_wait().unwrap()).filter(Option::is_none).count() == 1);
    std::fs::write(stage.case().join("go"), "").unwrap();
    let mut codes: Vec<_> = all.into_iter().map(|child| child.wait_with_output().unwrap().status.code()).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(1), Some(1), Some(1), Some(1), Some(1)]);
    assert_eq!(stage.turns().len(), 4, "no turn is made twice");
    stage.verifies();
}

/// A story that nobody can write, in a mount namespace of its own; `None` where nothing can be mounted.
fn with_a_story_nobody_writes(stage: &Stage, arguments: &str) -> Option<Output> {
    let repo = Repo::at(stage.project.world(), stage.project.top());
    let path = format!("{}:/usr/bin:/bin", stage.project.world().path("bin").display());
    let script = format!(
        "f=.regista/stories/STORY-001.md; mount --bind $f $f && mount -o remount,ro,bind $f && \
         CASE='{}' PATH='{path}' '{}' story {arguments}",
        stage.case().display(),
        env!("CARGO_BIN_EXE_git-rapid"),
    );
    in_a_private_mount_namespace(&repo, &script)
}

#[test]
fn a_story_that_cannot_be_written_is_said_before_an_agent_is_called() {
    let stage = Stage::new("forward");
    stage.story(1, "In Review", "");
    stage.story(2, "In Review", "");
    let Some(ended) = with_a_story_nobody_writes(&stage, "run --json") else { return };
    let ended = ended.ends(3);
    assert_eq!((stage.status(1), stage.status(2)), ("In Review".into(), "Done".into()), "{ended}");
    assert!(!stage.turns().iter().any(|turn| turn.contains("STORY-001")), "nobody is paid for it: {ended}");
    assert!(ended.stderr.contains("STORY-001 cannot be written"), "{ended}");
    assert_eq!(number(&ended.json(), &["summary", "unreadable"]), 1);
}

#[test]
fn what_we_cannot_write_is_that_storys_alone() {
    let stage = Stage::new("forward");
    stage.story(1, "Ready", "STORY-002");
    stage.story(2, "In Review", "");
    let Some(ended) = with_a_story_nobody_writes(&stage, "run --json") else { return };
    let ended = ended.ends(3);
    assert_eq!((stage.status(1), stage.status(2)), ("Ready".into(), "Done".into()), "{ended}");
    assert!(ended.stderr.contains("STORY-001 cannot be written"), "{ended}");
}

#[test]
fn two_hundred_megabytes_and_broken_bytes_cost_no_memory() {
    let stage = Stage::new(
        "head -c 200000000 /dev/zero | tr '\\0' 'x'; printf '\\377\\303'; printf 'acci\\303\\263n\\n' >&2; forward",
    );
    stage.story(1, "In Review", "");
    let Some((ended, peak)) = peak_memory(&mut stage.command(&["run", "--once"])) else { return };
    drop(ended.ends(0));
    assert!(peak < 100 << 10, "{peak} KiB");
    assert_eq!(stage.status(1), "Business Review");
    assert!(stage.records().contains("\"printed\":2000000"), "how much there was is on record");
    stage.verifies();
}

#[test]
fn a_cut_never_goes_through_a_letter() {
    let stage = Stage::new(
        "i=0; while [ $i -lt \"$(cat $CASE/odd)\" ]; do printf x; i=$((i+1)); done; cat \"$CASE/long\"; exit 1",
    );
    stage.configured("max_retries_per_step = 9\n");
    stage.story(1, "Ready", "");
    // Larger than all that is kept, so that every cut falls somewhere: in the transcript, in its end, in what is told.
    std::fs::write(stage.case().join("long"), "áñ€😀".repeat(40_000)).unwrap();
    for odd in 0..4 {
        std::fs::write(stage.case().join("odd"), odd.to_string()).unwrap();
        let _ = stage.run(&["run", "--once"]).ends(3);
    }
    stage.plays("forward");
    let _ = stage.run(&["run", "--once"]).ends(0);
    let prompt = std::fs::read(stage.case().join("prompt")).unwrap();
    let prompt = String::from_utf8(prompt).unwrap();
    assert!(
        prompt.contains("😀áñ€😀") && !prompt.contains('\u{fffd}'),
        "{}",
        prompt.chars().take(400).collect::<String>()
    );
    assert!(!stage.records().contains('\u{fffd}'));
    for entry in std::fs::read_dir(stage.project.top().join(".regista/decisions")).unwrap().flatten() {
        assert!(!std::fs::read_to_string(entry.path()).unwrap().contains('\u{fffd}'));
    }
    stage.verifies();
}

#[test]
fn a_provider_that_refuses_is_believed_also_when_it_ends_with_0() {
    for (words, reason) in
        [("Claude AI usage limit reached", "allowance"), ("Invalid API key · Please run /login", "does not let us in")]
    {
        let stage = Stage::new(&format!("echo '{words}'"));
        stage.story(1, "Ready", "");
        stage.story(2, "Ready", "");
        let ended = stage.run(&["run", "--json"]).ends(3);
        assert!(ended.json().get("stop_reason").and_then(Value::as_text).unwrap().contains(reason), "{ended}");
        assert_eq!(stage.turns().len(), 1);
        assert_eq!(ended.json().get("strikes").and_then(Value::as_list).unwrap().len(), 0, "charged to nobody");
    }
    // One that worked, and writes about it, is charged.
    let stage = Stage::new("echo 'the rate limit is tested now'; echo x > x.txt");
    stage.configured("max_retries_per_step = 1\n");
    stage.story(1, "Ready", "");
    let _ = stage.run(&["run"]).ends(2);
}

#[test]
fn the_runs_own_time_ends_the_agent_and_is_charged_to_nobody() {
    for jobs in ["1", "2"] {
        let stage = Stage::new("echo half > half.txt; sleep 600");
        stage.configured("max_wall_time_seconds = 1\n");
        stage.story(1, "Ready", "");
        stage.story(2, "Ready", "");
        let ended = stage.run(&["run", "--json", "--jobs", jobs]).ends(3);
        let document = ended.json();
        assert!(document.get("stop_reason").and_then(Value::as_text).unwrap().starts_with("max_wall_time"), "{ended}");
        assert_eq!(document.get("stopped_early"), Some(&Value::Bool(true)));
        assert_eq!(document.get("strikes").and_then(Value::as_list).unwrap().len(), 0);
        assert_eq!(stage.processes(), Vec::<u32>::new());
        assert!(!stage.project.top().join("half.txt").exists());
        assert_eq!((stage.status(1), stage.status(2)), ("Ready".into(), "Ready".into()));
        stage.verifies();
    }
}

#[test]
fn a_circle_is_broken_by_the_product_owner_or_said_with_its_path() {
    let stage = Stage::new("if [ \"$(state)\" = Blocked ]; then sed -i '/Blocked by/d' \"$file\"; else forward; fi");
    stage.story(1, "Ready", "STORY-002");
    stage.story(2, "Ready", "STORY-001");
    let _ = stage.run(&["run"]).ends(0);
    assert_eq!((stage.status(1), stage.status(2)), ("Done".into(), "Done".into()));
    assert!(stage.turns()[0].ends_with("Blocked"), "{:?}", stage.turns());
    stage.verifies();

    let stage = Stage::new("echo x >> x.txt");
    stage.configured("max_retries_per_step = 2\nmax_cycle_breaks = 1\n");
    stage.story(1, "Ready", "STORY-002");
    stage.story(2, "Ready", "STORY-001");
    let ended = stage.run(&["run", "--json"]);
    assert!(ended.code == 2 || ended.code == 3, "{ended}");
    assert!(ended.stdout.contains("STORY-001 → STORY-002 → STORY-001"), "{ended}");
    assert!(stage.turns().len() <= 4, "bounded: {:?}", stage.turns());
}

#[test]
fn what_was_counted_is_forgotten_when_asked() {
    let stage = Stage::new("");
    stage.configured("max_retries_per_step = 3\n");
    stage.story(1, "Ready", "");
    for _ in 0..2 {
        let _ = stage.run(&["run", "--once"]).ends(3);
    }
    let _ = stage.run(&["run", "--clean-state"]).ends(0).says("forgot what was counted of 1 stories");
    assert!(!stage.project.top().join(".regista/state.toml").exists());
    let ended = stage.run(&["run", "--once", "--json"]).ends(3).json();
    assert_eq!(
        number(&ended.get("strikes").and_then(Value::as_list).unwrap()[0], &["count"]),
        1,
        "the third is the first again"
    );
    assert_eq!(stage.records().matches("\"kind\":\"strike\"").count(), 3, "the ledger still says what was");
    stage.verifies();
}

#[test]
fn links_folders_and_giants_among_the_stories_are_nobodys_end() {
    let stage = Stage::new(
        "if test -e \"$CASE/once\"; then forward; else touch \"$CASE/once\"; forward; head -c 17000000 /dev/zero >> \"$file\"; fi",
    );
    stage.story(1, "In Review", "");
    std::os::unix::fs::symlink("STORY-001.md", stage.project.top().join(".regista/stories/STORY-002.md")).unwrap();
    stage.project.write(".regista/stories/archive/deep/STORY-009.md", "old");
    let planned = stage.run(&["run", "--dry-run", "--json"]).ends(3).json();
    assert_eq!(number(&planned, &["summary", "unreadable"]), 1, "a link is no story");
    let ended = stage.run(&["run", "--json"]).ends(3);
    assert_eq!(number(&ended.json(), &["summary", "unreadable"]), 1, "{ended}");
    assert_eq!(stage.status(1), "Done");
    assert!(stage.records().contains("\"failure\":\"unreadable\""), "a story of 17 MB is a strike, and put back");
    stage.verifies();
}

#[test]
fn without_git_a_failing_hook_still_lets_nothing_pass() {
    let stage = Stage::new("echo code > code.txt; forward");
    stage.configured("max_retries_per_step = 2\n[git]\nenabled = false\n[hooks]\npost_dev = \"exit 1\"\n");
    stage.story(1, "Tests Ready", "");
    let _ = stage.run(&["run"]).ends(2);
    assert_eq!((stage.status(1), stage.turns().len()), ("Failed".into(), 2));
    assert!(stage.project.top().join("code.txt").exists(), "only stories are put back");
    stage.verifies();
}
