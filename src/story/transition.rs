//! The moves of a run, taken from its facts: what reports and plans list.

use super::fact::{Fact, Outcome};
use super::id::StoryId;
use super::status::Status;
use super::workflow::Actor;
use crate::domain::json::Value;

/// A move along the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The story.
    pub story: StoryId,
    /// From where.
    pub from: Status,
    /// To where.
    pub to: Status,
    /// By whom.
    pub by: Actor,
    /// The row of the table.
    pub row: u8,
    /// For a story that is unblocked: whose completion did it.
    pub unblocked_by: Option<StoryId>,
}

/// The moves of a run, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transitions {
    list: Vec<Transition>,
    done: Option<StoryId>,
}

impl Transitions {
    /// Takes in a fact; one that is no move changes nothing.
    pub fn note(&mut self, fact: &Fact) {
        let transition = match fact {
            Fact::Moved { story, from, to, row, .. } => {
                let unblocked_by = if *row == 13 { self.done.clone() } else { None };
                let by = Actor::Orchestrator;
                Transition { story: story.clone(), from: *from, to: *to, by, row: *row, unblocked_by }
            }
            Fact::TurnEnded { story, task, outcome: Outcome::Progress { to, row }, .. } => {
                if *to == Status::Done {
                    self.done = Some(story.clone());
                }
                let by = Actor::Agent(task.role());
                Transition { story: story.clone(), from: task.status(), to: *to, by, row: *row, unblocked_by: None }
            }
            _ => return,
        };
        self.list.push(transition);
    }

    /// Every move.
    pub fn all(&self) -> &[Transition] {
        &self.list
    }
}

impl Transition {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        let by = match self.by {
            Actor::Agent(role) => role.as_str(),
            Actor::Orchestrator => "orchestrator",
        };
        Value::object([
            ("story", self.story.as_str().into()),
            ("from", self.from.into()),
            ("to", self.to.into()),
            ("by", by.into()),
            ("row", u32::from(self.row).into()),
        ])
        .with_some("unblocked_by", self.unblocked_by.as_ref().map(StoryId::as_str))
    }
}
