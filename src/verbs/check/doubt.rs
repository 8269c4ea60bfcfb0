//! Why a check is worth less than its command's end says. Not here: what its output counts (`check::summary`).

use super::{CheckOutcome, Observation, outcome_of};
use crate::check::{Ran, summary::Outcome};
use crate::git::Snapshot;
use crate::os::process::Ended;
use std::collections::BTreeSet;

/// Said of a check that ran while the code changed.
pub const CHANGED: &str = "the code changed while it ran, so it speaks of no tree";

/// So many files are named.
const SHOWN: usize = 5;

/// A reason for which a check proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Submodules hold files that the tree does not: what ran is not what the tree names.
    Submodules(Vec<String>),
    /// Files of the tree that are not on the disk: how many, and the first.
    Absent(usize, Vec<String>),
    /// Files that are not on the disk as a checkout would write them: how many, and the first, with what is different.
    Unlike(usize, Vec<String>),
    /// A failure was expected, and this is none of the code's.
    NoReproduction(&'static str),
}

impl Doubt {
    /// Why a command that was to fail has shown no failure, although it did not succeed. One whose failed tests were counted
    /// has, whatever its status, unless we ended it.
    pub(super) fn of_failure(ran: &Ran) -> Option<Doubt> {
        let why = match ran.ended {
            Ended::TimedOut => "it was ended by the time limit",
            Ended::Exited(_) if ran.summary.counted && ran.summary.counts.failed > 0 => return None,
            Ended::Exited(127) => "a program was not found (status 127), so nothing was tested",
            Ended::Exited(126) => "a program could not be started (status 126), so nothing was tested",
            Ended::Exited(125) => "what was to start the command failed itself (status 125)",
            Ended::Exited(124) => "it was ended by a time limit (status 124)",
            _ => return None,
        };
        Some(Doubt::NoReproduction(why))
    }

    /// Why a command that ran where a snapshot was taken, before and after, ran on something else than its tree.
    pub(super) fn of_the_tree(snapshots: [&Snapshot; 2]) -> Option<Doubt> {
        if let Some(with) = snapshots.into_iter().find(|snapshot| snapshot.absent > 0) {
            return Some(Doubt::Absent(with.absent, with.notes.absent.clone()));
        }
        let dirty = snapshots.into_iter().flat_map(|snapshot| &snapshot.notes.dirty_submodules);
        let dirty: BTreeSet<String> = dirty.cloned().collect();
        if !dirty.is_empty() {
            return Some(Doubt::Submodules(dirty.into_iter().collect()));
        }
        let unlike = snapshots.into_iter().map(|snapshot| &snapshot.unlike).find(|unlike| !unlike.is_empty())?;
        let first = unlike.iter().take(SHOWN).map(|file| format!("{} ({})", file.path, file.what));
        Some(Doubt::Unlike(unlike.len(), first.collect()))
    }

    /// Whether a check in this doubt speaks of no tree.
    pub(super) fn takes_the_tree(&self) -> bool {
        !matches!(self, Doubt::NoReproduction(_))
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Doubt::Submodules(paths) => format!(
                "submodules have changes that their commit does not hold, so the check speaks of no tree: {}",
                paths.join(", ")
            ),
            Doubt::Absent(count, first) => {
                let files = if *count == 1 { "file of the tree is" } else { "files of the tree are" };
                format!(
                    "{count} {files} not on the disk (sparse checkout, skip-worktree), so the check speaks of no tree: {}",
                    some(*count, first)
                )
            }
            Doubt::Unlike(count, first) => {
                let files = if *count == 1 { "file is" } else { "files are" };
                format!(
                    "{count} {files} not on the disk as a checkout of the tree writes them, so the check speaks of no tree: {}",
                    some(*count, first)
                )
            }
            Doubt::NoReproduction(why) => format!("no failure of the code was shown: {why}"),
        }
    }

    /// What to do now.
    pub fn hint(&self) -> &'static str {
        match self {
            Doubt::Submodules(_) => "commit inside the submodule, or check exactly the recorded commits with --clean",
            Doubt::Absent(..) => {
                "'git rapid check --clean' runs exactly the tree; 'git sparse-checkout disable' brings all files here"
            }
            Doubt::Unlike(..) => {
                "'git add FILE; rm FILE; git checkout -- FILE' keeps an edit and writes the file as every clone has it; 'git rapid check --clean' runs exactly the tree"
            }
            Doubt::NoReproduction(_) => "give the command that runs and fails, then check again",
        }
    }
}

impl Observation {
    /// How it stands, as `check --json` says it.
    pub fn outcome(&self) -> CheckOutcome {
        match (&self.doubt, outcome_of(self)) {
            (Some(Doubt::NoReproduction(_)), _) => CheckOutcome::Unverified,
            (Some(doubt), CheckOutcome::Pass) if doubt.takes_the_tree() => CheckOutcome::Unverified,
            (_, outcome) => outcome,
        }
    }

    /// Why it is no pass, in words; `None` for a pass, and where nothing is known but the status.
    pub fn reason(&self) -> Option<String> {
        if self.outcome() == CheckOutcome::Pass {
            return None;
        }
        let changed = self.facts.tree_changed.then(|| CHANGED.to_owned());
        let doubt = self.doubt.as_ref().map(Doubt::words);
        let words = [changed, doubt, self.shown().map(str::to_owned)];
        let words: Vec<String> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join("; "))
    }

    /// What its output has to do with that. What takes a green away comes first: that the output was green explains nothing then.
    pub fn shown(&self) -> Option<&str> {
        let summary = &self.ran.summary;
        let taken = self.facts.tree_changed || self.doubt.is_some();
        let explains = self.outcome() != CheckOutcome::Pass && !(taken && summary.outcome == Outcome::Pass);
        Some(summary.reason.as_str()).filter(|reason| explains && !reason.is_empty())
    }
}

/// The first few of many.
fn some(count: usize, first: &[String]) -> String {
    let named = first.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match count.saturating_sub(SHOWN) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
