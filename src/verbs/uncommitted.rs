//! What a run passed on and nobody has committed yet: a verdict is about a tree, and counts for nobody until a commit has it.
//!
//! Not here: whether a commit that is there is covered (`verify`).

use super::{verify::finish_of, work::Work};
use crate::diagnostics::Result;
use crate::domain::next_action::Action;
use crate::git::{Keep, Oid};
use crate::registry::Run;

/// The most new files that are named one by one.
const NAMED: usize = 20;

/// Adds to an action how to commit what a finished run ended with. Nothing is added when that is committed, and nothing when the
/// working copy holds something else by now.
pub(super) fn tell(run: &Run, work: &Work<'_>, action: &mut Action) -> Result<()> {
    let Some(finish) = finish_of(run) else { return Ok(()) };
    let Some(tree) = finish.tree.as_ref().map(Oid::try_from).transpose()? else { return Ok(()) };
    let repository = work.repository();
    let head = repository.head()?;
    if head.tree == tree || !repository.has(tree) {
        return Ok(());
    }
    let mut changes = repository.tree_changes(head.tree, tree)?;
    changes.retain(|change| !finish.untracked.iter().any(|file| file.path.as_str() == change.path));
    if changes.is_empty() || work.snapshot(Keep::Nothing)?.tree != tree {
        return Ok(());
    }
    let new: Vec<&str> =
        changes.iter().filter(|change| change.old.is_none()).map(|change| change.path.as_str()).collect();
    let commit = ["git", "commit", "--all"];
    let mut more = " What passed is not committed yet: commit all of it, and nothing else.".to_owned();
    if !repository.remote_names().is_empty() {
        more.push_str(" Then send the record beside the code: git rapid push.");
    }
    action.instructions.push_str(&more);
    action.workspace_path = work.workspace_path().map(str::to_owned);
    let told = action.clone();
    *action = match new.len() {
        0 => told.command(commit),
        1..=NAMED => told.command([["git", "add", "--"].as_slice(), &new].concat()).after(commit),
        _ => told.command(["git", "add", "--all"]).after(commit),
    };
    Ok(())
}
