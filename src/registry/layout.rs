//! Which record lies under which path (design §4.2): written and read by the same table.

use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::Digest,
    ids::{EvidenceId, RunId, SpecId},
};
use crate::ledger::{EXPUNGED, shard};
use crate::mission::MissionId;
use crate::story::StoryId;

/// The place of a record in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file that says whose ledger this is.
    Format,
    /// `specs/…/0001/revision.json`.
    Revision(SpecId, u32),
    /// `specs/…/0001/requirements.md` and its neighbours.
    Document(SpecId, u32, String),
    /// `specs/…/status/0001.json`.
    SpecStatus(SpecId, u32),
    /// `runs/…/contract.json`.
    Contract(RunId),
    /// `runs/…/terms/policy.json` and its neighbours.
    Term(RunId, String),
    /// `runs/…/states/0001.json`.
    State(RunId, u32),
    /// `runs/…/evidence/E001.json`.
    Evidence(RunId, EvidenceId),
    /// `runs/…/evidence/E001.sig`.
    Signature(RunId, EvidenceId),
    /// `runs/…/reports/0001.json`.
    Report(RunId, u32),
    /// `expunged/…/0123456789abcdef.json`.
    Expunged(RunId, String),
    /// `stories/…/0001.json`.
    Story(StoryId, u32),
    /// `runs/…/spooled/<digest>.json`.
    Spooled(RunId, Digest),
    /// `missions/…/plan.json`.
    MissionPlan(MissionId),
    /// `missions/…/events/0001.json`.
    MissionEvent(MissionId, u32),
    /// `missions/…/events/0001.sig`.
    MissionSignature(MissionId, u32),
}

/// The directory of a spec.
pub fn spec_dir(id: &SpecId) -> String {
    format!("specs/{}/{id}", shard(id.as_str()))
}

/// The directory of a run.
pub fn run_dir(id: &RunId) -> String {
    format!("runs/{}/{id}", shard(id.as_str()))
}

/// The directory of the records of what was removed from a run's material. It lies outside of the run, so that no decision
/// about the run sets it aside.
pub fn expunged_dir(id: &RunId) -> String {
    format!("{EXPUNGED}/{}/{id}", shard(id.as_str()))
}

/// The directory of a piece of evidence among the attachments.
pub fn material_dir(run: &RunId, evidence: &EvidenceId) -> String {
    format!("{}/{run}/{evidence}", shard(run.as_str()))
}

/// The directory of a story.
pub fn story_dir(id: &StoryId) -> String {
    format!("stories/{}/{id}", shard(id.as_str()))
}

/// The directory of a mission.
pub fn mission_dir(id: &MissionId) -> String {
    format!("missions/{}/{id}", shard(id.as_str()))
}

/// The directory of a record of a story among the attachments.
pub fn story_material_dir(id: &StoryId, ordinal: u32) -> String {
    format!("{}/{id}/{ordinal:04}", shard(id.as_str()))
}

impl Place {
    /// The path.
    pub fn path(&self) -> String {
        match self {
            Place::Format => "format".to_owned(),
            Place::Revision(id, revision) => format!("{}/{revision:04}/revision.json", spec_dir(id)),
            Place::Document(id, revision, name) => format!("{}/{revision:04}/{name}", spec_dir(id)),
            Place::SpecStatus(id, ordinal) => format!("{}/status/{ordinal:04}.json", spec_dir(id)),
            Place::Contract(id) => format!("{}/contract.json", run_dir(id)),
            Place::Term(id, name) => format!("{}/terms/{name}", run_dir(id)),
            Place::State(id, revision) => format!("{}/states/{revision:04}.json", run_dir(id)),
            Place::Evidence(id, evidence) => format!("{}/evidence/{evidence}.json", run_dir(id)),
            Place::Signature(id, evidence) => format!("{}/evidence/{evidence}.sig", run_dir(id)),
            Place::Story(id, ordinal) => format!("{}/{ordinal:04}.json", story_dir(id)),
            Place::MissionPlan(id) => format!("{}/plan.json", mission_dir(id)),
            Place::MissionEvent(id, ordinal) => format!("{}/events/{ordinal:04}.json", mission_dir(id)),
            Place::MissionSignature(id, ordinal) => format!("{}/events/{ordinal:04}.sig", mission_dir(id)),
            Place::Report(id, ordinal) => format!("{}/reports/{ordinal:04}.json", run_dir(id)),
            Place::Expunged(id, name) => format!("{}/{name}", expunged_dir(id)),
            Place::Spooled(id, digest) => format!("{}/spooled/{digest}.json", run_dir(id)),
        }
    }

    /// The place of the record before this one, where it is one of a series and not its first.
    pub fn before(&self) -> Option<Place> {
        let less = |number: u32| number.checked_sub(1).filter(|number| *number > 0);
        match self {
            Place::Revision(id, revision) => Some(Place::Revision(id.clone(), less(*revision)?)),
            Place::SpecStatus(id, ordinal) => Some(Place::SpecStatus(id.clone(), less(*ordinal)?)),
            Place::State(id, revision) => Some(Place::State(id.clone(), less(*revision)?)),
            Place::Report(id, ordinal) => Some(Place::Report(id.clone(), less(*ordinal)?)),
            Place::Story(id, ordinal) => Some(Place::Story(id.clone(), less(*ordinal)?)),
            Place::Format
            | Place::Document(..)
            | Place::Contract(_)
            | Place::Term(..)
            | Place::Evidence(..)
            | Place::Signature(..)
            | Place::Spooled(..)
            | Place::MissionPlan(_)
            | Place::MissionEvent(..)
            | Place::MissionSignature(..)
            | Place::Expunged(..) => None,
        }
    }

    /// The place that has this path; RAPID1521 when no record has it.
    pub fn of(path: &str) -> Result<Place> {
        let unknown = || Code::Rapid1521.because(format!("'{}' is no record's path", path.escape_debug())).at(path);
        let parts: Vec<&str> = path.split('/').collect();
        let place = match parts.as_slice() {
            ["format"] => Place::Format,
            ["specs", _, id, "status", file] => {
                Place::SpecStatus(SpecId::parse(id)?, ordinal(file, ".json").ok_or_else(unknown)?)
            }
            ["specs", _, id, revision, "revision.json"] => {
                Place::Revision(SpecId::parse(id)?, ordinal(revision, "").ok_or_else(unknown)?)
            }
            ["specs", _, id, revision, name @ ("requirements.md" | "tasks.md" | "acceptance.md")] => {
                Place::Document(SpecId::parse(id)?, ordinal(revision, "").ok_or_else(unknown)?, (*name).to_owned())
            }
            ["runs", _, id, "contract.json"] => Place::Contract(RunId::parse(id)?),
            ["runs", _, id, "terms", name] => Place::Term(RunId::parse(id)?, (*name).to_owned()),
            ["runs", _, id, "states", file] => {
                Place::State(RunId::parse(id)?, ordinal(file, ".json").ok_or_else(unknown)?)
            }
            ["runs", _, id, "evidence", file] => match (file.strip_suffix(".json"), file.strip_suffix(".sig")) {
                (Some(evidence), _) => Place::Evidence(RunId::parse(id)?, EvidenceId::parse(evidence)?),
                (_, Some(evidence)) => Place::Signature(RunId::parse(id)?, EvidenceId::parse(evidence)?),
                _ => return Err(unknown()),
            },
            ["runs", _, id, "reports", file] => {
                Place::Report(RunId::parse(id)?, ordinal(file, ".json").ok_or_else(unknown)?)
            }
            [EXPUNGED, _, id, name] if name.len() == 21 && name.ends_with(".json") => {
                Place::Expunged(RunId::parse(id)?, (*name).to_owned())
            }
            ["stories", _, id, file] => {
                let id = StoryId::of(*id);
                let id = Some(id).filter(StoryId::is_recordable).ok_or_else(unknown)?;
                Place::Story(id, ordinal(file, ".json").ok_or_else(unknown)?)
            }
            ["runs", _, id, "spooled", file] => {
                let digest = file.strip_suffix(".json").ok_or_else(unknown)?;
                Place::Spooled(RunId::parse(id)?, Digest::parse(digest, Code::Rapid1521)?)
            }
            ["missions", _, id, "plan.json"] => Place::MissionPlan(MissionId::parse(id)?),
            ["missions", _, id, "events", file] => match (ordinal(file, ".json"), ordinal(file, ".sig")) {
                (Some(number), _) => Place::MissionEvent(MissionId::parse(id)?, number),
                (_, Some(number)) => Place::MissionSignature(MissionId::parse(id)?, number),
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        };
        // Writing the path again also checks the shard and the digits of the numbers.
        if place.path() == path { Ok(place) } else { Err(unknown()) }
    }
}

/// The number in `0001.json`.
pub fn ordinal(file: &str, ending: &str) -> Option<u32> {
    let digits = file.strip_suffix(ending)?;
    let number = digits.parse().ok().filter(|number| *number > 0)?;
    (format!("{number:04}") == digits).then_some(number)
}
