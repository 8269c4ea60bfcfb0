//! What every verb starts from: the repository, its records, the session of this worktree.

use super::worktrees;
use crate::check::redact::{Redactor, secret_values};
use crate::diagnostics::{Code, Result};
use crate::domain::{config::Config, ids::RunId, session::Session};
use crate::git::{Oid, Repository};
use crate::os::{environment::Environment, files};
use crate::registry::{Records, Registry, Run, Sessions};

/// Where the rules of a repository are.
pub const RULES: &str = ".rapid";

/// The versioned configuration's path in a repository.
pub const CONFIG_PATH: &str = ".rapid/config.toml";

/// The largest configuration that is read, in bytes.
const CONFIG_CAP: u64 = 1 << 20;

/// A repository that is being worked in.
pub struct Rapid {
    repository: Repository,
}

impl Rapid {
    /// The repository of the environment's working directory.
    pub fn open(environment: &Environment) -> Result<Rapid> {
        Ok(Rapid { repository: Repository::discover(environment)? })
    }

    /// A repository that is open already.
    pub fn of(repository: Repository) -> Rapid {
        Rapid { repository }
    }

    /// The repository.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Its records.
    pub fn registry(&self) -> Registry<'_> {
        Registry::of(&self.repository)
    }

    /// The session file of this worktree.
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions::of(&self.repository)
    }

    /// The environment it was opened in.
    pub fn environment(&self) -> &Environment {
        self.repository.environment()
    }

    /// The configuration in the working copy; the default when there is none. It says how this clone behaves; what a run is
    /// judged by are the terms in its contract.
    pub fn working_config(&self) -> Result<Config> {
        let Some(top) = self.repository.workdir() else { return Ok(Config::default()) };
        let path = top.join(CONFIG_PATH);
        let Some(bytes) = files::read_if_there(&path, CONFIG_CAP)? else { return Ok(Config::default()) };
        parse_config(&bytes).map_err(|error| error.at(CONFIG_PATH))
    }

    /// The configuration that a run was promised under.
    pub fn config_of(&self, records: &Records<'_>, run: &RunId) -> Result<Config> {
        let place = crate::registry::Place::Term(run.clone(), "config.toml".to_owned());
        match records.view().read(&place.path())? {
            None => Ok(Config::default()),
            Some(bytes) => parse_config(&bytes).map_err(|error| error.at(place.path())),
        }
    }

    /// What takes secrets out of everything that is stored under a configuration: logs, files, and whatever people and
    /// agents say in words.
    pub fn redactor(&self, config: &Config) -> Result<Redactor> {
        Redactor::new(secret_values(self.environment()), &config.redact_patterns, &config.redact_allow)
    }

    /// What somebody says in words about a run, without secrets.
    pub fn said(&self, records: &Records<'_>, run: &RunId, words: &str) -> Result<String> {
        Ok(self.redactor(&self.config_of(records, run)?)?.text(words))
    }

    /// The run that is meant: the named one, else the session's. RAPID1300 when there is none.
    pub fn run_id(&self, named: Option<&RunId>) -> Result<RunId> {
        match named {
            Some(id) => Ok(id.clone()),
            None => self.session()?.map(|session| session.active_run_id).ok_or_else(no_run),
        }
    }

    /// The session of this worktree; of a run's own worktree also where its file is gone.
    pub fn session(&self) -> Result<Option<Session>> {
        match self.sessions().read()? {
            None => worktrees::session_of_place(self),
            found => Ok(found),
        }
    }

    /// The run that is meant, loaded and verified.
    pub fn run(&self, named: Option<&RunId>) -> Result<(Records<'_>, Run)> {
        let id = self.run_id(named)?;
        let records = self.registry().existing_records()?;
        let id = if named.is_some() { records.meant(&id)? } else { id };
        let run = records.run(&id);
        let run = run.map_err(|error| match (named, error.code) {
            (None, Code::Rapid1007) => Code::Rapid1304
                .because(format!("the session's run '{id}' is not in the ledger"))
                .hint("name another run with --run, or forget the session with 'git rapid abort'"),
            _ => error,
        })?;
        Ok((records, run))
    }
}

/// The configuration as a commit has it.
pub fn config_at(repository: &Repository, commit: Oid) -> Result<Config> {
    match repository.lookup(repository.tree_of(commit)?, CONFIG_PATH)? {
        None => Ok(Config::default()),
        Some(file) => parse_config(&repository.read(file.id, 1 << 20)?.data).map_err(|error| error.at(CONFIG_PATH)),
    }
}

/// Reads a configuration's bytes.
pub fn parse_config(bytes: &[u8]) -> Result<Config> {
    let text = std::str::from_utf8(bytes).map_err(|_| Code::Rapid1600.because("the configuration is not UTF-8"))?;
    Config::parse(text)
}

fn no_run() -> crate::diagnostics::Diagnostic {
    Code::Rapid1300
        .because("no run is active here")
        .hint("name one with --run, of those that 'git rapid run list' lists")
        .hint("or begin one: git rapid start feature --title '…' --task '…'")
}
