//! `git rapid approve`: shows what is decided about, asks, records.

use super::{
    args,
    check::some,
    harness::said,
    shared,
    speak::{Ui, moment},
};
use crate::approval;
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::GateId, json::Value, lifecycle::Disposition, quantity::counted};
use crate::git::LineCounts;
use crate::hooks::harness::{Coverage, Harness, at_work, doubts};
use crate::os::environment::Environment;
use crate::verbs::{
    approve::{Decision, Request, Subject, decide, prepare, refuse_machine},
    next,
    rapid::Rapid,
    since::Doubt,
    sync,
};
use anstyle::AnsiColor;

/// Decide a gate, as a person in a terminal
#[derive(clap::Args)]
pub struct Args {
    /// The gate, like gate.final-verification
    gate: String,
    /// Let the gate go, for a reason
    #[arg(long, conflicts_with = "reject")]
    waive: bool,
    /// Say no, for a reason
    #[arg(long)]
    reject: bool,
    /// Why
    #[arg(long, default_value = "")]
    reason: String,
    /// Who decides; git's user.name when left out
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Sign it with the key that git signs with, also where the run's terms do not ask for it
    #[arg(long, conflicts_with = "no_sign")]
    sign: bool,
    /// Do not sign it
    #[arg(long)]
    no_sign: bool,
    #[command(flatten)]
    run: args::OfRun,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let decision = match (args.waive, args.reject) {
        (true, _) => Decision::Waive(args.reason),
        (_, true) => Decision::Reject(args.reason),
        _ if args.reason.is_empty() => Decision::Approve,
        _ => return Err(Code::Rapid001.because("--reason belongs to --waive or --reject")),
    };
    if matches!(&decision, Decision::Waive(reason) | Decision::Reject(reason) if reason.trim().is_empty()) {
        return Err(Code::Rapid001.because("say why").hint("give --reason '…'"));
    }
    let sign = match (args.sign, args.no_sign) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let gate = GateId::parse(&args.gate).map_err(|error| match GateId::parse(&format!("gate.{}", args.gate)) {
        Ok(meant) => error.hint(format!("did you mean '{meant}'?")),
        Err(_) => error.hint("see the gates of the run: git rapid status"),
    })?;
    let request = Request { run: args.run.run, gate, decision, reviewer: args.reviewer, sign };
    let rapid = Rapid::open(environment)?;
    refuse_machine(&rapid, &request)?;
    // Whether anybody may decide is asked first: an agent learns nothing here but that it is not its to decide.
    approval::require_person(environment)?;
    let subject = prepare(&rapid, &request)?;
    show(ui, &subject);
    for words in guards(&rapid, &subject) {
        ui.line(format!("  guard:    {words}"));
    }
    for words in sync::remarks_on(&rapid, subject.run.id())? {
        ui.line(format!("  look twice: {words}"));
    }
    for doubt in doubts(&rapid).unwrap_or_default() {
        ui.line(format!("  look twice: {doubt}"));
    }
    show_how(ui, &request, &subject);
    let _ = ui.end();
    let sentence = request.decision.sentence(&subject.gate);
    let done =
        decide(&rapid, &request, &subject, &format!("Type '{sentence}' to decide, anything else to leave it: "))?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("run_id", (&done.run_id).into()),
        ("gate_id", (&done.gate).into()),
        ("disposition", done.disposition.into()),
        ("evidence_id", done.evidence.as_ref().map(|evidence| &evidence.id).into()),
        ("tree", subject.snapshot.tree.to_git_id().as_str().into()),
        ("strength", if done.signed.is_some() { "signed" } else { "terminal" }.into()),
        ("signer", done.signed.as_ref().and_then(|signer| signer.as_ref()).map(|signer| signer.name()).into()),
    ]));
    ui.marked(
        request.decision.word(),
        AnsiColor::Green,
        format!("{} on tree {} by {}", done.gate, subject.snapshot.tree.short(), subject.reviewer),
    );
    match &done.signed {
        Some(Some(signer)) => {
            let touch = if signer.touch { ", on a device that asked for a touch" } else { "" };
            ui.line(format!("  signed by {} ({}){touch}", signer.name(), signer.key));
        }
        Some(None) => ui.line("  signed by a key that this run has no list for: nobody can tell whose it is"),
        None => {}
    }
    if matches!(request.decision, Decision::Approve) && done.disposition == Disposition::Pending {
        ui.line("  the gate stays open: more people have to approve it");
    }
    let advice = next::next(&rapid, Some(&done.run_id))?;
    shared::next_action(ui, &advice.action);
    Ok(0)
}

/// What is known of the guards in this working copy: of the run's harness, and of every other one that was at work.
fn guards(rapid: &Rapid, subject: &Subject) -> Vec<String> {
    let named = Harness::parse(subject.run.contract.harness.as_str()).ok();
    let seen = at_work(rapid.repository(), named).unwrap_or_default();
    seen.iter().map(guard).collect()
}

fn guard(seen: &Coverage) -> String {
    let last = seen.last_seen().map(|at| format!(", last seen {}", moment(at))).unwrap_or_default();
    let found = match seen.findings.as_slice() {
        [] => String::new(),
        [.., newest] => {
            format!("; {}, the newest: {}", counted(seen.findings.len(), "finding", "findings"), said(newest))
        }
    };
    format!("{} of {}{last}{found}", seen.as_str(), seen.harness.as_str())
}

fn show(ui: &mut Ui, subject: &Subject) {
    ui.line(format!("{} of run {}", subject.gate, subject.run.id()));
    ui.line(format!(
        "  spec:     {} ({} r{})",
        subject.title, subject.run.contract.spec_id, subject.run.contract.spec_revision
    ));
    ui.line(format!("  code:     tree {}", subject.snapshot.tree));
    let changed = subject.changes.iter().filter_map(|change| subject.lines.get(&change.path));
    let count = |of: &dyn Fn(&LineCounts) -> u64| changed.clone().map(of).fold(0u64, u64::saturating_add);
    ui.line(format!(
        "  changed:  {}, +{} -{} lines since {}",
        counted(subject.changes.len(), "file", "files"),
        count(&|lines| lines.added),
        count(&|lines| lines.removed),
        subject.since.commit.map_or_else(|| "the beginning".to_owned(), |id| id.short().to_string())
    ));
    if subject.since.before > 0 {
        let commits = counted(subject.since.before, "commit", "commits");
        let more = if subject.since.doubt == Some(Doubt::Farther) { "more than " } else { "" };
        let whose = "came before the run began, and no run and no branch has them";
        ui.line(format!("  look twice: {more}{commits} of it {whose}"));
    }
    match &subject.since.doubt {
        Some(Doubt::NoBase(commit)) => {
            let what = "the run began at is not in this clone: what was committed before it may be among this";
            ui.line(format!("  look twice: commit {} that {what}", commit.short()));
        }
        Some(Doubt::NoBranch(remote)) => {
            let what = "is not known here: what was committed before the run began is not among this";
            ui.line(format!("  look twice: the default branch of '{remote}' {what}"));
            ui.line(format!("    git remote set-head {remote} --auto"));
        }
        Some(Doubt::Farther) | None => {}
    }
    for change in subject.changes.iter().take(20) {
        let lines = subject.lines.get(&change.path);
        let lines = lines.map_or_else(String::new, |count| format!("  +{} -{}", count.added, count.removed));
        ui.line(format!("    {} {}{lines}", change.letter(), change.path));
    }
    if subject.changes.len() > 20 {
        let all = format!("git diff --stat {} {}", subject.since.tree.short(), subject.snapshot.tree.short());
        ui.line(format!("    … and {} more: {all}", subject.changes.len() - 20));
    }
    for (what, names) in [
        ("tests that were there before, and changed", &subject.weighty.tests),
        ("what the test command runs, changed", &subject.weighty.test_command),
        ("rules of .rapid/, changed for later runs", &subject.weighty.rules),
    ] {
        if !names.is_empty() {
            ui.line(format!("  look twice: {what}: {}", some(names)));
        }
    }
    if !subject.standing.is_empty() {
        ui.line("  untracked before the run began, and part of this code:");
        for change in subject.standing.iter().take(20) {
            ui.line(format!("    ? {}", change.path));
        }
        if subject.standing.len() > 20 {
            ui.line(format!("    … and {} more", subject.standing.len() - 20));
        }
    }
    match subject.checks.is_empty() {
        true => ui.line("  checks:   none on this code"),
        false => {
            ui.line("  checks on this code:");
            subject.checks.iter().for_each(|check| ui.line(format!("    {check}")));
        }
    }
    if !subject.faults.is_empty() {
        ui.line("  the fault, as it was shown:");
        subject.faults.iter().for_each(|fault| ui.line(format!("    {fault}")));
    }
    if subject.spooled > 0 {
        ui.line(format!(
            "  look twice: {} pieces of evidence were recorded in a sandbox, and folded in later",
            subject.spooled
        ));
    }
    if !subject.missing.is_empty() {
        ui.line(format!("  not shown yet: {}", some(&subject.missing)));
    }
    for (task, reason) in &subject.skipped {
        ui.line(format!("  look twice: task {task} was left out: {reason}"));
    }
    for (gate, reason) in &subject.waived {
        ui.line(format!("  waived:   {gate}: {reason}"));
    }
    shared::left_out(ui, &subject.snapshot.withheld);
    if let Some(already) = &subject.already {
        ui.line(format!("  decided:  {} approved exactly this already ({already})", subject.reviewer));
    }
    let notes = &subject.snapshot.notes;
    for (what, names) in [
        ("hidden or changed by settings of this clone only", &notes.private_rules),
        ("edited where git is told not to look (index flags)", &notes.flagged),
        ("submodules with changes that no commit holds", &notes.dirty_submodules),
        ("files of the tree that are not on the disk (sparse checkout)", &notes.absent),
        ("nested repositories, held by name only", &notes.opaque),
    ] {
        if !names.is_empty() {
            ui.line(format!("  {what}: {}", some(names)));
        }
    }
}

/// How it is decided, and why.
fn show_how(ui: &mut Ui, request: &Request, subject: &Subject) {
    if let Some(asked) = &subject.asked {
        ui.line(format!("  asked for: {asked}"));
    }
    let how = match subject.signs {
        true => "signed with the key that git signs with; have it ready (passphrase, touch)",
        false => "a typed sentence in a terminal, not a signature",
    };
    ui.line(format!("  decided by {}; {how}", subject.reviewer));
    if let Decision::Waive(reason) | Decision::Reject(reason) = &request.decision {
        ui.line(format!("  reason:   {reason}"));
    }
}
