//! The terms of a run: what `.rapid/` says at the base commit, frozen into the contract (design §4.2). An agent that edits the
//! working copy changes nothing of it.

use super::rapid::{CONFIG_PATH, parse_config};
use crate::conductor::Playbook;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    config::Config,
    contract::{Approvals, Contract, Ruleset},
    digest::Digest,
    mode::Mode,
    policy::Policy,
};
use crate::git::{Head, Kind, Mode as FileMode, Oid, Repository};
use crate::os::{clock, files};
use crate::signature::Allowed;
use std::collections::{BTreeMap, BTreeSet};

/// The largest term, in bytes.
const TERM_CAP: u64 = 1 << 20;

/// Files of `.rapid/` that become terms: path in the repository, name among the terms.
const SOURCES: &[(&str, &str)] = &[
    (CONFIG_PATH, "config.toml"),
    (super::arch::RULES_PATH, "architecture.json"),
    (".rapid/allowed_signers", Allowed::TERMS[0]),
    (".rapid/revoked_signers", Allowed::TERMS[1]),
    (".rapid/allowed_keys.asc", Allowed::TERMS[2]),
];

/// The name of the playbook among the terms.
const PLAYBOOK: &str = "playbook.json";

/// The name of the policy among the terms.
const POLICY: &str = "policy.json";

/// Where the terms are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// At `HEAD`, and only when the working copy says the same.
    Committed,
    /// At `HEAD`, whatever the working copy says.
    Head,
}

/// The terms.
pub struct Terms {
    /// Name and bytes of each.
    pub files: Vec<(String, Vec<u8>)>,
    /// The configuration among them.
    pub config: Config,
    /// The policy that follows from it.
    pub policy: Policy,
    /// Whether the configuration tightens the policy.
    pub tightened: bool,
}

impl Terms {
    /// Whether a term of this name is there.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|(term, _)| term == name)
    }
}

/// Reads the terms of a run that begins at `head` (RAPID1308 when the working copy says something else).
pub fn read(repository: &Repository, head: &Head, source: Source, mode: Mode) -> Result<Terms> {
    let mut found = Vec::new();
    let playbook = playbook_path(mode);
    for (path, name) in sources(&playbook) {
        let committed = at_head(repository, head, path)?;
        if source == Source::Committed {
            let there = files::read_if_there(&repository.require_workdir()?.join(path), TERM_CAP)?;
            if there != committed {
                let how = if committed.is_none() { "is not committed" } else { "differs from what is committed" };
                return Err(Code::Rapid1308
                    .because(format!("'{path}' {how}: a run is judged by what is committed"))
                    .at(path)
                    .hint(format!("commit it first: git add :/{path} && git commit -m 'Set the rules of runs'"))
                    .hint("or begin under what HEAD says with --terms head"));
            }
        }
        found.extend(committed.map(|bytes| (name.to_owned(), bytes)));
    }
    if let Some((_, bytes)) = found.iter().find(|(name, _)| name == PLAYBOOK) {
        Playbook::parse(bytes).map_err(|error| error.at(&playbook))?;
    }
    if let Some((_, bytes)) = found.iter().find(|(name, _)| name == "architecture.json") {
        super::arch::parse(bytes)?;
    }
    let config = match found.iter().find(|(name, _)| name == "config.toml") {
        Some((_, bytes)) => parse_config(bytes).map_err(|error| error.at(CONFIG_PATH))?,
        None => Config::default(),
    };
    let policy = Policy::under(config.policy.as_ref()).map_err(|error| error.at(CONFIG_PATH))?;
    if config.approvals == Approvals::Signed && config.ruleset < Ruleset::V4 {
        let number = config.ruleset.number();
        return Err(Code::Rapid1600
            .because(format!("approvals = \"signed\" is asked for, and ruleset {number} does not ask for signatures"))
            .at(CONFIG_PATH)
            .hint("say ruleset = 4"));
    }
    if config.approvals == Approvals::Signed {
        let term = |name: &str| Ok(found.iter().find(|(term, _)| term == name).map(|(_, bytes)| bytes.clone()));
        let allowed = Allowed::from_terms(term)?;
        allowed.refuse_useless().map_err(|error| {
            error.at(".rapid/allowed_signers").hint("or say approvals = \"terminal\" in .rapid/config.toml")
        })?;
        let signers = allowed.everybody(clock::now_seconds())?;
        if signers.as_ref().is_some_and(Vec::is_empty) {
            return Err(Code::Rapid1600
                .because("every key of the allowed signers is revoked, expired or not for approvals: nobody could approve this run")
                .at(".rapid/allowed_signers")
                .hint("name a key there that is still good, and commit it")
                .hint("or say approvals = \"terminal\" in .rapid/config.toml"));
        }
        if let (Some(approvers), Some(signers)) = (&config.approvers, signers) {
            approvers
                .refuse_impossible(&signers, &repository.identity().email)
                .map_err(|error| error.at(CONFIG_PATH))?;
        }
    }
    let tightened = config.policy.is_some();
    found.push((POLICY.to_owned(), policy.to_value().record_bytes()));
    Ok(Terms { files: found, config, policy, tightened })
}

/// The terms of a contract that are not what `.rapid/` says at a commit, by name. The policy is left out: it follows from the
/// configuration, and from the tool's own version.
pub fn differing(repository: &Repository, commit: Oid, contract: &Contract) -> Result<Vec<String>> {
    let tree = repository.tree_of(commit)?;
    let mut there = BTreeMap::new();
    for (path, name) in sources(&playbook_path(contract.mode)) {
        let Some(found) = repository.lookup(tree, path)? else { continue };
        let digest = match found.mode {
            FileMode::File | FileMode::Executable => {
                Digest::of(&repository.read_verified(found.id, Kind::Blob, TERM_CAP)?)
            }
            // No run begins under this.
            _ => Digest::of(found.id.to_string().as_bytes()),
        };
        there.insert(name, digest);
    }
    let frozen: BTreeMap<&str, Digest> = contract
        .terms
        .iter()
        .map(|(name, digest)| (name.as_str(), *digest))
        .filter(|(name, _)| *name != POLICY)
        .collect();
    let names: BTreeSet<&str> = there.keys().chain(frozen.keys()).copied().collect();
    let differs = |name: &&str| there.get(name) != frozen.get(name);
    Ok(names.into_iter().filter(differs).map(str::to_owned).collect())
}

/// Where the files lie that become terms, each with its name among them.
fn sources(playbook: &str) -> impl Iterator<Item = (&str, &'static str)> {
    SOURCES.iter().copied().chain([(playbook, PLAYBOOK)])
}

fn playbook_path(mode: Mode) -> String {
    format!(".rapid/modes/{mode}.json")
}

fn at_head(repository: &Repository, head: &Head, path: &str) -> Result<Option<Vec<u8>>> {
    match repository.lookup(head.tree, path)? {
        Some(found) if matches!(found.mode, FileMode::File | FileMode::Executable) => {
            repository.read_verified(found.id, Kind::Blob, TERM_CAP).map(Some)
        }
        Some(_) => Err(Code::Rapid1308.because(format!("'{path}' is not a file at HEAD")).at(path)),
        None => Ok(None),
    }
}
