//! Stories: the project whose backlog is worked, what a run is asked, what comes of it.
//!
//! What may happen to a story is decided in `story`; here files are read and the engine is driven.

pub mod config;
pub mod dry_run;
pub mod groom;
pub mod init;
pub mod load;
pub mod run;
pub mod validate;

use crate::agent::provider::Provider;
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::os::environment::Environment;
use crate::story::config::StoryConfig;
use crate::story::{Filter, Machine, Role, Transitions};
use std::path::{Path, PathBuf};

/// Where a project is, and the repository that it lies in.
pub struct Place {
    /// The project's top, where agents work and paths begin.
    pub root: PathBuf,
    /// The repository, if there is one.
    pub repository: Option<Repository>,
}

/// A run that is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The project's top.
    pub root: PathBuf,
    /// What is configured; flags of the command line are in it already.
    pub config: StoryConfig,
    /// Which stories.
    pub filter: Filter,
    /// Go on where the last run stopped.
    pub resume: bool,
    /// Where progress is written too.
    pub log_file: Option<PathBuf>,
}

/// A run that has ended, whether agents did it or a dry run.
#[derive(Debug)]
pub struct Outcome {
    /// The engine at its end; `story::report::Report::of` reads it.
    pub machine: Machine,
    /// Every move, in order.
    pub transitions: Transitions,
    /// How long it took.
    pub elapsed_seconds: u64,
}

impl Place {
    /// The project of a directory; without one, the nearest above the working directory that has a configuration or
    /// stories, else the whole working copy (RAPID1704).
    pub fn find(environment: &Environment, directory: Option<&Path>) -> Result<Place> {
        let start = match directory {
            Some(directory) => environment.cwd().join(directory),
            None => environment.cwd().to_owned(),
        };
        let start = start.canonicalize().ok().filter(|path| path.is_dir()).ok_or_else(|| {
            Code::Rapid1704
                .because(format!("there is no directory '{}'", start.display()))
                .hint("name the project's top directory, or leave it out inside the project")
        })?;
        let repository = match Repository::discover(&environment.clone().in_directory(&start)) {
            Ok(repository) => Some(repository),
            Err(error) if error.code == Code::Rapid1500 => None,
            Err(error) => return Err(error),
        };
        let top = repository.as_ref().and_then(Repository::workdir).and_then(|top| top.canonicalize().ok());
        let root = match directory {
            Some(_) => start,
            None => {
                let is_project = |path: &&Path| path.join(".regista").is_dir() || path.join(config::OURS).is_file();
                let mut above =
                    start.ancestors().take_while(|path| top.as_ref().is_none_or(|top| path.starts_with(top)));
                above.find(is_project).map(Path::to_owned).or(top).unwrap_or(start)
            }
        };
        Ok(Place { root, repository })
    }
}

/// Who plays a role: the provider and its instructions, relative to the project. `None` when nobody knows the provider.
pub fn cast(root: &Path, config: &StoryConfig, role: Role) -> Option<(Provider, String)> {
    let provider = Provider::named(config.agents.provider(role), &config.providers)?;
    let named = config.agents.instructions(role).map(str::to_owned);
    let instructions = named.unwrap_or_else(|| {
        let paths = provider.instruction_paths(role);
        let there = paths.iter().find(|path| root.join(path).is_file()).or(paths.first());
        there.cloned().unwrap_or_default()
    });
    Some((provider, instructions))
}

/// Everybody who plays a role is known (RAPID1701).
pub fn require_providers(config: &StoryConfig) -> Result<()> {
    let asked = Role::ALL.iter().map(|role| config.agents.provider(*role));
    match asked.into_iter().find(|name| Provider::named(name, &config.providers).is_none()) {
        None => Ok(()),
        Some(name) => {
            let configured = config.providers.keys().map(String::as_str);
            let known: Vec<&str> = Provider::names().map(|name| name as &str).chain(configured).collect();
            Err(Code::Rapid1701
                .because(format!("nobody knows the provider '{}'", name.escape_debug()))
                .hint(format!("known: {}; [providers.NAME] in the configuration adds one", known.join(", "))))
        }
    }
}
