//! The session file of a worktree: which run is active here. In git's private directory, never in the ledger.

use crate::diagnostics::{Code, Result};
use crate::domain::{json, session::Session};
use crate::git::Repository;
use crate::os::files;
use std::path::PathBuf;

/// The session of the worktree that a repository was opened in.
pub struct Sessions<'r> {
    repository: &'r Repository,
}

impl<'r> Sessions<'r> {
    /// Of this worktree.
    pub fn of(repository: &'r Repository) -> Sessions<'r> {
        Sessions { repository }
    }

    /// Where the file lies.
    pub fn path(&self) -> PathBuf {
        self.repository.private_dir().join("session.json")
    }

    /// The session, when there is one (RAPID1304 when it cannot be understood).
    pub fn read(&self) -> Result<Option<Session>> {
        let path = self.path();
        let Some(bytes) = files::read_if_there(&path, 1 << 20)? else { return Ok(None) };
        let value = json::parse(&bytes)
            .map_err(|fault| Code::Rapid1304.because(format!("the session file is not JSON: {fault}")));
        let session = value.and_then(Session::from_value);
        session.map(Some).map_err(|error| {
            error
                .at(path.display().to_string())
                .hint("name the run with --run, or forget the session with 'git rapid abort'")
        })
    }

    /// Remembers a session.
    pub fn write(&self, session: &Session) -> Result<()> {
        files::create_dir_all(&self.repository.private_dir())?;
        files::write_atomically(&self.path(), session.to_value().pretty().as_bytes())
    }

    /// Forgets the session; says whether there was one.
    pub fn forget(&self) -> Result<bool> {
        files::remove(&self.path())
    }
}
