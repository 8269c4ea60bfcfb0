//! Where the work of a mission lies: a worktree for each attempt and each checker, the commit of what was made, the mission's own
//! branch. The user's branch, index and working copy are never touched.

use super::Site;
use crate::diagnostics::{Class, Code, Result};
use crate::domain::git_id::GitId;
use crate::domain::ids::{HarnessId, RunId, SpecId};
use crate::domain::mode::Mode;
use crate::domain::policy::Risk;
use crate::domain::spec::SpecDraft;
use crate::git::{Keep, Kind, Mode as FileMode, Oid, RefEdit, RefUpdate};
use crate::mission::{
    Event, Grounds, Mission, MissionId, Package, PackageStatus, WorkPackage, scope_allows, targets_of,
};
use crate::os::{clock, files};
use crate::registry::Sessions;
use crate::safety::FailureKind;
use crate::verbs::plan::{SpecSource, Wanted};
use crate::verbs::rapid::Rapid;
use crate::verbs::worktrees::{branch_of, worktree_of};
use crate::verbs::{abort, start, terms, work};
use std::path::{Path, PathBuf};

/// The largest file that is searched for secrets, in bytes.
const SEARCHED: u64 = 4 << 20;

/// What a maker left.
pub(super) struct Left {
    /// The commit and tree of it; those it began with where nothing may be kept.
    pub work: (GitId, GitId),
    /// What is wrong with it.
    pub fault: Option<(FailureKind, String)>,
}

/// The mission's branch.
pub fn branch(mission: &MissionId) -> String {
    format!("refs/heads/rapid/mission/{mission}")
}

/// The spec of a work package.
pub(super) fn spec_of(package: &WorkPackage) -> Result<SpecDraft> {
    let mut spec = SpecDraft::new(package.mode, &package.title)?;
    spec.problem_statement = package.description.clone();
    spec.scope = package.scope.clone();
    spec.acceptance_criteria = package.acceptance.clone();
    spec.testing_strategy = package.tests.iter().map(|command| command.join(" ")).collect();
    spec.implementation_tasks = vec![package.title.clone()];
    let plain = |target: &String| target.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    spec.tags = package.targets.iter().map(plain).collect();
    spec.tags.sort();
    spec.tags.dedup();
    Ok(spec)
}

/// The spec of a mission's end.
pub(super) fn spec_of_the_end(mission: &Mission) -> Result<SpecDraft> {
    let title: String = mission.objective().lines().next().unwrap_or("the mission").chars().take(120).collect();
    let mut spec = SpecDraft::new(Mode::Feature, &format!("the whole of {}: {title}", mission.id()))?;
    spec.problem_statement = mission.objective().to_owned();
    spec.acceptance_criteria = mission.in_order().flat_map(|package| package.plan().acceptance.clone()).collect();
    spec.acceptance_criteria.dedup();
    spec.acceptance_criteria.truncate(100);
    spec.implementation_tasks = vec!["Put the work packages together".to_owned()];
    Ok(spec)
}

/// The governed run of an attempt, in a worktree of its own that begins at this commit; opened now, or as it was.
pub(super) fn open_run(
    site: &Site,
    run: &RunId,
    spec: (SpecId, SpecDraft),
    risk: Option<Risk>,
    from: &GitId,
) -> Result<Rapid> {
    let path = match worktree_of(&site.rapid, run)? {
        Some(known) => known.path,
        None => {
            let path = start::worktree_path(site.repository(), run)?;
            site.repository().add_worktree_at(&path, &branch_of(run), from.as_str())?;
            path
        }
    };
    let rapid = Rapid::open(&site.rapid.environment().without_git().in_directory(&path))?;
    let records = rapid.registry().records()?;
    if !records.has_run(run)? {
        let (id, draft) = spec;
        let mode = draft.mode;
        let spec = match records.has_spec(&id)? {
            true => SpecSource::Existing(id, None),
            false => SpecSource::New(Box::new(draft), Some(id)),
        };
        let wanted = Wanted {
            mode,
            spec,
            harness: HarnessId::parse("mission")?,
            risk,
            classification: None,
            run_id: Some(run.clone()),
        };
        let request = start::Request { wanted, worktree: true, terms: terms::Source::Committed };
        start::start(&rapid, request, &mut |_| {})?;
    }
    drop(records);
    Ok(rapid)
}

/// The run of an attempt that was opened before.
pub(super) fn reopen(site: &Site, run: &RunId) -> Result<Rapid> {
    let known = worktree_of(&site.rapid, run)?.ok_or_else(|| {
        Code::Rapid1305
            .because(format!("the worktree of run '{run}' is gone"))
            .hint("run it again: git rapid mission run")
    })?;
    Rapid::open(&site.rapid.environment().without_git().in_directory(known.path))
}

/// A worktree of exactly this commit for a checker, which sees nothing else of whoever made it.
pub(super) fn checkers_place(site: &Site, child: &str, commit: &GitId) -> Result<PathBuf> {
    let path = start::worktree_path(site.repository(), &RunId::parse(child)?)?;
    if !path.join(".git").exists() {
        site.repository().add_detached_worktree(&path, commit.as_str())?;
    }
    Ok(path)
}

/// What a maker left in its worktree: taken in as a commit behind what it began with, and judged by what may be seen of it.
pub(super) fn take_in(
    site: &Site,
    rapid: &Rapid,
    run: &RunId,
    package: &Package,
    from: &(GitId, GitId),
) -> Result<Left> {
    let repository = rapid.repository();
    let top = repository.require_workdir()?;
    let kept_out = |paths: Vec<String>| Left {
        work: from.clone(),
        fault: Some((FailureKind::SecretInDiff, format!("a secret in {}", paths.join(", ")))),
    };
    // Before anything of it is stored.
    let mut secret = Vec::new();
    for path in repository.changed_in(top)? {
        let place = top.join(&path);
        let is_plain = std::fs::symlink_metadata(&place).is_ok_and(|data| data.is_file() && data.len() <= SEARCHED);
        if is_plain && site.redactor.redact(&files::read(&place, SEARCHED)?).count > 0 {
            secret.push(path);
        }
    }
    if !secret.is_empty() {
        return Ok(kept_out(secret));
    }
    let tree = work::snapshot(repository, &site.config, Keep::Objects)?.tree;
    let changes = repository.tree_changes(Oid::try_from(&from.1)?, tree)?;
    for change in &changes {
        let is_plain = |mode: FileMode| matches!(mode, FileMode::File | FileMode::Executable);
        let Some((_, id)) = change.new.filter(|(mode, _)| is_plain(*mode)) else { continue };
        if repository.size_of(id).is_some_and(|size| size <= SEARCHED)
            && site.redactor.redact(&repository.read_verified(id, Kind::Blob, SEARCHED)?).count > 0
        {
            secret.push(change.path.clone());
        }
    }
    if !secret.is_empty() {
        return Ok(kept_out(secret));
    }
    if changes.is_empty() {
        let fault = (FailureKind::NoProgress, "the maker changed nothing".to_owned());
        return Ok(Left { work: from.clone(), fault: Some(fault) });
    }
    let message = format!("{}: {}", package.id(), package.plan().title);
    let commit = repository.commit_tree(tree, &[Oid::try_from(&from.0)?], &message, clock::now_seconds())?;
    set_ref(rapid, &format!("refs/heads/{}", branch_of(run)), commit)?;
    let paths = || changes.iter().map(|change| change.path.as_str());
    let outside = scope_allows(&package.plan().scope, paths());
    let grounds = Grounds { targets: site.missions.approval_targets.clone() };
    let touched: Vec<String> = match package.needs_approval() {
        true => Vec::new(),
        false => paths().flat_map(|path| targets_of(path, &grounds)).collect(),
    };
    let fault = match (outside.as_slice(), touched.first()) {
        ([], None) => None,
        ([], Some(target)) => Some(format!("it touches {target}, and no person allowed that")),
        (outside, _) => {
            let named: Vec<&str> = outside.iter().take(5).map(String::as_str).collect();
            Some(format!("outside of its scope: {}", named.join(", ")))
        }
    };
    let work = (commit.to_git_id(), tree.to_git_id());
    Ok(Left { work, fault: fault.map(|text| (FailureKind::ScopeViolation, text)) })
}

/// The mission's commit and tree with the work of a package in it; `None` when git's own merge has conflicts.
pub(super) fn merged(site: &Site, mission: &Mission, package: &Package) -> Result<Option<(GitId, GitId)>> {
    let Some((commit, tree)) = package.work() else { return Ok(None) };
    let repository = site.repository();
    let (tip, made) = (Oid::try_from(&mission.tip().0)?, Oid::try_from(commit)?);
    if repository.parents_of(made)? == [tip] {
        return Ok(Some((commit.clone(), tree.clone())));
    }
    let Some(tree) = repository.merge_and_keep(tip, made)? else { return Ok(None) };
    let message = format!("{}: {}, with what was done beside it", package.id(), package.plan().title);
    let commit = repository.commit_tree(tree, &[tip, made], &message, clock::now_seconds())?;
    Ok(Some((commit.to_git_id(), tree.to_git_id())))
}

/// Brings the mission's branch to where the events say it is (RAPID1914 when somebody else moved it, RAPID1309 when somebody
/// has it checked out: its files would not be those of its commit any more).
pub(super) fn bring_branch<'e>(site: &Site, mission: &Mission, events: impl Iterator<Item = &'e Event>) -> Result<()> {
    let name = branch(mission.id());
    let tip = Oid::try_from(&mission.tip().0)?;
    let now = site.repository().read_ref(&name)?;
    if now == Some(tip) {
        return Ok(());
    }
    let worktrees = site.repository().worktrees()?;
    if let Some(there) = worktrees.into_iter().find(|worktree| worktree.branch.as_ref() == Some(&name)) {
        let short = name.trim_start_matches("refs/heads/");
        return Err(Code::Rapid1309
            .because(format!("'{short}' is checked out in '{}', and it is not moved there", there.path.display()))
            .hint("go to another branch there: git switch --detach; then: git rapid mission run"));
    }
    let Some(now) = now else { return set_ref(&site.rapid, &name, tip) };
    let mut earlier = vec![mission.base().0.clone()];
    earlier.extend(events.filter_map(|event| match event {
        Event::Accepted { tip, .. } => Some(tip.0.clone()),
        _ => None,
    }));
    match earlier.contains(&now.to_git_id()) {
        true => set_ref(&site.rapid, &name, tip),
        false => Err(Code::Rapid1914
            .because(format!("'{name}' stands at {}, and the mission left it at {}", now.short(), tip.short()))
            .hint(format!("keep what is there under another name, then: git update-ref {name} {tip}"))),
    }
}

fn set_ref(rapid: &Rapid, name: &str, new: Oid) -> Result<()> {
    let repository = rapid.repository();
    let old = repository.read_ref(name)?;
    let edit = RefEdit { name: name.to_owned(), old, new };
    match repository.update_refs(&[edit], "mission", &repository.identity(), clock::now_seconds(), &|_| {})? {
        RefUpdate::Moved => Ok(()),
        RefUpdate::Lost => Err(Code::Rapid1914.because(format!("'{name}' moved while it was being moved"))),
    }
}

/// Removes every worktree of a mission that is over, and closes its runs.
pub(super) fn sweep_all(site: &Site, mission: &Mission) -> Result<()> {
    swept(site, mission, &|_| true)
}

/// Removes the worktrees of this mission that nothing is done in any more, and closes the runs of attempts that failed.
pub(super) fn sweep(site: &Site, mission: &Mission) -> Result<()> {
    let is_over = |name: &str| {
        let live = mission.in_order().filter(|package| package.status().is_at_work());
        let mut live = live.filter_map(|package| package.attempts().last().map(|attempt| attempt.run.as_str()));
        let children = mission.active_children().any(|(id, child)| id.as_str() == name || child.run.as_str() == name);
        let at_the_end = mission.finals().1.is_some_and(|run| run.as_str() == name) && !mission.status().is_terminal();
        !(children || at_the_end || live.any(|run| run == name))
    };
    swept(site, mission, &is_over)
}

fn swept(site: &Site, mission: &Mission, is_over: &dyn Fn(&str) -> bool) -> Result<()> {
    let mine = format!("{}-", mission.id());
    // Whichever worktree of the user they were made from, they lie beside it in a directory of this name.
    let is_ours = |path: &Path| path.parent().is_some_and(|place| place.to_string_lossy().ends_with(".rapid"));
    for worktree in site.repository().worktrees()? {
        let Some(name) = worktree.path.file_name().and_then(|name| name.to_str()) else { continue };
        if !is_ours(&worktree.path) || !name.starts_with(&mine) || !is_over(name) {
            continue;
        }
        let there = site.rapid.environment().without_git().in_directory(&worktree.path);
        if let Ok(own) = crate::git::Repository::discover(&there) {
            Sessions::of(&own).forget()?;
        }
        site.repository().discard_worktree(&worktree.path)?;
    }
    // What was taken is on the mission's branch; the branches of attempts that failed stay, for whoever wants to look.
    let taken = mission.in_order().filter(|package| package.status() == PackageStatus::Done);
    let taken = taken.filter_map(|package| package.attempts().last().map(|attempt| &attempt.run));
    for run in taken.chain(mission.finals().1).filter(|run| is_over(run.as_str())) {
        let name = format!("refs/heads/{}", branch_of(run));
        if let Some(old) = site.repository().read_ref(&name)? {
            site.repository().remove_ref(&name, old)?;
        }
    }
    let tried = mission.in_order().flat_map(|package| {
        let done = package.status() == PackageStatus::Done;
        package.attempts().iter().filter(move |attempt| {
            use crate::mission::AttemptStatus::{Failed, Interrupted};
            !done || matches!(attempt.status, Failed | Interrupted)
        })
    });
    for attempt in tried.filter(|attempt| is_over(attempt.run.as_str())) {
        let records = site.rapid.registry().records()?;
        if records.has_run(&attempt.run)? && !records.run(&attempt.run)?.state()?.status.is_terminal() {
            abort::abort(&site.rapid, Some(&attempt.run), &format!("the attempt {}", attempt.status))?;
        }
    }
    Ok(())
}

/// What the governing of a run refuses is said by its own verdict and stops no mission.
pub(super) fn as_governed<T>(done: Result<T>) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.code.class() == Class::Refusal => Ok(None),
        Err(error) if matches!(error.code, Code::Rapid1010 | Code::Rapid1013 | Code::Rapid1014) => Ok(None),
        Err(error) => Err(error),
    }
}
