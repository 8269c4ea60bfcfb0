//! Opening a repository as strictly as git does, with the settings that could move an answer pinned (design §3).

use super::{config, quarantine::Quarantine, spool::Spooling};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::git_id::ObjectFormat;
use crate::os::environment::Environment;
use std::path::{Path, PathBuf};

/// Where the repository keeps its refs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefStorage {
    /// Loose files and `packed-refs`; read and written in process.
    Files,
    /// reftable; read and written by the git executable.
    Reftable,
}

/// An open repository. A clone is a handle of its own for another thread.
#[derive(Clone)]
pub struct Repository {
    pub(super) gix: gix::Repository,
    /// The same objects once more, of which it reads only small ones; see [`Repository::bounded`].
    pub(super) small: Option<gix::Repository>,
    pub(super) environment: Environment,
    pub(super) quarantine: Option<Quarantine>,
    pub(super) spooling: Spooling,
    storage: RefStorage,
    format: ObjectFormat,
}

/// Settings that would let a clone's configuration change what is read or wait too briefly for a lock.
const PINNED: &[&str] = &[
    "core.useReplaceRefs=false",
    "core.filesRefLockTimeout=2000",
    "core.packedRefsTimeout=2000",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.ignoreStat=false",
    "core.safecrlf=false",
    // Whatever limit a configuration sets, what is there is read; strangers' objects have a bound of their own.
    "gitoxide.objects.allocLimit=68719476736",
];

/// How many bytes of what was decoded from packs are remembered, for each handle.
const PACK_CACHE: usize = 24 << 20;

/// No object of a ledger needs more to be read; one whose delta, or a base of it, claims to is refused before it is inflated.
const ALLOCATION_LIMIT: &str = "gitoxide.objects.allocLimit=268435456";

/// Nearly every object of a ledger needs less to be read: whether it is too large need not be asked beforehand, which is a second
/// look-up and the beginning of a second inflation.
const SMALL_LIMIT: &str = "gitoxide.objects.allocLimit=1048576";

impl Repository {
    /// Finds the repository of the environment's working directory, as git would.
    ///
    /// # Errors
    /// RAPID1500 when there is none, RAPID1501 when git would refuse it (another owner), RAPID1502 when its format is not
    /// known.
    pub fn discover(environment: &Environment) -> Result<Repository> {
        for name in ["GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ALLOC_LIMIT"] {
            if environment.is_set(name) && !environment.is_set("GIT_QUARANTINE_PATH") {
                return Err(Code::Rapid1502
                    .because(format!("{name} is set, which git-rapid does not follow"))
                    .hint(format!("unset {name}")));
            }
        }
        let options = || gix::open::Options::default().bail_if_untrusted(true).config_overrides(PINNED.iter().copied());
        let mapping = gix::sec::trust::Mapping { full: options(), reduced: options() };
        let upwards = gix::discover::upwards::Options { match_ceiling_dir_or_error: false, ..Default::default() };
        // gix reads the process's variables, which need not be this environment's: a hook looks into other worktrees too.
        // Whoever names a working copy means it; git alone names a repository and another command's index to its hooks.
        if environment.is_set("GIT_WORK_TREE") {
            let found = gix::ThreadSafeRepository::discover_with_environment_overrides_opts(
                environment.cwd(),
                upwards,
                mapping,
            );
            let gix = found.map_err(|error| refusal(&error, environment.cwd()))?;
            return Repository::checked(gix.into(), environment.clone());
        }
        if let Some(git_dir) = environment.path("GIT_DIR") {
            return Repository::open(&environment.cwd().join(git_dir), environment);
        }
        let found = gix::ThreadSafeRepository::discover_opts(environment.cwd(), upwards.apply_environment(), mapping);
        let gix = found.map_err(|error| refusal(&error, environment.cwd()))?;
        Repository::checked(gix.into(), environment.clone())
    }

    /// Opens the repository at exactly this path (a `.git` directory or a bare repository's top).
    pub fn open(path: &Path, environment: &Environment) -> Result<Repository> {
        let options = gix::open::Options::default().bail_if_untrusted(true).config_overrides(PINNED.iter().copied());
        let gix = options.open(path).map_err(|error| refusal(&error, path))?;
        Repository::checked(gix.into(), environment.clone())
    }

    /// The same repository once more, to read what a stranger wrote: no object makes it take more memory than a ledger's needs.
    pub fn bounded(&self) -> Result<Repository> {
        let within = |limit: &'static str| -> Result<Repository> {
            let settings = PINNED.iter().copied().chain([limit]);
            let options = gix::open::Options::default().bail_if_untrusted(true).config_overrides(settings);
            let gix = options.open(self.git_dir()).map_err(|error| refusal(&error, self.git_dir()))?;
            let mut bounded = Repository::checked(gix.into(), self.environment.clone())?;
            // Whoever verifies remembers what is worth it: nearly every object is read once.
            bounded.gix.object_cache_size(0);
            Ok(bounded)
        };
        Ok(Repository { small: Some(within(SMALL_LIMIT)?.gix), ..within(ALLOCATION_LIMIT)? })
    }

    fn checked(mut gix: gix::Repository, environment: Environment) -> Result<Repository> {
        let quarantine = Quarantine::of(&environment, gix.common_dir())?;
        if let Some(quarantine) = &quarantine {
            quarantine.show_to(&mut gix)?;
        }
        gix.object_cache_size_if_unset(4 << 20);
        // gix sets none unless it is built with more than is needed here; without one, each object of a chain of deltas is
        // decoded from the chain's beginning.
        gix.objects.set_pack_cache(|| Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(PACK_CACHE)));
        // Git asks for namespaces when it serves refs, never when it reads them.
        gix.clear_namespace();
        let format = match gix.object_hash() {
            gix::hash::Kind::Sha1 => ObjectFormat::Sha1,
            gix::hash::Kind::Sha256 => ObjectFormat::Sha256,
            _ => return Err(Code::Rapid1502.because("the repository's object format is not supported")),
        };
        let storage = config::check_extensions(&gix)?;
        let _ = gix.make_paths_absolute();
        Ok(Repository { gix, small: None, environment, quarantine, storage, format, spooling: Spooling::default() })
    }

    /// The same repository; what is started from it gets this environment.
    pub(super) fn in_environment(self, environment: Environment) -> Repository {
        Repository { environment, ..self }
    }

    /// Which hash names its objects.
    pub fn format(&self) -> ObjectFormat {
        self.format
    }

    /// Where it keeps its refs.
    pub fn ref_storage(&self) -> RefStorage {
        self.storage
    }

    /// Git's directory of this worktree.
    pub fn git_dir(&self) -> &Path {
        self.gix.git_dir()
    }

    /// Git's directory that all worktrees share.
    pub fn common_dir(&self) -> &Path {
        self.gix.common_dir()
    }

    /// The top of the working copy; `None` in a bare repository.
    pub fn workdir(&self) -> Option<&Path> {
        self.gix.workdir()
    }

    /// The top of the working copy, or RAPID1306.
    pub fn require_workdir(&self) -> Result<&Path> {
        self.workdir().ok_or_else(|| {
            Code::Rapid1306
                .because("this repository is bare: it has no working copy")
                .hint("run this in a clone with a working copy; 'git rapid verify', 'log' and 'fetch' work here")
        })
    }

    /// The environment that the repository was opened in.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Where per-worktree files of ours lie: the session, scratch logs, the snapshot's index.
    pub fn private_dir(&self) -> PathBuf {
        self.git_dir().join("rapid")
    }

    /// Where files of ours lie that all worktrees share: the lock, verified tips.
    pub fn shared_dir(&self) -> PathBuf {
        self.common_dir().join("rapid")
    }

    /// Whether the whole repository is cut off somewhere (a shallow clone). The ledger may still be whole.
    pub fn shallow_commits(&self) -> Result<Vec<super::Oid>> {
        let path = self.common_dir().join("shallow");
        let Some(bytes) = crate::os::files::read_if_there(&path, 64 << 20)? else { return Ok(Vec::new()) };
        let text = String::from_utf8_lossy(&bytes);
        text.lines().filter(|line| !line.is_empty()).map(|line| super::Oid::from_hex(line.trim())).collect()
    }
}

fn refusal(error: &gix::Error, at: &Path) -> Diagnostic {
    let text = error.to_string();
    let lower = format!("{error:?}").to_lowercase();
    if lower.contains("trust") || lower.contains("unsafe") || lower.contains("ownership") {
        return Code::Rapid1501
            .because(format!("the repository at '{}' belongs to somebody else", at.display()))
            .hint(format!("if you trust it, run: git config --global --add safe.directory '{}'", at.display()));
    }
    if lower.contains("object format") || lower.contains("objectformat") || lower.contains("repositoryformatversion") {
        return Code::Rapid1502.because(format!("the repository's format is not supported: {text}"));
    }
    if lower.contains("cycle") {
        return Code::Rapid1502
            .because(format!("the object directories that '{}' borrows from lead back to it", at.display()))
            .hint("take the line out of objects/info/alternates that closes the circle");
    }
    Code::Rapid1500
        .because(format!("'{}' is not in a git repository", at.display()))
        .hint("change to a repository, or make one with 'git init'")
}
