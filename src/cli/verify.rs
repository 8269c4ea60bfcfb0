//! `git rapid verify`.

use super::{args, check::some, speak::Ui};
use crate::diagnostics::{Class, Code, Diagnostic, Result};
use crate::domain::{json::Value, quantity::counted};
use crate::ledger::verify::Finding;
use crate::os::{environment::Environment, files};
use crate::signature::Allowed;
use crate::verbs::{
    check::CheckOutcome,
    rapid::Rapid,
    verify::{AGAIN, Answer, Coverage, Covered, Outcome, Request, Rerun, Signature, rerun, verify},
};
use anstyle::AnsiColor;
use std::path::{Path, PathBuf};

/// The largest list of signers that is read, in bytes.
const LIST_CAP: u64 = 1 << 20;

/// Prove the ledger; with --commit, say whether a passing run covers a commit
#[derive(clap::Args)]
pub struct Args {
    /// A ref, an entry, or a remote's name; this clone's ledger when left out
    #[arg(value_name = "REF")]
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
    #[command(flatten)]
    json: args::Json,
}

/// Runs it.
pub fn run(args: Args, environment: &Environment, ui: &mut Ui) -> Result<i32> {
    let rapid = Rapid::open(environment)?;
    let allowed = match &args.allowed_signers {
        None => None,
        Some(path) => Some(reviewers(&environment.cwd().join(path))?),
    };
    let commit = args.commit.or_else(|| args.rerun.then(|| "HEAD".to_owned()));
    let request =
        Request { reference: args.reference, commit, onto: args.onto, expect: args.expect, full: args.full, allowed };
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
            ui.document(&nothing(&error));
            ui.diagnostic(&error);
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
    ui.document(&document(&seen).with_some("rerun", args.rerun.then(|| Value::list(runs))));
    tell(ui, &seen);
    for again in &again {
        let (outcome, words) = (again.outcome.as_str(), &again.evidence.summary);
        ui.line(format!("  run again: {} {outcome} ({words}), recorded as {}", again.run_id, again.evidence.id));
    }
    if let Some(red) = again.iter().find(|again| again.outcome != CheckOutcome::Pass) {
        let what = format!("run '{}' passed, and its tests do not pass here: {}", red.run_id, red.evidence.summary);
        let log = format!("git rapid evidence log {} --run {}", red.evidence.id, red.run_id);
        ui.diagnostic(&Code::Rapid1448.because(what).hint(format!("read what they said: {log}")));
        return Ok(1);
    }
    let answer = seen.proof.answer();
    let uncovered = seen.commit.as_ref().filter(|commit| commit.covered == Covered::No || seen.refused.is_some());
    if let Some(commit) = uncovered.filter(|_| answer == Answer::Proven) {
        ui.diagnostic(&refusal(commit, seen.refused.as_deref()));
        return Ok(1);
    }
    Ok(answer.exit_code())
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

/// Why a commit is not covered, or not in a way that its branch takes.
fn refusal(commit: &Coverage, refused: Option<&str>) -> Diagnostic {
    if let Some(why) = refused {
        let words = format!("commit {} {why}", commit.id.short());
        return Code::Rapid1530.because(words).hint("run the checks on it: git rapid start, check, approve, finish");
    }
    match commit.other_terms.first() {
        Some(other) => Code::Rapid1530.because(format!("commit {}: {other}", commit.id.short())).hint(AGAIN),
        None => Code::Rapid1530
            .because(format!("no passing run has the tree of commit {} as its final tree", commit.id.short()))
            .hint("run the checks on it: git rapid start, check, approve, finish"),
    }
}

fn finding(finding: &Finding) -> Value {
    let level = match finding.diagnostic.code.class() {
        Class::Info => "info",
        Class::Warning => "warning",
        Class::Refusal | Class::Error => "error",
    };
    Value::object([
        ("code", finding.diagnostic.code.as_str().into()),
        ("level", level.into()),
        ("path", finding.diagnostic.path.as_ref().into()),
        ("entry", finding.entry.map(|entry| entry.to_string()).into()),
        ("message", (&finding.diagnostic.message).into()),
        ("hint", finding.diagnostic.hints.first().into()),
    ])
}

fn nothing(error: &Diagnostic) -> Value {
    let found = Finding { diagnostic: error.clone(), entry: None };
    Value::object([
        ("schema_version", 1.into()),
        ("answer", Answer::CannotSay.as_str().into()),
        ("tip", Value::Null),
        ("entries", 0.into()),
        ("verified_now", 0.into()),
        ("findings", Value::List(vec![finding(&found)])),
        ("attachments", Value::object([("present", 0.into()), ("missing", 0.into())])),
    ])
}

fn document(seen: &Outcome) -> Value {
    let material = Value::object([
        ("present", seen.proof.material.present.into()),
        ("missing", seen.proof.material.missing.into()),
    ])
    .with_some("expunged", Some(seen.proof.material.expunged).filter(|count| *count > 0));
    Value::object([
        ("schema_version", 1.into()),
        ("answer", seen.proof.answer().as_str().into()),
        ("tip", seen.tip.map(|tip| tip.to_string()).into()),
        ("entries", seen.proof.entries.into()),
        ("verified_now", seen.proof.verified_now.into()),
        ("findings", Value::list(seen.proof.findings.iter().map(finding))),
        ("attachments", material),
    ])
    .with_some(
        "commit",
        seen.commit.as_ref().map(|covered| commit(covered).with_some("refused", seen.refused.as_ref())),
    )
}

fn commit(commit: &Coverage) -> Value {
    let (covered, extras) = match &commit.covered {
        Covered::Exact => ("exact", Vec::new()),
        Covered::Extras(files) => ("extras", files.iter().map(|file| file.path.to_string()).collect()),
        Covered::Merge => ("merge", Vec::new()),
        Covered::No => ("no", Vec::new()),
    };
    let runs = commit.runs.iter().map(|run| {
        Value::object([
            ("run_id", (&run.run_id).into()),
            ("verdict", run.verdict.into()),
            ("strength", run.strength.as_str().into()),
            ("approvals", run.approvals.into()),
            ("mode", run.mode.into()),
            ("ruleset_version", i64::from(run.ruleset.number()).into()),
        ])
        .with_some("rerun", run.rerun.as_ref().map(rerun_value))
        .with_some("spooled", (run.spooled > 0).then_some(run.spooled))
        .with_some("signers", (!run.signers.is_empty()).then(|| Value::list(run.signers.iter().map(signature))))
        .with_some(
            "tests",
            run.tests.map(|counts| {
                Value::object([
                    ("passed", counts.passed.into()),
                    ("failed", counts.failed.into()),
                    ("skipped", counts.skipped.into()),
                ])
            }),
        )
    });
    let difference = commit.difference.iter().map(|change| format!("{} {}", change.letter(), change.path));
    let difference: Vec<String> = difference.collect();
    let others = commit
        .other_terms
        .iter()
        .map(|other| Value::object([("run_id", (&other.run_id).into()), ("differing", Value::list(&other.differing))]));
    Value::object([
        ("id", commit.id.to_string().into()),
        ("tree", commit.tree.to_string().into()),
        ("covered", covered.into()),
        ("extras", Value::list(extras)),
        ("runs", Value::list(runs)),
    ])
    .with_some("difference", (!difference.is_empty()).then(|| Value::list(difference)))
    .with_some("other_terms", (!commit.other_terms.is_empty()).then(|| Value::list(others)))
}

fn rerun_value(rerun: &Rerun) -> Value {
    Value::object([
        ("evidence_id", (&rerun.evidence_id).into()),
        ("summary", (&rerun.summary).into()),
        ("green", rerun.green.into()),
        ("by", (&rerun.by).into()),
        ("another_party", rerun.another_party.into()),
    ])
}

fn signature(made: &Signature) -> Value {
    Value::object([
        ("evidence_id", (&made.evidence_id).into()),
        ("gate_ids", Value::list(&made.gate_ids)),
        ("name", made.signer.name().into()),
        ("key", (&made.signer.key).into()),
        ("touch", made.signer.touch.into()),
    ])
}

fn tell(ui: &mut Ui, seen: &Outcome) {
    let proof = &seen.proof;
    let (entries, found) = (counted(proof.entries, "entry", "entries"), proof.weighty().count());
    let material = match (proof.material.present, proof.material.missing) {
        (0, 0) => String::new(),
        (1, 0) => "; its 1 attachment is here and matches".to_owned(),
        (present, 0) => format!("; all {present} attachments are here and match"),
        (present, missing) => format!("; of the attachments {present} are here and match, {missing} not in this clone"),
    };
    let material = match proof.material.expunged {
        0 => material,
        expunged => format!("{material}; {expunged} were expunged"),
    };
    match proof.answer() {
        Answer::Proven => ui.marked("proven", AnsiColor::Green, format!("{entries}{material}")),
        Answer::Disproven => {
            ui.marked("disproven", AnsiColor::Red, format!("{} in {entries}", counted(found, "finding", "findings")))
        }
        Answer::CannotSay => ui.marked(
            "cannot say",
            AnsiColor::Yellow,
            format!("{} could not be looked at", counted(found, "thing", "things")),
        ),
    }
    for finding in &proof.findings {
        let entry = finding.entry.map_or_else(String::new, |entry| format!(", in entry {}", entry.short()));
        let path = finding
            .diagnostic
            .path
            .as_deref()
            .filter(|path| !path.is_empty())
            .map_or_else(String::new, |path| format!("{path}: "));
        ui.line(format!("  {} {path}{}{entry}", finding.diagnostic.code, finding.diagnostic.message));
    }
    let Some(commit) = &seen.commit else { return };
    if let Some(why) = &seen.refused {
        ui.marked("not covered", AnsiColor::Red, format!("commit {} {why}", commit.id.short()));
    }
    match &commit.covered {
        Covered::Extras(_) | Covered::Merge if seen.refused.is_some() => ui.line("  the runs behind it:"),
        Covered::Exact => {
            ui.marked("covered", AnsiColor::Green, format!("commit {} has the final tree of", commit.id.short()))
        }
        Covered::Extras(files) => {
            let names: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
            ui.marked(
                "covered",
                AnsiColor::Green,
                format!("commit {} leaves out {}, untracked and unchanged during", commit.id.short(), some(&names)),
            );
        }
        Covered::Merge => {
            let words = format!("commit {} is git's own clean merge of what is covered by", commit.id.short());
            ui.marked("covered", AnsiColor::Green, words);
        }
        Covered::No => {
            ui.marked(
                "not covered",
                AnsiColor::Red,
                format!("commit {} has tree {}", commit.id.short(), commit.tree.short()),
            );
            for other in commit.other_terms.iter().take(5) {
                ui.line(format!("  {other}"));
            }
            for change in commit.difference.iter().take(20) {
                ui.line(format!("  {} {}", change.letter(), change.path));
            }
            for (run, tree) in commit.unseen.iter().take(5) {
                ui.line(format!(
                    "  run {run} passed on tree {}, whose files are not in this clone to compare",
                    tree.short()
                ));
            }
            if !commit.other_terms.is_empty() && commit.difference.is_empty() {
                // Said above.
            } else if commit.difference.is_empty() && commit.runs.is_empty() && commit.unseen.is_empty() {
                ui.line("  there is no passing run to compare it with");
            } else if commit.difference.is_empty() && !commit.runs.is_empty() {
                ui.line("  no run on it has passed:");
            } else if !commit.difference.is_empty() {
                ui.line("  is how it differs from the nearest run's final tree");
            }
        }
    }
    for run in &commit.runs {
        let tests =
            run.tests.map_or_else(|| "no tests counted".to_owned(), |counts| format!("{} tests passed", counts.passed));
        let (strength, ruleset) = (run.strength.as_str(), run.ruleset.number());
        ui.line(format!(
            "  run {}: {} ({}, ruleset {ruleset}, {tests}, approvals: {}, {strength})",
            run.run_id, run.verdict, run.mode, run.approvals
        ));
        if let Some(rerun) = &run.rerun {
            let who = if rerun.another_party { "" } else { ", who recorded the run too" };
            let how = if rerun.green { "green" } else { "NOT green" };
            ui.line(format!("    run again by {}{who}: {how} ({})", rerun.by, rerun.summary));
        }
        if run.spooled > 0 {
            ui.line(format!(
                "    {} pieces of its evidence were recorded in a sandbox and folded in later",
                run.spooled
            ));
        }
        for made in &run.signers {
            let touch = if made.signer.touch { ", on a device that asked for a touch" } else { "" };
            let gates: Vec<String> = made.gate_ids.iter().map(ToString::to_string).collect();
            ui.line(format!("    {} signed by {} ({}){touch}", gates.join(", "), made.signer.name(), made.signer.key));
        }
    }
}
