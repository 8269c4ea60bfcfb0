//! A run as the rules look at it: judged once, with the answers at hand. No rule is here.

use super::{Playbook, Playbooks, RunView, needs_tree};
use crate::domain::{
    contract::Ruleset,
    evidence::Evidence,
    gate::Phase,
    git_id::GitId,
    ids::GateId,
    lifecycle::{Disposition, RunStatus},
    next_action::{Action, ActionKind, NextAction},
    report::{Assertion, Category, Status, Verdict},
    run::GateState,
};
use crate::evaluator::{self, Case, Input, what_if};

/// What the rules look at.
pub(super) struct Situation<'a> {
    pub(super) run: RunView<'a>,
    /// The run with the record that `finish` would write now.
    pub(super) case: Case<'a>,
    pub(super) assertions: Vec<Assertion>,
    pub(super) playbook: &'a Playbook,
    /// The code that approvals and checks are compared with, where the ruleset compares.
    pub(super) tree: Option<&'a GitId>,
}

/// The record that `finish` would write now; `None` where the run is over, or where nothing is known of its code.
pub(super) fn assumed_record(run: &RunView<'_>) -> Option<Evidence> {
    let tree = match (run.state.status.is_terminal(), needs_tree(run.contract, run.state)) {
        (true, _) => None,
        (false, true) => run.tree,
        (false, false) => newest_checked_tree(run.evidence),
    };
    tree.map(|tree| what_if::assumed_record(run.contract, run.state, run.evidence, tree))
}

fn newest_checked_tree(evidence: &[Evidence]) -> Option<&GitId> {
    let checked =
        evidence.iter().filter_map(|item| evaluator::checked_tree(item).map(|tree| (item.id.ordinal(), tree)));
    checked.max_by_key(|(ordinal, _)| *ordinal).map(|(_, tree)| tree)
}

impl<'a> Situation<'a> {
    pub(super) fn of(run: &RunView<'a>, playbooks: &'a Playbooks, record: Option<&'a Evidence>) -> Situation<'a> {
        let input = Input::new(run.contract, run.state, run.evidence).signed(run.signed);
        let case = Case::with_record(&input, record);
        let assertions = evaluator::assertions(&case);
        let tree = needs_tree(run.contract, run.state).then_some(run.tree).flatten();
        Situation { run: *run, case, assertions, playbook: playbooks.of(run.contract.mode), tree }
    }

    /// Whether the run is active and every task is done or skipped.
    pub(super) fn work_is_done(&self) -> bool {
        self.run.state.status == RunStatus::Active && self.run.state.tasks_are_terminal()
    }

    /// Whether a newer item may make up for an older one.
    pub(super) fn is_repairable(&self) -> bool {
        self.run.contract.ruleset >= Ruleset::V4
    }

    /// The playbook's text for a kind of action, and more to say.
    pub(super) fn action(&self, kind: ActionKind, more: &str) -> Action {
        let text = self.playbook.instructions(kind);
        Action::new(kind, if more.is_empty() { text.to_owned() } else { format!("{text} {more}") })
    }

    /// `git rapid check` with these options and the contract's test command, where there is one.
    pub(super) fn check(&self, options: &[&str]) -> Vec<String> {
        let mut words: Vec<String> =
            ["git", "rapid", "check"].iter().chain(options).map(|&word| word.to_owned()).collect();
        if let Some(command) = &self.run.contract.test_command {
            words.push("--".to_owned());
            words.extend(command.iter().cloned());
        }
        words
    }

    /// What to add to an instruction to check when the contract has no test command.
    pub(super) fn test_command_hint(&self) -> &'static str {
        match self.run.contract.test_command {
            Some(_) => "",
            None => {
                "Append '-- CMD', where CMD is your test command: the run's terms name none ('git rapid init' writes one, for runs that begin after it is committed)."
            }
        }
    }

    /// How a gate would stand, were it acknowledged.
    pub(super) fn if_acknowledged(&self, gate: &GateState) -> Assertion {
        evaluator::if_acknowledged(&self.case, gate)
    }

    /// The machine gates, waived ones apart, whose evidence does not back them, with how they stand.
    pub(super) fn unbacked_machine_gates(&self, phase: Phase) -> Vec<(&'a GateState, Assertion)> {
        let gates = self.run.state.gates.iter();
        let asked = gates.filter(|gate| {
            gate.required && gate.phase == phase && !gate.kind.is_human() && gate.disposition != Disposition::Waived
        });
        asked.map(|gate| (gate, self.if_acknowledged(gate))).filter(|(_, found)| found.status != Status::Pass).collect()
    }

    /// The required assertions that stand like this.
    pub(super) fn standing(&self, status: Status) -> impl Iterator<Item = &Assertion> {
        self.assertions.iter().filter(move |assertion| assertion.required && assertion.status == status)
    }

    /// What is not shown and nobody but a worker or a person can bring.
    pub(super) fn missing(&self) -> Vec<Assertion> {
        let over = self.run.state.status.is_terminal();
        let undecided = self.run.state.undecided(Phase::PostExecution);
        let backed: Vec<_> = undecided
            .filter(|gate| !over && !gate.kind.is_human())
            .map(|gate| self.if_acknowledged(gate))
            .filter(|found| found.status == Status::Pass)
            .map(|found| found.id)
            .collect();
        let by_itself = |assertion: &&Assertion| {
            !over && (assertion.category == Category::Lifecycle || backed.contains(&assertion.id))
        };
        let open = |assertion: &&Assertion| matches!(assertion.status, Status::Unverified | Status::Fail);
        let required = self.assertions.iter().filter(|assertion| assertion.required);
        required.filter(open).filter(|assertion| !by_itself(assertion)).cloned().collect()
    }

    fn awaiting_human(&self, action: &Action) -> Vec<GateId> {
        if self.run.state.status.is_terminal() {
            return Vec::new();
        }
        let again =
            |gate: &GateState| action.kind == ActionKind::AwaitHumanApproval && action.gate_ids.contains(&gate.id);
        let open = |gate: &&GateState| {
            gate.required && gate.kind.is_human() && (gate.disposition == Disposition::Pending || again(gate))
        };
        self.run.state.gates.iter().filter(open).map(|gate| gate.id.clone()).collect()
    }

    /// The whole answer around an action.
    pub(super) fn answer(&self, mut action: Action) -> NextAction {
        let (run, state) = (&self.run, self.run.state);
        let over = state.status.is_terminal();
        if !over {
            action.workspace_path = run.workspace_path.map(str::to_owned);
        }
        // A check without a command of its own runs the test command; where none is known, only the words can say what to do.
        let bare = |words: &Vec<String>| {
            words.get(2).is_some_and(|verb| verb == "check") && !words.iter().any(|word| word == "--")
        };
        if run.contract.test_command.is_none() && action.command.as_ref().is_some_and(bare) {
            let words = action.command.take().unwrap_or_default().join(" ");
            action.instructions.push_str(&format!(" Run: {words} -- CMD (CMD is your test command)"));
        }
        let open = |a: &&Assertion| a.required && matches!(a.status, Status::Unverified | Status::Fail);
        NextAction {
            run_id: Some(run.contract.run_id.clone()),
            mode: Some(run.contract.mode),
            awaiting_human: self.awaiting_human(&action),
            missing: self.assertions.iter().filter(open).map(|assertion| assertion.id.clone()).collect(),
            tasks_done: state.tasks.iter().filter(|task| task.status.is_terminal()).count(),
            tasks_total: state.tasks.len(),
            outcome: over.then(|| self.outcome()),
            action,
        }
    }

    /// How a run that is over ended: its verdict, or that it was given up.
    pub(super) fn outcome(&self) -> String {
        match self.run.state.status {
            RunStatus::Finished => Verdict::of(&self.assertions).to_string(),
            other => other.to_string(),
        }
    }
}
