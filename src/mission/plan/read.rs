//! Reading a plan: every fault at once, each with a name and a pointer to where it stands.

use super::super::id::PackageId;
use super::form::{LINE, Reader};
use super::problem::{Problem, ProblemKind};
use super::{Plan, Size, WorkPackage, graph};
use crate::diagnostics::Code;
use crate::domain::harmless::harmless;
use crate::domain::json::Value;
use crate::domain::mode::Mode;
use crate::domain::policy::Risk;
use std::collections::{BTreeMap, BTreeSet};

/// The most work packages of a plan.
const PACKAGES: usize = 2_000;
const TITLE: usize = 200;
const TEXT: usize = 10_000;
const LIST: usize = 100;

/// Reads a plan, or says everything that is wrong with it.
pub fn read(value: Value) -> Result<Plan, Vec<Problem>> {
    let mut reader = Reader::default();
    let plan = reader.plan(value);
    match plan {
        Some(plan) if reader.problems.is_empty() => Ok(plan),
        _ => Err(reader.problems),
    }
}

impl Reader {
    fn plan(&mut self, value: Value) -> Option<Plan> {
        let mut members = self.members(value, "")?;
        match self.take(&mut members, "", "schema_version") {
            Some(Value::Int(1)) | None => {}
            Some(_) => self.say(ProblemKind::UnknownVersion, "/schema_version", "the version of a plan is 1"),
        }
        let objective = self.text(&mut members, "", "objective", TEXT);
        let listed = self.list(&mut members, "", "work_packages", PACKAGES);
        let order = self.list(&mut members, "", "order", PACKAGES);
        self.end(members, "");
        let listed = listed?;
        if listed.is_empty() {
            self.say(ProblemKind::Limit, "/work_packages", "a plan has at least one work package");
        }
        let mut packages = Vec::new();
        let mut whole = true;
        for (at, item) in listed.into_iter().enumerate() {
            match self.package(item, &format!("/work_packages/{at}")) {
                Some(package) => packages.push((at, package)),
                None => whole = false,
            }
        }
        let ids = self.ids(&packages);
        let order = self.order(order?, &ids);
        let packages: Vec<WorkPackage> = packages.into_iter().map(|(_, package)| package).collect();
        // What was not read is missing from the graph, and would be reported again as what nobody knows.
        if !whole {
            return None;
        }
        self.dependencies(&packages, &ids);
        self.sequence(&packages, &order);
        Some(Plan { objective: objective?, packages, order })
    }

    fn package(&mut self, value: Value, at: &str) -> Option<WorkPackage> {
        let mut members = self.members(value, at)?;
        let id = self.text(&mut members, at, "id", LINE);
        let id = id.and_then(|text| self.id(&text, &format!("{at}/id")));
        let title = self.text(&mut members, at, "title", TITLE);
        if title.as_ref().is_some_and(|title| title.contains(char::is_control) || harmless(title) != *title) {
            let message = "a title is one line without characters that cannot be seen".to_owned();
            self.say(ProblemKind::Limit, &format!("{at}/title"), message);
        }
        let description = self.text(&mut members, at, "description", TEXT);
        let size = self.word(&mut members, at, "size", ProblemKind::UnknownWord, &|text| {
            Size::parse(text, Code::Rapid1900).map_err(|error| error.message)
        });
        let risk = self.word(&mut members, at, "risk_class", ProblemKind::UnknownRisk, &|text| {
            Risk::parse(text, Code::Rapid1900).map_err(|error| error.message)
        });
        let depends_on = self.texts(&mut members, at, "depends_on", PACKAGES);
        let scope = self.texts(&mut members, at, "scope", LIST);
        let targets = self.texts(&mut members, at, "targets", LIST);
        let tests = self.commands(&mut members, at);
        let acceptance = self.texts(&mut members, at, "acceptance", LIST);
        let mode = match members.contains_key("mode") {
            false => Some(Mode::Feature),
            true => self.word(&mut members, at, "mode", ProblemKind::UnknownWord, &|text| {
                Mode::from_alias(text).ok_or_else(|| format!("'{}' is not a mode", text.escape_debug()))
            }),
        };
        self.end(members, at);
        if let Some(scope) = &scope {
            self.scope(scope, &format!("{at}/scope"));
        }
        let depends_on = depends_on.map(|texts| {
            let ids = texts.iter().enumerate().map(|(n, text)| self.id(text, &format!("{at}/depends_on/{n}")));
            ids.collect::<Vec<_>>()
        });
        Some(WorkPackage {
            id: id?,
            title: title?,
            description: description?,
            size: size?,
            risk: risk?,
            depends_on: depends_on?.into_iter().collect::<Option<_>>()?,
            scope: scope?,
            targets: targets?,
            tests: tests?,
            acceptance: acceptance?,
            mode: mode?,
        })
    }

    fn commands(&mut self, members: &mut BTreeMap<String, Value>, at: &str) -> Option<Vec<Vec<String>>> {
        let listed = self.list(members, at, "tests", LIST)?;
        let pointer = format!("{at}/tests");
        if listed.is_empty() {
            self.say(ProblemKind::NoTests, &pointer, "a work package names at least one command that tests it");
        }
        let mut commands = Vec::new();
        for (n, item) in listed.into_iter().enumerate() {
            let words: Option<Vec<String>> = item.as_list().map(|words| {
                words.iter().filter_map(Value::as_text).filter(|word| word.len() <= LINE).map(str::to_owned).collect()
            });
            let count = item.as_list().map_or(0, <[Value]>::len);
            match words.filter(|words| words.len() == count && words.first().is_some_and(|word| !word.is_empty())) {
                Some(words) => commands.push(words),
                None => self.say(
                    ProblemKind::WrongType,
                    &format!("{pointer}/{n}"),
                    "a command is a list of words, like [\"cargo\", \"test\"]",
                ),
            }
        }
        Some(commands)
    }

    fn scope(&mut self, scope: &[String], at: &str) {
        if scope.is_empty() {
            self.say(ProblemKind::EmptyScope, at, "a work package names at least one path that it may change");
        }
        for (n, pattern) in scope.iter().enumerate() {
            if let Some(why) = unsafe_pattern(pattern) {
                let message = format!("'{}' {why}", pattern.escape_debug());
                self.say(ProblemKind::UnsafeScope, &format!("{at}/{n}"), message);
            }
        }
    }

    fn ids(&mut self, packages: &[(usize, WorkPackage)]) -> BTreeSet<PackageId> {
        let mut known = BTreeSet::new();
        for (at, package) in packages {
            if !known.insert(package.id.clone()) {
                let pointer = format!("/work_packages/{at}/id");
                self.say(ProblemKind::DuplicateId, &pointer, format!("'{}' is there twice", package.id));
            }
        }
        known
    }

    fn order(&mut self, order: Vec<Value>, known: &BTreeSet<PackageId>) -> Vec<PackageId> {
        let mut seen = BTreeSet::new();
        let mut ids = Vec::new();
        for (n, item) in order.iter().enumerate() {
            let pointer = format!("/order/{n}");
            let Some(text) = item.as_text() else {
                self.say(ProblemKind::WrongType, &pointer, "the order lists ids of work packages");
                continue;
            };
            let Some(id) = self.id(text, &pointer) else { continue };
            if !known.contains(&id) {
                self.say(ProblemKind::OrderIncomplete, &pointer, format!("there is no work package '{id}'"));
            } else if !seen.insert(id.clone()) {
                self.say(ProblemKind::OrderIncomplete, &pointer, format!("'{id}' is in the order twice"));
            } else {
                ids.push(id);
            }
        }
        for missing in known.difference(&seen) {
            self.say(ProblemKind::OrderIncomplete, "/order", format!("'{missing}' is not in the order"));
        }
        ids
    }

    fn dependencies(&mut self, packages: &[WorkPackage], known: &BTreeSet<PackageId>) {
        for (at, package) in packages.iter().enumerate() {
            for (n, need) in package.depends_on.iter().enumerate() {
                let pointer = format!("/work_packages/{at}/depends_on/{n}");
                if *need == package.id {
                    self.say(ProblemKind::SelfDependency, &pointer, format!("'{need}' depends on itself"));
                } else if !known.contains(need) {
                    self.say(ProblemKind::UnknownDependency, &pointer, format!("there is no work package '{need}'"));
                }
            }
        }
        let itself = packages.iter().any(|package| package.depends_on.contains(&package.id));
        if let Some(circle) = graph::circle(packages).filter(|_| !itself) {
            let path: Vec<&str> = circle.iter().map(PackageId::as_str).collect();
            let message = format!("the dependencies go round: {}", path.join(" → "));
            self.say(ProblemKind::Cycle, "/work_packages", message);
        }
    }

    fn sequence(&mut self, packages: &[WorkPackage], order: &[PackageId]) {
        let place: BTreeMap<&PackageId, usize> = order.iter().enumerate().map(|(n, id)| (id, n)).collect();
        for package in packages {
            let Some(own) = place.get(&package.id) else { continue };
            for need in package.depends_on.iter().filter(|need| place.get(need).is_some_and(|at| at > own)) {
                let message = format!("'{}' stands before '{need}', which it depends on", package.id);
                self.say(ProblemKind::OrderNotTopological, &format!("/order/{own}"), message);
            }
        }
    }

    fn id(&mut self, text: &str, pointer: &str) -> Option<PackageId> {
        let id = PackageId::parse(text);
        if id.is_none() {
            let message = format!("'{}' is not the id of a work package (like 'WP-001')", text.escape_debug());
            self.say(ProblemKind::InvalidId, pointer, message);
        }
        id
    }
}

/// Why a pattern is refused: it leaves the project, or reaches what keeps the records.
fn unsafe_pattern(pattern: &str) -> Option<&'static str> {
    let first = pattern.split('/').next().unwrap_or_default();
    let folded = pattern.to_lowercase();
    let in_git = |part: &str| part == ".git" || part.starts_with(".git~") || part == "git~1";
    if pattern.starts_with('/') || pattern.starts_with('~') || first.ends_with(':') {
        Some("is not below the project")
    } else if pattern.contains('\\') || pattern.chars().any(char::is_control) {
        Some("has characters that no path here has")
    } else if pattern.split('/').any(|part| matches!(part, ".." | "." | "")) {
        Some("has a part that is empty, '.' or '..'")
    } else if folded.split('/').any(in_git) {
        Some("reaches git's own files")
    } else if matches!(folded.split('/').next(), Some(".rapid" | ".regista")) {
        Some("reaches the rules that the work is judged by")
    } else if folded.starts_with("refs/rapid") {
        Some("reaches the ledger")
    } else if globset::GlobBuilder::new(pattern).literal_separator(true).build().is_err() {
        Some("is not a pattern")
    } else {
        None
    }
}
