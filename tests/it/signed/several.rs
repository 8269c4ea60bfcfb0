//! Who has to approve: several people, not an author of the change, only some of those who may sign.

use super::team::{Team, people_can_sign, there_are_keys};
use crate::harness::{GATE, Output};
use crate::labs::text;
use git_rapid::domain::json::Value;

fn approves(team: &Team, name: &str, run: &str) -> Output {
    team.is_at_work(name);
    team.decide(&format!("approve {GATE} --run {run}"), &format!("approve {GATE}"))
}

#[test]
fn two_people_have_to_approve_and_neither_is_the_author() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("[approvers]\nneed = 2\nnot_author = true\n", &["ada", "bob", "carol"]);
    let run = team.worked("Say more");
    team.repo.git_rapid(&["next"]).ok().says("Signed approval by 2 people, not an author of the change");
    let own = approves(&team, "ada", &run.run);
    team.refused(own, "RAPID1447").says("ada@example.com is an author of the change");
    approves(&team, "bob", &run.run).ok().says("the gate stays open");
    team.repo.git_rapid(&["next"]).ok().says("1 of 2 people").says("bob@example.com");
    team.repo.git_rapid(&["status"]).ok().says("1 of 2 people");
    approves(&team, "bob", &run.run).ok().says("the gate stays open");
    team.is_at_work("ada");
    team.repo.git_rapid(&["finish"]).ends(1);
    approves(&team, "carol", &run.run).ok();
    team.is_at_work("ada");
    run.finish();
    team.repo.commit("done");
    team.repo.git_rapid(&["verify"]).ok();
    let signers = team.covering_run().get("signers").and_then(Value::as_list).unwrap().to_vec();
    let names: Vec<String> = signers.iter().map(|signer| text(signer, "name")).collect();
    assert_eq!(names, ["bob@example.com", "bob@example.com", "carol@example.com"]);
}

#[test]
fn two_keys_of_one_person_are_one_person() {
    if !people_can_sign() {
        return;
    }
    let team = Team::of("[approvers]\nneed = 2\n", |key| {
        format!(
            "bob@example.com {}\nbob@example.com,bob@home {}\ncarol@example.com {}\n",
            key("bob"),
            key("laptop"),
            key("carol")
        )
    });
    let run = team.worked("Say more");
    approves(&team, "bob", &run.run).ok();
    approves(&team, "laptop", &run.run).ok().says("the gate stays open");
    approves(&team, "carol", &run.run).ok();
    team.is_at_work("ada");
    run.finish();
}

#[test]
fn whoever_made_a_commit_of_it_is_an_author() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("[approvers]\nnot_author = true\n", &["ada", "bob", "carol"]);
    let run = team.worked("Say more");
    team.repo.git(&["add", "--all"]);
    team.repo.git(&["commit", "--quiet", "-m", "wip", "--author", "Carol <carol@example.com>"]);
    let own = approves(&team, "carol", &run.run);
    team.refused(own, "RAPID1447");
    approves(&team, "bob", &run.run).ok();
    team.is_at_work("ada");
    run.finish();
    team.repo.git_rapid(&["verify"]).ok();
}

#[test]
fn a_gate_names_who_approves_it() {
    if !people_can_sign() {
        return;
    }
    let rules = "[approvers]\nneed = 2\n[approvers.gate.final-verification]\nfrom = [\"bob@*\"]\n";
    let team = Team::with(rules, &["ada", "bob", "carol"]);
    let run = team.worked("Say more");
    let other = approves(&team, "carol", &run.run);
    team.refused(other, "RAPID1447").says("not among those who approve this gate");
    approves(&team, "bob", &run.run).ok();
    run.finish();
}

#[test]
fn code_that_changed_is_approved_by_all_of_them_again() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("[approvers]\nneed = 2\n", &["ada", "bob"]);
    let run = team.worked("Say more");
    approves(&team, "ada", &run.run).ok();
    team.repo.write("more.txt", "late\n");
    team.repo.git_rapid(&["check"]).ok();
    approves(&team, "bob", &run.run).ok().says("the gate stays open");
    team.repo.git_rapid(&["finish"]).ends(1);
    approves(&team, "ada", &run.run).ok();
    run.finish();
}

#[test]
fn who_approves_is_only_asked_where_approvals_are_signed() {
    let team = Team::with("", &[]);
    for (config, why) in [
        ("[approvers]\nneed = 2\n", "only a signature shows who did"),
        ("approvals = \"signed\"\n[approvers]\nneed = 0\n", "0 people"),
        ("approvals = \"signed\"\n[approvers]\nneeed = 2\n", "approvers.need"),
        ("approvals = \"signed\"\n[approvers.gate.Final]\nneed = 2\n", "gate.Final"),
        ("approvals = \"signed\"\n[approvers]\nfrom = []\n", "names nobody"),
        ("approvals = \"signed\"\n[approvers.gate.secuirty-review]\nneed = 2\n", "those are: manual-approval"),
        ("approvals = \"signed\"\n[approvers.gate.tests]\nneed = 2\n", "no gate that a person decides"),
    ] {
        team.repo.write(".rapid/config.toml", config);
        team.repo.commit("rules");
        team.repo.git_rapid(&["start", "feature", "--title", "X", "--task", "Y"]).ends(2).says(why);
    }
}

#[test]
fn rules_that_nobody_can_fulfil_begin_no_run() {
    let list = |key: &dyn Fn(&str) -> String| {
        format!(
            "ada@example.com {}\nbob@example.com {}\nbob@example.com,bob@home {}\ncarol@example.com namespaces=\"git\" {}\n",
            key("ada"),
            key("bob"),
            key("laptop"),
            key("carol")
        )
    };
    for (rules, why) in [
        ("[approvers]\nneed = 99\n", Some("every gate asks for 99 people, and the lists let 2 people sign")),
        ("[approvers]\nneed = 3\n", Some("the lists let 2 people sign")),
        ("[approvers]\nneed = 2\n", None),
        ("[approvers]\nneed = 2\nnot_author = true\n", Some("1 person sign other than 'ada@example.com'")),
        ("[approvers]\nfrom = [\"*@example.org\"]\n", Some("the lists let 0 people sign")),
        ("[approvers]\nfrom = [\"carol@*\"]\n", Some("the lists let 0 people sign")),
        ("[approvers.gate.security-review]\nneed = 3\n", Some("gate.security-review asks for 3 people")),
    ] {
        if !there_are_keys() {
            return;
        }
        let team = Team::of(rules, list);
        let begins = team.repo.rapid(&["start", "feature", "--title", "X", "--task", "Y"]);
        match why {
            None => drop(begins.ok()),
            Some(why) => {
                begins.ends(2).names("RAPID1600").says(why).says("ask for fewer");
                assert!(team.repo.try_git(&["rev-parse", "--verify", "refs/rapid/ledger"]).code != 0);
            }
        }
    }
}

#[test]
fn a_list_whose_keys_are_all_over_begins_no_run() {
    if !there_are_keys() {
        return;
    }
    let expired = |key: &dyn Fn(&str) -> String| format!("ada@example.com valid-before=\"20200101\" {}\n", key("ada"));
    for (revoked, list) in [(true, None), (false, Some(expired))] {
        let team = match list {
            Some(list) => Team::of("", list),
            None => Team::with("", &["ada"]),
        };
        if revoked {
            team.repo.write(".rapid/revoked_signers", &format!("{}\n", team.public_key("ada", "ed25519")));
            team.repo.commit("ada's key is lost");
        }
        let begins = team.repo.rapid(&["start", "feature", "--title", "T", "--task", "Do"]);
        begins.ends(2).names("RAPID1600").says("nobody could approve this run");
        assert!(team.repo.try_git(&["rev-parse", "--verify", "refs/rapid/ledger"]).code != 0, "nothing was begun");
    }
}
