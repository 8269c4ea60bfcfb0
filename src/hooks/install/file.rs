//! A hook as a file of its own. What had the name gets another one in the same directory, so that its bytes, its mode and
//! whatever it finds beside itself stay; the stub runs it first.

use super::place::{CAP, State, before};
use super::script;
use crate::diagnostics::{Code, Result};
use crate::hooks::Moment;
use crate::os::files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The line that tells our stub from anything else.
const MARK: &str = "# git-rapid's hook:";

/// Refuses what could not be put back as it was.
pub(super) fn check(path: &Path, before: &Path) -> Result<()> {
    if let Some(other) = linked_hook(path) {
        return Err(Code::Rapid1615
            .because(format!("'{}' is a link to the hook '{other}', which gets another name too", path.display()))
            .at(path.display().to_string())
            .hint("give what both call a name that is no hook's, and link both to it"));
    }
    match files::is_taken(path) && files::is_taken(before) && !is_ours(path)? {
        false => Ok(()),
        true => Err(Code::Rapid1615
            .because(format!("'{}' was replaced after git-rapid had put itself before another hook", path.display()))
            .at(path.display().to_string())
            .hint(format!(
                "keep in it what you need of it and of '{}', remove the second, and run this again",
                before.display()
            ))),
    }
}

/// Refuses to write over a file of ours, or remove one, that somebody has put lines into: those between the marks are ours
/// and are renewed, the others would be lost.
pub(super) fn refuse_edited(moment: Moment, path: &Path) -> Result<()> {
    if !is_ours(path)? {
        return Ok(());
    }
    let bytes = files::read_if_there(path, CAP)?.unwrap_or_default();
    let (stub, text) = (script::without(moment.stub()), script::without(&String::from_utf8_lossy(&bytes)));
    let known: BTreeSet<&str> = stub.lines().collect();
    let Some(line) = text.lines().find(|line| !line.trim().is_empty() && !known.contains(line)) else { return Ok(()) };
    let before = path.with_file_name(format!("{moment}.before-rapid"));
    Err(Code::Rapid1615
        .because(format!("'{}' has lines that git-rapid did not write: {}", path.display(), line.trim().escape_debug()))
        .at(path.display().to_string())
        .hint(format!("move them to '{}', a program that runs first, and run this again", before.display())))
}

/// The names that a hook of ours may have in a directory: its own, or one that a manager gave it when it took that.
pub(super) fn names(directory: &Path, moment: Moment) -> [PathBuf; 3] {
    ["", ".legacy", ".old"].map(|ending| directory.join(format!("{moment}{ending}")))
}

pub(super) fn install(moment: Moment, path: &Path, before: &Path) -> Result<()> {
    if let Some(directory) = path.parent() {
        files::create_dir_all(directory)?;
    }
    if files::is_taken(path) && !is_ours(path)? {
        files::rename(path, before)?;
    }
    if state(moment, path)? != State::Installed {
        files::write_program(path, moment.stub().as_bytes())?;
    }
    Ok(())
}

/// Takes ours out wherever it lies: under its own name, or under the name that a manager gave it when it took that.
pub(super) fn uninstall(directory: &Path, moment: Moment) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    for path in names(directory, moment) {
        if !is_ours(&path)? {
            continue;
        }
        files::remove(&path)?;
        let before = before(directory, moment);
        match files::is_taken(&before) {
            true => {
                files::rename(&before, &path)?;
                changed.push(format!("{}, as it was before", path.display()));
            }
            false => changed.push(format!("{}, removed", path.display())),
        }
    }
    Ok(changed)
}

pub(super) fn state(moment: Moment, path: &Path) -> Result<State> {
    Ok(match files::read_if_there(path, CAP)? {
        None => State::Missing,
        Some(_) if path.is_symlink() => State::Foreign,
        Some(bytes) if bytes == moment.stub().as_bytes() && files::is_program(path) => State::Installed,
        Some(_) if is_ours(path)? => State::Outdated,
        Some(_) => State::Foreign,
    })
}

/// The hook beside it that a link leads to.
fn linked_hook(path: &Path) -> Option<Moment> {
    let target = std::fs::read_link(path).ok()?;
    let beside = path.parent()?;
    (beside.join(&target).parent() == Some(beside)).then(|| Moment::named(target.file_name()?.to_str()?)).flatten()
}

/// Whether the file is a stub of ours, of whatever version. A link is somebody else's, wherever it leads.
pub(super) fn is_ours(path: &Path) -> Result<bool> {
    if path.is_symlink() {
        return Ok(false);
    }
    let bytes = files::read_if_there(path, CAP)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).lines().nth(1).is_some_and(|line| line.starts_with(MARK)))
}

/// Whether pre-commit wrote this hook.
pub(super) fn is_pre_commits(text: &str) -> bool {
    text.contains("File generated by pre-commit")
}
