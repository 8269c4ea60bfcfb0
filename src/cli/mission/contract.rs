//! `git rapid mission contract`: what a planner, a maker or a checker is told. It writes nothing and starts nobody.

use super::shared::{self, OfMission};
use crate::cli::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::mission::PackageId;
use crate::os::environment::Environment;
use crate::verbs::mission::contract::{self, Whose};

/// Print what a role is told, without starting it
#[derive(clap::Args)]
pub struct Args {
    /// Whose contract
    #[arg(long, value_name = "ROLE")]
    role: Role,
    /// The work package; the whole mission for a checker when left out
    #[arg(long, value_name = "WP", conflicts_with = "objective")]
    wp: Option<String>,
    /// What a planner is to plan
    #[arg(long, value_name = "TEXT", required_if_eq("role", "planner"))]
    objective: Option<String>,
    #[command(flatten)]
    of: OfMission,
    #[command(flatten)]
    json: args::Json,
}

/// The roles that have a contract.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Role {
    Planner,
    Maker,
    Checker,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let package = args.wp.as_deref().map(shared::package_id).transpose()?;
    let contract = match (args.role, &args.objective) {
        (Role::Planner, Some(objective)) => contract::of_planner(&site, objective)?,
        (Role::Planner, None) => return Err(Code::Rapid001.because("say what is to be planned: --objective TEXT")),
        (Role::Maker, _) => show(&site, &args, Whose::Maker, package.as_ref())?,
        (Role::Checker, _) => show(&site, &args, Whose::Checker, package.as_ref())?,
    };
    ui.document(&contract);
    ui.line(contract.pretty().trim_end());
    Ok(0)
}

fn show(
    site: &crate::verbs::mission::Site,
    args: &Args,
    whose: Whose,
    package: Option<&PackageId>,
) -> Result<crate::domain::json::Value> {
    contract::show(site, args.of.mission.as_ref(), whose, package)
}
