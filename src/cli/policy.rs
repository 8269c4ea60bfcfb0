//! `git rapid policy show|check`.

use super::{
    args,
    speak::{Table, Ui},
    spec_file,
};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::SpecId,
    json::Value,
    policy::{Classification, Overrides, Risk},
};
use crate::os::environment::Environment;
use crate::verbs::{
    policy::{Asked, check, effective},
    rapid::Rapid,
};
use clap::Subcommand;

/// Show the policy in effect, and what it decides for a spec
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The policy that a run would begin under, and where it comes from
    Show(Show),
    /// What the policy decides for a spec: class, risk, workspace, gates, and why
    Check(Check),
}

#[derive(clap::Args)]
struct Show {
    #[command(flatten)]
    json: args::Json,
}

#[derive(clap::Args)]
struct Check {
    /// A spec in the ledger; that of the active run when left out
    #[arg(long, value_name = "ID", conflicts_with = "spec_file")]
    spec: Option<String>,
    /// A spec file; '-' reads standard input
    #[arg(long, value_name = "FILE")]
    spec_file: Option<String>,
    /// The kind of work, when the file names none
    #[arg(long, requires = "spec_file")]
    mode: Option<String>,
    /// Raise the risk to this: low, medium, high or critical
    #[arg(long, value_name = "RISK")]
    risk: Option<String>,
    /// Raise the classification to this: spike, bounded or architectural
    #[arg(long, value_name = "CLASS")]
    classification: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match args.command {
        Command::Show(_) => show(environment, ui),
        Command::Check(args) => decide(args, environment, ui),
    }
}

fn show(environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let found = effective(&Rapid::open(environment)?)?;
    let policy = found.policy.to_value();
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("source", found.source.into()),
        ("policy_digest", found.policy.digest().into()),
        ("policy", policy.clone()),
    ]));
    ui.line(format!("policy from {}", found.source));
    ui.line(format!("digest {}", found.policy.digest()));
    if let Value::Object(members) = policy.without("schema_version") {
        let mut table = Table::default();
        for (key, value) in &members {
            table.row(["  ", key, &in_words(value)]);
        }
        table.lines().iter().for_each(|line| ui.line(line));
    }
    Ok(0)
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::List(items) if items.is_empty() => "none".to_owned(),
        Value::List(items) => items.iter().map(in_words).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let pairs = members.iter().map(|(key, value)| format!("{key}: {}", in_words(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.canonical(),
    }
}

fn decide(args: Check, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let mode = args.mode.as_deref().map(args::mode).transpose()?;
    let asked = match (&args.spec, &args.spec_file) {
        (Some(id), _) => Asked::Spec(SpecId::parse(id)?),
        (None, Some(file)) => Asked::Draft(Box::new(spec_file::read(file, environment, mode)?)),
        (None, None) => Asked::Active,
    };
    let overrides = Overrides {
        classification: args.classification.map(|word| Classification::parse(&word, Code::Rapid001)).transpose()?,
        risk: args.risk.map(|word| Risk::parse(&word, Code::Rapid001)).transpose()?,
    };
    let (spec, policy, decision) = check(&Rapid::open(environment)?, asked, &overrides)?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("title", (&spec.title).into()),
        ("mode", spec.mode.into()),
        ("policy_source", policy.source.into()),
        ("policy_digest", policy.policy.digest().into()),
        ("decision", decision.to_value()),
    ]));
    ui.line(format!("{} ({})", spec.title, spec.mode));
    ui.line(format!("  class:     {}", decision.classification));
    ui.line(format!("  risk:      {}", decision.risk));
    for signal in &decision.risk_signals {
        ui.line(format!("    {} because {} ({})", signal.level, signal.reason, signal.source));
    }
    ui.line(format!("  workspace: {}", decision.workspace));
    ui.line("  gates:");
    let mut table = Table::default();
    for gate in &decision.gates {
        let who = if gate.kind.is_human() { "a person" } else { "the tool" };
        let waivable = if gate.waivable { "may be waived" } else { "never waived" };
        table.row(["   ", gate.id.as_str(), who, waivable, &gate.reason]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    Ok(0)
}
