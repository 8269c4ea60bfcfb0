//! What a person is shown before they decide: the spec, the code and what changed in it, what was checked, what is missing.

use super::{Decision, Request, refuse_unready, refuse_unsigned};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    contract::Approvals,
    evidence::{Evidence, Finish, Payload, ReviewOutcome},
    gate::Phase,
    git_id::GitId,
    ids::{EvidenceId, GateId, TaskId},
    lifecycle::{Disposition, TaskStatus},
    text::{Producer, Verb, portable_name},
};
use crate::evaluator::{self, Input, what_if};
use crate::git::{Keep, LineCounts, Oid, Snapshot, TreeChange};
use crate::registry::Run;
use crate::verbs::{
    check::definition,
    next,
    rapid::Rapid,
    since::{Since, since},
    work::{Work, bystanders},
};
use std::collections::{BTreeMap, BTreeSet};

/// What a person is shown before they decide.
pub struct Subject {
    /// The run, as it was loaded.
    pub run: Run,
    /// The gate.
    pub gate: GateId,
    /// The spec's title.
    pub title: String,
    /// The code that is decided about.
    pub snapshot: Snapshot,
    /// From where the changes are shown.
    pub since: Since,
    /// What the run changed, and what was committed before it began and is nobody's yet.
    pub changes: Vec<TreeChange>,
    /// How many lines came and went in each changed file that is text.
    pub lines: BTreeMap<String, LineCounts>,
    /// What deserves a second look among the changes.
    pub weighty: Weighty,
    /// Untracked files that stood there before the run began: part of the code, though not of the work.
    pub standing: Vec<TreeChange>,
    /// The newest check on exactly this code, in words.
    pub checks: Vec<String>,
    /// The checks that were expected to fail: what is taken for the fault, in words.
    pub faults: Vec<String>,
    /// How many pieces of evidence were recorded in a sandbox and folded in later.
    pub spooled: usize,
    /// What is not shown yet, beside this gate.
    pub missing: Vec<String>,
    /// The gates that were let go, with the reason.
    pub waived: Vec<(GateId, String)>,
    /// The tasks that were left out, with the reason. Nobody was asked about them.
    pub skipped: Vec<(TaskId, String)>,
    /// Who decides.
    pub reviewer: String,
    /// Whether the decision will be signed.
    pub signs: bool,
    /// The same person's approval of exactly this code, when there is one.
    pub already: Option<EvidenceId>,
    /// What the contract asks of those who approve, and how far that is met, in words.
    pub asked: Option<String>,
}

/// Changes by which a check can be made easier to pass, or the rules other than they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighty {
    /// Files that look like tests, changed or gone.
    pub tests: Vec<String>,
    /// Parts of what the test command runs.
    pub test_command: Vec<String>,
    /// Files of `.rapid/`: they rule later runs, not this one.
    pub rules: Vec<String>,
}

/// Looks at what would be decided, and refuses what no person can decide now.
pub fn prepare(rapid: &Rapid, request: &Request) -> Result<Subject> {
    rapid.registry().settle_for_a_person()?;
    let (records, run) = rapid.run(request.run.as_ref())?;
    let state = run.state()?.clone();
    let gate = state.gate(&request.gate)?.clone();
    refuse_unready(&run, &state, &gate, &request.decision)?;
    refuse_unsigned(&run, request)?;
    let signs = request.sign.unwrap_or(run.contract.approvals == Approvals::Signed);
    let config = rapid.config_of(&records, run.id())?;
    let session = rapid.session()?.filter(|session| session.active_run_id == *run.id());
    let work = Work::of(rapid, session.as_ref(), config)?;
    let snapshot = work.snapshot(Keep::Objects)?;
    let tree = snapshot.tree.to_git_id();
    let input = run.input()?;
    if request.decision == Decision::Approve && gate.phase == Phase::PostExecution {
        refuse_untested(&input, &gate.id, &tree)?;
    }
    let since = since(&records, work.repository(), &run)?;
    let base = since.tree;
    let standing = bystanders(work.repository(), &run, &snapshot);
    let changes = work.repository().tree_changes(base, snapshot.tree)?;
    let stands = |change: &TreeChange| standing.iter().any(|file| file.path.as_str() == change.path);
    let (standing, changes): (Vec<TreeChange>, Vec<TreeChange>) = changes.into_iter().partition(stands);
    let weighty = weighty(&run, &work, base, snapshot.tree, &changes)?;
    let advice = next::advise(rapid, &records, &run, session.as_ref())?;
    let own = format!("gate.{}.evidence", gate.id);
    // What finish will acknowledge by itself is not missing, it only has not been said yet.
    let record = what_if::finish_record(
        &run.contract,
        &state,
        &run.evidence,
        Vec::new(),
        Finish { tree: Some(tree.clone()), ..Finish::default() },
    );
    let looking_ahead: Vec<Evidence> = run.evidence.iter().cloned().chain([record]).collect();
    let ahead = Input::new(&run.contract, &state, &looking_ahead).signed(run.signed());
    let gates = what_if::machine_gates(&ahead, Phase::PostExecution).into_iter();
    let backed: Vec<String> =
        gates.filter(|(_, backed)| *backed).map(|(gate, _)| format!("gate.{gate}.evidence")).collect();
    let title = records.spec(&run.contract.spec_id)?.revision(run.contract.spec_revision)?.content.title.clone();
    let reviewer = match &request.reviewer {
        Some(name) => portable_name(&rapid.said(&records, run.id(), name)?, Code::Rapid1206, "the reviewer")?,
        None => reviewer(&rapid.repository().identity().name),
    };
    let asked = evaluator::approvals_asked(&ahead, &gate.id);
    let decided = already(&run, &gate.id, &tree, &reviewer);
    Ok(Subject {
        title,
        lines: work.repository().line_counts(base, snapshot.tree)?,
        weighty,
        since,
        signs,
        already: decided,
        asked,
        checks: checks_on(&run, &tree),
        faults: faults(&run),
        spooled: records.spooled_evidence(run.id())?,
        missing: advice
            .action
            .missing
            .iter()
            .map(ToString::to_string)
            .filter(|id| *id != own && id != "run.lifecycle" && !backed.contains(id))
            .collect(),
        waived: state
            .gates
            .iter()
            .filter(|gate| gate.disposition == Disposition::Waived)
            .map(|gate| (gate.id.clone(), gate.reason.clone()))
            .collect(),
        skipped: state
            .tasks
            .iter()
            .filter(|task| task.status == TaskStatus::Skipped)
            .map(|task| (task.id.clone(), task.reason.clone()))
            .collect(),
        gate: gate.id,
        snapshot,
        changes,
        standing,
        reviewer,
        run,
    })
}

/// Picks out the changes that a reader should not miss (pitfalls of agents: the check is weakened, not the fault mended).
fn weighty(run: &Run, work: &Work<'_>, base: Oid, tree: Oid, changes: &[TreeChange]) -> Result<Weighty> {
    let named = |change: &&TreeChange| format!("{} {}", change.letter(), change.path);
    let mut found = Weighty {
        // A test that was added takes nothing away.
        tests: changes
            .iter()
            .filter(|change| change.old.is_some() && is_test(&change.path))
            .map(|c| named(&c))
            .collect(),
        test_command: Vec::new(),
        rules: changes.iter().filter(|change| change.path.starts_with(".rapid/")).map(|c| named(&c)).collect(),
    };
    if let Some(command) = &run.contract.test_command {
        let (was, is) = (definition(work.repository(), base, command)?, definition(work.repository(), tree, command)?);
        let parts: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
        found.test_command =
            parts.into_iter().filter(|part| was.get(*part) != is.get(*part)).map(ToString::to_string).collect();
    }
    Ok(found)
}

/// Whether a path looks like that of a test, in the ways of most languages.
fn is_test(path: &str) -> bool {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let in_tests = directories.split('/').any(|part| matches!(part, "test" | "tests" | "spec" | "specs" | "__tests__"));
    let by_name = stem.starts_with("test_")
        || stem == "test"
        || stem == "conftest"
        || ["_test", "_tests", "_spec", "Test", "Tests", "Spec"].iter().any(|ending| stem.ends_with(ending));
    in_tests || by_name || name.contains(".test.") || name.contains(".spec.")
}

/// Refuses an approval of code that no qualified check speaks of: a person would approve something nobody has tested.
fn refuse_untested(input: &Input<'_>, gate: &GateId, tree: &GitId) -> Result<()> {
    match evaluator::approval_refusal(input, gate, Some(tree)) {
        Some(refusal) => Err(refusal),
        None => Ok(()),
    }
}

fn checks_on(run: &Run, tree: &GitId) -> Vec<String> {
    let on_tree = |item: &&Evidence| item.payload.check_facts().is_some_and(|facts| facts.tree.as_ref() == Some(tree));
    let words = |item: &Evidence| {
        let command = item.payload.check_facts().and_then(|facts| facts.command.as_ref());
        let command = command.map_or_else(String::new, |words| format!(" by '{}'", words.join(" ")));
        let told =
            if item.payload.check_facts().is_some_and(|facts| facts.test_command) { ", the test command" } else { "" };
        let red = if item.payload.fails() { " (red)" } else { "" };
        let own = matches!(item.producer, Producer::Rapid(Verb::Check | Verb::Verify));
        let claimed =
            if own { String::new() } else { format!(", claimed by {} and run by nobody here", item.producer) };
        format!("{}{red}: {}{command}{told}{claimed}", item.id, item.summary)
    };
    run.evidence.iter().filter(on_tree).map(words).collect()
}

/// What is taken for the fault that a run mends: any command that failed when it was expected to.
fn faults(run: &Run) -> Vec<String> {
    let expected = run.evidence.iter().filter_map(|item| {
        let facts = item.payload.check_facts().filter(|facts| facts.expects_failure)?;
        let command = facts.command.as_ref().map_or_else(String::new, |words| format!(" by '{}'", words.join(" ")));
        let other = if facts.test_command { "" } else { ", not the test command" };
        Some(format!("{}: {}{command}{other}", item.id, item.summary))
    });
    expected.collect()
}

/// The approval of this gate that this person gave on exactly this code.
fn already(run: &Run, gate: &GateId, tree: &GitId, reviewer: &str) -> Option<EvidenceId> {
    let is_it = |item: &&Evidence| match &item.payload {
        Payload::Review(review) => {
            review.outcome == ReviewOutcome::Approved
                && review.tree.as_ref() == Some(tree)
                && review.reviewer == reviewer
        }
        _ => false,
    };
    let found = run.evidence.iter().rev().filter(|item| item.gate_ids.contains(gate)).find(is_it);
    found.map(|item| item.id.clone())
}

/// A name of git's as a record may hold it.
fn reviewer(name: &str) -> String {
    let name: String = name.chars().map(|c| if matches!(c, '/' | '\\') || c.is_control() { ' ' } else { c }).collect();
    let name = name.trim();
    if name.is_empty() { "somebody".to_owned() } else { name.to_owned() }
}
