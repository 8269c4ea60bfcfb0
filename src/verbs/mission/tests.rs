//! The tests of a work package, and those of the whole: checks of the governed run, with the package's own commands. What a maker
//! says it tested is nowhere asked.

use super::Site;
use super::ground::{as_governed, open_run, place_of, spec_of_the_end};
use crate::diagnostics::{Code, Result};
use crate::domain::git_id::GitId;
use crate::domain::ids::{RunId, SpecId, TaskId};
use crate::git::Oid;
use crate::mission::{Mission, Package};
use crate::safety::FailureKind;
use crate::verbs::check::{self, Binding, CheckOutcome};
use crate::verbs::rapid::Rapid;
use crate::verbs::task::{self, Move};
use std::time::Duration;

/// What tests showed.
pub(super) struct Tested {
    /// The evidence, in the run.
    pub evidence: Vec<String>,
    /// What is wrong; `None`: all of them are green on the tree.
    pub fault: Option<(FailureKind, String)>,
}

/// Tests a package's work in its worktree.
pub(super) fn of_package(site: &Site, package: &Package, run: &RunId, left: Duration) -> Result<Tested> {
    let Some((commit, tree)) = package.work() else {
        return Err(Code::Rapid003.because("there is no work to be tested"));
    };
    let rapid = place_of(site, run, commit)?;
    let tested = all(&rapid, run, tree, &package.plan().tests, left)?;
    if tested.fault.is_none() {
        moved(&rapid, run, Move::Done)?;
    }
    Ok(tested)
}

/// Tests the whole in a fresh worktree of the mission's branch.
pub(super) fn of_the_whole(site: &Site, mission: &Mission, run: &RunId, left: Duration) -> Result<Tested> {
    let spec = (SpecId::parse(&format!("{}-final", mission.id()))?, spec_of_the_end(mission)?);
    let rapid = open_run(site, run, spec, None, &mission.tip().0)?;
    moved(&rapid, run, Move::Start)?;
    let mut commands: Vec<Vec<String>> = Vec::new();
    for command in mission.in_order().flat_map(|package| &package.plan().tests) {
        if !commands.contains(command) {
            commands.push(command.clone());
        }
    }
    let tested = all(&rapid, run, &mission.tip().1, &commands, left)?;
    if tested.fault.is_none() {
        moved(&rapid, run, Move::Done)?;
    }
    Ok(tested)
}

/// Moves the one task of a run, where the run is that far.
pub(super) fn moved(rapid: &Rapid, run: &RunId, to: Move) -> Result<()> {
    let task = TaskId::of(1);
    let request = task::Request { run: Some(run.clone()), task, to, reason: String::new(), no_check: true };
    as_governed(task::task(rapid, &request, &mut |_| {})).map(drop)
}

fn all(rapid: &Rapid, run: &RunId, tree: &GitId, commands: &[Vec<String>], left: Duration) -> Result<Tested> {
    let tree = Oid::try_from(tree)?;
    let mut evidence = Vec::new();
    for command in commands {
        let request = check::Request {
            run: Some(run.clone()),
            command: Some(command.clone()),
            binding: Binding::Fitting,
            expects_failure: false,
            clean: false,
            timeout: Some(left),
            label: None,
            defined_at: None,
            junit: None,
        };
        let checked = match check::check(rapid, &request, &mut |_| {}) {
            Err(error) if error.code == Code::Rapid1014 => {
                return Ok(Tested { evidence, fault: Some((FailureKind::Tampering, error.message)) });
            }
            checked => checked?,
        };
        evidence.push(checked.evidence.id.to_string());
        let seen = &checked.observation;
        let fault = match checked.outcome {
            _ if seen.tree.is_some_and(|on| on != tree) => {
                Some((FailureKind::ForeignEdit, "the code changed after it was made".to_owned()))
            }
            _ if seen.tree.is_none() => {
                let changed = seen.changed.join(", ");
                Some((FailureKind::ForeignEdit, format!("the code changed while it was tested: {changed}")))
            }
            CheckOutcome::Pass => None,
            CheckOutcome::Unverified => {
                let why = seen.doubt.as_ref().map_or(seen.ran.summary.reason.clone(), |doubt| doubt.words());
                Some((FailureKind::Check, format!("{} proves nothing: {why}", seen.command.join(" "))))
            }
            CheckOutcome::Fail => {
                let log = String::from_utf8_lossy(&seen.ran.log).into_owned();
                Some((FailureKind::Check, format!("{} failed\n{log}", seen.command.join(" "))))
            }
        };
        if fault.is_some() {
            return Ok(Tested { evidence, fault });
        }
    }
    Ok(Tested { evidence, fault: None })
}
