//! `git rapid start`.

use super::{args, check::some, shared, speak::Ui, spec_file};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{HarnessId, RunId, SpecId},
    json::Value,
    mode::Mode,
    policy::{Classification, Risk},
    spec::SpecDraft,
};
use crate::os::environment::Environment;
use crate::verbs::{
    check::CheckOutcome,
    plan::{SpecSource, Wanted},
    rapid::Rapid,
    start::{Request, start},
    terms,
};
use anstyle::AnsiColor;

/// Open a run: a spec, a frozen contract, the baseline
#[derive(clap::Args)]
pub struct Args {
    /// The kind of work: feature, bugfix, refactor, hardening or research
    mode: String,
    /// The spec, as JSON or Markdown; '-' reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["spec", "title"])]
    spec_file: Option<String>,
    /// A spec that is in the ledger and ready
    #[arg(long, value_name = "ID", conflicts_with_all = ["title", "task"])]
    spec: Option<String>,
    /// The title of a new spec
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// A task of a new spec (can be repeated)
    #[arg(long, value_name = "TASK")]
    task: Vec<String>,
    /// The id of a new spec; derived from its title when left out
    #[arg(long, value_name = "ID")]
    spec_id: Option<String>,
    /// Work in a worktree of its own, beside the repository
    #[arg(long)]
    worktree: bool,
    /// The agent's harness
    #[arg(long, value_name = "ID", default_value = "manual")]
    harness: String,
    /// Raise the risk: low, medium, high or critical
    #[arg(long, value_name = "RISK")]
    risk: Option<String>,
    /// Raise the classification: spike, bounded or architectural
    #[arg(long, value_name = "CLASS")]
    classification: Option<String>,
    /// The run's id; derived from the spec's when left out
    #[arg(long, value_name = "ID", value_parser = args::run_id)]
    run_id: Option<RunId>,
    /// Take the terms from HEAD even when .rapid/ differs in the working copy
    #[arg(long, value_name = "head", value_parser = ["head"])]
    terms: Option<String>,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let request = request(args, environment)?;
    let rapid = Rapid::open(environment)?;
    let done = start(&rapid, request, &mut |bytes| ui.live(bytes))?;
    let baseline = done.baseline.as_ref().map(|baseline| {
        Value::object([
            ("outcome", baseline.outcome.as_str().into()),
            ("reason", (&baseline.words).into()),
            ("changed", Value::list(&baseline.changed)),
        ])
    });
    shared::spooled(ui, &rapid);
    ui.document(&done.advice.action.to_value().with_some("baseline", baseline));
    ui.marked("started", AnsiColor::Green, format!("run {}", done.run_id));
    if let Some(path) = &done.worktree {
        ui.line(format!("  it works in {}", path.display()));
    }
    if let Some(baseline) = &done.baseline {
        let words = match baseline.outcome {
            CheckOutcome::Pass => format!("the baseline is green: {}", baseline.words),
            _ => format!("the baseline is {}: {}", baseline.outcome.as_str(), baseline.words),
        };
        ui.line(format!("  {words}"));
        if !baseline.changed.is_empty() {
            ui.line(format!("  the tests changed files: {}", some(&baseline.changed)));
            ui.line("  commit or ignore those files, then run the baseline again");
        }
        if let Some(hint) = baseline.hint {
            ui.line(format!("  {hint}"));
        }
    }
    shared::next_action(ui, &done.advice.action);
    Ok(0)
}

fn request(args: Args, environment: &Environment) -> Result<Request> {
    let mode = args::mode(&args.mode)?;
    let spec_id = args.spec_id.as_deref().map(SpecId::parse).transpose()?;
    let spec = match (&args.spec_file, &args.spec, &args.title) {
        (Some(file), _, _) => {
            let mut draft = spec_file::read(file, environment, Some(mode))?;
            draft.implementation_tasks.extend(args.task.iter().cloned());
            SpecSource::New(Box::new(draft.checked()?), spec_id)
        }
        (None, Some(id), _) => SpecSource::Existing(SpecId::parse(id)?, None),
        (None, None, Some(title)) => {
            let mut draft = SpecDraft::new(mode, title)?;
            draft.implementation_tasks = args.task.clone();
            SpecSource::New(Box::new(draft.checked()?), spec_id)
        }
        (None, None, None) => {
            return Err(Code::Rapid1303
                .because("no spec was given")
                .hint(format!("git rapid start {mode} --title '…' --task '…'"))
                .hint("or --spec-file FILE for one with acceptance criteria; 'git rapid next' shows a template"));
        }
    };
    if let SpecSource::New(draft, _) = &spec
        && draft.implementation_tasks.is_empty()
        && mode != Mode::Research
    {
        return Err(Code::Rapid1303
            .because("the spec has no tasks")
            .hint("give at least one with --task '…', or in the spec file"));
    }
    let wanted = Wanted {
        mode,
        spec,
        harness: HarnessId::parse(&args.harness)?,
        risk: args.risk.map(|word| Risk::parse(&word, Code::Rapid001)).transpose()?,
        classification: args.classification.map(|word| Classification::parse(&word, Code::Rapid001)).transpose()?,
        run_id: args.run_id,
    };
    let terms = if args.terms.is_some() { terms::Source::Head } else { terms::Source::Committed };
    Ok(Request { wanted, worktree: args.worktree, terms })
}
