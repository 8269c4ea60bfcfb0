//! What may wait in the spool, and what is asked of it before it is folded in: a person's decision never waits, and everything
//! else has to pass the audit that `verify` makes. How it waits is the ledger's.

use super::{Place, Records, Registry, Scope, audit, layout, records::canonical};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    digest::Digest,
    evidence::{Evidence, Payload},
    ids::RunId,
    run::{GateState, RunState},
    spooled::SpooledMark,
    text::Producer,
};
use crate::git::{Oid, Repository};
use crate::ledger::{Additions, Folding, SpooledEntry, View};
use std::collections::{BTreeMap, BTreeSet};

impl Registry<'_> {
    /// Folds in what waits in the spool, where the ledger can be written to; says how many entries it were.
    pub fn fold(&self) -> Result<usize> {
        let repository = self.repository();
        with_folding(repository, |folding| self.ledger().fold(folding))
    }

    /// A person decides about what is in the ledger, not about what waits: folds that in, or refuses in a sandbox (RAPID1572).
    pub fn settle_for_a_person(&self) -> Result<()> {
        match self.repository().is_closed() {
            true => Err(Code::Rapid1572
                .because("git's directory is closed here, and a person's decision does not wait in the spool")
                .hint("decide in a terminal outside the sandbox")),
            false => self.fold().map(drop),
        }
    }

    /// Folds in what can be and sets the rest aside; says in words what was done.
    pub fn fold_or_set_aside(&self) -> Result<Vec<String>> {
        let repository = self.repository();
        with_folding(repository, |folding| self.ledger().fold_or_set_aside(folding))
    }

    /// The entries that wait.
    pub fn waiting(&self) -> Result<Vec<SpooledEntry>> {
        self.ledger().waiting()
    }

    /// How what waits stands to the ledger, and what to do, in words.
    pub fn told_of_waiting(&self, count: usize) -> Result<(String, String)> {
        let words = match (count, self.ledger().waits_apart()?) {
            (1, false) => "1 entry waits in the spool; what is shown counts it in".to_owned(),
            (_, false) => format!("{count} entries wait in the spool; what is shown counts them in"),
            (_, true) => format!(
                "{count} waiting in the spool, made on a ledger that has moved on since; what is shown does not count them in"
            ),
        };
        let hint = match self.ledger().waits_apart()? {
            false => "the next recording command outside the sandbox folds them in",
            true => {
                "any recording command outside the sandbox folds them in or says why not; git rapid doctor --repair sets them aside"
            }
        };
        Ok((words, hint.to_owned()))
    }
}

impl Records<'_> {
    /// The records of a run that waited in a spool before they were folded in, by path (RAPID1575).
    pub fn spooled(&self, run: &RunId) -> Result<BTreeMap<String, Digest>> {
        let directory = format!("{}/spooled", layout::run_dir(run));
        let mut out = BTreeMap::new();
        for name in self.view().list(&directory)? {
            let path = format!("{directory}/{name}");
            let Some(bytes) = self.view().read(&path)? else { continue };
            check_mark(&path, &bytes).map_err(|error| error.at(&path))?;
            out.extend(SpooledMark::from_value(canonical(&bytes)?)?.records);
        }
        Ok(out)
    }

    /// How many pieces of a run's evidence waited in a spool.
    pub fn spooled_evidence(&self, run: &RunId) -> Result<usize> {
        let evidence = format!("{}/evidence/", layout::run_dir(run));
        Ok(self.spooled(run)?.keys().filter(|path| path.starts_with(&evidence)).count())
    }

    /// Every mark of a run names records that are there, as it says (RAPID1575).
    pub(super) fn audit_spooled(&self, run: &RunId) -> Result<()> {
        let below = format!("{}/", layout::run_dir(run));
        for (path, digest) in self.spooled(run)? {
            let bytes = if path.starts_with(&below) { self.view().read(&path)? } else { None };
            if bytes.is_none_or(|bytes| Digest::of(&bytes) != digest) {
                return Err(Code::Rapid1575
                    .because(format!("the mark of spooled records names '{path}', which is not what it says"))
                    .at(path));
            }
        }
        Ok(())
    }
}

/// A mark by itself: its name is its digest, and it speaks of the run that it lies in.
pub(super) fn check_mark(path: &str, bytes: &[u8]) -> Result<()> {
    let Place::Spooled(run, digest) = Place::of(path)? else {
        return Err(Code::Rapid1521.because(format!("'{path}' is no record's path")));
    };
    let mark = SpooledMark::from_value(canonical(bytes)?)?;
    match mark.run_id == run && Digest::of(bytes) == digest {
        true => Ok(()),
        false => Err(Code::Rapid1575.because("the mark of spooled records belongs elsewhere")),
    }
}

/// Gives the ledger what it has to know about records to fold entries in.
pub(super) fn with_folding<T>(repository: &Repository, run: impl FnOnce(&Folding<'_>) -> Result<T>) -> Result<T> {
    let prove = |entry: Oid, attachments: Option<Oid>, touched: BTreeSet<String>| {
        let found = audit(repository, entry, attachments, &Scope::Touched(touched), None)?;
        found.findings.into_iter().next().map_or(Ok(()), Err)
    };
    run(&Folding { may_wait: &may_wait, mark: &mark, prove: &prove })
}

/// Adds one mark for each run that an entry touches.
fn mark(additions: &mut Additions) -> Result<()> {
    let mut runs: BTreeMap<RunId, BTreeMap<String, Digest>> = BTreeMap::new();
    for (path, bytes) in &additions.records {
        if let Some(run) = run_of(&Place::of(path.as_str())?) {
            runs.entry(run.clone()).or_default().insert(path.to_string(), Digest::of(bytes));
        }
    }
    for (run_id, records) in runs {
        let bytes = SpooledMark { run_id: run_id.clone(), records }.to_value().record_bytes();
        additions.record(&Place::Spooled(run_id, Digest::of(&bytes)).path(), bytes)?;
    }
    Ok(())
}

fn run_of(place: &Place) -> Option<&RunId> {
    match place {
        Place::Contract(run)
        | Place::Term(run, _)
        | Place::State(run, _)
        | Place::Evidence(run, _)
        | Place::Signature(run, _)
        | Place::Report(run, _)
        | Place::Expunged(run, _)
        | Place::Spooled(run, _) => Some(run),
        Place::Format
        | Place::Revision(..)
        | Place::Document(..)
        | Place::SpecStatus(..)
        | Place::Story(..)
        | Place::MissionPlan(_)
        | Place::MissionEvent(..)
        | Place::MissionSignature(..) => None,
    }
}

/// Refuses (RAPID1572) what only a person may say, and (RAPID1571) what is no record.
fn may_wait(now: &View<'_>, additions: &Additions) -> Result<()> {
    for (path, bytes) in &additions.records {
        let malformed =
            |error: Diagnostic| Code::Rapid1571.because(format!("'{path}' cannot stand in the ledger: {error}"));
        super::check_record(path.as_str(), bytes).map_err(malformed)?;
        match Place::of(path.as_str())? {
            Place::Format => return Err(Code::Rapid1571.because("a spooled entry brings a format")),
            Place::Signature(..) | Place::MissionSignature(..) => return Err(a_persons("a signature")),
            Place::Spooled(..) => return Err(Code::Rapid1571.because("a spooled entry brings a mark of its own")),
            Place::Expunged(..) => return Err(a_persons("the removal of material")),
            Place::Story(..) => {
                return Err(not_from_here("the turn of a story", "the orchestrator runs outside the sandbox"));
            }
            Place::MissionPlan(_) | Place::MissionEvent(..) => {
                return Err(not_from_here("a step of a mission", "the orchestrator runs outside the sandbox"));
            }
            Place::Evidence(..) => {
                let item = Evidence::from_value(canonical(bytes)?)?;
                if item.producer == Producer::User || matches!(item.payload, Payload::Review(_)) {
                    return Err(a_persons("a review"));
                }
            }
            Place::State(run, revision) => decided_by_nobody(now, additions, &run, revision, bytes)?,
            _ => {}
        }
    }
    Ok(())
}

/// Refuses a step that decides a gate which is a person's.
fn decided_by_nobody(now: &View<'_>, additions: &Additions, run: &RunId, revision: u32, bytes: &[u8]) -> Result<()> {
    let state = RunState::from_value(canonical(bytes)?)?;
    let before = Place::State(run.clone(), revision.saturating_sub(1)).path();
    let added = additions.records.iter().find(|(path, _)| path.as_str() == before).map(|(_, bytes)| bytes.clone());
    let before = match added {
        Some(bytes) => Some(bytes),
        None => now.read(&before)?,
    };
    let before = before.map(|bytes| canonical(&bytes).and_then(RunState::from_value)).transpose()?;
    let humans = |state: &RunState| -> Vec<GateState> {
        state.gates.iter().filter(|gate| gate.kind.is_human()).cloned().collect()
    };
    match before {
        Some(before) if humans(&before) != humans(&state) => Err(a_persons("a decision about a gate")),
        // The first state has to be the one that the contract prepares: reading the run finds any other.
        _ => Ok(()),
    }
}

fn a_persons(what: &str) -> Diagnostic {
    not_from_here(what, "a person decides in a terminal outside the sandbox")
}

fn not_from_here(what: &str, where_else: &str) -> Diagnostic {
    Code::Rapid1572.because(format!("{what} does not wait in the spool: {where_else}")).hint("do it there")
}
