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
        if self.mission().status() != MissionStatus::Planned {
            ground::bring_branch(self.site, self.mission(), self.journal.events())?;
        }
        self.sweep()
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
