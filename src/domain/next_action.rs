//! What to do next, as `next`, `start` and `finish` say it (§2.9). Which it is, the `conductor` decides.

use super::{
    ids::{AssertionId, GateId, RunId, TaskId},
    json::Value,
    mode::Mode,
    word::words,
};

words! {
    /// The kinds of action.
    ActionKind, "an action" {
        /// Write a spec and start a run on it.
        AuthorSpec = "author_spec",
        /// Run the tests before the work.
        RunBaseline = "run_baseline",
        /// Let the run begin.
        Activate = "activate",
        /// Work on a task.
        ImplementTask = "implement_task",
        /// Show what is not shown yet.
        Verify = "verify",
        /// Stop: a person decides.
        AwaitHumanApproval = "await_human_approval",
        /// Close the run.
        Finish = "finish",
        /// Nothing more.
        Done = "done",
        /// It cannot go on.
        Blocked = "blocked",
    }
}

/// The action itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Which kind.
    pub kind: ActionKind,
    /// What to do, in words.
    pub instructions: String,
    /// The exact command to run now.
    pub command: Option<Vec<String>>,
    /// The command to run once the work is done.
    pub after: Option<Vec<String>>,
    /// The task it speaks of.
    pub task_id: Option<TaskId>,
    /// The gates it speaks of.
    pub gate_ids: Vec<GateId>,
    /// A template to start from (`author_spec`).
    pub spec_template: Option<Value>,
    /// The run's own worktree.
    pub workspace_path: Option<String>,
}

impl Action {
    /// An action that only says something.
    pub fn new(kind: ActionKind, instructions: impl Into<String>) -> Action {
        Action {
            kind,
            instructions: instructions.into(),
            command: None,
            after: None,
            task_id: None,
            gate_ids: Vec::new(),
            spec_template: None,
            workspace_path: None,
        }
    }

    /// With the command to run now.
    pub fn command<S: Into<String>>(mut self, words: impl IntoIterator<Item = S>) -> Action {
        self.command = Some(words.into_iter().map(Into::into).collect());
        self
    }

    /// With the command to run once the work is done.
    pub fn after<S: Into<String>>(mut self, words: impl IntoIterator<Item = S>) -> Action {
        self.after = Some(words.into_iter().map(Into::into).collect());
        self
    }
}

/// The whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextAction {
    /// The run; `None` before there is one.
    pub run_id: Option<RunId>,
    /// Its mode.
    pub mode: Option<Mode>,
    /// What to do.
    pub action: Action,
    /// Human gates that nobody has decided.
    pub awaiting_human: Vec<GateId>,
    /// Required assertions not satisfied yet.
    pub missing: Vec<AssertionId>,
    /// Tasks done or skipped.
    pub tasks_done: usize,
    /// All tasks.
    pub tasks_total: usize,
    /// The verdict or end of the run, only when there is nothing more to do.
    pub outcome: Option<String>,
}

impl NextAction {
    /// Its JSON; members that say nothing are left out of the action.
    pub fn to_value(&self) -> Value {
        let action = Value::object([
            ("kind", self.action.kind.into()),
            ("instructions", (&self.action.instructions).into()),
            ("command", self.action.command.clone().into()),
            ("after", self.action.after.clone().into()),
        ])
        .with_some("task_id", self.action.task_id.as_ref())
        .with_some("gate_ids", (!self.action.gate_ids.is_empty()).then(|| Value::list(&self.action.gate_ids)))
        .with_some("spec_template", self.action.spec_template.clone())
        .with_some("workspace_path", self.action.workspace_path.as_ref());
        Value::object([
            ("schema_version", 1.into()),
            ("run_id", self.run_id.as_ref().into()),
            ("mode", self.mode.into()),
            ("action", action),
            ("awaiting_human", Value::list(&self.awaiting_human)),
            ("missing", Value::list(&self.missing)),
            (
                "progress",
                Value::object([("tasks_done", self.tasks_done.into()), ("tasks_total", self.tasks_total.into())]),
            ),
            ("outcome", self.outcome.as_ref().into()),
        ])
    }
}
