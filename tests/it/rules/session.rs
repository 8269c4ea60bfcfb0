//! What lies beside the ledger: the session, the configuration, playbooks, worktrees, files to attach; and a repository that is
//! not ready for what is asked.

use crate::harness::{Output, World};
use crate::labs::{Lab, a_person_is_here};

fn session(lab: &Lab) -> std::path::PathBuf {
    lab.repo.path().join(".git/rapid/session.json")
}

fn edited(lab: &Lab, from: &str, to: &str) {
    let text = std::fs::read_to_string(session(lab)).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(session(lab), text.replace(from, to)).unwrap();
}

#[test]
fn a_session_of_a_run_that_does_not_load_is_found_and_can_be_forgotten() {
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    edited(&lab, "t-r1-run-001", "other-r1-run-001");
    lab.say("next").ends(2).names("RAPID1304");
    lab.say("validate").ends(1).says("RAPID1304");
    lab.say("abort").ok();
    lab.say("validate").ok();
}

#[test]
fn a_session_that_cannot_be_read_is_found() {
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    std::fs::write(session(&lab), "{").unwrap();
    lab.say("next").ends(2).names("RAPID1304");
    lab.say("validate").ends(1).says("RAPID1304");
}

#[test]
fn a_session_that_disagrees_with_its_run_is_found() {
    for (from, to) in [("feature", "research"), ("manual", "other")] {
        let lab = Lab::shell(4);
        lab.start("feature", "T", "");
        edited(&lab, from, to);
        lab.say("validate").ends(1).says("RAPID1305");
    }
    let lab = Lab::shell(4);
    let run = lab.start("feature", "T", "");
    lab.say(&format!("run status {run} cancelled")).ok();
    lab.say("validate").ends(1).says("RAPID1305").says("is cancelled");
}

#[test]
fn a_worktree_that_went_away_is_found_and_the_run_is_not_carried_on_elsewhere() {
    let lab = Lab::shell(4);
    let run = lab.start("feature", "T", "--worktree");
    std::fs::remove_dir_all(lab.repo.world().path("work.rapid").join(&run)).unwrap();
    lab.say("validate").ends(1).says("RAPID1305");
    lab.say("check").ends(125).names("RAPID1305");
}

#[test]
fn one_run_at_a_time_is_active_in_a_working_copy() {
    let lab = Lab::shell(4);
    lab.say("next --run t-r1-run-001").ends(2).names("RAPID1510");
    lab.say("check -- true").ends(125).names("RAPID1300");
    lab.say("check --task x -- true").ends(125);
    lab.say("check --gate x -- true").ends(125);
    let run = lab.start("feature", "T", "");
    lab.say("start feature --title U --task Do").ends(1).names("RAPID1301").says(&run);
    lab.say("abort --reason enough").ok();
    lab.start("feature", "U", "");
}

#[test]
fn without_a_test_command_a_check_asks_for_one() {
    let lab = Lab::of(&[("a", "a\n")], "ruleset = 4\n");
    lab.say("start feature --title T --task Do").ok();
    let (kind, command) = lab.next();
    assert_eq!((kind.as_str(), command.as_str()), ("run_baseline", ""));
    lab.say("check").ends(125).names("RAPID1302");
    lab.say("check -- no-such-program-here").ends(125).names("RAPID1307");
}

#[test]
fn a_playbook_of_the_repository_is_checked_before_it_is_used() {
    let lab = Lab::shell(4);
    lab.repo.write(".rapid/modes/feature.json", "{\"mode\": \"feature\", \"colour\": \"red\"}\n");
    lab.repo.commit("a playbook");
    lab.say("validate").ends(1).says("RAPID109");
    lab.say("start feature --title T --task Do").ends(2).names("RAPID109");
}

#[test]
fn a_configuration_with_an_unknown_key_or_a_wrong_type_opens_no_run() {
    for (text, code) in [
        ("test_comand = [\"true\"]\n", "RAPID1601"),
        ("test_command = 3\n", "RAPID1600"),
        ("ruleset = 5\n", "RAPID1600"),
        ("= 1\n", "RAPID1600"),
    ] {
        let lab = Lab::of(&[("a", "a\n")], text);
        lab.say("start feature --title T --task Do").ends(2).names(code);
        lab.say("validate").ends(1).says(code);
    }
}

#[test]
fn a_worktree_is_made_only_where_nothing_lies_and_from_a_commit() {
    let lab = Lab::shell(4);
    std::fs::create_dir_all(lab.repo.world().path("work.rapid/t-r1-run-001/mine")).unwrap();
    lab.say("start feature --title T --task Do --worktree").ends(1).names("RAPID1309");
    assert!(lab.has("work.rapid/t-r1-run-001/mine"));
    let world = World::new();
    let empty = world.repository("empty", &[]);
    empty.rapid(&["start", "feature", "--title", "T", "--task", "Do", "--worktree"]).ends(1).names("RAPID1309");
}

#[test]
fn what_is_attached_is_a_file_of_reasonable_size() {
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    lab.say("attach greet.sh").ends(1).names("RAPID1010");
    lab.say("attach nowhere.md --task T001").ends(2).names("RAPID1312");
    lab.say("attach tests --task T001").ends(2).names("RAPID1312");
    let large = std::fs::File::create(lab.repo.path().join("large")).unwrap();
    large.set_len((32 << 20) + 1).unwrap();
    lab.say("attach large --task T001").ends(2).names("RAPID1312");
}

#[test]
fn nothing_that_needs_a_working_copy_or_a_repository_begins_without_one() {
    let world = World::new();
    let bare = world.remote("bare.git");
    bare.rapid(&["start", "feature", "--title", "T", "--task", "Do"]).ends(2).names("RAPID1306");
    let nowhere = crate::harness::Repo::at(&world, world.path("home"));
    nowhere.rapid(&["status"]).ends(2).names("RAPID1500");
    bare.rapid(&["verify"]).ends(2).names("RAPID1510");
    bare.rapid(&["verify", "--commit", "nobody"]).ends(2);
}

#[test]
fn without_a_terminal_nobody_decides_and_at_one_only_the_whole_sentence_counts() {
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    lab.work();
    let tip = lab.repo.tip();
    lab.say("approve gate.final-verification").ends(1).names("RAPID1310");
    if a_person_is_here() {
        lab.decide("approve gate.final-verification", "y").ends(1).says("nothing was decided");
        lab.decide("approve gate.final-verification", "approve gate.tests").ends(1).says("nothing was decided");
    }
    assert_eq!(lab.repo.tip(), tip);
}

#[test]
fn an_interrupted_check_records_nothing() {
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    let tip = lab.repo.tip();
    let own = ["check", "--", "sh", "-c", "kill -INT $PPID; exec sleep 20"];
    lab.repo.rapid(&own).ends(125).names("RAPID004");
    assert_eq!(lab.repo.tip(), tip);
}

#[test]
fn where_git_itself_is_missing_that_is_said() {
    let lab = Lab::shell(4);
    lab.start("feature", "T", "");
    lab.repo.git(&["remote", "add", "origin", "../nowhere.git"]);
    let mut command = lab.repo.tool();
    Output::of(command.env("PATH", "/nonexistent").arg("fetch")).ends(2).names("RAPID1503").says("hint: install git");
}

#[test]
fn the_report_of_the_test_command_is_where_the_terms_say() {
    let lab = Lab::shell_with(4, "[checks]\njunit = \"report.xml\"\n");
    lab.say("start feature --title T --task Do").ok();
    let tip = lab.repo.tip();
    lab.say("check --junit other.xml").ends(125).names("RAPID1321");
    assert_eq!(lab.repo.tip(), tip);
}
