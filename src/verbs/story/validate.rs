//! `story validate`: what the files say, and what only the machine can tell: programs and their versions, instructions, paths,
//! a run at work. Of a program only its version is asked.

use super::config::{self, Configured};
use super::load::Backlog;
use super::run::lock;
use super::{Place, cast};
use crate::diagnostics::{Code, Result};
use crate::git::Repository;
use crate::os::environment::Environment;
use crate::os::files;
use crate::os::process::{self, Ended, Invocation, Limits};
use crate::story::config::StoryConfig;
use crate::story::validate::{ProjectFacts, RoleFacts, validate as weigh};
use crate::story::{Finding, Kind, Role};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What was looked at, and what is wrong with it.
#[derive(Debug)]
pub struct Outcome {
    /// How many stories there are.
    pub stories: usize,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// The programs of the providers, and what they say their versions are.
    pub versions: BTreeMap<String, String>,
}

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// Checks a project. A configuration that cannot be read is a finding, and the last one: nothing else can be judged.
pub fn validate(
    environment: &Environment,
    place: &Place,
    named: Option<&Path>,
    provider: Option<&str>,
) -> Result<Outcome> {
    let mut read = match config::read(&place.root, named) {
        Ok(read) => read,
        Err(error) if matches!(error.code, Code::Rapid1600 | Code::Rapid1601 | Code::Rapid002) => {
            let kind = if error.code == Code::Rapid1601 { Kind::ConfigUnknownKey } else { Kind::ConfigUnreadable };
            let hints: String = error.hints.iter().map(|hint| format!("; {hint}")).collect();
            let mut finding = Finding::new(kind, error.message + &hints);
            // An unknown key is refused in our file, so nothing runs before it is mended.
            finding.severity = crate::story::Severity::Error;
            finding.file = error.path.map(|path| relative(&place.root, &path));
            return Ok(Outcome { stories: 0, findings: vec![finding], versions: BTreeMap::new() });
        }
        Err(error) => return Err(error),
    };
    if let Some(provider) = provider {
        read.config.agents.played_by(provider);
    }
    let backlog = Backlog::read(&place.root, &read.config.directories)?;
    let facts = facts(environment, place, &read, &backlog);
    let findings = weigh(&facts, &read.config.settings, &backlog.stories);
    let said = facts.roles.iter().filter_map(|role| Some((role.program.0.clone(), role.version.clone()?.ok()?)));
    let stories = backlog.stories.len() + backlog.unreadable.len();
    Ok(Outcome { stories, findings, versions: said.collect() })
}

fn relative(root: &Path, path: &str) -> String {
    Path::new(path).strip_prefix(root).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn facts(environment: &Environment, place: &Place, read: &Configured, backlog: &Backlog) -> ProjectFacts {
    let config = &read.config;
    let mut asked = BTreeMap::new();
    ProjectFacts {
        config_file: read.file.clone(),
        config_missing: read.is_missing,
        config_fault: None,
        unknown_keys: read.unread.iter().map(|(one, line)| (one.key.clone(), *line, one.near.clone())).collect(),
        stories_dir: (config.directories.stories.clone(), backlog.is_there),
        unwritable: unwritable(&place.root, config),
        unreadable: backlog.unreadable.clone(),
        roles: Role::ALL.iter().map(|role| role_facts(environment, &place.root, config, *role, &mut asked)).collect(),
        git_enabled: config.git_enabled,
        repository: place.repository.is_some(),
        orchestrator: place.repository.as_ref().and_then(at_work),
    }
}

/// The run that is at work, as people call it.
fn at_work(repository: &Repository) -> Option<String> {
    let holder = lock::holder(repository).ok()??;
    Some(match holder.pid {
        0 => "a process that has not said its name".to_owned(),
        pid => format!("process {pid} in {}", holder.project),
    })
}

fn unwritable(root: &Path, config: &StoryConfig) -> Vec<String> {
    let places = &config.directories;
    let mut paths = vec![&places.stories, &places.decisions, &places.logs];
    paths.retain(|path| !files::takes_files(&root.join(path)));
    paths.into_iter().cloned().collect()
}

/// The first line that a program says to `--version`, or why it says none.
fn version(environment: &Environment, program: &str) -> std::result::Result<String, String> {
    let asked = Invocation::new(program, environment.without_git()).arguments(["--version"]).deadline(PATIENCE);
    let answer = process::output(&asked, None, Limits::default()).map_err(|error| error.message)?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    match (answer.ended, line) {
        (Ended::TimedOut, _) => Err("it took too long".to_owned()),
        (ended, Some(line)) if ended.exit_code() == 0 => Ok(line.chars().take(200).collect()),
        (ended, _) if ended.exit_code() == 0 => Err("it says nothing".to_owned()),
        (ended, _) => Err(format!("it ends with status {}", ended.exit_code())),
    }
}

fn role_facts(
    environment: &Environment,
    root: &Path,
    config: &StoryConfig,
    role: Role,
    versions: &mut BTreeMap<String, std::result::Result<String, String>>,
) -> RoleFacts {
    let asked = config.agents.provider(role).to_owned();
    let here = environment.clone().in_directory(root);
    match cast(root, config, role) {
        None => RoleFacts {
            role,
            provider: asked,
            known: false,
            program: (String::new(), false),
            version: None,
            instructions: (String::new(), false),
        },
        Some((provider, instructions)) => {
            let is_there = here.find_program(&provider.binary).is_some();
            let mut ask = || {
                let said = versions.entry(provider.binary.clone());
                said.or_insert_with(|| version(&here, &provider.binary)).clone()
            };
            RoleFacts {
                role,
                known: true,
                version: is_there.then(&mut ask),
                program: (provider.binary.clone(), is_there),
                instructions: (instructions.clone(), root.join(&instructions).is_file()),
                provider: provider.title,
            }
        }
    }
}
