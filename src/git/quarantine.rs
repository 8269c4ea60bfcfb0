//! Objects that a push has brought to a server and that are not accepted yet. Git keeps them apart and tells its hooks where
//! by variables; gix does not look there, and a git that we start would not be told.
//!
//! A hook in quarantine reads and refuses; it moves no ref, and what is written meanwhile is thrown away.

use crate::diagnostics::{Code, Result};
use crate::os::environment::Environment;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// What git says about the place; a git that works there is told the same.
const TOLD: &[&str] = &["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"];

/// The quarantine that a hook was started in.
#[derive(Clone)]
pub(super) struct Quarantine {
    told: Vec<(&'static str, OsString)>,
    /// An object directory that holds nothing but the way to the others.
    objects: Arc<tempfile::TempDir>,
}

impl Quarantine {
    /// The quarantine that the environment tells of.
    pub(super) fn of(environment: &Environment, common_dir: &Path) -> Result<Option<Quarantine>> {
        let Some(brought) = environment.path("GIT_QUARANTINE_PATH") else { return Ok(None) };
        let cannot = |error: std::io::Error| {
            Code::Rapid002.because(format!("what the push brought cannot be looked at: {error}"))
        };
        let brought = environment.cwd().join(environment.path("GIT_OBJECT_DIRECTORY").unwrap_or(brought));
        let objects = tempfile::Builder::new().prefix("rapid-quarantine-").tempdir().map_err(cannot)?;
        std::fs::create_dir(objects.path().join("info")).map_err(cannot)?;
        let mut way = Vec::new();
        for place in [brought, common_dir.join("objects")] {
            way.extend_from_slice(place.canonicalize().map_err(cannot)?.as_os_str().as_encoded_bytes());
            way.push(b'\n');
        }
        std::fs::write(objects.path().join("info/alternates"), way).map_err(cannot)?;
        let told = TOLD.iter().filter_map(|name| {
            let value = environment.get(name)?;
            // The list of alternates is absolute already; the others may be relative to where the hook was started.
            let absolute = environment.cwd().join(value).into_os_string();
            Some((*name, if name.contains("ALTERNATE") { value.to_owned() } else { absolute }))
        });
        Ok(Some(Quarantine { told: told.collect(), objects: Arc::new(objects) }))
    }

    /// Makes a repository see what was brought.
    pub(super) fn show_to(&self, gix: &mut gix::Repository) -> Result<()> {
        let opened = gix::odb::at(self.objects.path(), gix.object_hash());
        let handle =
            opened.map_err(|error| Code::Rapid1505.because(format!("the quarantine cannot be read: {error}")))?;
        gix.objects = gix::odb::memory::Proxy::from(handle).with_write_passthrough();
        Ok(())
    }

    /// The variables for a git that is to see it too.
    pub(super) fn told(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.told.iter().map(|(name, value)| (*name, value))
    }
}
