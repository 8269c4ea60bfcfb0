//! `git rapid man`: manual pages, made from the same descriptions as `--help`.

use super::{root::Root, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::near::or_near;
use crate::os::{environment::Environment, files};
use clap::{Command, CommandFactory};
use std::path::{Path, PathBuf};

/// Print the manual page of a command, for 'man -l -', or install the pages of all
#[derive(clap::Args)]
pub struct Args {
    /// The command, like 'check' or 'spec create'; the whole tool when left out
    command: Vec<String>,
    /// Write the page of every command into a directory where man looks, like ~/.cargo/share/man/man1
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    into: Option<PathBuf>,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let mut command = Root::command();
    command.build();
    if let Some(directory) = args.into {
        let directory = environment.cwd().join(directory);
        files::create_dir_all(&directory)?;
        let written = install(&command, &directory)?;
        ui.line(format!("wrote {written} pages into {}", directory.display()));
        return Ok(0);
    }
    for word in &args.command {
        command = below(&command, word)?;
    }
    let (_, page) = page(&command)?;
    ui.raw(&page);
    Ok(0)
}

/// The name of a command's page and its text.
fn page(command: &Command) -> Result<(String, Vec<u8>)> {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(command.clone());
    let written = page.render(&mut text);
    written.map_err(|error| Code::Rapid003.because(format!("the manual page could not be made: {error}")))?;
    Ok((page.get_filename(), text))
}

/// Writes the pages of a command and of those below it; returns how many.
fn install(command: &Command, directory: &Path) -> Result<usize> {
    let (name, text) = page(command)?;
    files::write_atomically(&directory.join(name), &text)?;
    let mut written = 1;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set()) {
        written += install(below, directory)?;
    }
    Ok(written)
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
