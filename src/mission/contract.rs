//! What a child gets: the keys of its role and nothing else, so that a checker cannot see what a maker said.
//!
//! A contract is a function of its view. A checker's view has no place for a maker's answer, its run or its child.

use super::event::{Role, Setback};
use super::id::{ChildId, MissionId};
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
    /// What changed.
    pub diff: &'a str,
    /// Whether the diff is not all of it.
    pub diff_is_cut: bool,
    /// The recorded checks, each command with its outcome.
    pub checks: Vec<Value>,
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
        ("strategy", strategy.into()),
        ("failed_last_time", failed.into()),
        (
            "answer",
            Value::object([
                ("implementation_summary", "a text".into()),
                ("files_changed", "a list of paths".into()),
                ("tests_run", "a list of commands".into()),
                ("test_results", "a text; it is recorded and never believed".into()),
            ]),
        ),
    ])
}

/// The contract of a checker.
pub fn checker_contract(view: &CheckerView<'_>) -> Value {
    let package = view.package.map(|package| {
        Value::object([
            ("id", (&package.id).into()),
            ("title", package.title.as_str().into()),
            ("description", package.description.as_str().into()),
            ("scope", Value::list(&package.scope)),
        ])
    });
    Value::object([
        ("schema_version", 1.into()),
        ("role", Role::Checker.into()),
        ("mission", view.mission.into()),
        ("child", view.child.into()),
        ("objective", view.package.is_none().then_some(view.objective).into()),
        ("work_package", package.into()),
        ("acceptance", Value::list(view.acceptance.iter().copied())),
        ("workspace", view.workspace.into()),
        ("diff", view.diff.into()),
        ("diff_is_cut", view.diff_is_cut.into()),
        ("checks", Value::List(view.checks.clone())),
        ("answer", Value::object([("verdict", "pass or fail".into()), ("findings", "a list of texts".into())])),
    ])
}

/// What the program of a provider is told.
pub fn prompt(role: Role, contract: &Value) -> String {
    const TEXT: &str = include_str!("../../templates/mission/prompt.md");
    TEXT.replace("{role}", role.as_str()).replace("{contract}", contract.pretty().trim_end())
}
