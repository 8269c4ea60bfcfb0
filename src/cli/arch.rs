//! `git rapid arch check`.

use super::{args, speak::Ui};
use crate::architecture::Finding;
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, quantity::counted};
use crate::os::environment::Environment;
use crate::verbs::{
    arch::{Outcome, RULES_PATH, check},
    rapid::Rapid,
};
use anstyle::AnsiColor;
use clap::Subcommand;

/// Check the imports of the working copy against the architecture rules
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every import that the rules do not allow, with file and line
    Check(Check),
}

#[derive(clap::Args)]
struct Check {
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let Command::Check(_) = args.command;
    let found = check(&Rapid::open(environment)?)?;
    ui.document(&document(&found));
    tell(ui, &found);
    Ok(i32::from(!found.judgement.findings.is_empty()))
}

fn document(found: &Outcome) -> Value {
    let judgement = &found.judgement;
    let layers = judgement.layers.iter();
    let layers = layers.map(|layer| Value::object([("name", (&layer.name).into()), ("files", layer.files.into())]));
    Value::object([
        ("schema_version", 1.into()),
        ("findings", Value::list(judgement.findings.iter().map(finding))),
        ("files", judgement.files.into()),
        ("layers", Value::list(layers)),
        ("notes", Value::list(&judgement.notes)),
        ("rules", if found.frozen { "run" } else { "working copy" }.into()),
    ])
}

fn finding(finding: &Finding) -> Value {
    Value::object([
        ("code", Code::Rapid1420.as_str().into()),
        ("path", (&finding.path).into()),
        ("line", if finding.line == 0 { Value::Null } else { finding.line.into() }),
        ("from", (&finding.from).into()),
        ("to", finding.to.as_ref().into()),
        ("rule", finding.rule.into()),
        ("message", (&finding.message).into()),
    ])
}

fn tell(ui: &mut Ui, found: &Outcome) {
    let judgement = &found.judgement;
    if found.frozen {
        ui.note(&format!("note: the active run's rules count; '{RULES_PATH}' in the working copy says something else"));
    }
    for note in &judgement.notes {
        ui.note(&format!("note: {note}"));
    }
    for finding in &judgement.findings {
        let line = if finding.line == 0 { String::new() } else { format!(":{}", finding.line) };
        ui.line(format!("{}{line}: {}", finding.path, finding.message));
    }
    let among = format!(
        "{}, {}",
        counted(judgement.files, "file", "files"),
        counted(judgement.layers.len(), "layer", "layers")
    );
    match judgement.findings.len() {
        0 => ui.marked("ok", AnsiColor::Green, format!("no import breaks the rules ({among})")),
        count => {
            let many = counted(count, "finding", "findings");
            let refusal = Code::Rapid1420.because(format!("{many} in {among}"));
            ui.diagnostic(
                &refusal.hint("change the imports; a rule is changed in a commit of its own, before the next run"),
            );
        }
    }
}
