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
    let snapshot = work.snapshot(Keep::Memory)?;
    let notes = &snapshot.notes;
    let withheld = &snapshot.withheld;
    let flagged = snapshot.flagged.iter().map(|file| {
        Value::object([("path", file.path.as_str().into()), ("flag", file.flag.into()), ("edited", file.edited.into())])
    });
    let document = Value::object([
        ("schema_version", 1.into()),
        ("tree", snapshot.tree.to_string().into()),
        ("object_format", work.repository().format().as_str().into()),
        ("untracked", Value::list(snapshot.untracked.iter().map(|file| file.path.to_string()))),
        ("withheld", Value::list(&notes.withheld)),
        (
            "withheld_because",
            Value::Object(withheld.iter().map(|(path, why)| (path.clone(), why.as_str().into())).collect()),
        ),
        ("opaque", Value::list(&notes.opaque)),
        ("dirty_submodules", Value::list(&notes.dirty_submodules)),
        ("absent", Value::list(&notes.absent)),
        ("absent_count", snapshot.absent.into()),
        ("private_rules", Value::list(&notes.private_rules)),
        ("flagged", Value::List(flagged.collect())),
        ("settings", Value::list(&snapshot.settings)),
        ("files_read", snapshot.files_read.into()),
    ]);
    ui.line(snapshot.tree.to_string());
    let withheld: Vec<String> = withheld.iter().map(|(path, why)| format!("{path} ({})", why.as_str())).collect();
    let hidden = snapshot.flagged.iter().filter(|file| file.edited);
    let hidden: Vec<String> = hidden.map(|file| format!("{} ({})", file.path, file.flag)).collect();
    let lists = [
        (&withheld, "left out"),
        (&notes.opaque, "repositories of their own"),
        (&notes.dirty_submodules, "submodules with changes that their commit does not show"),
        (&notes.absent, "files of the tree that are not on the disk (sparse checkout, skip-worktree)"),
        (&notes.private_rules, "settings of this clone only that hid or changed something"),
        (&hidden, "edits that flags in the index hide from git, and that this tree holds"),
        (&snapshot.settings, "settings that hide edits from 'git status'"),
    ];
    for (list, words) in lists.into_iter().filter(|(list, _)| !list.is_empty()) {
        ui.note(&format!("{words}: {}", some(list)));
    }
    ui.document(&document);
    Ok(0)
}
