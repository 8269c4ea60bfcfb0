//! Signing a decision: which keys count, and what is never recorded.

use super::team::{NAMESPACE, PROMPT, Team, people_can_sign};
use crate::harness::{GATE, Loop, Output, answer_all};
use crate::labs::text;
use git_rapid::domain::json::Value;

#[test]
fn each_kind_of_key_approves_and_ssh_keygen_agrees() {
    if !people_can_sign() {
        return;
    }
    for kind in ["ed25519", "ecdsa", "rsa"] {
        let team = Team::of("", |key| format!("ada@example.com {}\n", key("ada")));
        std::fs::remove_file(team.key_file("ada")).unwrap();
        let list = format!("ada@example.com namespaces=\"{NAMESPACE}\" {}\n", team.public_key("ada", kind));
        team.repo.write(".rapid/allowed_signers", &list);
        team.repo.commit("another key");
        let run = team.worked("Say more");
        run.try_approve(&format!("approve {GATE}")).ok().says("signed by ada@example.com (SHA256:");
        run.finish();
        assert!(team.repo.shows_each_kind().contains("runs/evidence/E000.sig"), "a signature is shown");
        team.repo.commit("done");
        team.repo.git_rapid(&["verify"]).ok();
        let covering = team.covering_run();
        assert_eq!(text(&covering, "approvals"), "signed", "{kind}");
        assert_eq!(text(&covering, "strength"), "recorded here", "no device asked for a touch");
        let signers = covering.get("signers").and_then(Value::as_list).unwrap();
        assert_eq!(text(&signers[0], "name"), "ada@example.com");
        assert_eq!(signers[0].get("touch"), Some(&Value::Bool(false)));
        // The oracle: what is signed is what docs/formats.md says, and the signature is an ordinary one of ssh-keygen's.
        let world = team.repo.world();
        std::fs::write(world.path("list"), list).unwrap();
        std::fs::write(world.path("sig"), team.repo.bytes_of(&team.signature_of(&run.run))).unwrap();
        std::fs::write(world.path("statement"), team.statement(&run.run)).unwrap();
        let verify = format!("ssh-keygen -Y verify -f list -I ada@example.com -n {NAMESPACE} -s sig < statement");
        Output::of(world.command("sh", world.top()).args(["-c", &verify])).ok().says("Good");
    }
}

#[test]
fn keys_that_do_not_count_approve_nothing() {
    if !people_can_sign() {
        return;
    }
    type List = fn(&dyn Fn(&str) -> String) -> String;
    let cases: [(&str, List, &str); 5] = [
        ("unknown", |key| format!("bob@example.com {}\n", key("bob")), "RAPID1442"),
        ("for git only", |key| format!("ada@example.com namespaces=\"git\" {}\n", key("ada")), "RAPID1442"),
        ("expired", |key| format!("ada@example.com valid-before=\"20200101Z\" {}\n", key("ada")), "RAPID1443"),
        ("not yet valid", |key| format!("ada@example.com valid-after=\"29990101Z\" {}\n", key("ada")), "RAPID1443"),
        ("revoked", |key| format!("ada@example.com {}\n", key("ada")), "RAPID1443"),
    ];
    for (what, list, code) in cases {
        // Somebody else may sign, or no run would begin.
        let team = Team::of("", |key| format!("{}bob@example.com {}\n", list(key), key("bob")));
        if what == "revoked" {
            team.repo.write(".rapid/revoked_signers", &format!("# lost\n{}\n", team.public_key("ada", "ed25519")));
            team.repo.commit("her laptop is gone");
        }
        let run = team.worked("Say more");
        let refused = run.try_approve(&format!("approve {GATE}"));
        team.refused(refused, code).says("nothing was decided");
        team.repo.git_rapid(&["finish"]).ends(1);
        team.repo.git_rapid(&["verify"]).ok();
    }
}

#[test]
fn signers_are_those_of_the_base_commit_whatever_the_working_copy_says() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["bob"]);
    let run = team.worked("Say more");
    // What an agent can do: let itself in, and commit that.
    let list = format!("ada@example.com {}\n", team.public_key("ada", "ed25519"));
    team.repo.write(".rapid/allowed_signers", &list);
    team.repo.git_rapid(&["check"]).ok();
    let refused = run.try_approve(&format!("approve {GATE}"));
    team.refused(refused, "RAPID1442").says("rules of .rapid/, changed for later runs: M .rapid/allowed_signers");
    team.repo.commit("let me in");
    let refused = run.try_approve(&format!("approve {GATE}"));
    team.refused(refused, "RAPID1442");
    team.is_at_work("bob");
    run.try_approve(&format!("approve {GATE}")).ok().says("signed by bob@example.com");
    run.finish();
}

#[test]
fn a_run_that_asks_for_signatures_takes_no_unsigned_approval() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    team.worked("Say more");
    let refused = team.decide(&format!("approve {GATE} --no-sign"), &format!("approve {GATE}"));
    team.refused(refused, "RAPID1440");
    // A refusal of the work lets nothing pass, so it may go unsigned.
    team.decide(&format!("approve {GATE} --reject --reason ugly --no-sign"), &format!("reject {GATE}")).ok();
    team.repo.git_rapid(&["verify"]).ok();
    let next = team.repo.git_rapid(&["next"]).ok();
    next.says("blocked");
}

#[test]
fn a_gate_is_let_go_by_somebody_who_signs() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let run = team.worked("Say more");
    team.is_at_work("mallory");
    let refused = team.decide("approve gate.tests --waive --reason flaky", "waive gate.tests");
    team.refused(refused, "RAPID1442");
    team.is_at_work("ada");
    team.decide("approve gate.tests --waive --reason flaky", "waive gate.tests").ok().says("signed by ada@example.com");
    run.try_approve(&format!("approve {GATE}")).ok();
    team.repo.git_rapid(&["finish"]).ok().says("PASS");
    team.repo.git_rapid(&["verify"]).ok();
    // The same waiver without its signature lets nothing pass.
    let signature = team.repo.records().into_iter().find(|path| path.ends_with(".sig")).unwrap();
    team.forge(&[(&signature, None)]);
    let _ = team.repo.verify(&["--full"]).ends(1).finds("RAPID1440", &signature.replace(".sig", ".json"));
    let report = team.repo.git_rapid(&["eval", "run", "--run", &run.run]);
    report.says("waived without a valid signature");
}

#[test]
fn tests_are_accepted_by_somebody_who_signs() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let run = Loop::start(&team.repo, "Say more");
    team.repo.git_rapid(&["task", "start", "T001"]).ok();
    team.repo.write("test.sh", "test -f greeting.sh\n");
    team.repo.git_rapid(&["task", "done", "T001"]).ok();
    let shown = run.try_approve(&format!("approve {GATE}")).ok();
    shown
        .says("what the test command runs, changed: test.sh")
        .says("tests that were there before, and changed: M test.sh");
    let accept = || team.decide("finish --accept-test-command", &format!("accept tests of {}", run.run));
    team.is_at_work("mallory");
    let refused = accept();
    assert!(refused.code != 0 && refused.stdout.contains("RAPID1442"), "{refused}");
    team.is_at_work("ada");
    accept().ok().says("PASS");
    team.repo.git_rapid(&["verify"]).ok();
}

#[test]
fn without_a_key_or_with_a_program_that_signs_something_else_nothing_is_recorded() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let run = team.worked("Say more");
    let sentence = format!("approve {GATE}");
    team.repo.world().configure("[user]\n\tname = ada\n\temail = ada@example.com\n[gpg]\n\tformat = ssh\n");
    team.refused(run.try_approve(&sentence), "RAPID1445").says("user.signingKey");
    team.repo.world().configure("[gpg]\n\tformat = x509\n");
    team.refused(run.try_approve(&sentence), "RAPID1445").says("gpg.format ssh");
    // A key of the other kind than git is told: which setting it is, is said.
    for (format, key, says) in [
        ("ssh", "0xDEADBEEFDEADBEEF", "looks like an OpenPGP key"),
        ("ssh", "ada@example.com", "gpg.format openpgp"),
        ("openpgp", "~/.ssh/id_ed25519.pub", "looks like an SSH key"),
    ] {
        let settings = format!(
            "[gpg]\n\tformat = {format}\n[user]\n\tname = ada\n\temail = ada@example.com\n\tsigningKey = {key}\n"
        );
        team.repo.world().configure(&settings);
        team.refused(run.try_approve(&sentence), "RAPID1445").says(says);
    }
    // The person's own setting names a program that signs what it likes: what it made does not hold.
    let other = team.signed_by("ada", NAMESPACE, b"something else\n");
    let world = team.repo.world();
    std::fs::write(world.path("other.sig"), other).unwrap();
    team.repo.write("../liar", &format!("#!/bin/sh\ncat >/dev/null\ncat {}\n", world.path("other.sig").display()));
    team.repo.sh("chmod +x ../liar");
    let program = world.path("liar").display().to_string();
    team.configured("ada", &format!("[gpg \"ssh\"]\n\tprogram = {program}\n"));
    team.refused(run.try_approve(&sentence), "RAPID1441");
}

#[test]
fn no_program_that_the_repository_names_is_run_for_a_signature() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let run = team.worked("Say more");
    let world = team.repo.world();
    let ran = world.path("ran");
    team.repo.write("../hostile", &format!("#!/bin/sh\ntouch {}\nexit 0\n", ran.display()));
    team.repo.sh("chmod +x ../hostile");
    let program = world.path("hostile").display().to_string();
    for key in ["gpg.ssh.program", "gpg.program", "gpg.openpgp.program", "gpg.ssh.defaultKeyCommand"] {
        team.repo.git(&["config", key, &program]);
    }
    team.repo.git(&["config", "gpg.ssh.allowedSignersFile", "/dev/null"]);
    team.repo.git(&["config", "log.showSignature", "true"]);
    run.try_approve(&format!("approve {GATE}")).ok().says("signed by ada@example.com");
    run.finish();
    team.repo.commit("done");
    // Not even the person's own program is asked when a signature is verified.
    team.configured("ada", &format!("[gpg \"ssh\"]\n\tprogram = {program}\n"));
    assert_eq!(text(&team.covering_run(), "approvals"), "signed");
    team.repo.git_rapid(&["verify", "--full"]).ok();
    team.repo.git_rapid(&["eval", "run", "--run", &run.run]).ok();
    assert!(!ran.exists(), "nobody ran it");
}

#[test]
fn lists_that_let_nobody_in_or_are_not_understood_begin_no_run() {
    if !people_can_sign() {
        return;
    }
    type List = fn(&dyn Fn(&str) -> String) -> String;
    let cases: [(List, &str); 5] = [
        (|_| "# nobody yet\n".to_owned(), "nobody is allowed to sign"),
        (|key| format!("ada@example.com cert-authority {}\n", key("ada")), "authority of certificates"),
        (|key| format!("ada@example.com no-touch-required {}\n", key("ada")), "option that is not known"),
        (|_| "ada@example.com ssh-ed25519 AAAA\n".to_owned(), "line 1 has a key that cannot be read"),
        (|key| format!("!ada@example.com {}\n", key("ada")), "a name that cannot be used"),
    ];
    for (list, why) in cases {
        let team = Team::of("", list);
        let refused = team.repo.git_rapid(&["start", "feature", "--title", "X", "--task", "Y"]).ends(2);
        refused.names("RAPID1446").says(why);
    }
    let team = Team::with("", &["ada"]);
    // A ruleset that asks for no signatures would let unsigned approvals pass.
    for other in ["", "ruleset = 3\n"] {
        team.repo.write(".rapid/config.toml", &format!("approvals = \"signed\"\n{other}"));
        team.repo.commit("rules");
        let refused = team.repo.git_rapid(&["start", "feature", "--title", "X", "--task", "Y"]).ends(2);
        refused.names("RAPID1600").says("say ruleset = 4");
    }
    team.repo.write(".rapid/config.toml", "approvals = \"signed\"\nruleset = 4\n");
    std::fs::remove_file(team.repo.path().join(".rapid/allowed_signers")).unwrap();
    team.repo.commit("no list");
    team.repo.git_rapid(&["start", "feature", "--title", "X", "--task", "Y"]).ends(2).names("RAPID1446");
}

#[test]
fn a_run_that_does_not_ask_for_it_can_be_signed_too_and_says_what_that_is_worth() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let terminal = "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n";
    team.repo.write(".rapid/config.toml", terminal);
    team.repo.commit("a typed sentence will do");
    let run = team.worked("Say more");
    team.decide(&format!("approve {GATE} --sign"), &format!("approve {GATE}")).ok().says("signed by ada@example.com");
    run.finish();
    team.repo.commit("done");
    assert_eq!(text(&team.covering_run(), "approvals"), "signed");

    let team = Team::with("", &["bob"]);
    team.repo.write(".rapid/config.toml", terminal);
    team.repo.commit("a typed sentence will do");
    let run = team.worked("Say more");
    let signed = team.decide(&format!("approve {GATE} --sign"), &format!("approve {GATE}")).ok();
    signed.says("nobody can tell whose it is");
    run.finish();
    team.repo.commit("done");
    team.repo.git_rapid(&["verify"]).ok();
    assert_eq!(text(&team.covering_run(), "approvals"), "terminal", "a signature by a stranger is worth no more");
}

#[test]
fn a_passphrase_is_asked_for_at_the_same_terminal() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let world = team.repo.world();
    let set = ["-q", "-p", "-P", "", "-N", "correct horse", "-f"];
    Output::of(world.command("ssh-keygen", world.top()).args(set).arg(team.key_file("ada"))).ok();
    let run = team.worked("Say more");
    let sentence = format!("approve {GATE}");
    let approve = |passphrase: &str| {
        let mut command = world.command("git", team.repo.path());
        command.args(["rapid", "approve", GATE]);
        answer_all(command, &[(PROMPT, &sentence), ("passphrase", passphrase)], || {})
    };
    team.refused(approve("guessed"), "RAPID1445");
    approve("correct horse").ok().says("signed by ada@example.com");
    run.finish();
}

#[test]
fn a_key_that_could_not_count_is_said_before_anybody_types() {
    if !people_can_sign() {
        return;
    }
    let team = Team::with("", &["ada"]);
    let run = team.worked("Say more");
    let nothing_asked = |code: &str, hint: &str| {
        let refused = team.refused(run.try_approve(&format!("approve {GATE}")), code).says(hint);
        assert!(!refused.stdout.contains("anything else to leave it"), "{refused}");
    };
    team.is_at_work("bob");
    nothing_asked("RAPID1442", "sign with a key of .rapid/allowed_signers");
    let key = team.key_file("ada").display().to_string();
    let user = "[user]\n\tname = ada\n\temail = ada@example.com\n";
    team.repo.world().configure(&format!("{user}\tsigningKey = {key}\n"));
    nothing_asked("RAPID1445", "git config --global gpg.format ssh");
    team.repo.world().configure(&format!("{user}[gpg]\n\tformat = ssh\n"));
    nothing_asked("RAPID1445", "user.signingKey");
    team.repo.world().configure(&format!("{user}\tsigningKey = {key}-gone\n[gpg]\n\tformat = ssh\n"));
    nothing_asked("RAPID1445", "there is no key at");
    team.is_at_work("ada");
    run.try_approve(&format!("approve {GATE}")).ok().says("signed by ada@example.com");
}
