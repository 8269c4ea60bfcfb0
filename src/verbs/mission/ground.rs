//! Where the work of a mission lies: a worktree for each attempt and each checker, the commit of what was made, the mission's own
//! branch. The user's branch, index and working copy are never touched.

use super::Site;
use crate::diagnostics::{Class, Code, Result};
use crate::domain::git_id::GitId;
use crate::domain::harmless::harmless;
use crate::domain::ids::RunId;
use crate::domain::mode::Mode;
use crate::domain::spec::SpecDraft;
use crate::git::{Keep, Kind, Merge, Mode as FileMode, Oid, RefEdit, RefUpdate};
use crate::mission::{Event, Grounds, Mission, MissionId, Package, WorkPackage, scope_allows, targets_of};
use crate::os::{clock, files};
use crate::safety::FailureKind;
use crate::verbs::rapid::Rapid;
use crate::verbs::worktrees::{branch_of, worktree_of};
use crate::verbs::{start, work};
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

impl Left {
    /// Nothing is kept of it.
    pub fn nothing(from: &(GitId, GitId), kind: FailureKind, why: String) -> Left {
        Left { work: from.clone(), fault: Some((kind, why)) }
    }

    fn without(from: &(GitId, GitId), paths: &[String]) -> Left {
        let named: Vec<&str> = paths.iter().take(5).map(String::as_str).collect();
        Left::nothing(from, FailureKind::Rejected, format!("it holds what cannot be kept: {}", named.join(", ")))
    }
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

/// The worktree of a run as it is; where it is gone, another that begins at this commit.
pub(super) fn place_of(site: &Site, run: &RunId, from: &GitId) -> Result<Rapid> {
    if let Some(rapid) = reopen(site, run)? {
        return Ok(rapid);
    }
    let path = match worktree_of(&site.rapid, run)? {
        // Git still knows of it.
        Some(gone) => {
            site.repository().discard_worktree(&gone.path)?;
            gone.path
        }
        None => start::worktree_path(site.repository(), run)?,
    };
    site.repository().add_worktree_at(&path, &branch_of(run), from.as_str())?;
    Rapid::open(&site.rapid.environment().without_git().in_directory(&path))
}

/// The worktree of a run that was opened before; `None` when it is gone.
pub(super) fn reopen(site: &Site, run: &RunId) -> Result<Option<Rapid>> {
    let known = worktree_of(&site.rapid, run)?.filter(|known| known.path.join(".git").exists());
    known.map(|known| Rapid::open(&site.rapid.environment().without_git().in_directory(known.path))).transpose()
}

/// A worktree of exactly this commit for a checker, which sees nothing else of whoever made it.
pub(super) fn checkers_place(site: &Site, child: &str, commit: &GitId) -> Result<PathBuf> {
    let path = start::worktree_path(site.repository(), &RunId::parse(child)?)?;
    if !path.join(".git").exists() {
        forget_gone(site, &path)?;
        site.repository().add_detached_worktree(&path, commit.as_str())?;
    }
    Ok(path)
}

/// Makes git forget a worktree whose directory somebody removed, so that it can be made anew.
fn forget_gone(site: &Site, path: &Path) -> Result<()> {
    let is_known = !path.exists() && site.repository().worktrees()?.iter().any(|worktree| worktree.path == path);
    if is_known { site.repository().discard_worktree(path) } else { Ok(()) }
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
    let kept_out = |paths: Vec<String>| {
        Left::nothing(from, FailureKind::SecretInDiff, format!("a secret in {}", paths.join(", ")))
    };
    let mut unkept = Vec::new();
    let too_large = |path: &str| format!("{path} (larger than the {SEARCHED} bytes that are searched for secrets)");
    // Before anything of it is stored.
    let mut secret = Vec::new();
    for path in repository.changed_in(top)? {
        let place = top.join(&path);
        let Ok(data) = std::fs::symlink_metadata(&place) else { continue };
        if data.is_file() && data.len() > SEARCHED {
            unkept.push(too_large(&path));
        } else if data.is_file() && site.redactor.redact(&files::read(&place, SEARCHED)?).count > 0 {
            secret.push(path);
        }
    }
    if !secret.is_empty() {
        return Ok(kept_out(secret));
    }
    if !unkept.is_empty() {
        return Ok(Left::without(from, &unkept));
    }
    let snapshot = work::snapshot(repository, &site.config, Keep::Objects)?;
    let tree = snapshot.tree;
    // What the tree does not hold would be gone with the worktree.
    unkept.extend(snapshot.withheld.iter().map(|(path, why)| format!("{path} ({})", why.as_str())));
    let nested = snapshot.notes.opaque.iter().chain(&snapshot.notes.dirty_submodules);
    unkept.extend(nested.map(|path| format!("{path} (a repository of its own)")));
    let changes = repository.tree_changes(Oid::try_from(&from.1)?, tree)?;
    for change in &changes {
        let is_plain = |mode: FileMode| matches!(mode, FileMode::File | FileMode::Executable);
        let Some((mode, id)) = change.new else { continue };
        let size = repository.size_of(id);
        if mode == FileMode::Gitlink && size.is_none() {
            unkept.push(format!("{} (the commit {} of another repository)", change.path, id.short()));
        } else if is_plain(mode) && size.is_some_and(|size| size > SEARCHED) {
            unkept.push(too_large(&change.path));
        } else if is_plain(mode) && site.redactor.redact(&repository.read_verified(id, Kind::Blob, SEARCHED)?).count > 0
        {
            secret.push(change.path.clone());
        }
    }
    if !secret.is_empty() {
        return Ok(kept_out(secret));
    }
    if !unkept.is_empty() {
        return Ok(Left::without(from, &unkept));
    }
    if changes.is_empty() {
        return Ok(Left::nothing(from, FailureKind::NoProgress, "the maker changed nothing".to_owned()));
    }
    let message = message(site, package, "");
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

/// What the commit of a package says.
fn message(site: &Site, package: &Package, more: &str) -> String {
    let title = harmless(&package.plan().title.replace(char::is_control, " "));
    format!("{}: {}{more}", package.id(), site.redactor.text(&title))
}

/// The mission's commit and tree with the work of a package in it, or why git's own merge makes none.
pub(super) fn merged(
    site: &Site,
    mission: &Mission,
    package: &Package,
    work: &(GitId, GitId),
) -> Result<std::result::Result<(GitId, GitId), String>> {
    let repository = site.repository();
    let (tip, made) = (Oid::try_from(&mission.tip().0)?, Oid::try_from(&work.0)?);
    if repository.parents_of(made)? == [tip] {
        return Ok(Ok(work.clone()));
    }
    let tree = match repository.merge_and_keep(tip, made)? {
        Merge::Clean(tree) => tree,
        Merge::Conflicts(paths) => {
            let named: Vec<&str> = paths.iter().take(5).map(String::as_str).collect();
            let places = if named.is_empty() { String::new() } else { format!(" in {}", named.join(", ")) };
            return Ok(Err(format!("it conflicts with what was done meanwhile{places}")));
        }
    };
    let message = message(site, package, ", with what was done beside it");
    let commit = repository.commit_tree(tree, &[tip, made], &message, clock::now_seconds())?;
    Ok(Ok((commit.to_git_id(), tree.to_git_id())))
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

/// What the governing of a run refuses is said by its own verdict and stops no mission.
pub(super) fn as_governed<T>(done: Result<T>) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.code.class() == Class::Refusal => Ok(None),
        Err(error) if matches!(error.code, Code::Rapid1010 | Code::Rapid1013 | Code::Rapid1014) => Ok(None),
        Err(error) => Err(error),
    }
}
