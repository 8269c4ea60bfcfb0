//! `git rapid completions`.

use super::{root::Root, speak::Ui};
use crate::diagnostics::Result;
use crate::os::environment::Environment;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Runs it. The script completes `git-rapid`; as `git rapid`, git's own completion asks the shell for it.
pub fn run(args: Args, _: &Environment, ui: &mut Ui) -> Result<i32> {
    let mut script = Vec::new();
    // The name with a blank, which help shows, is no name for a shell.
    let mut command = Root::command().bin_name("git-rapid");
    clap_complete::generate(args.shell, &mut command, "git-rapid", &mut script);
    ui.raw(&script);
    Ok(0)
}
