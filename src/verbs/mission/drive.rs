//! `mission step` and `mission run`: the next steps are asked for, taken, and recorded, until nothing more may be started.
//!
//! Every change is an event first; its effect (a worktree, a program, the branch) comes after and can be had again. Children and
//! tests of different packages work at the same time, each in a thread; events are written by this one alone.

mod begin;
mod end;
mod gate;
mod settle;

pub use gate::complete;

use super::child::{self, Ended};
use super::journal::Journal;
use super::{Site, meant, tests};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::ids::RunId;
use crate::mission::{
    Budget, Child, ChildId, Dispatcher, Event, Mission, MissionId, PackageId, Step, Stop, ready, stop_reason,
};
use crate::os::clock::Stopwatch;
use crate::os::signals;
use crate::safety::Circuit;
use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// The event that it ended with; `None`: there was no step to take.
    pub event: Option<Event>,
    /// Its package.
    pub package: Option<PackageId>,
    /// Why nothing more can be started, when that is so.
    pub stop: Option<Stop>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// The mission at the end.
    pub mission: Mission,
    /// Why.
    pub stop: Stop,
    /// In words, where there is more to say.
    pub why: Option<String>,
    /// How many steps it took.
    pub steps: u32,
}

/// What goes on beside this thread.
enum Job {
    Child(ChildId, Child),
    Tests(Option<PackageId>, u32, RunId),
}

/// What came of it.
enum Done {
    Child(ChildId, Result<Ended>),
    Tests(Option<PackageId>, u32, RunId, Result<tests::Tested>),
}

/// A mission being driven.
pub(super) struct Driver<'a> {
    pub site: &'a Site,
    pub journal: Journal<'a>,
    pub budget: Budget,
    watch: Stopwatch,
    live: &'a mut dyn FnMut(&str),
    /// The packages, and the end, that something goes on about.
    busy: BTreeSet<Option<PackageId>>,
    halted: Option<String>,
    over_budget: bool,
    /// Worktrees that were kept, and said to be.
    kept: BTreeSet<String>,
}

/// Runs a mission until it ends or has to stop.
pub fn run(site: &Site, named: Option<&MissionId>, live: &mut dyn FnMut(&str)) -> Result<Outcome> {
    child::require_providers(site)?;
    let _lock = site.lock()?;
    signals::watch()?;
    let mut driver = Driver::open(site, named, live)?;
    driver.settle()?;
    driver.run()
}

/// Takes exactly one step.
pub fn step(site: &Site, named: Option<&MissionId>, live: &mut dyn FnMut(&str)) -> Result<Stepped> {
    child::require_providers(site)?;
    let _lock = site.lock()?;
    signals::watch()?;
    let mut driver = Driver::open(site, named, live)?;
    driver.settle()?;
    driver.step()
}

impl<'a> Driver<'a> {
    /// Opens the mission that is meant.
    pub fn open(site: &'a Site, named: Option<&MissionId>, live: &'a mut dyn FnMut(&str)) -> Result<Driver<'a>> {
        let id = meant(&site.rapid.registry().existing_records()?, named)?;
        let journal = Journal::open(site.rapid.registry(), &id)?;
        let limits = journal.mission().limits().lowered(site.missions.limits);
        Ok(Driver {
            site,
            journal,
            budget: Budget::of(limits),
            watch: Stopwatch::start(),
            live,
            busy: BTreeSet::new(),
            halted: None,
            over_budget: false,
            kept: BTreeSet::new(),
        })
    }

    /// The mission as it stands.
    pub fn mission(&self) -> &Mission {
        self.journal.mission()
    }

    fn outcome(&self, stop: Stop) -> Outcome {
        let outside = || {
            let mut open = self.mission().active_children().filter(|(_, one)| one.dispatcher == Dispatcher::External);
            let (id, _) = open.next().filter(|_| stop == Stop::NoRunnableWp)?;
            Some(format!("an agent outside works on {id}, whose answer is waited for"))
        };
        let why = self.halted.clone().or_else(|| self.mission().why().map(str::to_owned)).or_else(outside);
        Outcome { mission: self.mission().clone(), stop, why, steps: self.budget.steps() }
    }

    fn run(&mut self) -> Result<Outcome> {
        let (tell, hear) = channel();
        std::thread::scope(|scope| {
            let ended = self.go(&hear, &|job, site, mission, left| {
                let tell = tell.clone();
                scope.spawn(move || drop(tell.send(done(&site, &mission, job, left))));
            });
            if ended.is_err() {
                // Whoever is still at work is not waited for.
                let left: Vec<ChildId> = self.mission().active_children().map(|(id, _)| id.clone()).collect();
                for id in left {
                    child::end(self.site, &id);
                }
            }
            ended
        })
    }

    fn go(&mut self, hear: &Receiver<Done>, spawn: &dyn Fn(Job, Site, Mission, Duration)) -> Result<Outcome> {
        loop {
            self.budget.elapsed(self.watch.elapsed().as_secs());
            if self.may_start() {
                let ready = ready(self.mission(), &self.budget);
                self.over_budget = ready.over_budget;
                let mut is_changed = false;
                for step in ready.steps {
                    if self.busy.contains(&about(&step)) || !self.may_start() {
                        continue;
                    }
                    match self.begin(&step, Dispatcher::Provider)? {
                        Some(job) => {
                            self.busy.insert(about(&step));
                            spawn(job, self.site.again(), self.mission().clone(), self.left());
                        }
                        None => {
                            is_changed = true;
                            break;
                        }
                    }
                }
                if is_changed {
                    continue;
                }
            }
            if self.busy.is_empty() {
                return self.stopped().map(|stop| self.outcome(stop));
            }
            let done = hear.recv().map_err(|_| Code::Rapid003.because("nobody says how a step ended"))?;
            self.end(done)?;
        }
    }

    fn may_start(&self) -> bool {
        self.halted.is_none()
            && signals::interrupted().is_none()
            && !self.budget.is_used_up()
            && *self.mission().circuit() == Circuit::Closed
    }

    fn stopped(&self) -> Result<Stop> {
        if signals::interrupted().is_some() {
            return Err(Code::Rapid004
                .because("the mission was interrupted: its children are ended and recorded")
                .hint("go on with 'git rapid mission run'"));
        }
        let over = self.over_budget || self.budget.is_used_up();
        Ok(match &self.halted {
            Some(_) => Stop::Error,
            None => stop_reason(self.mission(), over),
        })
    }

    fn left(&self) -> Duration {
        Duration::from_secs(self.budget.seconds_left().max(1))
    }

    /// One step, and what it does, in this thread.
    pub fn step(&mut self) -> Result<Stepped> {
        let found = ready(self.mission(), &self.budget);
        self.over_budget = found.over_budget;
        let Some(step) = found.steps.first() else {
            let stop = Some(stop_reason(self.mission(), self.over_budget));
            return Ok(Stepped { event: None, package: None, stop });
        };
        if let Some(job) = self.begin(step, Dispatcher::Provider)? {
            let done = done(self.site, &self.mission().clone(), job, self.left());
            self.end(done)?;
        }
        if let Some(why) = &self.halted {
            (self.live)(why);
        }
        let more = ready(self.mission(), &self.budget);
        let stop = match (&self.halted, more.steps.is_empty()) {
            (Some(_), _) => Some(Stop::Error),
            (None, true) => Some(stop_reason(self.mission(), more.over_budget)),
            (None, false) => None,
        };
        Ok(Stepped { event: self.journal.events().last().cloned(), package: about(step), stop })
    }

    fn record(&mut self, event: &Event) -> Result<()> {
        self.journal.append(event)?;
        let decided = event.setback().map(|setback| {
            let first = setback.text.lines().next().unwrap_or_default();
            format!(": {first} → {} ({})", setback.action, setback.reason)
        });
        self.say(&format!("{}{}", super::journal::said(event), decided.unwrap_or_default()));
        if let Event::Tested { fewer: Some(fewer), package: Some(package), .. } = event {
            self.say(&format!("{fewer}: a person may allow that with 'git rapid mission approve {package}'"));
        }
        Ok(())
    }

    fn say(&mut self, text: &str) {
        let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        (self.live)(&plain);
    }

    /// One step for an outside agent: what is done at once is done, and a child that begins is given back.
    pub fn outside_step(&mut self) -> Result<Option<Option<ChildId>>> {
        let found = ready(self.mission(), &self.budget);
        self.over_budget = found.over_budget;
        let Some(step) = found.steps.first() else { return Ok(None) };
        match self.begin(step, Dispatcher::External)? {
            None => Ok(Some(None)),
            Some(Job::Child(id, _)) => Ok(Some(Some(id))),
            Some(job) => {
                let done = done(self.site, &self.mission().clone(), job, self.left());
                self.end(done)?;
                match self.halted.take() {
                    Some(why) => Err(Code::Rapid1911.because(why)),
                    None => Ok(Some(None)),
                }
            }
        }
    }

    /// Why nothing more can be started.
    pub fn stop(&self) -> Stop {
        stop_reason(self.mission(), self.over_budget)
    }
}

fn done(site: &Site, mission: &Mission, job: Job, left: Duration) -> Done {
    match job {
        Job::Child(id, child) => {
            let ended = child::play(site, mission, &id, &child, left);
            Done::Child(id, ended)
        }
        Job::Tests(package, attempt, run) => {
            let tested = match &package {
                Some(id) => {
                    let package = mission.package(id).ok_or_else(|| unknown(id));
                    package.and_then(|package| tests::of_package(site, package, &run, left))
                }
                None => tests::of_the_whole(site, mission, &run, left),
            };
            Done::Tests(package, attempt, run, tested)
        }
    }
}

/// What a step is about; the end of the mission is `None`.
fn about(step: &Step) -> Option<PackageId> {
    match step {
        Step::Make(id) | Step::Test(id) | Step::Check(id) | Step::Take(id) => Some(id.clone()),
        Step::Activate | Step::FinalTest | Step::FinalCheck | Step::Complete | Step::Block => None,
    }
}

fn unknown(id: &PackageId) -> Diagnostic {
    Code::Rapid003.because(format!("{id} is not as it was said to be"))
}
