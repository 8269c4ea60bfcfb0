//! The research lab (§9.6): what was found out is attached; no tests are asked for.

use super::by_hand;
use super::lab::{Lab, a_person_is_here, assertion, text};

fn begun(ruleset: u8) -> (Lab, String) {
    let lab = Lab::shell(ruleset);
    let run =
        lab.start("research", "Storage strategy spike", "--spec-id spec-storage-strategy-spike --harness antigravity");
    assert_eq!(lab.gates(&run), ["gate.final-verification"], "a spike of low risk");
    lab.say("task start T001").ok();
    (lab, run)
}

#[test]
fn a_spike_with_its_report_attached_passes_under_rulesets_2_3_and_4() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [2, 3, 4] {
        let (lab, run) = begun(ruleset);
        let next = lab.say("next --json").ok().json();
        let after = super::lab::list(next.get("action").unwrap(), "after").join(" ");
        assert_eq!(after, "git rapid task done T001 --no-check");
        lab.repo.write("report.md", "# JSON or SQLite\n\n50 records, both ways.\n");
        lab.say("attach report.md --label findings").ok();
        lab.say("task done T001 --no-check").ok();
        assert_eq!(lab.next().0, "await_human_approval");
        lab.approve(&run, "gate.final-verification");
        lab.repo.git_rapid(&["finish"]).ok().says("PASS");
        let report = lab.report(&run, 0);
        assert_eq!(assertion(&report, "task.T001.evidence").0, "pass");
        assert_eq!(assertion(&report, "capability.repository.write.observed").0, "pass");
    }
}

#[test]
fn a_spike_that_changed_nothing_and_attached_nothing_is_unverified() {
    if !a_person_is_here() {
        return;
    }
    for ruleset in [2, 3, 4] {
        let (lab, run) = begun(ruleset);
        lab.say("task done T001 --no-check").ok();
        assert_eq!(lab.next().0, "verify");
        lab.approve(&run, "gate.final-verification");
        let finish = lab.repo.git_rapid(&["finish"]).ends(1).names("RAPID1225");
        finish.says("unverified capability.repository.write.observed").says("nothing was written");
        let (status, _) = assertion(&lab.report(&run, 0), "capability.repository.write.observed");
        assert_eq!(status, "unverified", "by ruleset {ruleset}");
    }
}

#[test]
fn a_report_from_outside_the_code_is_file_activity_under_rulesets_3_and_4_only() {
    if !a_person_is_here() {
        return;
    }
    for (ruleset, code) in [(2, 1), (3, 0), (4, 0)] {
        let (lab, run) = begun(ruleset);
        let report = lab.repo.world().path("log.txt");
        lab.say(&format!("attach {}", report.display())).ok();
        lab.say("task done T001 --no-check").ok();
        lab.approve(&run, "gate.final-verification");
        let finish = lab.repo.git_rapid(&["finish"]);
        assert_eq!(finish.code, code, "by ruleset {ruleset}: {finish}");
    }
}

#[test]
fn by_plumbing_the_research_lab_passes() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(2);
    let run = by_hand(&lab, "research", "spec-storage-strategy-spike", "", "--harness antigravity");
    lab.say(&format!("eval run --run {run} --write --require-pass")).ok().says("PASS");
    assert_eq!(text(&lab.report(&run, 1), "verdict"), "pass");
}

#[test]
fn research_that_touches_stored_data_or_authentication_is_no_spike() {
    let lab = Lab::shell(4);
    for more in [r#""data_impact": "rewrites the table""#, r#""affected_paths": ["auth/login.py"]"#] {
        let spec =
            lab.spec_file(&format!(r#"{{"title": "S", "mode": "research", "implementation_tasks": ["Do"], {more}}}"#));
        let decided = lab.say(&format!("policy check --spec-file {spec}")).ok();
        decided.says("architectural").says("high").says("gate.workspace-isolation");
        lab.say(&format!("start research --spec-file {spec}")).ends(1).names("RAPID1014");
    }
}
