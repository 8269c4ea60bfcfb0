//! A project whose runs ask for signed approvals, and people with keys.

use crate::harness::{Loop, Output, Repo, World, answer, project_in, somebody_can_be_asked, step_aside};
use git_rapid::domain::{
    contract::Contract,
    evidence::Evidence,
    json::{self, Value},
};
use std::sync::Arc;

/// What a prompt of the tool ends with.
pub const PROMPT: &str = "anything else to leave it: ";

/// The namespace that docs/formats.md names.
pub const NAMESPACE: &str = "approval@git-rapid";

/// People with keys around a repository.
pub struct Team {
    pub repo: Repo,
    world: Arc<World>,
}

/// Whether such a test can be run here; said aloud when not.
pub fn people_can_sign() -> bool {
    if !somebody_can_be_asked() {
        step_aside("a person signs in this test, and a coding agent is above it");
        return false;
    }
    there_are_keys()
}

/// Whether keys can be made here; said aloud when not.
pub fn there_are_keys() -> bool {
    let world = World::new();
    let there = Output::of_any(world.command("ssh-keygen", world.top()).arg("-?")).is_some();
    if !there {
        step_aside("there is no ssh-keygen");
    }
    there
}

impl Team {
    /// A project whose `.rapid/allowed_signers` is what `signers` says, given everybody's public key, and whose configuration
    /// has these lines more.
    pub fn of(config: &str, signers: impl Fn(&dyn Fn(&str) -> String) -> String) -> Team {
        let world = World::new();
        let repo = world.repository("work", &[]);
        let team = Team { repo, world };
        let list = signers(&|name| team.public_key(name, "ed25519"));
        team.commit_terms(config, &list);
        team.is_at_work("ada");
        team
    }

    /// Everybody of these may sign, as `NAME@example.com`.
    pub fn with(config: &str, names: &[&str]) -> Team {
        Team::of(config, |key| names.iter().map(|name| format!("{name}@example.com {}\n", key(name))).collect())
    }

    /// Writes and commits the project with its rules.
    pub fn commit_terms(&self, config: &str, list: &str) {
        let always = "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\napprovals = \"signed\"\n";
        self.repo.write(".rapid/allowed_signers", list);
        project_in(&self.repo);
        self.repo.write(".rapid/config.toml", &format!("{always}{config}"));
        self.repo.commit("ask for signatures");
    }

    /// The public key of a person, as one line; made when first asked for.
    pub fn public_key(&self, name: &str, kind: &str) -> String {
        let place = self.key_file(name);
        if !place.exists() {
            let bits = if kind == "rsa" { "2048" } else { "256" };
            let make = ["-q", "-t", kind, "-b", bits, "-N", "", "-C", name, "-f"];
            Output::of(self.world.command("ssh-keygen", self.world.top()).args(make).arg(&place)).ok();
        }
        std::fs::read_to_string(place.with_extension("pub")).unwrap().trim().to_owned()
    }

    pub fn key_file(&self, name: &str) -> std::path::PathBuf {
        self.world.path(&format!("key-{name}"))
    }

    /// From now on, git's configuration is this person's.
    pub fn is_at_work(&self, name: &str) {
        self.configured(name, "");
    }

    /// The same with more of it.
    pub fn configured(&self, name: &str, more: &str) {
        self.public_key(name, "ed25519");
        let key = self.key_file(name).display().to_string();
        let user = format!("[user]\n\tname = {name}\n\temail = {name}@example.com\n\tsigningKey = {key}\n");
        self.world.configure(&format!("{user}[gpg]\n\tformat = ssh\n{more}"));
    }

    /// A person decides at a terminal.
    pub fn decide(&self, line: &str, sentence: &str) -> Output {
        let mut command = self.world.command("git", self.repo.path());
        command.arg("rapid").args(line.split_whitespace());
        answer(command, PROMPT, sentence)
    }

    /// A run that lacks nothing but its approval.
    pub fn worked(&self, title: &str) -> Loop<'_> {
        let run = Loop::start(&self.repo, title);
        run.work();
        run
    }

    /// Refused with this code, and nothing is recorded.
    pub fn refused(&self, output: Output, code: &str) -> Output {
        assert!(output.stdout.contains(code), "{code} is named by {output}");
        assert_ne!(output.code, 0, "{output}");
        assert!(!self.repo.records().iter().any(|path| path.ends_with(".sig")), "nothing was recorded: {output}");
        output
    }

    /// A record of the ledger.
    pub fn record(&self, path: &str) -> Value {
        json::parse(&self.repo.bytes_of(path)).unwrap()
    }

    /// What the signature beside the newest approval of a run is over, made from the records.
    pub fn statement(&self, run: &str) -> Vec<u8> {
        let (contract, before, item) = self.approval(run);
        git_rapid::signature::statement(&contract, Some(&before), &item).unwrap().0
    }

    /// The contract of a run, its newest signed approval, and what was recorded before that.
    pub fn approval(&self, run: &str) -> (Contract, Evidence, Evidence) {
        let path = self.signature_of(run).replace(".sig", ".json");
        let item = Evidence::from_value(self.record(&path)).unwrap();
        let before = path.replace(item.id.as_str(), &format!("E{:03}", item.id.ordinal() - 1));
        let before = Evidence::from_value(self.record(&before)).unwrap();
        let contract = self.repo.record(&format!("{run}/contract.json"));
        (Contract::from_value(self.record(&contract)).unwrap(), before, item)
    }

    /// Where the signature of a run's newest signed approval lies.
    pub fn signature_of(&self, run: &str) -> String {
        let mut records = self.repo.records().into_iter();
        records.rfind(|path| path.contains(&format!("/{run}/")) && path.ends_with(".sig")).unwrap()
    }

    /// What `ssh-keygen` makes of these bytes with somebody's key.
    pub fn signed_by(&self, name: &str, namespace: &str, bytes: &[u8]) -> Vec<u8> {
        self.public_key(name, "ed25519");
        let file = self.world.path("to-sign");
        std::fs::write(&file, bytes).unwrap();
        let made = file.with_extension("sig");
        let _ = std::fs::remove_file(&made);
        let mut command = self.world.command("ssh-keygen", self.world.top());
        Output::of(command.args(["-q", "-Y", "sign", "-n", namespace, "-f"]).arg(self.key_file(name)).arg(&file)).ok();
        std::fs::read(self.world.path("to-sign.sig")).unwrap()
    }

    /// The ledger in one entry after the first, with these records set or left out, and this clone's ledger moved to it.
    pub fn forge(&self, changes: &[(&str, Option<&[u8]>)]) {
        let blobs: Vec<(&str, Option<String>)> =
            changes.iter().map(|(path, bytes)| (*path, bytes.map(|bytes| self.repo.blob(bytes)))).collect();
        let blobs: Vec<(&str, Option<&str>)> = blobs.iter().map(|(path, id)| (*path, id.as_deref())).collect();
        let tree = self.repo.tree_with("refs/rapid/ledger", &blobs);
        let entry = self.repo.entry(&tree, &[&self.repo.first_entry()]);
        self.repo.move_ledger(&entry);
    }

    /// What `verify --commit HEAD` says of the one run that covers it.
    pub fn covering_run(&self) -> Value {
        let document = self.repo.verify(&["--commit", "HEAD"]).ok().json();
        document.get("commit").and_then(|commit| commit.get("runs")).and_then(Value::as_list).unwrap()[0].clone()
    }
}
