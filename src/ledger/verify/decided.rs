//! The one exception to "a merge is exactly the union" (docs/design/0002): a merge may decide about a subject that diverged.
//! What it set aside must lie in the ledger, whole; what stands must follow from the decisions and nothing else.

use super::{
    Finding,
    trees::Trees,
    walk::{Introduced, Walk},
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::digest::Digest;
use crate::git::{Kind, Mode, Oid};
use crate::ledger::EXPUNGED;
use crate::ledger::decision::{DIVERGED, Decision, Decisions, Leaves, SUBJECT_DEPTH, standing};
use crate::ledger::join::{Names, decisions_in, directory_at, subject_leaves};
use crate::ledger::view::RECORD_CAP;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Looks at every subject that somebody decided about, in a merge of two trees; returns the paths that need no other look.
pub(super) fn look(
    trees: &mut Trees<'_>,
    entry: Oid,
    tree: Oid,
    parents: [Oid; 2],
    walk: &mut Walk,
) -> BTreeSet<String> {
    let trees = RefCell::new(trees);
    let read = |id: Oid| {
        let mut trees = trees.borrow_mut();
        let names = trees.names(id)?;
        trees.spend(1 + names.len() / NAMES_OF_A_PATH)?;
        Ok(Names::clone(&names))
    };
    let digest_of = |id: Oid| {
        let bytes = trees.borrow().repository().read_verified(id, Kind::Blob, RECORD_CAP)?;
        Ok(Digest::of(&bytes))
    };
    let mut merge =
        Merge { read: &read, digest_of: &digest_of, tree, parents, faults: Vec::new(), seen: BTreeSet::new() };
    match merge.look() {
        // That there is too much of it is said once, by whoever asked.
        Err(_) if trees.borrow().is_spent() => {}
        Err(diagnostic) => merge.faults.push(diagnostic),
        Ok(()) => {}
    }
    walk.findings.extend(merge.faults.into_iter().map(|diagnostic| Finding::of(entry, diagnostic)));
    for subject in merge.seen.iter().filter(|path| !path.starts_with(DIVERGED)) {
        walk.introduced.push(Introduced { path: format!("{subject}/"), entry, record: None });
    }
    merge.seen
}

/// How many names of a directory count as one path.
const NAMES_OF_A_PATH: usize = 4;

/// A subject that somebody decided about.
struct Decided {
    subject: String,
    /// Its decisions in the merge.
    directory: Oid,
    /// Its decisions on either side.
    known: [Option<Oid>; 2],
    /// Its records on either side, and in the merge.
    own: [Option<Oid>; 3],
}

struct Merge<'a, R: Fn(Oid) -> Result<Names>> {
    read: &'a R,
    digest_of: &'a dyn Fn(Oid) -> Result<Digest>,
    tree: Oid,
    parents: [Oid; 2],
    faults: Vec<Diagnostic>,
    seen: BTreeSet<String>,
}

impl<R: Fn(Oid) -> Result<Names>> Merge<'_, R> {
    fn look(&mut self) -> Result<()> {
        for Decided { subject, directory, known, own: [first, second, now] } in self.touched()? {
            if subject.starts_with(EXPUNGED) {
                self.fault(&format!("{DIVERGED}/{subject}"), "what was expunged is nothing that anybody decides about");
            }
            let decided_now = known.iter().any(|known| *known != Some(directory));
            if decided_now || first != now || second != now {
                self.subject(&subject, directory, &known)?;
            }
        }
        Ok(())
    }

    /// The subjects with decisions that the merge may have touched: directories that are the same on both sides and in the
    /// merge are not entered, so that a merge costs what differs and not all that was ever decided.
    fn touched(&self) -> Result<Vec<Decided>> {
        let [one, two] = self.parents;
        let all = [one, two, self.tree];
        let mut level = Vec::new();
        let decided = all.map(|tree| directory_at(self.read, tree, DIVERGED));
        let [first, second, now] = decided;
        if let Some(now) = now? {
            level.push((String::new(), [first?, second?, Some(now)], all.map(Some)));
        }
        for _ in 0..SUBJECT_DEPTH {
            let mut below = Vec::new();
            for (at, decisions, own) in level {
                let below_of = |ids: [Option<Oid>; 3]| -> Result<[Names; 3]> {
                    let [a, b, c] = ids.map(|id| id.map_or_else(|| Ok(Names::new()), self.read));
                    Ok([a?, b?, c?])
                };
                let (decisions, own) = (below_of(decisions)?, below_of(own)?);
                let in_each = |all: &[Names; 3], name: &String| {
                    all.each_ref()
                        .map(|names| names.get(name).filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| *id))
                };
                let [_, _, now] = &decisions;
                for name in now.iter().filter(|(_, (mode, _))| *mode == Mode::Tree).map(|(name, _)| name) {
                    let (decisions, own) = (in_each(&decisions, name), in_each(&own, name));
                    let same = |[a, b, c]: [Option<Oid>; 3]| a == b && b == c;
                    if !same(decisions) || !same(own) {
                        let path = if at.is_empty() { name.clone() } else { format!("{at}/{name}") };
                        below.push((path, decisions, own));
                    }
                }
            }
            level = below;
        }
        let decided = level.into_iter().filter_map(|(subject, [one, two, now], own)| {
            Some(Decided { subject, directory: now?, known: [one, two], own })
        });
        Ok(decided.collect())
    }

    fn subject(&mut self, subject: &str, directory: Oid, known: &[Option<Oid>]) -> Result<()> {
        let mut earlier = Decisions::new();
        for known in known.iter().flatten() {
            earlier.extend(decisions_in(self.read, *known)?);
        }
        let all = decisions_in(self.read, directory)?;
        let [one, two] = self.parents;
        let (one, two) = (subject_leaves(self.read, one, subject)?, subject_leaves(self.read, two, subject)?);
        let new: BTreeMap<&String, &Decision> = all.iter().filter(|(name, _)| !earlier.contains_key(*name)).collect();
        for name in new.keys() {
            let path = format!("{DIVERGED}/{subject}/{name}");
            if new.len() > 1 {
                self.fault(&path, "the merge decides about one subject more than once");
            } else if let Some(why) = self.wrong(subject, directory, name, [&one, &two], &earlier)? {
                self.fault(&path, why);
            }
            self.seen.insert(path);
        }
        let now = subject_leaves(self.read, self.tree, subject)?;
        match standing(&one, &two, &all) {
            Err(paths) => {
                for path in paths {
                    self.fault(
                        &format!("{subject}/{path}"),
                        "nobody decided which of two records stands, and the merge takes one",
                    );
                }
            }
            Ok(stands) => self.compare(subject, &stands, &now),
        }
        self.seen.insert(subject.to_owned());
        Ok(())
    }

    fn fault(&mut self, path: &str, why: &str) {
        self.faults.push(Code::Rapid1550.because(why).at(path));
    }

    fn compare(&mut self, subject: &str, stands: &Leaves, now: &Leaves) {
        for (path, id) in stands {
            let full = format!("{subject}/{path}");
            match now.get(path) {
                Some(found) if found == id => {}
                Some(_) => self
                    .faults
                    .push(Code::Rapid1517.because(format!("'{full}' was recorded with other bytes before")).at(&full)),
                None => self.faults.push(
                    Code::Rapid1517.because(format!("'{full}' was recorded, not set aside, and is gone")).at(&full),
                ),
            }
        }
        for path in now.keys().filter(|path| !stands.contains_key(*path)) {
            let full = format!("{subject}/{path}");
            let words = format!("the merge has '{full}', which was set aside or which neither parent has");
            self.faults.push(Code::Rapid1522.because(words).at(&full));
        }
    }

    /// What is wrong with a decision that the merge makes.
    fn wrong(
        &self,
        subject: &str,
        directory: Oid,
        name: &str,
        sides: [&Leaves; 2],
        earlier: &Decisions,
    ) -> Result<Option<&'static str>> {
        let [one, two] = sides;
        let Some(own) = directory_at(self.read, directory, name)? else {
            return Ok(Some("the decision is no directory"));
        };
        let (kept, aside) = (subject_leaves(self.read, own, "kept")?, subject_leaves(self.read, own, "aside")?);
        let fits = [Decision::between(one, two, earlier), Decision::between(two, one, earlier)]
            .into_iter()
            .find(|decision| decision.kept == kept && decision.aside == aside);
        let Some(decision) = fits else {
            return Ok(Some("the decision does not hold exactly the records in which the two sides differ"));
        };
        if decision.kept.is_empty() && decision.aside.is_empty() {
            return Ok(Some("the decision is about nothing"));
        }
        let parts = (self.read)(own)?;
        let Some((Mode::File, record)) = parts.get("decision.json").copied() else {
            return Ok(Some("the decision has no record"));
        };
        if parts.keys().any(|part| !matches!(part.as_str(), "decision.json" | "kept" | "aside")) {
            return Ok(Some("the decision holds more than its record and the two sides"));
        }
        let expected = decision.record(subject, &mut |id| (self.digest_of)(id))?;
        Ok(match (self.digest_of)(record)? == Digest::of(&expected) && decision.directory(&expected) == name {
            true => None,
            false => Some("the decision's record is not that of what it holds"),
        })
    }
}
