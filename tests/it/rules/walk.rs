//! Random walks over the life cycles (§2.6): whatever is asked of a spec or a run by plumbing, the answer is the table's, and a
//! refused move leaves the ledger as it was.

use crate::labs::{Doc, Lab, opened, text};
use git_rapid::domain::{
    ids::{GateId, TaskId},
    json::Value,
    lifecycle::{Disposition, RunStatus, SpecStatus, TaskStatus},
    run::RunState,
};
use git_rapid::{diagnostics::Code, domain::gate::Phase};

/// A small generator of numbers: the same walk each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % 1_000_003).unwrap() % end
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A move by plumbing, and the code it is refused with in a state; `None` where the tables allow it.
struct Move {
    line: String,
    refusal: Option<Code>,
}

fn statuses(state: &RunState) -> Vec<Move> {
    let open = |phase| state.gates.iter().any(|gate| gate.phase == phase && gate.disposition == Disposition::Pending);
    let unfinished = !state.tasks.iter().all(|task| matches!(task.status, TaskStatus::Done | TaskStatus::Skipped));
    let judge = |to: RunStatus| match to {
        _ if !state.status.next().any(|next| next == to) => Some(Code::Rapid1009),
        RunStatus::Active if open(Phase::PreExecution) => Some(Code::Rapid1014),
        RunStatus::Finished if unfinished || open(Phase::PreExecution) || open(Phase::PostExecution) => {
            Some(Code::Rapid1014)
        }
        _ => None,
    };
    let to = RunStatus::ALL.iter();
    to.map(|&to| Move { line: format!("run status {} {to}", state.run_id), refusal: judge(to) }).collect()
}

fn tasks(state: &RunState) -> Vec<Move> {
    let mut moves = Vec::new();
    for task in &state.tasks {
        for &to in TaskStatus::ALL {
            let refusal = match () {
                () if !task.status.next().any(|next| next == to) => Some(Code::Rapid1010),
                () if state.status != RunStatus::Active => Some(Code::Rapid1014),
                () => None,
            };
            moves.push(Move { line: format!("run task {} {} {to}", state.run_id, task.id), refusal });
        }
    }
    let nobody = TaskId::parse("T009").unwrap();
    moves.push(Move { line: format!("run task {} {nobody} done", state.run_id), refusal: Some(Code::Rapid1010) });
    moves
}

fn gates(state: &RunState) -> Vec<Move> {
    let terminal = state.tasks.iter().all(|task| matches!(task.status, TaskStatus::Done | TaskStatus::Skipped));
    let mut moves = Vec::new();
    for gate in &state.gates {
        for &to in Disposition::ALL {
            let in_phase = match gate.phase {
                Phase::PreExecution => state.status == RunStatus::Prepared,
                Phase::PostExecution => state.status == RunStatus::Active && terminal,
            };
            let refusal = match () {
                // By plumbing nobody decides what is a person's to decide, or lets a gate go.
                () if to == Disposition::Waived || gate.kind.is_human() => Some(Code::Rapid1431),
                () if !gate.disposition.next().any(|next| next == to) => Some(Code::Rapid1013),
                () if !in_phase => Some(Code::Rapid1014),
                () => None,
            };
            moves.push(Move { line: format!("run gate {} {} {to}", state.run_id, gate.id), refusal });
        }
    }
    let nobody = GateId::parse("gate.lint").unwrap();
    moves.push(Move {
        line: format!("run gate {} {nobody} acknowledged", state.run_id),
        refusal: Some(Code::Rapid1013),
    });
    moves
}

/// Makes a move and compares; gives what the tool said when it was allowed.
fn make(lab: &Lab, step: &Move) -> Option<Value> {
    let before = lab.repo.tip();
    let said = lab.say(&format!("{} --json", step.line));
    match step.refusal {
        Some(code) => {
            assert_eq!(said.code, 1, "refused with {code}: {said}");
            let said = said.names(code.as_str()).json();
            assert_eq!(text(said.get("error").unwrap(), "code"), code.as_str());
            assert_eq!(lab.repo.tip(), before, "'{}' was refused and moved the ledger", step.line);
            None
        }
        None => {
            let said = said.ok().json();
            assert_ne!(lab.repo.tip(), before, "'{}' was allowed and is recorded", step.line);
            Some(said)
        }
    }
}

fn state_of(document: &Value) -> RunState {
    RunState::from_value(document.get("state").unwrap().clone()).unwrap()
}

/// A walk over runs of one spec: now and then a move that is allowed, so that it gets somewhere; a new run when one is over.
fn walk(seed: u64) {
    let mut dice = Dice(seed);
    let lab = Lab::shell(2);
    opened(&lab, "feature", "walk", "--task More", "");
    let mut state = state_of(&lab.say("run show walk-r1-run-001 --json").ok().json());
    for _ in 0..30 {
        if state.status.is_terminal() && dice.below(3) == 0 {
            state = state_of(&lab.say("run create --spec walk --json").ok().json());
        }
        let mut moves = match dice.below(4) {
            0 => statuses(&state),
            1 => tasks(&state),
            2 => gates(&state),
            _ => statuses(&state).into_iter().chain(tasks(&state)).chain(gates(&state)).collect(),
        };
        let ending = |step: &Move| step.line.ends_with("cancelled") || step.line.ends_with("failed");
        let allowed = |step: &Move| step.refusal.is_none();
        if dice.below(3) > 0 && moves.iter().any(|step| allowed(step) && !ending(step)) {
            moves.retain(|step| allowed(step) && !ending(step));
        }
        if let Some(document) = make(&lab, dice.pick(&moves)) {
            state = state_of(&document);
        }
    }
    lab.say("validate").ok();
    lab.repo.verify(&[]).ok();
}

#[test]
fn a_walk_over_runs_agrees_with_the_tables() {
    walk(0x9e37_79b9_7f4a_7c15);
}

#[test]
fn another_walk_over_runs_agrees_with_the_tables() {
    walk(0x2545_f491_4f6c_dd1d);
}

#[test]
fn a_walk_over_a_spec_agrees_with_the_table() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let lab = Lab::shell(2);
    lab.say("spec create --id walk --title Walk --mode feature --task Do").ok();
    let mut status = SpecStatus::Draft;
    for step in 0..24 {
        // An archived spec is the end: go there late.
        let ends = if step < 18 { 2 } else { 3 };
        let to = [SpecStatus::Draft, SpecStatus::Ready, SpecStatus::Archived][dice.below(ends)];
        let archived = status == SpecStatus::Archived;
        if dice.below(4) == 0 {
            let line = format!("spec revise walk --task Step{step}");
            if make(&lab, &Move { line, refusal: archived.then_some(Code::Rapid805) }).is_some() {
                status = SpecStatus::Draft;
            }
            let create = Move { line: "run create --spec walk".to_owned(), refusal: Some(Code::Rapid1003) };
            assert!(make(&lab, &create).is_none(), "a spec that is {status} opens no run");
            continue;
        }
        let refusal = (!status.next().any(|next| next == to)).then_some(Code::Rapid805);
        if make(&lab, &Move { line: format!("spec status walk {to}"), refusal }).is_some() {
            status = to;
        }
    }
}

#[test]
fn every_move_from_every_kind_of_state_is_the_tables() {
    let lab = Lab::shell(2);
    let run = opened(&lab, "feature", "walk", "", "");
    let look = || state_of(&lab.say(&format!("run show {run} --json")).ok().json());
    let refused = |state: &RunState| {
        let moves = statuses(state).into_iter().chain(tasks(state)).chain(gates(state));
        moves.filter(|step| step.refusal.is_some()).for_each(|step| drop(make(&lab, &step)));
    };
    refused(&look());
    lab.add(&run, &Doc::tests(2, 0).for_gates(&["gate.baseline"]).json()).ok();
    lab.say(&format!("run gate {run} gate.baseline acknowledged")).ok();
    lab.say(&format!("run status {run} active")).ok();
    refused(&look());
    lab.say(&format!("run status {run} blocked --reason waiting")).ok();
    refused(&look());
    lab.say(&format!("run status {run} failed --reason lost")).ok();
    refused(&look());
}
