//! `git.commit = "per-story"`: when a story is Done, the files that its turns changed are committed on a branch of their own.
//! The user's branch, index and working copy take no part.
//!
//! A file is committed as it stands: what somebody else wrote into the same file meanwhile is in it.

use super::perform::{Current, Performer};
use crate::diagnostics::Result;
use crate::domain::git_id::GitId;
use crate::domain::harmless::harmless;
use crate::git::{Keep, Mode, Oid};
use crate::os::clock;
use crate::registry::Registry;
use crate::story::config::Commit;
use crate::story::{Fact, Outcome, Status, StoryId};
use crate::verbs::work;
use std::collections::BTreeMap;

/// The branch of finished stories.
pub const BRANCH: &str = "rapid/stories";

impl Performer<'_> {
    /// Commits the story whose last turn this is; a sentence for the turn's notes. What keeps it from that is said and keeps
    /// nobody from anything else.
    pub(super) fn publish(&mut self, current: &Current, facts: &[Fact]) -> Option<String> {
        let story = &current.turn.story;
        let done = |fact: &Fact| matches!(fact, Fact::TurnEnded { story: of, outcome: Outcome::Progress { to: Status::Done, .. }, .. } if of == story);
        if self.request.config.git_commit != Commit::PerStory || !facts.iter().any(done) {
            return None;
        }
        let said = match self.commit(current) {
            Ok(Some(commit)) => format!("{story} is committed on {BRANCH}: {}", commit.short()),
            Ok(None) => format!("{story} is not committed: nothing of it is new on {BRANCH}"),
            Err(error) => format!("{story} is not committed on {BRANCH}: {} ({})", error.message, error.code),
        };
        self.log.line(&said);
        Some(said)
    }

    fn commit(&self, current: &Current) -> Result<Option<Oid>> {
        let name = format!("refs/heads/{BRANCH}");
        if self.repository.worktrees()?.iter().any(|worktree| worktree.branch.as_ref() == Some(&name)) {
            return Err(crate::diagnostics::Code::Rapid1853.because(format!(
                "the branch {BRANCH} is checked out, and nothing is committed under somebody's feet"
            )));
        }
        let paths = self.paths_of(current)?;
        let message = self.message(&current.turn.story);
        self.repository.commit_paths(BRANCH, &paths, &message, clock::now_seconds())
    }

    /// Every path that a turn of the story changed and nobody put back, as it stands now.
    fn paths_of(&self, current: &Current) -> Result<BTreeMap<String, Option<(Mode, Oid)>>> {
        let now = work::snapshot(self.repository, &self.config, Keep::Objects)?.tree;
        let mut trees: Vec<(Oid, Oid)> =
            current.after.map(|after| (current.standing.tree, after)).into_iter().collect();
        let id = |id: &GitId| Oid::from_hex(id.as_str());
        for record in Registry::of(self.repository).records()?.story(&current.turn.story)? {
            let turn = record.turn.filter(|turn| !turn.restored && record.backlog == self.ground.backlog);
            if let Some((before, after)) = turn.as_ref().and_then(|turn| turn.before.as_ref().zip(turn.after.as_ref()))
            {
                trees.push((id(before)?, id(after)?));
            }
        }
        let mut paths = BTreeMap::new();
        for (before, after) in trees {
            // A tree that is not here any more says nothing.
            for change in self.repository.tree_changes(before, after).unwrap_or_default() {
                if !self.is_ours(&change.path) && !paths.contains_key(&change.path) {
                    let there = self.repository.lookup(now, &change.path)?.filter(|found| found.mode != Mode::Tree);
                    paths.insert(change.path, there.map(|found| (found.mode, found.id)));
                }
            }
        }
        Ok(paths)
    }

    fn message(&self, story: &StoryId) -> String {
        let title = self.backlog.page(story).map(|page| page.read.title.trim().to_owned()).unwrap_or_default();
        let title = self.redactor.text(&title.replace(char::is_control, " "));
        let subject = if title.is_empty() { story.to_string() } else { format!("{story}: {title}") };
        // What reorders or hides text is written out: a log is read by people.
        harmless(&format!("{subject}\n\nRapid-Story: {story}\n"))
    }
}
