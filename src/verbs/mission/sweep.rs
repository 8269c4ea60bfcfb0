//! What is left of work that is over: its worktrees are removed, its runs closed, the branches of what was taken removed.
//!
//! Only what the mission's own events name is touched, and a worktree only while it holds what an event says of it: what somebody
//! wrote there since is kept and named.

use super::Site;
use super::tests::BESIDE;
use crate::diagnostics::Result;
use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::git::{Keep, Oid, Worktree};
use crate::mission::{AttemptStatus, ChildResult, Mission, PackageStatus, Role};
use crate::registry::Sessions;
use crate::verbs::rapid::Rapid;
use crate::verbs::worktrees::{branch_of, name_of};
use crate::verbs::{abort, work};
use std::collections::BTreeMap;

/// What a worktree may hold without anything of it being lost.
enum Holds {
    /// Whatever: an event says that this work failed or was cut off.
    Anything,
    /// This tree; anything else was written by somebody since.
    Tree(GitId),
}

/// Removes every worktree of a mission that is over, and closes its runs. The worktrees that were kept.
pub(super) fn sweep_all(site: &Site, mission: &Mission) -> Result<Vec<String>> {
    swept(site, mission, &|_| true)
}

/// Removes the worktrees of this mission that nothing is done in any more, and closes the runs of attempts that are over. The
/// worktrees that were kept.
pub(super) fn sweep(site: &Site, mission: &Mission) -> Result<Vec<String>> {
    let is_over = |name: &str| {
        let name = name.strip_suffix(BESIDE).unwrap_or(name);
        let live = mission.in_order().filter(|package| package.is_at_work());
        let mut live = live.filter_map(|package| package.attempts().last().map(|attempt| attempt.run.as_str()));
        let children = mission.active_children().any(|(id, child)| id.as_str() == name || child.run.as_str() == name);
        let at_the_end = mission.finals().1.is_some_and(|run| run.as_str() == name) && !mission.status().is_terminal();
        !(children || at_the_end || live.any(|run| run == name))
    };
    swept(site, mission, &is_over)
}

/// Every worktree that the events name, with what it may hold.
fn named(mission: &Mission) -> Result<BTreeMap<String, Holds>> {
    let mut named = BTreeMap::new();
    for (id, child) in mission.children() {
        let (name, holds) = match (child.role, child.result) {
            (Role::Checker, Some(ChildResult::Failed | ChildResult::Interrupted)) => (id.as_str(), Holds::Anything),
            (Role::Checker, _) => (id.as_str(), Holds::Tree(child.from.1.clone())),
            (_, None) => (child.run.as_str(), Holds::Tree(child.from.1.clone())),
            (_, Some(_)) => (child.run.as_str(), Holds::Anything),
        };
        named.insert(name.to_owned(), holds);
        named.insert(format!("{}{BESIDE}", child.run), Holds::Anything);
    }
    for package in mission.in_order() {
        let Some(attempt) = package.attempts().last() else { continue };
        let is_made =
            matches!(attempt.status, AttemptStatus::Accepted | AttemptStatus::Testing | AttemptStatus::Checking);
        if let Some((_, tree)) = package.work().filter(|_| is_made) {
            named.insert(attempt.run.as_str().to_owned(), Holds::Tree(tree.clone()));
        }
    }
    for run in mission.final_runs() {
        named.insert(run.as_str().to_owned(), Holds::Anything);
    }
    if let Some(run) = mission.finals().1 {
        let holds = match mission.final_is_green() {
            true => Holds::Tree(mission.tip().1.clone()),
            false => Holds::Anything,
        };
        named.insert(run.as_str().to_owned(), holds);
    }
    Ok(named)
}

fn swept(site: &Site, mission: &Mission, is_over: &dyn Fn(&str) -> bool) -> Result<Vec<String>> {
    let named = named(mission)?;
    let mut kept = Vec::new();
    let mut kept_names = Vec::new();
    for worktree in site.repository().worktrees()? {
        let Some(name) = name_of(&worktree) else { continue };
        let Some(holds) = named.get(name).filter(|_| is_over(name)) else { continue };
        if !removed(site, &worktree, holds)? {
            kept.push(worktree.path.display().to_string());
            kept_names.push(name.to_owned());
        }
        // Its own verdict closed it where it passes; it may lack what a mission does not ask for.
        if let Ok(run) = RunId::parse(name) {
            close(site, &run, &format!("mission {} is done with it", mission.id()))?;
        }
    }
    // What was taken is on the mission's branch; the branches of attempts that failed stay, for whoever wants to look.
    let taken = mission.in_order().filter(|package| package.status() == PackageStatus::Done);
    let taken = taken.filter_map(|package| Some((&package.attempts().last()?.run, &package.work()?.0)));
    let at_the_end = mission.finals().1.map(|run| (run, &mission.tip().0));
    for (run, commit) in taken.chain(at_the_end).filter(|(run, _)| is_over(run.as_str())) {
        let name = format!("refs/heads/{}", branch_of(run));
        let commit = Oid::try_from(commit)?;
        let is_kept = kept_names.iter().any(|kept| kept == run.as_str());
        if !is_kept && site.repository().read_ref(&name)? == Some(commit) {
            site.repository().remove_ref(&name, commit)?;
        }
    }
    let tried = mission.in_order().flat_map(|package| {
        let done = package.status() == PackageStatus::Done;
        package.attempts().iter().filter(move |attempt| {
            !done || matches!(attempt.status, AttemptStatus::Failed | AttemptStatus::Interrupted)
        })
    });
    for attempt in tried.filter(|attempt| is_over(attempt.run.as_str())) {
        close(site, &attempt.run, &format!("mission {}: the attempt {}", mission.id(), attempt.status))?;
    }
    Ok(kept)
}

/// Ends a run that its own verdict did not close.
fn close(site: &Site, run: &RunId, why: &str) -> Result<()> {
    let records = site.rapid.registry().records()?;
    if records.has_run(run)? && !records.run(run)?.state()?.status.is_terminal() {
        abort::abort(&site.rapid, Some(run), why)?;
    }
    Ok(())
}

/// Removes a worktree that may be removed.
fn removed(site: &Site, worktree: &Worktree, holds: &Holds) -> Result<bool> {
    if worktree.path.join(".git").exists() {
        let Ok(own) = Rapid::open(&site.rapid.environment().without_git().in_directory(&worktree.path)) else {
            return Ok(false);
        };
        if let Holds::Tree(tree) = holds {
            let now = work::snapshot(own.repository(), &site.config, Keep::Nothing)?;
            if now.tree != Oid::try_from(tree)? || !now.withheld.is_empty() {
                return Ok(false);
            }
        }
        Sessions::of(own.repository()).forget()?;
    } else if worktree.path.exists() {
        return Ok(false);
    }
    site.repository().discard_worktree(&worktree.path)?;
    Ok(true)
}
