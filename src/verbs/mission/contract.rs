//! What a child is told: its place, and the contract of its role, made from the records. The pure part is `mission::contract`.
//!
//! [`show`] writes nothing and starts nothing: it is the contract of the child that is at work, or of the one that would be.

use super::ground::{checkers_place, spec_of};
use super::{Site, attempt, child_name, meant, tests};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::evidence::Payload;
use crate::domain::ids::{RunId, SpecId};
use crate::domain::json::Value;
use crate::git::{Oid, entries};
use crate::mission::{
    CheckerView, Child, ChildId, Dispatcher, MakerView, Mission, MissionId, Package, PackageId, PlannerView, Role,
    checker_contract, maker_contract, planner_contract,
};
use crate::verbs::start;
use crate::verbs::task::Move;
use std::path::{Path, PathBuf};

/// How much of a diff a checker gets, in bytes.
const DIFF: usize = 256 << 10;
/// How many names at the top of the repository a planner gets.
const NAMES: usize = 200;

/// A child that is ready to be given its contract.
pub(super) struct Prepared {
    /// What it gets.
    pub contract: Value,
    /// Where it works.
    pub place: PathBuf,
}

/// Makes a child's place and contract, or finds them as they were made.
pub(super) fn prepare(site: &Site, mission: &Mission, id: &ChildId, child: &Child) -> Result<Prepared> {
    let place = match (&child.package, child.role) {
        (Some(package), Role::Maker | Role::Debugger) => {
            let package = mission.package(package).ok_or_else(no_package)?;
            let spec = (SpecId::parse(&format!("{}-{}", mission.id(), package.id().slug()))?, spec_of(package.plan())?);
            let rapid = attempt::open_run(site, &child.run, spec, Some(package.risk()), &child.from.0)?;
            tests::moved(&rapid, &child.run, Move::Start)?;
            rapid.repository().require_workdir()?.to_owned()
        }
        _ => checkers_place(site, id.as_str(), &child.from.0)?,
    };
    let contract = contract(site, mission, id, child, &place)?;
    Ok(Prepared { contract, place })
}

/// The contract of a child that works there.
fn contract(site: &Site, mission: &Mission, id: &ChildId, child: &Child, place: &Path) -> Result<Value> {
    let package = child.package.as_ref().map(|id| mission.package(id).ok_or_else(no_package)).transpose()?;
    let workspace = &*place.display().to_string();
    let answer_within = child.deadline.map(|deadline| deadline.saturating_sub(child.since));
    let contract = match (package, child.role) {
        (Some(package), Role::Maker | Role::Debugger) => {
            let failed = package.last().map(|last| (last, previous(site, package, &child.run)));
            maker_contract(&MakerView {
                mission: mission.id(),
                child: id,
                role: child.role,
                package: package.plan(),
                workspace,
                answer_within,
                failed: failed.as_ref().map(|(last, commit)| (*last, commit.as_deref())),
            })
        }
        (package, _) => {
            let before = base_of(site, mission, package, child)?;
            let (diff, diff_is_cut) = site.repository().patch(before, Oid::try_from(&child.from.1)?, DIFF)?;
            let acceptance = match package {
                Some(package) => package.plan().acceptance.iter().map(String::as_str).collect(),
                None => mission.in_order().flat_map(|one| &one.plan().acceptance).map(String::as_str).collect(),
            };
            checker_contract(&CheckerView {
                mission: mission.id(),
                child: id,
                package: package.map(Package::plan),
                objective: mission.objective(),
                acceptance,
                workspace,
                answer_within,
                diff: &diff,
                diff_is_cut,
                checks: checks(site, &child.run, package.map_or(mission.final_tested(), Package::tested))?,
            })
        }
    };
    Ok(site.veiled(contract))
}

pub(super) fn no_package() -> Diagnostic {
    Code::Rapid003.because("a child works on a package that is not there")
}

/// The commit of the attempt before this one.
fn previous(site: &Site, package: &Package, run: &RunId) -> Option<String> {
    let before = package.attempts().iter().rev().find(|attempt| attempt.run != *run)?;
    let branch = format!("refs/heads/{}", crate::verbs::worktrees::branch_of(&before.run));
    site.repository().read_ref(&branch).ok().flatten().map(|id| id.to_string())
}

/// The tree that the work began with.
fn base_of(site: &Site, mission: &Mission, package: Option<&Package>, child: &Child) -> Result<Oid> {
    if package.is_none() {
        return Oid::try_from(&mission.base().1);
    }
    let parents = site.repository().parents_of(Oid::try_from(&child.from.0)?)?;
    parents.first().map_or_else(|| Oid::try_from(&child.from.1), |parent| site.repository().tree_of(*parent))
}

/// The checks that the mission made itself: what ran and what came of it, nothing of when or for whom. What else is recorded in
/// the run is a maker's word.
fn checks(site: &Site, run: &RunId, tested: &[String]) -> Result<Vec<Value>> {
    let run = site.rapid.registry().existing_records()?.run(run)?;
    let one = |payload: &Payload| match payload {
        Payload::CommandResult { label, exit_code, .. } => {
            Some(Value::object([("command", label.as_str().into()), ("exit_code", (*exit_code).into())]))
        }
        Payload::TestResult { suite, exit_code, counts, .. } => Some(Value::object([
            ("command", suite.as_str().into()),
            ("exit_code", (*exit_code).into()),
            ("passed", counts.passed.into()),
            ("failed", counts.failed.into()),
            ("skipped", counts.skipped.into()),
        ])),
        _ => None,
    };
    let is_ours = |id: &str| tested.iter().any(|name| name == id);
    Ok(run.evidence.iter().filter(|item| is_ours(item.id.as_str())).filter_map(|item| one(&item.payload)).collect())
}

/// Whose contract is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Of a planner: the plan of a mission is what it makes.
    Planner,
    /// Of whoever makes the next attempt.
    Maker,
    /// Of who judges the attempt that stands, or the whole.
    Checker,
}

/// The contract of a planner for an objective.
pub fn of_planner(site: &Site, objective: &str) -> Result<Value> {
    let repository = site.repository();
    let head = repository.head()?;
    let top = repository.read_tree(head.tree)?;
    let entries = entries(&top, repository.format().digits() / 2).filter_map(std::result::Result::ok);
    let mut names: Vec<String> = entries.map(|entry| String::from_utf8_lossy(entry.name).into_owned()).collect();
    let is_cut = names.len() > NAMES;
    names.truncate(NAMES);
    let contract = planner_contract(&PlannerView {
        objective,
        branch: head.branch.as_deref(),
        commit: head.commit.map(|commit| commit.to_string()),
        names: &names,
        names_are_cut: is_cut,
        test_command: site.config.test_command.as_deref(),
        approval_targets: &site.missions.approval_targets,
        limits: site.missions.limits,
    });
    Ok(site.veiled(contract))
}

/// The contract of a child, without starting it (RAPID1911 where there can be none).
pub fn show(site: &Site, named: Option<&MissionId>, whose: Whose, package: Option<&PackageId>) -> Result<Value> {
    let records = site.rapid.registry().existing_records()?;
    let mission = records.mission(&meant(&records, named)?)?.mission;
    let refused = |why: String| Code::Rapid1911.because(why).hint("look where it stands: git rapid mission status");
    let is_meant = |child: &Child| {
        let role = if child.role == Role::Checker { Whose::Checker } else { Whose::Maker };
        child.package.as_ref() == package && role == whose
    };
    let at_work =
        mission.active_children().find(|(_, child)| is_meant(child)).map(|(id, child)| (id.clone(), child.clone()));
    let (id, child) = match at_work {
        Some(at_work) => at_work,
        None => {
            let found = package.map(|id| mission.package(id).ok_or_else(|| refused(format!("there is no '{id}'"))));
            let child = next_child(site, &mission, whose, found.transpose()?)?.map_err(refused)?;
            let id = child_name(&mission, &child.run, child.package.as_ref(), child.attempt, child.role)?;
            (id, child)
        }
    };
    let place = match child.role {
        Role::Checker => start::worktree_path(site.repository(), &RunId::parse(id.as_str())?)?,
        Role::Maker | Role::Debugger => start::worktree_path(site.repository(), &child.run)?,
    };
    contract(site, &mission, &id, &child, &place)
}

/// The child that would be next; the text says why there is none.
fn next_child(
    site: &Site,
    mission: &Mission,
    whose: Whose,
    package: Option<&Package>,
) -> Result<std::result::Result<Child, String>> {
    let (role, attempt, run, from) = match (whose, package) {
        (Whose::Planner, _) => return Ok(Err("a planner is no child of a mission".to_owned())),
        (Whose::Maker, None) => return Ok(Err("say which work package: --wp WP-001".to_owned())),
        (Whose::Maker, Some(package)) => {
            let attempt = package.attempt().saturating_add(1);
            let run = attempt::next_run(site, mission, Some(package.id()), attempt, None)?;
            (package.next_role(), attempt, run, mission.tip().clone())
        }
        (Whose::Checker, Some(package)) => match (package.work(), package.attempts().last()) {
            (Some(work), Some(last)) => (Role::Checker, package.attempt(), last.run.clone(), work.clone()),
            _ => return Ok(Err(format!("there is no work of {} to be judged", package.id()))),
        },
        (Whose::Checker, None) => match mission.finals() {
            (attempt, Some(run)) => (Role::Checker, attempt, run.clone(), mission.tip().clone()),
            _ => return Ok(Err("the whole was not tested yet; say which work package: --wp WP-001".to_owned())),
        },
    };
    let package = package.map(|package| package.id().clone());
    let since = 0;
    Ok(Ok(Child {
        role,
        package,
        attempt,
        run,
        dispatcher: Dispatcher::External,
        from,
        since,
        deadline: Some(site.missions.answer_within),
        result: None,
        until: None,
        verdict: None,
        left: None,
    }))
}
