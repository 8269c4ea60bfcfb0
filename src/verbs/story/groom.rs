//! `story groom`: the product owner makes a backlog of a specification. What it wrote is checked and goes back to it with its
//! faults, a bounded number of times.
//!
//! It may add stories and epics, nothing else: whatever else changed is put back, and stories that were there are told to it
//! and stay as they are. With `replace` they are kept aside first; a failure puts everything back.

pub(super) mod flight;
mod made;

use super::load::Backlog;
use super::run::journal::{Journal, Material};
use super::run::standing::Keeper;
use super::run::{self, checkpoint_file, interrupted, lock, log::Log};
use super::{Request, cast, require_providers};
use crate::agent;
use crate::check::redact::Redactor;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::config::Config;
use crate::git::{Keep, Repository};
use crate::os::clock::Moment;
use crate::os::{files, process, signals};
use crate::registry::{Registry, Trees};
use crate::safety::provider_fault;
use crate::story::prompt::{Groom, of_groom};
use crate::story::{Exit, Fact, Finding, Role, Severity};
use crate::verbs::{rapid::Rapid, work};
use made::Before;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest specification, in bytes.
const SPEC_CAP: u64 = 1 << 20;
/// How much of the instructions is put in front of a prompt, in bytes.
const INSTRUCTIONS: u64 = 1 << 20;

/// What is asked.
pub struct Wish {
    /// The file with the specification.
    pub spec: PathBuf,
    /// What is there goes.
    pub replace: bool,
    /// The most stories.
    pub most: Option<u32>,
}

/// What came of it.
#[derive(Debug)]
pub struct Made {
    /// The stories that were made.
    pub stories: Vec<String>,
    /// The epics that were made, as files.
    pub epics: Vec<String>,
    /// How often the product owner was called.
    pub calls: u32,
    /// What is still wrong with them.
    pub findings: Vec<Finding>,
    /// Where what was replaced is kept.
    pub kept: Option<PathBuf>,
}

impl Made {
    /// 0 all well, 2 with faults left.
    pub fn exit_code(&self) -> u8 {
        if self.findings.iter().any(|finding| finding.severity == Severity::Error) { 2 } else { 0 }
    }
}

/// A groom that is going on.
struct Groomer<'a> {
    repository: &'a Repository,
    request: &'a Request,
    prefix: String,
    config: Config,
    redactor: Redactor,
    log: Log<'a>,
}

/// Makes a backlog. `live` is told what happens, a line each.
///
/// # Errors
/// RAPID1850 for a specification that cannot be read, RAPID1851 when the product owner fails, RAPID1852 when it made nothing;
/// then everything is as it was.
pub fn groom(repository: &Repository, request: &Request, wish: &Wish, live: &mut dyn FnMut(&str)) -> Result<Made> {
    require_providers(&request.config)?;
    let spec = specification(&wish.spec)?;
    let ground = run::ground(repository, request)?;
    let file = request.log_file.as_ref().map(|path| path.display().to_string());
    let _lock = lock::take(repository, &request.root.display().to_string(), file.as_deref())?;
    signals::watch()?;
    let mut log = Log::open(request.log_file.as_deref(), live)?;
    interrupted::settle(repository, request, &mut log)?;
    let rapid = Rapid::of(repository.clone());
    let config = rapid.working_config()?;
    let redactor = rapid.redactor(&config)?;
    let places = &request.config.directories;
    for place in [&places.stories, &places.epics] {
        files::create_dir_all(&request.root.join(place))?;
    }
    let mut groomer = Groomer { repository, request, prefix: ground.prefix, config, redactor, log };
    let before = Before::of(request)?;
    let mut keeper = Keeper::at(lock::directory(repository).join("beside"));
    let standing = keeper.take(repository, &groomer.config, &groomer.below_top(&before.files()))?;
    let kept = match wish.replace {
        true => Some(before.set_aside(request, &lock::directory(repository).join("replaced"))?),
        false => None,
    };
    if let Some(kept) = &kept {
        groomer.log.line(&format!("what is replaced is kept in '{}'", kept.display()));
    }
    let existing = if wish.replace { Before::default() } else { before.clone() };
    flight::write(repository, &mark(), kept.as_deref())?;
    let made = groomer.rounds(wish, &spec, &existing, (&keeper, &standing));
    let made = made.and_then(|made| {
        let after = work::snapshot(repository, &groomer.config, Keep::Objects)?.tree;
        let trees = Trees { before: Some(standing.tree), after: Some(after) };
        let (mut journal, _) = Journal::open(Registry::of(repository), &ground.backlog)?;
        journal.append(made.1, None, &Material { files: Vec::new(), trees })?;
        Ok(made.0)
    });
    let outcome = match made {
        Ok(made) => {
            if wish.replace {
                files::remove(&checkpoint_file(&request.root))?;
            }
            Ok(Made { kept, ..made })
        }
        Err(error) => {
            groomer.put_back((&keeper, &standing), &|_| true)?;
            // Where git does not look, the snapshot does not know what is new.
            before.remove_others(request)?;
            groomer.log.line("everything is as it was before");
            Err(error)
        }
    };
    keeper.clear();
    flight::clear(repository)?;
    outcome
}

/// The mark of this groom's processes.
fn mark() -> String {
    let pid = std::process::id();
    format!("groom-{pid}-{}", process::born(pid).unwrap_or_default())
}

impl Groomer<'_> {
    /// Asks, looks, and asks again: what was made, and the facts of it.
    fn rounds(
        &mut self,
        wish: &Wish,
        spec: &str,
        existing: &Before,
        standing: (&Keeper, &run::standing::Standing),
    ) -> Result<(Made, Vec<Fact>)> {
        let most = self.request.config.groom_max_iterations.max(1);
        let names = existing.names();
        let mut findings: Vec<Finding> = Vec::new();
        for call in 1..=most {
            let places = &self.request.config.directories;
            let prompt = of_groom(
                &Groom {
                    spec,
                    stories_dir: &places.stories,
                    epics_dir: &places.epics,
                    existing: &names,
                    most: wish.most,
                    date: &Moment::now().date,
                    findings: &findings,
                },
                self.request.config.language,
            );
            self.log.line(&format!("call {call}: the product owner makes a backlog of '{}'", wish.spec.display()));
            self.ask(call, &prompt)?;
            let ours = self.below_top(&[places.stories.clone(), places.epics.clone(), places.decisions.clone()]);
            let old = self.below_top(&existing.files());
            let strayed = self.put_back(standing, &|path| {
                old.binary_search_by(|known| known.as_str().cmp(path)).is_ok()
                    || !ours.iter().any(|place| is_below(path, place))
            })?;
            let backlog = Backlog::read(&self.request.root, places)?;
            findings = made::findings(&backlog, existing, &self.request.config.settings, &strayed);
            let wrong = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
            let stories = existing.new_stories(&backlog);
            self.log.line(&format!("{} new stories, {wrong} faults", stories.len()));
            if wrong > 0 && call < most {
                continue;
            }
            if stories.is_empty() {
                return Err(Code::Rapid1852
                    .because(format!("after {call} calls the product owner had made no story of the specification"))
                    .hint("see what it said in the decisions; a specification that names what to build helps"));
            }
            let facts = stories.iter().filter_map(|(id, status)| {
                status.filter(|_| id.is_recordable()).map(|status| Fact::Taken { story: id.clone(), status })
            });
            let facts = facts.collect();
            let stories = stories.into_iter().map(|(id, _)| id.to_string()).collect();
            let epics = existing.new_epics(self.request)?;
            return Ok((Made { stories, epics, calls: call, findings, kept: None }, facts));
        }
        Err(Code::Rapid003.because("the rounds of groom ended without an answer"))
    }

    /// One call of the product owner; an error when it failed.
    fn ask(&mut self, call: u32, prompt: &str) -> Result<()> {
        let request = self.request;
        let role = Role::ProductOwner;
        let (provider, instructions) = cast(&request.root, &request.config, role)
            .ok_or_else(|| Code::Rapid1701.because("nobody knows the provider of the product owner"))?;
        let there = request.root.join(&instructions).is_file().then_some(instructions.as_str());
        let prompt = match there.filter(|path| provider.instructions_in_prompt(path)) {
            None => prompt.to_owned(),
            Some(path) => {
                format!("{}\n\n---\n\n{prompt}", files::read_text(&request.root.join(path), INSTRUCTIONS)?.trim())
            }
        };
        let prompt_file = lock::directory(self.repository).join("prompt.md");
        let environment = self.repository.environment().clone().in_directory(&request.root);
        let answer = agent::turn::ask(
            &agent::turn::Ask {
                provider: &provider,
                model: request.config.agents.model(role),
                instructions: there,
                prompt: &prompt,
                prompt_file: &prompt_file,
                environment: &environment,
                deadline: Duration::from_secs(request.config.settings.agent_timeout_seconds.max(1)),
                redactor: &self.redactor,
                mark: &mark(),
            },
            &mut |_| {},
        )?;
        self.note(call, &answer.output);
        let failed = |why: String| {
            let end: Vec<&str> = answer.output.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
            let end: Vec<&str> = end.into_iter().rev().collect();
            Err(Code::Rapid1851
                .because(format!("the product owner {why}: {}", end.join(" · ")))
                .hint("its output lies in the folder of decisions"))
        };
        match answer.exit {
            Exit::Code(0) => Ok(()),
            Exit::Code(code) => match provider_fault(&answer.output) {
                Some(fault) => failed(format!("was refused by its provider ({fault})")),
                None => failed(format!("ended with status {code}")),
            },
            Exit::TimedOut => failed("took too long".to_owned()),
            Exit::NotStarted(why) => failed(format!("could not be started ({why})")),
            Exit::Ended => Err(Code::Rapid004.because("groom was asked to end")),
        }
    }

    /// Keeps what it said where people look for it.
    fn note(&mut self, call: u32, output: &str) {
        let directory = self.request.root.join(&self.request.config.directories.decisions);
        let name = format!("groom-product_owner-{}-{call}.md", Moment::now().compact());
        let text = format!("# groom, call {call}\n\n{}\n", output.trim());
        let written =
            files::create_dir_all(&directory).and_then(|()| files::note(&directory.join(name), text.as_bytes()));
        if let Err(error) = written {
            self.log.line(&format!("what it said cannot be written: {}", error.message));
        }
    }

    /// Puts back what changed where `which` says so; the paths, relative to the project.
    fn put_back(
        &mut self,
        (keeper, standing): (&Keeper, &run::standing::Standing),
        which: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let git = self.request.config.git_enabled;
        let decisions = format!("{}{}/", self.prefix, self.request.config.directories.decisions);
        let logs = &self.request.config.directories.logs;
        let now = work::snapshot(self.repository, &self.config, Keep::Objects)?.tree;
        let ours = |path: &str| path.starts_with(&decisions) || run::is_ours(path, &self.prefix, logs, None);
        let mut changes = keeper.changes(self.repository, standing, now, &ours)?;
        changes.retain(|change| which(&change.path));
        if !git {
            let places = &self.request.config.directories;
            let places = self.below_top(&[places.stories.clone(), places.epics.clone()]);
            changes.retain(|change| places.iter().any(|place| is_below(&change.path, place)));
        }
        let left = keeper.put_back(self.repository, standing, &changes, (git, &mark()))?;
        if !changes.is_empty() {
            self.log
                .line(&format!("what changed is put back; what lay there is the tree {now}, until git clears it away"));
        }
        if let Some(said) = &left.branch {
            self.log.line(said);
        }
        let inside = |path: &String| path.strip_prefix(&self.prefix).unwrap_or(path).to_owned();
        Ok(changes.iter().map(|change| inside(&change.path)).collect())
    }

    /// Paths of the project from the top of the working copy.
    fn below_top(&self, paths: &[String]) -> Vec<String> {
        paths.iter().map(|path| format!("{}{path}", self.prefix)).collect()
    }
}

fn is_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'))
}

fn specification(path: &Path) -> Result<String> {
    let unreadable = |error: Diagnostic| {
        Code::Rapid1850
            .because(format!("the specification cannot be read: {}", error.message))
            .hint("name a text file: git rapid story groom SPEC.md")
    };
    let text = files::read_text(path, SPEC_CAP).map_err(unreadable)?;
    match text.trim().is_empty() {
        false => Ok(text),
        true => Err(Code::Rapid1850
            .because(format!("the specification '{}' is empty", path.display()))
            .hint("write down what is to be built")),
    }
}
