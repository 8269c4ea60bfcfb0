//! An agent that is not ours: `mission next` gives it a contract, `mission result` takes its answer. The decisions are the same.

use super::child;
use super::contract::{Prepared, prepare};
use super::drive::Driver;
use super::{Site, meant};
use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Value};
use crate::mission::{Answer, ChildId, ChildResult, Dispatcher, Event, Mission, MissionId, Stop};
use crate::os::process;
use crate::verbs::story::run::lock::Lock;
use std::time::Duration;

/// How long somebody who only hands something over waits for another who does.
const PATIENCE: u32 = 600;
const TICK: Duration = Duration::from_millis(50);

/// What an outside agent is told.
pub enum Next {
    /// The contract of a child, and when its answer has to be there, in seconds since 1970.
    Child(ChildId, Value, Option<i64>),
    /// Nothing, and why.
    Stopped(Stop),
}

/// What came of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is counted; the event that it made.
    Counted(Box<Event>),
    /// The child was over already: nothing changed.
    Already,
    /// What it worked on is over: nothing changed.
    Late,
}

/// The contract of the child that waits for its agent, or of the next one; of one more where `another` is asked for.
pub fn next(
    site: &Site,
    named: Option<&MissionId>,
    another: bool,
    live: &mut dyn FnMut(&str),
) -> Result<(Mission, Next)> {
    let _lock = patient(site)?;
    let mut driver = Driver::open(site, named, live)?;
    driver.settle()?;
    if driver.mission().status().is_terminal() {
        return Ok((driver.mission().clone(), Next::Stopped(driver.stop())));
    }
    let waiting = |mission: &Mission| {
        let mut open = mission.active_children().filter(|(_, child)| child.dispatcher == Dispatcher::External);
        open.next().map(|(id, _)| id.clone())
    };
    let mut begun = waiting(driver.mission()).filter(|_| !another);
    while begun.is_none() {
        match driver.outside_step()? {
            Some(child) => begun = child,
            None => break,
        }
    }
    let mission = driver.mission().clone();
    let Some(id) = begun.or_else(|| waiting(&mission).filter(|_| !another)) else {
        return Ok((mission, Next::Stopped(driver.stop())));
    };
    let started = mission.child(&id).ok_or_else(|| Code::Rapid1920.because(format!("there is no child '{id}'")))?;
    let deadline = started.deadline;
    let Prepared { contract, .. } = prepare(site, &mission, &id, started)?;
    Ok((mission, Next::Child(id, contract, deadline)))
}

/// Takes the answer of a child (RAPID1920 for one that never began, RAPID1923 for an answer that cannot be read: then nothing is
/// counted).
pub fn result(
    site: &Site,
    named: Option<&MissionId>,
    id: &ChildId,
    bytes: &[u8],
    live: &mut dyn FnMut(&str),
) -> Result<(Mission, Taken)> {
    let _lock = patient(site)?;
    let named = match named {
        Some(named) => named.clone(),
        None => mission_of(site, id)?,
    };
    let mut driver = Driver::open(site, Some(&named), live)?;
    let mission = driver.mission().clone();
    let Some(started) = mission.child(id).cloned() else {
        return Err(Code::Rapid1920
            .because(format!("mission '{named}' never started a child '{id}'"))
            .hint("ask for one with 'git rapid mission next --json'"));
    };
    match started.result {
        Some(ChildResult::Interrupted) => return Ok((mission, Taken::Late)),
        Some(_) => return Ok((mission, Taken::Already)),
        None if mission.status().is_terminal() => return Ok((mission, Taken::Late)),
        None => {}
    }
    if started.dispatcher != Dispatcher::External {
        return Err(Code::Rapid1920
            .because(format!("the child '{id}' is one that git-rapid started itself"))
            .hint("its answer is read from what its program prints"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Code::Rapid1923.because("the answer is not UTF-8"))?;
    let value =
        json::parse_text(text).map_err(|fault| Code::Rapid1923.because(format!("the answer is not JSON: {fault}")))?;
    let answer = Answer::read(started.role, value)?;
    let ended = child::seen(site, &mission, &started, Ok(answer), id, Vec::new())?;
    driver.record_end(id.clone(), ended)?;
    let event = driver.journal.events().last().cloned();
    let mission = driver.mission().clone();
    event
        .map(|event| (mission, Taken::Counted(Box::new(event))))
        .ok_or_else(|| Code::Rapid003.because("nothing happened"))
}

/// The mission that a child is of.
fn mission_of(site: &Site, id: &ChildId) -> Result<MissionId> {
    let records = site.rapid.registry().existing_records()?;
    for mission in records.mission_ids()? {
        if records.mission(&mission)?.mission.child(id).is_some() {
            return Ok(mission);
        }
    }
    match meant(&records, None) {
        Ok(mission) => Ok(mission),
        Err(_) => Err(Code::Rapid1920.because(format!("no mission ever started a child '{id}'"))),
    }
}

fn patient(site: &Site) -> Result<Lock> {
    let mut tries = 0;
    loop {
        match site.lock() {
            Err(error) if error.code == Code::Rapid1912 && tries < PATIENCE && process::pause(TICK) => tries += 1,
            taken => return taken,
        }
    }
}
