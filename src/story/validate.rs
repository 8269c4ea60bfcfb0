//! The check before a run: what the files say, weighed against each other, and what the caller saw of the project.

use super::deadlock::arrows;
use super::file::StoryFile;
use super::finding::{Finding, Kind, Severity};
use super::graph::Graph;
use super::id::StoryId;
use super::settings::Settings;
use super::status::{Role, Status};
use crate::domain::json::Value;
use std::collections::HashMap;

/// A story as it was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// Its file, relative to the project.
    pub file: String,
    /// Its id.
    pub id: StoryId,
    /// What it says.
    pub story: StoryFile,
}

/// What the caller saw of the project; only a disk can tell.
#[derive(Clone, Debug, Default)]
pub struct ProjectFacts {
    /// The configuration's file, as it is called.
    pub config_file: String,
    /// It is not there.
    pub config_missing: bool,
    /// It cannot be read, and why.
    pub config_fault: Option<String>,
    /// Keys that nothing reads: the key, its line, the nearest known one.
    pub unknown_keys: Vec<(String, Option<u32>, Option<String>)>,
    /// The folder of the stories, and whether it is there.
    pub stories_dir: (String, bool),
    /// Paths that cannot be written.
    pub unwritable: Vec<String>,
    /// Story files that cannot be read, and why.
    pub unreadable: Vec<(String, String)>,
    /// What the roles need.
    pub roles: Vec<RoleFacts>,
    /// Git is enabled.
    pub git_enabled: bool,
    /// There is a repository.
    pub repository: bool,
    /// An orchestrator that is at work: how it is called.
    pub orchestrator: Option<String>,
}

/// What the caller saw of a role.
#[derive(Clone, Debug)]
pub struct RoleFacts {
    /// The role.
    pub role: Role,
    /// The name of its provider.
    pub provider: String,
    /// The provider is known.
    pub known: bool,
    /// Its program, and whether it can be started.
    pub program: (String, bool),
    /// What the program says its version is, or why it says none; `None` where nobody asked.
    pub version: Option<Result<String, String>>,
    /// Its instructions, and whether they are there.
    pub instructions: (String, bool),
}

/// Everything that is wrong, files in their order, then lines; what is not about a file comes first.
pub fn validate(project: &ProjectFacts, settings: &Settings, stories: &[Read]) -> Vec<Finding> {
    let mut found = Vec::new();
    config(project, &mut found);
    limits(settings, project, &mut found);
    if stories.is_empty() && project.unreadable.is_empty() {
        found.push(Finding::new(Kind::StoriesNone, format!("there are no stories in {}", project.stories_dir.0)));
    }
    for (file, why) in &project.unreadable {
        found.push(Finding::new(Kind::StoryUnreadable, why.as_str()).file(file));
    }
    files(stories, &mut found);
    dependencies(stories, &mut found);
    found.sort_by(|one, other| {
        (&one.file, one.line, one.kind, &one.message).cmp(&(&other.file, other.line, other.kind, &other.message))
    });
    found
}

/// 0 clean, 1 errors, 2 warnings only.
pub fn exit_code(findings: &[Finding]) -> u8 {
    match findings.iter().map(|finding| finding.severity).min() {
        None => 0,
        Some(Severity::Error) => 1,
        Some(Severity::Warning) => 2,
    }
}

/// The JSON of a check.
pub fn to_value(findings: &[Finding]) -> Value {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let mut clean: Vec<&str> = Kind::ALL.iter().map(|kind| kind.category()).collect();
    clean.sort_unstable();
    clean.dedup();
    clean.retain(|category| findings.iter().all(|finding| finding.kind.category() != *category));
    Value::object([
        ("schema_version", 1.into()),
        ("ok", clean.len().into()),
        ("errors", count(Severity::Error).into()),
        ("warnings", count(Severity::Warning).into()),
        ("exit_code", u32::from(exit_code(findings)).into()),
        ("findings", Value::list(findings.iter().map(Finding::to_value))),
    ])
}

fn config(project: &ProjectFacts, found: &mut Vec<Finding>) {
    let here = |kind, message: String| Finding::new(kind, message).file(&project.config_file);
    if project.config_missing {
        found.push(here(Kind::ConfigMissing, "there is no configuration; the defaults hold".to_owned()));
    }
    if let Some(fault) = &project.config_fault {
        found.push(here(Kind::ConfigUnreadable, fault.clone()));
    }
    for (key, line, near) in &project.unknown_keys {
        let near = near.as_ref().map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        let finding = here(Kind::ConfigUnknownKey, format!("nothing reads '{key}'{near}"));
        found.push(line.map_or(finding.clone(), |line| finding.line(line)));
    }
    if !project.stories_dir.1 {
        let message = format!("the folder {} is not there", project.stories_dir.0);
        found.push(Finding::new(Kind::StoriesDirMissing, message));
    }
    for path in &project.unwritable {
        found.push(Finding::new(Kind::PathUnwritable, "this cannot be written").file(path));
    }
    for role in &project.roles {
        let name = role.role;
        if !role.known {
            let message = format!("{name}: nobody knows the provider '{}'", role.provider);
            found.push(Finding::new(Kind::ProviderUnknown, message));
            continue;
        }
        if !role.program.1 {
            let message = format!("{name}: the program '{}' of {} is not there", role.program.0, role.provider);
            found.push(Finding::new(Kind::ProviderMissing, message));
        }
        if let Some(Err(why)) = &role.version {
            let message = format!("{name}: '{} --version' says no version: {why}", role.program.0);
            found.push(Finding::new(Kind::ProviderSilent, message));
        }
        if !role.instructions.1 {
            let message = format!("{name}: the instructions {} are not there", role.instructions.0);
            found.push(Finding::new(Kind::InstructionsMissing, message));
        }
    }
    if project.git_enabled && !project.repository {
        found.push(Finding::new(Kind::GitMissing, "git is enabled and there is no repository: nothing can be undone"));
    }
    if let Some(name) = &project.orchestrator {
        found.push(Finding::new(Kind::OrchestratorLive, format!("an orchestrator is at work here: {name}")));
    }
}

fn limits(settings: &Settings, project: &ProjectFacts, found: &mut Vec<Finding>) {
    let mut zero = |value: u64, key: &str, effect: &str| {
        if value == 0 {
            let message = format!("limits.{key} = 0: {effect}");
            found.push(Finding::new(Kind::LimitImpossible, message).file(&project.config_file));
        }
    };
    zero(settings.agent_timeout_seconds, "agent_timeout_seconds", "every agent is over before it begins");
    zero(settings.max_reject_cycles.into(), "max_reject_cycles", "it is taken as 1");
    zero(settings.max_retries_per_step.into(), "max_retries_per_step", "it is taken as 1");
    let wall = settings.max_wall_time_seconds;
    if wall > 0 && wall < settings.agent_timeout_seconds {
        let message = format!(
            "limits.max_wall_time_seconds = {wall} is less than one turn may take ({})",
            settings.agent_timeout_seconds
        );
        found.push(Finding::new(Kind::LimitImpossible, message).file(&project.config_file).warning());
    }
}

fn files(stories: &[Read], found: &mut Vec<Finding>) {
    let mut ids: HashMap<String, &Read> = HashMap::new();
    let mut titles: HashMap<&str, &Read> = HashMap::new();
    for read in stories {
        let here = |finding: Finding| finding.file(&read.file).story(read.id.as_str());
        found.extend(read.story.findings.iter().cloned().map(here));
        if read.id.number().is_none() {
            let message = format!("the id {} has no number, so its place in the order is the last", read.id);
            found.push(here(Finding::new(Kind::IdWithoutNumber, message)));
        }
        let same_id = ids.insert(read.id.as_str().to_ascii_uppercase(), read);
        if let Some(first) = same_id {
            let message = format!("{} has the same id as {}", read.file, first.file);
            found.push(here(Finding::new(Kind::IdTwice, message)));
        }
        if let Some(title) = &read.story.title_id
            && let Some(first) = titles.insert(title, read)
            && same_id.is_none()
        {
            let message = format!("the title names {title}, as that of {} does", first.file);
            found.push(here(Finding::new(Kind::TitleTwice, message).line(1)));
        }
    }
}

fn dependencies(stories: &[Read], found: &mut Vec<Finding>) {
    let names: Vec<Vec<&str>> = stories
        .iter()
        .map(|read| read.story.dependencies.iter().map(|dependency| dependency.id.as_str()).collect())
        .collect();
    let pairs = stories.iter().map(|read| &read.id).zip(names.iter().map(Vec::as_slice));
    let graph = Graph::of(pairs);
    for (node, read) in stories.iter().enumerate() {
        let here = |finding: Finding| finding.file(&read.file).story(read.id.as_str());
        for dependency in &read.story.dependencies {
            let finding = match graph.find(&dependency.id) {
                None => {
                    let near = nearest(&dependency.id, stories, &graph);
                    Finding::new(Kind::DependencyMissing, format!("{} does not exist{near}", dependency.id))
                }
                Some(dep) if stories.get(dep).is_some_and(|read| read.story.state() == Some(Status::Failed)) => {
                    let done =
                        stories.get(node).is_some_and(|read| read.story.state().is_some_and(Status::is_terminal));
                    if done {
                        continue;
                    }
                    let message = format!("{} was given up, so this story stays blocked", dependency.id);
                    Finding::new(Kind::DependencyFailed, message)
                }
                Some(_) => continue,
            };
            found.push(here(finding.line(dependency.line)));
        }
    }
    for cycle in graph.cycles(|_| true) {
        let path: Vec<StoryId> =
            cycle.iter().filter_map(|node| stories.get(*node)).map(|read| read.id.clone()).collect();
        let Some((first, next)) = cycle.first().and_then(|node| stories.get(*node)).zip(cycle.get(1).or(cycle.first()))
        else {
            continue;
        };
        let line = first.story.dependencies.iter().find(|dependency| graph.find(&dependency.id) == Some(*next));
        let finding = Finding::new(Kind::Cycle, format!("these stories wait for each other: {}", arrows(&path)));
        let finding = finding.file(&first.file).story(first.id.as_str());
        found.push(match line {
            Some(dependency) => finding.line(dependency.line),
            None => finding,
        });
    }
}

/// A story with the same number, written otherwise.
fn nearest(name: &str, stories: &[Read], graph: &Graph) -> String {
    let number = StoryId::of(name).number();
    // Asked only for names that are missing; a backlog full of them must not cost a search each.
    let digits = number.unwrap_or(0);
    let near = [3, 2, 4, 5, 1].into_iter().find_map(|width| graph.find(&format!("STORY-{digits:0width$}")));
    match near.and_then(|node| stories.get(node)).filter(|_| number.is_some()) {
        Some(read) => format!("; did you mean {}?", read.id),
        None => String::new(),
    }
}
