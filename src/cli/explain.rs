//! `git rapid explain`.

use super::{args, speak::Ui};
use crate::diagnostics::{Class, Code, Result, explain};
use crate::domain::{json::Value, near::or_near};
use crate::os::environment::Environment;

/// Explain a RAPID code: what happened, why it is refused, what to do
#[derive(clap::Args)]
pub struct Args {
    /// The code, like RAPID1310; all of them are listed when left out
    code: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, _: &Environment, ui: &mut Ui) -> Result<i32> {
    let Some(text) = &args.code else {
        let all = Code::ALL.iter().map(|&code| document(code));
        ui.document(&Value::object([("schema_version", 1.into()), ("codes", Value::list(all))]));
        for code in Code::ALL {
            ui.line(format!("{code}  {}", code.title()));
        }
        return Ok(0);
    };
    let code = Code::parse(text).ok_or_else(|| {
        let known: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let missing = Code::Rapid1540.because(format!("'{}' is no RAPID code", text.escape_debug()));
        or_near(missing, text, &known, "list them all: git rapid explain")
    })?;
    let page = explain::page(code);
    ui.document(&document(code).with("schema_version", 1).with("page", page));
    ui.line(page.trim_end());
    Ok(0)
}

fn document(code: Code) -> Value {
    let class = match code.class() {
        Class::Info => "info",
        Class::Warning => "warning",
        Class::Refusal => "refusal",
        Class::Error => "error",
    };
    Value::object([("code", code.as_str().into()), ("class", class.into()), ("title", code.title().into())])
}
