//! The walk over entries: first along the chain, reading each entry's own bytes; then over what each one adds, on several
//! threads. Entries behind a tip that was proved before are not walked again.

use super::{Finding, MOST_FINDINGS, shares::compare_all};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Commit, Kind, LooseFiles, Oid, Repository};
use crate::ledger::genesis;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The largest entry that is read, in bytes.
const ENTRY_CAP: u64 = 64 << 10;

/// What a walk saw.
#[derive(Default)]
pub struct Walk {
    /// How many entries were walked.
    pub entries: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// The paths that these entries added.
    pub introduced: Vec<Introduced>,
    /// The entry with the latest date, and the date, in seconds since 1970, as its writer claims.
    pub latest: Option<(i64, Oid)>,
    /// A tree was too large, or there were too many paths: reading the whole ledger together would not end.
    pub exceeded: bool,
}

/// A path that an entry added.
pub struct Introduced {
    /// The path; that of a directory about which a merge decided ends in `/`.
    pub path: String,
    /// The entry.
    pub entry: Oid,
    /// The record, when it is still to be read.
    pub record: Option<Oid>,
}

/// An entry whose own bytes are in order.
pub(super) struct Linked {
    pub(super) id: Oid,
    pub(super) tree: Oid,
    /// The trees of its parents; `None` where one could not be read, which is a finding of its own.
    pub(super) parents: Vec<Option<Oid>>,
}

/// Proves every entry up to `tip` that does not lie behind `known`: all but what the records say.
pub fn walk(repository: &Repository, tip: Oid, known: Option<Oid>) -> Result<Walk> {
    let loose = repository.loose_files();
    let mut walks = compare_all(repository, &loose, |give| chain(repository, &loose, tip, known, give))?.into_iter();
    let mut walk = walks.next().unwrap_or_default();
    for part in walks {
        walk.findings.extend(part.findings);
        walk.introduced.extend(part.introduced);
        walk.exceeded |= part.exceeded;
    }
    Ok(walk)
}

/// Follows the chain and reads each entry's own bytes; gives each one when the trees of its parents are known.
fn chain(
    repository: &Repository,
    loose: &LooseFiles,
    tip: Oid,
    known: Option<Oid>,
    give: &mut dyn FnMut(Linked),
) -> Result<Walk> {
    let first = genesis::id_of(repository, genesis::FORMAT)?;
    let shallow: BTreeSet<Oid> = repository.shallow_commits()?.into_iter().collect();
    let mut walk = Walk::default();
    let mut trees: HashMap<Oid, Option<Oid>> = HashMap::new();
    let mut seen: HashSet<Oid> = HashSet::from([tip]);
    let mut proved: HashSet<Oid> = known.into_iter().collect();
    let mut waiting = vec![tip];
    let mut rooted = known.is_some();
    let mut broken = false;
    // Nearly always the next one is its only parent. Of the others that is kept which is needed later, without their messages.
    let mut newest: Option<(Oid, Oid, Vec<Oid>)> = None;
    let mut later = Vec::new();
    while let Some(id) = waiting.pop() {
        if proved.contains(&id) {
            continue;
        }
        if walk.findings.len() >= MOST_FINDINGS {
            walk.exceeded = true;
            broken = true;
            let words = format!("there are more faults than are listed; {} entries were looked at", walk.entries);
            walk.findings.push(Finding::of(id, Code::Rapid1525.because(words)));
            break;
        }
        walk.entries += 1;
        let entry = match read_entry(repository, loose, id) {
            Ok(entry) => entry,
            Err((parents, diagnostic)) => {
                trees.insert(id, None);
                broken |= parents.is_empty();
                walk.findings.push(Finding::of(id, diagnostic));
                waiting.extend(parents.into_iter().filter(|parent| seen.insert(*parent)));
                continue;
            }
        };
        trees.insert(id, Some(entry.tree));
        walk.latest = walk.latest.max(Some((entry.seconds, id)));
        // A clone that has what lies behind is not cut off there, whatever it says of itself.
        if shallow.contains(&id) && entry.parents.iter().any(|parent| !repository.has(*parent)) {
            let cut =
                Code::Rapid1519.because(format!("history ends at entry {}: this clone is shallow there", id.short()));
            walk.findings.push(Finding::of(id, cut.hint("run 'git fetch --unshallow', then 'git rapid fetch'")));
            continue;
        }
        rooted |= id == first;
        for diagnostic in shape(id, first, &entry) {
            walk.findings.push(Finding::of(id, diagnostic));
        }
        if let (Some(known), [_, _]) = (known, entry.parents.as_slice()) {
            // A merge may lead behind the known tip on another way than through it.
            proved.extend(behind(repository, known)?);
        }
        waiting.extend(entry.parents.iter().copied().filter(|parent| seen.insert(*parent)));
        if let Some((id, tree, parents)) = newest.replace((id, entry.tree, entry.parents)) {
            match parents.iter().map(|parent| trees.get(parent).copied()).collect() {
                Some(parents) => give(Linked { id, tree, parents }),
                None => later.push((id, tree, parents)),
            }
        }
    }
    later.extend(newest);
    for (id, tree, parents) in later {
        let mut tree_of = |parent: &Oid| {
            *trees
                .entry(*parent)
                .or_insert_with(|| read_entry(repository, loose, *parent).ok().map(|commit| commit.tree))
        };
        let parents = parents.iter().map(&mut tree_of).collect();
        give(Linked { id, tree, parents });
    }
    if !rooted && !broken && !walk.findings.iter().any(Finding::is_absence) {
        let diagnostic = Code::Rapid1524.because("the ledger does not begin with git-rapid's first entry");
        walk.findings.push(Finding { diagnostic, entry: None });
    }
    Ok(walk)
}

/// All entries behind one that was proved before.
fn behind(repository: &Repository, known: Oid) -> Result<HashSet<Oid>> {
    let mut seen = HashSet::from([known]);
    let mut waiting = vec![known];
    while let Some(id) = waiting.pop() {
        waiting.extend(repository.parents_of(id)?.into_iter().filter(|parent| seen.insert(*parent)));
    }
    Ok(seen)
}

/// An entry, or what is wrong with it and the parents that can still be followed.
fn read_entry(
    repository: &Repository,
    loose: &LooseFiles,
    id: Oid,
) -> std::result::Result<Commit, (Vec<Oid>, Diagnostic)> {
    let data = repository.read_verified(id, Kind::Commit, ENTRY_CAP);
    let data = data.and_then(|data| loose.check(id, data.len() as u64).map(|()| data));
    let data = data.map_err(|diagnostic| (repository.parents_of(id).unwrap_or_default(), diagnostic))?;
    let odd = |why: String| {
        let parents = repository.parents_of(id).unwrap_or_default();
        (parents, Code::Rapid1516.because(format!("entry {}: {why}", id.short())))
    };
    let commit = Commit::decode(&data).map_err(|fault| odd(fault.to_string()))?;
    let is_ours = commit.parents.iter().chain([&commit.tree]).all(|id| id.is_of(repository.format()));
    match is_ours {
        true => Ok(commit),
        false => Err(odd("it names an id of another object format".to_owned())),
    }
}

/// What is wrong with how an entry hangs on the others.
fn shape(id: Oid, first: Oid, entry: &Commit) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut wrong = |why: String| out.push(Code::Rapid1516.because(format!("entry {}: {why}", id.short())));
    match entry.parents.as_slice() {
        [] if id != first => out.push(
            Code::Rapid1524.because(format!("entry {} has no parent and is not git-rapid's first entry", id.short())),
        ),
        [] | [_] => {}
        [a, b] if a < b => {}
        [a, b] if a == b => wrong("it has the same parent twice".to_owned()),
        [_, _] => wrong("its parents are not in order".to_owned()),
        more => wrong(format!("it has {} parents", more.len())),
    }
    out
}
