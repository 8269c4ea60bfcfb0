//! The one door for writing (design §4.3): read the tip, decide, write objects, flush, read back, move both refs by
//! compare-and-swap. An entry is in the ledger whole or not at all, whenever the process dies.

use super::{
    ATTACHMENTS_REF, Additions, DIVERGED, Folding, Gone, LEDGER_REF, Ledger, Material, Tips, View, expunge, genesis,
    lock, material,
};
use crate::diagnostics::{Code, Result};
use crate::git::{Addition, Commit, EditFault, Identity, Kind, Mode, Oid, RefEdit, RefUpdate, Repository, Writer};
use crate::os::{clock, fault, signals};
use std::collections::BTreeMap;

/// How often a lost race is run again.
const ATTEMPTS: u32 = 64;

impl<'r> Ledger<'r> {
    /// Appends one entry. `decide` sees the ledger as it stands and says what to add; when another writer is first, it is
    /// asked again on what stands then. Returns the entry and what `decide` gave beside the additions.
    ///
    /// What waits in the spool is folded in first. Where git's own directories are closed, the entry joins what waits there.
    pub fn transact<T>(
        &self,
        folding: &Folding<'_>,
        decide: impl FnMut(&View<'r>) -> Result<(Additions, T)>,
    ) -> Result<(Oid, T)> {
        self.append(folding, decide, None)
    }

    /// Appends an entry with records of what was removed from the attachments, and removes it in the same moment.
    pub fn expunge<T>(
        &self,
        folding: &Folding<'_>,
        decide: impl FnMut(&View<'r>) -> Result<(Additions, T)>,
        gone: Gone,
    ) -> Result<(Oid, T)> {
        self.append(folding, decide, Some(gone))
    }

    fn append<T>(
        &self,
        folding: &Folding<'_>,
        mut decide: impl FnMut(&View<'r>) -> Result<(Additions, T)>,
        gone: Option<Gone>,
    ) -> Result<(Oid, T)> {
        let repository = self.repository;
        if repository.environment().is_set("GIT_QUARANTINE_PATH") {
            return Err(Code::Rapid1504
                .because("git holds back new objects here (a pre-receive hook): nothing can be recorded")
                .hint("record it in a post-receive hook"));
        }
        // From here on Ctrl-C waits: an append is short, and dying inside one would leave git's ref locks behind.
        signals::watch()?;
        let _lock = lock::take(repository)?;
        fault::point("locked");
        let closed = repository.is_closed();
        if !closed {
            self.fold_locked(folding)?;
        }
        let who = repository.identity();
        for attempt in 0..ATTEMPTS {
            let before = if closed { self.end_of_spool()? } else { self.refs()? };
            let view = View::at(repository, before.ledger)?;
            check_format(&view, genesis::FORMAT, LEDGER_REF)?;
            let (additions, given) = decide(&view)?;
            if closed {
                (folding.may_wait)(&view, &additions)?;
            }
            let writer = repository.writer();
            let seconds = clock::now_seconds();
            let mut made = self.build(before, &additions, &writer, &who, seconds)?;
            let Some(entry) = made.ledger else {
                return Err(Code::Rapid003.because("an entry was made without an id"));
            };
            if let (Some(gone), Some(tip)) = (gone, made.attachments) {
                let ledger = View::at(repository, made.ledger)?;
                made.attachments = Some(expunge::cleaned(repository, &writer, &ledger, tip, gone)?);
            }
            fault::point("objects-written");
            writer.flush()?;
            fault::point("objects-flushed");
            read_back(repository, entry, &additions)?;
            fault::point("read-back");
            if closed {
                self.spool(&additions, before, made)?;
                return Ok((entry, given));
            }
            let mut edits = Vec::new();
            if let Some(new) = made.attachments.filter(|new| Some(*new) != before.attachments) {
                edits.push(RefEdit { name: ATTACHMENTS_REF.to_owned(), old: before.attachments, new });
            }
            edits.push(RefEdit { name: LEDGER_REF.to_owned(), old: before.ledger, new: entry });
            let why = format!("rapid: {}", additions.message().lines().next().unwrap_or_default());
            match repository.update_refs(&edits, &why, &who, seconds, &|step| fault::point(step))? {
                RefUpdate::Moved => {
                    fault::point("done");
                    return Ok((entry, given));
                }
                RefUpdate::Lost => wait(attempt, entry),
            }
        }
        Err(Code::Rapid1513
            .because(format!("other writers were first {ATTEMPTS} times"))
            .at(LEDGER_REF)
            .hint("run this again when fewer processes write to the ledger"))
    }

    /// Writes the commits of an entry on these tips.
    pub(super) fn build(
        &self,
        before: Tips,
        additions: &Additions,
        writer: &Writer<'_>,
        who: &Identity,
        seconds: i64,
    ) -> Result<Tips> {
        let repository = self.repository;
        let mut made = before;
        if !additions.material.is_empty() {
            let view = View::at(repository, before.ledger)?;
            made.attachments =
                Some(self.prepare_material(&view, before.attachments, writer, additions, who, seconds)?);
        }
        let records = write_records(writer, additions)?;
        let on = match before.ledger {
            Some(tip) => (tip, repository.tree_of(tip)?),
            None => genesis::write(writer, genesis::FORMAT)?,
        };
        made.ledger = Some(commit(repository, writer, on, &[], &records, &additions.message(), who, seconds)?);
        Ok(made)
    }

    fn prepare_material(
        &self,
        ledger: &View<'_>,
        tip: Option<Oid>,
        writer: &Writer<'_>,
        additions: &Additions,
        who: &Identity,
        seconds: i64,
    ) -> Result<Oid> {
        let repository = self.repository;
        let view = View::at(repository, tip)?;
        check_format(&view, genesis::ATTACHMENTS_FORMAT, ATTACHMENTS_REF)?;
        // Material comes with its record. What lies there without one was left by an append that died when this ref had moved
        // and the ledger had not: it belongs to nothing. Or it belongs to a record that a decision set aside.
        let mut left_behind = Vec::new();
        let mut paths = BTreeMap::new();
        for directory in additions.material_directories() {
            let Some((_, there)) = view.locate(&directory)? else { continue };
            if is_decided(ledger, &directory)? {
                paths.extend(material::all_beside(repository, there, &directory)?);
            }
            left_behind.push(directory);
        }
        for (path, material) in &additions.material {
            let addition = match material {
                Material::Bytes(bytes) => Addition { mode: Mode::File, id: writer.write(Kind::Blob, bytes)? },
                Material::Tree(id) if !is_empty(repository, *id) && !writer.has(*id, true) => {
                    return Err(Code::Rapid1505
                        .because(format!("the tree {id} is not in this repository"))
                        .at(path.as_str()));
                }
                Material::Tree(id) => Addition { mode: Mode::Tree, id: *id },
            };
            paths.insert(path.to_string(), addition);
        }
        let on = match tip {
            Some(tip) => (tip, repository.tree_of(tip)?),
            None => expunge::root(writer, expunge::mark(ledger)?.as_deref())?,
        };
        commit(repository, writer, on, &left_behind, &paths, &additions.message(), who, seconds)
    }
}

fn is_empty(repository: &Repository, tree: Oid) -> bool {
    tree == Oid::empty_tree(repository.format())
}

/// Whether a decision was made about the subject that an item of material belongs to.
fn is_decided(ledger: &View<'_>, item: &str) -> Result<bool> {
    let subject = item.rsplit_once('/').map_or(item, |(subject, _)| subject);
    let kinds = ledger.list(DIVERGED)?;
    let decided = kinds.iter().map(|kind| ledger.locate(&format!("{DIVERGED}/{kind}/{subject}")));
    Ok(decided.collect::<Result<Vec<_>>>()?.iter().any(Option::is_some))
}

/// Refuses a ref that holds something else than what git-rapid began.
fn check_format(view: &View<'_>, format: &str, name: &str) -> Result<()> {
    let found = view.read("format")?;
    if view.tip().is_none() || found.as_deref() == Some(format.as_bytes()) {
        return Ok(());
    }
    if let Some(number) = found.as_deref().and_then(newer) {
        return Err(Code::Rapid1524
            .because(format!("'{name}' is of format {number}, which this git-rapid does not know"))
            .at(name)
            .hint("install the git-rapid that the others use; 'git rapid version' says what this one is"));
    }
    Err(Code::Rapid1524
        .because(format!("'{name}' does not hold what git-rapid wrote there"))
        .at(name)
        .hint(format!("see 'git log {name}'")))
}

/// The number of another format, as this build writes that of its own.
fn newer(format: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(format).ok()?.strip_suffix('\n')?;
    text.strip_prefix("git-rapid ")?.split_once(' ')?.1.parse().ok().filter(|number| *number > 1)
}

fn write_records(writer: &Writer<'_>, additions: &Additions) -> Result<BTreeMap<String, Addition>> {
    let mut paths = BTreeMap::new();
    for (path, bytes) in &additions.records {
        let id = writer.write(Kind::Blob, bytes)?;
        paths.insert(path.to_string(), Addition { mode: Mode::File, id });
    }
    Ok(paths)
}

#[expect(clippy::too_many_arguments, reason = "one private step of the append, called twice")]
fn commit(
    repository: &Repository,
    writer: &Writer<'_>,
    (parent, base): (Oid, Oid),
    left_behind: &[String],
    paths: &BTreeMap<String, Addition>,
    message: &str,
    who: &Identity,
    seconds: i64,
) -> Result<Oid> {
    let base = left_behind.iter().try_fold(base, |base, path| writer.take_out_of_tree(repository, base, path))?;
    let tree = match writer.add_to_tree(repository, Some(base), paths) {
        Ok(tree) => tree,
        Err(EditFault::Taken(path)) => {
            return Err(Code::Rapid1514.because(format!("'{path}' is in the ledger already")).at(path));
        }
        Err(EditFault::Failed(diagnostic)) => return Err(diagnostic),
    };
    let commit = Commit { tree, parents: vec![parent], identity: who.clone(), seconds, message: message.to_owned() };
    writer.write(Kind::Commit, &commit.encode())
}

/// Reads every record of the entry as any reader would, before anything points to it.
pub(super) fn read_back(repository: &Repository, entry: Oid, additions: &Additions) -> Result<()> {
    let view = View::at(repository, Some(entry))?;
    for (path, bytes) in &additions.records {
        if view.read(path.as_str())?.as_deref() != Some(bytes) {
            return Err(Code::Rapid1504
                .because(format!("'{path}' reads back differently from what was written"))
                .at(path.as_str()));
        }
    }
    Ok(())
}

/// Waits a moment that grows with the attempts and differs between processes.
fn wait(attempt: u32, salt: Oid) {
    let jitter = u64::from(salt.as_bytes().last().copied().unwrap_or(0)) % 16;
    let base = 1u64 << attempt.min(6);
    std::thread::sleep(std::time::Duration::from_millis(base + jitter));
}
