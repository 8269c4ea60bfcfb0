//! Whether an agent may say that it is done: not while `next` says otherwise. Bounded: after a few times it may.
//!
//! Some harnesses never give up on a stop hook, so the bound is ours. Whatever goes wrong here lets the agent stop: the
//! verdict is computed from the records, whoever is still there.

use super::call::Call;
use super::install::notes;
use crate::conductor::Advice;
use crate::domain::digest::Digest;
use crate::domain::json::{self, Value};
use crate::domain::next_action::ActionKind;
use crate::os::files;
use crate::verbs::{next::next, rapid::Rapid};

/// How often an agent is sent back while the next action stays the same, and in one session at all.
pub const MOST: i64 = 3;
const MOST_IN_A_SESSION: i64 = 12;

/// The counts, in git's private directory.
pub(super) const COUNTS: &str = "stops.json";

/// The most sessions that are counted.
const SESSIONS: usize = 64;

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It may stop.
    Go,
    /// It goes on, with this to read.
    Back(String),
}

/// Whether the agent of this call may stop.
pub fn stop(rapid: &Rapid, call: &Call) -> Stop {
    let Ok(Some(_)) = rapid.session() else { return Stop::Go };
    let Ok(advice) = next(rapid, None) else { return Stop::Go };
    let action = &advice.action.action;
    let key = Digest::of(call.session.as_bytes()).to_string();
    let over = [ActionKind::Done, ActionKind::AwaitHumanApproval, ActionKind::Blocked, ActionKind::AuthorSpec];
    let step = if over.contains(&action.kind) { String::new() } else { step(&advice) };
    match (step.is_empty(), count(rapid, &key, &step)) {
        (false, Some(times)) => Stop::Back(words(&advice, times)),
        _ => Stop::Go,
    }
}

/// What tells one next action from another.
fn step(advice: &Advice) -> String {
    let action = &advice.action;
    let gates: Vec<String> = action.action.gate_ids.iter().map(ToString::to_string).collect();
    let task = action.action.task_id.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{} {task} {}", action.action.kind, gates.join(" "))
}

/// Counts one more time; none when it was often enough, or cannot be counted.
fn count(rapid: &Rapid, key: &str, step: &str) -> Option<i64> {
    let place = notes(rapid.repository()).join(COUNTS);
    let bytes = files::read_if_there(&place, 1 << 20).ok()?;
    let known = bytes.and_then(|bytes| json::parse(&bytes).ok());
    let list = known.as_ref().and_then(|value| value.get("sessions")?.as_list()).unwrap_or_default();
    let of = |value: &Value| value.get("session").and_then(Value::as_text) == Some(key);
    let mine = list.iter().find(|value| of(value));
    let number = |name: &str| mine.and_then(|value| value.get(name)?.as_int()).unwrap_or(0);
    let same = mine.and_then(|value| value.get("step")?.as_text()) == Some(step);
    let (times, all) = (if same { number("times") + 1 } else { 1 }, number("all") + 1);
    if step.is_empty() {
        return None;
    }
    if times > MOST || all > MOST_IN_A_SESSION {
        return None;
    }
    let now =
        Value::object([("session", key.into()), ("step", step.into()), ("times", times.into()), ("all", all.into())]);
    let mut sessions: Vec<Value> = list.iter().filter(|value| !of(value)).cloned().chain([now]).collect();
    sessions.drain(..sessions.len().saturating_sub(SESSIONS));
    let value = Value::object([("schema_version", 1.into()), ("sessions", Value::List(sessions))]);
    files::create_dir_all(&notes(rapid.repository())).ok()?;
    // One that cannot be remembered would be sent back for ever.
    files::note(&place, value.pretty().as_bytes()).ok()?;
    Some(times)
}

fn words(advice: &Advice, times: i64) -> String {
    let action = &advice.action.action;
    let command = action.command.as_ref().map(|words| format!(" Run: {}.", words.join(" "))).unwrap_or_default();
    let run = advice.action.run_id.as_ref().map(ToString::to_string).unwrap_or_default();
    format!(
        "run {run} is not done: the next action is {}.{command} Do it, or say plainly that the work is unfinished and why \
         ('git rapid next' tells more; this is said {times} of {MOST} times).",
        step(advice).split_whitespace().collect::<Vec<_>>().join(" ")
    )
}
