//! The table of the story's life: fourteen rows, read by the engine, the prompts, the tests and the documentation.
//!
//! The table is law: what no row allows does not happen, whoever asks.

use super::status::{Role, Status};
use Role::{Developer, ProductOwner, QaEngineer, Reviewer};
use Status::{Blocked, BusinessReview, Done, Draft, Failed, InProgress, InReview, Ready, TestsReady};

/// Who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// An agent in a role.
    Agent(Role),
    /// The orchestrator, without asking anybody.
    Orchestrator,
}

/// What a move means for the budgets of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Towards Done.
    Forward,
    /// Stays: the tests were repaired after a report.
    Repair,
    /// Backwards from a review.
    Reject,
    /// Backwards to the product owner: the story cannot be tested.
    Rollback,
    /// Made by the orchestrator.
    Automatic,
}

/// The command that has to pass before a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hook {
    /// `hooks.post_qa`
    PostQa,
    /// `hooks.post_dev`
    PostDev,
    /// `hooks.post_reviewer`
    PostReviewer,
}

impl Hook {
    /// The key in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Hook::PostQa => "post_qa",
            Hook::PostDev => "post_dev",
            Hook::PostReviewer => "post_reviewer",
        }
    }
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub number: u8,
    /// From where; `None` is any state that is not terminal.
    pub from: Option<Status>,
    /// To where. Row 13 leads back to where the story was; Ready is for a story of which that is not known.
    pub to: Status,
    /// By whom.
    pub by: Actor,
    /// What it means.
    pub way: Way,
    /// What must pass first. A move backwards is never held up by a hook.
    pub hook: Option<Hook>,
}

const fn agent(number: u8, from: Status, to: Status, role: Role, way: Way, hook: Option<Hook>) -> Row {
    Row { number, from: Some(from), to, by: Actor::Agent(role), way, hook }
}

const fn automatic(number: u8, from: Option<Status>, to: Status) -> Row {
    Row { number, from, to, by: Actor::Orchestrator, way: Way::Automatic, hook: None }
}

/// The fourteen rows.
pub const TABLE: &[Row] = &[
    agent(1, Draft, Ready, ProductOwner, Way::Forward, None),
    agent(2, Ready, TestsReady, QaEngineer, Way::Forward, Some(Hook::PostQa)),
    agent(3, Ready, Draft, QaEngineer, Way::Rollback, None),
    agent(4, TestsReady, InReview, Developer, Way::Forward, Some(Hook::PostDev)),
    agent(5, TestsReady, TestsReady, QaEngineer, Way::Repair, Some(Hook::PostQa)),
    agent(6, InProgress, InReview, Developer, Way::Forward, Some(Hook::PostDev)),
    agent(7, InReview, BusinessReview, Reviewer, Way::Forward, Some(Hook::PostReviewer)),
    agent(8, InReview, InProgress, Reviewer, Way::Reject, None),
    agent(9, BusinessReview, Done, ProductOwner, Way::Forward, None),
    agent(10, BusinessReview, InReview, ProductOwner, Way::Reject, None),
    agent(11, BusinessReview, InProgress, ProductOwner, Way::Reject, None),
    automatic(12, None, Blocked),
    automatic(13, Some(Blocked), Ready),
    automatic(14, None, Failed),
];

/// What the agent of a turn is asked to do; one prompt each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// Draft: make it ready.
    Refine,
    /// Ready: write tests, or say that it cannot be tested.
    WriteTests,
    /// Tests Ready, after a developer's report: repair the tests.
    RepairTests,
    /// Tests Ready: write the code.
    Implement,
    /// In Progress: repair what was rejected.
    Fix,
    /// In Review: review.
    Review,
    /// Business Review: validate.
    Validate,
    /// Blocked in a circle of dependencies: break it.
    BreakCycle,
}

impl Task {
    /// Every task, in the order of a story's life.
    pub const ALL: [Task; 8] = [
        Task::Refine,
        Task::WriteTests,
        Task::RepairTests,
        Task::Implement,
        Task::Fix,
        Task::Review,
        Task::Validate,
        Task::BreakCycle,
    ];

    /// What a story in this state needs; `repair` says that the tests have to be repaired first.
    pub fn of(status: Status, repair: bool) -> Option<Task> {
        Some(match status {
            Draft => Task::Refine,
            Ready => Task::WriteTests,
            TestsReady if repair => Task::RepairTests,
            TestsReady => Task::Implement,
            InProgress => Task::Fix,
            InReview => Task::Review,
            BusinessReview => Task::Validate,
            Done | Blocked | Failed => return None,
        })
    }

    /// Who does it.
    pub fn role(self) -> Role {
        match self {
            Task::Refine | Task::Validate | Task::BreakCycle => ProductOwner,
            Task::WriteTests | Task::RepairTests => QaEngineer,
            Task::Implement | Task::Fix => Developer,
            Task::Review => Reviewer,
        }
    }

    /// The state in which it is done.
    pub fn status(self) -> Status {
        match self {
            Task::Refine => Draft,
            Task::WriteTests => Ready,
            Task::RepairTests | Task::Implement => TestsReady,
            Task::Fix => InProgress,
            Task::Review => InReview,
            Task::Validate => BusinessReview,
            Task::BreakCycle => Blocked,
        }
    }

    /// The name of its prompt.
    pub fn as_str(self) -> &'static str {
        match self {
            Task::Refine => "product_owner-refine",
            Task::WriteTests => "qa_engineer-tests",
            Task::RepairTests => "qa_engineer-repair",
            Task::Implement => "developer-implement",
            Task::Fix => "developer-fix",
            Task::Review => "reviewer-review",
            Task::Validate => "product_owner-validate",
            Task::BreakCycle => "product_owner-cycle",
        }
    }

    /// The task with that name.
    pub fn parse(text: &str) -> Option<Task> {
        Task::ALL.into_iter().find(|task| task.as_str() == text)
    }
}

/// The rows that an agent in a role may take from a state, those forward first.
pub fn rows(from: Status, role: Role) -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(move |row| row.from == Some(from) && row.by == Actor::Agent(role))
}

/// Every state in which an agent in a role may leave a story.
pub fn targets(from: Status, role: Role) -> impl Iterator<Item = Status> {
    rows(from, role).map(|row| row.to)
}

/// The row of a move, if there is one.
pub fn row(from: Status, to: Status, role: Role) -> Option<&'static Row> {
    rows(from, role).find(|row| row.to == to)
}

/// How near a state is to Done: the nearer one is worked first. A draft waits for everything else.
pub fn rank(status: Status) -> u8 {
    match status {
        BusinessReview => 6,
        InReview => 5,
        InProgress => 4,
        TestsReady => 3,
        Ready => 2,
        Draft => 1,
        Done | Blocked | Failed => 0,
    }
}
