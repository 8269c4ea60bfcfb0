//! What a start finds of one that ended: children that nobody waits for, a branch that is behind, worktrees that are over.

use super::{Driver, end};
use crate::diagnostics::Result;
use crate::mission::{Child, ChildId, Dispatcher, MissionStatus};
use crate::os::clock;
use crate::verbs::mission::{child, ground, journal, sweep};

impl Driver<'_> {
    /// What a start after `kill -9` finds: children of ours that nobody waits for any more are ended and recorded, and the branch
    /// and the worktrees are brought to where the events say they are.
    pub fn settle(&mut self) -> Result<()> {
        let left: Vec<ChildId> = self
            .mission()
            .active_children()
            .filter(|(_, child)| child.dispatcher == Dispatcher::Provider || self.is_lost(child))
            .map(|(id, _)| id.clone())
            .collect();
        for id in left {
            child::end(self.site, &id);
            self.say(&format!("{id} was interrupted"));
            self.record(&end::cut_off(id))?;
        }
        if !self.mission().status().is_terminal() {
            self.makers_without_place()?;
        }
        // Whoever removes the branch of a mission that is over has removed it.
        if self.mission().status() != MissionStatus::Planned && !self.mission().status().is_terminal() {
            ground::bring_branch(self.site, self.mission(), self.journal.events())?;
        }
        self.sweep()
    }

    /// An agent outside whose worktree was removed under it has nothing to hand in: that attempt failed.
    fn makers_without_place(&mut self) -> Result<()> {
        let at_work: Vec<(ChildId, Child)> =
            self.mission().active_children().map(|(id, child)| (id.clone(), child.clone())).collect();
        for (id, child) in at_work {
            if child::is_without_place(self.site, &child)? {
                self.record_end(id, child::without_place(&child))?;
            }
        }
        Ok(())
    }

    /// Removes what is left of work that is over, and names what is kept.
    pub(super) fn sweep(&mut self) -> Result<()> {
        for place in sweep::sweep(self.site, self.mission())? {
            if self.kept.insert(place.clone()) {
                self.say(&journal::kept(&place));
            }
        }
        Ok(())
    }

    /// An outside agent that was given its time.
    fn is_lost(&self, child: &Child) -> bool {
        let usual = child.since.saturating_add(i64::from(self.mission().limits().runtime()));
        clock::now_seconds() > child.deadline.unwrap_or(usual)
    }
}
