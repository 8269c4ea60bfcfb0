//! Performing effects: one by one, in their order. Files first, then the entry, so that a turn is on the ledger with
//! everything that it did, or is put back by the next start.
//!
//! What happens outside a turn (blocked at the start, given up) is on the ledger before it is in a file: a state that was
//! remembered is never lost between the two.

use super::super::{Outcome, Request};
use super::apart::Apart;
use super::backlog::{Backlog, Page};
use super::crew::Crew;
use super::flight::{self, Flight};
use super::journal::{Journal, Material};
use super::log::Log;
use super::standing::{Keeper, Standing};
use super::{Ground, checkpoint_file, lock};
use crate::check::redact::Redactor;
use crate::diagnostics::Result;
use crate::domain::config::Config;
use crate::git::{Oid, Repository};
use crate::os::clock::{Moment, Stopwatch};
use crate::os::{fault, files, signals};
use crate::registry::Trees;
use crate::story::checkpoint::state_toml;
use crate::story::{Effect, Event, Fact, KeptFile, Machine, Role, StopReason, StoryId, Transitions};
use crate::story::{Outcome as TurnOutcome, Turn, TurnRecord};
use crate::verbs::rapid::Rapid;
use std::collections::{BTreeMap, VecDeque};

/// A run that is going on.
pub(super) struct Performer<'a> {
    pub repository: &'a Repository,
    pub request: &'a Request,
    pub ground: Ground,
    pub config: Config,
    pub redactor: Redactor,
    pub machine: Machine,
    pub backlog: Backlog,
    pub keeper: Keeper,
    pub log: Log<'a>,
    pub watch: Stopwatch,
    pub current: Option<Current>,
    /// Those at work at the same time; none where one turn follows the other.
    pub crew: Option<Crew>,
    /// Beside the engine: what it is told next.
    pub waiting: VecDeque<Event>,
    pub journal: Journal<'a>,
    transitions: Transitions,
    /// Facts that are not on the ledger yet.
    pending: Vec<Fact>,
    interrupted: bool,
}

/// The turn in flight, or just over.
pub(super) struct Current {
    pub turn: Turn,
    pub mark: String,
    pub standing: Standing,
    /// Its own worktree, where turns go on at the same time.
    pub apart: Option<Apart>,
    pub provider: String,
    pub model: Option<String>,
    pub exit: String,
    pub duration_ms: u64,
    pub after: Option<Oid>,
    pub hooks: Vec<crate::story::HookRecord>,
    pub artifacts: Vec<KeptFile>,
    pub files: Vec<(String, Vec<u8>)>,
    pub notes: Vec<String>,
    /// Story files that changed, as they were before the turn.
    pub touched: BTreeMap<StoryId, Option<Page>>,
    pub restored: bool,
    /// Its end is among the facts.
    pub is_over: bool,
}

impl<'a> Performer<'a> {
    #[expect(clippy::too_many_arguments, reason = "the parts of a run, put together once")]
    pub fn new(
        repository: &'a Repository,
        request: &'a Request,
        ground: Ground,
        machine: Machine,
        backlog: Backlog,
        journal: Journal<'a>,
        log: Log<'a>,
        watch: Stopwatch,
    ) -> Result<Performer<'a>> {
        let rapid = Rapid::of(repository.clone());
        let config = rapid.working_config()?;
        let redactor = rapid.redactor(&config)?;
        let keeper = Keeper::at(lock::directory(repository).join("beside"));
        let crew = (machine.settings().jobs > 1).then(Crew::new);
        Ok(Performer {
            repository,
            request,
            ground,
            config,
            redactor,
            machine,
            backlog,
            keeper,
            log,
            watch,
            current: None,
            crew,
            waiting: VecDeque::new(),
            journal,
            transitions: Transitions::default(),
            pending: Vec::new(),
            interrupted: false,
        })
    }

    /// Runs to the end.
    pub fn run(mut self) -> Result<Outcome> {
        self.waiting.push_back(Event::Start);
        while let Some(event) = self.next_event()? {
            let effects = self.machine.handle(event);
            self.perform(effects)?;
        }
        self.keeper.clear();
        Ok(Outcome {
            machine: self.machine,
            transitions: self.transitions,
            elapsed_seconds: self.watch.elapsed().as_secs(),
        })
    }

    fn next_event(&mut self) -> Result<Option<Event>> {
        loop {
            if !self.interrupted && signals::interrupted().is_some() {
                self.interrupted = true;
                self.waiting.push_front(Event::Interrupt);
            }
            if let Some(event) = self.waiting.pop_front() {
                return Ok(Some(event));
            }
            let knows = self.interrupted;
            match self.crew.as_mut().and_then(|crew| crew.next(knows)) {
                Some((current, over)) => self.heard(current, over)?,
                None if !self.interrupted && signals::interrupted().is_some() => {}
                None => return Ok(None),
            }
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<()> {
        self.come_home(&effects)?;
        if self.current.is_none() {
            let outside = effects.iter().map_while(|effect| match effect {
                Effect::Record(Fact::TurnBegun { .. }) | Effect::StartAgent(_) => None,
                Effect::Record(fact) => Some(Some(fact.clone())),
                _ => Some(None),
            });
            let outside: Vec<Fact> = outside.flatten().collect();
            let moves = |fact: &Fact| !matches!(fact, Fact::Begun { .. } | Fact::Ended { .. });
            if outside.iter().any(moves) {
                let known = outside.len();
                let facts: Vec<Fact> = std::mem::take(&mut self.pending).into_iter().chain(outside).collect();
                self.journal.append(facts, None, &Material::default())?;
                fault::point("story-moves-recorded");
                return self.one_by_one(effects, known);
            }
        }
        self.one_by_one(effects, 0)?;
        // Beside others the next turn may be far.
        self.write_entry()
    }

    /// Performs; the first `recorded` facts are on the ledger already.
    fn one_by_one(&mut self, effects: Vec<Effect>, mut recorded: usize) -> Result<()> {
        for effect in effects {
            match effect {
                Effect::Record(fact) => {
                    self.tell(&fact);
                    self.transitions.note(&fact);
                    if matches!(fact, Fact::TurnBegun { .. }) {
                        self.write_entry()?;
                    }
                    if let (Fact::TurnEnded { .. }, Some(current)) = (&fact, &mut self.current) {
                        current.is_over = true;
                    }
                    match recorded {
                        0 => self.pending.push(fact),
                        _ => recorded -= 1,
                    }
                }
                Effect::SetStatus { story, status, .. } => {
                    let written = self.backlog.set_status(&story, status);
                    self.or_lost(&story, written);
                }
                Effect::AppendLog { story, actor, text } => {
                    let text = self.redactor.text(&text);
                    let line = format!("- {} | {actor} | {text}", Moment::now().date);
                    let written = self.backlog.append_log(&story, &line);
                    self.or_lost(&story, written);
                }
                Effect::Snapshot { .. } => {}
                Effect::StartAgent(turn) => self.start_agent(*turn)?,
                Effect::RunHook { hook, .. } => self.run_hook(hook)?,
                Effect::Restore { .. } => self.restore()?,
                Effect::Feedback { story, role, text, .. } => self.feedback(&story, role, &text),
                Effect::Checkpoint => self.checkpoint()?,
                Effect::EndAgents { .. } => {} // a turn is waited for here, and its group has the signal already
                Effect::Stop(reason) => self.stop(&reason)?,
            }
        }
        Ok(())
    }

    /// What cannot be written is that story's, not the run's.
    pub fn or_lost(&mut self, story: &StoryId, written: Result<()>) {
        if let Err(error) = written {
            self.log.line(&format!("{story} cannot be written: {}", error.message));
            self.waiting.push_back(Event::StoryLost { story: story.clone(), reason: error.message });
        }
    }

    /// Notes the turn, so that a start after a crash knows it.
    pub fn note_flight(&self, current: &Current, standing: &Standing) -> Result<()> {
        let flight = Flight {
            number: current.turn.number,
            story: current.turn.story.clone(),
            task: current.turn.task,
            attempt: current.turn.attempt,
            provider: current.provider.clone(),
            model: current.model.clone(),
            mark: current.mark.clone(),
            top: self.repository.require_workdir()?.display().to_string(),
            prefix: self.ground.prefix.clone(),
            backlog: self.journal.backlog().to_owned(),
            facts: self.pending.clone(),
        };
        flight::write(self.repository, &flight, standing)
    }

    /// Writes the entry of a turn that is over.
    fn write_entry(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take_if(|current| current.is_over) else { return Ok(()) };
        let facts = std::mem::take(&mut self.pending);
        let said = self.publish(&current, &facts);
        current.notes.extend(said);
        let turn = &current.turn;
        let node = self.machine.state().place(&turn.story);
        let strikes = node.map_or(0, |node| self.machine.state().strikes(node, turn.task.status()));
        let progress = facts.iter().find_map(|fact| match fact {
            Fact::TurnEnded { outcome: TurnOutcome::Progress { to, .. }, .. } => Some(*to),
            _ => None,
        });
        let record = TurnRecord {
            number: turn.number,
            task: turn.task,
            to: Some(progress.unwrap_or(turn.task.status())),
            provider: current.provider,
            model: current.model,
            attempt: turn.attempt,
            strikes,
            exit: current.exit,
            duration_ms: current.duration_ms,
            restored: current.restored,
            before: Some(current.standing.tree.to_git_id()),
            after: current.after.map(Oid::to_git_id),
            notes: current.standing.notes.iter().cloned().chain(current.notes).collect(),
            hooks: current.hooks,
            artifacts: current.artifacts,
        };
        let trees = Trees { before: Some(current.standing.tree), after: current.after };
        fault::point("story-turn-over");
        self.journal.append(facts, Some(&record), &Material { files: current.files, trees })?;
        fault::point("story-turn-recorded");
        flight::clear(self.repository)?;
        current.apart.map_or(Ok(()), Apart::over)
    }

    fn feedback(&mut self, story: &StoryId, role: Role, text: &str) {
        let directory = self.request.root.join(&self.request.config.directories.decisions);
        let stem = format!("{story}-{}-{}", role.as_str(), Moment::now().compact());
        let written = files::create_dir_all(&directory).and_then(|()| {
            let mut names = std::iter::once(stem.clone()).chain((2..1000).map(|number| format!("{stem}-{number}")));
            let free =
                names.find(|name| !files::is_taken(&directory.join(format!("{name}.md")))).unwrap_or(stem.clone());
            files::note(
                &directory.join(format!("{free}.md")),
                format!("# {story}: {}\n\n{text}\n", role.as_str()).as_bytes(),
            )
        });
        if let Err(error) = written {
            self.log.line(&format!("the feedback on {story} cannot be written: {}", error.message));
        }
    }

    fn checkpoint(&mut self) -> Result<()> {
        let path = checkpoint_file(&self.request.root);
        if let Some(parent) = path.parent() {
            files::create_dir_all(parent)?;
        }
        files::write_unflushed(&path, state_toml(self.machine.state()).as_bytes())
    }

    fn stop(&mut self, reason: &StopReason) -> Result<()> {
        match self.current.as_ref().is_some_and(|current| current.is_over) {
            true => self.write_entry()?,
            false => {
                let facts = std::mem::take(&mut self.pending);
                self.journal.append(facts, None, &Material::default())?;
            }
        }
        if *reason == StopReason::Complete {
            files::remove(&checkpoint_file(&self.request.root))?;
        }
        if let Some(sentence) = reason.sentence() {
            self.log.line(&sentence);
        }
        Ok(())
    }

    fn tell(&mut self, fact: &Fact) {
        let text = match fact {
            Fact::Moved { story, from, to, reason, .. } => format!("{story}: {from} → {to} ({reason})"),
            Fact::Taken { story, status } => format!("{story}: taken in hand by a person, now {status}"),
            Fact::TurnBegun { turn, story, task } => format!("turn {turn}: {story} {}", task.as_str()),
            Fact::TurnEnded { turn, story, task, outcome, .. } => {
                let what = match outcome {
                    TurnOutcome::Progress { to, .. } => format!("{} → {to}", task.status()),
                    TurnOutcome::CycleBroken => "the circle is broken".to_owned(),
                    TurnOutcome::Strike { kind, reason, .. } => format!("strike ({kind}): {reason}"),
                    TurnOutcome::Provider(fault) => format!("the provider's fault: {fault}"),
                    TurnOutcome::Interrupted => "interrupted".to_owned(),
                };
                format!("turn {turn}: {story} {what}")
            }
            Fact::Lost { story, reason } => format!("{story}: lost ({reason})"),
            Fact::Forgiven { strikes } => format!("{} strikes are taken back", strikes.len()),
            Fact::Begun { .. } | Fact::Ended { .. } => return,
        };
        self.log.line(&text);
    }

    /// Whether a path, relative to the top of the working copy, is one that we write ourselves.
    pub fn is_ours(&self, path: &str) -> bool {
        let top = self.repository.workdir();
        let log = self.request.log_file.as_ref().zip(top).and_then(|(log, top)| log.strip_prefix(top).ok());
        let log = log.map(|path| path.to_string_lossy().into_owned());
        is_ours(path, &self.ground.prefix, &self.request.config.directories.logs, log.as_deref())
    }

    /// The files of the stories, relative to the top of the working copy.
    pub fn story_paths(&self) -> Vec<String> {
        self.backlog.pages().map(|(_, page)| format!("{}{}", self.ground.prefix, page.file)).collect()
    }
}

/// Whether a path is one that the orchestrator writes, so that no agent is charged with it and nothing puts it back.
pub(in super::super) fn is_ours(path: &str, prefix: &str, logs: &str, log_file: Option<&str>) -> bool {
    let Some(inside) = path.strip_prefix(prefix) else { return log_file == Some(path) };
    inside == ".regista/state.toml" || inside.starts_with(&format!("{logs}/")) || log_file == Some(path)
}
