//! `fetch` and `push`: the ledger between clones. What arrives is verified before anything is joined to it; nothing is ever
//! forced (design §4.5).

mod seen;

use super::{init::refspec, rapid::Rapid, verify};
use crate::diagnostics::{Code, Result};
use crate::domain::{config::PushAttachments, digest::Digest};
use crate::git::{Oid, Pushed};
use crate::ledger::{ATTACHMENTS_REF, LEDGER_REF, Merged};

/// How often a lost race is run again.
const ATTEMPTS: u32 = 8;

/// How a remote's ledger stands to ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The remote.
    pub remote: String,
    /// Its tip, as last fetched.
    pub theirs: Option<Oid>,
    /// Entries that we have and it has not.
    pub ahead: Option<usize>,
    /// Entries that it has and we have not.
    pub behind: Option<usize>,
}

/// What a fetch brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The remote.
    pub remote: String,
    /// How its ledger came together with ours; `None` when the remote has none.
    pub merged: Option<Merged>,
    /// The entries there are now.
    pub tip: Option<Oid>,
}

/// What a push sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The remote.
    pub remote: String,
    /// The tip that it has now.
    pub tip: Oid,
    /// The refs that were sent.
    pub refs: Vec<String>,
    /// Nothing was sent: it had it already, or it was only tried.
    pub dry_run: bool,
    /// The remote had this tip already.
    pub up_to_date: bool,
}

/// The remote that is meant: the named one, `rapid.remote`, that of the current branch, `origin`, or the only one.
pub fn remote(rapid: &Rapid, named: Option<&str>) -> Result<String> {
    let repository = rapid.repository();
    let known = repository.remote_names();
    if let Some(name) = named {
        return match known.iter().any(|remote| remote == name) || name.contains(['/', ':']) {
            true if !name.starts_with('-') && !name.contains("::") => Ok(name.to_owned()),
            _ => Err(Code::Rapid1531.because(format!("there is no remote '{}'", name.escape_debug())).hint(
                if known.is_empty() {
                    "add one with 'git remote add'".to_owned()
                } else {
                    format!("the remotes are {}", known.join(", "))
                },
            )),
        };
    }
    let branch = repository.head().ok().and_then(|head| head.branch);
    let tracked = branch.and_then(|branch| repository.config_text(&format!("branch.{branch}.remote")));
    let chosen = repository.config_text("rapid.remote").or(tracked.filter(|name| known.contains(name)));
    let chosen = chosen.or_else(|| known.iter().find(|name| *name == "origin").cloned());
    let chosen = chosen.or_else(|| if known.len() == 1 { known.first().cloned() } else { None });
    chosen.ok_or_else(|| match known.is_empty() {
        true => {
            Code::Rapid1531.because("this repository has no remote").hint("add one with 'git remote add origin <url>'")
        }
        false => Code::Rapid1531.because("which remote is meant?").hint(format!("name one of {}", known.join(", "))),
    })
}

/// The tracker of a remote's ledger: whatever it holds is not trusted.
fn tracker(remote: &str, name: &str) -> String {
    format!("refs/rapid-local/remotes/{}/{name}", tracker_name(remote))
}

/// What stands for a remote in names of refs and files: its name, or for a URL its harmless characters and its digest.
fn tracker_name(remote: &str) -> String {
    let safe: String =
        remote.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' }).collect();
    if safe == remote {
        return safe;
    }
    let digest = Digest::of(remote.as_bytes()).to_string();
    format!("url-{}-{}", safe.get(..60).unwrap_or(&safe), digest.get(..12).unwrap_or(&digest))
}

/// Brings a remote's ledger, verifies it, and joins it.
pub fn fetch(rapid: &Rapid, named: Option<&str>) -> Result<Fetched> {
    let remote = remote(rapid, named)?;
    let repository = rapid.repository();
    let before = seen::last(repository, &remote)?;
    let shown = repository.remote_refs(&remote, &[LEDGER_REF, ATTACHMENTS_REF])?;
    let Some(theirs) = shown.iter().find(|shown| shown.name == LEDGER_REF).map(|shown| shown.id) else {
        if before.is_some() {
            return Err(rolled_back(&remote, "has no ledger any more", before));
        }
        return Ok(Fetched { remote, merged: None, tip: rapid.registry().ledger().tip()? });
    };
    let pattern = match tracker(&remote, "") {
        known if known == format!("refs/rapid-local/remotes/{remote}/") => refspec(&remote),
        other => format!("+refs/rapid/*:{other}*"),
    };
    repository.fetch(&remote, &[pattern])?;
    let ledger = rapid.registry();
    let ledger = ledger.ledger();
    if let Some(before) = before
        && !ledger.is_ancestor(before, theirs)?
    {
        return Err(rolled_back(&remote, "shows a ledger that does not contain what it showed before", Some(before)));
    }
    refuse_unverified(rapid, &remote, theirs)?;
    seen::remember(repository, &remote, theirs)?;
    let merged = ledger.merge(theirs)?;
    if let Merged::Conflict(paths) = &merged {
        let first = paths.first().map_or("", String::as_str);
        return Err(Code::Rapid1534
            .because(format!(
                "'{first}' and {} more paths hold different records here and on '{remote}'",
                paths.len().saturating_sub(1)
            ))
            .at(first)
            .hint("both sides are kept: yours in refs/rapid/ledger, theirs in the tracker; nothing was overwritten"));
    }
    if let Some(material) = shown.iter().find(|shown| shown.name == ATTACHMENTS_REF) {
        // Material is checked against the proof whenever it is read; joining it decides nothing.
        ledger.merge_attachments(material.id)?;
    }
    Ok(Fetched { remote, merged: Some(merged), tip: ledger.tip()? })
}

fn rolled_back(remote: &str, what: &str, before: Option<Oid>) -> crate::diagnostics::Diagnostic {
    let before = before.map_or_else(String::new, |id| format!(" (last seen: {})", id.short()));
    Code::Rapid1535
        .because(format!("the remote '{remote}' {what}{before}"))
        .hint("nothing here was changed; find out who rewound it")
        .hint("'git rapid push' puts back what this clone has, without force")
}

fn refuse_unverified(rapid: &Rapid, remote: &str, theirs: Oid) -> Result<()> {
    let known = verify::recall(rapid.repository());
    let proof = verify::prove(rapid.repository(), theirs, None, known.as_ref())?;
    match proof.findings.first() {
        None => Ok(()),
        Some(first) => {
            let more = proof.findings.len().saturating_sub(1);
            let mut refusal = first.diagnostic.clone();
            refusal.message =
                format!("the ledger of '{remote}' does not verify: {} ({more} more findings)", refusal.message);
            Err(refusal.hint(format!("see all of them: git rapid verify {}", tracker(remote, "ledger"))))
        }
    }
}

/// Refuses to publish a ledger that does not verify: every clone that fetched it would stand still.
fn refuse_to_publish(rapid: &Rapid) -> Result<()> {
    let seen = verify::verify(rapid, &verify::Request { reference: None, commit: None, expect: None, full: false })?;
    match seen.proof.findings.iter().find(|finding| !finding.is_remark() && !finding.is_absence()) {
        None => Ok(()),
        Some(first) => {
            let mut refusal = first.diagnostic.clone();
            refusal.message = format!("this ledger does not verify, and was not sent: {}", refusal.message);
            Err(refusal
                .hint("see all findings: git rapid verify")
                .hint("see where the ledger stood before: git reflog refs/rapid/ledger"))
        }
    }
}

/// Sends the ledger to a remote, joining what the remote has first when another clone was quicker.
pub fn push(rapid: &Rapid, named: Option<&str>, dry_run: bool) -> Result<Sent> {
    let remote = remote(rapid, named)?;
    let repository = rapid.repository();
    let registry = rapid.registry();
    let ledger = registry.ledger();
    ledger.existing_view()?;
    let material =
        rapid.working_config()?.push_attachments == PushAttachments::All && ledger.attachments_tip()?.is_some();
    let mut refs = vec![LEDGER_REF.to_owned()];
    refs.extend(material.then(|| ATTACHMENTS_REF.to_owned()));
    refuse_to_publish(rapid)?;
    for attempt in 0..ATTEMPTS {
        let tip = ledger.tip()?.ok_or_else(|| Code::Rapid1510.because("this clone has no ledger yet"))?;
        let names: Vec<&str> = refs.iter().map(String::as_str).collect();
        let shown = repository.remote_refs(&remote, &names)?;
        let theirs = |name: &str| shown.iter().find(|shown| shown.name == name).map(|shown| shown.id);
        let up_to_date =
            theirs(LEDGER_REF) == Some(tip) && (!material || theirs(ATTACHMENTS_REF) == ledger.attachments_tip()?);
        if up_to_date || dry_run {
            return Ok(Sent { remote, tip, refs, dry_run, up_to_date });
        }
        let specs: Vec<String> = refs.iter().map(|name| format!("{name}:{name}")).collect();
        match repository.push(&remote, &specs, material)? {
            Pushed::Accepted => {
                let served = repository.remote_refs(&remote, &[LEDGER_REF])?;
                if served.is_empty() {
                    return Err(Code::Rapid1533.because(format!("'{remote}' accepted the ledger but does not show it")).hint("the server hides refs/rapid/*: ask its administrator, or set rapid.remote to another remote"));
                }
                seen::remember(repository, &remote, tip)?;
                return Ok(Sent { remote, tip, refs, dry_run: false, up_to_date: false });
            }
            Pushed::NotFastForward => {
                fetch(rapid, Some(&remote))?;
                std::thread::sleep(std::time::Duration::from_millis(
                    (20 << attempt.min(5)) + u64::from(std::process::id() % 50),
                ));
            }
            Pushed::Refused(why) => {
                return Err(Code::Rapid1533
                    .because(format!("'{remote}' refused the ledger: {why}"))
                    .hint("your branches are not affected; set rapid.remote to a remote that takes refs/rapid/*"));
            }
        }
    }
    Err(Code::Rapid1513.because(format!("other clones were first {ATTEMPTS} times")).hint("run 'git rapid push' again"))
}

/// How the fetched ledgers of all remotes stand to ours.
pub fn standings(rapid: &Rapid) -> Result<Vec<Standing>> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let ours = registry.ledger().tip()?;
    let mut out = Vec::new();
    for remote in repository.remote_names() {
        let theirs = repository.read_ref(&tracker(&remote, "ledger"))?;
        let (mut ahead, mut behind) = (None, None);
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            ahead = beyond(repository, ours, theirs).ok();
            behind = beyond(repository, theirs, ours).ok();
        }
        out.push(Standing { remote, theirs, ahead, behind });
    }
    Ok(out)
}

/// How many entries `tip` has that `other` has not.
fn beyond(repository: &crate::git::Repository, tip: Oid, other: Oid) -> Result<usize> {
    if tip == other {
        return Ok(0);
    }
    let range = format!("{other}..{tip}");
    let count = repository.git().arguments(["rev-list", "--count", "--end-of-options", &range]).run()?;
    count.text().trim().parse().map_err(|_| Code::Rapid1503.because("git printed an odd number"))
}
