//! `git rapid spec show`.

use super::document;
use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::{
    digest::Digest,
    ids::SpecId,
    json::Value,
    spec::{Document, SpecDraft},
};
use crate::os::environment::Environment;
use crate::registry::Place;
use crate::verbs::rapid::Rapid;

/// What is shown.
#[derive(clap::Args)]
pub struct Args {
    /// The spec
    id: String,
    /// This revision; the current one when left out
    #[arg(long, value_name = "N")]
    revision: Option<u32>,
    /// As a spec file that can be read back: Markdown or JSON
    #[arg(long, value_name = "FORMAT", value_parser = ["md", "json"])]
    format: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let id = SpecId::parse(&args.id)?;
    let rapid = Rapid::open(environment)?;
    let records = rapid.registry().existing_records()?;
    let spec = records.spec(&records.meant_spec(&id)?)?;
    let revision = args.revision.map_or_else(|| spec.current(), |number| spec.revision(number))?;
    let artifacts = Document::ALL.iter().map(|document| {
        let path = Place::Document(id.clone(), revision.revision, document.file_name().to_owned()).path();
        let text = document.render(&revision.content);
        Value::object([("path", path.into()), ("sha256", Digest::of(text.as_bytes()).into()), ("text", text.into())])
    });
    let shown = document(&spec)?.with("revision", revision.to_value()).with("artifacts", Value::list(artifacts));
    ui.document(&shown);
    match args.format.as_deref() {
        Some("json") => ui.line(revision.content.to_value().pretty().trim_end()),
        Some(_) => ui.line(markdown(&revision.content).trim_end()),
        None => {
            ui.line(format!("spec {} r{} of {}, {}", id, revision.revision, spec.revisions.len(), spec.status));
            ui.line(format!("digest {}", revision.content_digest));
            ui.line("");
            ui.line(markdown(&revision.content).trim_end());
        }
    }
    Ok(0)
}

/// The three documents in one, with what they leave out; a spec file again.
pub(super) fn markdown(spec: &SpecDraft) -> String {
    let mut parts: Vec<String> = Document::ALL.iter().map(|document| document.render(spec)).collect();
    if !spec.tags.is_empty() {
        let tags: Vec<String> = spec.tags.iter().map(|tag| format!("- {tag}\n")).collect();
        parts.push(format!("## Tags\n\n{}", tags.concat()));
    }
    parts.join("\n")
}
