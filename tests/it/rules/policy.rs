//! The policy (§3): what is decided for a run, raised only ever; a configuration that tightens it, and one that would weaken it.

use crate::labs::{Lab, a_person_is_here, text};

const HEAD: &str = "start feature --title T --task Do";

#[test]
fn overrides_raise_and_never_lower() {
    let lab = Lab::shell(4);
    let tip = || lab.repo.try_git(&["rev-parse", "--quiet", "--verify", "refs/rapid/ledger"]).stdout;
    lab.say(&format!("{HEAD} --risk low")).ends(1).names("RAPID1006").says("may only raise it");
    lab.say(&format!("{HEAD} --classification spike")).ends(1).names("RAPID1006");
    lab.say(&format!("{HEAD} --risk absurd")).ends(2).names("RAPID001");
    assert_eq!(tip(), "", "nothing was written");
    let decided = lab.say(&format!("{HEAD} --classification architectural --worktree --json")).ok().json();
    let run = text(&decided, "run_id");
    let shown = lab.say(&format!("run show {run} --json")).ok().json();
    let contract = shown.get("contract").unwrap();
    assert_eq!(text(contract, "classification"), "architectural");
    assert_eq!(text(contract, "risk"), "high", "an architectural change is one of high risk");
    lab.say("run create --spec t --risk low").ends(1).names("RAPID1006");
    lab.say("policy check --spec t --risk low").ends(1).names("RAPID1006");
}

#[test]
fn a_run_of_critical_risk_waits_for_a_person_before_the_work_and_nothing_of_it_may_be_waived() {
    if !a_person_is_here() {
        return;
    }
    let lab = Lab::shell(4);
    let run = lab.start("feature", "Critical", "--risk critical --worktree");
    let gates = lab.gates(&run);
    assert_eq!(gates[..3], ["gate.workspace-isolation", "gate.baseline", "gate.manual-approval"]);
    assert_eq!(lab.next(), ("await_human_approval".to_owned(), "git rapid approve gate.manual-approval".to_owned()));
    let there = lab.worktree_of(&run);
    there.say("task start T001").ends(1).names("RAPID1014");
    there.say(&format!("run status {run} active")).ends(1).names("RAPID1014");
    for gate in ["gate.manual-approval", "gate.baseline"] {
        let waived = there.decide(&format!("approve {gate} --waive --reason hurry"), &format!("waive {gate}"));
        waived.ends(1).says("RAPID1013");
    }
    there.approve(&run, "gate.manual-approval");
    let (kind, command) = there.next();
    if kind == "activate" {
        there.repo.git_rapid(&command.split(' ').skip(2).collect::<Vec<_>>()).ok();
    }
    there.work();
    for gate in ["gate.tests", "gate.review", "gate.final-verification"] {
        let waived = there.decide(&format!("approve {gate} --waive --reason hurry"), &format!("waive {gate}"));
        waived.ends(1).says("RAPID1013").says("may not be waived");
    }
    there.approve(&run, "gate.review");
    there.approve(&run, "gate.final-verification");
    there.repo.git_rapid(&["finish"]).ok().says("PASS");
}

#[test]
fn a_configuration_tightens_the_policy() {
    let more = "[policy]\nminimum_risk = \"high\"\nwaivable_gate_ids = [\"gate.tests\"]\nextra_required_gate_ids = [\"gate.migration-review\"]\n";
    let lab = Lab::shell_with(4, more);
    lab.say("policy show").ok().says(".rapid/config.toml");
    lab.say(HEAD).ends(1).names("RAPID1014");
    let run = lab.start("feature", "Tight", "--worktree");
    let gates = lab.gates(&run);
    for gate in ["gate.workspace-isolation", "gate.review", "gate.migration-review"] {
        assert!(gates.iter().any(|id| id == gate), "{gate} in {gates:?}");
    }
    let shown = lab.say(&format!("run show {run}")).ok();
    assert_eq!(shown.stdout.matches("may be waived").count(), 1, "only the tests: {shown}");
}

#[test]
fn a_configuration_that_would_weaken_the_policy_opens_no_run() {
    for weaker in [
        "high_risk_tags = [\"mine\"]",
        "waivable_gate_ids = [\"gate.baseline\"]",
        "critical_risk_tags = []",
        "workspace_by_risk = { low = \"current_allowed\", medium = \"current_allowed\", high = \"current_allowed\", critical = \"isolated_required\" }",
    ] {
        let lab = Lab::shell_with(4, &format!("[policy]\n{weaker}\n"));
        lab.say(HEAD).ends(1).names("RAPID1006");
        lab.say("policy show").ends(1).names("RAPID1006");
        lab.say("validate").ends(1).says("RAPID1006");
    }
}

#[test]
fn a_policy_that_is_malformed_never_falls_back_to_the_built_in_one() {
    for bad in
        ["minimum_risk = \"absurd\"", "unknown = 1", "extra_required_gate_ids = [\"gate.lint\"]", "schema_version = 2"]
    {
        let lab = Lab::shell_with(4, &format!("[policy]\n{bad}\n"));
        lab.say(HEAD).ends(2).names("RAPID1005");
        lab.say("validate").ends(1).says("RAPID1005");
    }
}

#[test]
fn the_terms_are_what_is_committed_and_not_what_the_working_copy_says() {
    let lab = Lab::shell(4);
    lab.repo.write(".rapid/config.toml", "test_command = [\"true\"]\nruleset = 1\n");
    lab.say(HEAD).ends(1).names("RAPID1308").says("--terms head");
    let started = lab.say(&format!("{HEAD} --terms head --json")).ok().json();
    let shown = lab.say(&format!("run show {} --json", text(&started, "run_id"))).ok().json();
    let contract = shown.get("contract").unwrap();
    assert_eq!(contract.get("ruleset_version").and_then(git_rapid::domain::json::Value::as_int), Some(4));
}

#[test]
fn every_gate_is_explained_in_words() {
    let lab = Lab::shell(4);
    let spec = lab.spec_file(
        r#"{"title": "T", "mode": "feature", "implementation_tasks": ["Do"], "tags": ["migration", "auth"], "data_impact": "moves rows"}"#,
    );
    let decided = lab.say(&format!("policy check --spec-file {spec}")).ok();
    let decided = decided.says("gate.security-review").says("gate.migration-review").says("architectural");
    let gates = decided.stdout.lines().filter(|line| line.trim_start().starts_with("gate.")).count();
    assert_eq!(gates, 7, "{decided}");
}
