//! `git rapid mission status` and `evaluate`. They write nothing.

use super::shared::{self, OfMission, show, to_value};
use crate::cli::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::mission::meant;
use anstyle::AnsiColor;

/// Say where a mission stands
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    of: OfMission,
    #[command(flatten)]
    json: args::Json,
}

/// `mission status`.
pub fn status(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let records = site.rapid.registry().existing_records()?;
    let recorded = records.mission(&meant(&records, args.of.mission.as_ref())?)?;
    ui.document(&to_value(&recorded.mission));
    show(ui, &recorded.mission);
    recorded.unsigned.iter().for_each(|fault| ui.diagnostic(fault));
    Ok(0)
}

/// `mission evaluate`.
pub fn evaluate(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let records = site.rapid.registry().existing_records()?;
    let mission = records.mission(&meant(&records, args.of.mission.as_ref())?)?.mission;
    let packages: Vec<_> = mission
        .in_order()
        .map(|package| {
            let now = mission.decide(package.id(), None);
            (package, now)
        })
        .collect();
    let listed = packages.iter().map(|(package, now)| {
        Value::object([
            ("wp", package.id().into()),
            ("decision", now.action.into()),
            ("reason", now.reason.into()),
            ("repair_cycles", package.repair().count().into()),
            ("last", package.last().map(|last| last.to_value()).into()),
        ])
    });
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("mission", mission.id().into()),
        ("decisions", Value::list(listed)),
    ]));
    for (package, now) in &packages {
        let last = package.last().map(|last| format!("; last {} ({})", last.action, last.reason)).unwrap_or_default();
        ui.marked(package.id().as_str(), AnsiColor::Cyan, format!("{} ({}){last}", now.action, now.reason));
    }
    Ok(0)
}
