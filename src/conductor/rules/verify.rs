//! The work is done and something is not shown: show it. What is red and can be repaired belongs here too.

use super::Answer;
use crate::conductor::situation::Situation;
use crate::domain::{
    capability::Capability,
    gate::{GateKind, Phase},
    ids::{AssertionId, GateId, TaskId},
    mode::Mode,
    next_action::{Action, ActionKind},
    report::{Assertion, Category, Status},
};
use crate::evaluator;

/// What is not shown, sorted by what has to be done about it.
#[derive(Default)]
struct Open {
    /// The code is not that of the newest check any more: whatever was shown has to be shown again.
    moved_on: bool,
    /// The run changed no file.
    unchanged: bool,
    gates: Vec<(GateKind, GateId)>,
    tasks: Vec<TaskId>,
    reproductions: Vec<TaskId>,
    tests_execute: bool,
    others: bool,
    why: Vec<String>,
}

pub(super) fn ask(situation: &Situation<'_>) -> Answer {
    if !situation.work_is_done() {
        return Answer::no("the work is not done");
    }
    let open = open(situation);
    let Some(first) = open.why.first() else { return Answer::no("nothing that a machine can show is open") };
    Answer::yes(first.clone(), action(situation, &open))
}

fn open(situation: &Situation<'_>) -> Open {
    let mut open = Open::default();
    for phase in [Phase::PreExecution, Phase::PostExecution] {
        for (gate, found) in situation.unbacked_machine_gates(phase) {
            open.gates.push((gate.kind, gate.id.clone()));
            open.why.push(format!("{}: {}", found.subject_id, found.reason));
        }
    }
    if let Some(stale) = evaluator::untested(&situation.case, situation.tree) {
        let mut checked = situation.case.items.iter().filter_map(|item| evaluator::checked_tree(item)).peekable();
        open.moved_on =
            situation.tree.is_some() && checked.peek().is_some() && checked.all(|tree| Some(tree) != situation.tree);
        let tests = situation.run.state.gates.iter().find(|gate| gate.kind == GateKind::ImplementationTests);
        if let Some(gate) = tests.filter(|gate| !open.gates.iter().any(|(_, id)| *id == gate.id)) {
            open.gates.push((gate.kind, gate.id.clone()));
            open.why.push(format!("{}: {}", stale.code, stale.message));
        }
    }
    let unsettled =
        situation.assertions.iter().filter(|a| a.required && matches!(a.status, Status::Unverified | Status::Fail));
    for assertion in unsettled {
        if open.take(situation, assertion) {
            let name = match assertion.category {
                Category::Task => assertion.subject_id.clone(),
                _ => assertion.id.to_string(),
            };
            match assertion.id == AssertionId::capability(Capability::RepositoryWrite) {
                true => open.why.push("the run changed no file".to_owned()),
                false => open.why.push(format!("{name}: {}", assertion.reason)),
            }
        }
    }
    open
}

impl Open {
    /// Files an assertion; `false` when it is not for this rule.
    fn take(&mut self, situation: &Situation<'_>, assertion: &Assertion) -> bool {
        let tests_execute = AssertionId::capability(Capability::TestsExecute);
        // Without a tree nobody knows yet whether `finish` will record a change.
        let unknown_yet =
            assertion.id == AssertionId::capability(Capability::RepositoryWrite) && situation.run.tree.is_none();
        match assertion.category {
            Category::Lifecycle | Category::Gate => return false,
            Category::Task => {
                let task = situation.run.state.tasks.iter().find(|task| task.id.as_str() == assertion.subject_id);
                let Some(id) = task.map(|task| task.id.clone()) else { return false };
                let evidence = AssertionId::task(&id) == assertion.id;
                if evidence { self.tasks.push(id) } else { self.reproductions.push(id) }
            }
            Category::Capability if assertion.id == tests_execute => self.tests_execute = true,
            Category::Capability if unknown_yet => return false,
            Category::Capability if assertion.id == AssertionId::capability(Capability::RepositoryWrite) => {
                self.unchanged = true;
            }
            Category::Capability => self.others = true,
        }
        true
    }
}

fn action(situation: &Situation<'_>, open: &Open) -> Action {
    let reasons: Vec<&str> = open.why.iter().take(4).map(String::as_str).collect();
    // One reason for all of it; which item names which tree helps nobody.
    let mut more = match open.moved_on {
        true => "The code changed since it was checked: check it again as it is now.".to_owned(),
        false => format!("Not shown yet: {}.", reasons.join("; ")),
    };
    let mut say = |sentence: &str| {
        if !sentence.is_empty() {
            more.push(' ');
            more.push_str(sentence);
        }
    };
    let research = situation.run.contract.mode == Mode::Research;
    let gate = |kind: GateKind| open.gates.iter().find(|(of, _)| *of == kind).map(|(_, id)| id.as_str());
    let tests = gate(GateKind::ImplementationTests);
    let command: Option<Vec<String>> = match (tests, gate(GateKind::ArchitectureCheck), open.tasks.first()) {
        (Some(gate), _, task) => {
            say(situation.test_command_hint());
            // One check can speak for the gate and for a task at once.
            let mut options = vec!["--gate", gate];
            if let Some(task) = task.filter(|_| !research) {
                options.extend(["--task", task.as_str()]);
            }
            Some(situation.check(&options))
        }
        (None, Some(gate), _) => {
            let words = ["git", "rapid", "check", "--gate", gate, "--", "git", "rapid", "arch", "check"];
            Some(words.map(str::to_owned).to_vec())
        }
        (None, None, Some(task)) if research => {
            say(&format!("Attach what was found out: 'git rapid attach FILE --task {task}'."));
            None
        }
        (None, None, Some(task)) => {
            say(situation.test_command_hint());
            Some(situation.check(&["--task", task.as_str()]))
        }
        (None, None, None) => without_gate_or_task(situation, open, &mut say),
    };
    let mut action = situation.action(ActionKind::Verify, &more);
    action.command = command;
    action.gate_ids = open.gates.iter().map(|(_, id)| id.clone()).collect();
    action.task_id = open.tasks.first().or(open.reproductions.first()).cloned();
    action
}

fn without_gate_or_task(situation: &Situation<'_>, open: &Open, say: &mut impl FnMut(&str)) -> Option<Vec<String>> {
    if let Some(task) = open.reproductions.first() {
        return match evaluator::reproducing_command(&situation.case, task) {
            Some(command) => {
                let words = ["git", "rapid", "check", "--task", task.as_str(), "--"].map(str::to_owned);
                Some(words.into_iter().chain(command.iter().cloned()).collect())
            }
            None => {
                // No single command shows it: as the code is, its tests are green.
                say(&super::task::take_back(situation, task));
                say(situation.test_command_hint());
                None
            }
        };
    }
    if open.tests_execute {
        // What is red is run again by its own command; a green run of another one says nothing of it.
        let red = evaluator::newest_red(&situation.case).and_then(evaluator::check_facts);
        if let Some(command) = red.and_then(|facts| facts.command.as_ref()) {
            let words = ["git", "rapid", "check", "--"].map(str::to_owned);
            return Some(words.into_iter().chain(command.iter().cloned()).collect());
        }
        say(situation.test_command_hint());
        return Some(situation.check(&[]));
    }
    if let Some((_, gate)) = open.gates.iter().find(|(kind, _)| *kind == GateKind::BaselineCheck) {
        say(situation.test_command_hint());
        return Some(situation.check(&["--gate", gate.as_str()]));
    }
    if open.unchanged {
        say("Do the work; where there is nothing to change, 'git rapid abort' gives the run up.");
    }
    if open.others || !open.gates.is_empty() {
        say("Do what is missing, or record it with 'git rapid evidence add'; 'git rapid abort' gives the run up.");
    }
    None
}
