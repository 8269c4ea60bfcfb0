//! `start`: a spec, a run under a frozen contract, the workspace and the baseline, in one entry.

use super::{
    check, next,
    plan::{Plan, Planning, SpecSource, Wanted},
    rapid::Rapid,
    terms,
    work::Work,
    worktrees::{branch_of, worktree_of},
};
use crate::conductor::{Advice, Playbooks};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    capability::Capability,
    contract::Contract,
    evidence::{Evidence, Finish, Payload, WorkspaceMode},
    gate::GateKind,
    ids::{GateId, RunId, TaskId},
    mode::Mode,
    policy::Workspace,
    run::RunState,
    session::Session,
    spec::SpecDraft,
    text::{Producer, Verb},
    typed::typed,
};
use crate::evaluator::{Input, gate_satisfied};
use crate::git::{Keep, Repository, Snapshot, Worktree};
use crate::registry::{Draft, Records, Run, Signatures};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most untracked files that a run remembers one by one; beyond it, none are told apart from the work.
const MAX_BYSTANDERS: usize = 2000;

/// What is asked.
pub struct Request {
    /// The run that is wanted.
    pub wanted: Wanted,
    /// Work in a worktree of its own.
    pub worktree: bool,
    /// Where the terms are read.
    pub terms: terms::Source,
}

/// What `start` did.
pub struct Outcome {
    /// The run.
    pub run_id: RunId,
    /// The baseline, when it was run.
    pub baseline: Option<Baseline>,
    /// The run's own worktree, when it has one.
    pub worktree: Option<PathBuf>,
    /// What to do now.
    pub advice: Advice,
}

/// How the baseline went.
pub struct Baseline {
    /// How it stands.
    pub outcome: check::CheckOutcome,
    /// In words.
    pub words: String,
    /// What to do about a doubt in it.
    pub hint: Option<&'static str>,
    /// The files that changed while it ran.
    pub changed: Vec<String>,
}

/// Opens a run.
pub fn start(rapid: &Rapid, mut request: Request, live: &mut dyn FnMut(&[u8])) -> Result<Outcome> {
    let busy = other_run(rapid)?;
    if let Some(refusal) = busy.as_ref().filter(|_| !request.worktree) {
        return Err(refusal.clone());
    }
    let repository = rapid.repository();
    repository.require_workdir()?;
    let head = repository.head()?;
    let terms = terms::read(repository, &head, request.terms, request.wanted.mode)?;
    if let SpecSource::New(draft, _) = &request.wanted.spec {
        refuse_template(draft, request.wanted.mode)?;
    }
    request.wanted.spec = request.wanted.spec.without_secrets(&rapid.redactor(&terms.config)?)?;
    let opening = Opening { rapid, request, terms, head, busy: busy.is_some() };
    let records = rapid.registry().records()?;
    let plan = opening.plan(&records)?;
    let worktree = opening.make_worktree(&plan)?;
    let done = opening.open(&plan, worktree.as_deref(), live);
    if done.is_err()
        && let Some(path) = &worktree
    {
        // Nothing was recorded, so nothing may stay behind; a worktree with changes is kept by git itself.
        let _ = repository.remove_worktree(path);
    }
    done
}

/// Refuses a spec that still says what the template says (RAPID1303): nobody could tell what the run promises.
fn refuse_template(draft: &SpecDraft, mode: Mode) -> Result<()> {
    let playbooks = Playbooks::built_in();
    let template = &playbooks.of(mode).spec_template;
    let left: Vec<&str> = WRITTEN
        .iter()
        .copied()
        .filter(|key| template.get(key).is_some_and(|text| draft.to_value().get(key) == Some(text)))
        .collect();
    match left.as_slice() {
        [] => Ok(()),
        left => Err(Code::Rapid1303
            .because(format!("the spec still has the template's own words in {}", left.join(", ")))
            .hint("replace every one of them, or leave the member out; only the title and a task must be there")),
    }
}

/// The members of a spec that only its author can write.
const WRITTEN: &[&str] = &[
    "title",
    "business_objective",
    "problem_statement",
    "scope",
    "out_of_scope",
    "actors_users",
    "main_flow",
    "edge_cases",
    "business_rules",
    "technical_constraints",
    "acceptance_criteria",
    "testing_strategy",
    "implementation_tasks",
];

/// What is against another run in this working copy: one that is not over (RAPID1301).
fn other_run(rapid: &Rapid) -> Result<Option<Diagnostic>> {
    let Some(session) = rapid.session()? else { return Ok(None) };
    let run = rapid.registry().records()?.run(&session.active_run_id);
    Ok(match run.as_ref().map(Run::state) {
        Ok(Ok(state)) if !state.status.is_terminal() => Some(
            Code::Rapid1301
                .because(format!("run '{}' is {} here", session.active_run_id, state.status))
                .hint("go on with it: git rapid next")
                .hint("or begin the other one beside it, in a worktree of its own: add --worktree")
                .hint("or give it up: git rapid abort --reason '…'"),
        ),
        _ => None,
    })
}

struct Opening<'a> {
    rapid: &'a Rapid,
    request: Request,
    terms: terms::Terms,
    head: crate::git::Head,
    /// Another run is active here, and stays the one of this working copy.
    busy: bool,
}

impl Opening<'_> {
    fn plan(&self, records: &Records<'_>) -> Result<Plan> {
        let planning =
            Planning { rapid: self.rapid, wanted: &self.request.wanted, terms: &self.terms, head: &self.head };
        let plan = planning.plan(records)?;
        let decision = &plan.contract.decision;
        if decision.workspace == Workspace::IsolatedRequired && !self.request.worktree {
            return Err(Code::Rapid1014
                .because(format!("this work has risk {} and needs a worktree of its own", decision.risk))
                .hint(
                    "add --worktree to the same command: the run gets one beside the repository, and next says where",
                ));
        }
        Ok(plan)
    }

    fn make_worktree(&self, plan: &Plan) -> Result<Option<PathBuf>> {
        if !self.request.worktree {
            return Ok(None);
        }
        let repository = self.rapid.repository();
        if self.head.commit.is_none() {
            return Err(Code::Rapid1309
                .because("a worktree needs a commit to start from, and there is none yet")
                .hint("make the first commit"));
        }
        let run = &plan.contract.run_id;
        if let Some(left) = worktree_of(self.rapid, run)? {
            return self.take_over(left).map(Some);
        }
        let path = worktree_path(repository, run)?;
        let branch = branch_of(run);
        repository.add_worktree(&path, &branch).map_err(|error| {
            error
                .hint(format!("a branch that is left over goes with: git branch -d {branch}"))
                .hint("or name another run with --run-id")
        })?;
        Ok(Some(path))
    }

    /// The worktree that a start of this very run made before it died. Taken as it is when nobody can have worked in it.
    fn take_over(&self, left: Worktree) -> Result<PathBuf> {
        let repository = self.rapid.repository();
        let path = left.path.display();
        let because = |why: &str| {
            Code::Rapid1309
                .because(format!("a start that died left the worktree '{path}' behind, and {why}"))
                .hint(format!("look at it, then remove it: git worktree remove {path}"))
                .hint("or name another run with --run-id")
        };
        match () {
            () if !left.path.exists() => Err(because("its directory is gone")),
            () if left.head != self.head.commit => Err(because("it stands at another commit")),
            () if repository.has_changes(&left.path)? => Err(because("it has changes")),
            () => Ok(left.path),
        }
    }

    fn open(&self, plan: &Plan, worktree: Option<&std::path::Path>, live: &mut dyn FnMut(&[u8])) -> Result<Outcome> {
        let session = Session {
            active_run_id: plan.contract.run_id.clone(),
            mode: plan.contract.mode,
            harness: plan.contract.harness.clone(),
            start_head: plan.contract.base.commit.clone(),
            workspace_path: worktree.map(|path| path.display().to_string()),
        };
        let work = Work::of(self.rapid, Some(&session), self.terms.config.clone())?;
        let now = work.snapshot(Keep::Objects)?;
        let observation = self.baseline(plan, &work, live)?;
        let (_, run_id) = self.rapid.registry().append(|records| {
            let plan = self.plan(records)?;
            self.draft(&plan, &now, observation.as_ref()).map(|draft| (draft, plan.contract.run_id))
        })?;
        let session = Session { active_run_id: run_id.clone(), ..session };
        if !self.busy {
            self.rapid.sessions().write(&session)?;
        }
        if worktree.is_some() {
            crate::registry::Sessions::of(work.repository()).write(&session)?;
        }
        let (records, run) = self.rapid.run(Some(&run_id))?;
        let mut advice = next::advise(self.rapid, &records, &run, Some(&session))?;
        if let Some(path) = worktree.filter(|_| self.busy) {
            let told = &mut advice.action.action.instructions;
            told.push_str(&format!(
                " Another run is active here, so this one is worked on in its own worktree, where it is the active one: cd {}",
                typed(&[path.display().to_string()])
            ));
        }
        let baseline = observation.map(|observation| Baseline {
            outcome: observation.outcome(),
            words: observation.reason().unwrap_or_else(|| observation.ran.summary.reason.clone()),
            hint: observation.doubt.as_ref().map(check::Doubt::hint),
            changed: observation.changed,
        });
        Ok(Outcome { run_id, baseline, worktree: worktree.map(PathBuf::from), advice })
    }

    /// Runs the tests before the work, when a gate asks for it and a command is known.
    fn baseline(
        &self,
        plan: &Plan,
        work: &Work<'_>,
        live: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<check::Observation>> {
        let asked = plan.contract.decision.gates.iter().any(|gate| gate.kind == GateKind::BaselineCheck);
        let Some(command) = plan.contract.test_command.as_deref().filter(|_| asked) else { return Ok(None) };
        let request = check::Request {
            run: None,
            command: None,
            binding: check::Binding::Fitting,
            expects_failure: false,
            clean: false,
            timeout: None,
            label: None,
            junit: None,
            defined_at: self.head.commit.map(|_| self.head.tree),
        };
        check::observe(work, &plan.contract.run_id, Some(command), &request, live).map(Some)
    }

    fn draft(&self, plan: &Plan, now: &Snapshot, observation: Option<&check::Observation>) -> Result<Draft> {
        let contract = &plan.contract;
        let mut draft = Draft::new(
            "start",
            &contract.run_id,
            format!("start {}: {}", contract.run_id, plan.revision.content.title),
        );
        let state = plan.write(&mut draft, &self.terms)?;
        let workspace = self.workspace(contract, &state, now);
        let workspace = draft.evidence(contract, workspace, &[], Some(now.tree))?;
        let mut run = Run {
            contract: contract.clone(),
            states: vec![state.clone()],
            evidence: vec![workspace],
            reports: Vec::new(),
            signatures: BTreeMap::new(),
            checked: Signatures::default(),
        };
        if let Some(observation) = observation {
            let binding = baseline_binding(&run, &state, observation)?;
            let evidence = check::record(&mut draft, &run, &state, observation, &binding)?;
            run.evidence.push(evidence);
        }
        for state in check::opening_states(&run, &state, &run.evidence)? {
            draft.state(&state)?;
        }
        Ok(draft)
    }

    fn workspace(&self, contract: &Contract, state: &RunState, now: &Snapshot) -> Evidence {
        let isolated = self.request.worktree;
        let gate = contract.decision.gates.iter().find(|gate| isolated && gate.kind == GateKind::WorkspaceIsolation);
        let authors =
            contract.approvers.as_ref().map(|_| self.rapid.repository().identity().email).into_iter().collect();
        let untracked = if now.untracked.len() > MAX_BYSTANDERS { Vec::new() } else { now.untracked.clone() };
        Evidence {
            id: crate::domain::ids::EvidenceId::of(1),
            run_id: contract.run_id.clone(),
            contract_digest: contract.digest(),
            state_revision: state.revision,
            state_digest: state.digest(),
            producer: Producer::Rapid(Verb::Start),
            summary: if isolated {
                "the run works in a worktree of its own".to_owned()
            } else {
                "the run works in the current working copy".to_owned()
            },
            task_ids: Vec::new(),
            gate_ids: gate.map(|gate| gate.id.clone()).into_iter().collect(),
            capability_ids: vec![if isolated { Capability::WorkspaceIsolated } else { Capability::WorkspaceCurrent }],
            payload: Payload::Workspace {
                mode: if isolated { WorkspaceMode::Isolated } else { WorkspaceMode::Current },
                start: Finish { tree: Some(now.tree.to_git_id()), untracked, authors },
            },
            artifacts: Vec::new(),
        }
    }
}

/// Binds the baseline to its gate when it meets it; a baseline that does not is recorded and bound to nothing, so that a run
/// is never lost before it begins (the specification §10, Q17).
fn baseline_binding(
    run: &Run,
    state: &RunState,
    observation: &check::Observation,
) -> Result<(Vec<TaskId>, Vec<GateId>, bool)> {
    let gates: Vec<GateId> =
        state.gates.iter().filter(|gate| gate.kind == GateKind::BaselineCheck).map(|gate| gate.id.clone()).collect();
    let bound = (Vec::new(), gates, false);
    let mut scratch = Draft::new("start", run.id(), "");
    let evidence = check::record(&mut scratch, run, state, observation, &bound)?;
    let mut all = run.evidence.clone();
    all.push(evidence);
    let input = Input::new(&run.contract, state, &all);
    let met = bound.1.iter().all(|gate| gate_satisfied(&input, gate).unwrap_or(false));
    Ok(if met { bound } else { (Vec::new(), Vec::new(), false) })
}

/// Where a run's own worktree lies: beside the repository, so that no tool finds the repository's files above it.
pub(super) fn worktree_path(repository: &Repository, run: &RunId) -> Result<PathBuf> {
    let top = repository.require_workdir()?;
    let name =
        top.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_else(|| "repository".to_owned());
    let beside = top.parent().unwrap_or(top);
    Ok(beside.join(format!("{name}.rapid")).join(run.as_str()))
}
