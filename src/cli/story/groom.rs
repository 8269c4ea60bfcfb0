//! `git rapid story groom`.

use super::shared::{Where, repository};
use crate::cli::{
    args,
    speak::{self, Ui},
};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::story::report::{RunResult, error_value};
use crate::story::{Filter, Finding, Severity};
use crate::verbs::story::groom::{Wish, groom};
use crate::verbs::story::{Request, config};
use anstyle::AnsiColor;
use std::path::PathBuf;

/// Have the product owner make a backlog of a specification: 0 made, 2 made with faults left, 1 nothing was made
#[derive(clap::Args)]
pub struct Args {
    /// The specification, a text file
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    #[command(flatten)]
    at: Where,
    /// Add to the stories that are there, which stay as they are; this is the rule
    #[arg(long, conflicts_with = "replace")]
    merge: bool,
    /// Put the stories and epics that are there aside first
    #[arg(long)]
    replace: bool,
    /// The most stories
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_stories: Option<u32>,
    /// Say nothing while it works
    #[arg(long)]
    quiet: bool,
    /// Where progress is written too
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let project = args.at.directory.clone().unwrap_or_else(|| environment.cwd().to_owned());
    run_in(args, environment, ui).inspect_err(|diagnostic| {
        ui.document(&error_value(&project.display().to_string(), speak::error_value(diagnostic)));
    })
}

fn run_in(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let place = args.at.place(environment)?;
    let mut config = config::read(&place.root, args.at.config(environment).as_deref())?.config;
    if let Some(provider) = &args.at.provider {
        config.agents.played_by(provider);
    }
    let request = Request {
        root: place.root.clone(),
        config,
        filter: Filter::All,
        resume: false,
        log_file: args.log_file.as_ref().map(|path| environment.cwd().join(path)),
    };
    let wish = Wish { spec: environment.cwd().join(&args.spec), replace: args.replace, most: args.max_stories };
    let made = groom(repository(&place)?, &request, &wish, &mut |line| {
        if !args.quiet {
            ui.note(line);
        }
    })?;
    let code = made.exit_code();
    let result = if code == 0 { RunResult::Completed } else { RunResult::CompletedWithFailures };
    let kept = made.kept.as_ref().map(|path| path.display().to_string());
    let document = Value::object([
        ("schema_version", 1.into()),
        ("project_dir", place.root.display().to_string().into()),
        ("result", result.into()),
        ("exit_code", u32::from(code).into()),
        ("calls", made.calls.into()),
        ("stories", Value::list(made.stories.iter().map(String::as_str))),
        ("epics", Value::list(made.epics.iter().map(String::as_str))),
        ("findings", Value::list(made.findings.iter().map(Finding::to_value))),
    ]);
    ui.document(&document.with_some("replaced", kept.as_deref()));
    let calls = if made.calls == 1 { "call" } else { "calls" };
    ui.line(format!("{} stories, {} epics in {} {calls}", made.stories.len(), made.epics.len(), made.calls));
    for finding in made.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let place = finding.file.as_deref().map(|file| format!("{file}: ")).unwrap_or_default();
        ui.marked(&format!("error[{}]", finding.kind.as_str()), AnsiColor::Red, place + &finding.message);
    }
    if let Some(kept) = kept {
        ui.line(format!("what was replaced is kept in '{kept}'"));
    }
    ui.marked("next:", AnsiColor::Cyan, "read them, then 'git rapid story validate'");
    Ok(i32::from(code))
}
