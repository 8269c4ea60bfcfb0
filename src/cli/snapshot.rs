//! `git rapid snapshot`.

use super::{args, check::some, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::git::Keep;
use crate::os::environment::Environment;
use crate::verbs::{rapid::Rapid, work::Work};

/// Print the id of the working copy's tree, as 'check' would record it
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(_: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let session = rapid.session()?;
    let config = match &session {
        None => rapid.working_config()?,
        Some(_) => rapid.run(None).and_then(|(records, run)| rapid.config_of(&records, run.id()))?,
    };
    let work = Work::of(&rapid, session.as_ref(), config)?;
    let snapshot = work.snapshot(Keep::Nothing)?;
    let notes = &snapshot.notes;
    let lists = [
        ("withheld", &notes.withheld, "left out (they look secret, or are too large)"),
        ("opaque", &notes.opaque, "repositories of their own"),
        ("dirty_submodules", &notes.dirty_submodules, "submodules with changes that their commit does not show"),
        ("private_rules", &notes.private_rules, "settings of this clone only that hid something"),
    ];
    let mut document = Value::object([
        ("schema_version", 1.into()),
        ("tree", snapshot.tree.to_string().into()),
        ("object_format", work.repository().format().as_str().into()),
        ("untracked", Value::list(snapshot.untracked.iter().map(|file| file.path.to_string()))),
    ]);
    ui.line(snapshot.tree.to_string());
    for (key, list, words) in lists {
        document = document.with(key, Value::list(list));
        if !list.is_empty() {
            ui.note(&format!("{words}: {}", some(list)));
        }
    }
    ui.document(&document);
    Ok(0)
}
