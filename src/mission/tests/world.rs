//! A made-up world: plans, and a driver that answers for every child, test and person.

use crate::domain::git_id::GitId;
use crate::domain::ids::RunId;
use crate::domain::policy::Risk;
use crate::mission::*;
use crate::safety::{Circuit, Failure, FailureKind};

pub fn id(number: usize) -> PackageId {
    PackageId::parse(&format!("WP-{number:03}")).unwrap()
}

pub fn git_id(text: &str) -> GitId {
    GitId::parse(&sha1_smol::Sha1::from(text).hexdigest(), crate::diagnostics::Code::Rapid1902).unwrap()
}

pub fn package(number: usize, needs: &[usize]) -> WorkPackage {
    WorkPackage {
        id: id(number),
        title: format!("package {number}"),
        description: "what is to be done".to_owned(),
        size: Size::S,
        risk: Risk::Low,
        depends_on: needs.iter().map(|need| id(*need)).collect(),
        scope: vec![format!("src/p{number:04}/**")],
        targets: Vec::new(),
        tests: vec![vec!["true".to_owned()]],
        acceptance: vec!["it works".to_owned()],
        mode: crate::domain::mode::Mode::Feature,
    }
}

pub fn plan(packages: Vec<WorkPackage>) -> Plan {
    let order = packages.iter().map(|package| package.id.clone()).collect();
    Plan { objective: "an objective".to_owned(), packages, order }
}

pub fn record(plan: Plan) -> PlanRecord {
    let grounds = Grounds::default();
    let risks = plan
        .packages
        .iter()
        .map(|package| (package.id.clone(), (classify_risk(package, &grounds, Risk::Low), touches(package, &grounds))));
    PlanRecord { mission: MissionId::parse("m").unwrap(), risks: risks.collect(), plan, signers: None }
}

/// What a child, a test or a merge does when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Good,
    /// Good, with tests that are fewer than before; elsewhere than in a test, good.
    Fewer,
    /// Another failure each time.
    Bad,
    /// The same failure as ever.
    Same,
    Nothing,
    OutOfScope,
    Unreadable,
}

impl Act {
    fn is_good(self) -> bool {
        matches!(self, Act::Good | Act::Fewer)
    }
}

pub struct World {
    pub record: PlanRecord,
    pub events: Vec<Event>,
    pub mission: Mission,
    pub budget: Budget,
    pub steps: usize,
    number: usize,
}

impl World {
    pub fn new(plan: Plan) -> World {
        let record = record(plan);
        let base = (git_id("base"), git_id("base tree"));
        let events = vec![Event::Planned { plan: record.digest(), base, limits: Limits::HIGHEST }];
        let mission = Mission::fold(&record, &events).unwrap();
        let budget = Budget::of(mission.limits());
        World { record, events, mission, budget, steps: 0, number: 0 }
    }

    pub fn happen(&mut self, event: Event) {
        self.mission.apply(&event).unwrap_or_else(|why| panic!("{event:?}: {why}"));
        self.events.push(event);
    }

    pub fn refused(&self, event: &Event) -> String {
        self.mission.clone().apply(event).expect_err("it does not follow")
    }

    pub fn ready(&self) -> Ready {
        ready(&self.mission, &self.budget)
    }

    pub fn fresh(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    pub fn failure(&mut self, act: Act) -> Failure {
        let (kind, text) = match act {
            Act::Bad => (FailureKind::Check, format!("a failure named {}", spelled(self.fresh()))),
            Act::Nothing => (FailureKind::NoProgress, "nothing changed".to_owned()),
            Act::OutOfScope => (FailureKind::ScopeViolation, "elsewhere".to_owned()),
            Act::Unreadable => (FailureKind::Unreadable, "no answer".to_owned()),
            Act::Good | Act::Fewer | Act::Same => (FailureKind::Check, "the same".to_owned()),
        };
        Failure::new(kind, &text)
    }

    pub fn setback(&mut self, package: &PackageId, act: Act) -> Option<Setback> {
        let failure = (!act.is_good()).then(|| self.failure(act));
        failure.map(|failure| self.mission.setback(package, &failure, "why".to_owned()))
    }

    pub fn start(&mut self, package: Option<&PackageId>, role: Role) -> ChildId {
        let event = self.starting(package, role);
        let Event::ChildStarted { child, .. } = &event else { panic!("it is another") };
        let child = child.clone();
        self.happen(event);
        child
    }

    pub fn starting(&mut self, package: Option<&PackageId>, role: Role) -> Event {
        let child = ChildId::parse(&format!("c{}", self.fresh())).unwrap();
        let found = package.map(|id| self.mission.package(id).unwrap());
        let (attempt, from) = match (found, role) {
            (Some(found), Role::Checker) => (found.attempt(), found.work().unwrap().clone()),
            (Some(found), _) => (found.attempt() + 1, self.mission.tip().clone()),
            (None, _) => (self.mission.finals().0, self.mission.tip().clone()),
        };
        let run = RunId::parse(&format!("run-{}", self.fresh())).unwrap();
        let (package, dispatcher) = (package.cloned(), Dispatcher::Provider);
        Event::ChildStarted { child, role, package, attempt, run, dispatcher, from, at: 0, deadline: None }
    }

    /// Takes a step as a driver does, with this for an answer.
    pub fn take(&mut self, step: &Step, act: Act) {
        self.steps += 1;
        self.budget.spend(match step {
            Step::Make(id) => Some(id),
            _ => None,
        });
        let at = 0;
        match step {
            Step::Activate => self.happen(Event::Activated),
            Step::Make(id) => {
                let role = self.mission.package(id).unwrap().next_role();
                let child = self.start(Some(id), role);
                let number = self.fresh();
                let work = (git_id(&format!("commit {number}")), git_id(&format!("tree {number}")));
                let setback = self.setback(id, act);
                let result = if setback.is_some() { ChildResult::Failed } else { ChildResult::Answered };
                let (verdict, evidence) = (None, Vec::new());
                self.happen(Event::ChildEnded { child, result, verdict, work: Some(work), setback, evidence, at });
            }
            Step::Test(id) => {
                let package = self.mission.package(id).unwrap();
                let (attempt, tree) = (package.attempt(), package.work().unwrap().1.clone());
                let setback = self.setback(id, act);
                let run = RunId::parse("r").unwrap();
                let (package, green, evidence) = (Some(id.clone()), setback.is_none(), Vec::new());
                let fewer = (act == Act::Fewer).then(|| "it ran 1 tests, before this work 3".to_owned());
                self.happen(Event::Tested { package, attempt, run, tree, green, evidence, setback, fewer });
            }
            Step::Check(id) => {
                let child = self.start(Some(id), Role::Checker);
                let setback = self.setback(id, act);
                let verdict = setback.is_none().then_some(Verdict::Pass);
                let (result, evidence) = (ChildResult::Answered, Vec::new());
                self.happen(Event::ChildEnded { child, result, verdict, work: None, setback, evidence, at });
            }
            Step::Take(id) => {
                let package = self.mission.package(id).unwrap();
                let (attempt, green, package) = (package.attempt(), package.is_green(), id.clone());
                match (green, self.setback(id, if green { act } else { Act::Bad })) {
                    (true, None) => {
                        let number = self.fresh();
                        let tip = (git_id(&format!("tip {number}")), git_id(&format!("tip tree {number}")));
                        self.happen(Event::Accepted { package, attempt, tip });
                    }
                    (_, setback) => self.happen(Event::Refused { package, attempt, setback: setback.unwrap() }),
                }
            }
            Step::FinalTest => {
                let (attempt, tree) = (self.mission.finals().0 + 1, self.mission.tip().1.clone());
                let (run, green) = (RunId::parse("f").unwrap(), act.is_good());
                let (package, evidence, setback, fewer) = (None, Vec::new(), None, None);
                self.happen(Event::Tested { package, attempt, run, tree, green, evidence, setback, fewer });
            }
            Step::FinalCheck => {
                let child = self.start(None, Role::Checker);
                let verdict = Some(if act.is_good() { Verdict::Pass } else { Verdict::Fail });
                let (result, work, setback, evidence) = (ChildResult::Answered, None, None, Vec::new());
                self.happen(Event::ChildEnded { child, result, verdict, work, setback, evidence, at });
            }
            Step::Complete => self.happen(Event::Completed { tip: self.mission.tip().clone() }),
            Step::Block => self.happen(Event::Blocked { reason: "nothing can go on".to_owned() }),
        }
    }

    /// Runs as `run` does, one step after the other; `act` is asked for each.
    pub fn run(&mut self, act: &mut dyn FnMut(&Step) -> Act) -> Stop {
        loop {
            let ready = self.ready();
            // Whichever of them is over first: the order in which steps are given out is not that in which they end.
            let pick = self.steps % ready.steps.len().max(1);
            match ready.steps.get(pick) {
                Some(step) if !self.budget.is_used_up() => {
                    let act = act(step);
                    self.take(&step.clone(), act);
                }
                other => return stop_reason(&self.mission, ready.over_budget || other.is_some()),
            }
        }
    }

    /// Runs as long as a person who says yes to whatever waits can make it go on.
    pub fn run_with_a_person(&mut self, act: &mut dyn FnMut(&Step) -> Act) -> Stop {
        loop {
            let stop = self.run(act);
            if stop != Stop::ApprovalRequired {
                return stop;
            }
            for subject in self.mission.waits_for() {
                let (by, reason, signed_at) = ("ada".to_owned(), String::new(), None);
                self.happen(Event::Approved { subject, by, reason, signed_at });
            }
        }
    }

    pub fn is_open(&self) -> bool {
        *self.mission.circuit() != Circuit::Closed
    }
}

/// A number in letters, which no signature folds away.
fn spelled(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(b'g' + (digit - b'0'))).collect()
}
