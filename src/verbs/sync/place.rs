//! Which remote is meant, which of its refs hold the ledger, and what stands for it in this clone.

use crate::diagnostics::{Code, Result};
use crate::domain::{digest::Digest, near::or_near};
use crate::git::{Oid, RefEdit, Repository};
use crate::ledger::{ATTACHMENTS_REF, LEDGER_REF};
use crate::os::clock;
use crate::verbs::rapid::Rapid;

/// The branch that is proposed where a server takes nothing but branches.
pub const BRANCH: &str = "refs/heads/rapid-ledger";

/// A remote and its refs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name, or its URL; for people, and for what is remembered of it.
    pub remote: String,
    /// What git is told: the same, but for a push that goes elsewhere.
    pub address: String,
    /// Its ref of the ledger.
    pub ledger: String,
    /// Its ref of the attachments.
    pub attachments: String,
}

impl Place {
    /// The remote that is meant: the named one, `rapid.remote`, that of the current branch, `origin`, or the only one
    /// (RAPID1531). Its refs are ours, or what `rapid.ref` says (RAPID1554).
    pub fn of(rapid: &Rapid, named: Option<&str>) -> Result<Place> {
        let repository = rapid.repository();
        let remote = remote(repository, named)?;
        let (ledger, attachments) = match repository.config_text("rapid.ref").filter(|name| !name.is_empty()) {
            None => (LEDGER_REF.to_owned(), ATTACHMENTS_REF.to_owned()),
            Some(name) if holds_code(repository, &name)? => {
                return Err(Code::Rapid1554
                    .because(format!(
                        "rapid.ref is '{}', a branch of the code: the ledger needs one of its own",
                        name.escape_debug()
                    ))
                    .hint("git config rapid.ref refs/heads/rapid-ledger"));
            }
            Some(name) if repository.is_ref_name(&name)? => (name.clone(), format!("{name}-attachments")),
            Some(name) => {
                return Err(Code::Rapid1554
                    .because(format!("rapid.ref is '{}', which is not the full name of a ref", name.escape_debug()))
                    .hint(format!("git config rapid.ref {BRANCH}")));
            }
        };
        Ok(Place { address: remote.clone(), remote, ledger, attachments })
    }

    /// The places that a push goes to: this one, or those of the remote's push URLs, each a remote of its own. What one of them
    /// shows says nothing of what is fetched from.
    pub fn pushed(&self, repository: &Repository) -> Result<Vec<Place>> {
        let urls = repository.push_urls(&self.remote)?;
        if urls.is_empty() {
            return Ok(vec![self.clone()]);
        }
        let named = |at: usize| match at {
            0 => format!("{} (push)", self.remote),
            _ => format!("{} (push {})", self.remote, at + 1),
        };
        let places = urls.into_iter().enumerate();
        Ok(places.map(|(at, address)| Place { remote: named(at), address, ..self.clone() }).collect())
    }

    /// Whether the remote keeps the ledger on a branch.
    pub fn is_branch(&self) -> bool {
        self.ledger.starts_with("refs/heads/")
    }

    /// The tracker of one of its refs: whatever it holds is not trusted.
    pub fn tracker(&self, name: &str) -> String {
        tracker(&self.remote, name)
    }

    /// Where a tip of it is kept that cannot be joined yet: beside the trackers, where no refspec of git's leads, so that no
    /// prune and no later fetch takes it.
    pub fn kept(&self, tip: Oid) -> String {
        format!("{}{}", self.kept_below(), tip.short())
    }

    /// Where all such tips lie.
    pub fn kept_below(&self) -> String {
        kept_of(&self.remote)
    }
}

/// Where the tips of a remote lie that could not be joined.
pub(super) fn kept_of(remote: &str) -> String {
    format!("refs/rapid-local/diverged/{}/", tracker_name(remote))
}

/// Whether a ref is a branch that is checked out here, or one that holds something else than a ledger.
fn holds_code(repository: &Repository, name: &str) -> Result<bool> {
    let Some(branch) = name.strip_prefix("refs/heads/") else { return Ok(false) };
    if repository.head()?.branch.as_deref() == Some(branch) {
        return Ok(true);
    }
    match repository.is_ref_name(name)?.then(|| repository.read_ref(name)).transpose()?.flatten() {
        Some(tip) => Ok(repository.lookup(repository.tree_of(tip)?, "format")?.is_none()),
        None => Ok(false),
    }
}

/// Moves a ref of ours that nobody else relies on.
pub(super) fn point(repository: &Repository, name: &str, new: Oid, why: &str) -> Result<()> {
    let old = repository.read_ref(name)?;
    if old == Some(new) {
        return Ok(());
    }
    let edit = RefEdit { name: name.to_owned(), old, new };
    repository.update_refs(&[edit], why, &repository.identity(), clock::now_seconds(), &|_| {}).map(drop)
}

/// The tracker of a remote's ref.
pub(super) fn tracker(remote: &str, name: &str) -> String {
    format!("refs/rapid-local/remotes/{}/{name}", tracker_name(remote))
}

/// What stands for a remote in names of refs and files: its name, or for a URL its harmless characters and its digest.
pub(super) fn tracker_name(remote: &str) -> String {
    let safe: String =
        remote.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' }).collect();
    if safe == remote {
        return safe;
    }
    let digest = Digest::of(remote.as_bytes()).to_string();
    format!("url-{}-{}", safe.get(..60).unwrap_or(&safe), digest.get(..12).unwrap_or(&digest))
}

fn remote(repository: &Repository, named: Option<&str>) -> Result<String> {
    let known = repository.remote_names();
    let configured = repository.config_text("rapid.remote").filter(|name| !name.is_empty());
    if let Some(name) = named.map(str::to_owned).or(configured) {
        let is_known = known.contains(&name) || name.contains(['/', ':']);
        return match is_known && !name.starts_with('-') && !name.contains("::") {
            true => Ok(name),
            false => {
                let missing = Code::Rapid1531.because(format!("there is no remote '{}'", name.escape_debug()));
                let names: Vec<&str> = known.iter().map(String::as_str).collect();
                Err(or_near(
                    missing,
                    &name,
                    &names,
                    match known.is_empty() {
                        true => "add one with 'git remote add'".to_owned(),
                        false => format!("the remotes are {}", known.join(", ")),
                    },
                ))
            }
        };
    }
    let branch = repository.head().ok().and_then(|head| head.branch);
    let tracked = branch.and_then(|branch| repository.config_text(&format!("branch.{branch}.remote")));
    let chosen = tracked.filter(|name| known.contains(name));
    let chosen = chosen.or_else(|| known.iter().find(|name| *name == "origin").cloned());
    let chosen = chosen.or_else(|| if known.len() == 1 { known.first().cloned() } else { None });
    chosen.ok_or_else(|| match known.is_empty() {
        true => {
            Code::Rapid1531.because("this repository has no remote").hint("add one with 'git remote add origin <url>'")
        }
        false => Code::Rapid1531.because("which remote is meant?").hint(format!("name one of {}", known.join(", "))),
    })
}
