//! The assertion on the run's life cycle: only a finished run can pass, and one that was given up fails.

use super::{assertion::Finding, case::Case};
use crate::domain::{
    ids::AssertionId,
    lifecycle::RunStatus,
    report::{Assertion, Category, Status},
};

/// `run.lifecycle`.
pub(super) fn assertion(case: &Case<'_>) -> Assertion {
    let (status, reason) = match case.state.status {
        RunStatus::Finished => (Status::Pass, "the run is finished".to_owned()),
        given_up @ (RunStatus::Failed | RunStatus::Cancelled) => (Status::Fail, format!("the run is {given_up}")),
        open @ (RunStatus::Prepared | RunStatus::Active | RunStatus::Blocked) => {
            (Status::Unverified, format!("the run is {open}, not finished"))
        }
    };
    Finding::new(status, reason, &[]).about(AssertionId::lifecycle(), Category::Lifecycle, &case.contract.run_id, true)
}
