//! Putting the hooks beside those that are there, and taking them out again so that nothing tells they were there.
//!
//! Where a hook goes depends on who keeps the hooks here (`place`): git itself, git's configuration, husky, lefthook or
//! pre-commit. What was there before keeps running, first, with the same arguments and the same lines to read.

mod declared;
mod file;
mod lefthook;
mod place;
mod script;

pub use place::{Keeper, Standing, State};

use super::moment::{Moment, Set};
use super::receive::PROTECT;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::config::{PrePush, PushRules};
use crate::git::Repository;
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;
use place::Place;
use std::collections::BTreeSet;
use std::path::Path;

/// Where the stubs find the program when it is not on the `PATH`, as under programs with a window.
const PROGRAM: &str = "rapid.program";

/// Which hooks suit this repository when nobody says: those of a server in a bare one, the guard of the ledger where it was
/// asked for before.
pub fn usual(rapid: &Rapid) -> Result<Set> {
    if rapid.repository().workdir().is_none() {
        return Ok(Set::Server);
    }
    let guarded = |standing: &Standing| {
        standing.moment == Moment::ReferenceTransaction && matches!(standing.state, State::Installed | State::Outdated)
    };
    Ok(if status(rapid, Set::Guarded)?.iter().any(guarded) { Set::Guarded } else { Set::Client })
}

/// Installs the hooks of a set; says how each stands then. Repeatable.
pub fn install(rapid: &Rapid, set: Set, protect: &[String]) -> Result<Vec<Standing>> {
    let repository = rapid.repository();
    if let Some(elsewhere) = elsewhere(repository)? {
        return Err(elsewhere);
    }
    refuse_useless(repository, set, protect)?;
    let places = place::of(repository, set.moments())?;
    // All or none: nothing is moved before it is known that everything can be.
    for (moment, place) in &places {
        if let Place::File { path, before } = place {
            file::check(path, before)?;
            file::refuse_edited(*moment, path)?;
        }
    }
    let wrote = places.iter().any(|(_, place)| matches!(place, Place::Lefthook { .. }));
    if set != Set::Server && (wrote || lefthook::is_used(repository)) {
        lefthook::prepare(repository)?;
    }
    for (moment, place) in &places {
        match place {
            Place::File { path, before } => file::install(*moment, path, before)?,
            Place::Script { path } => script::install(path, &moment.block())?,
            Place::Lefthook { script } => lefthook::install(repository, script)?,
            Place::Declared => {
                // Under an older git it was a file, which this one would run as well.
                file::uninstall(&repository.hooks_dir()?, *moment)?;
                declared::install(repository, *moment)?;
            }
        }
    }
    if let Some(program) = Environment::program() {
        repository.set_config(PROGRAM, program)?;
    }
    let known = repository.config_texts(PROTECT);
    for pattern in protect.iter().filter(|pattern| !known.contains(pattern)) {
        repository.add_config(PROTECT, pattern)?;
    }
    status(rapid, set)
}

/// Why nothing is installed here: the hooks are those of every repository (RAPID1615).
pub fn elsewhere(repository: &Repository) -> Result<Option<Diagnostic>> {
    let scope = repository.hooks_path_scope()?.filter(|scope| scope != "local" && scope != "worktree");
    Ok(scope.map(|scope| {
        let why = format!("core.hooksPath is set in the {scope} configuration: those hooks belong to every repository");
        let own = "\"$(git rev-parse --path-format=absolute --git-common-dir)/hooks\"";
        Code::Rapid1615.because(why).hint(format!("give this one its own: git config --local core.hooksPath {own}"))
    }))
}

/// Refuses what would do nothing in this repository, or would make it refuse every push.
fn refuse_useless(repository: &Repository, set: Set, protect: &[String]) -> Result<()> {
    PushRules::patterns(protect, PrePush::Require)?;
    if set == Set::Guarded && repository.workdir().is_none() {
        return Err(Code::Rapid1615
            .because("a bare repository gets the hooks of a server, which guard the ledger without being asked")
            .hint("git rapid hooks install"));
    }
    if set != Set::Server && !protect.is_empty() {
        return Err(Code::Rapid1615
            .because("'--protect' says what a server refuses, and these would be the hooks of a clone")
            .hint("what this clone pushes is judged by enforce.pre_push in .rapid/config.toml")
            .hint("when others push to this repository although it has a working copy, add --server"));
    }
    Ok(())
}

/// Takes out whatever is git-rapid's, wherever it was put; what was there before is there again. Names what changed.
pub fn uninstall(rapid: &Rapid) -> Result<Vec<String>> {
    let repository = rapid.repository();
    let mut changed = Vec::new();
    let directory = repository.hooks_dir()?;
    // A manager that came after us has sent git elsewhere; what we left in git's own place goes too.
    let own = repository.common_dir().join("hooks");
    for moment in Moment::ALL.iter().copied() {
        for path in BTreeSet::from([&directory, &own]).into_iter().flat_map(|place| file::names(place, moment)) {
            file::refuse_edited(moment, &path)?;
        }
    }
    for moment in Moment::ALL.iter().copied() {
        changed.extend(declared::uninstall(repository, moment)?);
        changed.extend(script::uninstall(&place::husky_script(&directory, moment))?);
        for directory in BTreeSet::from([&directory, &own]) {
            changed.extend(file::uninstall(directory, moment)?);
            changed.extend(lefthook::uninstall_from(repository, &directory.join(moment.as_str()))?);
        }
    }
    changed.extend(lefthook::uninstall(repository)?);
    if directory != own {
        crate::os::files::remove_empty_dir(&directory);
    }
    crate::os::files::remove_empty_dir(&own_dir(repository));
    let elsewhere = is_used_elsewhere(repository, &directory)?;
    for key in [PROGRAM, PROTECT] {
        if !elsewhere && repository.unset_config(key)? {
            changed.push(format!("{key} in this clone's configuration"));
        }
    }
    Ok(changed)
}

/// Whether another worktree has hooks of ours: under a relative `core.hooksPath` each has its own, and all share the clone's
/// configuration.
fn is_used_elsewhere(repository: &Repository, directory: &Path) -> Result<bool> {
    let Some(within) = repository.workdir().and_then(|top| directory.strip_prefix(top).ok()) else { return Ok(false) };
    for worktree in repository.worktrees()? {
        let there = worktree.path.join(within);
        for moment in Moment::ALL.iter().copied() {
            let files = file::names(&there, moment);
            if files.iter().any(|path| file::is_ours(path).unwrap_or(false))
                || script::is_in(&place::husky_script(&there, moment))?
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// How each hook of a set stands.
pub fn status(rapid: &Rapid, set: Set) -> Result<Vec<Standing>> {
    let repository = rapid.repository();
    let places = place::of(repository, set.moments())?;
    let standings = places.into_iter().map(|(moment, place)| {
        let state = match &place {
            Place::File { path, .. } => file::state(moment, path)?,
            Place::Script { path } => script::state(path, &moment.block())?,
            Place::Lefthook { script } => lefthook::state(repository, script)?,
            Place::Declared => declared::state(repository, moment)?,
        };
        Ok(Standing { moment, state, keeper: place::keeper(&place), path: place::shown(repository, moment, &place) })
    });
    standings.collect()
}

/// The files of the project that hold hooks of ours: everybody has them, once they are committed.
pub fn files_of_the_project(rapid: &Rapid, standings: &[Standing]) -> Vec<String> {
    let top = rapid.repository().workdir();
    let husky = standings.iter().filter(|standing| standing.keeper == Keeper::Husky);
    let within = husky.filter_map(|standing| standing.path.strip_prefix(top?).ok());
    within.map(|path| path.display().to_string()).collect()
}

/// The files in the working copy that name a file of this clone, and would mislead every other one.
pub fn files_of_this_clone(rapid: &Rapid) -> Result<Vec<&'static str>> {
    let Some(top) = rapid.repository().workdir() else { return Ok(Vec::new()) };
    Ok(script::is_in(&top.join(lefthook::LOCAL))?.then_some(lefthook::LOCAL).into_iter().collect())
}

/// Where files of ours lie that hooks elsewhere call: in git's directory, shared by all worktrees.
fn own_dir(repository: &Repository) -> std::path::PathBuf {
    repository.shared_dir().join("hooks")
}
