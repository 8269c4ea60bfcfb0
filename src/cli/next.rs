//! `git rapid next`.

use super::{args, shared, speak::Ui};
use crate::conductor::Advice;
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::os::environment::Environment;
use crate::verbs::{self, rapid::Rapid};

/// Say what to do next; never writes anything
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    /// List the rules in order, with what each saw
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let advice = verbs::next::next(&rapid, args.run.run.as_ref())?;
    let mut document = advice.action.to_value();
    if args.why {
        document = document.with("because", because(&advice));
    }
    shared::waiting(ui, &rapid)?;
    ui.document(&document);
    shared::next_action(ui, &advice.action);
    if args.why {
        for trace in &advice.because {
            ui.line(format!("  {} {}: {}", if trace.applies { "*" } else { "-" }, trace.rule, trace.saw));
        }
    }
    Ok(0)
}

fn because(advice: &Advice) -> Value {
    Value::list(advice.because.iter().map(|trace| {
        Value::object([("rule", trace.rule.into()), ("applies", trace.applies.into()), ("saw", (&trace.saw).into())])
    }))
}
