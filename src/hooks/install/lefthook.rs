//! lefthook: its generated hooks read one file first, which its configuration names (`rc`). We name ours in
//! `lefthook-local.yml`, which lefthook keeps for what is one person's own, in every worktree: it makes its hooks anew from
//! the configuration of whichever worktree it runs in.

use super::place::{CAP, State};
use super::{own_dir, script};
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::hooks::moment::{BEGIN, END, Set};
use crate::os::files;
use std::path::{Path, PathBuf};

/// Where lefthook looks for what is one person's own.
pub(super) const LOCAL: &str = "lefthook-local.yml";

/// Where lefthook's hook begins its work.
const BEGINNING: &str = "call_lefthook()\n";

/// Whether lefthook wrote this hook.
pub(super) fn wrote(text: &str) -> bool {
    text.contains("LEFTHOOK") && text.contains(BEGINNING)
}

/// Whether this project has hooks of lefthook, put in already or not.
pub(super) fn is_used(repository: &Repository) -> bool {
    let Some(top) = repository.workdir() else { return false };
    let named =
        |name: &str| ["yml", "yaml", "toml", "json", "jsonc"].map(|ending| top.join(format!("{name}.{ending}")));
    ["lefthook", ".lefthook", ".config/lefthook"].iter().flat_map(|name| named(name)).any(|path| path.is_file())
}

/// Makes every hook that lefthook writes from now on read ours first.
pub(super) fn prepare(repository: &Repository) -> Result<()> {
    files::create_dir_all(&own_dir(repository))?;
    files::write_atomically(&read_first(repository), cases().as_bytes())?;
    for worktree in repository.worktrees()? {
        name_it(repository, &worktree.path.join(LOCAL))?;
    }
    leave_out(repository)
}

/// Makes git leave the file out in this clone: it names a place of this machine, and committed it would tell lefthook of everybody
/// else to read what is not there.
fn leave_out(repository: &Repository) -> Result<()> {
    let tracked = repository.git().arguments(["ls-files", "--error-unmatch", "--", LOCAL]).try_run()?;
    if tracked.code != 0 && repository.git().arguments(["check-ignore", "--quiet", "--", LOCAL]).try_run()?.code != 0 {
        files::create_dir_all(&repository.common_dir().join("info"))?;
        script::install(&excludes(repository), &format!("{BEGIN}\n/{LOCAL}\n{END}\n"))?;
    }
    Ok(())
}

fn excludes(repository: &Repository) -> PathBuf {
    repository.common_dir().join("info").join("exclude")
}

/// Makes a hook that it has written read ours first.
pub(super) fn install(repository: &Repository, script: &Path) -> Result<()> {
    // The same line that lefthook writes there when it makes its hooks from that configuration.
    let text = files::read_text(script, CAP)?;
    let line = line(repository);
    if !text.contains(&line) {
        let with = text.replacen(BEGINNING, &format!("{line}{BEGINNING}"), 1);
        files::write_atomically(script, with.as_bytes())?;
    }
    Ok(())
}

/// Takes our line out of a hook that lefthook wrote.
pub(super) fn uninstall_from(repository: &Repository, script: &Path) -> Result<Option<String>> {
    let Some(bytes) = files::read_if_there(script, CAP)? else { return Ok(None) };
    let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
    let line = line(repository);
    if !wrote(&text) || !text.contains(&line) {
        return Ok(None);
    }
    files::write_atomically(script, text.replacen(&line, "", 1).as_bytes())?;
    Ok(Some(format!("{}, without our line", script.display())))
}

/// Takes out what its configuration says of us, and the file that it named.
pub(super) fn uninstall(repository: &Repository) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    if repository.workdir().is_some() {
        for worktree in repository.worktrees()? {
            changed.extend(script::uninstall(&worktree.path.join(LOCAL))?);
        }
    }
    changed.extend(script::uninstall(&excludes(repository))?);
    if files::remove(&read_first(repository))? {
        changed.push(format!("{}, removed", read_first(repository).display()));
    }
    Ok(changed)
}

pub(super) fn state(repository: &Repository, script: &Path) -> Result<State> {
    let text = files::read_text(script, CAP)?;
    let named = match repository.workdir() {
        Some(top) => files::read_if_there(&top.join(LOCAL), CAP)?.unwrap_or_default(),
        None => Vec::new(),
    };
    let named = String::from_utf8_lossy(&named).contains(&configured(repository));
    let first = files::read_if_there(&read_first(repository), CAP)?;
    Ok(match (text.contains(&line(repository)) && named, first) {
        (true, Some(bytes)) if bytes == cases().as_bytes() => State::Installed,
        (true, Some(_)) => State::Outdated,
        _ => State::Foreign,
    })
}

/// The file that lefthook's hooks read first.
fn read_first(repository: &Repository) -> PathBuf {
    own_dir(repository).join("lefthook.sh")
}

/// Our part of each hook, told apart by the name of the hook that reads it.
fn cases() -> String {
    let mut text = "# Read by lefthook's hooks; written by 'git rapid hooks install'.\ncase ${0##*/} in\n".to_owned();
    for moment in Set::Guarded.moments() {
        text.push_str(&format!("{moment})\n{}  ;;\n", moment.block()));
    }
    text.push_str("esac\n");
    text
}

/// The line in lefthook's hook, with the empty one that follows it.
fn line(repository: &Repository) -> String {
    let path = read_first(repository);
    format!("[ -f \"{0}\" ] && . \"{0}\"\n\n", path.display())
}

fn configured(repository: &Repository) -> String {
    format!("rc: '\"{}\"'\n", read_first(repository).display().to_string().replace('\'', "''"))
}

/// Names our file in a worktree's own configuration.
fn name_it(repository: &Repository, local: &Path) -> Result<()> {
    let configured = configured(repository);
    let text = files::read_if_there(local, CAP)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    if script::without(&text).lines().any(|line| line.starts_with("rc:")) {
        return Err(Code::Rapid1615
            .because(format!("'{}' names another file to be read first", local.display()))
            .at(local.display().to_string())
            .hint(format!("let that file read ours too: . '{}'", read_first(repository).display())));
    }
    script::install(local, &format!("{BEGIN}: 'git rapid hooks uninstall' takes this part out.\n{configured}{END}\n"))
}
