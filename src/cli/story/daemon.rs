//! `git rapid story status`, `follow` and `kill`: about the run that is at work.

use super::shared::repository;
use crate::cli::args::Json;
use crate::cli::speak::Ui;
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::story::Place;
use crate::verbs::story::run::{daemon, lock};
use std::path::PathBuf;

/// Which project's run
#[derive(clap::Args)]
pub struct Args {
    /// The project; the nearest one above when left out
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

impl Args {
    /// The project.
    pub fn place(&self, environment: &Environment) -> Result<Place> {
        Place::find(environment, self.directory.as_deref())
    }
}

/// Says whether a run is at work.
pub fn status(place: &Place, ui: &mut Ui) -> Result<i32> {
    let holder = lock::holder(repository(place)?)?;
    let document = Value::object([("schema_version", 1.into()), ("running", holder.is_some().into())]);
    match holder {
        None => {
            ui.document(&document);
            ui.line("no run of the stories is at work");
        }
        Some(holder) => {
            let document = document.with("pid", holder.pid).with("since", holder.since);
            let document = document.with("project", holder.project.as_str());
            ui.document(&document.with_some("log", holder.log.as_deref()));
            ui.line(format!("process {} works the stories of {}", holder.pid, holder.project));
            if let Some(log) = &holder.log {
                ui.line(format!("it writes to {log}"));
            }
        }
    }
    Ok(0)
}

/// Shows what it says, from the beginning; never ends it. Under `--json` that goes to standard error, and the document follows.
pub fn follow(place: &Place, ui: &mut Ui) -> Result<i32> {
    let holder = daemon::follow(repository(place)?, &mut |bytes| {
        ui.followed(bytes);
        ui.is_read()
    })?;
    let document = Value::object([("schema_version", 1.into()), ("pid", holder.pid.into())]);
    ui.document(&document.with_some("log", holder.log.as_deref()));
    Ok(0)
}

/// Ends it and waits until it is gone.
pub fn kill(place: &Place, ui: &mut Ui) -> Result<i32> {
    let holder = daemon::kill(repository(place)?)?;
    ui.document(&Value::object([("schema_version", 1.into()), ("pid", holder.pid.into())]));
    ui.line(format!("process {} has ended", holder.pid));
    Ok(0)
}
