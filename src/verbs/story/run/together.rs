//! Turns at the same time, as far as the working copy is concerned: laid out, brought home when they count, and done again
//! where somebody was at the same files.

use super::apart::{Apart, Noted};
use super::crew::Over;
use super::perform::{Current, Performer};
use super::standing::Standing;
use crate::diagnostics::Result;
use crate::git::Keep;
use crate::os::fault;
use crate::story::{Effect, Exit, Fact, Turn};
use crate::verbs::work;

impl Performer<'_> {
    /// Takes in what a turn beside others reports.
    pub(super) fn heard(&mut self, current: Current, over: Over) -> Result<()> {
        match over {
            Over::Agent(answer) => self.answered(current, answer?),
            Over::Hook(over) => self.hooked(current, over?),
        }
    }

    /// Brings the turn home that these effects end, unless they undo it.
    pub(super) fn come_home(&mut self, effects: &[Effect]) -> Result<()> {
        let number = self.current.as_ref().filter(|current| current.apart.is_some()).map(|current| current.turn.number);
        if let Some(number) = number {
            let ends =
                |effect: &Effect| matches!(effect, Effect::Record(Fact::TurnEnded { turn, .. }) if *turn == number);
            let undone = |effect: &Effect| matches!(effect, Effect::Restore { turn, .. } if *turn == number);
            if effects.iter().any(ends) && !effects.iter().any(undone) {
                self.bring_home()?;
            }
        }
        Ok(())
    }

    /// A turn that worked apart counts: its changes come home. A crash in between is one of a turn at home.
    fn bring_home(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        if let Some(apart) = &current.apart {
            let standing = self.keeper.take(self.repository, &self.config, &self.story_paths())?;
            self.note_flight(&current, &standing)?;
            fault::point("story-coming-home");
            let left = apart.bring_home()?;
            fault::point("story-came-home");
            current.notes.extend(left.into_iter().map(|path| format!("not brought home: {path}")));
            self.backlog.refresh()?;
        }
        self.current = Some(current);
        Ok(())
    }

    /// A turn apart whose files were changed at home meanwhile is undone and charged to nobody.
    pub(super) fn unless_in_conflict(&mut self, current: &mut Current, exit: Exit) -> Result<Exit> {
        let Some(apart) = current.apart.as_ref().filter(|_| exit == Exit::Code(0)) else { return Ok(exit) };
        let now = work::snapshot(self.repository, &self.config, Keep::Objects)?.tree;
        self.backlog.refresh()?;
        let story = &current.turn.story;
        let was = current.touched.get(story).and_then(Option::as_ref).or_else(|| apart.backlog.page(story));
        let moved = was.map(|page| &page.bytes) != self.backlog.page(story).map(|page| &page.bytes);
        let clash = if moved { Some(story.to_string()) } else { apart.conflict(now)? };
        match clash {
            None => Ok(exit),
            Some(path) => {
                current.notes.push(format!("undone: {path} was changed in the working copy meanwhile"));
                self.log.line(&format!("turn {}: {path} was changed meanwhile; it is done again", current.turn.number));
                Ok(Exit::Ended)
            }
        }
    }

    /// Lays out the worktree of a turn beside others.
    pub(super) fn lay_out(
        &self,
        turn: &Turn,
        provider: &str,
        model: Option<&str>,
        mark: &str,
        standing: &Standing,
    ) -> Result<Apart> {
        let noted = Noted {
            number: turn.number,
            story: &turn.story,
            task: turn.task,
            attempt: turn.attempt,
            provider,
            model,
            mark,
            backlog: self.journal.backlog(),
        };
        Apart::new(self.repository, self.request, &self.ground.prefix, &self.config, standing, &noted)
    }
}
