//! `git rapid validate`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{
    rapid::Rapid,
    validate::{Finding, Level, validate},
};
use anstyle::AnsiColor;

/// Check every record, the session, the configuration and the playbooks
#[derive(clap::Args)]
pub struct Args {
    /// Warnings count too
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let seen = validate(&Rapid::open(environment)?)?;
    let is_valid = seen.is_valid(args.strict);
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("valid", is_valid.into()),
        ("specs", seen.specs.into()),
        ("runs", seen.runs.into()),
        ("findings", Value::list(seen.findings.iter().map(document))),
    ]));
    let looked_at = format!("{} specs, {} runs, session, configuration, playbooks", seen.specs, seen.runs);
    match is_valid {
        true => ui.marked("valid", AnsiColor::Green, looked_at),
        false => ui.marked("not valid", AnsiColor::Red, looked_at),
    }
    for Finding { level, diagnostic } in &seen.findings {
        let path = diagnostic.path.as_deref().map_or_else(String::new, |path| format!("{path}: "));
        let colour = match level {
            Level::Info => AnsiColor::Blue,
            Level::Warning => AnsiColor::Yellow,
            Level::Error => AnsiColor::Red,
        };
        ui.marked(&format!("{}[{}]", level.as_str(), diagnostic.code), colour, format!("{path}{}", diagnostic.message));
        for hint in &diagnostic.hints {
            ui.line(format!("  hint: {hint}"));
        }
    }
    Ok(i32::from(!is_valid))
}

fn document(finding: &Finding) -> Value {
    let diagnostic = &finding.diagnostic;
    Value::object([
        ("code", diagnostic.code.as_str().into()),
        ("level", finding.level.as_str().into()),
        ("path", diagnostic.path.as_ref().into()),
        ("message", (&diagnostic.message).into()),
        ("hint", if diagnostic.hints.is_empty() { Value::Null } else { diagnostic.hints.join("\n").into() }),
    ])
}
