//! Missions: a goal cut into work packages, taken to its end by bounded steps. The part that decides.
//!
//! Pure: a plan and the events so far in, the next steps out. In reading order: `id`, `plan` (what is asked, and every fault of
//! it at once), `risk` (what needs a person), `table` (which move is legal), `limits` (what ends everything), `event` (what can
//! happen), `state` (the events folded), `scheduler` (what is next), `contract` and `answer` (what a child gets and gives),
//! `record` (events as the ledger keeps them), `request` (what a person is asked), `landing` (how they take in what is done).
//!
//! Not here: starting anything, and any repository (`verbs::mission`).

mod answer;
mod contract;
mod event;
mod id;
mod landing;
mod limits;
mod plan;
mod record;
mod request;
mod risk;
mod scheduler;
mod state;
mod table;

pub use answer::{Answer, Finding, MakerAnswer, Verdict, in_output};
pub use contract::{CheckerView, MakerView, PlannerView, checker_contract, maker_contract, planner_contract, prompt};
pub use event::{ChildResult, Dispatcher, Event, Role, Setback, Subject};
pub use id::{ChildId, MissionId, PackageId};
pub use landing::landing;
pub use limits::{Budget, Limits, MissionConfig, most_steps};
pub use plan::{Plan, Problem, ProblemKind, Size, WorkPackage, read as read_plan};
pub use record::{EventRecord, PlanRecord};
pub use request::{ApprovalRequest, request, requests};
pub use risk::{Grounds, classify_risk, targets_of, touches};
pub use scheduler::{Ready, Step, Stop, ready, stop_reason};
pub use state::{Attempt, Child, Mission, Package, Repair, scope_allows, scopes_meet};
pub use table::{AttemptStatus, MissionStatus, PackageStatus};

#[cfg(test)]
mod tests;
