//! Hooks that are declared in git's configuration (git 2.54 and newer): nothing is overwritten and nobody is in the way.

use super::own_dir;
use super::place::{CAP, State};
use crate::diagnostics::Result;
use crate::git::Repository;
use crate::hooks::Moment;
use crate::os::files;
use std::path::PathBuf;

fn stub(repository: &Repository, moment: Moment) -> PathBuf {
    own_dir(repository).join(moment.as_str())
}

fn keys(moment: Moment) -> [String; 2] {
    ["command", "event"].map(|key| format!("hook.rapid-{moment}.{key}"))
}

/// The stub as a shell reads it.
fn command(repository: &Repository, moment: Moment) -> String {
    format!("'{}'", stub(repository, moment).display().to_string().replace('\'', "'\\''"))
}

pub(super) fn install(repository: &Repository, moment: Moment) -> Result<()> {
    files::create_dir_all(&own_dir(repository))?;
    files::write_program(&stub(repository, moment), moment.stub().as_bytes())?;
    let [said, event] = keys(moment);
    repository.set_config(&said, command(repository, moment))?;
    repository.set_config(&event, moment.as_str())
}

pub(super) fn uninstall(repository: &Repository, moment: Moment) -> Result<Option<String>> {
    let mut was_there = files::remove(&stub(repository, moment))?;
    for key in keys(moment) {
        was_there |= repository.config_text(&key).is_some() && repository.unset_config(&key)?;
    }
    Ok(was_there.then(|| format!("hook.rapid-{moment} in this clone's configuration")))
}

pub(super) fn state(repository: &Repository, moment: Moment) -> Result<State> {
    let [said, event] = keys(moment);
    let is_said = repository.config_text(&said) == Some(command(repository, moment))
        && repository.config_text(&event).as_deref() == Some(moment.as_str());
    let path = stub(repository, moment);
    Ok(match files::read_if_there(&path, CAP)? {
        _ if !is_said => State::Missing,
        Some(bytes) if bytes == moment.stub().as_bytes() && files::is_program(&path) => State::Installed,
        _ => State::Outdated,
    })
}
