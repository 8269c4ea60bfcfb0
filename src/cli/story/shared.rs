//! Arguments that the subcommands share.

use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::os::environment::Environment;
use crate::verbs::story::Place;
use std::path::PathBuf;

/// The repository of a project: what was done is recorded in it (RAPID1500).
pub fn repository(place: &Place) -> Result<&Repository> {
    place.repository.as_ref().ok_or_else(|| {
        Code::Rapid1500
            .because(format!("'{}' lies in no git repository", place.root.display()))
            .hint("make one with 'git init': each turn is recorded in it, and undone by it")
    })
}

/// Where, and under which configuration.
#[derive(clap::Args)]
pub struct Where {
    /// The project; the nearest one above when left out
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Another configuration
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Who plays every role that names no provider of its own: pi, claude, codex, opencode, or one of the configuration
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
}

impl Where {
    /// The project.
    pub fn place(&self, environment: &Environment) -> Result<Place> {
        Place::find(environment, self.directory.as_deref())
    }

    /// The other configuration, from the working directory.
    pub fn config(&self, environment: &Environment) -> Option<PathBuf> {
        self.config.as_ref().map(|path| environment.cwd().join(path))
    }
}
