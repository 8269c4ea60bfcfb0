//! Bundles: git's own files that hold refs with everything behind them. Written and read by git, each time through an empty
//! repository aside, so that neither this clone's settings nor a stranger's file decide about anything but objects and refs.

use super::{Git, Oid, Repository, merge::empty_repository};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::git_id::ObjectFormat;
use crate::os::environment::Environment;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The refs of ours that a bundle may bring, beside branches.
const OURS: [&str; 2] = ["refs/rapid/ledger", "refs/rapid/attachments"];

/// The most of a file that is read as a bundle's header, in bytes.
const HEADER: u64 = 1 << 20;

/// A repository that was made of a bundle; gone when this value is.
pub struct Unbundled {
    repository: Repository,
    _directory: tempfile::TempDir,
}

impl Unbundled {
    /// The repository.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }
}

/// Whether there is a file here that begins as a bundle does.
pub fn is_bundle(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(16).read_to_end(&mut beginning));
    read.is_ok() && (beginning == b"# v2 git bundle\n" || beginning == b"# v3 git bundle\n")
}

/// Opens a bundle with a ledger in a repository of its own.
///
/// # Errors
/// RAPID1751 when it cannot be read, or does not hold all that it needs.
pub fn unbundle(path: &Path, environment: &Environment) -> Result<Unbundled> {
    let header = Header::read(path)?;
    let directory = empty_repository(header.format)?;
    let git = || aside(environment, directory.path());
    let mut refspecs = Vec::new();
    for (_, name) in &header.refs {
        let is_ours = OURS.contains(&name.as_str()) || name.starts_with("refs/heads/");
        refspecs.extend(is_ours.then(|| format!("+{name}:{name}")));
    }
    let fetch = git().arguments(["fetch", "--quiet", "--no-tags", "--no-auto-maintenance", "--no-write-fetch-head"]);
    let fetch = fetch.arguments(["--no-recurse-submodules", "--refmap=", "--"]).argument(path).arguments(refspecs);
    let done = fetch.try_run()?;
    if done.code != 0 {
        return Err(unreadable(path, done.complaint()));
    }
    if let Some((id, _)) = header.refs.iter().find(|(_, name)| name == "HEAD") {
        let set = git().arguments(["update-ref", "--no-deref", "HEAD"]).argument(id.to_string()).try_run()?;
        if set.code != 0 {
            return Err(unreadable(path, "its HEAD is not among what it holds"));
        }
    }
    let repository = Repository::open(directory.path(), &environment.without_git().in_directory(directory.path()))?;
    Ok(Unbundled { repository, _directory: directory })
}

/// What stands at the beginning of a bundle.
struct Header {
    format: ObjectFormat,
    refs: Vec<(Oid, String)>,
}

impl Header {
    fn read(path: &Path) -> Result<Header> {
        let failed = |error: std::io::Error| unreadable(path, error);
        let file = std::fs::File::open(path).map_err(failed)?;
        let mut lines = BufReader::new(file.take(HEADER)).split(b'\n');
        let mut line = || -> Result<String> {
            let line = lines.next().transpose().map_err(failed)?;
            let line = line.ok_or_else(|| unreadable(path, "it ends within its header"))?;
            String::from_utf8(line).map_err(|_| unreadable(path, "its header is not text"))
        };
        if !matches!(line()?.as_str(), "# v2 git bundle" | "# v3 git bundle") {
            return Err(unreadable(path, "it does not begin as a git bundle"));
        }
        let mut header = Header { format: ObjectFormat::Sha1, refs: Vec::new() };
        loop {
            let line = line()?;
            match line.split_once(' ') {
                None if line.is_empty() => break,
                None if line == "@object-format=sha256" => header.format = ObjectFormat::Sha256,
                None if line == "@object-format=sha1" => {}
                _ if line.starts_with('@') => return Err(unreadable(path, "it was filtered, or made by a newer git")),
                _ if line.starts_with('-') => return Err(unreadable(path, "it needs commits that it does not hold")),
                Some((id, name)) => {
                    let id = Oid::from_hex(id).map_err(|_| unreadable(path, "its header names no object"))?;
                    header.refs.push((id, name.to_owned()));
                }
                None => return Err(unreadable(path, "its header is malformed")),
            }
        }
        match header.refs.iter().any(|(_, name)| name == "refs/rapid/ledger") {
            true => Ok(header),
            false => {
                Err(unreadable(path, "it holds no ledger").hint("git rapid export --format bundle makes one that does"))
            }
        }
    }
}

fn unreadable(path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    let shown = path.display().to_string();
    Code::Rapid1751.because(format!("'{shown}' cannot be verified as a bundle: {why}")).at(shown)
}

/// Git in an empty repository, with nobody's settings.
fn aside(environment: &Environment, directory: &Path) -> Git {
    Git::new(&environment.clone().in_directory(directory))
        .with("GIT_DIR", directory)
        .with("GIT_CONFIG_GLOBAL", "/dev/null")
        .with("GIT_CONFIG_NOSYSTEM", "1")
        .with("GIT_ATTR_NOSYSTEM", "1")
}

impl Repository {
    /// Writes a bundle of these refs and all that lies behind them to a file; with `HEAD` at a commit and on a branch, where there
    /// is one, so that it can be cloned.
    ///
    /// # Errors
    /// RAPID1754 when this clone does not hold all of it.
    pub fn write_bundle(&self, refs: &[(String, Oid)], head: Option<(Option<&str>, Oid)>, file: &Path) -> Result<()> {
        let directory = empty_repository(self.format())?;
        let objects = self.gix.objects.store_ref().path();
        let git = || aside(&self.environment, directory.path()).with("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects);
        let incomplete = |why: String| {
            let hint = "a bundle holds everything: make it in a clone that is neither shallow nor filtered";
            Code::Rapid1754.because(format!("no bundle can be made here: {why}")).hint(hint)
        };
        let mut names: Vec<String> = refs.iter().map(|(name, _)| name.clone()).collect();
        let mut edits: String = refs.iter().map(|(name, id)| format!("create {name} {id}\n")).collect();
        let mut branch_name = None;
        if let Some((branch, id)) = head {
            if let Some(branch) = branch {
                let name = format!("refs/heads/{branch}");
                edits.push_str(&format!("create {name} {id}\n"));
                names.insert(0, name.clone());
                branch_name = Some(name);
            } else {
                edits.push_str(&format!("option no-deref\nupdate HEAD {id}\n"));
            }
            names.insert(0, "HEAD".to_owned());
        }
        let made = git().arguments(["update-ref", "--stdin"]).input(edits.as_bytes()).try_run()?;
        if made.code != 0 {
            return Err(incomplete(made.complaint()));
        }
        if let Some(name) = branch_name {
            git().arguments(["symbolic-ref", "HEAD"]).argument(name).run()?;
        }
        let made = git().arguments(["bundle", "create", "--quiet"]).argument(file).arguments(names).try_run()?;
        match made.code {
            0 => Ok(()),
            _ => Err(incomplete(made.complaint())),
        }
    }
}
