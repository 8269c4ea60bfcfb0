//! What a check sees: a command run on the code as it is, with a snapshot before and after.
//!
//! Not here: what it is bound to and what it is worth.

use super::{
    Doubt, Request,
    definition::definition,
    fresh::{Fresh, moved},
    report_place,
};
use crate::check::{
    self, Ran,
    redact::{Redactor, secret_values},
    summary::Outcome as SummaryOutcome,
};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    config::Config,
    contract::Contract,
    digest::Digest,
    evidence::{CheckFacts, NamedTests, TreeNotes},
    ids::RunId,
    text::{Verb, portable_text},
};
use crate::git::{Keep, Oid, Repository, Withheld};
use crate::os::process::Ended;
use crate::verbs::work::Work;
use std::collections::BTreeMap;
use std::path::Path;

/// How a check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The tests were counted and are green, or the command succeeded as the test command.
    Pass,
    /// It failed.
    Fail,
    /// It proves nothing.
    Unverified,
}

impl CheckOutcome {
    /// As `check --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            CheckOutcome::Pass => "pass",
            CheckOutcome::Fail => "fail",
            CheckOutcome::Unverified => "unverified",
        }
    }
}

/// What was run, on which code, and what it showed; not recorded yet.
pub struct Observation {
    /// The command, as it may be stored.
    pub command: Vec<String>,
    /// It was exactly the configured test command.
    pub test_command: bool,
    /// How it went.
    pub ran: Ran,
    /// What a record says of it.
    pub facts: CheckFacts,
    /// The code it ran on, when it is kept and did not change.
    pub tree: Option<Oid>,
    /// The files that changed while it ran.
    pub changed: Vec<String>,
    /// Why it is worth less than it looks.
    pub doubt: Option<Doubt>,
    /// What was in the working copy and is not in that tree, and why.
    pub withheld: BTreeMap<String, Withheld>,
    pub(super) label: String,
    /// The verb that ran it.
    pub(super) by: Verb,
}

/// Runs a command on the code as it is, with a snapshot before and after.
pub fn observe(
    work: &Work<'_>,
    run: &RunId,
    test_command: Option<&[String]>,
    request: &Request,
    live: &mut dyn FnMut(&[u8]),
) -> Result<Observation> {
    let command = match (&request.command, test_command) {
        (Some(command), _) => command.clone(),
        (None, Some(command)) => command.to_vec(),
        (None, None) => {
            return Err(Code::Rapid1302
                .because("the run's terms name no test command")
                .hint("say what to run behind two dashes, such as: git rapid check -- sh tests.sh")
                .hint("or set test_command in .rapid/config.toml before the next run"));
        }
    };
    let is_test_command = test_command == Some(&command);
    let redactor = Redactor::new(
        secret_values(work.repository().environment()),
        &work.config().redact_patterns,
        &work.config().redact_allow,
    )?;
    // The test command stands in the committed configuration and in the contract: it is the same in all three places.
    let shown = if is_test_command { command.clone() } else { redactor.words(&command) };
    let label = match &request.label {
        Some(label) => portable_text(&redactor.text(label), Code::Rapid1202, "the label")?,
        None => label_of(&shown),
    };
    let before = if request.clean { work.snapshot(Keep::Objects) } else { work.compared_snapshot() }?;
    let environment = work.environment()?.with("RAPID_RUN", run.as_str());
    let fresh = request.clean.then(|| Fresh::of(work.repository(), before.tree)).transpose()?;
    let environment = match &fresh {
        Some(fresh) => fresh.environment(&environment),
        None => environment,
    };
    let top = match &fresh {
        Some(fresh) => fresh.top(),
        None => work.repository().require_workdir()?,
    };
    // The test command is that of the whole repository, wherever it was asked for: run elsewhere, it would be another one. And
    // whatever is run outside of the working copy (GIT_WORK_TREE) would not run on it.
    let environment = match (is_test_command && environment.cwd() != top) || !is_inside(environment.cwd(), top) {
        true => moved(&environment, top),
        false => environment,
    };
    let terms = work.config().junit.as_ref().filter(|_| is_test_command);
    let wanted = report_place::Wanted { asked: request.junit.as_deref(), terms };
    let junit = wanted.place(environment.cwd(), top)?;
    let running = check::Running {
        command: &command,
        environment: &environment,
        timeout: request.timeout,
        config: work.config(),
        junit: junit.as_deref(),
    };
    let ran = check::run(&running, live)?;
    if let Ended::Interrupted(signal) = ran.ended {
        return Err(
            Code::Rapid004.because(format!("the check was interrupted by signal {signal}: nothing was recorded"))
        );
    }
    let after = work.snapshot(Keep::Objects)?;
    let tree_changed = before.tree != after.tree;
    let changed = match tree_changed {
        true => {
            work.repository().tree_changes(before.tree, after.tree)?.into_iter().map(|change| change.path).collect()
        }
        false => Vec::new(),
    };
    let mut notes = before.notes.clone();
    let doubt = match &fresh {
        // The commits that the tree names were checked out, whatever lies in the working copy's.
        Some(fresh) => {
            notes.unfilled_submodules.clone_from(&fresh.unfilled);
            notes.absent.clear();
            None
        }
        None => Doubt::of_the_tree([&before, &after]),
    };
    let tree = (!tree_changed && doubt.is_none()).then_some(before.tree);
    let no_failure = request.expects_failure.then(|| Doubt::of_failure(&ran)).flatten();
    let facts = CheckFacts {
        command: Some(shown.clone()),
        expects_failure: request.expects_failure,
        test_command: is_test_command,
        definition: match is_test_command {
            true => Some(definition(work.repository(), request.defined_at.unwrap_or(before.tree), &command)?),
            false => None,
        },
        tree: tree.map(|tree| tree.to_git_id()),
        tree_changed,
        clean: request.clean,
        notes,
        runner: ran.summary.runner.map(|runner| runner.as_str().to_owned()),
        uncounted: ran.summary.uncounted.map(|why| why.as_str().to_owned()),
        log_truncated: ran.truncated,
        redactions: ran.redactions,
        tests: ran
            .tests
            .as_ref()
            .map(|list| NamedTests { sha256: Digest::of(&list.to_value().record_bytes()), against: None }),
    };
    Ok(Observation {
        command: shown,
        test_command: is_test_command,
        ran,
        facts,
        tree,
        changed,
        doubt: no_failure.or(doubt),
        withheld: before.withheld,
        label,
        by: Verb::Check,
    })
}

/// Runs the test command of a run again, in a throw-away worktree of exactly this tree.
pub fn observe_again(
    repository: &Repository,
    config: &Config,
    contract: &Contract,
    tree: Oid,
    live: &mut dyn FnMut(&[u8]),
) -> Result<Observation> {
    let command = contract.test_command.clone().ok_or_else(|| {
        Code::Rapid1302.because(format!("the terms of run '{}' name no test command to repeat", contract.run_id))
    })?;
    let fresh = Fresh::of(repository, tree)?;
    let environment = repository.environment().clone().with("RAPID_RUN", contract.run_id.as_str());
    let environment = moved(&environment, fresh.top());
    let wanted = report_place::Wanted { asked: None, terms: config.junit.as_ref() };
    let junit = wanted.place(environment.cwd(), fresh.top())?;
    let running = check::Running {
        command: &command,
        environment: &environment,
        timeout: config.check_timeout,
        config,
        junit: junit.as_deref(),
    };
    let ran = check::run(&running, live)?;
    if let Ended::Interrupted(signal) = ran.ended {
        return Err(Code::Rapid004.because(format!("interrupted by signal {signal}: nothing was recorded")));
    }
    let facts = CheckFacts {
        command: Some(command.clone()),
        expects_failure: false,
        test_command: true,
        definition: Some(definition(repository, tree, &command)?),
        tree: Some(tree.to_git_id()),
        tree_changed: false,
        clean: true,
        notes: TreeNotes { unfilled_submodules: fresh.unfilled.clone(), ..TreeNotes::default() },
        runner: ran.summary.runner.map(|runner| runner.as_str().to_owned()),
        uncounted: ran.summary.uncounted.map(|why| why.as_str().to_owned()),
        log_truncated: ran.truncated,
        redactions: ran.redactions,
        tests: None,
    };
    let label = label_of(&command);
    let ran = Ran { tests: None, ..ran };
    Ok(Observation {
        command,
        test_command: true,
        ran,
        facts,
        tree: Some(tree),
        changed: Vec::new(),
        doubt: None,
        withheld: BTreeMap::new(),
        label,
        by: Verb::Verify,
    })
}

fn is_inside(place: &Path, top: &Path) -> bool {
    match (place.canonicalize(), top.canonicalize()) {
        (Ok(place), Ok(top)) => place.starts_with(top),
        _ => place.starts_with(top),
    }
}

fn label_of(command: &[String]) -> String {
    let program = command.first().map(String::as_str).unwrap_or_default();
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let words: Vec<String> = std::iter::once(name.to_owned()).chain(command.iter().skip(1).take(4).cloned()).collect();
    let line: String =
        words.join(" ").chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).take(120).collect();
    portable_text(line.trim(), Code::Rapid1202, "the label").unwrap_or_else(|_| "check".to_owned())
}

/// How an observation stands by itself; a doubt may take that away ([`Observation::outcome`]).
pub fn outcome_of(observation: &Observation) -> CheckOutcome {
    let ran = &observation.ran;
    let uncounted = observation.facts.uncounted.as_deref();
    match ran.summary.outcome {
        _ if ran.ended.exit_code() != 0 => CheckOutcome::Fail,
        SummaryOutcome::Fail => CheckOutcome::Fail,
        _ if observation.facts.tree_changed => CheckOutcome::Unverified,
        SummaryOutcome::Pass => CheckOutcome::Pass,
        // Nothing of tests was shown and nothing red, and no runner was named that would have shown some.
        SummaryOutcome::Unverified if observation.test_command && matches!(uncounted, Some("none" | "no-counts")) => {
            CheckOutcome::Pass
        }
        SummaryOutcome::Unverified => CheckOutcome::Unverified,
    }
}
