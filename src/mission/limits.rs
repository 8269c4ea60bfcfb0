//! What ends everything: the limits, what one call of `run` may still spend, and the bound that follows from both.

use super::id::PackageId;
use crate::diagnostics::{Code, Result};
use crate::domain::config::Table;
use crate::domain::json::{Fields, Value};
use crate::domain::quantity;
use crate::safety;
use std::collections::BTreeSet;

/// The limits of a mission. They can be lowered, never raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    packages: u32,
    repairs: u32,
    same_signature: u32,
    children: u32,
    runtime: u32,
}

impl Limits {
    /// The highest there are.
    pub const HIGHEST: Limits = Limits { packages: 12, repairs: 3, same_signature: 2, children: 3, runtime: 1000 };

    /// Work packages that one run may begin.
    pub fn packages(self) -> usize {
        self.packages as usize
    }

    /// Children that may be at work at the same time.
    pub fn children(self) -> usize {
        self.children as usize
    }

    /// The steps, and the seconds, of one run.
    pub fn runtime(self) -> u32 {
        self.runtime
    }

    /// Those of a single work package.
    pub fn safety(self) -> safety::Limits {
        safety::Limits::lowered(self.repairs, self.same_signature)
    }

    /// Lower ones, where a number is lower.
    pub fn lowered(self, other: Limits) -> Limits {
        Limits {
            packages: self.packages.min(other.packages),
            repairs: self.repairs.min(other.repairs),
            same_signature: self.same_signature.min(other.same_signature),
            children: self.children.min(other.children),
            runtime: self.runtime.min(other.runtime),
        }
    }

    /// As JSON.
    pub fn to_value(self) -> Value {
        Value::object([
            ("max_work_packages_per_run", self.packages.into()),
            ("max_repair_cycles", self.repairs.into()),
            ("max_same_error_signature", self.same_signature.into()),
            ("max_children_active", self.children.into()),
            ("max_bounded_runtime", self.runtime.into()),
        ])
    }

    /// Reads them; what is above the highest is a fault of whoever wrote it.
    pub fn from_value(value: Value, code: Code) -> Result<Limits> {
        let mut fields = Fields::of(value, code, "the limits of a mission")?;
        let mut number = |key: &'static str, least: i64, most: u32| -> Result<u32> {
            let number = fields.number(key, least)?;
            let small = u32::try_from(number).ok().filter(|number| *number <= most);
            small.ok_or_else(|| code.because(format!("'{key}' may be lowered, not raised above {most}")))
        };
        let highest = Limits::HIGHEST;
        let limits = Limits {
            packages: number("max_work_packages_per_run", 1, highest.packages)?,
            repairs: number("max_repair_cycles", 0, highest.repairs)?,
            same_signature: number("max_same_error_signature", 1, highest.same_signature)?,
            children: number("max_children_active", 1, highest.children)?,
            runtime: number("max_bounded_runtime", 1, highest.runtime)?,
        };
        fields.end().map(|()| limits)
    }
}

/// The `[mission]` table of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissionConfig {
    /// The limits.
    pub limits: Limits,
    /// More words that a person has to allow, as approval targets.
    pub approval_targets: Vec<String>,
    /// Who plays the maker.
    pub maker: Option<String>,
    /// Who plays the checker.
    pub checker: Option<String>,
    /// How long an agent outside has for its answer, in seconds.
    pub answer_within: i64,
}

/// The longest that an agent outside may be given, in seconds: a week.
const LONGEST_ANSWER: i64 = 7 * 86_400;

impl MissionConfig {
    /// Reads the table (RAPID1600, RAPID1601); without one, everything is at its default.
    pub fn read(table: Option<&Value>) -> Result<MissionConfig> {
        let mut table = Table::of("mission", table.cloned().unwrap_or(Value::object([])))?;
        let mut limit = |key: &str, least: u32, most: u32| -> Result<u32> {
            let Some(number) = table.number(key)? else { return Ok(most) };
            let small = u32::try_from(number).ok().filter(|number| (least..=most).contains(number));
            small.ok_or_else(|| {
                Code::Rapid1600
                    .because(format!("'mission.{key}' must lie between {least} and {most}"))
                    .hint("the limits of a mission can be lowered, never raised")
            })
        };
        let highest = Limits::HIGHEST;
        let limits = Limits {
            packages: limit("max_work_packages_per_run", 1, highest.packages)?,
            repairs: limit("max_repair_cycles", 0, highest.repairs)?,
            same_signature: limit("max_same_error_signature", 1, highest.same_signature)?,
            children: limit("max_children_active", 1, highest.children)?,
            runtime: limit("max_bounded_runtime", 1, highest.runtime)?,
        };
        let approval_targets = table.texts("approval_targets")?;
        let provider = table.text("provider")?;
        let maker = table.text("maker")?.or_else(|| provider.clone());
        let checker = table.text("checker")?.or(provider);
        let answer_within = match table.text("answer_within")? {
            None => i64::from(highest.runtime),
            Some(text) => {
                let given = quantity::duration(&text).ok().and_then(|limit| i64::try_from(limit.as_secs()).ok());
                given.filter(|seconds| (1..=LONGEST_ANSWER).contains(seconds)).ok_or_else(|| {
                    Code::Rapid1600
                        .because("'mission.answer_within' must lie between a second and a week")
                        .hint("write it like \"45m\" or \"4h\"")
                })?
            }
        };
        table.end()?;
        Ok(MissionConfig { limits, approval_targets, maker, checker, answer_within })
    }
}

/// The most steps from any state to an end of `run`, for so many work packages that may be worked.
///
/// Each attempt is at most a maker, a test, a checker and the taking of its work. There is one attempt more than there are
/// repair cycles; one second opinion, and the taking of what it passed. The mission itself: it becomes active, its final
/// test, its final review, and one step that ends it.
pub fn most_steps(packages: usize, limits: Limits) -> usize {
    let attempts = limits.repairs as usize + 1;
    let worked = packages.min(limits.packages());
    (worked * (attempts * 4 + 2) + 4).min(limits.runtime as usize)
}

/// What one call of `run` may still spend.
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    begun: BTreeSet<PackageId>,
    steps: u32,
    seconds: u64,
}

impl Budget {
    /// All of it.
    pub fn of(limits: Limits) -> Budget {
        Budget { limits, begun: BTreeSet::new(), steps: 0, seconds: 0 }
    }

    /// Whether a maker may be started for this work package: one that the run has begun, or one more.
    pub fn may_begin(&self, package: &PackageId) -> bool {
        self.begun.contains(package) || self.begun.len() < self.limits.packages()
    }

    /// Spends a step, on this work package where it is one's maker.
    pub fn spend(&mut self, package: Option<&PackageId>) {
        self.steps = self.steps.saturating_add(1);
        self.begun.extend(package.cloned());
    }

    /// Time goes by.
    pub fn elapsed(&mut self, seconds: u64) {
        self.seconds = seconds;
    }

    /// Whether nothing more may be started.
    pub fn is_used_up(&self) -> bool {
        self.steps >= self.limits.runtime || self.seconds >= u64::from(self.limits.runtime)
    }

    /// The steps that were spent.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The seconds that are left.
    pub fn seconds_left(&self) -> u64 {
        u64::from(self.limits.runtime).saturating_sub(self.seconds)
    }
}
