//! Missions as the ledger holds them: the plan and the events, chained by digest, and folded as they are read.

use super::{Place, Records, layout, records::contiguous};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::mission::{Event, EventRecord, Mission, MissionId, PlanRecord};
use crate::signature::{self, Allowed};

/// A mission with its history.
#[derive(Clone, Debug)]
pub struct RecordedMission {
    /// The plan.
    pub plan: PlanRecord,
    /// Every event, in order.
    pub events: Vec<EventRecord>,
    /// What they make.
    pub mission: Mission,
    /// What was approved without a signature that counts, where the plan asks for signatures.
    pub unsigned: Vec<Diagnostic>,
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
        for ordinal in 1..=self.events_below(&directory)? {
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
        let unsigned = unsigned(self, &plan, &events, None)?;
        Ok(RecordedMission { plan, events, mission, unsigned })
    }

    /// How many events lie below a directory, beside their signatures.
    fn events_below(&self, directory: &str) -> Result<u32> {
        let names = self.view().list(directory)?;
        let is_signature =
            |name: &&String| name.strip_suffix(".sig").is_some_and(|stem| names.contains(&format!("{stem}.json")));
        let odd =
            |name: &String| Code::Rapid1521.because(format!("'{directory}/{name}' is no record's path")).at(directory);
        let events = names.iter().filter(|name| !is_signature(name));
        let numbers = events.map(|name| layout::ordinal(name, ".json").ok_or_else(|| odd(name)));
        contiguous(numbers.collect::<Result<_>>()?, directory, Code::Rapid1903)
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
        let record = EventRecord::behind(id, before, event);
        EventRecord::from_value(record.to_value())?;
        self.put(&Place::MissionEvent(id.clone(), record.ordinal), record.to_value().record_bytes())?;
        Ok(record)
    }

    /// Adds the signature of what a person decided in an event.
    pub fn mission_signature(&mut self, id: &MissionId, ordinal: u32, bytes: Vec<u8>) -> Result<()> {
        self.put(&Place::MissionSignature(id.clone(), ordinal), bytes)
    }
}

impl PlanRecord {
    /// Who may sign what a person decides; `None` where it is not signed.
    pub fn allowed(&self) -> Result<Option<Allowed>> {
        let lists = self.signers.as_ref();
        lists
            .map(|lists| Allowed::from_terms(|name| Ok(lists.get(name).map(|list| list.clone().into_bytes()))))
            .transpose()
    }
}

/// What is wrong with the signatures of what people decided, by the lists that the plan froze or by a reviewer's own.
fn unsigned(
    records: &Records<'_>,
    plan: &PlanRecord,
    events: &[EventRecord],
    reviewers: Option<&Allowed>,
) -> Result<Vec<Diagnostic>> {
    let Some(frozen) = plan.allowed()? else { return Ok(Vec::new()) };
    let allowed = reviewers.unwrap_or(&frozen);
    let digest = plan.digest();
    let mut faults = Vec::new();
    for record in events {
        let Event::Approved { subject, .. } = &record.event else { continue };
        let place = Place::MissionSignature(plan.mission.clone(), record.ordinal).path();
        let checked = match (records.view().read(&place)?, record.statement(&digest)) {
            (Some(bytes), Some((statement, at))) => signature::check(allowed, &statement, &bytes, at).map(drop),
            _ => Err(Code::Rapid1440.because("it has no signature, and the mission's plan asks for one")),
        };
        if let Err(why) = checked {
            let message = format!("mission {}: the approval of {}: {}", plan.mission, subject.to_text(), why.message);
            faults.push(Diagnostic { message, ..why }.at(place));
        }
    }
    Ok(faults)
}

/// Looks at everything of a mission: its own records, and that the runs it names are there.
pub(super) fn audit(records: &Records<'_>, id: &MissionId, reviewers: Option<&Allowed>) -> Vec<Diagnostic> {
    let recorded = match records.mission(id) {
        Ok(recorded) => recorded,
        Err(diagnostic) => return vec![diagnostic.at(layout::mission_dir(id))],
    };
    let mut findings = match reviewers {
        None => recorded.unsigned.clone(),
        Some(_) => unsigned(records, &recorded.plan, &recorded.events, reviewers).unwrap_or_else(|error| vec![error]),
    };
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
