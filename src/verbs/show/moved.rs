//! What of a run's code went on after a person had approved it: the two trees and what differs, for whoever asks what happened since.

use crate::diagnostics::Result;
use crate::domain::{
    evidence::{Payload, ReviewOutcome, Via},
    git_id::GitId,
    ids::{EvidenceId, GateId},
};
use crate::git::{Keep, Oid};
use crate::registry::{Records, Run};
use crate::verbs::{rapid::Rapid, work::Work};

/// The most bytes of a difference that are shown.
const CAP: usize = 1 << 20;

/// Code that is not what was approved.
pub struct Moved {
    /// The approval.
    pub evidence: EvidenceId,
    /// The gates that it decided.
    pub gates: Vec<GateId>,
    /// The tree that was approved.
    pub approved: GitId,
    /// The tree of the working copy.
    pub now: GitId,
    /// What differs, by git's own comparison, and whether there was more; `None` when the approved code is not in this clone.
    pub patch: Option<(String, bool)>,
    /// The same as `git diff` shows it to people here: by the programs that attributes and configuration name.
    pub shown: Option<String>,
}

/// What went on after the newest approval of the active run; `None` where nothing did, or nobody approved. The programs that git's
/// configuration names for differences are run only `for_people`.
pub fn moved(rapid: &Rapid, records: &Records<'_>, run: &Run, for_people: bool) -> Result<Option<Moved>> {
    let Some(session) = rapid.session()?.filter(|session| session.active_run_id == *run.id()) else { return Ok(None) };
    let approval = run.evidence.iter().rev().find_map(|item| match &item.payload {
        Payload::Review(review) if review.outcome == ReviewOutcome::Approved && review.via == Some(Via::Approve) => {
            review.tree.clone().map(|tree| (item, tree))
        }
        _ => None,
    });
    let Some((item, approved)) = approval else { return Ok(None) };
    let work = Work::of(rapid, Some(&session), rapid.config_of(records, run.id())?)?;
    let now = work.snapshot(Keep::Nothing)?.tree;
    let repository = work.repository();
    let before = Oid::try_from(&approved)?;
    if now == before {
        return Ok(None);
    }
    let is_here = repository.has(before) && work.snapshot(Keep::Objects)?.tree == now;
    let patch = is_here.then(|| repository.patch(before, now, CAP)).transpose()?;
    let shown = (is_here && for_people).then(|| repository.diff_for_people(before, now, CAP)).transpose()?;
    let (evidence, gates) = (item.id.clone(), item.gate_ids.clone());
    Ok(Some(Moved { evidence, gates, approved, now: now.to_git_id(), patch, shown }))
}
