//! The events of a mission on the ledger. Before each one the whole mission is folded again from the ledger's tip, and the event
//! must follow from it: two orchestrators can't both take a step, and a mismatch is said, never mended. Only what a
//! person decided meanwhile is taken in.

use crate::diagnostics::{Code, Result};
use crate::domain::signer::Signer;
use crate::mission::{Event, EventRecord, Mission, MissionId, PlanRecord};
use crate::os::fault;
use crate::registry::{Draft, RecordedMission, Registry};

/// The events of one mission.
pub struct Journal<'r> {
    registry: Registry<'r>,
    recorded: RecordedMission,
}

impl<'r> Journal<'r> {
    /// Opens it.
    pub fn open(registry: Registry<'r>, id: &MissionId) -> Result<Journal<'r>> {
        let recorded = registry.existing_records()?.mission(id)?;
        decided_by_somebody(&recorded)?;
        Ok(Journal { registry, recorded })
    }

    /// The mission as it stands.
    pub fn mission(&self) -> &Mission {
        &self.recorded.mission
    }

    /// Every event so far.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.recorded.events.iter().map(|record| &record.event)
    }

    /// Appends an event (RAPID1911 when it does not follow).
    pub fn append(&mut self, event: &Event) -> Result<()> {
        self.put(event, None)
    }

    /// Appends what a person decided with their signature over it, and gives whose it is; `sign` is given what is to be signed,
    /// and when that was.
    pub fn append_signed(
        &mut self,
        event: &Event,
        sign: impl Fn(&[u8], i64) -> Result<(Vec<u8>, Signer)>,
    ) -> Result<Signer> {
        let record = EventRecord::behind(&self.recorded.plan.mission, &self.recorded.events, event);
        let nothing = || Code::Rapid003.because("there is nothing to sign");
        let (statement, at) = record.statement(&self.recorded.plan.digest()).ok_or_else(nothing)?;
        let (signature, signer) = sign(&statement, at)?;
        self.put(event, Some(signature)).map(|()| signer)
    }

    fn put(&mut self, event: &Event, signature: Option<Vec<u8>>) -> Result<()> {
        let id = self.recorded.plan.mission.clone();
        let known = self.recorded.events.len();
        let (_, recorded) = self.registry.append(|records| {
            let mut recorded = records.mission(&id)?;
            decided_by_somebody(&recorded)?;
            let refused = |why: String| {
                Code::Rapid1911.because(format!("{id}: {why}")).hint("look where it stands: git rapid mission status")
            };
            // What a person decides meanwhile is theirs to decide: it is taken in, and the event has to follow from it too. A
            // signature is over one place, and good for no other.
            let is_persons =
                |record: &EventRecord| matches!(record.event, Event::Approved { .. } | Event::Rejected { .. });
            let new = recorded.events.get(known..).unwrap_or_default();
            let is_known = recorded.events.len() >= known && new.iter().all(is_persons);
            if !is_known || (signature.is_some() && !new.is_empty()) {
                return Err(refused("another process took a step meanwhile".to_owned()));
            }
            recorded.mission.apply(event).map_err(refused)?;
            let mut draft = Draft::new("mission", &id, format!("mission {id}: {}", said(event)));
            let record = draft.mission_event(&id, &recorded.events, event)?;
            if let Some(signature) = &signature {
                draft.mission_signature(&id, record.ordinal, signature.clone())?;
            }
            recorded.events.push(record);
            Ok((draft, recorded))
        })?;
        self.recorded = recorded;
        fault::point(&format!("mission-event-{}", self.recorded.events.len()));
        Ok(())
    }

    /// The plan as it was recorded.
    pub fn plan(&self) -> &PlanRecord {
        &self.recorded.plan
    }
}

/// Refuses a mission in which something was decided without the signature that its plan asks for: nothing may go on from there.
fn decided_by_somebody(recorded: &RecordedMission) -> Result<()> {
    recorded.unsigned.first().map_or(Ok(()), |fault| Err(fault.clone()))
}

/// An event in a few words.
pub fn said(event: &Event) -> String {
    match event {
        Event::ChildStarted { child, .. } => format!("{child} begins"),
        Event::ChildEnded { child, result, verdict, .. } => match verdict {
            Some(verdict) => format!("{child} says {verdict}"),
            None => format!("{child} {result}"),
        },
        Event::Tested { package, green, fewer, .. } => {
            let what = package.as_ref().map_or("the whole", |package| package.as_str());
            let how = match (green, fewer) {
                (true, Some(_)) => "pass, and are not those of before",
                (true, None) => "pass",
                (false, _) => "fail",
            };
            format!("the tests of {what} {how}")
        }
        Event::Accepted { package, .. } => format!("{package} is done"),
        Event::Refused { package, .. } => format!("the work of {package} is not taken"),
        Event::Approved { subject, by, .. } => format!("{} approved by {by}", subject.to_text()),
        Event::Rejected { subject, by, .. } => format!("{} rejected by {by}", subject.to_text()),
        Event::Blocked { .. } | Event::Cancelled { .. } | Event::Completed { .. } | Event::Activated => {
            event.name().to_owned()
        }
        Event::Planned { .. } => "planned".to_owned(),
    }
}

/// A worktree that is not removed.
pub fn kept(place: &str) -> String {
    format!("{place} is kept: it holds changes that no event of the mission speaks of")
}
