//! One turn: the working copy is taken in, the agent works, what it did is seen, its hook is run, and what may not stay is
//! put back.

use super::super::cast;
use super::backlog::Backlog;
use super::job::{AgentJob, HookJob, HookOver};
use super::perform::{Current, Performer};
use crate::agent;
use crate::diagnostics::{Code, Result};
use crate::domain::digest::Digest;
use crate::git::{Keep, Oid, TreeChange};
use crate::os::clock::Moment;
use crate::os::environment::Environment;
use crate::os::{fault, files, process};
use crate::story::prompt::{Surroundings, of_turn};
use crate::story::{AgentReport, Event, Exit, Hook, KeptFile, Turn};
use crate::verbs::work;
use std::collections::HashSet;
use std::time::Duration;

/// How much of the instructions is put in front of a prompt, in bytes.
const INSTRUCTIONS: u64 = 1 << 20;

impl Performer<'_> {
    pub(super) fn start_agent(&mut self, turn: Turn) -> Result<()> {
        self.backlog.refresh()?;
        let (provider, instructions) = cast(&self.request.root, &self.request.config, turn.task.role())
            .ok_or_else(|| Code::Rapid1701.because("nobody knows the provider of the role"))?;
        let model = self.request.config.agents.model(turn.task.role()).map(str::to_owned);
        let mut standing = self.keeper.take(self.repository, &self.config, &self.story_paths())?;
        let mark = mark(&turn, standing.tree);
        let there = self.request.root.join(&instructions).is_file().then_some(instructions);
        let apart = match self.crew.is_some() {
            true => {
                let apart = self.lay_out(&turn, &provider.name, model.as_deref(), &mark, &standing)?;
                there.iter().try_for_each(|file| apart.carry(&self.request.root, file))?;
                standing = apart.standing.clone();
                Some(apart)
            }
            false => None,
        };
        let current = Current {
            mark: mark.clone(),
            standing,
            apart,
            provider: provider.name.clone(),
            model: model.clone(),
            exit: String::new(),
            duration_ms: 0,
            after: None,
            hooks: Vec::new(),
            artifacts: Vec::new(),
            files: Vec::new(),
            notes: Vec::new(),
            touched: Default::default(),
            restored: false,
            is_over: false,
            turn,
        };
        if current.apart.is_none() {
            self.note_flight(&current, &current.standing)?;
        }
        fault::point("story-turn-noted");
        let in_prompt = there.as_deref().filter(|path| provider.instructions_in_prompt(path));
        let prompt = self.prompt(&current.turn, in_prompt)?;
        let limit = Duration::from_secs(current.turn.timeout_seconds.max(1));
        let wait = Duration::from_secs(current.turn.wait_seconds);
        if !wait.is_zero() {
            self.log.line(&format!("waits {} seconds", wait.as_secs()));
        }
        // Nobody is paid for a story that cannot be written: it is lost to this run.
        let writable = self.backlog.is_writable(&current.turn.story);
        if !writable {
            let error = Code::Rapid002.because("its file cannot be written");
            self.or_lost(&current.turn.story, Err(error));
        }
        let left = self.wall_left();
        let job = AgentJob {
            provider,
            model,
            instructions: there,
            prompt,
            prompt_file: match &current.apart {
                Some(apart) => apart.prompt_file(),
                None => super::lock::directory(self.repository).join("prompt.md"),
            },
            environment: self.environment(&current),
            wait: left.map_or(wait, |left| wait.min(left)),
            deadline: match left {
                _ if !writable => None,
                None => Some(limit),
                Some(left) => left.checked_sub(wait).filter(|left| !left.is_zero()).map(|left| limit.min(left)),
            },
            redactor: self.redactor.clone(),
            mark,
        };
        match &mut self.crew {
            Some(crew) => crew.agent(current, job),
            None => {
                let answer = job.run()?;
                self.answered(current, answer)
            }
        }
    }

    /// An agent is over: what it did is seen, and the engine is told next.
    pub(super) fn answered(&mut self, mut current: Current, answer: Option<agent::turn::Answer>) -> Result<()> {
        fault::point("story-agent-gone");
        let number = current.turn.number;
        let mut exit = Exit::Ended;
        let mut output = String::new();
        if let Some(answer) = answer {
            (exit, output) = (answer.exit, answer.output);
            current.duration_ms = answer.duration_ms;
            if answer.left_behind > 0 {
                current.notes.push(format!("ended {} processes that the agent had left behind", answer.left_behind));
            }
            let sizes = (answer.printed, answer.redactions);
            keep(&mut current, "transcript".to_owned(), answer.transcript, sizes);
        }
        exit = self.or_our_end(exit);
        current.exit = shown(&exit);
        let there = current.apart.as_ref().map_or(self.repository, |apart| &apart.repository);
        let snapshot = work::snapshot(there, &self.config, Keep::Objects)?;
        current.after = Some(snapshot.tree);
        if let Some(apart) = &mut current.apart {
            apart.withheld = snapshot.withheld.into_keys().collect();
        }
        let report = self.seen(&mut current, snapshot.tree, exit, output)?;
        let exit = self.unless_in_conflict(&mut current, report.exit)?;
        let report = AgentReport { exit, ..report };
        self.current = Some(current);
        fault::point("story-turn-seen");
        self.waiting.push_back(Event::AgentFinished { turn: number, report });
        Ok(())
    }

    pub(super) fn run_hook(&mut self, hook: Hook) -> Result<()> {
        let Some(current) = self.current.take() else { return Ok(()) };
        let command = self.request.config.hooks.get(&hook).cloned().unwrap_or_default();
        self.log.line(&format!("{}: {}", hook.as_str(), self.redactor.text(&command)));
        let limit = Duration::from_secs(self.request.config.hook_timeout_seconds.max(1));
        let job = HookJob {
            hook,
            command,
            environment: self.environment(&current),
            deadline: self.wall_left().map_or(limit, |left| limit.min(left)),
            config: self.config.clone(),
            redactor: self.redactor.clone(),
            mark: current.mark.clone(),
        };
        match &mut self.crew {
            Some(crew) => crew.hook(current, job),
            None => {
                let over = job.run()?;
                self.hooked(current, over)
            }
        }
    }

    /// A hook is over: the engine is told next.
    pub(super) fn hooked(&mut self, mut current: Current, over: HookOver) -> Result<()> {
        let output = String::from_utf8_lossy(&over.log).into_owned();
        if let Some(record) = over.record {
            current.hooks.push(record);
            keep(&mut current, format!("hook-{}", over.hook.as_str()), over.log, over.sizes);
        }
        fault::point("story-hook-over");
        let exit = self.or_our_end(over.exit);
        let exit = self.unless_in_conflict(&mut current, exit)?;
        let turn = current.turn.number;
        self.current = Some(current);
        self.waiting.push_back(Event::HookFinished { turn, exit, output });
        Ok(())
    }

    /// Where an agent and its hooks work.
    fn environment(&self, current: &Current) -> Environment {
        match &current.apart {
            None => self.repository.environment().clone().in_directory(&self.request.root),
            Some(apart) => apart.repository.environment().clone().in_directory(&apart.root).with("PWD", &apart.root),
        }
    }

    /// Puts back exactly what the turn changed.
    pub(super) fn restore(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        if current.apart.is_some() {
            // It never came home.
            current.restored = true;
            self.current = Some(current);
            return Ok(());
        }
        self.note_touched(&mut current)?;
        if self.request.config.git_enabled {
            let now = work::snapshot(self.repository, &self.config, Keep::Objects)?.tree;
            let changes = self.changes(&current, now)?;
            fault::point("story-restore");
            let which = (true, current.mark.as_str());
            let left = self.keeper.put_back(self.repository, &current.standing, &changes, which)?;
            // Whoever else wrote into the working copy meanwhile finds it there.
            current.after = Some(now);
            let number = current.turn.number;
            if !changes.is_empty() {
                let kept = "is put back; what lay there is kept as the tree";
                self.log.line(&format!("turn {number}: what changed {kept} {now}"));
            }
            left.branch.iter().for_each(|said| self.log.line(&format!("turn {number}: {said}")));
            current.notes.extend(left.notes());
            self.backlog.refresh()?;
        }
        for (story, before) in &current.touched {
            let now = self.backlog.page(story).map(|page| &page.bytes);
            if now != before.as_ref().map(|page| &page.bytes) {
                self.backlog.put_back(story, before.as_ref())?;
            }
        }
        current.restored = true;
        self.current = Some(current);
        Ok(())
    }

    fn prompt(&self, turn: &Turn, instructions: Option<&str>) -> Result<String> {
        let config = &self.request.config;
        let hook = match turn.task.role() {
            crate::story::Role::QaEngineer => Some(Hook::PostQa),
            crate::story::Role::Developer => Some(Hook::PostDev),
            crate::story::Role::Reviewer => Some(Hook::PostReviewer),
            crate::story::Role::ProductOwner => None,
        };
        let surroundings = Surroundings {
            date: &Moment::now().date,
            decisions_dir: &config.directories.decisions,
            hook: hook.and_then(|hook| config.hooks.get(&hook)).map(String::as_str),
            commands: &config.commands,
        };
        let prompt = of_turn(turn, &surroundings, config.language);
        match instructions {
            None => Ok(prompt),
            Some(path) => {
                let text = files::read_text(&self.request.root.join(path), INSTRUCTIONS)?;
                Ok(format!("{}\n\n---\n\n{prompt}", text.trim()))
            }
        }
    }

    /// What is seen after the agent, where it worked.
    fn seen(&mut self, current: &mut Current, after: Oid, exit: Exit, output: String) -> Result<AgentReport> {
        let story = current.turn.story.clone();
        let mine = backlog_of(&mut self.backlog, current).page(&story).cloned();
        let twice = self.note_touched(current)?;
        let mut others: Vec<_> = current.touched.keys().filter(|id| **id != story).cloned().collect();
        others.extend(twice);
        let backlog = backlog_of(&mut self.backlog, current);
        let note = match (mine, backlog.page(&story)) {
            (Some(before), Some(now))
                if crate::story::file::log_differs((&before.read, &before.bytes), (&now.read, &now.bytes)) =>
            {
                added(log_of(&before), log_of(now)).map(|note| self.redactor.text(&note))
            }
            _ => None,
        };
        let seen = backlog.after(&story);
        let stories = format!("{}/", self.ground.backlog);
        let decisions = format!("{}{}/", self.ground.prefix, self.request.config.directories.decisions);
        let changes = self.changes(current, after)?;
        let changed = changes.iter().map(|change| change.path.clone());
        let files = changed.filter(|path| !path.starts_with(&stories) && !path.starts_with(&decisions)).collect();
        if let Some(apart) = &mut current.apart {
            apart.changes = changes;
        }
        Ok(AgentReport { exit, output, story: seen, others, files, note })
    }

    /// Reads the stories again and remembers what those were that changed; gives those that have two files now.
    fn note_touched(&mut self, current: &mut Current) -> Result<Vec<crate::story::StoryId>> {
        let changed = backlog_of(&mut self.backlog, current).refresh()?;
        for (story, before) in changed.stories {
            current.touched.entry(story).or_insert(before);
        }
        Ok(changed.twice)
    }

    fn changes(&self, current: &Current, now: Oid) -> Result<Vec<TreeChange>> {
        let ours = |path: &str| self.is_ours(path);
        match &current.apart {
            None => self.keeper.changes(self.repository, &current.standing, now, &ours),
            Some(apart) => apart.keeper.changes(&apart.repository, &apart.standing, now, &ours),
        }
    }

    fn wall_left(&self) -> Option<Duration> {
        let limit = self.machine.settings().max_wall_time_seconds;
        (limit > 0).then(|| Duration::from_secs(limit).saturating_sub(self.watch.elapsed()))
    }

    /// A program that was ended because the run's own time is over, or because somebody asked, was ended by us.
    fn or_our_end(&mut self, exit: Exit) -> Exit {
        let elapsed = self.watch.elapsed().as_secs();
        let over = self.wall_left().is_some_and(|left| left.is_zero());
        match exit {
            Exit::TimedOut | Exit::Ended if over => {
                self.waiting.push_back(Event::Tick { elapsed });
                Exit::Ended
            }
            exit => {
                self.waiting.push_back(Event::Tick { elapsed });
                exit
            }
        }
    }
}

/// The stories where the turn works.
fn backlog_of<'b>(home: &'b mut Backlog, current: &'b mut Current) -> &'b mut Backlog {
    match &mut current.apart {
        Some(apart) => &mut apart.backlog,
        None => home,
    }
}

/// A name that no other turn has, in this repository or another.
fn mark(turn: &Turn, tree: Oid) -> String {
    let pid = std::process::id();
    let birth = process::born(pid).unwrap_or_default();
    format!("{}-{}-{pid}-{birth}-{}", turn.story, turn.number, tree.short())
}

fn keep(current: &mut Current, name: String, bytes: Vec<u8>, (printed, redactions): (u64, u64)) {
    current.artifacts.push(KeptFile {
        name: name.clone(),
        sha256: Digest::of(&bytes),
        size_bytes: bytes.len() as u64,
        printed,
        redactions,
    });
    current.files.push((name, bytes));
}

fn shown(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("status {code}"),
        Exit::TimedOut => "ended by the time limit".to_owned(),
        Exit::NotStarted(why) => format!("not started: {why}"),
        Exit::Ended => "ended by the orchestrator".to_owned(),
    }
}

fn log_of(page: &super::backlog::Page) -> String {
    let range = page.read.log.as_ref().map(|log| log.range.clone()).unwrap_or_default();
    String::from_utf8_lossy(page.bytes.get(range).unwrap_or_default()).into_owned()
}

/// The lines of a log that were not there before, wherever they were put.
fn added(before: String, now: String) -> Option<String> {
    let known: HashSet<&str> = before.lines().map(str::trim_end).collect();
    let new: Vec<&str> =
        now.lines().map(str::trim_end).filter(|line| !line.is_empty() && !known.contains(line)).collect();
    (!new.is_empty()).then(|| new.join("\n"))
}
