//! The tests of a work package, and those of the whole: checks of the governed run, with the package's own commands; none may run
//! less than before the work. What a maker says it tested is nowhere asked.

use super::Site;
use super::attempt::open_run;
use super::ground::{as_governed, checkers_place, place_of, spec_of_the_end};
use crate::diagnostics::{Code, Result};
use crate::domain::evidence::{DEFINED_BY_WORDS, UNRESOLVED};
use crate::domain::git_id::GitId;
use crate::domain::ids::{RunId, SpecId, TaskId};
use crate::git::Oid;
use crate::mission::{Mission, Package, PackageStatus};
use crate::safety::FailureKind;
use crate::verbs::check::{self, Binding, CheckOutcome, Observation};
use crate::verbs::rapid::Rapid;
use crate::verbs::start;
use crate::verbs::task::{self, Move};
use crate::verbs::work::Work;
use std::time::Duration;

/// What the worktree is called, behind the name of a run, in which its tests run on another commit.
pub(super) const BESIDE: &str = "-beside";

/// What tests showed.
pub(super) struct Tested {
    /// The evidence, in the run.
    pub evidence: Vec<String>,
    /// What is wrong; `None`: all of them are green on the tree.
    pub fault: Option<(FailureKind, String)>,
    /// What is less in green ones than before the work, in words, where no person has allowed that.
    pub fewer: Option<String>,
}

/// The same with what was seen of each.
struct Shown {
    tested: Tested,
    seen: Vec<Observation>,
}

/// Tests a package's work in its worktree.
pub(super) fn of_package(site: &Site, package: &Package, run: &RunId, left: Duration) -> Result<Tested> {
    let Some((commit, tree)) = package.work() else {
        return Err(Code::Rapid003.because("there is no work to be tested"));
    };
    let rapid = place_of(site, run, commit)?;
    let Shown { mut tested, seen } = all(&rapid, run, tree, &package.plan().tests, left)?;
    // A person who allowed the package allowed what it says of the tests too.
    if tested.fault.is_none() && !package.needs_approval() {
        let work = (commit.clone(), tree.clone());
        tested.fewer = less(site, run, &work, &package.plan().tests, &seen, left)?;
    }
    if tested.fault.is_none() {
        moved(&rapid, run, Move::Done)?;
    }
    Ok(tested)
}

/// Tests the whole in a fresh worktree of the mission's branch.
pub(super) fn of_the_whole(site: &Site, mission: &Mission, run: &RunId, left: Duration) -> Result<Tested> {
    let spec = (SpecId::parse(&format!("{}-final", mission.id()))?, spec_of_the_end(mission)?);
    let rapid = open_run(site, run, spec, None, &mission.tip().0)?;
    moved(&rapid, run, Move::Start)?;
    let tested = all(&rapid, run, &mission.tip().1, &distinct(mission.in_order()), left)?.tested;
    if tested.fault.is_none() {
        moved(&rapid, run, Move::Done)?;
    }
    Ok(tested)
}

/// Moves the one task of a run, where the run is that far.
pub(super) fn moved(rapid: &Rapid, run: &RunId, to: Move) -> Result<()> {
    let task = TaskId::of(1);
    let request = task::Request { run: Some(run.clone()), task, to, reason: String::new(), no_check: true };
    as_governed(task::task(rapid, &request, &mut |_| {})).map(drop)
}

fn all(rapid: &Rapid, run: &RunId, tree: &GitId, commands: &[Vec<String>], left: Duration) -> Result<Shown> {
    let tree = Oid::try_from(tree)?;
    let mut shown = Shown { tested: Tested { evidence: Vec::new(), fault: None, fewer: None }, seen: Vec::new() };
    for command in commands {
        let checked = match check::check(rapid, &request(run, command, left), &mut |_| {}) {
            Err(error) if error.code == Code::Rapid1014 => {
                shown.tested.fault = Some((FailureKind::Tampering, error.message));
                return Ok(shown);
            }
            checked => checked?,
        };
        shown.tested.evidence.push(checked.evidence.id.to_string());
        shown.tested.fault = fault(&checked.observation, tree);
        if shown.tested.fault.is_some() {
            return Ok(shown);
        }
        shown.seen.push(checked.observation);
    }
    Ok(shown)
}

fn request(run: &RunId, command: &[String], left: Duration) -> check::Request {
    check::Request {
        run: Some(run.clone()),
        command: Some(command.to_vec()),
        binding: Binding::Fitting,
        expects_failure: false,
        clean: false,
        timeout: Some(left),
        label: None,
        defined_at: None,
        junit: None,
    }
}

/// What is wrong with a test on this tree.
fn fault(seen: &Observation, tree: Oid) -> Option<(FailureKind, String)> {
    match seen.outcome() {
        _ if seen.tree.is_some_and(|on| on != tree) => {
            Some((FailureKind::ForeignEdit, "the code changed after it was made".to_owned()))
        }
        _ if seen.doubt.is_none() && seen.tree.is_none() => {
            let changed = seen.changed.join(", ");
            Some((FailureKind::ForeignEdit, format!("the code changed while it was tested: {changed}")))
        }
        CheckOutcome::Pass => None,
        CheckOutcome::Unverified => {
            let why = seen.doubt.as_ref().map_or(seen.ran.summary.reason.clone(), |doubt| doubt.words());
            Some((FailureKind::Check, format!("{} proves nothing: {why}", seen.command.join(" "))))
        }
        CheckOutcome::Fail => {
            let log = String::from_utf8_lossy(&seen.ran.log).into_owned();
            Some((FailureKind::Check, format!("{} failed\n{log}", seen.command.join(" "))))
        }
    }
}

/// What is wrong with the work of a package beside what was taken meanwhile: its tests, and those of every package that is done,
/// on the merged tree.
pub(super) fn of_the_merged(
    site: &Site,
    mission: &Mission,
    package: &Package,
    run: &RunId,
    merged: &(GitId, GitId),
    left: Duration,
) -> Result<Option<String>> {
    let done = mission.in_order().filter(|one| one.status() == PackageStatus::Done);
    let commands = distinct(std::iter::once(package).chain(done));
    let tree = Oid::try_from(&merged.1)?;
    let seen = beside(site, run, &merged.0, &commands, left)?;
    let fault = seen.iter().find_map(|seen| fault(seen, tree));
    Ok(fault.map(|(_, text)| format!("together with what was done meanwhile: {text}")))
}

fn distinct<'p>(packages: impl Iterator<Item = &'p Package>) -> Vec<Vec<String>> {
    let mut commands: Vec<Vec<String>> = Vec::new();
    for command in packages.flat_map(|package| &package.plan().tests) {
        if !commands.contains(command) {
            commands.push(command.clone());
        }
    }
    commands
}

/// Runs tests on another commit, in a worktree that is removed afterwards. Nothing is recorded.
fn beside(
    site: &Site,
    run: &RunId,
    commit: &GitId,
    commands: &[Vec<String>],
    left: Duration,
) -> Result<Vec<Observation>> {
    let place = start::worktree_path(site.repository(), &RunId::parse(&format!("{run}{BESIDE}"))?)?;
    // One that died left it at another commit.
    if site.repository().worktrees()?.iter().any(|worktree| worktree.path == place) {
        site.repository().discard_worktree(&place)?;
    }
    let place = checkers_place(site, &format!("{run}{BESIDE}"), commit)?;
    let seen = || -> Result<Vec<Observation>> {
        let there = Rapid::open(&site.rapid.environment().without_git().in_directory(&place))?;
        let records = site.rapid.registry().existing_records()?;
        let contract = records.run(run)?.contract;
        let work = Work::of(&there, None, site.rapid.config_of(&records, run)?)?;
        let test_command = contract.test_command.as_deref();
        let all = commands.iter();
        all.map(|command| check::observe(&work, run, test_command, &request(run, command, left), &mut |_| {})).collect()
    };
    let seen = seen();
    site.repository().discard_worktree(&place)?;
    seen
}

/// What of the tests is less than it was before this work, in words: what a command runs, which tests ran and how many.
fn less(
    site: &Site,
    run: &RunId,
    work: &(GitId, GitId),
    commands: &[Vec<String>],
    seen: &[Observation],
    left: Duration,
) -> Result<Option<String>> {
    let repository = site.repository();
    let Some(base) = repository.parents_of(Oid::try_from(&work.0)?)?.first().copied() else { return Ok(None) };
    let (before, after) = (repository.tree_of(base)?, Oid::try_from(&work.1)?);
    for command in commands {
        let (was, is) =
            (check::definition(repository, before, command)?, check::definition(repository, after, command)?);
        let in_tree = |part: &String| *part != DEFINED_BY_WORDS && !part.starts_with(UNRESOLVED);
        // A test that was not there before is the work's own.
        if !was.keys().any(in_tree) {
            continue;
        }
        let parts = was.keys().chain(is.keys().filter(|part| !was.contains_key(*part)));
        let changed: Vec<&str> = parts.filter(|part| was.get(*part) != is.get(*part)).map(String::as_str).collect();
        if !changed.is_empty() {
            return Ok(Some(format!("what {} runs was changed: {}", command.join(" "), changed.join(", "))));
        }
    }
    let then = beside(site, run, &base.to_git_id(), commands, left)?;
    Ok(then.iter().zip(seen).find_map(|(was, is)| {
        let command = is.command.join(" ");
        if let (Some(was), Some(is)) = (&was.ran.tests, &is.ran.tests) {
            let less = is.against(was);
            if less.lost.count + less.newly_skipped.count > 0 {
                let names = less.lost.first.iter().chain(&less.newly_skipped.first).take(10);
                let names: Vec<&str> = names.map(String::as_str).collect();
                return Some(format!("{command} no longer runs: {}", names.join(", ")));
            }
        }
        let executed = |seen: &Observation| {
            let summary = &seen.ran.summary;
            summary
                .counted
                .then(|| (summary.counts.passed.saturating_add(summary.counts.failed), summary.counts.skipped))
        };
        match (executed(was)?, executed(is)) {
            (_, None) => Some(format!("{command} no longer says how many tests it runs")),
            ((was, _), Some((is, _))) if is < was => Some(format!("{command} ran {is} tests, before this work {was}")),
            ((_, was), Some((_, is))) if is > was => {
                Some(format!("{command} skipped {is} tests, before this work {was}"))
            }
            _ => None,
        }
    }))
}
