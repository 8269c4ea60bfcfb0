//! Reading the ledger: entries by who, what and when; runs by the beginning of their ids; what a record changes of the one before;
//! a status that stays on the screen.

use crate::harness::{Loop, Repo, World, answer, project};
use git_rapid::domain::json::Value;
use std::sync::Arc;

fn opened() -> (Arc<World>, Repo) {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "Greet");
    (world, repo)
}

fn verbs(repo: &Repo, filters: &[&str]) -> Vec<String> {
    let document = repo.rapid(&[&["log", "--json"], filters].concat()).ok().json();
    let entries = document.get("entries").unwrap().as_list().unwrap();
    entries.iter().map(|entry| entry.get("verb").and_then(Value::as_text).unwrap().to_owned()).collect()
}

#[test]
fn the_history_is_narrowed_by_who_what_and_when() {
    let (world, repo) = opened();
    world.configure("[user]\n\tname = Bob\n\temail = bob@example.com\n");
    repo.rapid(&["task", "start", "T001"]).ok();
    let all = verbs(&repo, &[]);
    assert_eq!(verbs(&repo, &["--actor", "BOB@"]), ["task"]);
    assert_eq!(verbs(&repo, &["--actor", "ada"]), ["start"], "the first entry is nobody's");
    assert_eq!(verbs(&repo, &["--verb", "task"]), ["task"]);
    assert!(verbs(&repo, &["--verb", "approve"]).is_empty());
    assert_eq!(verbs(&repo, &["--since", "1h", "--verb", "task"]), ["task"]);
    assert!(verbs(&repo, &["--since", "9999-01-01"]).is_empty());
    assert_eq!(verbs(&repo, &["--since", "1970-01-01T00:00:00Z"]), all);
    assert_eq!(verbs(&repo, &["-n", "1", "--actor", "ada"]).len(), 1);
    repo.rapid(&["log", "--since", "yesterday"]).ends(2).names("RAPID001").says("2026-05-17");
    assert_eq!(verbs(&repo, &["--until", "1970-01-01"]), Vec::<String>::new());
    assert_eq!(verbs(&repo, &["--until", "9999-01-01T00:00:00Z"]), all);
}

#[test]
fn a_filter_that_no_entry_can_fit_says_so() {
    let (_world, repo) = opened();
    let wrong = |words: &[&str], said: &str| {
        repo.rapid(&[&["log"], words].concat()).ends(2).names("RAPID001").says(said).says("hint: ");
    };
    wrong(&["--verb", "aprove"], "did you mean 'approve'?");
    wrong(&["--verb", "zzz"], "the verbs are abort, approve");
    wrong(&["--verb", "aprove", "--graph"], "did you mean 'approve'?");
    wrong(&["--verb", "aprove", "--json"], "did you mean 'approve'?");
    wrong(&["--verb", " "], "--verb is empty");
    wrong(&["--actor", ""], "--actor is empty");
    wrong(&["--run", ""], "--run");
    wrong(&["--since", "1d", "--until", "2d"], "--since lies after --until");
    repo.rapid(&["log", "--run", "great"]).ends(2).names("RAPID1007").says("did you mean 'greet-r1-run-001'?");
    repo.rapid(&["log", "--since", "9999-01-01"]).ok().says("no entry fits: --since lies in the future");
    repo.rapid(&["log", "--actor", "Eve"]).ok().says("nobody who writes here has 'Eve'").says("Ada <ada@example.com>");
    repo.rapid(&["log", "--verb", "approve"]).ok().says("no entry fits");
    assert!(!repo.rapid(&["log", "-n", "0"]).ok().stderr.contains("no entry fits"));
}

#[test]
fn every_verb_that_writes_entries_is_known_to_the_log() {
    let mut found = std::collections::BTreeSet::new();
    let mut waiting = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let drafts = text.split("Draft::new(").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
        let trailers = text.split("Rapid-Verb: ").skip(1);
        for rest in drafts.chain(trailers) {
            let verb: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
            found.extend((!verb.is_empty()).then_some(verb));
        }
    }
    // The attachments' own history is not shown by it.
    found.remove("push");
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), git_rapid::verbs::log::VERBS);
}

#[test]
fn the_beginning_of_an_id_is_enough_where_it_is_one_runs() {
    let (_world, repo) = opened();
    repo.rapid(&["run", "show", "greet-r1"]).ok().says("run greet-r1-run-001");
    repo.rapid(&["show", "greet-r1"]).ok().says("contract.json");
    repo.rapid(&["log", "--run", "gree"]).ok();
    repo.rapid(&["export", "--run", "gree", "--format", "json"]).ok().says("greet-r1-run-001");
    repo.rapid(&["run", "show", "great-r1-run-001"])
        .ends(2)
        .names("RAPID1007")
        .says("did you mean 'greet-r1-run-001'?");
    repo.rapid(&["abort"]).ok();
    let _second = Loop::start(&repo, "Greet again");
    repo.rapid(&["run", "show", "greet"]).ends(2).names("RAPID1007").says("greet-again-r1-run-001, greet-r1-run-001");
    repo.rapid(&["evidence", "list", "--run", "greet-a"]).ok();
}

#[test]
fn a_record_of_a_series_shows_what_it_changes() {
    let (_world, repo) = opened();
    repo.rapid(&["task", "start", "T001"]).ok();
    let states: Vec<String> = repo.records().into_iter().filter(|path| path.contains("/states/")).collect();
    let shown = repo.rapid(&["show", states.last().unwrap()]).ok();
    let change = shown.stdout.split_once("what it changes of the record before:").unwrap().1.to_owned();
    assert!(
        change.contains("+      \"status\": \"in_progress\"") && change.contains("-      \"status\": \"pending\""),
        "{change}"
    );
    let document = repo.rapid(&["show", "--json", states.last().unwrap()]).ok().json();
    assert!(document.get("diff").and_then(Value::as_text).unwrap().starts_with("--- runs/"));
    let first = repo.rapid(&["show", "--json", states.first().unwrap()]).ok().json();
    assert_eq!(first.get("diff"), None);
}

#[test]
fn a_status_that_is_watched_stays_until_somebody_ends_it() {
    let (world, repo) = opened();
    let mut command = world.command("git", repo.path());
    command.args(["rapid", "status", "--watch"]);
    let shown = answer(command, "Ctrl-C ends it", "\u{3}");
    assert!(shown.stdout.contains("greet-r1-run-001"), "{shown}");
    assert!(shown.code == 0 || shown.code == 130, "{shown}");
    repo.rapid(&["status", "--watch"]).ends(2).names("RAPID001");
}

#[test]
fn every_kind_of_record_of_a_whole_run_is_shown() {
    let Some(repo) = crate::harness::finished() else { return };
    let kinds = repo.shows_each_kind();
    let own: Vec<&str> = kinds.iter().map(String::as_str).collect();
    assert_eq!(
        own,
        [
            "format",
            "runs/contract.json",
            "runs/evidence/E000.json",
            "runs/reports/0000.json",
            "runs/states/0000.json",
            "runs/terms/config.toml",
            "runs/terms/policy.json",
            "specs/0000/acceptance.md",
            "specs/0000/requirements.md",
            "specs/0000/revision.json",
            "specs/0000/tasks.md",
            "specs/status/0000.json",
        ]
    );
    // Each kind of evidence, and an approval among them.
    for path in repo.records().iter().filter(|path| path.contains("/evidence/")) {
        let said = repo.rapid(&["evidence", "show", path.rsplit('/').next().unwrap().trim_end_matches(".json")]);
        let shown = repo.rapid(&["show", path, "--json"]).ok().json();
        let kind = shown.get("record").unwrap().get("kind").and_then(Value::as_text).unwrap().to_owned();
        said.ok().says(&format!("kind:     {kind}"));
    }
    repo.rapid(&["show", "refs/rapid/ledger"]).ok().says("finish add-a-greeting-r1-run-001: pass");
}

#[test]
fn a_revision_shows_what_it_changes_of_the_spec() {
    let (_world, repo) = opened();
    repo.rapid(&["spec", "revise", "greet", "--title", "Greet by name"]).ok();
    let shown = repo.rapid(&["show", "greet"]).ok().says("0002/revision.json");
    shown.says("-  \"title\": \"Greet\"").says("+  \"title\": \"Greet by name\"");
}
