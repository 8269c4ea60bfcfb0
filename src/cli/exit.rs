//! From the process's arguments to its exit status: 0 ok, 1 the answer is no, 2 usage or operational error (cli.md).

use super::{root, speak::Ui};
use crate::diagnostics::{Class, Code, Diagnostic};
use crate::git::Repository;
use crate::os::environment::Environment;
use clap::{ColorChoice, Parser, error::ErrorKind};
use std::process::ExitCode;

/// The whole program.
pub fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let wants_json = arguments.iter().skip(1).take_while(|word| *word != "--").any(|word| word == "--json");
    let root = match root::Root::try_parse_from(&arguments) {
        Ok(root) => root,
        Err(error) => return usage(&error, wants_json, if is_story(&arguments) { 1 } else { 2 }),
    };
    let mut ui = Ui::new(wants_json, root.color);
    let writes = root.command.writes();
    let status = Environment::from_process()
        .and_then(|environment| root::run(root.command, &environment, &mut ui))
        .unwrap_or_else(|diagnostic| {
            ui.failure(&diagnostic);
            status_of(&diagnostic)
        });
    let said = ui.end();
    if writes {
        // After all is said and done: nobody waits for it, and no verb knows of it.
        let _ = Environment::from_process()
            .and_then(|environment| Repository::discover(&environment))
            .map(|here| here.keep_house());
    }
    match said {
        Ok(()) => code(status),
        // Whoever reads us has read enough; that is no fault.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => code(status),
        Err(error) => {
            ui.failure(&Code::Rapid002.because(format!("the output cannot be written: {error}")));
            code(2)
        }
    }
}

/// The exit status that a diagnostic ends a command with.
pub fn status_of(diagnostic: &Diagnostic) -> i32 {
    match diagnostic.code {
        Code::Rapid004 => 130,
        code => match code.class() {
            Class::Info => 0,
            Class::Warning | Class::Refusal => 1,
            Class::Error => 2,
        },
    }
}

fn code(status: i32) -> ExitCode {
    ExitCode::from(u8::try_from(status.rem_euclid(256)).unwrap_or(2))
}

/// Help goes to standard output; a fault in the arguments is RAPID001.
fn usage(error: &clap::Error, wants_json: bool, status: i32) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return code(i32::from(error.print().is_err()));
    }
    let mut ui = Ui::new(wants_json, ColorChoice::Auto);
    let text = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand && !wants_json {
        ui.note(&text);
    }
    ui.failure(&misunderstood(error.kind(), &text));
    let _ = ui.end();
    code(status)
}

/// `story` has exit codes of its own: 2 says that a story was given up, so what could not run is 1.
fn is_story(arguments: &[std::ffi::OsString]) -> bool {
    arguments.iter().skip(1).find(|word| !word.as_encoded_bytes().starts_with(b"-")).is_some_and(|word| word == "story")
}

/// The parser's complaint as a sentence with hints.
fn misunderstood(kind: ErrorKind, text: &str) -> Diagnostic {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_advice = |line: &&str| {
        ["Usage:", "tip:", "[possible values:", "For more information"].iter().any(|start| line.starts_with(start))
    };
    let said: Vec<&str> = match kind {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => vec!["a command is missing"],
        _ => lines().take_while(|line| !is_advice(line)).map(|line| line.trim_start_matches("error:").trim()).collect(),
    };
    let mut diagnostic = Code::Rapid001.because(said.join(" "));
    for line in lines().filter(is_advice) {
        if let Some(tip) = line.strip_prefix("tip:") {
            diagnostic = diagnostic.hint(tip.trim());
        } else if let Some(usage) = line.strip_prefix("Usage:") {
            diagnostic = diagnostic.hint(format!("usage: {}", usage.trim()));
        } else if line.starts_with('[') {
            diagnostic = diagnostic.hint(line.trim_matches(['[', ']']));
        }
    }
    diagnostic
}
