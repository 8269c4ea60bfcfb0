//! The run, spec or mission that a person means by an id: the whole of it, or as much of its beginning as tells it from the others.

use super::Records;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{RunId, SpecId},
    near::or_near,
};
use crate::mission::MissionId;

/// The most candidates that are named.
const MOST: usize = 5;

/// A kind of thing that has ids: what nothing found is, what one and several of it are called, and where they are listed.
struct Kind(Code, &'static str, &'static str, &'static str);

const RUN: Kind = Kind(Code::Rapid1007, "run", "runs", "see 'git rapid run list'");
const SPEC: Kind = Kind(Code::Rapid807, "spec", "specs", "see 'git rapid spec list'");
const MISSION: Kind = Kind(Code::Rapid1910, "mission", "missions", "see 'git rapid mission status'");

impl Records<'_> {
    /// The run of this id, or the only one whose id begins like this (RAPID1007 when there is none, or more than one).
    pub fn meant(&self, named: &RunId) -> Result<RunId> {
        if self.has_run(named)? {
            return Ok(named.clone());
        }
        let all = self.run_ids()?;
        let known: Vec<&str> = all.iter().map(RunId::as_str).collect();
        RunId::parse(RUN.only(named.as_str(), &known)?)
    }

    /// The spec of this id, or the only one whose id begins like this (RAPID807 when there is none, or more than one).
    pub fn meant_spec(&self, named: &SpecId) -> Result<SpecId> {
        if self.has_spec(named)? {
            return Ok(named.clone());
        }
        let all = self.spec_ids()?;
        let known: Vec<&str> = all.iter().map(SpecId::as_str).collect();
        SpecId::parse(SPEC.only(named.as_str(), &known)?)
    }

    /// The mission of this id, or the only one whose id begins like this (RAPID1910 when there is none, or more than one).
    pub fn meant_mission(&self, named: &MissionId) -> Result<MissionId> {
        if self.has_mission(named)? {
            return Ok(named.clone());
        }
        let all = self.mission_ids()?;
        let known: Vec<&str> = all.iter().map(MissionId::as_str).collect();
        MissionId::parse(MISSION.only(named.as_str(), &known)?)
    }
}

impl Kind {
    fn only<'k>(&self, named: &str, known: &[&'k str]) -> Result<&'k str> {
        let Kind(code, one, many, list) = self;
        let like: Vec<&'k str> = known.iter().copied().filter(|id| id.starts_with(named)).collect();
        match like.as_slice() {
            [only] => Ok(only),
            [] => Err(or_near(code.because(format!("there is no {one} '{named}'")), named, known, *list)),
            several => {
                let names: Vec<&str> = several.iter().take(MOST).copied().collect();
                let more = if several.len() > MOST { ", …" } else { "" };
                Err(code
                    .because(format!("'{named}' begins the ids of {} {many}", several.len()))
                    .hint(format!("say more of it: {}{more}", names.join(", "))))
            }
        }
    }
}
