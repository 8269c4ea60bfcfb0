//! The plan of a mission: its work packages, what each depends on, what it may touch, how it is tested.
//!
//! A plan is read whole and every fault of it is said at once (`read`); one that holds is a value of these types. Not here: what
//! the packages are worth in risk (`risk`) and which comes next (`scheduler`).

mod form;
mod graph;
mod problem;
mod read;

pub use problem::{Problem, ProblemKind};
pub use read::read;

use super::id::PackageId;
use crate::domain::json::Value;
use crate::domain::mode::Mode;
use crate::domain::policy::Risk;
use crate::domain::word::words;

words! {
    /// How much work a package is. It decides nothing.
    Size, "a size" {
        /// An hour or so.
        S = "S",
        /// A day.
        M = "M",
        /// A few days.
        L = "L",
        /// More.
        Xl = "XL",
    }
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the mission is for.
    pub objective: String,
    /// The work packages, as written.
    pub packages: Vec<WorkPackage>,
    /// Their ids in the order of work: what a package depends on stands before it.
    pub order: Vec<PackageId>,
}

/// A work package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkPackage {
    /// Its id.
    pub id: PackageId,
    /// A few words.
    pub title: String,
    /// What is to be done.
    pub description: String,
    /// How much it is.
    pub size: Size,
    /// The declared risk.
    pub risk: Risk,
    /// What must be done before.
    pub depends_on: Vec<PackageId>,
    /// Patterns of the paths that it may change.
    pub scope: Vec<String>,
    /// What it is about, in single words.
    pub targets: Vec<String>,
    /// The commands that test it.
    pub tests: Vec<Vec<String>>,
    /// When it is accepted.
    pub acceptance: Vec<String>,
    /// The kind of its runs.
    pub mode: Mode,
}

impl Plan {
    /// As JSON, in the form in which it is read.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("objective", self.objective.as_str().into()),
            ("work_packages", Value::list(self.packages.iter().map(WorkPackage::to_value))),
            ("order", Value::list(&self.order)),
        ])
    }

    /// The same plan with every text of it rewritten: how secrets are taken out. Names, patterns and commands stay.
    pub fn rewritten(mut self, rewrite: &impl Fn(&str) -> String) -> Plan {
        self.objective = rewrite(&self.objective);
        for package in &mut self.packages {
            package.title = rewrite(&package.title);
            package.description = rewrite(&package.description);
            package.acceptance.iter_mut().for_each(|line| *line = rewrite(line));
        }
        self
    }
}

impl WorkPackage {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("id", (&self.id).into()),
            ("title", self.title.as_str().into()),
            ("description", self.description.as_str().into()),
            ("size", self.size.into()),
            ("risk_class", self.risk.into()),
            ("depends_on", Value::list(&self.depends_on)),
            ("scope", Value::list(&self.scope)),
            ("targets", Value::list(&self.targets)),
            ("tests", Value::list(self.tests.iter().map(Value::list))),
            ("acceptance", Value::list(&self.acceptance)),
            ("mode", self.mode.into()),
        ])
    }
}
