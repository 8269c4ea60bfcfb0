//! Which run is active in a worktree (§2.10). Not a record: no digest, never in the ledger, forgotten by `abort`.

use super::{
    git_id::GitId,
    ids::{HarnessId, RunId},
    json::{Fields, Value},
    mode::Mode,
};
use crate::diagnostics::{Code, Result};
use std::path::Path;

/// The session of one worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The active run.
    pub active_run_id: RunId,
    /// Its mode.
    pub mode: Mode,
    /// Its harness.
    pub harness: HarnessId,
    /// `HEAD` when it began; `None` in a repository without commits.
    pub start_head: Option<GitId>,
    /// The run's own worktree, absolute, when it has one.
    pub workspace_path: Option<String>,
}

impl Session {
    /// Whether the run works in this working copy, and not in a worktree of its own elsewhere.
    pub fn works_in(&self, workdir: Option<&Path>) -> bool {
        self.workspace_path.as_deref().is_none_or(|path| workdir == Some(Path::new(path)))
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("active_run_id", (&self.active_run_id).into()),
            ("mode", self.mode.into()),
            ("harness", (&self.harness).into()),
            ("start_head", self.start_head.as_ref().into()),
        ])
        .with_some("workspace_path", self.workspace_path.as_ref())
    }

    /// Reads what [`Session::to_value`] writes; faults are RAPID1304.
    pub fn from_value(value: Value) -> Result<Session> {
        let code = Code::Rapid1304;
        let mut fields = Fields::of(value, code, "the session")?;
        fields.version()?;
        let session = Session {
            active_run_id: RunId::parse(&fields.text("active_run_id")?)?,
            mode: Mode::parse(&fields.text("mode")?, code)?,
            harness: HarnessId::parse(&fields.text("harness")?)?,
            start_head: fields.text_or_null("start_head")?.map(|id| GitId::parse(&id, code)).transpose()?,
            workspace_path: fields.optional_text("workspace_path")?,
        };
        fields.end()?;
        Ok(session)
    }
}
