//! `git rapid mission approve` and `abort`: what only a person does is shown, asked, and recorded.

use super::shared::{self, OfMission, package_id, show, to_value};
use crate::approval;
use crate::cli::{args, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::json::Value;
use crate::mission::Subject;
use crate::os::environment::Environment;
use crate::verbs::mission::journal;
use crate::verbs::mission::person::{self, Request};
use anstyle::AnsiColor;

/// Decide what a mission waits for, as a person in a terminal
#[derive(clap::Args)]
pub struct ApproveArgs {
    /// The work package
    #[arg(value_name = "WP", required_unless_present_any = ["last", "circuit", "resume"])]
    package: Option<String>,
    /// The end of the mission
    #[arg(long = "final", conflicts_with_all = ["package", "circuit", "resume"])]
    last: bool,
    /// Close the circuit, for a reason
    #[arg(long, conflicts_with_all = ["package", "resume", "reject"])]
    circuit: bool,
    /// Let a mission that was blocked or escalated go on, for a reason
    #[arg(long, conflicts_with_all = ["package", "reject"])]
    resume: bool,
    /// Let the work package that was blocked be tried again, for a reason
    #[arg(long, requires = "package", conflicts_with = "reject")]
    reopen: bool,
    /// Say no, for a reason
    #[arg(long)]
    reject: bool,
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
    /// Who decides; git's user.name when left out
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    #[command(flatten)]
    of: OfMission,
    #[command(flatten)]
    json: args::Json,
}

/// End a mission for good
#[derive(clap::Args)]
pub struct AbortArgs {
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    of: OfMission,
    #[command(flatten)]
    json: args::Json,
}

/// `mission approve`.
pub fn approve(args: ApproveArgs, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let subject = match &args.package {
        Some(text) => {
            let id = package_id(text)?;
            if args.reopen { Subject::Reopen(id) } else { Subject::Package(id) }
        }
        None if args.last => Subject::Final,
        None if args.circuit => Subject::Circuit,
        None => Subject::Mission,
    };
    if (args.reject || !matches!(subject, Subject::Package(_) | Subject::Final)) && args.reason.trim().is_empty() {
        return Err(Code::Rapid001.because("say why").hint("give --reason '…'"));
    }
    let site = shared::site(environment)?;
    // Whether anybody may decide is asked first: an agent learns nothing here but that it is not its to decide.
    approval::require_person(environment)?;
    let asked =
        Request { mission: args.of.mission, subject, yes: !args.reject, reason: args.reason, reviewer: args.reviewer };
    let (id, page) = person::prepare(&site, &asked)?;
    ui.marked("decide", AnsiColor::Cyan, format!("mission {id}: {}", page.what));
    ui.line(format!("  why    {}", page.why));
    if let Some(risk) = page.risk {
        ui.line(format!("  risk   {risk}"));
    }
    page.scope.iter().for_each(|pattern| ui.line(format!("  scope  {pattern}")));
    page.tried.iter().for_each(|tried| ui.line(format!("  tried  {tried}")));
    ui.line(format!("  {}", page.asked));
    let _ = ui.end();
    let sentence = page.sentence(asked.yes);
    let prompt = format!("Type '{sentence}' to decide, anything else to leave it: ");
    let (mission, signer) = person::decide(&site, &asked, &id, &page, &prompt)?;
    let signed = signer.as_ref().map(|signer| signer.name().to_owned());
    ui.document(&to_value(&mission).with("decided", page.to_value()).with("signed_by", signed.as_deref()));
    let word = if asked.yes { "approved" } else { "rejected" };
    let by = signed.map(|name| format!(", signed by {name}")).unwrap_or_default();
    ui.marked(word, AnsiColor::Green, format!("{}{by}", page.subject.to_text()));
    Ok(0)
}

/// `mission abort`.
pub fn abort(args: AbortArgs, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let site = shared::site(environment)?;
    let (mission, kept) = person::abort(&site, args.of.mission.as_ref(), &args.reason)?;
    let listed = Value::object([
        ("branch", kept.branch.as_deref().into()),
        ("attempts", Value::list(&kept.attempts)),
        ("worktrees", Value::list(&kept.worktrees)),
    ]);
    ui.document(&to_value(&mission).with("kept", listed));
    show(ui, &mission);
    match &kept.branch {
        Some(branch) => ui.line(format!("  its records stay on the ledger, and what was taken on '{branch}'")),
        None => ui.line("  its records stay on the ledger; it has no branch"),
    }
    kept.attempts.iter().for_each(|branch| ui.line(format!("  what an attempt left stays on '{branch}'")));
    for place in &kept.worktrees {
        ui.note(&format!("{}\n", journal::kept(place)));
    }
    Ok(0)
}
