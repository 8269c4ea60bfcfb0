//! What a run is told before it begins: its limits, and what each story's file says.

use super::id::StoryId;
use super::status::Status;
use super::workflow::Hook;
use std::collections::BTreeSet;

/// Where a story goes when nothing blocks it any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unblock {
    /// Where it was before; Ready where that is not known.
    #[default]
    Remembered,
    /// Always Ready, as the table's row 13 says literally.
    Seed,
}

/// The limits and rules of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most turns; 0 is six per story, at least ten.
    pub max_iterations: u32,
    /// Strikes of a story in one state before it is given up.
    pub max_retries_per_step: u32,
    /// Moves backwards before a story is given up.
    pub max_reject_cycles: u32,
    /// Seconds that the run may take; 0 is no limit.
    pub max_wall_time_seconds: u64,
    /// Seconds that an agent may take.
    pub agent_timeout_seconds: u64,
    /// The first wait before a failed program is started again; it doubles.
    pub retry_delay_base_seconds: u64,
    /// How often the product owner may break a circle at the same story; 0 asks never.
    pub max_cycle_breaks: u32,
    /// Whether an agent is told what its last turn said.
    pub inject_feedback_on_retry: bool,
    /// Where unblocked stories go.
    pub unblock: Unblock,
    /// The hooks that are configured.
    pub hooks: BTreeSet<Hook>,
    /// How many turns may run at the same time.
    pub jobs: u32,
    /// One turn only.
    pub once: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            max_iterations: 0,
            max_retries_per_step: 5,
            max_reject_cycles: 3,
            max_wall_time_seconds: 28_800,
            agent_timeout_seconds: 1_800,
            retry_delay_base_seconds: 10,
            max_cycle_breaks: 3,
            inject_feedback_on_retry: true,
            unblock: Unblock::Remembered,
            hooks: BTreeSet::new(),
            jobs: 1,
            once: false,
        }
    }
}

impl Settings {
    /// The most turns of a run over so many stories.
    pub fn allowance(&self, stories: usize) -> u32 {
        match self.max_iterations {
            0 => u32::try_from(stories).unwrap_or(u32::MAX).saturating_mul(6).max(10),
            given => given,
        }
    }

    /// Strikes in one state before a story is given up; at least one.
    pub fn strikes(&self) -> u32 {
        self.max_retries_per_step.max(1)
    }

    /// Moves backwards before a story is given up; at least one.
    pub fn rejects(&self) -> u32 {
        self.max_reject_cycles.max(1)
    }

    /// The most turns that one story can take, whatever its agents do: the law that the property tests hold the engine to.
    ///
    /// A visit to a state ends with its strikes at the latest, and between two strikes there is at most one repair of
    /// tests. A way forward has five states, and each move backwards (a review's or a rollback) begins at most one more.
    pub fn most_turns_per_story(&self) -> u64 {
        let visit = u64::from(self.strikes()) + u64::from(self.rejects()) + 1;
        let ways = 1 + 2 * u64::from(self.rejects());
        let circles = u64::from(self.max_cycle_breaks) + u64::from(self.strikes());
        5_u64.saturating_mul(ways).saturating_mul(visit).saturating_add(circles)
    }
}

/// What a story's file says, as far as the engine needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryInput {
    /// The id.
    pub id: StoryId,
    /// The file, relative to the project.
    pub file: String,
    /// The state; `None` when the file cannot be read.
    pub status: Option<Status>,
    /// The epic.
    pub epic: Option<String>,
    /// The names of the stories that block it.
    pub dependencies: Vec<String>,
}
