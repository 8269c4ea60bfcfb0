//! `git rapid verify`.

mod github;
mod json;
mod junit;
mod points;
mod sarif;
mod text;

use super::{args, exit::status_of, speak::Ui};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{json::Value, word::words};
use crate::git;
use crate::os::{environment::Environment, files};
use crate::signature::Allowed;
use crate::verbs::{
    check::CheckOutcome,
    rapid::Rapid,
    verify::{Again, Answer, Covered, Outcome, Request, rerun, verify},
};
use std::path::{Path, PathBuf};

words! {
    /// How the answer is written.
    Form, "a format of answers" {
        /// For people.
        Text = "text",
        /// As workflow commands of GitHub Actions.
        GitHub = "github",
        /// As a JUnit XML report.
        JUnit = "junit",
        /// As a SARIF log.
        Sarif = "sarif",
    }
}

/// The largest list of signers that is read, in bytes.
const LIST_CAP: u64 = 1 << 20;

/// Prove the ledger; with --commit, say whether a passing run covers a commit
#[derive(clap::Args)]
pub struct Args {
    /// A ref, an entry, a remote's name, or a bundle's file; this clone's ledger when left out
    #[arg(value_name = "REF|FILE")]
    reference: Option<String>,
    /// Forget what was proved before
    #[arg(long)]
    full: bool,
    /// Is this commit covered by a passing run?
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// The branch that the commit is to get to: only runs under terms that this branch has or had count
    #[arg(long, value_name = "REV", requires = "commit")]
    onto: Option<String>,
    /// Answer no when the commit is not covered by a pass
    #[arg(long, requires = "commit")]
    require_pass: bool,
    /// The tip that the ledger must contain
    #[arg(long, value_name = "TIP")]
    expect: Option<String>,
    /// Run the checks of the run again that covers the commit (HEAD when none is named), in a clean worktree of its final
    /// code, and record what is seen
    #[arg(long, conflicts_with = "reference")]
    rerun: bool,
    /// Who may sign: this list (as ssh-keygen reads it, or armored OpenPGP keys) instead of those that runs froze
    #[arg(long, value_name = "FILE")]
    allowed_signers: Option<PathBuf>,
    /// How the answer is written: text, github, junit or sarif
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: String,
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let form = Form::parse(&args.format, Code::Rapid001).map_err(|error| {
        // Other tools name the report after the file that it is.
        let meant = if args.format == "xml" { "--format junit" } else { "--format github, junit or sarif; --json" };
        error.hint(format!("for other programs: {meant}"))
    })?;
    if args.json.json && form != Form::Text {
        let why = format!("--json and --format {form} are two forms of the answer, and standard output takes one");
        return Err(Code::Rapid001
            .because(why)
            .hint(format!("for other tools: git rapid verify --format {form}"))
            .hint("git-rapid's own document: git rapid verify --json"));
    }
    let answered = answer(args, form, environment, ui);
    let Err(error) = &answered else { return answered };
    if form == Form::Text {
        return answered;
    }
    // Whoever reads a file of this form gets one, whatever went wrong.
    ui.keep_output_for_raw();
    ui.raw(&written(form, &Outcome::nothing(error.clone()), &[]));
    // A runner of GitHub reads both streams, and has been told.
    if form == Form::GitHub { Ok(status_of(error)) } else { answered }
}

/// Whether a name means a bundle's file: it says so, by its ending or as a path. Any other name means a ref, an entry or a remote,
/// whatever files lie about: a commit can bring a file of any name.
fn names_a_file(name: &str) -> bool {
    name.ends_with(".bundle") || ["./", "../", "/"].iter().any(|start| name.starts_with(start))
}

fn answer(args: Args, form: Form, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    // A bundle's repository is gone when this is.
    let bundle = match args.reference.as_ref().filter(|name| names_a_file(name)) {
        Some(name) => Some(git::unbundle(&environment.cwd().join(name), environment)?),
        None => None,
    };
    let rapid = match &bundle {
        Some(bundle) => Rapid::of(bundle.repository().clone()),
        None => Rapid::open(environment)?,
    };
    if form != Form::Text {
        ui.keep_output_for_raw();
    }
    let allowed = match &args.allowed_signers {
        None => None,
        Some(path) => Some(reviewers(&environment.cwd().join(path))?),
    };
    let commit = args.commit.or_else(|| args.rerun.then(|| "HEAD".to_owned()));
    let request = Request {
        reference: args.reference.clone().filter(|_| bundle.is_none()),
        commit,
        onto: args.onto,
        require_pass: args.require_pass,
        expect: args.expect,
        full: args.full,
        allowed,
    };
    let mut again = Vec::new();
    let seen = match verify(&rapid, &request) {
        // What was not proved is not run either.
        Ok(seen) if args.rerun && seen.proof.answer() == Answer::Proven => match &seen.commit {
            Some(commit) if commit.covered != Covered::No => {
                again = rerun(&rapid, commit, &mut |chunk| ui.live(chunk))?;
                verify(&rapid, &request)?
            }
            _ => seen,
        },
        Ok(seen) => seen,
        // Nothing to verify never reads as success, and says so in the answer's own form.
        Err(error) if error.code == Code::Rapid1510 => {
            let seen = Outcome::nothing(error.clone());
            ui.document(&json::document(&seen));
            ui.raw(&written(form, &seen, &[]));
            if form != Form::GitHub {
                ui.diagnostic(&error);
            }
            return Ok(Answer::CannotSay.exit_code());
        }
        Err(error) => return Err(error),
    };
    let runs = again.iter().map(|again| {
        Value::object([
            ("run_id", (&again.run_id).into()),
            ("evidence_id", (&again.evidence.id).into()),
            ("outcome", again.outcome.as_str().into()),
            ("summary", (&again.evidence.summary).into()),
        ])
    });
    ui.document(&json::document(&seen).with_some("rerun", args.rerun.then(|| Value::list(runs))));
    ui.raw(&written(form, &seen, &again));
    if let Some(name) = args.reference.filter(|_| bundle.is_some()) {
        ui.line(format!("of the bundle {name}"));
    }
    text::tell(ui, &seen);
    for again in &again {
        let (outcome, words) = (again.outcome.as_str(), &again.evidence.summary);
        ui.line(format!("  run again: {} {outcome} ({words}), recorded as {}", again.run_id, again.evidence.id));
    }
    // A runner of GitHub reads both streams, and has been told.
    let quiet = form == Form::GitHub;
    if let Some(red) = again.iter().find(|again| again.outcome != CheckOutcome::Pass) {
        if !quiet {
            ui.diagnostic(&points::not_green(red));
        }
        return Ok(1);
    }
    let answer = seen.proof.answer();
    match seen.uncovered() {
        Some(commit) if answer == Answer::Proven => {
            if !quiet {
                ui.diagnostic(&points::refusal(commit, seen.refused.as_deref()));
            }
            Ok(1)
        }
        _ => Ok(answer.exit_code()),
    }
}

/// The list of signers that a reviewer brings (RAPID1446).
fn reviewers(path: &Path) -> Result<Allowed> {
    let fault = |words: String| Code::Rapid1446.because(words).at(path.display().to_string());
    let bytes = files::read(path, LIST_CAP).map_err(|error| {
        fault(format!("--allowed-signers: {}", error.message)).hint("name a file that exists and can be read")
    })?;
    let allowed = Allowed::of_reviewer(bytes);
    allowed.refuse_useless().map_err(|error| Diagnostic {
        message: format!("--allowed-signers: {}", error.message),
        ..error.at(path.display().to_string())
    })?;
    Ok(allowed)
}

/// The answer in a form of other tools.
fn written(form: Form, seen: &Outcome, again: &[Again]) -> Vec<u8> {
    let text = match form {
        Form::Text => String::new(),
        Form::GitHub => github::commands(seen, again),
        Form::JUnit => junit::report(seen, again),
        Form::Sarif => sarif::log(seen, again),
    };
    text.into_bytes()
}
