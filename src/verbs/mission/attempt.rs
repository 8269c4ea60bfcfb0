//! The governed run of an attempt: a name that nobody else has, the spec of its work package, its opening.
//!
//! Somebody may have begun a run, written a spec or made a branch under the name that a mission would give. None of that is
//! taken over: it would be worked and judged by another's terms.

use super::ground::place_of;
use super::{Site, run_name};
use crate::diagnostics::{Code, Result};
use crate::domain::contract::Contract;
use crate::domain::git_id::GitId;
use crate::domain::ids::{HarnessId, RunId, SpecId};
use crate::domain::policy::Risk;
use crate::domain::spec::SpecDraft;
use crate::mission::{Mission, PackageId};
use crate::registry::{Records, Run};
use crate::verbs::plan::{SpecSource, Wanted};
use crate::verbs::rapid::Rapid;
use crate::verbs::worktrees::{branch_of, worktree_of};
use crate::verbs::{start, terms};

/// The harness of a mission's runs.
const HARNESS: &str = "mission";

/// Whether a mission opened this run.
pub fn is_a_missions(contract: &Contract) -> bool {
    contract.harness.as_str() == HARNESS
}

/// The run of the next attempt at a package, or at the end: the first name that nobody has.
///
/// The final test opens its run before any event names it, so one that was begun for it and cut off is its own.
pub(super) fn next_run(
    site: &Site,
    mission: &Mission,
    package: Option<&PackageId>,
    attempt: u32,
    the_end: Option<&SpecDraft>,
) -> Result<RunId> {
    let records = site.rapid.registry().records()?;
    let first = run_name(mission.id(), package, attempt)?;
    let mut name = first.clone();
    for number in 2.. {
        let is_own = match the_end {
            Some(draft) if records.has_run(&name)? => {
                let run = records.run(&name)?;
                !run.state()?.status.is_terminal() && is_of(site, &records, &run, draft, &mission.tip().0)?
            }
            _ => false,
        };
        if is_own || is_free(site, &records, &name)? {
            break;
        }
        name = RunId::parse(&format!("{first}-{number}"))?;
    }
    Ok(name)
}

fn is_free(site: &Site, records: &Records<'_>, run: &RunId) -> Result<bool> {
    let branch = format!("refs/heads/{}", branch_of(run));
    Ok(!records.has_run(run)?
        && site.repository().read_ref(&branch)?.is_none()
        && worktree_of(&site.rapid, run)?.is_none()
        && !start::worktree_path(site.repository(), run)?.exists())
}

/// Whether a run was opened for this work, at this commit.
fn is_of(site: &Site, records: &Records<'_>, run: &Run, draft: &SpecDraft, from: &GitId) -> Result<bool> {
    let contract = &run.contract;
    let spec = records.spec(&contract.spec_id)?;
    let is_spec = spec.revision(contract.spec_revision)?.content == stored(site, draft)?;
    Ok(is_spec && is_a_missions(contract) && contract.base.commit.as_ref() == Some(from))
}

/// A spec as it would be stored.
fn stored(site: &Site, draft: &SpecDraft) -> Result<SpecDraft> {
    draft.clone().rewritten(|text| site.redactor.text(text))
}

/// The governed run of an attempt, in a worktree of its own that begins at this commit; opened now, or as it was (RAPID1911 where
/// somebody else opened it).
pub(super) fn open_run(
    site: &Site,
    run: &RunId,
    (id, draft): (SpecId, SpecDraft),
    risk: Option<Risk>,
    from: &GitId,
) -> Result<Rapid> {
    let records = site.rapid.registry().records()?;
    if records.has_run(run)? {
        if !is_of(site, &records, &records.run(run)?, &draft, from)? {
            return Err(Code::Rapid1911
                .because(format!("somebody else opened a run '{run}', which this attempt would be"))
                .hint("go on: the next attempt has another name"));
        }
        return place_of(site, run, from);
    }
    let wanted = Wanted {
        mode: draft.mode,
        spec: source(site, &records, id, draft)?,
        harness: HarnessId::parse(HARNESS)?,
        risk,
        classification: None,
        run_id: Some(run.clone()),
    };
    drop(records);
    let rapid = place_of(site, run, from)?;
    let request = start::Request { wanted, worktree: true, terms: terms::Source::Committed };
    start::start(&rapid, request, &mut |_| {})?;
    Ok(rapid)
}

/// The spec as an earlier attempt wrote it, or a new one under the first name that nobody has.
fn source(site: &Site, records: &Records<'_>, first: SpecId, draft: SpecDraft) -> Result<SpecSource> {
    let wanted = stored(site, &draft)?;
    let mut id = first.clone();
    for number in 2.. {
        if !records.has_spec(&id)? {
            break;
        }
        // Whatever it was revised to since, the attempt is at what the plan says.
        if records.spec(&id)?.revision(1)?.content == wanted {
            return Ok(SpecSource::Existing(id, Some(1)));
        }
        id = SpecId::parse(&format!("{first}-{number}"))?;
    }
    Ok(SpecSource::New(Box::new(draft), Some(id)))
}
