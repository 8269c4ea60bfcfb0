//! `git rapid story init`.

use super::shared::Where;
use crate::cli::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::story::init::{Change, init};
use anstyle::AnsiColor;

/// Set a project up for stories: configuration, template, instructions of the roles; nothing that exists is overwritten
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    at: Where,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    if args.at.config.is_some() {
        return Err(Code::Rapid001
            .because("story init writes the project's own configuration")
            .hint("leave --config out"));
    }
    let place = args.at.place(environment)?;
    let done = init(&place, args.at.provider.as_deref())?;
    let files =
        done.iter().map(|(path, change)| Value::object([("path", path.into()), ("change", word(*change).into())]));
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("project_dir", place.root.display().to_string().into()),
        ("files", Value::list(files)),
    ]));
    for (path, change) in &done {
        ui.line(format!("{} {path}", word(*change)));
    }
    ui.marked("next:", AnsiColor::Cyan, "write stories like the template, then 'git rapid story validate'");
    Ok(0)
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Wrote => "wrote",
        Change::Extended => "extended",
        Change::Kept => "kept",
    }
}
