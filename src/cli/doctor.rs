//! `git rapid doctor`.

use super::{args, speak::Ui};
use crate::diagnostics::Result;
use crate::domain::json::Value;
use crate::hooks::{harness, install};
use crate::os::environment::Environment;
use crate::verbs::{
    doctor::{Finding, State, doctor, repair},
    rapid::Rapid,
};
use anstyle::AnsiColor;

/// Look at what git-rapid depends on in this machine and clone, and say how to mend it
#[derive(clap::Args)]
pub struct Args {
    /// Mend what can be mended without risk: refs that hold nothing, old locks that no process holds
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let repaired = if args.repair { repair(environment)? } else { Vec::new() };
    let mut findings = doctor(environment);
    findings.extend(hooks(environment));
    findings.extend(guards(environment));
    let is_good = findings.iter().all(|finding| finding.state != State::Bad);
    let listed = findings.iter().map(|finding| {
        Value::object([
            ("name", finding.name.into()),
            ("state", finding.state.as_str().into()),
            ("message", (&finding.words).into()),
            ("hint", finding.hint.as_ref().into()),
        ])
    });
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("ok", is_good.into()),
        ("findings", Value::list(listed)),
        ("repaired", Value::list(&repaired)),
    ]));
    for words in &repaired {
        ui.marked("mended", AnsiColor::Green, words);
    }
    if args.repair && repaired.is_empty() {
        ui.line("there was nothing to mend");
    }
    for finding in &findings {
        let (mark, colour) = match finding.state {
            State::Good => ("good", AnsiColor::Green),
            State::Note => ("note", AnsiColor::Yellow),
            State::Bad => ("bad ", AnsiColor::Red),
        };
        ui.marked(mark, colour, format!("{}: {}", finding.name, finding.words));
        if let Some(hint) = &finding.hint {
            ui.line(format!("       {hint}"));
        }
    }
    Ok(i32::from(!is_good))
}

/// How the git hooks stand. Nothing trusts them, so what is missing is worth knowing and not wrong.
fn hooks(environment: &Environment) -> Option<Finding> {
    let rapid = Rapid::open(environment).ok()?;
    let said = |state, words, hint| Some(Finding { name: "hooks", state, words, hint });
    let standings = match install::usual(&rapid).and_then(|set| install::status(&rapid, set)) {
        Ok(standings) => standings,
        Err(error) => return said(State::Note, error.to_string(), error.hints.first().cloned()),
    };
    let lacking = standings.iter().filter(|standing| standing.state != install::State::Installed);
    let lacking: Vec<String> =
        lacking.map(|s| format!("{} is {} ({})", s.moment, s.state.as_str(), s.path.display())).collect();
    let hint = match install::elsewhere(rapid.repository()) {
        Ok(Some(elsewhere)) => elsewhere.hints.first().cloned(),
        _ => Some("git rapid hooks install".to_owned()),
    };
    match lacking.is_empty() {
        true => {
            let keeper = standings.first().map_or("git", |standing| standing.keeper.as_str());
            said(State::Good, format!("{} installed, kept by {keeper}", standings.len()), None)
        }
        false => said(State::Note, lacking.join("; "), hint),
    }
}

/// Guards of harnesses that are not what was installed, or that nobody has ever seen at work.
fn guards(environment: &Environment) -> Vec<Finding> {
    let installed = Rapid::open(environment).and_then(|rapid| harness::at_work(rapid.repository(), None));
    let told = installed.unwrap_or_default().into_iter().filter_map(|seen| {
        let name = seen.harness.as_str();
        let hint = match seen.as_str() {
            "altered" => format!("git rapid harness install {name}"),
            "installed, never seen" => seen.harness.afterwards().to_owned(),
            _ => return None,
        };
        let words = format!("the guard of {name}: {}", seen.as_str());
        Some(Finding { name: "guard", state: State::Note, words, hint: Some(hint) })
    });
    told.collect()
}
