//! `git rapid story run`, which is also `git rapid story`.

mod tell;

use super::daemon;
use super::shared::{Where, repository};
use crate::cli::{
    args,
    speak::{self, Ui},
};
use crate::diagnostics::{Code, Result};
use crate::domain::json::Value;
use crate::os::{environment::Environment, files, process};
use crate::story::Filter;
use crate::story::dry_run::Style;
use crate::story::report::{Report, error_value, with_estimate, with_transitions};
use crate::verbs::story::run::{self as work, daemon::Started};
use crate::verbs::story::{Place, Request, config, dry_run::dry_run};
use std::path::{Path, PathBuf};

/// Work the backlog to its end
// `story` flattens these beside its subcommands, and a group is called after its type.
#[derive(clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    at: Where,
    /// One turn only
    #[arg(long)]
    once: bool,
    /// Say nothing while it runs
    #[arg(long)]
    quiet: bool,
    /// Simulate: start no agent, write nothing; 'pessimistic' has each story rejected once
    #[arg(long, value_name = "STYLE", num_args = 0..=1, require_equals = true, default_missing_value = "optimistic")]
    #[arg(value_parser = ["optimistic", "pessimistic"])]
    dry_run: Option<String>,
    /// Go on where the last run stopped
    #[arg(long, conflicts_with = "clean_state")]
    resume: bool,
    /// Forget what earlier runs counted
    #[arg(long)]
    clean_state: bool,
    /// Only this story
    #[arg(long, value_name = "ID", conflicts_with_all = ["epic", "epics"])]
    story: Option<String>,
    /// Only the stories of this epic
    #[arg(long, value_name = "ID", conflicts_with = "epics")]
    epic: Option<String>,
    /// Only the stories of these epics, like EPIC-001..EPIC-003 or 1-3,7
    #[arg(long, value_name = "RANGE")]
    epics: Option<String>,
    /// Where progress is written too
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// Turns at the same time, each in a worktree of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: Option<u32>,
    /// Work in the background; 'story follow', 'story status' and 'story kill' are about it
    #[arg(long, conflicts_with_all = ["dry_run", "clean_state", "follow", "status", "kill"])]
    detach: bool,
    /// Show what the run in the background says
    #[arg(long, conflicts_with_all = ["status", "kill"])]
    follow: bool,
    /// Say whether a run is at work
    #[arg(long, conflicts_with = "kill")]
    status: bool,
    /// End the run that is at work
    #[arg(long)]
    kill: bool,
    /// This is the run in the background
    #[arg(long, hide = true)]
    in_background: bool,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it. What could not run is exit code 1 and a document that says so.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let project = args.at.directory.clone().unwrap_or_else(|| environment.cwd().to_owned());
    run_in(args, environment, ui).inspect_err(|diagnostic| {
        ui.document(&error_value(&project.display().to_string(), speak::error_value(diagnostic)));
    })
}

fn run_in(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let place = args.at.place(environment)?;
    match (args.follow, args.status, args.kill) {
        (true, _, _) => return daemon::follow(&place, ui),
        (_, true, _) => return daemon::status(&place, ui),
        (_, _, true) => return daemon::kill(&place, ui),
        _ => {}
    }
    let request = request(&args, &place.root, environment)?;
    match args.dry_run.as_deref() {
        Some(style) => {
            let style = if style == "pessimistic" { Style::Pessimistic } else { Style::Optimistic };
            simulated(&args, &request, style, ui)
        }
        None => real(&args, &place, &request, environment, ui),
    }
}

fn request(args: &Args, root: &Path, environment: &Environment) -> Result<Request> {
    let mut config = config::read(root, args.at.config(environment).as_deref())?.config;
    if let Some(provider) = &args.at.provider {
        config.agents.played_by(provider);
    }
    if let Some(jobs) = args.jobs {
        config.settings.jobs = jobs;
    }
    config.settings.once = args.once;
    Ok(Request {
        root: root.to_owned(),
        config,
        filter: filter(args)?,
        resume: args.resume,
        log_file: args.log_file.as_ref().map(|path| environment.cwd().join(path)),
    })
}

/// Which stories (RAPID1702).
fn filter(args: &Args) -> Result<Filter> {
    match (&args.story, &args.epic, &args.epics) {
        (Some(story), _, _) => Ok(Filter::Story(story.clone())),
        (None, Some(epic), _) => Ok(Filter::Epic(epic.clone())),
        (None, None, Some(range)) => Filter::epics(range).ok_or_else(|| {
            Code::Rapid1702
                .because(format!("'{}' is no range of epics", range.escape_debug()))
                .hint("write EPIC-001..EPIC-003, 1-3 or 1-3,7, the lower number first")
        }),
        (None, None, None) => Ok(Filter::All),
    }
}

fn simulated(args: &Args, request: &Request, style: Style, ui: &mut Ui) -> Result<i32> {
    let (outcome, estimate) = dry_run(request, style)?;
    let report = Report::of(&outcome.machine);
    let project = request.root.display().to_string();
    let document = report.to_value(&outcome.machine, &project, outcome.elapsed_seconds);
    ui.document(&with_estimate(with_transitions(document, &outcome.transitions), true, &estimate));
    let moves = tell::moves(&outcome);
    let ending = tell::ending(&outcome, &report, Some(&estimate));
    if let Some(path) = &request.log_file {
        let text: String = moves.iter().chain(&ending).map(|line| format!("{line}\n")).collect();
        files::write_atomically(path, text.as_bytes())?;
    }
    ui.line(format!("dry run in {project}: no agent is started, nothing is written"));
    if !args.quiet {
        moves.iter().for_each(|line| ui.line(line));
    }
    ending.iter().for_each(|line| ui.line(line));
    Ok(i32::from(report.exit_code))
}

fn real(args: &Args, place: &Place, request: &Request, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let repository = repository(place)?;
    if args.clean_state {
        let count = work::forget(repository, request)?;
        ui.document(&Value::object([("schema_version", 1.into()), ("forgot", count.into())]));
        ui.line(format!("forgot what was counted of {count} stories"));
        return Ok(0);
    }
    if args.detach {
        return detached(args, place, request, environment, ui);
    }
    if args.in_background {
        process::leave_session();
    }
    let quiet = args.quiet || args.in_background;
    let outcome = work::run(repository, request, &mut |line| {
        if !quiet {
            ui.note(line);
        }
    })?;
    let report = Report::of(&outcome.machine);
    let project = request.root.display().to_string();
    let document = report.to_value(&outcome.machine, &project, outcome.elapsed_seconds);
    ui.document(&with_transitions(document, &outcome.transitions).with("dry_run", false));
    tell::ending(&outcome, &report, None).iter().for_each(|line| ui.line(line));
    Ok(i32::from(report.exit_code))
}

fn detached(args: &Args, place: &Place, request: &Request, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let log = request.log_file.clone();
    let log = log.unwrap_or_else(|| request.root.join(&request.config.directories.logs).join("story.log"));
    let shown = |path: &Path| path.display().to_string();
    let mut words = vec!["story".to_owned(), "run".to_owned(), shown(&request.root), "--in-background".to_owned()];
    words.extend(["--log-file".to_owned(), shown(&log)]);
    let config = args.at.config(environment).map(|path| shown(&path));
    let jobs = args.jobs.map(|jobs| jobs.to_string());
    for (flag, value) in [
        ("--config", &config),
        ("--provider", &args.at.provider),
        ("--story", &args.story),
        ("--epic", &args.epic),
        ("--epics", &args.epics),
        ("--jobs", &jobs),
    ] {
        words.extend(value.iter().flat_map(|value| [flag.to_owned(), value.clone()]));
    }
    for (flag, given) in [("--once", args.once), ("--resume", args.resume)] {
        words.extend(given.then(|| flag.to_owned()));
    }
    let started = work::daemon::detach(repository(place)?, environment, &words, &log)?;
    let document = Value::object([("schema_version", 1.into()), ("log", shown(&log).into())]);
    match started {
        Started::AtWork(pid) => {
            ui.document(&document.with("pid", pid));
            ui.line(format!("process {pid} works the stories; 'git rapid story follow' shows what it says"));
            Ok(0)
        }
        Started::Over(code) => {
            ui.document(&document.with("exit_code", code));
            ui.line(format!("the run is over already, with exit code {code}; see {}", log.display()));
            Ok(code)
        }
    }
}
