//! `git rapid status`.

use super::{
    args, shared,
    speak::{Table, Ui, span},
};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, next_action::ActionKind, quantity::counted};
use crate::mission::Subject;
use crate::os::{
    environment::Environment,
    signals,
    terminal::{self, Stream},
};
use crate::verbs::{
    next,
    rapid::Rapid,
    status::{Active, Elsewhere, Outcome, status},
    sync,
    worktrees::RunWorktree,
};
use std::time::Duration;

/// Show the active run, what is missing, and how the ledger stands to its remotes
#[derive(clap::Args)]
pub struct Args {
    /// List all runs, and the worktrees that they were given
    #[arg(long)]
    all: bool,
    /// Stay, and show it anew every two seconds, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    #[command(flatten)]
    json: args::Json,
}

/// How often it is shown anew.
const EVERY: Duration = Duration::from_secs(2);

/// How often the size of the terminal is looked at meanwhile.
const PIECES: u32 = 10;

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    if !args.watch {
        return once(args.all, environment, ui);
    }
    if !terminal::is_terminal(Stream::Out) {
        return Err(Code::Rapid001.because("only a terminal can be watched").hint("git rapid status shows it once"));
    }
    signals::watch()?;
    loop {
        let size = terminal::size();
        ui.new_screen(size);
        // The directory we stand in may have been given another name, and what cannot be read now may be there again soon.
        let shown = Environment::from_process().and_then(|environment| once(args.all, &environment, ui));
        if let Err(error) = shown {
            ui.diagnostic(&error);
        }
        ui.close_screen("watching; Ctrl-C ends it");
        // A terminal of another size is drawn at once.
        for _ in 0..PIECES {
            if signals::wait(EVERY / PIECES) {
                return Ok(0);
            }
            if terminal::size() != size {
                break;
            }
        }
    }
}

fn once(all: bool, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let seen = status(&rapid, all)?;
    shared::waiting(ui, &rapid)?;
    ui.document(&document(&seen, all));
    match &seen.active {
        None => {
            ui.line("no run is active here");
            match rapid.repository().workdir() {
                Some(_) => ui.line("  begin one with: git rapid start feature --title '…' --task '…'"),
                None => ui.line(format!("  {}", next::IN_A_BARE_ONE)),
            }
        }
        Some(active) => tell(ui, active),
    }
    tell_elsewhere(ui, &seen.elsewhere);
    if all {
        let mut table = Table::default();
        for run in &seen.all {
            let state = run.state()?;
            let verdict = run.reports.last().map_or("-", |report| report.verdict().as_str());
            table.row([run.id().as_str(), state.status.as_str(), run.contract.mode.as_str(), verdict]);
        }
        table.lines().iter().for_each(|line| ui.line(line));
        tell_worktrees(ui, &seen.worktrees);
    }
    match seen.tip {
        Some(tip) => ui.line(format!("ledger {}", tip.short())),
        None => ui.line("no ledger here yet"),
    }
    for standing in &seen.remotes {
        let words = match (standing.ahead, standing.behind) {
            _ if !standing.diverged.is_empty() => {
                let names: Vec<String> = standing.diverged.iter().map(|subject| sync::named(subject)).collect();
                let way_out = sync::ways_out(&standing.remote, &standing.diverged).join(", or ");
                format!("diverged from this ledger about {}; a person decides: {way_out}", names.join(", "))
            }
            (Some(0), Some(0)) => "has the same ledger".to_owned(),
            (Some(ahead), Some(behind)) => {
                let command = if behind == 0 { "push" } else { "sync" };
                let ahead = counted(ahead, "entry", "entries");
                format!("{ahead} to push, {behind} to fetch: git rapid {command} {}", standing.remote)
            }
            _ => "its ledger was not fetched yet".to_owned(),
        };
        ui.line(format!("  {}: {words}", standing.remote));
        if let Some(vanished) = &standing.vanished {
            ui.diagnostic(vanished);
        }
    }
    Ok(0)
}

fn tell(ui: &mut Ui, active: &Active) {
    let run = &active.run;
    if let Ok(state) = run.state() {
        ui.line(format!(
            "run {} is {} ({}, risk {})",
            run.id(),
            state.status,
            run.contract.mode,
            run.contract.decision.risk
        ));
        let mut table = Table::default();
        for task in &state.tasks {
            table.row(["  ", task.id.as_str(), task.status.as_str(), &task.description]);
        }
        for gate in &state.gates {
            table.row(["  ", gate.id.as_str(), gate.disposition.as_str(), &gate.reason]);
        }
        table.lines().iter().for_each(|line| ui.line(line));
    }
    match run.state().is_ok_and(|state| state.status.is_terminal()) {
        true => shared::verdict(ui, &active.report),
        false => shared::standing(ui, &active.report, &active.advice.missing),
    }
    shared::next_action(ui, &active.advice.action);
}

/// What else is open, and what of it waits for a person.
fn tell_elsewhere(ui: &mut Ui, elsewhere: &Elsewhere) {
    for run in &elsewhere.runs {
        let action = &run.next.action;
        let id = run.next.run_id.as_ref().map_or("a run", |id| id.as_str());
        let gates: Vec<&str> = action.gate_ids.iter().map(|id| id.as_str()).collect();
        ui.line(format!("also open: run {id} in {}", run.path.display()));
        ui.line(format!("  next: {} {}", action.kind, gates.join(" ")).trim_end());
        if action.kind == ActionKind::AwaitHumanApproval
            && let Some(command) = &action.command
        {
            ui.line(format!(
                "  run:  cd {} && {}",
                shared::typed(&[run.path.display().to_string()]),
                shared::typed(command)
            ));
        }
    }
    for run in &elsewhere.recorded {
        ui.line(format!("open in the ledger: run {} is {}, held by {}", run.id, run.status, run.by));
        ui.line(format!("  look at it:    git rapid brief --run {}", run.id));
        ui.line(format!("  go on with it: git rapid next --run {}", run.id));
    }
    for mission in &elsewhere.missions {
        ui.line(format!("also open: mission {} is {}", mission.id, mission.status));
        for subject in &mission.waits_for {
            let what = subject.argument();
            ui.line(format!("  waits for you: git rapid mission approve {what} --mission {}", mission.id));
        }
    }
    if let Some(holder) = &elsewhere.stories {
        ui.line(format!("at work: process {} on the stories of {}", holder.pid, holder.project));
        ui.line("  watch it: git rapid story follow");
    }
}

fn tell_worktrees(ui: &mut Ui, worktrees: &[RunWorktree]) {
    if worktrees.is_empty() {
        return;
    }
    ui.line("worktrees of runs");
    let mut table = Table::default();
    for worktree in worktrees {
        let status = worktree.status.map_or("left behind by a start that died", |status| status.as_str());
        let (size, age, changed) = match &worktree.content {
            None => (String::new(), String::new(), "its directory is gone"),
            Some(content) => (
                format!("{}{} kB", if content.more { "over " } else { "" }, content.bytes.div_ceil(1000)),
                format!("{} old", span(Duration::from_secs(content.age))),
                if content.changed { "has changes" } else { "clean" },
            ),
        };
        let path = worktree.path.display().to_string();
        table.row(["  ", worktree.run_id.as_str(), status, &size, &age, changed, &path]);
    }
    table.lines().iter().for_each(|line| ui.line(line));
    for worktree in worktrees {
        match worktree.advice() {
            Some(command) if worktree.is_lost() => {
                ui.line(format!("  {} goes on once it is back: {command}", worktree.run_id));
            }
            Some(command) => ui.line(format!("  no longer needed: {command}")),
            None if worktree.status.is_none() => {
                ui.line(format!("  the next start of {} takes it over while it is clean", worktree.run_id));
            }
            None => {}
        }
    }
}

fn elsewhere(elsewhere: &Elsewhere) -> Value {
    let runs = elsewhere.runs.iter().map(|run| {
        let action = &run.next.action;
        Value::object([
            ("run_id", run.next.run_id.as_ref().into()),
            ("path", run.path.display().to_string().into()),
            ("next", action.kind.into()),
            ("gate_ids", Value::list(&action.gate_ids)),
            ("command", Value::list(action.command.iter().flatten())),
        ])
    });
    let missions = elsewhere.missions.iter().map(|mission| {
        Value::object([
            ("mission", (&mission.id).into()),
            ("status", mission.status.into()),
            ("waits_for", Value::list(mission.waits_for.iter().map(Subject::argument))),
        ])
    });
    let stories = elsewhere.stories.iter().map(|holder| {
        Value::object([
            ("pid", holder.pid.into()),
            ("since", holder.since.into()),
            ("project", (&holder.project).into()),
        ])
    });
    let recorded = elsewhere.recorded.iter().map(|run| {
        Value::object([("run_id", (&run.id).into()), ("status", run.status.into()), ("by", (&run.by).into())])
    });
    let recorded = (!elsewhere.recorded.is_empty()).then(|| Value::list(recorded));
    Value::object([("runs", Value::list(runs)), ("missions", Value::list(missions)), ("stories", Value::list(stories))])
        .with_some("recorded", recorded)
}

fn document(seen: &Outcome, all: bool) -> Value {
    let active = seen.active.as_ref().map(|active| {
        let state = active.run.state().ok();
        Value::object([
            ("run_id", active.run.id().into()),
            ("mode", active.run.contract.mode.into()),
            ("status", state.map(|state| state.status).into()),
            ("risk", active.run.contract.decision.risk.into()),
            ("verdict", active.report.verdict().into()),
            ("missing", Value::list(active.advice.missing.iter().map(|assertion| assertion.to_value()))),
            ("next", active.advice.action.to_value().without("schema_version")),
            (
                "tasks",
                Value::list(
                    state
                        .map(|state| state.tasks.iter().map(|task| task.to_value()).collect::<Vec<_>>())
                        .unwrap_or_default(),
                ),
            ),
            (
                "gates",
                Value::list(
                    state
                        .map(|state| state.gates.iter().map(|gate| gate.to_value()).collect::<Vec<_>>())
                        .unwrap_or_default(),
                ),
            ),
        ])
    });
    let remotes = seen.remotes.iter().map(|standing| {
        Value::object([
            ("remote", (&standing.remote).into()),
            ("tip", standing.theirs.map(|id| id.to_string()).into()),
            ("ahead", standing.ahead.into()),
            ("behind", standing.behind.into()),
            ("diverged", Value::list(&standing.diverged)),
            ("vanished", standing.vanished.as_ref().map(|vanished| vanished.message.clone()).into()),
        ])
    });
    let mut document = Value::object([
        ("schema_version", 1.into()),
        ("run", active.into()),
        ("elsewhere", elsewhere(&seen.elsewhere)),
        ("tip", seen.tip.map(|tip| tip.to_string()).into()),
        ("remotes", Value::list(remotes)),
    ]);
    if all {
        let runs = seen.all.iter().map(|run| {
            Value::object([
                ("run_id", run.id().into()),
                ("mode", run.contract.mode.into()),
                ("status", run.state().ok().map(|state| state.status).into()),
                ("verdict", run.reports.last().map(|report| report.verdict()).into()),
            ])
        });
        let worktrees = seen.worktrees.iter().map(|worktree| {
            let content = worktree.content.as_ref();
            Value::object([
                ("run_id", (&worktree.run_id).into()),
                ("path", worktree.path.display().to_string().into()),
                ("status", worktree.status.into()),
                ("bytes", content.map(|content| content.bytes).into()),
                ("age_seconds", content.map(|content| content.age).into()),
                ("changed", content.map(|content| content.changed).into()),
                ("advice", worktree.advice().into()),
            ])
        });
        document = document.with("runs", Value::list(runs)).with("worktrees", Value::list(worktrees));
    }
    document
}
