//! `git rapid mission plan`.

use super::shared::{self, show, to_value};
use crate::cli::{
    args,
    speak::{Ui, error_value},
};
use crate::diagnostics::{Code, Result};
use crate::domain::json::Value;
use crate::mission::{MissionId, Problem};
use crate::os::environment::Environment;
use crate::verbs::mission::plan::{Outcome, plan};

/// The largest plan that is read, in bytes.
const CAP: u64 = 4 << 20;

/// Take a plan: judge it whole, and record it when it holds
#[derive(clap::Args)]
pub struct Args {
    /// The plan, JSON or the same in TOML; - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// What the mission is called; made of its objective when left out
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let id = args.id.as_deref().map(MissionId::parse).transpose()?;
    let bytes = args::read_input(&args.file, environment, CAP)?;
    match plan(&site, &bytes, id)? {
        Outcome::Planned(mission) => {
            ui.document(&to_value(&mission));
            show(ui, &mission);
            Ok(0)
        }
        Outcome::Invalid(problems) => {
            let count = problems.len();
            let error = Code::Rapid1900
                .because(format!("the plan does not hold: {count} problems; nothing was recorded"))
                .hint("mend all of them: docs/missions.md says what each means");
            let listed = problems.iter().map(|problem| {
                Value::object([
                    ("code", problem.kind.into()),
                    ("pointer", problem.pointer.as_str().into()),
                    ("message", problem.message.as_str().into()),
                ])
            });
            ui.document(&Value::object([
                ("schema_version", 1.into()),
                ("error", error_value(&error)),
                ("problems", Value::list(listed)),
            ]));
            problems.iter().for_each(|problem| line(ui, problem));
            ui.diagnostic(&error);
            Ok(1)
        }
    }
}

fn line(ui: &mut Ui, problem: &Problem) {
    let at = if problem.pointer.is_empty() { "the plan" } else { &problem.pointer };
    ui.line(format!("{at}: {} [{}]", problem.message, problem.kind));
}
