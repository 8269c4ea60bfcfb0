//! `git rapid man`: manual pages, made from the same descriptions as `--help`.

use super::{root::Root, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::near::or_near;
use crate::os::environment::Environment;
use clap::{Command, CommandFactory};

/// Print the manual page of a command, for 'man -l -'
#[derive(clap::Args)]
pub struct Args {
    /// The command, like 'check' or 'spec create'; the whole tool when left out
    command: Vec<String>,
}

/// Runs it.
pub fn run(args: Args, _: &Environment, ui: &mut Ui) -> Result<i32> {
    let mut command = Root::command();
    command.build();
    for word in &args.command {
        command = below(&command, word)?;
    }
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(command).render(&mut page);
    written.map_err(|error| Code::Rapid003.because(format!("the manual page could not be made: {error}")))?;
    ui.raw(&page);
    Ok(0)
}

fn below(command: &Command, word: &str) -> Result<Command> {
    command.find_subcommand(word).cloned().ok_or_else(|| {
        let known: Vec<&str> =
            command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
        let error =
            Code::Rapid001.because(format!("'{}' is no command of {}", word.escape_debug(), command.get_name()));
        if known.is_empty() {
            error
        } else {
            or_near(error, word, &known, format!("its commands are {}", known.join(", ")))
        }
    })
}
