//! What a child gets: the keys of its role and nothing else, so that a checker cannot see what a maker said.
//!
//! A contract is a function of its view. A checker's view has no place for a maker's answer, its run or its child.

use super::event::{Role, Setback};
use super::id::{ChildId, MissionId};
use super::limits::Limits;
use super::plan::WorkPackage;
use crate::domain::json::Value;

/// What a maker may know.
#[derive(Clone, Debug)]
pub struct MakerView<'a> {
    /// The mission.
    pub mission: &'a MissionId,
    /// The child.
    pub child: &'a ChildId,
    /// A maker, or a debugger.
    pub role: Role,
    /// Its work package.
    pub package: &'a WorkPackage,
    /// Where it works.
    pub workspace: &'a str,
    /// How long an agent outside has for its answer, in seconds.
    pub answer_within: Option<i64>,
    /// What failed last time, and the commit that it left.
    pub failed: Option<(&'a Setback, Option<&'a str>)>,
}

/// What a checker may know.
#[derive(Clone, Debug)]
pub struct CheckerView<'a> {
    /// The mission.
    pub mission: &'a MissionId,
    /// The child.
    pub child: &'a ChildId,
    /// The work package; `None` for the final review.
    pub package: Option<&'a WorkPackage>,
    /// What the mission is for.
    pub objective: &'a str,
    /// Every line of acceptance.
    pub acceptance: Vec<&'a str>,
    /// Where it looks.
    pub workspace: &'a str,
    /// How long an agent outside has for its answer, in seconds.
    pub answer_within: Option<i64>,
    /// What changed.
    pub diff: &'a str,
    /// Whether the diff is not all of it.
    pub diff_is_cut: bool,
    /// The recorded checks, each command with its outcome.
    pub checks: Vec<Value>,
}

/// What a planner may know.
#[derive(Clone, Debug)]
pub struct PlannerView<'a> {
    /// What the mission is for.
    pub objective: &'a str,
    /// The branch that it would begin at.
    pub branch: Option<&'a str>,
    /// The commit.
    pub commit: Option<String>,
    /// What lies at the top of the repository.
    pub names: &'a [String],
    /// Whether those are not all.
    pub names_are_cut: bool,
    /// The command that tests the project.
    pub test_command: Option<&'a [String]>,
    /// More targets that a person has to allow.
    pub approval_targets: &'a [String],
    /// The limits of a run.
    pub limits: Limits,
}

/// The contract of a planner: it answers with a plan, and creates nothing.
pub fn planner_contract(view: &PlannerView<'_>) -> Value {
    let package = Value::object([
        ("id", "WP- and three to six digits".into()),
        ("title", "one line".into()),
        ("description", "a text".into()),
        ("size", "S, M, L or XL".into()),
        ("risk_class", "low, medium, high or critical".into()),
        ("depends_on", "a list of ids".into()),
        ("scope", "a list of patterns of paths below the project".into()),
        ("targets", "a list of words".into()),
        ("tests", "a list of commands, each a list of words".into()),
        ("acceptance", "a list of texts".into()),
    ]);
    Value::object([
        ("schema_version", 1.into()),
        ("role", "planner".into()),
        ("objective", view.objective.into()),
        (
            "repository",
            Value::object([
                ("branch", view.branch.into()),
                ("commit", view.commit.as_deref().into()),
                ("names", Value::list(view.names)),
                ("names_are_cut", view.names_are_cut.into()),
                ("test_command", view.test_command.map(Value::list).into()),
                ("approval_targets", Value::list(view.approval_targets)),
            ]),
        ),
        ("limits", view.limits.to_value()),
        (
            "answer",
            Value::object([
                ("schema_version", 1.into()),
                ("objective", "a text".into()),
                ("work_packages", Value::list([package])),
                ("order", "every id once, behind what it depends on".into()),
            ]),
        ),
    ])
}

/// The contract of a maker.
pub fn maker_contract(view: &MakerView<'_>) -> Value {
    let package = view.package;
    let failed = view.failed.map(|(setback, commit)| {
        Value::object([
            ("kind", setback.kind.into()),
            ("text", setback.text.as_str().into()),
            ("signature", setback.signature.as_str().into()),
            ("commit", commit.into()),
        ])
    });
    let strategy = match view.role {
        Role::Debugger => "changed: the same failure came twice; find its cause before you change anything",
        _ => "as planned",
    };
    Value::object([
        ("schema_version", 1.into()),
        ("role", view.role.into()),
        ("mission", view.mission.into()),
        ("child", view.child.into()),
        ("work_package", (&package.id).into()),
        ("title", package.title.as_str().into()),
        ("description", package.description.as_str().into()),
        ("scope", Value::list(&package.scope)),
        ("tests", Value::list(package.tests.iter().map(Value::list))),
        ("acceptance", Value::list(&package.acceptance)),
        ("workspace", view.workspace.into()),
        ("answer_within_seconds", view.answer_within.into()),
        ("strategy", strategy.into()),
        ("failed_last_time", failed.into()),
        (
            "answer",
            Value::object([
                ("implementation_summary", "a text".into()),
                ("files_changed", "a list of paths".into()),
                ("tests_run", "a list of commands, each a text or a list of words".into()),
                ("test_results", "a text; it is recorded and never believed".into()),
            ]),
        ),
        (
            "answer_example",
            Value::object([
                ("implementation_summary", "What was changed, and why.".into()),
                ("files_changed", Value::list(["src/example.rs"])),
                ("tests_run", Value::list(package.tests.iter().map(Value::list))),
                ("test_results", "12 passed, 0 failed".into()),
            ]),
        ),
    ])
}

/// The contract of a checker.
pub fn checker_contract(view: &CheckerView<'_>) -> Value {
    let package = view.package;
    Value::object([
        ("schema_version", 1.into()),
        ("role", Role::Checker.into()),
        ("mission", view.mission.into()),
        ("child", view.child.into()),
        ("objective", view.package.is_none().then_some(view.objective).into()),
        ("work_package", package.map(|package| &package.id).into()),
        ("title", package.map(|package| package.title.as_str()).into()),
        ("description", package.map(|package| package.description.as_str()).into()),
        ("scope", package.map(|package| Value::list(&package.scope)).into()),
        ("acceptance", Value::list(view.acceptance.iter().copied())),
        ("workspace", view.workspace.into()),
        ("answer_within_seconds", view.answer_within.into()),
        ("diff", view.diff.into()),
        ("diff_is_cut", view.diff_is_cut.into()),
        ("checks", Value::List(view.checks.clone())),
        ("answer", Value::object([("verdict", "pass or fail".into()), ("findings", "a list of texts".into())])),
        (
            "answer_example",
            Value::object([
                ("verdict", "fail".into()),
                ("findings", Value::list(["src/example.rs: what is wrong there, and what shows it"])),
            ]),
        ),
    ])
}

/// What the program of a provider is told.
pub fn prompt(role: Role, contract: &Value) -> String {
    const TEXT: &str = include_str!("../../templates/mission/prompt.md");
    TEXT.replace("{role}", role.as_str()).replace("{contract}", contract.pretty().trim_end())
}
