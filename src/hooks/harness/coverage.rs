//! What is known of the guards in a working copy: for `harness status`, and for whoever is about to approve.
//!
//! Not here: showing it.

use super::beat::{self, Beat};
use super::catalogue::{Event, Harness};
use super::install::{self, Installed, State};
use super::memory::{self, Finding};
use crate::diagnostics::Result;
use crate::git::Repository;

/// One harness's guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The harness.
    pub harness: Harness,
    /// Its files.
    pub installed: Installed,
    /// Its events, and when each was last seen.
    pub beats: Vec<Beat>,
    /// What its tool calls changed that is protected.
    pub findings: Vec<Finding>,
}

impl Coverage {
    /// When its guard was last seen before a tool.
    pub fn last_seen(&self) -> Option<i64> {
        self.beats.iter().find(|beat| beat.event == Event::PreTool)?.at
    }

    /// In a few words: `none`, `installed, never seen`, `active`.
    pub fn as_str(&self) -> &'static str {
        match (self.installed.guard(), self.last_seen()) {
            (State::Missing, _) => "none",
            (State::Differs, _) => "altered",
            (State::Current, None) => "installed, never seen",
            (State::Current, Some(_)) => "active",
        }
    }
}

/// The guards that whoever approves should know of: of the harness that the contract names, and of every other one that is
/// installed here, was ever seen at work here, or left a finding.
pub fn at_work(repository: &Repository, named: Option<Harness>) -> Result<Vec<Coverage>> {
    let all: Vec<Coverage> =
        Harness::ALL.into_iter().map(|harness| coverage(repository, harness)).collect::<Result<_>>()?;
    let counts = |seen: &Coverage| {
        named == Some(seen.harness)
            || seen.installed.guard() != State::Missing
            || seen.beats.iter().any(|beat| beat.at.is_some())
            || !seen.findings.is_empty()
    };
    Ok(all.into_iter().filter(counts).collect())
}

/// The guard of a harness; `harness` is often a contract's, which may name one that is not known here: then there is none.
pub fn coverage(repository: &Repository, harness: Harness) -> Result<Coverage> {
    Ok(Coverage {
        harness,
        installed: install::installed(repository, harness)?,
        beats: beat::beats(repository, harness),
        findings: memory::findings(repository).into_iter().filter(|found| found.harness == harness.as_str()).collect(),
    })
}
