//! `git rapid story validate`.

use super::shared::Where;
use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::story::validate::{exit_code, to_value};
use crate::story::{Finding, Severity};
use crate::verbs::story::validate::validate;
use anstyle::AnsiColor;

/// Check a backlog before agents work it: 0 clean, 1 errors, 2 warnings only
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    at: Where,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let place = args.at.place(environment)?;
    let config = args.at.config(environment);
    let seen = validate(environment, &place, config.as_deref(), args.at.provider.as_deref())?;
    let code = exit_code(&seen.findings);
    let versions = seen.versions.iter().map(|(program, version)| (program.clone(), version.as_str().into())).collect();
    ui.document(&to_value(&seen.findings).with("versions", Value::Object(versions)));
    let (mark, colour) = match code {
        0 => ("valid", AnsiColor::Green),
        2 => ("valid, with warnings", AnsiColor::Yellow),
        _ => ("not valid", AnsiColor::Red),
    };
    ui.marked(mark, colour, format!("{} stories in {}", seen.stories, place.root.display()));
    for (program, version) in &seen.versions {
        ui.line(format!("{program}: {version}"));
    }
    for finding in &seen.findings {
        let (mark, colour) = match finding.severity {
            Severity::Error => ("error", AnsiColor::Red),
            Severity::Warning => ("warning", AnsiColor::Yellow),
        };
        ui.marked(&format!("{mark}[{}]", finding.kind.as_str()), colour, at(finding) + &finding.message);
    }
    Ok(i32::from(code))
}

fn at(finding: &Finding) -> String {
    match (&finding.file, finding.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        (Some(file), None) => format!("{file}: "),
        (None, _) => String::new(),
    }
}
