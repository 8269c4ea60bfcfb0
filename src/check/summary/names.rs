//! The tests of an output by name, where its runner prints every test unambiguously.
//!
//! A list is given only when it accounts for the counted summary to the last test: as many passed, failed and skipped. So a
//! line that a test printed, or one that was torn, costs the list, never a test in it. Runners without such lines have no
//! list; their tests are compared by number.

mod go;
mod jest;
mod libtest;
mod nextest;
mod pytest;
mod tap;

use super::{Counts, Input, Runner, Summary, normalise};
use crate::domain::test_list::{TestList, TestOutcome};

/// The tests that `summary` counted in this output, by name; `None` where names are not known for certain.
pub fn named(input: &Input<'_>, summary: &Summary) -> Option<TestList> {
    if !summary.counted || input.truncated {
        return None;
    }
    let read = match summary.runner? {
        Runner::CargoTest => libtest::read,
        Runner::GoTest => go::read,
        Runner::Jest => jest::read,
        Runner::Nextest => nextest::read,
        Runner::Pytest => pytest::read,
        Runner::NodeTap | Runner::Tap => tap::read,
        _ => return None,
    };
    let clean = normalise::clean(input.output);
    let list = read(&normalise::lines(&clean))?;
    let counts = Counts {
        passed: list.count(TestOutcome::Passed),
        failed: list.count(TestOutcome::Failed),
        skipped: list.count(TestOutcome::Skipped),
    };
    (counts == summary.counts).then_some(list)
}

#[cfg(test)]
mod tests;
