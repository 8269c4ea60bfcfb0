//! `git rapid export`.

use super::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{config::PushAttachments, ids::RunId, json::Value};
use crate::export::{Format, is_former_export};
use crate::os::{
    environment::Environment,
    files,
    terminal::{self, Stream},
};
use crate::verbs::{
    export::{Made, Request, Which, export},
    rapid::Rapid,
};
use std::path::PathBuf;

/// How much of a file is looked at to tell a former export, in bytes.
const BEGINNING: u64 = 64 * 1024;

/// Export runs: a page for people, a document or attestations for tools, a bundle that proves itself anywhere
#[derive(clap::Args)]
pub struct Args {
    /// The run; the active one when left out, or else the newest
    #[arg(long, value_name = "ID", value_parser = args::run_id)]
    run: Option<RunId>,
    /// Every run of the ledger
    #[arg(long, conflicts_with = "run")]
    all: bool,
    /// As what: json, in-toto, bundle or html
    #[arg(long, value_name = "FORMAT")]
    format: String,
    /// Where to; standard output when left out, or '-'
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a file that is no former export
    #[arg(long, requires = "output")]
    force: bool,
    /// Sign each in-toto Statement with the key that git signs with
    #[arg(long)]
    sign: bool,
    /// The material that goes into a bundle: none, final or all; what push.attachments says when left out
    #[arg(long, value_name = "LEVEL")]
    attachments: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let format = Format::parse(&args.format, Code::Rapid001)?;
    let attachments = args.attachments.map(|level| PushAttachments::parse(&level, Code::Rapid001)).transpose()?;
    if args.sign && format != Format::InToto {
        return Err(Code::Rapid001.because("only attestations are signed").hint("--format in-toto --sign"));
    }
    if attachments.is_some() && format != Format::Bundle {
        return Err(Code::Rapid001
            .because("only a bundle takes material along")
            .hint("--format bundle --attachments all"));
    }
    let target = args.output.filter(|path| path.as_os_str() != "-").map(|path| environment.cwd().join(path));
    if target.is_none() && args.json.json {
        return Err(Code::Rapid001
            .because("standard output takes the export or the summary, not both")
            .hint("name a file with -o"));
    }
    if target.is_none() && format == Format::Bundle && terminal::is_terminal(Stream::Out) {
        return Err(Code::Rapid001.because("a bundle is nothing for a terminal").hint("name a file with -o"));
    }
    if let Some(path) = target.as_ref().filter(|_| !args.force)
        && let Some(beginning) = files::beginning(path, BEGINNING)?
        && !beginning.is_empty()
        && !is_former_export(format, &beginning)
    {
        let shown = path.display().to_string();
        return Err(Code::Rapid1753
            .because(format!("'{shown}' is there, and is no former export as {format}"))
            .at(shown)
            .hint("name another file, or replace it with --force"));
    }
    let which = match (args.run, args.all) {
        (Some(id), _) => Which::Named(id),
        (None, true) => Which::All,
        (None, false) => Which::Current,
    };
    let rapid = Rapid::open(environment)?;
    let request = Request { which, format, sign: args.sign, attachments };
    let outcome = export(&rapid, &request, &mut |number, of| ui.note(&format!("signing {number} of {of}")))?;
    for id in &outcome.silent {
        ui.note(&format!(
            "nothing is attested about run {id}: it recorded no final tree and no check that says something"
        ));
    }
    for what in &outcome.unproved {
        ui.note(&format!("not all of the ledger could be looked at: {what}"));
    }
    let Some(path) = target else {
        match &outcome.made {
            Made::Bytes(bytes) => ui.raw(bytes),
            Made::File(file, _) => ui.raw(&files::read(file, u64::MAX)?),
        }
        return Ok(0);
    };
    let size = match &outcome.made {
        Made::Bytes(bytes) => files::write_from(&path, &mut bytes.as_slice())?,
        Made::File(file, _) => files::write_from(&path, &mut files::open(file)?)?,
    };
    let runs =
        outcome.runs.iter().map(|(id, verdict)| Value::object([("run_id", id.into()), ("verdict", (*verdict).into())]));
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("file", path.display().to_string().into()),
        ("format", format.into()),
        ("size_bytes", size.into()),
        ("runs", Value::list(runs)),
        ("not_attested", Value::list(&outcome.silent)),
        ("unproved", Value::list(&outcome.unproved)),
    ]));
    let what = match (outcome.runs.as_slice(), format) {
        (_, Format::Bundle) => "the whole ledger and the history of HEAD".to_owned(),
        ([(id, verdict)], _) => format!("run {id}, {verdict}"),
        (runs, _) => crate::domain::quantity::counted(runs.len(), "run", "runs"),
    };
    ui.line(format!("wrote {} ({format}: {what})", path.display()));
    Ok(0)
}
