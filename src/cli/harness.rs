//! `git rapid harness list|show|install|uninstall|status`.

use super::{
    args,
    speak::{Table, Ui, moment},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{capability::Capability, json::Value};
use crate::hooks::harness::{self, Change, Coverage, Finding, Harness, Installed, NAMES, State};
use crate::os::environment::Environment;
use crate::verbs::rapid::Rapid;
use anstyle::AnsiColor;
use clap::Subcommand;

/// Teach an agent's harness the loop, and put a guard before its tools
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the harnesses, and whether each is installed here
    List(Bare),
    /// Show what a harness gets, and what it can do
    Show(One),
    /// Write its shortcuts and its guard into the working copy
    Install(Install),
    /// Take them out again
    Uninstall(One),
    /// Show whether the guards run, and what they found
    Status(Bare),
}

#[derive(clap::Args)]
struct Bare {
    #[command(flatten)]
    json: args::Json,
}

#[derive(clap::Args)]
struct One {
    /// The harness, like claude
    name: String,
    #[command(flatten)]
    json: args::Json,
}

#[derive(clap::Args)]
struct Install {
    /// The harness: claude, codex, cursor, vscode, antigravity, opencode, gemini or pi
    name: String,
    /// Register 'git rapid mcp' with it too
    #[arg(long)]
    mcp: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    match args.command {
        Command::List(_) => list(&rapid, ui),
        Command::Show(one) => show(&rapid, Harness::parse(&one.name)?, ui),
        Command::Install(args) => {
            let name = Harness::parse(&args.name)?;
            let done = harness::install(rapid.repository(), name, args.mcp)?;
            ui.document(&changes(name, &done));
            tell_install(ui, name, &done);
            Ok(0)
        }
        Command::Uninstall(one) => {
            let name = Harness::parse(&one.name)?;
            let done = harness::uninstall(rapid.repository(), name)?;
            ui.document(&changes(name, &done));
            for (path, change) in &done {
                ui.line(format!("{} {path}", word(*change)));
            }
            match done.is_empty() {
                true => ui.line(format!("{} was not installed here", name.title())),
                false => ui.line(format!("{} is as it was before", name.title())),
            }
            Ok(0)
        }
        Command::Status(_) => status(&rapid, ui),
    }
}

/// Says what an installation did; `init` says it too.
pub(super) fn tell_install(ui: &mut Ui, name: Harness, done: &[(String, Change)]) {
    let wrote: Vec<_> = done.iter().filter(|(_, change)| *change == Change::Wrote).collect();
    for (path, change) in &wrote {
        ui.line(format!("{} {path}", word(*change)));
    }
    match wrote.is_empty() {
        true => ui.line(format!("{} is installed already", name.title())),
        false => {
            ui.marked("installed", AnsiColor::Green, format!("{}: /{} and others", name.title(), NAMES.join(", /")));
            ui.line(format!("  {}", name.afterwards()));
            ui.line("  commit these files, so that everybody has them");
        }
    }
}

/// What an installation or a removal did, as a document.
pub(super) fn changes(name: Harness, done: &[(String, Change)]) -> Value {
    let files =
        done.iter().map(|(path, change)| Value::object([("path", path.into()), ("change", word(*change).into())]));
    Value::object([
        ("schema_version", 1.into()),
        ("harness", name.as_str().into()),
        ("files", Value::list(files)),
        ("afterwards", name.afterwards().into()),
    ])
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Wrote => "wrote",
        Change::Kept => "kept",
        Change::Cleaned => "cleaned",
        Change::Removed => "removed",
        Change::Left => "left, since it is not git-rapid's any more:",
    }
}

fn list(rapid: &Rapid, ui: &mut Ui) -> Result<i32> {
    let mut items = Vec::new();
    let mut table = Table::default();
    for name in Harness::ALL {
        let installed = harness::installed(rapid.repository(), name)?;
        items.push(Value::object([
            ("id", name.as_str().into()),
            ("title", name.title().into()),
            ("installed", installed.as_str().into()),
        ]));
        table.row([name.as_str(), name.title(), &format!("installed: {}", installed.as_str())]);
    }
    ui.document(&Value::object([("schema_version", 1.into()), ("harnesses", Value::List(items))]));
    table.lines().iter().for_each(|line| ui.line(line));
    Ok(0)
}

/// What every built-in profile says of a harness; anything else is unknown, and unknown is never support.
const SUPPORTED: [&str; 3] = ["context.consume", "repository.read", "workspace.current"];

fn show(rapid: &Rapid, name: Harness, ui: &mut Ui) -> Result<i32> {
    let installed = harness::installed(rapid.repository(), name)?;
    let capabilities = Capability::ALL.iter().map(|capability| {
        let known = SUPPORTED.contains(&capability.as_str());
        Value::object([
            ("capability_id", capability.as_str().into()),
            ("status", if known { "supported" } else { "unknown" }.into()),
        ])
    });
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("id", name.as_str().into()),
        ("title", name.title().into()),
        ("installed", installed.as_str().into()),
        ("files", files(&installed)),
        ("events", Value::list(name.events().iter().map(|event| event.as_str()))),
        ("shortcuts", Value::list(NAMES)),
        ("capabilities", Value::list(capabilities)),
        ("afterwards", name.afterwards().into()),
    ]));
    ui.line(format!("{} ({}), installed: {}", name.title(), name.as_str(), installed.as_str()));
    let mut table = Table::default();
    for (path, purpose, state) in &installed.files {
        table.row(["  ", path, purpose, state_word(*state)]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    let events: Vec<&str> = name.events().iter().map(|event| event.as_str()).collect();
    ui.line(format!("  events: {}", events.join(", ")));
    ui.line(format!("  supported: {}; everything else is unknown", SUPPORTED.join(", ")));
    ui.line(format!("  {}", name.afterwards()));
    Ok(0)
}

fn files(installed: &Installed) -> Value {
    Value::list(installed.files.iter().map(|(path, purpose, state)| {
        Value::object([("path", path.into()), ("purpose", (*purpose).into()), ("state", state_word(*state).into())])
    }))
}

fn state_word(state: State) -> &'static str {
    match state {
        State::Current => "as installed",
        State::Differs => "differs",
        State::Missing => "missing",
    }
}

fn status(rapid: &Rapid, ui: &mut Ui) -> Result<i32> {
    let all = Harness::ALL.into_iter().map(|name| harness::coverage(rapid.repository(), name));
    let all: Vec<Coverage> = all.collect::<Result<_>>()?;
    let shown: Vec<&Coverage> =
        all.iter().filter(|seen| seen.installed.as_str() != "no" || seen.last_seen().is_some()).collect();
    let doubts = harness::doubts(rapid)?;
    ui.document(&Value::object([
        ("schema_version", 1.into()),
        ("harnesses", Value::list(shown.iter().map(|seen| coverage(seen)))),
        ("doubts", Value::list(&doubts)),
    ]));
    if shown.is_empty() {
        ui.line("no harness is installed here; 'git rapid harness install NAME' does that");
    }
    for seen in shown {
        let colour = if seen.as_str() == "active" { AnsiColor::Green } else { AnsiColor::Yellow };
        ui.marked(seen.harness.as_str(), colour, format!("guard: {}", seen.as_str()));
        for beat in &seen.beats {
            let when = beat.at.map_or_else(|| "never seen".to_owned(), |at| format!("last seen {}", moment(at)));
            ui.line(format!("  {}: {when}", beat.event.as_str()));
        }
        for (path, _, state) in seen.installed.files.iter().filter(|(_, _, state)| *state != State::Current) {
            ui.line(format!("  {path}: {}", state_word(*state)));
        }
        for found in &seen.findings {
            ui.line(format!("  {} {}", moment(found.at), said(found)));
        }
        if seen.last_seen().is_none() {
            ui.line(format!("  {}", seen.harness.afterwards()));
        }
    }
    doubts.iter().for_each(|doubt| ui.marked("doubt", AnsiColor::Yellow, doubt));
    Ok(0)
}

fn coverage(seen: &Coverage) -> Value {
    let beats = seen
        .beats
        .iter()
        .map(|beat| Value::object([("event", beat.event.as_str().into()), ("last_seen", beat.at.into())]));
    let findings = seen.findings.iter().map(|found| {
        Value::object([("at", found.at.into()), ("tool", (&found.tool).into()), ("what", Value::list(&found.what))])
    });
    Value::object([
        ("id", seen.harness.as_str().into()),
        ("guard", seen.as_str().into()),
        ("installed", seen.installed.as_str().into()),
        ("files", files(&seen.installed)),
        ("events", Value::list(beats)),
        ("findings", Value::list(findings)),
    ])
}

/// A finding in words.
pub(super) fn said(found: &Finding) -> String {
    match found.tool.is_empty() {
        true => format!("changed between two tool calls: {}", found.what.join(", ")),
        false => format!("changed while the tool {} ran: {}", found.tool, found.what.join(", ")),
    }
}

/// The refusal that a finding is said with.
pub(super) fn refusal(found: &Finding) -> crate::diagnostics::Diagnostic {
    Code::Rapid1635
        .because(said(found))
        .hint("put it back as it was and say so; whoever approves sees this ('git rapid harness status')")
}
