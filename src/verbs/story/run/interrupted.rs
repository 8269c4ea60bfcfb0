//! A turn that an orchestrator left in flight: its processes are ended, its changes put back, and it is recorded as
//! interrupted. Whoever died in between has recorded it already, or has not; both are seen on the ledger.

use super::super::{Request, groom};
use super::apart;
use super::flight::{self, Flight};
use super::journal::{Journal, Material};
use super::lock;
use super::log::Log;
use super::standing::{Keeper, Left, Standing};
use crate::agent;
use crate::diagnostics::Result;
use crate::domain::config::Config;
use crate::git::{Keep, Repository};
use crate::registry::{Registry, Trees};
use crate::story::{Fact, Outcome, TurnRecord};
use crate::verbs::{rapid::Rapid, work};

/// Settles it, if there is one, and those that were apart.
pub fn settle(repository: &Repository, request: &Request, log: &mut Log<'_>) -> Result<()> {
    at_home(repository, request, log)?;
    apart::settle(repository, log)?;
    groom::flight::settle(repository, log)
}

fn at_home(repository: &Repository, request: &Request, log: &mut Log<'_>) -> Result<()> {
    let Some((flight, standing)) = flight::read(repository)? else { return Ok(()) };
    let ended = agent::turn::end(&flight.mark);
    if ended > 0 {
        log.line(&format!("ended {ended} processes that an interrupted turn had left"));
    }
    let (mut journal, facts) = Journal::open(Registry::of(repository), &flight.backlog)?;
    let is_over = |fact: &Fact| matches!(fact, Fact::TurnEnded { turn, story, .. } if *turn == flight.number && *story == flight.story);
    if facts.iter().any(is_over) {
        return flight::clear(repository);
    }
    let elsewhere = repository.workdir().is_none_or(|top| top.display().to_string() != flight.top);
    let own = match elsewhere {
        true => Some(Repository::discover(&repository.environment().without_git().in_directory(&flight.top))?),
        false => None,
    };
    let there = own.as_ref().unwrap_or(repository);
    let config = Rapid::of(there.clone()).working_config().unwrap_or_else(|_| Config::default());
    let after = work::snapshot(there, &config, Keep::Objects)?.tree;
    let left = put_back(there, request, &flight, &standing, after)?;
    let told = crate::story::Told::default();
    let (turn, story, task) = (flight.number, flight.story.clone(), flight.task);
    let mut facts = flight.facts.clone();
    facts.push(Fact::TurnEnded { turn, story, task, outcome: Outcome::Interrupted, told });
    let mut notes = standing.notes.clone();
    notes.push("the orchestrator died in this turn".to_owned());
    left.branch.iter().for_each(|said| log.line(&format!("turn {turn}: {said}")));
    notes.extend(left.notes());
    let record = TurnRecord {
        number: flight.number,
        task,
        to: Some(task.status()),
        provider: flight.provider.clone(),
        model: flight.model.clone(),
        attempt: flight.attempt,
        strikes: flight.attempt.saturating_sub(1),
        exit: "interrupted".to_owned(),
        duration_ms: 0,
        restored: true,
        before: Some(standing.tree.to_git_id()),
        after: Some(after.to_git_id()),
        notes,
        hooks: Vec::new(),
        artifacts: Vec::new(),
    };
    let trees = Trees { before: Some(standing.tree), after: Some(after) };
    journal.append(facts, Some(&record), &Material { files: Vec::new(), trees })?;
    flight::clear(repository)?;
    log.line(&format!(
        "turn {} on {} was interrupted: its changes are put back; what lay there is kept as the tree {after}",
        flight.number, flight.story
    ));
    Ok(())
}

fn put_back(
    repository: &Repository,
    request: &Request,
    flight: &Flight,
    standing: &Standing,
    after: crate::git::Oid,
) -> Result<Left> {
    let log = request.log_file.as_ref().and_then(|path| path.strip_prefix(&flight.top).ok());
    let log = log.map(|path| path.to_string_lossy().into_owned());
    let ours =
        |path: &str| super::perform::is_ours(path, &flight.prefix, &request.config.directories.logs, log.as_deref());
    let mut changes = standing.changes(repository, after, &ours)?;
    if !request.config.git_enabled {
        changes.retain(|change| change.path.starts_with(&format!("{}/", flight.backlog)));
    }
    let keeper = Keeper::at(lock::directory(repository).join("beside"));
    keeper.put_back(repository, standing, &changes, (request.config.git_enabled, &flight.mark))
}
