//! What only a person does: allowing what is critical, reopening what was blocked, closing the circuit, ending a mission.

use super::journal::Journal;
use super::{Site, child, meant, sweep};
use crate::approval;
use crate::diagnostics::{Code, Result};
use crate::mission::{ApprovalRequest, ChildId, Event, Mission, MissionId, Subject, request};

/// A decision that is asked for.
pub struct Request {
    /// The mission; `None`: the only open one.
    pub mission: Option<MissionId>,
    /// About what.
    pub subject: Subject,
    /// Yes or no.
    pub yes: bool,
    /// Why, where that has to be said.
    pub reason: String,
    /// Who decides; `None`: git's identity.
    pub reviewer: Option<String>,
}

/// What a person is shown before they decide (RAPID1911 where there is nothing to decide). `person` must have been asked for.
pub fn prepare(site: &Site, asked: &Request) -> Result<(MissionId, ApprovalRequest)> {
    let id = meant(&site.rapid.registry().existing_records()?, asked.mission.as_ref())?;
    let journal = Journal::open(site.rapid.registry(), &id)?;
    let mission = journal.mission();
    mission.clone().apply(&event(site, asked)).map_err(|why| {
        Code::Rapid1911.because(format!("{id}: {why}")).hint("look where it stands: git rapid mission status")
    })?;
    let page = request(mission, &asked.subject);
    page.map(|page| (id, page)).ok_or_else(|| Code::Rapid1911.because("there is nothing to decide"))
}

/// Asks the person and records what they decide. `prompt` must be safe to show.
pub fn decide(site: &Site, asked: &Request, id: &MissionId, page: &ApprovalRequest, prompt: &str) -> Result<Mission> {
    approval::confirm(prompt, &page.sentence(asked.yes))?;
    let mut journal = Journal::open(site.rapid.registry(), id)?;
    journal.append(&event(site, asked))?;
    Ok(journal.mission().clone())
}

fn event(site: &Site, asked: &Request) -> Event {
    let by = asked.reviewer.clone().unwrap_or_else(|| site.repository().identity().name);
    let (subject, by, reason) = (asked.subject.clone(), site.redactor.text(&by), site.redactor.text(&asked.reason));
    match asked.yes {
        true => Event::Approved { subject, by, reason },
        false => Event::Rejected { subject, by, reason },
    }
}

/// Ends a mission for good. Children at work are ended and recorded; the mission's branch stays.
///
/// Given back are the worktrees that were kept, besides.
pub fn abort(site: &Site, named: Option<&MissionId>, reason: &str) -> Result<(Mission, Vec<String>)> {
    let _lock = site.lock()?;
    let id = meant(&site.rapid.registry().existing_records()?, named)?;
    let mut journal = Journal::open(site.rapid.registry(), &id)?;
    let reason = site.redactor.text(reason);
    let reason = if reason.trim().is_empty() { "aborted".to_owned() } else { reason };
    journal.append(&Event::Cancelled { reason })?;
    let left: Vec<ChildId> = journal.mission().active_children().map(|(id, _)| id.clone()).collect();
    for id in &left {
        child::end(site, id);
    }
    let kept = sweep::sweep_all(site, journal.mission())?;
    Ok((journal.mission().clone(), kept))
}
