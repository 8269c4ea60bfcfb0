//! Gathering what is exported: the runs as the registry reads them, the entries that added to them, logs, and what changed.

use super::Which;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    evidence::{Evidence, NamedTests},
    git_id::GitId,
    ids::RunId,
    test_list::TestList,
};
use crate::evaluator::evaluate;
use crate::export::{AboutCode, Changed, Dossier, Entry, Item, Log, MOST_LOG, Rerun, RunFile, Signature, Standing};
use crate::git::{Oid, Repository};
use crate::ledger::View;
use crate::registry::{Kept, Place, Records, Run};
use crate::verbs::{
    rapid::Rapid,
    verify::{Outcome, describe, finish_of},
};
use std::collections::BTreeMap;

/// The most of all logs of an export together, in bytes.
const MOST_LOGS: usize = 4 << 20;

/// What is known of the runs that are asked for.
pub(super) fn dossier(rapid: &Rapid, which: &Which, seen: &Outcome, logs: bool, at: i64) -> Result<Dossier> {
    // What waits in the spool was not proved.
    let tip = seen.tip.ok_or_else(|| Code::Rapid1510.because("there is no ledger here yet"))?;
    let records = Records::of(View::at(rapid.repository(), Some(tip))?);
    let wanted = match which {
        Which::Named(id) => Some(records.meant(id)?),
        Which::Current => rapid.session()?.map(|session| session.active_run_id),
        Which::All => None,
    };
    let mut written = History::of(rapid, tip)?;
    let order = match (which, wanted) {
        (Which::All, _) => std::mem::take(&mut written.order),
        (_, Some(id)) => vec![id],
        (_, None) => written.order.first().cloned().into_iter().collect(),
    };
    if order.is_empty() && *which != Which::All {
        return Err(Code::Rapid1300
            .because("there is no run to export")
            .hint("begin one with 'git rapid start feature'"));
    }
    let mut budget = if logs { MOST_LOGS } else { 0 };
    let mut runs = Vec::new();
    for id in &order {
        runs.push(run_file(rapid, &records, id, written.of.remove(id).unwrap_or_default(), &mut budget)?);
    }
    Ok(Dossier {
        version: env!("CARGO_PKG_VERSION"),
        at,
        tip: tip.to_git_id(),
        entries: seen.proof.entries,
        unproved: Vec::new(),
        runs,
    })
}

/// Which entries added records of which run.
struct History {
    /// By run, the oldest first.
    of: BTreeMap<RunId, Vec<Entry>>,
    /// The runs, those with the newest entries first.
    order: Vec<RunId>,
}

impl History {
    fn of(rapid: &Rapid, tip: Oid) -> Result<History> {
        let registry = rapid.registry();
        let ledger = registry.ledger();
        let mut history = History { of: BTreeMap::new(), order: Vec::new() };
        let cut = ledger.cut_at()?;
        // What the last one before the cut added cannot be told from what was there.
        for info in ledger.entries_behind(Some(tip), &cut) {
            let info = info?;
            if cut.contains(&info.id) {
                continue;
            }
            let mut by_run: BTreeMap<RunId, Vec<String>> = BTreeMap::new();
            for path in ledger.added_by(info.id)? {
                if let Some(run) = run_of(&path) {
                    by_run.entry(run).or_default().push(path);
                }
            }
            for (run, records) in by_run {
                let entries = history.of.entry(run.clone()).or_default();
                if entries.is_empty() {
                    history.order.push(run);
                }
                entries.push(Entry {
                    id: info.id.to_git_id(),
                    seconds: info.seconds,
                    author: info.author.clone(),
                    subject: info.subject.clone(),
                    records,
                });
            }
        }
        history.of.values_mut().for_each(|entries| entries.reverse());
        Ok(history)
    }
}

/// The run that a record belongs to.
fn run_of(path: &str) -> Option<RunId> {
    let mut parts = path.split('/');
    match (parts.next(), parts.nth(1)) {
        (Some("runs"), Some(id)) => RunId::parse(id).ok(),
        _ => None,
    }
}

fn run_file(
    rapid: &Rapid,
    records: &Records<'_>,
    id: &RunId,
    entries: Vec<Entry>,
    budget: &mut usize,
) -> Result<RunFile> {
    let run = records.run(id)?;
    let report = evaluate(&run.input()?)?;
    let described = describe(records, &run, report.verdict(), None)?;
    let standing = Standing {
        strength: described.strength.as_str(),
        approvals: described.approvals,
        tests: described.tests,
        rerun: described.rerun.map(|rerun| Rerun {
            by: rerun.by,
            green: rerun.green,
            summary: rerun.summary,
            another_party: rerun.another_party,
        }),
    };
    let mut items = Vec::new();
    for evidence in &run.evidence {
        items.push(item(rapid, &run, evidence, budget)?);
    }
    Ok(RunFile {
        spec: records.spec(&run.contract.spec_id)?.revision(run.contract.spec_revision)?.clone(),
        state: run.state()?.clone(),
        items,
        report,
        standing,
        code: about_code(rapid.repository(), &run)?,
        entries,
        recorded: run.reports,
        contract: run.contract,
    })
}

fn item(rapid: &Rapid, run: &Run, evidence: &Evidence, budget: &mut usize) -> Result<Item> {
    let signature = match (run.signed().get(&evidence.id), run.checked.refused.get(&evidence.id)) {
        (Some(signer), _) => Signature::Holds(signer.clone()),
        (None, Some(why)) => Signature::Void(why.message.clone()),
        (None, None) => Signature::None,
    };
    let registry = rapid.registry();
    let tests = match evidence.artifact(NamedTests::ARTIFACT) {
        Some(artifact) => match registry.artifact(evidence, artifact)? {
            Kept::Here(bytes) => TestList::parse(&bytes).ok(),
            Kept::Missing | Kept::Expunged(_) => None,
        },
        None => None,
    };
    let log = match evidence.artifact("log") {
        None => Log::None,
        Some(artifact) => match registry.artifact(evidence, artifact)? {
            Kept::Here(bytes) => shown(&bytes, budget),
            Kept::Missing => Log::Missing,
            Kept::Expunged(record) => Log::Expunged(format!("by {}: {}", record.by, record.reason)),
        },
    };
    let path = Place::Evidence(run.id().clone(), evidence.id.clone()).path();
    Ok(Item { evidence: evidence.clone(), path, signature, log, tests })
}

/// As much of a log as there is room for: its beginning and its end.
fn shown(bytes: &[u8], budget: &mut usize) -> Log {
    let most = MOST_LOG.min(*budget);
    if most == 0 && !bytes.is_empty() {
        return Log::Kept;
    }
    let (head, tail) = match bytes.len() > most {
        false => (bytes, &[][..]),
        true => (bytes.get(..most / 2).unwrap_or_default(), bytes.get(bytes.len() - most / 2..).unwrap_or_default()),
    };
    *budget -= (head.len() + tail.len()).min(*budget);
    let cut = bytes.len() - head.len() - tail.len();
    let mut text = String::from_utf8_lossy(head).into_owned();
    if cut > 0 {
        text.push_str(&format!("\n[… {cut} bytes …]\n"));
        text.push_str(&String::from_utf8_lossy(tail));
    }
    Log::Text(text, cut)
}

fn about_code(repository: &Repository, run: &Run) -> Result<AboutCode> {
    let Some(tree) = finish_of(run).and_then(|finish| finish.tree) else { return Ok(AboutCode::default()) };
    let id = Oid::try_from(&tree)?;
    let mut commits: Vec<GitId> = Vec::new();
    let branches = repository.refs_below("refs/heads/")?.into_iter().map(|(_, tip)| tip);
    for tip in repository.head()?.commit.into_iter().chain(branches) {
        let commit = tip.to_git_id();
        if repository.tree_of(tip).is_ok_and(|found| found == id) && !commits.contains(&commit) {
            commits.push(commit);
        }
    }
    Ok(AboutCode { changes: changes(repository, run, id), tree: Some(tree), commits })
}

/// What changed from the base; `None` where a tree is not here.
fn changes(repository: &Repository, run: &Run, tree: Oid) -> Option<Vec<Changed>> {
    let base = Oid::try_from(&run.contract.base.tree).ok()?;
    if !repository.has(base) || !repository.has(tree) {
        return None;
    }
    let changes = repository.tree_changes(base, tree).ok()?;
    let counts = repository.line_counts(base, tree).ok()?;
    let changed = changes.into_iter().map(|change| Changed {
        lines: counts.get(&change.path).map(|lines| (lines.added, lines.removed)),
        letter: change.letter(),
        path: change.path,
    });
    Some(changed.collect())
}
