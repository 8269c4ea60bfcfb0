//! Stories: a backlog of Markdown files that agents in roles work to Done.
//!
//! Pure: texts, events and times in, findings and effects out. Who reads the files, starts the agents, runs the hooks and
//! writes the ledger is the caller; the dry run and the tests drive the same engine with agents that are not there.

mod finding;
mod id;
mod status;
mod workflow;

pub mod file;

mod deadlock;
mod filter;
mod graph;
mod scheduler;

mod fact;
mod judge;
mod machine;
mod record;
mod settings;
mod state;
mod transition;

pub mod checkpoint;
pub mod config;
pub mod dry_run;
pub mod estimate;
pub mod prompt;
pub mod report;
pub mod validate;

pub use deadlock::{Cause, Stuck, arrows};
pub use fact::{Fact, Outcome, StopReason, Told};
pub use filter::Filter;
pub use finding::{Finding, Kind, Severity};
pub use graph::Graph;
pub use id::StoryId;
pub use judge::{AgentReport, Exit, StoryAfter};
pub use machine::{Effect, Event, Machine, NothingToDo, Turn};
pub use record::{HookRecord, Kept as KeptFile, StoryRecord, TurnRecord};
pub use settings::{Settings, StoryInput, Unblock};
pub use state::{Memory, State};
pub use status::{Role, Status};
pub use transition::{Transition, Transitions};
pub use workflow::{Actor, Hook, Row, TABLE, Task, Way, rank, row, rows, targets};

#[cfg(test)]
mod tests;
