//! `git rapid evidence show`.

use super::list::bound;
use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::{expunged::Expunged, ids::EvidenceId, json::Value};
use crate::os::environment::Environment;
use crate::verbs::{evidence::kept_files, rapid::Rapid};

/// What is shown.
#[derive(clap::Args)]
pub struct Args {
    /// The piece of evidence, like E001
    id: String,
    /// List the files of the code that it speaks of
    #[arg(long)]
    tree: bool,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let id = EvidenceId::parse(&args.id)?;
    let rapid = Rapid::open(environment)?;
    let (records, run) = rapid.run(args.run.run.as_ref())?;
    let item = run.item(&id)?;
    if args.tree {
        return tree(&rapid, item, ui);
    }
    ui.document(&item.to_value());
    ui.line(format!("{id} of run {}: {}", run.id(), item.summary));
    ui.line(format!("  kind:     {} by {}", item.payload.kind(), item.producer));
    ui.line(format!("  bound to: {}, state {}", bound(item), item.state_revision));
    if !item.capability_ids.is_empty() {
        let names: Vec<&str> = item.capability_ids.iter().map(|capability| capability.as_str()).collect();
        ui.line(format!("  claims:   {}", names.join(", ")));
    }
    ui.line("  payload:");
    for line in item.payload.to_value().pretty().lines() {
        ui.line(format!("    {line}"));
    }
    let expunged = records.expunged_of(run.id())?;
    let of = |path: &str| expunged.iter().find(|record| record.path.as_str() == path);
    for artifact in &item.artifacts {
        ui.line(format!("  {} ({} bytes, sha256 {})", artifact.path, artifact.size_bytes, artifact.sha256));
    }
    let tree = Expunged::tree_path(run.id(), &id);
    for path in item.artifacts.iter().map(|artifact| artifact.path.as_str()).chain([tree.as_str()]) {
        if let Some(record) = of(path) {
            ui.line(format!("  expunged: {path} by {}: {}", record.by, record.reason));
        }
    }
    ui.line(format!("  digest:   {}", item.digest()));
    Ok(0)
}

fn tree(rapid: &Rapid, item: &crate::domain::evidence::Evidence, ui: &mut Ui) -> Result<i32> {
    let (tree, files) = kept_files(rapid, item)?;
    let listed = files.iter().filter_map(|file| {
        let (mode, id) = file.new?;
        Some((mode.as_str(), id.to_string(), file.path.as_str()))
    });
    let listed: Vec<(&str, String, &str)> = listed.collect();
    let document = listed
        .iter()
        .map(|(mode, id, path)| Value::object([("mode", (*mode).into()), ("id", id.into()), ("path", (*path).into())]));
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", (&item.run_id).into()),
        ("evidence_id", (&item.id).into()),
        ("tree", tree.to_string().into()),
        ("files", Value::list(document)),
    ]));
    for (mode, id, path) in &listed {
        ui.line(format!("{mode:0>6} {id}\t{path}"));
    }
    Ok(0)
}
