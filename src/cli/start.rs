//! `git rapid start`.

use super::{args, check::some, shared, speak::Ui};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{HarnessId, RunId, SpecId},
    json::{self, Value},
    mode::Mode,
    policy::{Classification, Risk},
    spec::{self, SpecDraft},
};
use crate::os::environment::Environment;
use crate::verbs::{
    check::CheckOutcome,
    rapid::Rapid,
    start::{Request, SpecSource, TermsSource, start},
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

/// The largest spec file that is read, in bytes.
const SPEC_CAP: u64 = 1 << 20;

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
            ui.line(format!("  the tests changed files, so they speak of no tree: {}", some(&baseline.changed)));
            ui.line("  commit or ignore those files, then run the baseline again");
        }
    }
    shared::next_action(ui, &done.advice.action);
    Ok(0)
}

fn request(args: Args, environment: &Environment) -> Result<Request> {
    let mode = Mode::from_alias(&args.mode).ok_or_else(|| {
        Code::Rapid001
            .because(format!("'{}' is not a mode", args.mode.escape_debug()))
            .hint("use feature, bugfix, refactor, hardening or research")
    })?;
    let spec_id = args.spec_id.as_deref().map(SpecId::parse).transpose()?;
    let spec = match (&args.spec_file, &args.spec, &args.title) {
        (Some(file), _, _) => {
            let mut draft = read_spec(&args::read_input(file, environment, SPEC_CAP)?, mode)?;
            draft.implementation_tasks.extend(args.task.iter().cloned());
            SpecSource::New(Box::new(draft.checked()?), spec_id)
        }
        (None, Some(id), _) => SpecSource::Existing(SpecId::parse(id)?),
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
    Ok(Request {
        mode,
        spec,
        worktree: args.worktree,
        harness: HarnessId::parse(&args.harness)?,
        risk: args.risk.map(|word| Risk::parse(&word, Code::Rapid001)).transpose()?,
        classification: args.classification.map(|word| Classification::parse(&word, Code::Rapid001)).transpose()?,
        run_id: args.run_id,
        terms: if args.terms.is_some() { TermsSource::Head } else { TermsSource::Committed },
    })
}

/// Reads a spec file: JSON or Markdown, told apart by content.
pub fn read_spec(bytes: &[u8], mode: Mode) -> Result<SpecDraft> {
    let text = std::str::from_utf8(bytes).map_err(|_| Code::Rapid1303.because("the spec file is not UTF-8"))?;
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let value: Value = json::parse_text(text)
            .map_err(|fault| Code::Rapid1303.because(format!("the spec file is not JSON: {fault}")))?;
        return SpecDraft::from_authoring(value, Some(mode));
    }
    spec::from_markdown(text, Some(mode))
}
