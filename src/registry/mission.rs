//! Missions as the ledger holds them: the plan and the events, chained by digest, and folded as they are read.

use super::{Place, Records, layout};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::mission::{Event, EventRecord, Mission, MissionId, PlanRecord};

/// A mission with its history.
#[derive(Clone, Debug)]
pub struct RecordedMission {
    /// The plan.
    pub plan: PlanRecord,
    /// Every event, in order.
    pub events: Vec<EventRecord>,
    /// What they make.
    pub mission: Mission,
}

impl Records<'_> {
    /// The ids of all missions, sorted.
    pub fn mission_ids(&self) -> Result<Vec<MissionId>> {
        self.names_below("missions")?.iter().map(|name| MissionId::parse(name)).collect()
    }

    /// Whether this mission is there.
    pub fn has_mission(&self, id: &MissionId) -> Result<bool> {
        Ok(self.view().locate(&layout::mission_dir(id))?.is_some())
    }

    /// A mission with its whole history, verified and replayed (RAPID1910 when it is not there).
    pub fn mission(&self, id: &MissionId) -> Result<RecordedMission> {
        let place = Place::MissionPlan(id.clone());
        let plan = self.value(&place)?.ok_or_else(|| {
            Code::Rapid1910.because(format!("there is no mission '{id}'")).hint("see 'git rapid mission status'")
        })?;
        let plan = PlanRecord::from_value(plan).map_err(|error| error.at(place.path()))?;
        let wrong = |why: &str, at: String| Code::Rapid1903.because(format!("{id}: {why}")).at(at);
        if plan.mission != *id {
            return Err(wrong("the plan belongs elsewhere", place.path()));
        }
        let directory = format!("{}/events", layout::mission_dir(id));
        let mut events: Vec<EventRecord> = Vec::new();
        for ordinal in 1..=self.count(&directory, ".json", Code::Rapid1903)? {
            let place = Place::MissionEvent(id.clone(), ordinal);
            let Some(value) = self.value(&place)? else { continue };
            let record = EventRecord::from_value(value).map_err(|error| error.at(place.path()))?;
            if record.mission != *id || record.ordinal != ordinal {
                return Err(wrong("the event belongs elsewhere", place.path()));
            }
            if record.predecessor != events.last().map(EventRecord::digest) {
                return Err(wrong("the event does not follow the one before it", place.path()));
            }
            events.push(record);
        }
        let mission = Mission::fold(&plan, events.iter().map(|record| &record.event));
        let mission = mission.map_err(|why| wrong(&why, directory))?;
        Ok(RecordedMission { plan, events, mission })
    }
}

impl super::Draft {
    /// Adds a mission's plan.
    pub fn mission_plan(&mut self, record: &PlanRecord) -> Result<()> {
        // What cannot be read back would be a fault of ours in everybody's ledger: find it before it is written.
        PlanRecord::from_value(record.to_value())?;
        self.put(&Place::MissionPlan(record.mission.clone()), record.to_value().record_bytes())
    }

    /// Adds an event behind these; gives its record.
    pub fn mission_event(&mut self, id: &MissionId, before: &[EventRecord], event: &Event) -> Result<EventRecord> {
        let record = EventRecord {
            mission: id.clone(),
            ordinal: u32::try_from(before.len()).unwrap_or(u32::MAX).saturating_add(1),
            predecessor: before.last().map(EventRecord::digest),
            event: event.clone(),
        };
        EventRecord::from_value(record.to_value())?;
        self.put(&Place::MissionEvent(id.clone(), record.ordinal), record.to_value().record_bytes())?;
        Ok(record)
    }
}

/// Looks at everything of a mission: its own records, and that the runs it names are there.
pub(super) fn audit(records: &Records<'_>, id: &MissionId) -> Vec<Diagnostic> {
    let recorded = match records.mission(id) {
        Ok(recorded) => recorded,
        Err(diagnostic) => return vec![diagnostic.at(layout::mission_dir(id))],
    };
    let mut findings = Vec::new();
    for record in &recorded.events {
        let Event::Tested { run, evidence, tree, green, .. } = &record.event else { continue };
        let at = Place::MissionEvent(id.clone(), record.ordinal).path();
        match records.run(run) {
            Ok(found) => {
                let named = |name: &String| found.evidence.iter().any(|item| item.id.as_str() == name);
                if *green && (evidence.is_empty() || !evidence.iter().all(named)) {
                    let why = format!("{id}: a green test names evidence that run '{run}' does not have");
                    findings.push(Code::Rapid1903.because(why).at(at));
                } else if *green && !evidence.iter().all(|name| is_green(&found, name, tree.as_str())) {
                    let why = format!("{id}: a test is said to be green, and the evidence of run '{run}' is not");
                    findings.push(Code::Rapid1903.because(why).at(at));
                }
            }
            Err(error) => {
                let why = format!("{id}: the run '{run}' that it names does not load: {}", error.message);
                findings.push(Code::Rapid1903.because(why).at(at));
            }
        }
    }
    findings
}

/// Whether this evidence is of a command that succeeded on this tree.
fn is_green(run: &super::Run, name: &str, tree: &str) -> bool {
    use crate::domain::evidence::Payload::{CommandResult, TestResult};
    let item = run.evidence.iter().find(|item| item.id.as_str() == name);
    item.is_some_and(|item| match &item.payload {
        CommandResult { exit_code: 0, facts, .. } | TestResult { exit_code: 0, facts, .. } => {
            facts.tree.as_ref().is_some_and(|on| on.as_str() == tree)
        }
        _ => false,
    })
}
