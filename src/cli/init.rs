//! `git rapid init`.

use super::{args, harness, hooks, shared, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::hooks::{
    harness::{self as harnesses, Harness},
    install,
};
use crate::os::environment::Environment;
use crate::verbs::{
    self,
    rapid::{CONFIG_PATH, Rapid},
};

/// Set this repository up: the configuration, the refspec that brings the ledger, the git hooks
#[derive(clap::Args)]
pub struct Args {
    /// Leave the git hooks as they are
    #[arg(long)]
    no_hooks: bool,
    /// Install this harness too (can be repeated): claude, codex, cursor, vscode, antigravity, opencode, gemini or pi
    #[arg(long, value_name = "NAME")]
    harness: Vec<String>,
    /// The test command; told from the project's files when left out
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let asked = args.harness.iter().map(|name| Harness::parse(name)).collect::<Result<Vec<_>>>()?;
    let rapid = Rapid::open(environment)?;
    let done = verbs::init::init(&rapid, (!args.command.is_empty()).then_some(args.command))?;
    // Everything but the hooks works without them, so a place that takes none is said and no fault.
    let hooks = match args.no_hooks {
        true => Ok(Vec::new()),
        false => install::usual(&rapid).and_then(|set| install::install(&rapid, set, &[])),
    };
    let mut installed = Vec::new();
    for name in asked {
        installed.push((name, harnesses::install(rapid.repository(), name, false)?));
    }
    let standings = hooks.as_deref().unwrap_or_default();
    let next = verbs::init::next_steps(&rapid, &install::files_of_the_project(&rapid, standings))?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("wrote_config", done.wrote_config.into()),
        ("test_command", done.test_command.clone().into()),
        ("remotes", Value::list(&done.remotes)),
        ("hooks", hooks::values(standings)),
        ("harnesses", Value::list(installed.iter().map(|(name, _)| name.as_str()))),
        ("next", Value::list(&next)),
    ]));
    match (done.wrote_config, &done.test_command) {
        (true, Some(command)) => {
            ui.line(format!("wrote {CONFIG_PATH}; the test command is '{}'", shared::typed(command)));
        }
        (true, None) => {
            ui.line(format!("wrote {CONFIG_PATH}; no test command was recognised: set test_command in it"));
        }
        (false, _) => ui.line(format!("{CONFIG_PATH} is there already and was left as it is")),
    }
    for remote in &done.remotes {
        ui.line(format!("'git fetch {remote}' brings its ledger from now on"));
    }
    for standing in standings {
        ui.line(format!("hook {}", hooks::line(standing)));
    }
    hooks::of_this_clone(ui, &rapid)?;
    if let Err(error) = &hooks {
        ui.diagnostic(error);
    }
    for (name, changes) in &installed {
        harness::tell_install(ui, *name, changes);
    }
    ui.line("next:");
    for step in &next {
        ui.line(format!("  {step}"));
    }
    Ok(0)
}
