//! A run in lines for people: its moves, how it ended, what is stuck, what it is estimated to take.

use crate::story::estimate::Estimate;
use crate::story::report::Report;
use crate::story::{Actor, Status, Transition};
use crate::verbs::story::Outcome;

/// Every move, one line each.
pub fn moves(outcome: &Outcome) -> Vec<String> {
    let moves = outcome.transitions.all();
    let widest = moves.iter().map(|one| one.story.as_str().chars().count()).max().unwrap_or(0);
    moves.iter().map(|one| line(one, widest)).collect()
}

fn line(one: &Transition, widest: usize) -> String {
    let by = match one.by {
        Actor::Agent(role) => role.short(),
        Actor::Orchestrator => "-",
    };
    let because = one.unblocked_by.as_ref().map(|id| format!("  ({id} is Done)")).unwrap_or_default();
    format!("  {:<widest$}  {:<8}  {} → {}{because}", one.story.as_str(), by, one.from, one.to)
}

/// How it ended.
pub fn ending(outcome: &Outcome, report: &Report, estimate: Option<&Estimate>) -> Vec<String> {
    let machine = &outcome.machine;
    let stories = || {
        let all = machine.state().stories().iter().enumerate();
        all.filter(|(node, _)| machine.is_selected(*node)).map(|(_, story)| story)
    };
    let mut states: Vec<String> = Status::ALL
        .iter()
        .map(|status| (stories().filter(|story| story.status == Some(*status)).count(), status.as_str()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let unreadable = stories().filter(|story| story.status.is_none()).count();
    if unreadable > 0 {
        states.push(format!("{unreadable} unreadable"));
    }
    let reason = report.stop_reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let mut lines = vec![format!("{}{reason}: {} stories: {}", report.result, stories().count(), states.join(", "))];
    for story in stories().filter(|story| story.status == Some(Status::Failed)) {
        if let Some(reason) = &story.memory.reason {
            lines.push(format!("  {} was given up: {reason}", story.id));
        }
    }
    for stuck in &report.stuck {
        let causes: Vec<String> = stuck.causes.iter().map(|cause| cause.sentence()).collect();
        lines.push(format!("  {} is stuck: {}", stuck.story, causes.join("; ")));
    }
    if let Some(estimate) = estimate {
        let (low, high) = estimate.minutes();
        lines.push(format!("estimate: {} turns, {} to {}", estimate.turns, time(low), time(high)));
    }
    lines
}

fn time(minutes: u64) -> String {
    match minutes {
        0..120 => format!("{minutes} minutes"),
        _ => format!("{} hours", minutes.div_ceil(60)),
    }
}
