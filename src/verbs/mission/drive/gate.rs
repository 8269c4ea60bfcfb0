//! `mission complete`: the completion gate, and what it lacks.

use super::{Driver, Outcome};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::mission::{Mission, MissionId, MissionStatus, PackageStatus, Stop, requests, stop_reason};
use crate::os::signals;
use crate::verbs::mission::{Site, child};

/// Brings a mission whose packages are all done to its end: the final test, the final review, and the completion gate (RAPID1930
/// where it lacks something).
pub fn complete(site: &Site, named: Option<&MissionId>, live: &mut dyn FnMut(&str)) -> Result<Outcome> {
    let _lock = site.lock()?;
    signals::watch()?;
    let mut driver = Driver::open(site, named, live)?;
    driver.settle()?;
    if driver.mission().all_done() && !driver.mission().status().is_terminal() {
        if !driver.mission().final_is_passed() {
            child::require_providers(site)?;
        }
        let done = driver.run()?;
        if done.stop == Stop::MissionCompleted {
            return Ok(done);
        }
        return Err(lacking(&done.mission));
    }
    match stop_reason(driver.mission(), false) {
        Stop::MissionCompleted => Ok(driver.outcome(Stop::MissionCompleted)),
        _ => Err(lacking(driver.mission())),
    }
}

/// What the completion gate lacks.
fn lacking(mission: &Mission) -> Diagnostic {
    let mut error = Code::Rapid1930.because(format!("mission '{}' is {}, not done", mission.id(), mission.status()));
    let open = mission.in_order().filter(|package| package.status() != PackageStatus::Done);
    for package in open.take(20) {
        error = error.hint(format!("{} is {}", package.id(), package.status()));
    }
    if let Some(why) = mission.why() {
        error = error.hint(why);
    }
    for page in requests(mission).iter().take(20) {
        error = error.hint(format!("{}: {}", page.what, page.command()));
    }
    if mission.all_done() && mission.status() == MissionStatus::Active {
        let missing = [
            (!mission.final_is_green(), "the tests are not green on the mission's branch: git rapid mission run"),
            (!mission.final_is_passed(), "no fresh checker passed the whole: git rapid mission run"),
        ];
        for (_, what) in missing.iter().filter(|(is_missing, _)| *is_missing) {
            error = error.hint(*what);
        }
    }
    if mission.all_done() && matches!(mission.status(), MissionStatus::Blocked | MissionStatus::Escalated) {
        error =
            error.hint("a person lets a package be worked again: git rapid mission approve WP --reopen --reason '…'");
    }
    error
}
