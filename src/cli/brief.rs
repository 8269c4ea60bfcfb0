//! `git rapid brief`: a run in thirty lines.

use super::{
    args,
    shared::{self, typed},
    speak::Ui,
};
use crate::diagnostics::Result;
use crate::domain::{json::Value, lifecycle::TaskStatus};
use crate::os::environment::Environment;
use crate::verbs::{
    brief::{Brief, brief},
    rapid::Rapid,
};

/// The most lines that are printed.
const LINES: usize = 30;

/// Tell the run in thirty lines, for an agent that lost its context
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let seen = brief(&rapid, args.run.run.as_ref())?;
    shared::waiting(ui, &rapid)?;
    let lines = lines(&seen)?;
    let state = seen.run.state()?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", seen.run.id().into()),
        ("status", state.status.into()),
        ("mode", seen.run.contract.mode.into()),
        ("title", (&seen.spec.content.title).into()),
        ("verdict", seen.report.verdict().into()),
        ("next", seen.advice.action.to_value().without("schema_version")),
        ("lines", Value::list(&lines)),
    ]));
    lines.iter().for_each(|line| ui.line(line));
    Ok(0)
}

/// The lines. Each list is cut so that all of them and the next action always fit.
pub(super) fn lines(seen: &Brief) -> Result<Vec<String>> {
    let (run, spec, next) = (&seen.run, &seen.spec.content, &seen.advice.action);
    let (contract, state) = (&run.contract, run.state()?);
    let mut out = vec![
        format!("run {} is {}: a {}, risk {}", run.id(), state.status, contract.mode, contract.decision.risk),
        format!("spec {} r{}: {}", contract.spec_id, contract.spec_revision, one_line(&spec.title)),
    ];
    let why = [&spec.business_objective, &spec.problem_statement].into_iter().find(|text| !text.is_empty());
    out.extend(why.map(|text| format!("why: {}", one_line(text))));
    out.extend(seen.workspace_path.as_ref().map(|path| format!("work in: {path}")));
    let command = contract.test_command.as_deref().map(typed);
    out.extend(command.map(|command| format!("tests: {command}")));
    listed(&mut out, "accepted when", &spec.acceptance_criteria, 4);
    listed(&mut out, "leave alone", &spec.out_of_scope, 2);
    listed(&mut out, "keep to", &spec.technical_constraints, 2);
    let open = state.tasks.iter().filter(|task| !task.status.is_terminal());
    let done = state.tasks.iter().filter(|task| task.status.is_terminal()).count();
    out.push(format!("tasks: {done} of {} done or skipped", state.tasks.len()));
    let tasks: Vec<String> = open
        .map(|task| {
            let mark = if task.status == TaskStatus::InProgress { " (in progress)" } else { "" };
            format!("{}{mark}: {}", task.id, task.description)
        })
        .collect();
    listed(&mut out, "open", &tasks, 4);
    let gates: Vec<String> = state.gates.iter().map(|gate| format!("{} {}", gate.id, gate.disposition)).collect();
    out.push(one_line(&format!("gates: {}", gates.join(", "))));
    out.extend(run.evidence.last().map(|item| one_line(&format!("last: {} {}", item.id, item.summary))));
    let missing: Vec<String> = seen.advice.missing.iter().map(|assertion| assertion.id.to_string()).collect();
    out.push(one_line(&format!("verdict now: {}; not shown: {}", seen.report.verdict(), missing.join(", "))));
    let mut end = vec![format!("next: {}", next.action.kind)];
    end.extend(next.action.instructions.lines().take(3).map(one_line));
    end.extend(next.action.command.as_deref().map(|words| format!("run: {}", typed(words))));
    end.extend(next.action.after.as_deref().map(|words| format!("then: {}", typed(words))));
    if !next.awaiting_human.is_empty() {
        end.push("a person decides the human gates: stop and ask; never run 'git rapid approve' yourself".to_owned());
    }
    out.truncate(LINES.saturating_sub(end.len()));
    out.extend(end);
    Ok(out)
}

fn listed(out: &mut Vec<String>, what: &str, items: &[String], most: usize) {
    let Some(more) = items.len().checked_sub(most).filter(|more| *more > 0) else {
        return out.extend(items.iter().map(|item| one_line(&format!("{what}: {item}"))));
    };
    out.extend(items.iter().take(most).map(|item| one_line(&format!("{what}: {item}"))));
    if let Some(last) = out.last_mut() {
        last.push_str(&format!(" (and {more} more)"));
    }
}

/// The text in one line of bounded length.
fn one_line(text: &str) -> String {
    const MOST: usize = 160;
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= MOST { flat } else { format!("{}…", flat.chars().take(MOST).collect::<String>()) }
}
