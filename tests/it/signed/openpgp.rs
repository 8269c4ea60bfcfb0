//! OpenPGP keys: the same questions, answered by the system's gpg with the frozen keys alone.

use super::team::{Team, people_can_sign};
use crate::harness::{GATE, Output, in_a_private_mount_namespace, step_aside};
use crate::labs::text;
use git_rapid::domain::{digest::Digest, evidence::Evidence, json::Value};

/// A team that signs with OpenPGP; the agent that gpg starts ends with it.
struct Keys {
    team: Team,
}

impl Drop for Keys {
    fn drop(&mut self) {
        let world = self.team.repo.world();
        let _ = Output::of(world.command("gpgconf", world.top()).args(["--kill", "all"]));
    }
}

impl Keys {
    fn new() -> Option<Keys> {
        if !people_can_sign() {
            return None;
        }
        let keys = Keys { team: Team::with("", &["nobody"]) };
        let world = keys.team.repo.world();
        if !std::path::Path::new("/usr/bin/gpg").exists() {
            step_aside("there is no gpg");
            return None;
        }
        std::fs::create_dir(world.path("home/.gnupg")).unwrap();
        keys.team.repo.sh("chmod 700 ../home/.gnupg");
        Some(keys)
    }

    fn gpg(&self, arguments: &[&str]) -> Output {
        let world = self.team.repo.world();
        let quiet = ["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""];
        Output::of(world.command("gpg", world.top()).args(quiet).args(arguments)).ok()
    }

    fn make(&self, name: &str) {
        self.gpg(&["--quick-generate-key", &format!("{name} <{name}@example.com>"), "ed25519", "sign", "0"]);
    }

    /// Commits the public keys of these people as those who may sign.
    fn allow(&self, names: &[&str]) {
        let armor = self.gpg(&[&["--armor", "--export"], names].concat()).stdout;
        self.team.repo.write(".rapid/allowed_keys.asc", &armor);
        std::fs::remove_file(self.team.repo.path().join(".rapid/allowed_signers")).unwrap();
        self.team.repo.commit("who may sign");
    }

    fn is_at_work(&self, name: &str) {
        let user =
            format!("[user]\n\tname = {name}\n\temail = {name}@example.com\n\tsigningKey = {name}@example.com\n");
        self.team.repo.world().configure(&user);
    }

    /// Signs bytes behind the tool's back, at a time of one's own.
    fn signed_at(&self, name: &str, when: &str, bytes: &[u8]) -> Vec<u8> {
        let world = self.team.repo.world();
        std::fs::write(world.path("to-sign"), bytes).unwrap();
        let sign = ["--faked-system-time", when, "--yes", "--armor", "--detach-sign", "--local-user", name];
        self.gpg(&[&sign[..], &["--output", "made.asc", "to-sign"]].concat());
        std::fs::read(world.path("made.asc")).unwrap()
    }
}

#[test]
fn a_key_of_gpg_approves_and_a_changed_or_strange_signature_does_not() {
    let Some(keys) = Keys::new() else { return };
    let team = &keys.team;
    keys.make("ada");
    keys.make("mallory");
    keys.allow(&["ada"]);
    let run = team.worked("Say more");
    keys.is_at_work("mallory");
    team.refused(run.try_approve(&format!("approve {GATE}")), "RAPID1442");
    keys.is_at_work("ada");
    run.try_approve(&format!("approve {GATE}")).ok().says("signed by ada@example.com");
    run.finish();
    team.repo.commit("done");
    team.repo.git_rapid(&["verify"]).ok();
    let covering = team.covering_run();
    assert_eq!(text(&covering, "approvals"), "signed");
    let signers = covering.get("signers").and_then(Value::as_list).unwrap();
    assert_eq!(text(&signers[0], "key").len(), 40, "the fingerprint of the primary key");

    let path = team.signature_of(&run.run);
    let statement = team.statement(&run.run);
    let stranger = keys.signed_at("mallory", "20990101T000000", &statement);
    team.forge(&[(&path, Some(&stranger))]);
    let _ = team.repo.verify(&["--full"]).ends(1).finds("RAPID1442", &path);
    let elsewhere = keys.signed_at("ada", "20990101T000000", b"something else\n");
    team.forge(&[(&path, Some(&elsewhere))]);
    let _ = team.repo.verify(&["--full"]).ends(1).finds("RAPID1441", &path);
}

#[test]
fn an_expired_key_signed_while_it_was_valid_or_not() {
    let Some(keys) = Keys::new() else { return };
    let team = &keys.team;
    keys.make("ada");
    let old = [
        "--faked-system-time",
        "20200101T000000",
        "--quick-generate-key",
        "old <old@example.com>",
        "ed25519",
        "sign",
        "30d",
    ];
    keys.gpg(&old);
    keys.allow(&["ada", "old"]);
    let run = team.worked("Say more");
    keys.is_at_work("ada");
    run.try_approve(&format!("approve {GATE}")).ok();
    let (contract, before, item) = team.approval(&run.run);
    let signature = team.signature_of(&run.run);
    let path = signature.replace(".sig", ".json");
    // What was signed says when: within the key's time (2020-01-02) it holds, years after it does not.
    for (seconds, when, code) in
        [(1_577_923_200, "20200102T000000", None), (1_767_300_000, "20200102T000000", Some("RAPID1443"))]
    {
        let record = team.record(&path);
        let payload = record.get("payload").unwrap().clone().with("signed_at", seconds);
        let record = record.with("payload", payload);
        let digest = Digest::of_value(&record.clone().without("content_digest"));
        let record = record.with("content_digest", digest.to_string());
        let item = Evidence { ..Evidence::from_value(record.clone()).unwrap() };
        let (statement, _) = git_rapid::signature::statement(&contract, Some(&before), &item).unwrap();
        let made = keys.signed_at("old", when, &statement);
        team.forge(&[(&path, Some(&record.record_bytes())), (&signature, Some(&made))]);
        let seen = team.repo.verify(&[&team.repo.tip()]);
        match code {
            None => drop(seen.ok()),
            Some(code) => drop(seen.ends(1).finds(code, &signature)),
        }
    }
    assert_eq!(item.id.as_str(), &path[path.len() - 9..path.len() - 5]);
}

#[test]
fn a_revoked_key_approves_nothing() {
    let Some(keys) = Keys::new() else { return };
    let team = &keys.team;
    keys.make("ada");
    keys.make("bob");
    let fingerprint = keys.gpg(&["--with-colons", "--list-keys", "ada"]).stdout;
    let fingerprint = fingerprint.lines().find_map(|line| line.strip_prefix("fpr:::::::::")).unwrap();
    let fingerprint = fingerprint.trim_end_matches(':').to_owned();
    let world = team.repo.world();
    let certificate = world.path(&format!("home/.gnupg/openpgp-revocs.d/{fingerprint}.rev"));
    let text = std::fs::read_to_string(certificate).unwrap().replace(":-----BEGIN", "-----BEGIN");
    std::fs::write(world.path("revoke.asc"), text).unwrap();
    // The frozen copy says that the key is revoked; the copy that signs does not know it yet.
    let before = keys.gpg(&["--armor", "--export", "ada", "bob"]).stdout;
    keys.allow(&["ada", "bob"]);
    let run = team.worked("Say more");
    keys.is_at_work("ada");
    run.try_approve(&format!("approve {GATE}")).ok();
    run.finish();
    team.repo.commit("done");
    keys.gpg(&["--import", "revoke.asc"]);
    let after = keys.gpg(&["--armor", "--export", "ada", "bob"]).stdout;
    assert_ne!(before, after, "the certificate is in the newer copy");
    std::fs::write(world.path("own.asc"), after).unwrap();
    let own = world.path("own.asc").display().to_string();
    team.repo.git_rapid(&["verify"]).ok();
    let _ = team.repo.verify(&["--allowed-signers", &own]).ends(1).finds("RAPID1443", &team.signature_of(&run.run));
}

#[test]
fn without_gpg_nobody_can_say() {
    let Some(keys) = Keys::new() else { return };
    let team = &keys.team;
    keys.make("ada");
    keys.allow(&["ada"]);
    let run = team.worked("Say more");
    keys.is_at_work("ada");
    run.try_approve(&format!("approve {GATE}")).ok();
    run.finish();
    team.repo.commit("done");
    // The PATH has no say in it, so gpg itself has to be out of sight.
    let script =
        "for gpg in /usr/bin/gpg /usr/local/bin/gpg /bin/gpg; do test -f $gpg && mount --bind /dev/null $gpg; done
git rapid verify --full --commit HEAD --json";
    let Some(seen) = in_a_private_mount_namespace(&team.repo, script) else { return };
    let seen = seen.ends(2);
    assert_eq!(text(&seen.json(), "answer"), "cannot_say");
    let _ = seen.finds("RAPID1444", &team.signature_of(&run.run));
    team.repo.git_rapid(&["verify", "--full"]).ok();
}
