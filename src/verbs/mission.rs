//! Missions: a plan is taken, worked step by step, and brought to an end. What may happen is decided in `mission`; here it is
//! recorded and done: the event first, its effect after, so that whoever starts again finds what is still to do.
//!
//! In reading order: [`plan`], [`journal`] (the ledger), [`ground`] (worktrees, commits, the mission's branch), `sweep` (what is over), `attempt` (its
//! governed run), [`contract`] (what a child is told), `child` (makers and checkers), `tests` (checks), [`drive`] (step and run), [`outside`] (an agent that is not ours), [`person`] (what only people do).

mod attempt;
mod child;
pub mod contract;
pub mod drive;
mod ground;
pub mod journal;
pub mod outside;
pub mod person;
pub mod plan;
mod sweep;
mod tests;

pub use attempt::is_a_missions;

use crate::check::redact::Redactor;
use crate::diagnostics::{Code, Result};
use crate::domain::config::Config;
use crate::domain::ids::RunId;
use crate::domain::json::Value;
use crate::git::Repository;
use crate::mission::{ChildId, Mission, MissionConfig, MissionId, PackageId, Role};
use crate::registry::Records;
use crate::verbs::rapid::Rapid;
use crate::verbs::story::run::lock::{self, Holder, Lock};

/// A repository in which a mission is worked.
pub struct Site {
    /// The repository.
    pub rapid: Rapid,
    /// How this clone behaves.
    pub config: Config,
    /// What it says about missions.
    pub missions: MissionConfig,
    /// What takes secrets out.
    pub redactor: Redactor,
}

impl Site {
    /// The site of this repository.
    pub fn of(rapid: Rapid) -> Result<Site> {
        let config = rapid.working_config()?;
        let missions = MissionConfig::read(config.mission.as_ref())?;
        let redactor = rapid.redactor(&config)?;
        Ok(Site { rapid, config, missions, redactor })
    }

    /// The repository.
    pub fn repository(&self) -> &Repository {
        self.rapid.repository()
    }

    /// The same site, for another thread: what was asked for on the command line is in no file that could be read again.
    fn again(&self) -> Site {
        let rapid = Rapid::of(self.repository().clone());
        let (config, missions, redactor) = (self.config.clone(), self.missions.clone(), self.redactor.clone());
        Site { rapid, config, missions, redactor }
    }

    /// A value without secrets: a text that is nothing but one becomes `{exists, length}`.
    pub fn veiled(&self, value: Value) -> Value {
        match value {
            Value::Text(text) => {
                let kept = self.redactor.text(&text);
                let is_all = kept != text && kept.starts_with('[') && kept.ends_with(']') && !kept.contains(' ');
                match is_all {
                    true => Value::object([("exists", true.into()), ("length", text.len().into())]),
                    false => Value::Text(kept),
                }
            }
            Value::List(items) => Value::List(items.into_iter().map(|item| self.veiled(item)).collect()),
            Value::Object(members) => {
                Value::Object(members.into_iter().map(|(key, member)| (key, self.veiled(member))).collect())
            }
            other => other,
        }
    }

    /// One orchestrator of missions in a repository (RAPID1912).
    pub fn lock(&self) -> Result<Lock> {
        let refused = |holder: Option<Holder>| {
            let who = match holder.filter(|holder| holder.pid > 0) {
                Some(holder) => format!("process {} works a mission in this repository", holder.pid),
                None => "another process works a mission in this repository".to_owned(),
            };
            Code::Rapid1912.because(who).hint("wait until it has ended")
        };
        let project = self.repository().workdir().map(|top| top.display().to_string()).unwrap_or_default();
        lock::take_in(self.repository().shared_dir().join("mission"), &project, None, &refused)
    }
}

/// The mission that is meant: the named one, else the only one that is not over (RAPID1910).
pub fn meant(records: &Records<'_>, named: Option<&MissionId>) -> Result<MissionId> {
    if let Some(id) = named {
        return records.meant_mission(id);
    }
    let mut open = Vec::new();
    let all = records.mission_ids()?;
    for id in &all {
        if !records.mission(id)?.mission.status().is_terminal() {
            open.push(id.clone());
        }
    }
    match (open.as_slice(), all.as_slice()) {
        ([id], _) | ([], [id]) => Ok(id.clone()),
        ([], _) => Err(Code::Rapid1910
            .because("no mission is open here")
            .hint("begin one with 'git rapid mission plan plan.json'")),
        (several, _) => {
            let names: Vec<&str> = several.iter().map(MissionId::as_str).collect();
            Err(Code::Rapid1910
                .because(format!("several missions are open: {}", names.join(", ")))
                .hint("name one with --mission"))
        }
    }
}

/// The name of a package's attempt, or of one at the end, as a governed run.
fn run_name(mission: &MissionId, package: Option<&PackageId>, attempt: u32) -> Result<RunId> {
    match package {
        Some(package) => RunId::parse(&format!("{mission}-{}-a{attempt}", package.slug())),
        None => RunId::parse(&format!("{mission}-final-a{attempt}")),
    }
}

/// The name of the next child of a run.
fn child_name(
    mission: &Mission,
    run: &RunId,
    package: Option<&PackageId>,
    attempt: u32,
    role: Role,
) -> Result<ChildId> {
    match mission.children_of(package, attempt, role) {
        0 => ChildId::parse(&format!("{run}-{role}")),
        before => ChildId::parse(&format!("{run}-{role}-{}", before + 1)),
    }
}
