//! The life cycles of specs, runs, tasks and gates: one table each, the only place that knows which move is legal.
//!
//! Whoever moves something asks the table; so does whoever reads a history. Preconditions that look at more than the
//! thing itself (phases, other gates) are `run::RunState`'s.

mod gate;
mod run;
mod spec;
mod task;

pub use gate::Disposition;
pub use run::RunStatus;
pub use spec::SpecStatus;
pub use task::TaskStatus;

#[cfg(test)]
mod tests;
