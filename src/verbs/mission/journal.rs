//! The events of a mission on the ledger. Before each one the whole mission is folded again from the ledger's tip, and the event
//! must follow from it: two orchestrators can't both take a step, and a mismatch is said, never mended. Only what a
//! person decided meanwhile is taken in.

use crate::diagnostics::{Code, Result};
use crate::mission::{Event, Mission, MissionId};
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
        let id = self.recorded.plan.mission.clone();
        let known = self.recorded.events.len();
        let (_, recorded) = self.registry.append(|records| {
            let mut recorded = records.mission(&id)?;
            let refused = |why: String| {
                Code::Rapid1911.because(format!("{id}: {why}")).hint("look where it stands: git rapid mission status")
            };
            // What a person decides meanwhile is theirs to decide: it is taken in, and the event has to follow from it too.
            let is_persons = |record: &crate::mission::EventRecord| {
                matches!(record.event, Event::Approved { .. } | Event::Rejected { .. })
            };
            if !recorded.events.get(known..).is_some_and(|new| new.iter().all(is_persons)) {
                return Err(refused("another process took a step meanwhile".to_owned()));
            }
            recorded.mission.apply(event).map_err(refused)?;
            let mut draft = Draft::new("mission", &id, format!("mission {id}: {}", said(event)));
            recorded.events.push(draft.mission_event(&id, &recorded.events, event)?);
            Ok((draft, recorded))
        })?;
        self.recorded = recorded;
        fault::point(&format!("mission-event-{}", self.recorded.events.len()));
        Ok(())
    }
}

/// An event in a few words.
pub fn said(event: &Event) -> String {
    match event {
        Event::ChildStarted { child, .. } => format!("{child} begins"),
        Event::ChildEnded { child, result, verdict, .. } => match verdict {
            Some(verdict) => format!("{child} says {verdict}"),
            None => format!("{child} {result}"),
        },
        Event::Tested { package, green, .. } => {
            let what = package.as_ref().map_or("the whole", |package| package.as_str());
            format!("the tests of {what} {}", if *green { "pass" } else { "fail" })
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
