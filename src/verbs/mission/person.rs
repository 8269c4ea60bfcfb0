//! What only a person does: allowing what is critical, reopening what was blocked, closing the circuit, ending a mission.

use super::journal::Journal;
use super::{Site, child, ground, meant, sweep};
use crate::approval;
use crate::diagnostics::{Code, Result};
use crate::domain::signer::Signer;
use crate::mission::{ApprovalRequest, ChildId, Event, Mission, MissionId, Package, Subject, request};
use crate::os::clock;
use crate::verbs::signing;
use crate::verbs::worktrees::branch_of;

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
    // A package is named as it waits: before its work, or for what its tests became.
    let subject = match &asked.subject {
        Subject::Package(id) if mission.package(id).is_some_and(|package| package.fewer_tests().is_some()) => {
            Subject::Tests(id.clone())
        }
        other => other.clone(),
    };
    mission.clone().apply(&event(site, asked, &subject, None)).map_err(|why| {
        Code::Rapid1911.because(format!("{id}: {why}")).hint("look where it stands: git rapid mission status")
    })?;
    let page = request(mission, &subject);
    page.map(|page| (id, page)).ok_or_else(|| Code::Rapid1911.because("there is nothing to decide"))
}

/// Asks the person and records what they decide, and says who signed it. `prompt` must be safe to show.
pub fn decide(
    site: &Site,
    asked: &Request,
    id: &MissionId,
    page: &ApprovalRequest,
    prompt: &str,
) -> Result<(Mission, Option<Signer>)> {
    approval::confirm(prompt, &page.sentence(asked.yes))?;
    let mut journal = Journal::open(site.rapid.registry(), id)?;
    // A refusal lets nothing go on, and may be unsigned.
    let Some(allowed) = journal.plan().allowed()?.filter(|_| asked.yes) else {
        journal.append(&event(site, asked, &page.subject, None))?;
        return Ok((journal.mission().clone(), None));
    };
    let event = event(site, asked, &page.subject, Some(clock::now_seconds()));
    let sign = |statement: &[u8], at| signing::by_an_allowed(&site.rapid, &allowed, statement, at);
    let signer = journal.append_signed(&event, sign)?;
    Ok((journal.mission().clone(), Some(signer)))
}

fn event(site: &Site, asked: &Request, subject: &Subject, signed_at: Option<i64>) -> Event {
    let by = asked.reviewer.clone().unwrap_or_else(|| site.repository().identity().name);
    let (subject, by, reason) = (subject.clone(), site.redactor.text(&by), site.redactor.text(&asked.reason));
    match asked.yes {
        true => Event::Approved { subject, by, reason, signed_at },
        false => Event::Rejected { subject, by, reason },
    }
}

/// What is left of a mission that was ended.
pub struct Kept {
    /// Its branch, where there is one.
    pub branch: Option<String>,
    /// The branches of attempts that were not taken.
    pub attempts: Vec<String>,
    /// The worktrees that hold what no event speaks of.
    pub worktrees: Vec<String>,
}

/// Ends a mission for good, and says what is kept. Children at work are ended.
pub fn abort(site: &Site, named: Option<&MissionId>, reason: &str) -> Result<(Mission, Kept)> {
    let _lock = site.lock()?;
    let id = meant(&site.rapid.registry().existing_records()?, named)?;
    let mut journal = Journal::open(site.rapid.registry(), &id)?;
    let reason = site.redactor.text(reason);
    let reason = if reason.trim().is_empty() { "aborted".to_owned() } else { reason };
    let by = Some(site.redactor.text(&site.repository().identity().name));
    journal.append(&Event::Cancelled { reason, by })?;
    let left: Vec<ChildId> = journal.mission().active_children().map(|(id, _)| id.clone()).collect();
    for id in &left {
        child::end(site, id);
    }
    let mission = journal.mission();
    let worktrees = sweep::sweep_all(site, mission)?;
    let there = |name: &String| Ok(site.repository().read_ref(&format!("refs/heads/{name}"))?.is_some());
    let mut attempts = Vec::new();
    for attempt in mission.in_order().flat_map(Package::attempts) {
        let name = branch_of(&attempt.run);
        if there(&name)? {
            attempts.push(name);
        }
    }
    let own = ground::branch(mission.id()).trim_start_matches("refs/heads/").to_owned();
    let branch = there(&own)?.then_some(own);
    Ok((mission.clone(), Kept { branch, attempts, worktrees }))
}
