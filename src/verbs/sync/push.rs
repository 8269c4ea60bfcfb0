//! `push`: send the ledger, never forced; join what the remote has first when another clone was quicker; read back what it serves.

use super::{
    fetch::{bring, fetch_from},
    material,
    place::{self, BRANCH, Place},
    public::{self, Publication},
    seen,
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::config::PushAttachments;
use crate::git::{Oid, Pushed};
use crate::ledger::{ATTACHMENTS_REF, LEDGER_REF};
use crate::os::fault;
use crate::registry::gone;
use crate::verbs::{rapid::Rapid, verify};
use std::time::Duration;

/// How often a lost race is run again: enough for a dozen clones that start together, each winning once.
const ATTEMPTS: u32 = 32;

/// What a push sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The remote.
    pub remote: String,
    /// The tip that it has now.
    pub tip: Oid,
    /// The refs of ours that were sent.
    pub refs: Vec<String>,
    /// It was only tried; this is what would have become public.
    pub dry_run: Option<Publication>,
    /// The remote had this tip already.
    pub up_to_date: bool,
    /// The remote took the proof and not the material, with these words.
    pub material_refused: Option<String>,
    /// The remote kept what was expunged (RAPID1557).
    pub kept_expunged: Option<Diagnostic>,
}

/// Refuses to publish a ledger that does not verify: every clone that fetched it would stand still.
fn refuse_to_publish(rapid: &Rapid) -> Result<()> {
    let seen = verify::verify(rapid, &verify::Request::default())?;
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

/// What a push is about to send, and what the remote has.
struct Offer {
    tip: Oid,
    material: Option<Oid>,
    theirs: Option<Oid>,
    theirs_material: Option<Oid>,
    /// What the remote has holds what was expunged: this tip of it is to be replaced.
    replaces: Option<Oid>,
    /// The remote has entries that this clone has not seen.
    behind: bool,
}

/// Sends the ledger to a remote.
pub fn push(rapid: &Rapid, named: Option<&str>, dry_run: bool) -> Result<Sent> {
    let place = Place::of(rapid, named)?;
    rapid.registry().fold()?;
    rapid.registry().ledger().existing_view()?;
    let mut sent = None;
    // One after the other; the first that something was sent to is told of.
    for place in place.pushed(rapid.repository())? {
        let done = push_to(rapid, &place, dry_run)?;
        sent = sent.filter(|sent: &Sent| !sent.up_to_date).or(Some(done));
    }
    sent.ok_or_else(|| Code::Rapid1531.because(format!("the remote '{}' has no URL", place.remote)))
}

fn push_to(rapid: &Rapid, place: &Place, dry_run: bool) -> Result<Sent> {
    let level = rapid.working_config()?.push_attachments;
    refuse_to_publish(rapid)?;
    let mut refused = None;
    let mut kept_expunged = None;
    for attempt in 0..ATTEMPTS {
        let mut offer = offer(rapid, place, level)?;
        if refused.is_some() {
            (offer.material, offer.replaces) = (None, None);
        }
        let mut sent = Sent {
            remote: place.remote.clone(),
            tip: offer.tip,
            refs: offer
                .material
                .map(|_| ATTACHMENTS_REF.to_owned())
                .into_iter()
                .chain([LEDGER_REF.to_owned()])
                .collect(),
            dry_run: None,
            up_to_date: offer.theirs == Some(offer.tip)
                && offer.replaces.is_none()
                && (offer.material.is_none() || offer.theirs_material == offer.material),
            material_refused: refused.clone(),
            kept_expunged: kept_expunged.clone(),
        };
        if dry_run {
            sent.dry_run = Some(would_be_public(rapid, place, level, &offer)?);
            return Ok(sent);
        }
        if sent.up_to_date {
            seen::remember(rapid.repository(), &place.remote, offer.tip)?;
            return Ok(sent);
        }
        fault::point("pushing");
        match send(rapid, place, &offer)? {
            Pushed::Accepted => {
                fault::point("pushed");
                read_back(rapid, place, offer.tip)?;
                return Ok(sent);
            }
            Pushed::NotFastForward | Pushed::NotAtomic => {
                let left_out = fetch_from(rapid, place.clone(), &[])?.left_out;
                if left_out > 0 && offer.material.is_some() {
                    // What lies there is nobody's, and nothing of it is joined: ours does not go on from it.
                    refused = Some(format!("{left_out} pieces of the material there are not what any record names"));
                    continue;
                }
                wait(attempt);
            }
            // The proof is small and always worth having there, whatever the server has against the material.
            Pushed::Refused(why) if offer.material.is_some() => {
                kept_expunged = offer.replaces.map(|_| not_expunged(place, &why));
                refused = Some(why);
            }
            Pushed::Refused(why) => return Err(refusal(place, &why)),
        }
    }
    Err(Code::Rapid1513
        .because(format!("other clones were first {ATTEMPTS} times"))
        .hint("everything is recorded here; run 'git rapid push' again"))
}

fn offer(rapid: &Rapid, place: &Place, level: PushAttachments) -> Result<Offer> {
    let repository = rapid.repository();
    let registry = rapid.registry();
    let tip = registry.ledger().tip()?.ok_or_else(|| Code::Rapid1510.because("this clone has no ledger yet"))?;
    let shown = repository.remote_refs(&place.address, &[&place.ledger, &place.attachments])?;
    let theirs = |name: &str| shown.iter().find(|shown| shown.name == name).map(|shown| shown.id);
    let theirs_material = theirs(&place.attachments);
    if level == PushAttachments::Final && theirs_material.is_some_and(|id| !repository.has(id)) {
        bring(repository, place)?;
    }
    let theirs = theirs(&place.ledger);
    let ledger = registry.ledger();
    if !ledger.has_expunged()? {
        let material = public::material(rapid, level, theirs_material)?;
        // Where the server takes one ref after the other, material must not go where its removal is recorded already.
        let behind = material.is_some() && theirs.is_some_and(|id| !repository.has(id));
        return Ok(Offer { tip, material, theirs, theirs_material, replaces: None, behind });
    }
    ledger.settle_expunged(gone)?;
    let behind = match theirs {
        Some(theirs) => !repository.has(theirs) || !ledger.is_ancestor(theirs, tip)?,
        None => false,
    };
    let Some(old) = theirs_material.filter(|_| !behind) else {
        let material = public::material(rapid, level, None)?;
        return Ok(Offer { tip, material, theirs, theirs_material, replaces: None, behind });
    };
    if !repository.has(old) {
        bring(repository, place)?;
    }
    let (clean, is_other) = ledger.without_expunged(old, gone)?;
    let material = match level {
        PushAttachments::All if is_other => {
            material::join(rapid, old)?;
            ledger.attachments_tip()?
        }
        PushAttachments::None => is_other.then_some(clean),
        _ => public::material(rapid, level, Some(clean))?,
    };
    ledger.settle_expunged(gone)?;
    Ok(Offer { tip, material, theirs, theirs_material, replaces: is_other.then_some(old), behind })
}

fn not_expunged(place: &Place, why: &str) -> Diagnostic {
    let (remote, name) = (&place.remote, &place.attachments);
    Code::Rapid1557
        .because(format!("'{remote}' still has what was expunged: it does not let '{name}' be replaced ({why})"))
        .at(name)
        .hint(format!("whoever runs the server can delete that ref there: git update-ref -d {name}"))
        .hint(format!("then put back the rest: git rapid push {}", place.address))
}

fn would_be_public(rapid: &Rapid, place: &Place, level: PushAttachments, offer: &Offer) -> Result<Publication> {
    let repository = rapid.repository();
    let unknown = |id: Option<Oid>| id.is_some_and(|id| !repository.has(id));
    let (mut theirs, mut material) = (offer.theirs, offer.theirs_material);
    if unknown(theirs) || unknown(material) {
        let brought = bring(repository, place)?;
        (theirs, material) = (brought.ledger, brought.attachments);
    }
    public::publication(rapid, level, offer.tip, theirs, material)
}

/// All refs at once where the server can, else one after the other.
fn send(rapid: &Rapid, place: &Place, offer: &Offer) -> Result<Pushed> {
    let repository = rapid.repository();
    let specs: Vec<String> =
        public::refspecs(place, offer.tip, offer.material).into_iter().map(|(spec, _)| spec).collect();
    if offer.behind {
        return Ok(Pushed::NotFastForward);
    }
    let replaced = offer.replaces.map(|old| (place.attachments.as_str(), old));
    let at_once = repository.push(&place.address, &specs, replaced, specs.len() > 1)?;
    if at_once != Pushed::NotAtomic {
        return Ok(at_once);
    }
    for (at, spec) in specs.into_iter().enumerate() {
        // The material is the first of two.
        match repository.push(&place.address, &[spec], replaced.filter(|_| at == 0), false)? {
            Pushed::Accepted => {}
            other => return Ok(other),
        }
    }
    Ok(Pushed::Accepted)
}

/// Looks at what the remote serves now. What it took it must show, or more; a remote that shows less has lied.
fn read_back(rapid: &Rapid, place: &Place, tip: Oid) -> Result<()> {
    let repository = rapid.repository();
    let served = repository.remote_refs(&place.address, &[&place.ledger])?;
    let Some(served) = served.first() else {
        return Err(Code::Rapid1533
            .because(format!("'{}' accepted the ledger but does not show it", place.remote))
            .hint("the server hides that ref: ask its administrator, or set rapid.remote to another remote"));
    };
    seen::remember(repository, &place.remote, tip)?;
    if served.id == tip {
        return place::point(repository, &place.tracker("ledger"), tip, "rapid: pushed");
    }
    fetch_from(rapid, place.clone(), &[]).map(drop)
}

fn refusal(place: &Place, why: &str) -> Diagnostic {
    let refused = Code::Rapid1533
        .because(format!("'{}' refused the ledger: {why}", place.remote))
        .hint("your branches are not affected, and everything is recorded here");
    match place.is_branch() {
        true => refused.hint(format!(
            "'{}' is a branch there: let its rules allow pushes to it, or set rapid.remote to another remote",
            place.ledger
        )),
        false => refused
            .hint(format!("where a server takes branches only: git config rapid.ref {BRANCH} (in each clone)"))
            .hint("or keep it elsewhere: git config rapid.remote <name or URL>"),
    }
}

/// Waits a moment that grows with the attempts and differs between processes.
fn wait(attempt: u32) {
    let most = 25_u64 << attempt.min(5);
    let salt = u64::from(std::process::id()).wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(attempt) * 7919);
    std::thread::sleep(Duration::from_millis(salt % most + 1));
}
