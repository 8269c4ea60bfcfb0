//! `git rapid spec diff`.

use super::show::markdown;
use crate::cli::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::SpecId, json::Value};
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;
use similar::TextDiff;

/// What is compared.
#[derive(clap::Args)]
pub struct Args {
    /// The spec
    id: String,
    /// The older revision; the one before the newer when left out
    #[arg(value_name = "R1", value_parser = args::revision)]
    from: Option<u32>,
    /// The newer revision; the current one when left out
    #[arg(value_name = "R2", value_parser = args::revision)]
    to: Option<u32>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let id = SpecId::parse(&args.id)?;
    let rapid = Rapid::open(environment)?;
    let records = rapid.registry().existing_records()?;
    let spec = records.spec(&records.meant_spec(&id)?)?;
    let to = args.to.map_or_else(|| spec.current(), |number| spec.revision(number))?;
    let from = match args.from {
        Some(number) => spec.revision(number)?,
        None if to.revision == 1 => {
            return Err(Code::Rapid807
                .because(format!("spec '{id}' has no revision before r1"))
                .hint(format!("show it: git rapid spec show {id}")));
        }
        None => spec.revision(to.revision.saturating_sub(1))?,
    };
    let (old, new) = (markdown(&from.content), markdown(&to.content));
    let names = (format!("{id} r{}", from.revision), format!("{id} r{}", to.revision));
    let difference = TextDiff::from_lines(old.as_str(), new.as_str());
    let difference = difference.unified_diff().context_radius(2).header(&names.0, &names.1).to_string();
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("id", (&id).into()),
        ("from", from.revision.into()),
        ("to", to.revision.into()),
        ("changed", (from.content != to.content).into()),
        ("diff", (&difference).into()),
    ]));
    match difference.is_empty() {
        true => ui.line(format!("r{} and r{} say the same", from.revision, to.revision)),
        false => ui.line(difference.trim_end()),
    }
    Ok(0)
}
