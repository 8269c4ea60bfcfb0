//! A run in memory, for tests of the rule rooms: contract, states and evidence put together through the real types, so that
//! nothing can be tested that could not be recorded. Judging it is added by the evaluator's tests.

use super::{
    contract::{Approvals, Base, Contract, PolicySource, Ruleset, Task},
    digest::Digest,
    evidence::{
        Artifact, CheckFacts, Evidence, Finish, Payload, Review, ReviewOutcome, TestCounts, Via, WorkspaceMode,
    },
    gate::ReviewType,
    git_id::{GitId, ObjectFormat},
    ids::{EvidenceId, GateId, HarnessId, RunId, SpecId, TaskId},
    lifecycle::{Disposition, RunStatus, TaskStatus},
    mode::Mode,
    policy::{Overrides, Policy, Project, Risk, decide},
    run::{Change, RunState},
    signer::{Signed, Signer},
    spec::SpecDraft,
    text::{Producer, RelativePath},
};
use crate::diagnostics::Code;
use std::collections::BTreeMap;

/// A run with its history.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) contract: Contract,
    pub(crate) states: Vec<RunState>,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) signed: Signed,
}

/// A tree by a single letter.
pub(crate) fn tree(letter: char) -> GitId {
    let digits = if letter.is_ascii_hexdigit() {
        letter.to_string().repeat(40)
    } else {
        format!("{:02x}", letter as u8).repeat(20)
    };
    GitId::parse(&digits, Code::Rapid1206).unwrap()
}

pub(crate) fn gate(name: &str) -> GateId {
    GateId::parse(&format!("gate.{name}")).unwrap()
}

pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

pub(crate) fn producer(text: &str) -> Producer {
    Producer::parse(text).unwrap()
}

/// The command that the runs' terms name.
pub(crate) const TESTS: &str = "cargo test";

/// A check of ours that ran the test command.
pub(crate) fn facts(on: Option<char>) -> CheckFacts {
    CheckFacts { command: Some(words(TESTS)), test_command: true, tree: on.map(tree), ..CheckFacts::default() }
}

/// A counted test result.
pub(crate) fn tested(on: char, passed: u64, failed: u64) -> Payload {
    Payload::TestResult {
        suite: "all".to_owned(),
        exit_code: i64::from(failed > 0),
        counts: TestCounts { passed, failed, skipped: 0 },
        counted: true,
        facts: facts(Some(on)),
    }
}

/// A command of the test command that counted nothing.
pub(crate) fn ran(on: char, exit_code: i64, uncounted: Option<&str>) -> Payload {
    let facts = CheckFacts { uncounted: uncounted.map(str::to_owned), ..facts(Some(on)) };
    Payload::CommandResult { label: "tests".to_owned(), exit_code, facts }
}

/// The same check with other facts.
pub(crate) fn with(payload: Payload, change: impl FnOnce(&mut CheckFacts)) -> Payload {
    match payload {
        Payload::TestResult { suite, exit_code, counts, counted, mut facts } => {
            change(&mut facts);
            Payload::TestResult { suite, exit_code, counts, counted, facts }
        }
        Payload::CommandResult { label, exit_code, mut facts } => {
            change(&mut facts);
            Payload::CommandResult { label, exit_code, facts }
        }
        other => other,
    }
}

pub(crate) fn review(of: ReviewType, outcome: ReviewOutcome, via: Option<Via>, on: Option<char>) -> Payload {
    let reviewer = "Ada".to_owned();
    Payload::Review(Review {
        review_type: of,
        outcome,
        reviewer,
        via,
        tree: on.map(tree),
        signed_at: None,
        authors: Vec::new(),
        comment: None,
    })
}

pub(crate) fn approved(of: ReviewType, on: char) -> Payload {
    review(of, ReviewOutcome::Approved, Some(Via::Approve), Some(on))
}

impl Run {
    /// A prepared run with this many tasks.
    pub(crate) fn new(mode: Mode, ruleset: Ruleset, tasks: usize) -> Run {
        Run::of(mode, ruleset, tasks, Risk::Low, |_| {})
    }

    /// A prepared run of at least this risk, after a change of its contract.
    pub(crate) fn of(
        mode: Mode,
        ruleset: Ruleset,
        tasks: usize,
        risk: Risk,
        change: impl FnOnce(&mut Contract),
    ) -> Run {
        let mut spec = SpecDraft::new(mode, "A demo").unwrap();
        spec.implementation_tasks = (1..=tasks).map(|n| format!("Do step {n}")).collect();
        let policy = Policy::default();
        let plain = decide(&spec, &policy, &Overrides::default(), &Project::default()).unwrap();
        let overrides = Overrides { classification: None, risk: (risk > plain.risk).then_some(risk) };
        let decision =
            decide(&spec, &policy, &overrides, &Project { has_architecture_rules: risk > Risk::Medium }).unwrap();
        let ids = (1..).map(TaskId::of);
        let mut contract = Contract {
            run_id: RunId::parse("demo-r1-run-001").unwrap(),
            spec_id: SpecId::parse("demo").unwrap(),
            spec_revision: 1,
            spec_content_digest: Digest::of(b"spec"),
            mode,
            harness: HarnessId::parse("claude").unwrap(),
            test_command: Some(words(TESTS)),
            ruleset,
            approvals: Approvals::Terminal,
            approvers: None,
            ledger: tree('0'),
            base: Base { commit: None, tree: tree('a'), object_format: ObjectFormat::Sha1 },
            terms: BTreeMap::new(),
            policy_source: PolicySource::Default,
            policy_digest: policy.digest(),
            decision,
            tasks: spec
                .implementation_tasks
                .into_iter()
                .zip(ids)
                .map(|(description, id)| Task { id, description })
                .collect(),
        };
        change(&mut contract);
        let states = vec![RunState::prepared(&contract)];
        Run { contract, states, evidence: Vec::new(), signed: Signed::new() }
    }

    pub(crate) fn state(&self) -> &RunState {
        self.states.last().unwrap()
    }

    pub(crate) fn step(&mut self, change: &Change, reason: &str) {
        let next = self.state().step(change, reason).unwrap();
        self.states.push(next);
    }

    pub(crate) fn status(&mut self, status: RunStatus) {
        self.step(&Change::Status(status), "");
    }

    pub(crate) fn task(&mut self, ordinal: u32, status: TaskStatus) {
        self.step(&Change::Task(TaskId::of(ordinal), status), "because");
    }

    pub(crate) fn acknowledge(&mut self, name: &str) {
        self.step(&Change::Gate(gate(name), Disposition::Acknowledged), "");
    }

    pub(crate) fn waive(&mut self, name: &str) {
        self.step(&Change::Gate(gate(name), Disposition::Waived), "it is small");
    }

    /// Does a task without recording anything.
    pub(crate) fn work(&mut self, ordinal: u32) {
        self.task(ordinal, TaskStatus::InProgress);
        self.task(ordinal, TaskStatus::Done);
    }

    /// Records evidence with a log, bound to the tasks and gates that `bound` names (`T001 tests`).
    pub(crate) fn record(&mut self, by: &str, payload: Payload, bound: &str) -> EvidenceId {
        let id = EvidenceId::of(self.evidence.len() as u32 + 1);
        let path = format!("{}log.txt", Evidence::artifact_prefix(&self.contract.run_id, &id));
        let (tasks, gates): (Vec<&str>, Vec<&str>) = bound.split_whitespace().partition(|name| name.starts_with('T'));
        let item = Evidence {
            id: id.clone(),
            run_id: self.contract.run_id.clone(),
            contract_digest: self.contract.digest(),
            state_revision: self.state().revision,
            state_digest: self.state().digest(),
            producer: producer(by),
            summary: "a summary".to_owned(),
            task_ids: tasks.into_iter().map(|task| TaskId::parse(task).unwrap()).collect(),
            gate_ids: gates.into_iter().map(gate).collect(),
            capability_ids: Vec::new(),
            payload,
            artifacts: vec![Artifact {
                path: RelativePath::parse(&path, Code::Rapid1204).unwrap(),
                sha256: Digest::of(b"ok\n"),
                size_bytes: 3,
            }],
        };
        self.evidence.push(item.in_order());
        id
    }

    pub(crate) fn check(&mut self, payload: Payload, bound: &str) -> EvidenceId {
        self.record("rapid:check", payload, bound)
    }

    /// What `start` records.
    pub(crate) fn workspace(&mut self, mode: WorkspaceMode, bound: &str) {
        let start = Finish { tree: Some(tree('a')), ..Finish::default() };
        self.record("rapid:start", Payload::Workspace { mode, start }, bound);
    }

    /// What a person does with `approve`: a review, and the gate acknowledged unless it was before.
    pub(crate) fn approve(&mut self, name: &str, on: char) {
        let kind = self.state().gate(&gate(name)).unwrap().kind;
        self.record("user", approved(kind.review().unwrap(), on), name);
        if !self.state().gate(&gate(name)).unwrap().disposition.is_decided() {
            self.acknowledge(name);
        }
    }

    /// What `start` does in the current workspace, down to the active run: a green baseline on the base tree.
    pub(crate) fn begin(&mut self) {
        self.workspace(WorkspaceMode::Current, "");
        if self.state().gate(&gate("baseline")).is_ok() {
            self.check(tested('a', 3, 0), "baseline");
            self.acknowledge("baseline");
        }
        self.status(RunStatus::Active);
    }

    /// A feature run of one task that lacks nothing but `finish`, on tree `b`.
    pub(crate) fn worked(ruleset: Ruleset) -> Run {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.begin();
        run.task(1, TaskStatus::InProgress);
        run.check(tested('b', 4, 0), "T001 tests");
        run.task(1, TaskStatus::Done);
        run.approve("final-verification", 'b');
        run
    }
}

/// A signer by name.
pub(crate) fn signer(name: &str) -> Signer {
    Signer { key: format!("SHA256:{name}"), names: vec![format!("{name}@example.com")], touch: false }
}
