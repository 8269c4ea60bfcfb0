//! How several commands say the same thing: the next action, a verdict, a check.

pub use crate::domain::typed::typed;

use super::speak::Ui;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    json::Value,
    next_action::{ActionKind, NextAction},
    report::{Assertion, Report, Status, Verdict},
};
use crate::git::Withheld;
use crate::ledger::SpooledEntry;
use crate::verbs::rapid::Rapid;
use anstyle::AnsiColor;
use std::collections::BTreeMap;

/// Says, and puts into the document, that what was recorded waits in the spool. Where the ledger took it nothing is said.
pub fn spooled(ui: &mut Ui, rapid: &Rapid) {
    if rapid.repository().was_closed() {
        ui.beside("spooled", true.into());
        let said = "spooled: git's directory is closed here, so what was recorded waits in '.git/rapid/spool'";
        ui.diagnostic(
            &Code::Rapid1570.because(said).hint("the next recording command outside the sandbox folds it in"),
        );
    }
}

/// Says, and puts into the document, that some of what is shown waits in the spool.
pub fn waiting(ui: &mut Ui, rapid: &Rapid) -> Result<Vec<SpooledEntry>> {
    let waiting = rapid.registry().waiting()?;
    if !waiting.is_empty() {
        ui.beside("spooled_entries", waiting.len().into());
        let (said, hint) = rapid.registry().told_of_waiting(waiting.len())?;
        ui.diagnostic(&Code::Rapid1570.because(said).hint(hint));
    }
    Ok(waiting)
}

/// Says what to do next.
pub fn next_action(ui: &mut Ui, next: &NextAction) {
    let colour = match next.action.kind {
        ActionKind::Blocked => AnsiColor::Red,
        ActionKind::AwaitHumanApproval => AnsiColor::Yellow,
        ActionKind::Done | ActionKind::Finish => AnsiColor::Green,
        _ => AnsiColor::Cyan,
    };
    let subject = match (&next.action.task_id, next.action.gate_ids.as_slice()) {
        (Some(task), _) => format!("{} {task}", next.action.kind),
        (None, []) => next.action.kind.to_string(),
        (None, gates) => {
            format!("{} {}", next.action.kind, gates.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }
    };
    ui.marked("next:", colour, subject);
    for line in next.action.instructions.lines() {
        ui.line(format!("  {line}"));
    }
    if let Some(command) = &next.action.command {
        ui.line(format!("  run:   {}", typed(command)));
    }
    if let Some(after) = &next.action.after {
        ui.line(format!("  then:  {}", typed(after)));
    }
    if let Some(path) = &next.action.workspace_path {
        ui.line(format!("  in:    {path}"));
    }
    if let Some(template) = &next.action.spec_template {
        ui.line("  a spec file to start from:");
        for line in template.pretty().lines() {
            ui.line(format!("    {line}"));
        }
    }
}

/// Names the files that are in the working copy and not in the recorded tree, with the reason of each and what changes it.
pub fn left_out(ui: &mut Ui, withheld: &BTreeMap<String, Withheld>) {
    if withheld.is_empty() {
        return;
    }
    ui.line("  not in the recorded tree, so no verdict speaks of it:");
    for (path, why) in withheld.iter().take(10) {
        ui.line(format!("    {path}: {}", why.as_str()));
    }
    if withheld.len() > 10 {
        ui.line(format!("    … and {} more", withheld.len() - 10));
    }
    ui.line("  what belongs to the code counts once git has it (git add); ignore the rest");
}

/// Says how a run that is not over stands, and what is still missing.
pub fn standing(ui: &mut Ui, report: &Report, missing: &[Assertion]) {
    verdict_line(ui, report);
    for assertion in missing {
        ui.line(format!("  {} {}: {}", assertion.status, assertion.id, assertion.reason));
    }
}

/// Says a verdict and what is not shown.
pub fn verdict(ui: &mut Ui, report: &Report) {
    verdict_line(ui, report);
    for assertion in report.assertions.iter().filter(|assertion| assertion.required && assertion.status != Status::Pass)
    {
        ui.line(format!("  {} {}: {}", assertion.status, assertion.id, assertion.reason));
    }
}

fn verdict_line(ui: &mut Ui, report: &Report) {
    let verdict = report.verdict();
    let colour = match verdict {
        Verdict::Pass | Verdict::PassWithWaivers => AnsiColor::Green,
        Verdict::Unverified => AnsiColor::Yellow,
        Verdict::Fail => AnsiColor::Red,
    };
    let tree = report.tree.as_ref().map_or_else(String::new, |tree| format!(", about tree {}", tree.short()));
    ui.marked(&verdict.as_str().to_uppercase(), colour, format!("run {}{tree}", report.run_id));
}

/// A report as commands print it: the record, with the counts that people want beside it.
pub fn report_value(report: &Report) -> Value {
    report.to_value().with("summary", report.summary())
}
