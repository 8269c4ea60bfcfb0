//! `git rapid spec create|list|show|revise|status|diff`.

mod authoring;
mod diff;
mod list;
mod show;

use super::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::SpecId, json::Value, lifecycle::SpecStatus};
use crate::os::environment::Environment;
use crate::registry::Spec;
use crate::verbs::{self, rapid::Rapid};
use anstyle::AnsiColor;
use authoring::Authoring;
use clap::Subcommand;

/// Write, read and move specs
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a new spec, from flags or from a file
    Create(Create),
    /// List the specs
    List(list::Args),
    /// Show a spec
    Show(show::Args),
    /// Write a new revision; what is not named stays, and the spec is a draft again
    Revise(Revise),
    /// Move a spec: draft, ready or archived
    Status(Status),
    /// Compare two revisions of a spec
    Diff(diff::Args),
}

#[derive(clap::Args)]
struct Create {
    /// The spec's id; derived from its title when left out
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Whether it may open runs at once
    #[arg(long, value_name = "STATUS", value_parser = ["draft", "ready"], default_value = "draft")]
    status: String,
    #[command(flatten)]
    authoring: Authoring,
    #[command(flatten)]
    json: args::Json,
}

#[derive(clap::Args)]
struct Revise {
    /// The spec
    id: String,
    #[command(flatten)]
    authoring: Authoring,
    #[command(flatten)]
    json: args::Json,
}

#[derive(clap::Args)]
struct Status {
    /// The spec
    id: String,
    /// Where it goes: draft, ready or archived
    status: String,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    match args.command {
        Command::Create(args) => {
            let id = args.id.as_deref().map(SpecId::parse).transpose()?;
            let status = SpecStatus::parse(&args.status, Code::Rapid001)?;
            let draft = args.authoring.draft(environment)?;
            let spec = verbs::spec::create(&Rapid::open(environment)?, &draft, id, status)?;
            told(ui, "created", &spec)
        }
        Command::Revise(args) => {
            let id = SpecId::parse(&args.id)?;
            let rapid = Rapid::open(environment)?;
            let change = args.authoring.change(environment)?;
            let spec = verbs::spec::revise(&rapid, &id, &|before| change.apply(before))?;
            told(ui, "revised", &spec)
        }
        Command::Status(args) => {
            let id = SpecId::parse(&args.id)?;
            let status = SpecStatus::parse(&args.status, Code::Rapid001)?;
            let spec = verbs::spec::status(&Rapid::open(environment)?, &id, status)?;
            told(ui, "moved", &spec)
        }
        Command::List(args) => list::run(args, environment, ui),
        Command::Show(args) => show::run(args, environment, ui),
        Command::Diff(args) => diff::run(args, environment, ui),
    }
}

fn told(ui: &mut Ui, word: &str, spec: &Spec) -> Result<i32> {
    let current = spec.current()?;
    ui.document(&document(spec)?.with("revision", current.to_value()));
    ui.marked(word, AnsiColor::Green, format!("spec {} r{}: {}", spec.id, current.revision, current.content.title));
    ui.line(format!("  it is {}", spec.status));
    if spec.status == SpecStatus::Draft {
        ui.line(format!("  when it may open runs: git rapid spec status {} ready", spec.id));
    }
    Ok(0)
}

/// What every document about one spec begins with.
fn document(spec: &Spec) -> Result<Value> {
    let record = record(spec)?;
    Ok(record.clone().with("schema_version", 1).with("spec", record))
}

/// A spec in a few members.
fn record(spec: &Spec) -> Result<Value> {
    Ok(Value::object([
        ("id", (&spec.id).into()),
        ("status", spec.status.into()),
        ("current_revision", spec.current()?.revision.into()),
    ]))
}
