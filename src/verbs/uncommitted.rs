//! What a run passed on and nobody has committed yet: a verdict is about a tree, and counts for nobody until a commit has it.
//!
//! Not here: whether a commit that is there is covered (`verify`).

use super::{verify::finish_of, work::Work};
use crate::diagnostics::Result;
use crate::domain::{evidence::Payload, next_action::Action, typed::typed};
use crate::git::{Keep, Oid};
use crate::registry::Run;

/// The most new files that are named one by one.
const NAMED: usize = 20;

/// Adds to an action that asks for the baseline which files the newest check wrote, and how they are kept, where that is why it
/// did not count and they are in no commit yet.
pub(super) fn tell_written(run: &Run, work: &Work<'_>, action: &mut Action) -> Result<()> {
    let newest = run.evidence.iter().rev().find_map(|item| item.payload.check_facts());
    if !newest.is_some_and(|facts| facts.tree_changed) {
        return Ok(());
    }
    let began = run.evidence.iter().find_map(|item| match &item.payload {
        Payload::Workspace { start, .. } => start.tree.as_ref(),
        _ => None,
    });
    let Some(began) = began.map(Oid::try_from).transpose()? else { return Ok(()) };
    let repository = work.repository();
    let now = work.snapshot(Keep::Objects)?.tree;
    let written = repository.tree_changes(began, now).unwrap_or_default();
    let open = repository.tree_changes(repository.head()?.tree, now)?;
    let names: Vec<&str> =
        open.iter().map(|change| change.path.as_str()).filter(|path| written.iter().any(|w| w.path == *path)).collect();
    if names.is_empty() {
        return Ok(());
    }
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > NAMED { ", …" } else { "" };
    action.instructions.push_str(&format!(
        " It wrote {shown}{more}: commit what belongs to the project, have git ignore the rest (.gitignore), and check again: {}.",
        typed(action.command.as_deref().unwrap_or_default())
    ));
    if names.len() <= NAMED {
        let message =
            if let [one] = names.as_slice() { format!("Add {one}") } else { "Add what the tests write".to_owned() };
        *action = action
            .clone()
            .command([["git", "add", "--"].as_slice(), &names].concat())
            .after([["git", "commit", "-m", message.as_str(), "--"].as_slice(), &names].concat());
    }
    Ok(())
}

/// Adds to an action how to commit what a finished run ended with. Nothing is added when that is committed, and nothing when the
/// working copy holds something else by now.
pub(super) fn tell(run: &Run, title: &str, work: &Work<'_>, action: &mut Action) -> Result<()> {
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
    // With a message: whoever is no person would be left with an editor.
    let commit = ["git", "commit", "--all", "-m", title];
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
