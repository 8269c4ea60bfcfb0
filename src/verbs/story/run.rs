//! `story run`: performs what the engine wants, one turn after the other, until it has come to its end.
//!
//! In reading order: [`lock`] (one orchestrator per repository), [`backlog`] (the story files), [`journal`] (the ledger),
//! [`standing`] (the working copy before a turn, and putting it back), [`flight`] (what is known of a turn when the
//! orchestrator dies in it), `perform` (effects one by one), `turn` (an agent and its hook), `job` (what is started), and for
//! turns at the same time `crew` (threads), `apart` (worktrees) and `together` (coming home).

mod apart;
pub mod backlog;
mod crew;
pub mod daemon;
mod flight;
pub(super) mod interrupted;
mod job;
pub mod journal;
pub mod lock;
pub(super) mod log;
mod perform;
mod publish;
pub(super) mod standing;
mod together;
mod turn;

use super::{Outcome, Request, dry_run::refusal, require_providers};
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::os::clock::Stopwatch;
use crate::os::signals;
use crate::registry::Registry;
use crate::story::{Fact, Machine, State};
use backlog::Backlog;
use journal::{Journal, Material};
use log::Log;
use perform::Performer;
pub(super) use perform::is_ours;
use std::path::Path;

/// Where a backlog lies in its repository.
pub(super) struct Ground {
    /// The project's top, relative to that of the working copy; empty for the whole of it, else ending in `/`.
    pub prefix: String,
    /// The directory of the stories, relative to the top of the working copy: the name of the backlog on the ledger.
    pub backlog: String,
}

/// Works a backlog. `live` is told what happens, a line each.
///
/// # Errors
/// What keeps a run from beginning or going on; a run that ended early is an outcome.
pub fn run(repository: &Repository, request: &Request, live: &mut dyn FnMut(&str)) -> Result<Outcome> {
    require_providers(&request.config)?;
    let ground = ground(repository, request)?;
    let project = request.root.display().to_string();
    let file = request.log_file.as_ref().map(|path| path.display().to_string());
    let _lock = lock::take(repository, &project, file.as_deref())?;
    signals::watch()?;
    let watch = Stopwatch::start();
    let mut log = Log::open(request.log_file.as_deref(), live)?;
    interrupted::settle(repository, request, &mut log)?;
    let backlog = Backlog::open(&request.root, &request.config.directories)?;
    let (journal, facts) = Journal::open(Registry::of(repository), &ground.backlog)?;
    let inputs = backlog.inputs();
    let earlier = State::fold(inputs.clone(), &facts);
    let machine = Machine::new(inputs, &request.filter, request.config.settings.clone(), Some(&earlier))
        .map_err(|nothing| refusal(nothing, request))?;
    let allowance = machine.settings().allowance(machine.state().stories().len());
    match (request.resume, earlier.iteration) {
        (true, turns) if turns > 0 => log.line(&format!("goes on after turn {turns}, with {allowance} turns to spend")),
        _ => log.line(&format!("{} stories, at most {allowance} turns", machine.state().stories().len())),
    }
    Performer::new(repository, request, ground, machine, backlog, journal, log, watch)?.run()
}

/// Forgets the budgets of every story (`--clean-state`): recorded, so that the ledger still says what was before.
pub fn forget(repository: &Repository, request: &Request) -> Result<usize> {
    let ground = ground(repository, request)?;
    let _lock = lock::take(repository, &request.root.display().to_string(), None)?;
    let backlog = Backlog::open(&request.root, &request.config.directories)?;
    let (mut journal, facts) = Journal::open(Registry::of(repository), &ground.backlog)?;
    let state = State::fold(backlog.inputs(), &facts);
    let known = state.stories().iter().filter(|story| story.memory != crate::story::Memory::default());
    let facts: Vec<Fact> = known
        .filter_map(|story| {
            Some(Fact::Taken { story: story.id.clone(), status: backlog.page(&story.id)?.read.state()? })
        })
        .collect();
    let count = facts.len();
    journal.append(facts, None, &Material::default())?;
    crate::os::files::remove(&checkpoint_file(&request.root))?;
    Ok(count)
}

/// Where the checkpoint lies that older tools read.
pub(super) fn checkpoint_file(root: &Path) -> std::path::PathBuf {
    root.join(".regista").join("state.toml")
}

pub(super) fn ground(repository: &Repository, request: &Request) -> Result<Ground> {
    let top = repository.require_workdir()?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (top, root) = (real(top), real(&request.root));
    let below = root.strip_prefix(&top).map_err(|_| {
        Code::Rapid1306.because(format!(
            "the project '{}' does not lie in the working copy '{}'",
            root.display(),
            top.display()
        ))
    })?;
    let below = below.to_string_lossy();
    let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let backlog = format!("{prefix}{}", request.config.directories.stories);
    Ok(Ground { prefix, backlog })
}
